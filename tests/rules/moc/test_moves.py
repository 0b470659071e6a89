"""Offers of Moment of Clarity that the laws of moves cannot check."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.commands import Adjust
from ledger.rules.kernel.moves import Among, Move, allows
from ledger.rules.kernel.offers import list_awaited_now, list_offers
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import seat
from ledger.rules.kernel.table import find_viewer
from ledger.rules.moc import turns
from ledger.rules.moc.actions import DeclareAction
from ledger.rules.moc.beads import AllocateBeads
from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.cards import CardPoints, ExchangeCard
from ledger.rules.moc.cards_on_dice import PlayCard
from ledger.rules.moc.characters import SetStatus
from ledger.rules.moc.damage import RollDamage
from ledger.rules.moc.fate import Nominate
from ledger.rules.moc.hands import DrawHand, DrawVillains
from ledger.rules.moc.hits import ScoreHit
from ledger.rules.moc.recovery import DeclareRecovery, LoseAction
from ledger.rules.moc.resolving import Resolve
from ledger.rules.moc.rolling import DeclareSuccesses, RollDice, TakeOffSuccesses
from ledger.rules.moc.story import ChangeStory, UseCard
from ledger.rules.moc.trumps import Trump
from tests.rules.moc.game import Game, buys


def seen(game: Game, by: str) -> Seen:
    viewer = find_viewer(game.past, seat(by))
    assert viewer is not None
    return Seen(game.ruleset, game.past, viewer)


def moves(game: Game, by: str, do: type[Any]) -> list[Move]:
    return [one.move for one in list_offers(game.ruleset, seen(game, by)) if one.move.do is do]


def offers(game: Game, by: str, do: Any) -> bool:
    return any(allows(move, do) for move in moves(game, by, type(do)))


def waits(game: Game, kind: type[Any]) -> set[tuple[str, str | None]]:
    """Return the awaited players of a declaration: seat and character."""
    return {(one.seat, one.of) for one in list_awaited_now(game.ruleset, seen(game, "gm")) if one.do is kind}


def test_cards_that_everybody_has_seen_are_not_offered_again_once_their_draw_is_overturned() -> None:
    game = Game()
    game.session_begins()
    drawn = game.number
    game.does(DrawHand(game.hero, ("8C", "KS")), by="ann")
    game.does(ExchangeCard(game.hero, "8C"), by="ann")
    game.scene_begins(game.hero, game.villain)
    game.past = game.without(drawn).then
    assert game.balance("campaign/card:deck") == 52
    assert offers(game, "gm", DrawVillains(51))
    assert not offers(game, "gm", DrawVillains(52))
    assert game.refuses(DrawVillains(52)) == "deck-empty"


@pytest.fixture
def game() -> Game:
    """Harry shoots at Rissh: three of five dice score."""
    game = Game()
    session = game.session_begins()
    assert session
    game.place = game.scene_begins(game.hero, game.enigma, game.villain)
    return game


def shot(game: Game) -> str:
    action = game.acts(game.hero, roll_kind="to_hit")
    game.rolls(action, 7, 8, 9, 3, 4)
    return action


def test_successes_are_declared_on_somebody_there_is(game: Game) -> None:
    assert game.refuses(DeclareSuccesses(shot(game), "nobody", 1)) == "unknown-character"


def test_who_acts_is_awaited_until_it_is_resolved(game: Game) -> None:
    action = game.acts(game.hero, roll_kind="to_hit")
    assert waits(game, RollDice) == {("ann", game.hero)}
    game.rolls(action, 7, 8, 9, 3, 4)
    assert waits(game, RollDice) == set()
    assert waits(game, Resolve) == {("ann", game.hero)}
    game.level(action)
    assert waits(game, Resolve) == set()


def test_only_who_is_shot_at_is_awaited_and_no_longer_once_nothing_was_taken_off(game: Game) -> None:
    action = shot(game)
    game.does(DeclareSuccesses(action, game.enigma, 2))
    assert waits(game, TakeOffSuccesses) == {("bob", game.enigma)}
    assert waits(game, Resolve) == set(), "it is for the other to answer first"
    assert moves(game, "ann", TakeOffSuccesses) == []
    game.does(TakeOffSuccesses(action, game.enigma, 0), by="bob")
    assert waits(game, TakeOffSuccesses) == set()
    assert waits(game, Resolve) == {("ann", game.hero)}


def test_the_table_waits_for_the_dice_of_a_dodge_and_then_for_what_it_cancels(game: Game) -> None:
    action = shot(game)
    game.does(DeclareSuccesses(action, game.enigma, 2))
    dodge = game.acts(game.enigma, roll_kind="dodge")
    assert waits(game, RollDice) == {("bob", game.enigma)} and waits(game, TakeOffSuccesses) == set()
    assert offers(game, "bob", TakeOffSuccesses(action, game.enigma, 0))
    game.rolls(dodge, 7, 8)
    assert waits(game, RollDice) == set() and waits(game, TakeOffSuccesses) == {("bob", game.enigma)}


def test_a_dodge_that_a_bead_decides_can_cancel_successes_without_dice(game: Game) -> None:
    action = shot(game)
    game.does(DeclareSuccesses(action, game.enigma, 2))
    dodge = game.acts(game.enigma, roll_kind="dodge", element="drama")
    game.gives(game.enigma, "bead:drama", 1)
    game.does(PlayBeads(dodge, game.enigma, "free_marginal", 1, "drama"), by="bob")
    assert waits(game, TakeOffSuccesses) == {("bob", game.enigma)}
    game.does(TakeOffSuccesses(action, game.enigma, 2, 0, dodge), by="bob")


def test_the_table_waits_for_no_answer_of_somebody_who_is_gone(game: Game) -> None:
    action = shot(game)
    game.does(DeclareSuccesses(action, game.enigma, 2))
    game.does(SetStatus(game.enigma, "dead"))
    assert waits(game, TakeOffSuccesses) == set() and waits(game, Resolve) == {("ann", game.hero)}


def test_no_more_is_taken_off_than_the_dodge_left(game: Game) -> None:
    action = shot(game)
    dodge = game.acts(game.enigma, roll_kind="dodge")
    game.rolls(dodge, 7, 8)
    game.does(DeclareSuccesses(action, game.enigma, 3))
    off = [TakeOffSuccesses(action, game.enigma, n, 0, dodge) for n in range(5)]
    assert [offers(game, "bob", one) for one in off] == [True, True, True, False, False]


def test_what_a_hidden_roll_came_to_says_nothing_to_who_does_not_see_it(game: Game) -> None:
    action = shot(game)
    game.gives(game.enigma, "chip:white", 1)
    said = ScoreHit(game.hero, game.enigma, "Club", action=action)
    assert offers(game, "ann", said) and offers(game, "gm", said)
    shown = seen(game, "bob")
    assert not any(
        one.move.do is ScoreHit and one.move.fields.get("net") is None for one in list_offers(game.ruleset, shown)
    )


@pytest.mark.parametrize("by", ["ann", "bob", "gm"])
def test_cards_are_offered_to_whose_hand_it_is(by: str) -> None:
    game = Game(hands_seen_by_gm=False)
    game.session_begins()
    game.does(DrawHand(game.hero, ("8C", "9C"), ("8C", "9C")), by="ann")
    game.scene_begins(game.hero, game.enigma)
    action = game.acts(game.hero)
    laid = PlayCard(action, game.hero, "8C", (CardPoints(0, 8),))
    assert offers(game, by, laid) == (by == "ann")
    over = PlayCard(action, game.hero, "8C", (CardPoints(0, 9),))
    assert not offers(game, by, over)
    cards = {value for move in moves(game, by, Trump) for value in _values(move, "card")}
    assert cards == ({"8C", "9C"} if by == "ann" else set())


def test_a_hand_whose_account_was_emptied_apart_from_it_is_offered_nothing(game: Game) -> None:
    """A game master can change accounts by hand. The rules then refuse cards that are not there."""
    game.does(DrawHand(game.hero, ("8C", "9C"), ("8C", "9C")), by="ann")
    used = UseCard(game.hero, "8C", "A door opens.", approved=True)
    assert offers(game, "ann", used)
    game.declare(Adjust(f"character:{game.hero}/card:hand", "bank/card", "card", 2, "for the test"))
    assert game.refuses(used, by="gm") == "overdrawn" and not offers(game, "ann", used)
    assert not moves(game, "ann", ExchangeCard)


def _values(move: Move, name: str) -> tuple[object, ...]:
    domain = move.fields.get(name)
    return domain.values if isinstance(domain, Among) else ()


def test_the_villains_cards_are_offered_to_the_game_master_for_villains_only(game: Game) -> None:
    game.does(DrawVillains(1, ("8C",)))
    for id, by, there in ((game.villain, "gm", True), (game.villain, "ann", False), (game.hero, "gm", False)):
        laid = PlayCard(game.acts(id), id, "8C", (CardPoints(0, 1),))
        assert offers(game, by, laid) == there, (id, by)


def test_a_card_trumps_what_it_beats_and_a_chip_a_card_only(game: Game) -> None:
    game.does(DrawHand(game.hero, ("8C", "9C"), ("8C", "9C")), by="ann")
    game.does(DrawHand(game.enigma, ("7C", "10C"), ("7C", "10C")), by="bob")
    game.gives(game.enigma, "chip:red", 1)
    action = game.acts(game.hero)
    laid = game.new(PlayCard(action, game.hero, "8C", (CardPoints(0, 8),)), by="ann")
    held = {card: Trump(action, game.enigma, laid, card) for card in ("7C", "10C")}
    assert [offers(game, "bob", held[card]) for card in held] == [False, True]
    assert offers(game, "bob", Trump(action, game.enigma, laid, chip="red"))
    assert not offers(game, "bob", Trump(action, game.enigma, "roll", chip="red"))


def test_who_is_dazed_plays_no_beads_and_loses_the_action(game: Game) -> None:
    action = game.acts(game.hero)
    bead = PlayBeads(action, game.hero, "add_dice")
    assert offers(game, "ann", bead) and not offers(game, "ann", LoseAction(game.hero))
    game.sets(game.hero, "dazed", True)
    assert not offers(game, "ann", bead) and offers(game, "ann", LoseAction(game.hero))
    assert not offers(game, "ann", DeclareAction(game.hero))


def test_the_dead_are_offered_nothing_but_what_is_done_to_them(game: Game) -> None:
    game.does(SetStatus(game.hero, "dead", "so it ends"))
    mine = {one.move.do for one in list_offers(game.ruleset, seen(game, "ann"))}
    acting = {DeclareAction, turns.Move, ChangeStory, DeclareRecovery}
    assert not mine & acting


def test_beads_are_laid_in_every_way_that_can_be_paid_and_no_other() -> None:
    game = Game()
    told = [{"plot": n, "drama": m} for n in range(8) for m in range(4)]
    free = [one for one in told if offers(game, "ann", AllocateBeads(game.hero, one))]
    taken = [one for one in told if _taken(game, AllocateBeads(game.hero, one))]
    assert free == taken and 0 < len(free) < len(told)


def _taken(game: Game, do: Any) -> bool:
    try:
        game.begin(do, "ann")
    except Refused:
        return False
    return True


def test_a_nomination_is_not_offered_twice_and_not_shown_to_others(game: Game) -> None:
    named = Nominate("ann", game.enigma)
    assert offers(game, "ann", named) and offers(game, "gm", named) and not offers(game, "bob", named)
    before = list_offers(game.ruleset, seen(game, "bob"))
    game.does(named, by="ann")
    assert not offers(game, "ann", named) and not offers(game, "gm", named)
    assert list_offers(game.ruleset, seen(game, "bob")) == before


def test_no_more_is_bought_than_the_points_reach(game: Game) -> None:
    for level in range(1, 8):
        do = Buy(game.hero, buys("characteristic", "mind", level), True)
        assert offers(game, "gm", do) == _taken(game, do), level


def test_damage_is_not_offered_before_the_location_is_known(game: Game) -> None:
    game.does(ScoreHit(game.hero, game.enigma, "Club", net=2))
    assert moves(game, "gm", RollDamage) == []
