"""A negotiated trait takes effect as agreed."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.moves import allows
from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import RULESET
from ledger.rules.moc.actions import DeclareAction
from ledger.rules.moc.beads import AllocateBeads
from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.cards import CardPoints
from ledger.rules.moc.cards_on_dice import PlayCard
from ledger.rules.moc.characters import Sheet
from ledger.rules.moc.damage import RollDamage
from ledger.rules.moc.hands import DrawHand
from ledger.rules.moc.hits import ScoreHit
from ledger.rules.moc.holdings import Purchase
from ledger.rules.moc.negotiating import ApproveTrait, ProposeTrait, SetTraitEffect
from ledger.rules.moc.recovery import Heal
from ledger.rules.moc.resisting import ResistDamage
from ledger.rules.moc.rolling import RollDice
from ledger.rules.moc.scenes import BeadsReplenished, EndTurn
from ledger.rules.moc.trading import Discard, ForceDiscard
from ledger.rules.moc.trumps import Trump
from ledger.rules.moc.turns import RollInitiative
from projections.wording import Wording
from tests.rules.moc.buyers import dice, playing, rich
from tests.rules.moc.cited import refusal, steps
from tests.rules.moc.game import Game, facts_of, kinds_of, the
from tests.rules.moc.test_amendments import table
from tests.rules.moc.test_moves import moves

EFFECT = "moc.adv.effect"


def agreed(game: Game, id: str, does: str, number: int, of: str = "", what: str = "advantage") -> str:
    trait = game.new(ProposeTrait(id, "a gift", "as agreed", -1 if what == "disadvantage" else 1, what))
    game.does(SetTraitEffect(id, trait, does, number, of))
    game.does(ApproveTrait(id, trait))
    return trait


# --- pools up and down ---


@pytest.mark.parametrize(("number", "count"), [(2, 5), (-1, 2), (-9, 0)])
def test_a_pool_is_larger_or_smaller_by_what_was_agreed(number: int, count: int) -> None:
    game, id = playing()
    agreed(game, id, "dice", number, "to_hit", "disadvantage" if number < 0 else "advantage")
    action = game.acts(id, element="action", roll_kind="to_hit")
    assert dice(game, action) == count
    assert dice(game, game.acts(id, element="action")) == 3, "no other pool"


@pytest.mark.parametrize(("number", "count"), [(1, 5), (-2, 2), (-9, 0)])
def test_initiative_can_be_agreed_on(number: int, count: int) -> None:
    game, id = playing()
    agreed(game, id, "dice", number, "initiative")
    assert refusal(game, RollInitiative({id: (3,) * count})) == ""


def test_it_takes_effect_once_it_is_approved() -> None:
    game, id = playing()
    trait = game.new(ProposeTrait(id, "a gift", "as agreed", 1))
    game.does(SetTraitEffect(id, trait, "dice", 2, "to_hit"))
    assert dice(game, game.acts(id, element="action", roll_kind="to_hit")) == 3
    game.does(ApproveTrait(id, trait))
    assert dice(game, game.acts(id, element="action", roll_kind="to_hit")) == 5
    assert refusal(game, SetTraitEffect(id, trait, "dice", 9, "to_hit")) == "moc.adv.negotiate already-settled"


@pytest.mark.parametrize(
    ("does", "number", "of", "outcome"),
    [
        ("wings", 1, "", f"{EFFECT} unknown-effect"),
        ("forced-discard", 1, "some", f"{EFFECT} unknown-effect"),
        ("bead-return", 0, "drama", f"{EFFECT} effect-number"),
        ("dice", 0, "to_hit", f"{EFFECT} effect-number"),
        ("bead-price", 0, "drama", f"{EFFECT} effect-number"),
        ("card-worth", -1, "drama", f"{EFFECT} effect-number"),
        ("card-worth", "2", "drama", f"{EFFECT} effect-number"),
        ("dice", 1, "drama", f"{EFFECT} unknown-pool"),
        ("bead-price", 1, "", f"{EFFECT} unknown-element"),
        ("card-worth", 1, "to_hit", f"{EFFECT} unknown-element"),
    ],
)
def test_what_cannot_be_agreed(does: str, number: Any, of: str, outcome: str) -> None:
    game, id = playing()
    trait = game.new(ProposeTrait(id, "a gift", "as agreed", 1))
    do = SetTraitEffect(id, trait, does, number, of)
    assert refusal(game, do) == outcome
    assert not any(allows(move, do) for move in moves(game, "gm", SetTraitEffect))


# --- beads ---


@pytest.mark.parametrize(
    ("of", "price", "wanted", "cost"),
    [
        ("drama", 3, {"drama": 1}, 3),
        ("drama", 1, {"drama": 4}, 4),
        ("drama", 2, {"drama": 2}, 4),
        ("plot", 1, {"plot": 5}, 5),
        ("plot", 1, {"plot": 2, "drama": 1}, 5),
        ("plot", 4, {"plot": 1}, 4),
    ],
)
def test_beads_are_allocated_at_the_price_agreed(of: str, price: int, wanted: dict[str, int], cost: int) -> None:
    """A Hero with Body 3 has five beads. Plot is secondary: one bead goes there for 1, the others for 2."""
    game, id = rich()
    agreed(game, id, "bead-price", price, of)
    do = AllocateBeads(id, wanted)
    assert any(allows(move, do) for move in moves(game, "gm", AllocateBeads))
    assert the(game.does(do), "BeadsAllocated").cost == cost
    assert game.beads(id) == {"action": 5 - cost + 3, **wanted}


def test_more_than_the_price_allows_is_refused() -> None:
    game, id = rich()
    agreed(game, id, "bead-price", 2, "drama")
    do = AllocateBeads(id, {"drama": 3})
    assert refusal(game, do) == "moc.bead.allocate not-enough-beads"
    assert not any(allows(move, do) for move in moves(game, "gm", AllocateBeads))


# --- cards ---


@pytest.mark.parametrize(("of", "most"), [("", 10), ("action", 10), ("drama", 8)])
def test_a_card_is_played_at_more_than_its_worth(of: str, most: int) -> None:
    game = table(("8C", "2D"))
    agreed(game, game.hero, "card-worth", 2, of)
    action = game.acts(game.hero, element="action")
    for points, outcome in ((most + 1, "moc.card.dice card-overspent"), (most, "")):
        do = PlayCard(action, game.hero, "8C", (CardPoints(0, points),))
        assert any(allows(move, do) for move in moves(game, "ann", PlayCard)) == (not outcome)
        assert refusal(game, do) == outcome


def test_it_cancels_a_card_as_what_it_counts() -> None:
    for more in (0, 2):
        game = table(("KC", "2D"))
        if more:
            agreed(game, game.enigma, "card-worth", more, "action")
        action = game.acts(game.hero, element="action")
        game.does(RollDice(action, 0, (3,) * 5))
        play = game.new(PlayCard(action, game.hero, "KC", (CardPoints(0, 1),)))
        do = Trump(action, game.enigma, play, "QC")
        assert any(allows(move, do) for move in moves(game, "bob", Trump)) == bool(more)
        assert refusal(game, do) == ("" if more else "moc.trump.order cannot-trump")


# --- better replenishment ---


def test_used_beads_come_back_at_the_end_of_a_turn() -> None:
    game = table()
    agreed(game, game.hero, "bead-return", 2, "action")
    held = game.beads(game.hero)["action"]
    assert kinds_of(game.does(EndTurn())) == ["TurnEnded"], "nothing was used"
    for number in (1, 3):
        game.does(PlayBeads(game.acts(game.hero, element="action"), game.hero, "add_dice", number))
    back = []
    for _ in range(3):
        done = game.does(EndTurn())
        back.append([one.number for one in facts_of(done) if isinstance(one, BeadsReplenished)])
    assert back == [[2], [2], []], "four were used"
    assert game.beads(game.hero)["action"] == held


def test_cancelled_beads_do_not_come_back_by_it() -> None:
    game = table(("8C", "2D"))
    agreed(game, game.enigma, "bead-return", 2, "action")
    game.gives(game.enigma, "bead:action", 1)
    action = game.acts(game.enigma, element="action")
    play = game.new(PlayBeads(action, game.enigma, "add_dice"))
    game.does(Trump(action, game.hero, play, "8C"))
    assert kinds_of(game.does(EndTurn())) == ["TurnEnded"]


# --- forced discards ---


def test_one_who_is_chosen_throws_away_as_many_as_were_agreed() -> None:
    game = table(("8C", "2D"))
    trait = agreed(game, game.villain, "forced-discard", 2, "one")
    do = ForceDiscard(game.villain, trait, game.hero)
    assert any(allows(move, do) for move in moves(game, "gm", ForceDiscard))
    done = game.does(do, Discard("2D"), Discard("8C"))
    assert kinds_of(done) == ["CardDiscarded", "CardDiscarded", "DiscardForced"]
    assert game.character(game.hero).hand == () and game.character(game.enigma).hand
    again = ForceDiscard(game.villain, trait, game.enigma)
    assert refusal(game, again) == f"{EFFECT} discard-not-available"
    assert not moves(game, "gm", ForceDiscard)
    game.scene_ends(game.place)
    game.session_ends(game.table().session or "")
    game.session_begins()
    game.does(DrawHand(game.enigma, ("2C", "3C"), ("2C", "3C")), by="bob")
    assert refusal(game, again) == ""


def test_everybody_else_throws_away_what_was_agreed() -> None:
    game = table(("8C", "2D"))
    trait = agreed(game, game.hero, "forced-discard", 1, "all")
    done = game.does(ForceDiscard(game.hero, trait), Discard("9C"), by="ann")
    assert the(done, "DiscardForced").targets == (game.enigma,)
    assert game.character(game.hero).hand == ("8C", "2D") and game.character(game.enigma).hand == ("QC",)


def test_nobody_throws_away_more_than_they_hold() -> None:
    game = table(("8C", "2D"))
    trait = agreed(game, game.villain, "forced-discard", 5, "one")
    game.does(ForceDiscard(game.villain, trait, game.hero), Discard("2D"), Discard("8C"))
    assert game.character(game.hero).hand == ()


def test_who_is_made_to_throw_cards_away_must_hold_some() -> None:
    game = table(("8C", "2D"))
    trait = agreed(game, game.hero, "forced-discard", 1, "one")
    assert refusal(game, ForceDiscard(game.hero, trait, game.villain)) == f"{EFFECT} card-not-in-hand"
    assert refusal(game, ForceDiscard(game.hero, trait, game.hero)) == f"{EFFECT} card-not-in-hand"
    assert refusal(game, ForceDiscard(game.hero, "none", game.enigma)) == f"{EFFECT} discard-not-available"


def test_the_refusal_says_so_where_nobody_else_holds_a_card() -> None:
    game = Game()
    game.session_begins()
    game.place = game.scene_begins(game.hero, game.enigma)
    trait = agreed(game, game.hero, "forced-discard", 1, "all")
    with pytest.raises(Refused) as refused:
        game.begin(ForceDiscard(game.hero, trait), "gm")
    no = refused.value
    said = Wording(RULESET).word_refusal(no.rule, no.code, no.context)
    assert said == "No other character has a card to discard."


# --- target numbers, higher and lower ---


@pytest.mark.parametrize(("number", "of", "tn"), [(-2, "Firearms", 5), (3, "to_hit", 10), (1, "", 8), (-9, "", 2)])
def test_a_target_number_is_shifted_as_agreed(number: int, of: str, tn: int) -> None:
    game, id = playing()
    agreed(game, id, "difficulty", number, of, "disadvantage" if number > 0 else "advantage")
    game.does(Buy(id, Purchase("skill", "Firearms")))
    done = game.does(DeclareAction(id, skill="Firearms", roll_kind="to_hit"))
    assert the(done, "ActionDeclared").what.parts[0].roll.tn == tn
    assert steps(done, EFFECT) == [number]


def test_the_target_numbers_of_other_rolls_stay() -> None:
    game, id = playing()
    agreed(game, id, "difficulty", 2, "Firearms", "disadvantage")
    done = game.does(DeclareAction(id, element="action"))
    assert the(done, "ActionDeclared").what.parts[0].roll.tn == 7 and steps(done, EFFECT) == []


def test_an_untrained_try_suffers_from_both() -> None:
    game, id = playing()
    agreed(game, id, "difficulty", 1, "Cryptography", "disadvantage")
    done = game.does(DeclareAction(id, skill="Cryptography"))
    assert the(done, "ActionDeclared").what.parts[0].roll.tn == 7 + 2 + 1


def test_resisting_and_healing_are_shifted_as_agreed() -> None:
    game, id = playing()
    agreed(game, id, "difficulty", -1, "resisting")
    agreed(game, id, "difficulty", 2, "healing", "disadvantage")
    hit = game.new(ScoreHit(id, id, net=2, damage=2, lethality=6, location="torso"))
    game.does(RollDamage(hit, (6, 6), raise_faces=(1,)))
    resisted = the(game.does(ResistDamage(hit, (6, 5, 2))), "DamageResisted")
    assert (resisted.tn, resisted.conversions) == (6, 1)
    assert the(game.does(Heal(id, 28, faces=(8,))), "HealingFailed").tn == 9


def test_target_numbers_of_initiative_and_damage_are_not_shifted() -> None:
    game, id = playing()
    trait = game.new(ProposeTrait(id, "a gift", "as agreed", 1))
    for of in ("initiative", "damage", "drama"):
        do = SetTraitEffect(id, trait, "difficulty", 1, of)
        assert refusal(game, do) == f"{EFFECT} unknown-pool"
        assert not any(allows(move, do) for move in moves(game, "gm", SetTraitEffect))
    do = SetTraitEffect(id, trait, "difficulty", -1)
    assert any(allows(move, do) for move in moves(game, "gm", SetTraitEffect))


# --- beads of a scene, more and fewer ---


@pytest.mark.parametrize(
    ("number", "of", "beads"),
    [
        (2, "drama", {"action": 8, "drama": 2}),
        (-2, "action", {"action": 6}),
        (-20, "action", {}),
        (-1, "drama", {"action": 8}),
    ],
)
def test_a_scene_gives_the_beads_agreed(number: int, of: str, beads: dict[str, int]) -> None:
    """A Hero with Body 3 has five beads, and three of the archetype."""
    game, id = rich()
    agreed(game, id, "scene-beads", number, of, "disadvantage" if number < 0 else "advantage")
    done = game.scene_begins(id)
    assert game.beads(id) == beads and done
    game.scene_ends(done)
    game.does(AllocateBeads(id))
    assert game.beads(id) == beads


def test_a_wildcard_gets_them_where_it_has_no_primary_element() -> None:
    game = Game(begin=False)
    id = game.enrol("Somebody", Sheet("wildcard"), "ann")
    game.gives(id, "point", 1200)
    agreed(game, id, "scene-beads", 1, "plot")
    game.does(AllocateBeads(id, {"drama": 3}))
    assert game.beads(id) == {"plot": 1, "drama": 3}
