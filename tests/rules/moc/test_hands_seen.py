"""Who sees a hand when `hands_seen_by_gm` changes while cards are held (heading "Cards")."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.commands import CloseSession
from ledger.rules.kernel.subjects import character
from ledger.rules.moc import RULESET
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.chips import ChipExchangedForCards, ExchangeChip
from ledger.rules.moc.hands import CardDiscarded, CardsDrawn, DrawHand
from ledger.rules.moc.holdings import Purchase
from ledger.rules.moc.negotiating import ApproveTrait, ProposeTrait
from ledger.rules.moc.scenes import HandDiscarded
from ledger.rules.moc.state import Character
from ledger.rules.moc.trading import Agree, CardSwapped, Discard, ForceVortex, Give, TradeCards
from tests.rules.moc.game import Game, the


@pytest.fixture
def unseen() -> Game:
    """Let Harry (ann) draw while the game master cannot see hands, then change the option."""
    game = Game(hands_seen_by_gm=False, hands_open_after_session=False)
    game.place = game.session_begins()
    game.does(DrawHand(game.hero), ("8C", "9C"), by="ann")
    game.set_dial("hands_seen_by_gm", True)
    game.gives(game.hero, "chip:white", 1)
    return game


def test_a_hand_drawn_unseen_is_not_shown_by_a_later_card(unseen: Game) -> None:
    """Neither states nor later facts show it, nor older records."""
    done = unseen.does(ExchangeChip(unseen.hero, "white"), ("KS",), by="ann")
    assert unseen.character(unseen.hero).hand == ("8C", "9C", "KS")
    assert unseen.view(character(unseen.hero))["hand"] is None
    assert unseen.view(character(unseen.hero), "ann")["hand"] == ["8C", "9C", "KS"]
    own = (f"character:{unseen.hero}",)
    assert the(done, "ChipExchangedForCards").seen_by == own
    thrown = next(one for one in unseen.does(CloseSession(unseen.place)).facts if isinstance(one.fact, HandDiscarded))
    assert thrown.audience == own


@pytest.mark.parametrize("kind", [CardsDrawn, ChipExchangedForCards])
@pytest.mark.parametrize(
    ("hand", "before", "then", "after"),
    [
        (("8C",), ("character:1",), ("character:1", "gm"), ("character:1",)),
        (("8C",), ("character:1", "gm"), ("character:1",), ("character:1",)),
        (("8C",), ("character:1", "gm"), ("character:1", "gm"), ("character:1", "gm")),
        ((), ("character:1",), ("character:1", "gm"), ("character:1", "gm")),  # no earlier cards are held
        (("8C",), (), ("character:1", "gm"), ("character:1", "gm")),  # never drawn, but added by hand
    ],
)
def test_a_hand_is_seen_by_who_could_see_each_of_its_cards(
    kind: Any, hand: tuple[str, ...], before: tuple[str, ...], then: tuple[str, ...], after: tuple[str, ...]
) -> None:
    """This includes another past in which a card that was used in between is still held."""
    done = CardsDrawn("1", ("KS",), then) if kind is CardsDrawn else ChipExchangedForCards(("KS",), then)
    held = RULESET.apply(Character(hand=hand, seen_by=before), done)
    assert isinstance(held, Character) and held.seen_by == after


@pytest.mark.parametrize("drawn_first", [True, False])
def test_a_card_named_to_a_vortex_is_told_to_who_could_see_it(unseen: Game, drawn_first: bool) -> None:
    if not drawn_first:
        unseen.does(CloseSession(unseen.place))
        unseen.session_begins()
        unseen.does(DrawHand(unseen.hero), ("8C", "9C"), by="ann")
    unseen.does(Buy(unseen.enigma, Purchase("vortex")))
    conversation, _ = unseen.begin(ForceVortex(unseen.enigma, unseen.hero), "bob")
    own = f"character:{unseen.hero}"
    assert conversation.question is not None
    assert conversation.question.audience == ((own,) if drawn_first else (own, "gm"))


@pytest.fixture
def seen_before() -> Game:
    """Let Harry (ann) and Rissh (bob) draw while the game master can see hands, then change the option."""
    game = Game(hands_seen_by_gm=True, hands_open_after_session=False)
    game.place = game.session_begins()
    game.does(DrawHand(game.hero), ("8C", "9C"), by="ann")
    game.does(DrawHand(game.enigma), ("8D", "9D"), by="bob")
    game.gives(game.hero, "point", 600)
    game.gives(game.enigma, "point", 600)
    game.set_dial("hands_seen_by_gm", False)
    return game


def test_a_traded_card_is_told_to_everybody_who_sees_the_hand(seen_before: Game) -> None:
    game = seen_before
    trait = game.new(ProposeTrait(game.hero, "Sleight of hand", "", 2, allows="card-trade"), by="ann")
    game.does(ApproveTrait(game.hero, trait))
    done = game.does(TradeCards(game.hero, game.enigma), Agree(), Give("8C"), Give("8D"), by="ann")
    told = {one.subject.id: one.audience for one in done.facts if isinstance(one.fact, CardSwapped)}
    assert told == {id: game.character(id).seen_by for id in (game.hero, game.enigma)}
    assert "gm" in (told[game.hero] or ())
    assert game.view(character(game.hero))["hand"] == ["9C", "8D"]


def test_a_card_thrown_away_is_told_to_everybody_who_sees_the_hand(seen_before: Game) -> None:
    game = seen_before
    game.does(Buy(game.enigma, Purchase("vortex")))
    done = game.does(ForceVortex(game.enigma, game.hero), Discard("8C"), by="bob")
    (audience,) = [one.audience for one in done.facts if isinstance(one.fact, CardDiscarded)]
    assert audience == game.character(game.hero).seen_by == (f"character:{game.hero}", "gm")
    thrown = next(one for one in game.does(CloseSession(game.place)).facts if isinstance(one.fact, HandDiscarded))
    assert "gm" in (thrown.audience or ())
