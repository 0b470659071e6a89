"""Sheets, raising, Advantages, negotiation, status, and chips of characters who are gone."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ledger.rules.kernel.commands import Amend, Retire
from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.characters import InheritChips, Sacrifice, SetStatus, Sheet
from ledger.rules.moc.holdings import Purchase
from ledger.rules.moc.negotiating import ApproveTrait, CounterTrait, LoseBackground, ProposeTrait
from ledger.rules.moc.turns import Move
from tests.rules.moc.game import Game, buys, kinds_of, the


def made(sheet, **dials):
    game = Game(begin=False, **dials)
    return game, game.enrol("Somebody", sheet, "ann")


def refused(sheet, **dials):
    with pytest.raises(Refused) as caught:
        made(sheet, **dials)
    return caught.value.code


@pytest.mark.parametrize(("level", "points"), [("standard", 100), ("heroic", 125), ("superheroic", 200)])
def test_budgets(level, points):
    game, id = made(Sheet("hero"), power_level=level)
    assert game.points(id) == 120 * points
    assert game.tokens(id) == (1, 1, 1)


@pytest.mark.parametrize(
    ("purchase", "cost"),
    [
        (buys("characteristic", "body", 2), "10"),
        (buys("characteristic", "body", 5), "70"),
        (buys("characteristic", "Pr", 3), "15"),
        (buys("skill", "Firearms", 3), "6"),
        (buys("martial-arts", "boxing", 3), "12"),
        (buys("superhuman", "S", 2, element="action"), "15"),
        (buys("action-hero", "", 2, period="scene"), "4"),
        (buys("action-hero", "", 2, period="session"), "2"),
        (buys("action-hero", "", 2, period="arc"), "1/2"),
        (buys("weapons-master", "", 3, period="scene"), "3"),
        (buys("weapons-master", "", 3, period="session"), "3/2"),
        (buys("weapons-master", "", 1, period="arc"), "1/8"),
        (buys("dice", "Firearms", 3), "12"),
        (buys("dice", "Firearms", 3, multiplier="3/2"), "9"),
        (buys("swiftness"), "5"),
        (buys("extra-secondary", element="drama"), "5"),
        (buys("change-secondary", element="drama"), "2"),
        (buys("extra-primary", element="plot"), "15"),
        (buys("extra-bead-scene", level=2), "4"),
        (buys("extra-bead-session", level=1), "2"),
        (buys("hand-of-fate"), "10"),
        (buys("fortune"), "5"),
        (buys("vortex"), "5"),
        (buys("bits", level=1), "1"),
        (buys("bits", level=4), "2"),
        (buys("money", level=3), "6"),
        (buys("contacts", "guards", worth=1000, loyalty=2), "6"),
    ],
    ids=str,
)
def test_what_things_cost(purchase, cost):
    game, id = made(Sheet("hero"))
    before = game.points(id)
    done = the(game.does(Buy(id, purchase)), "LevelBought")
    assert done.cost == cost
    assert before - game.points(id) == Fraction(cost) * 120


@pytest.mark.parametrize(
    ("purchase", "code"),
    [
        (buys("characteristic", "body", 0), "level-too-low"),
        (buys("characteristic", "body", 6), "level-too-high"),
        (buys("characteristic", "body", "x"), "negative-level"),
        (buys("characteristic", "soul", 2), "unknown-characteristic"),
        (buys("characteristic", "body", 1), "not-a-raise"),
        (buys("skill", "Juggling", 1), "unknown-purchase"),
        (buys("skill", "Dodge", -1), "negative-level"),
        (buys("dice", "Firearms", 1, multiplier=1), "multiplier-out-of-range"),
        (buys("dice", "Firearms", 1, multiplier="9/4"), "multiplier-out-of-range"),
        (buys("action-hero", "", 1, period="year"), "unknown-period"),
        (buys("action-hero", "", -1, period="arc"), "negative-dice"),
        (buys("superhuman", "Pr", 1, element="plot"), "unknown-characteristic"),
        (buys("superhuman", "S", 1, element="earth"), "unknown-element"),
        (buys("extra-secondary", element="earth"), "unknown-element"),
        (buys("extra-secondary", element="plot"), "not-a-raise"),
        (buys("hand-of-fate", level=2), "advantage-not-repeatable"),
        (buys("fortune", level=2), "advantage-not-repeatable"),
        (buys("bits", level=-1), "negative-bits"),
        (buys("contacts", worth=0), "value-not-positive"),
        (buys("contacts", loyalty=-1), "negative-level"),
        (buys("wings"), "unknown-purchase"),
        (buys("money", level=99), "over-budget"),
    ],
    ids=str,
)
def test_what_cannot_be_bought(purchase, code):
    game, id = made(Sheet("hero"))
    assert game.refuses(Buy(id, purchase)) == code


def test_sheets_that_are_refused():
    assert refused(Sheet("jester")) == "unknown-archetype"
    assert refused(Sheet("hero", {"body": 6})) == "level-too-high"
    assert refused(Sheet("hero", {"body": 5, "mind": 5})) == "over-budget"
    assert refused(Sheet("hero", {"S": 0})) == "level-too-low"
    assert refused(Sheet("hero", skills={"Dodge": -1})) == "negative-level"
    assert refused(Sheet("hero", budget=150)) == "over-budget"
    assert refused(Sheet("hero", disadvantages={"Blind": -3})) == "value-not-positive"
    made(Sheet("hero", {"body": 6}), primary_max="none")
    made(Sheet("hero", {"body": 6}), primary_max=None)
    made(Sheet("hero", budget=250), power_level="superheroic")


def test_disadvantages_give_points_back():
    game, id = made(Sheet("hero", {"body": 5, "mind": 3}, disadvantages={"Hunted": 5}))
    assert game.points(id) == 120 * 10


def test_repeatable_card_advantages():
    game, id = made(Sheet("hero"), card_advantages_repeatable=True)
    game.does(Buy(id, buys("hand-of-fate", level=2)))
    assert game.points(id) == 80 * 120


def test_raising_costs_the_difference_and_fills_the_pool():
    game, id = made(Sheet("hero", {"body": 2}, {"Dodge": 2}))
    assert the(game.does(Buy(id, buys("skill", "Dodge", 3))), "LevelBought").cost == "3"
    done = game.does(Buy(id, buys("characteristic", "body", 3)))
    assert the(done, "LevelBought").cost == "15"
    assert game.tokens(id) == (3, 1, 1)
    game.does(Buy(id, buys("bits", level=2)))
    assert the(game.does(Buy(id, buys("bits", level=3))), "LevelBought").cost == "0"


def test_elements_that_are_bought():
    game, id = made(Sheet("hero"))
    game.does(Buy(id, buys("extra-primary", element="drama")))
    game.does(Buy(id, buys("change-secondary", element="storytelling")))
    who = game.character(id)
    assert (who.primaries, who.secondaries) == (("action", "drama"), ("storytelling",))


def test_negotiation():
    game, id = made(Sheet("hero"))
    trait = game.new(ProposeTrait(id, "wings", "12", 10), by="ann")
    assert game.refuses(Move(id, "wings")) == "unknown-movement-mode"
    game.does(CounterTrait(id, trait, "9", "23/2"))
    assert kinds_of(game.does(ApproveTrait(id, trait))) == ["TraitApproved"]
    assert game.points(id) == 100 * 120 - 23 * 60
    assert game.refuses(ApproveTrait(id, trait)) == "already-settled"
    assert game.refuses(Move(id, "wings")) == "unknown-movement-mode", "a number in a text is no purchase"
    assert the(game.does(Move(id, "secondary")), "MovementMade").metres == 2
    assert game.refuses(ApproveTrait(id, "none")) == "unknown-purchase"
    weak = game.new(ProposeTrait(id, "blind", "", -4, "disadvantage"))
    game.does(ApproveTrait(id, weak))
    assert game.points(id) == 104 * 120 - 23 * 60
    dear = game.new(ProposeTrait(id, "gold", "", 1000))
    assert game.refuses(ApproveTrait(id, dear)) == "over-budget"
    assert game.refuses(ProposeTrait(id, "x", "", "1/7")) == "cost-not-exact"
    assert game.refuses(ProposeTrait(id, "x", "", 1, "gift")) == "unknown-purchase"


def test_backgrounds_can_be_lost_and_advantages_not():
    game, id = made(Sheet("hero", purchases=(Purchase("money", level=2), Purchase("vortex"))))
    game.does(LoseBackground(id, "money"))
    assert "money" not in game.character(id).counts
    assert game.refuses(LoseBackground(id, "vortex")) == "unknown-purchase"
    assert game.refuses(LoseBackground(id, "money")) == "unknown-purchase"


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("damage", 7, "damage-above-six"),
        ("damage", -1, "negative-harm"),
        ("pain", 99, "pain-above-capacity"),
        ("fatigue", -1, "negative-harm"),
        ("ratings/body", 0, "characteristic-below-one"),
    ],
)
def test_impossible_states(field, value, code):
    game, id = made(Sheet("hero"))
    assert game.refuses(Amend(f"character:{id}", field, value, "why not")) == code
    game.does(Amend(f"character:{id}", "damage", 6, "a fall"))


def test_chips_of_who_is_gone():
    game = Game()
    game.gives(game.hero, "chip:blue", 2)
    game.gives(game.enigma, "chip:red", 1)
    game.gives(game.villain, "chip:white", 1)
    new = game.enrol("Anna", Sheet("hero"), "ann")
    assert game.refuses(InheritChips(new, game.hero, {"white": 1})) == "bonus-needs-sacrifice"
    game.does(Sacrifice(game.hero, "held the bridge"))
    assert game.refuses(Sacrifice(game.hero, "again")) == "not-in-play"
    game.does(InheritChips(new, game.hero, {"white": 1}))
    assert game.chips(new) == {"white": 1, "blue": 2} and game.chips(game.hero) == {}
    game.does(Retire(game.enigma, "tired"))
    assert game.chips(game.enigma) == {} and game.character(game.enigma).status == "retired"
    game.does(SetStatus(game.villain, "dead"))
    assert game.chips(game.villain) == {}
    with_bob = game.enrol("Bea", Sheet("hero"), "bob")
    game.does(InheritChips(with_bob, game.enigma))
    assert game.chips(with_bob) == {"red": 1}, "what fell to the retired passes on"
    assert game.refuses(SetStatus(game.villain, "bored")) == "unknown-status"
