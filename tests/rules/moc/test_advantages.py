"""Advantages/Disadvantages, Backgrounds, Bits, Putting It All Together: prices at their edges, and what they give."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from ledger.rules.kernel.commands import CloseSession
from ledger.rules.moc import inputs
from ledger.rules.moc.inputs_of_actions import RollDice, UseBit, UsePeriodDice
from ledger.rules.moc.inputs_of_play import PlayBeads
from ledger.rules.moc.sheet import Sheet
from tests.rules.moc.cited import FINE, refusal
from tests.rules.moc.game import Game, buys, the

POINT = 120
PERIOD, CONTACTS, NEGOTIATE, RAISE = "moc.adv.period-dice", "moc.adv.contacts", "moc.adv.negotiate", "moc.char.raise"


def rich(**dials: Any) -> tuple[Game, str]:
    """A Hero of Body 3 in a scene, with ten Action beads and plenty of points."""
    game = Game(begin=False, **dials)
    id = game.enrol("Somebody", Sheet("hero", {"body": 3}), "ann")
    game.gives(id, "point", 1000 * POINT)
    return game, id


def playing(*bought: Any) -> tuple[Game, str]:
    game, id = rich()
    for one in bought:
        game.does(inputs.Buy(id, one))
    game.session_begins()
    game.place = game.scene_begins(id)
    return game, id


def price(game: Game, id: str, purchase: Any) -> Fraction:
    before = game.points(id)
    game.does(inputs.Buy(id, purchase))
    return Fraction(before - game.points(id), POINT)


def dice(game: Game, action: str) -> int:
    return next(n for n in range(40) if not refusal(game, RollDice(action, 0, (3,) * n)))


# --- moc.adv.dice ---


@pytest.mark.parametrize(
    ("multiplier", "dots", "outcome"),
    [
        ("149/100", 1, "multiplier-out-of-range"),
        (1, 1, "multiplier-out-of-range"),
        ("3/2", 1, Fraction(3, 2)),
        ("3/2", 4, Fraction(15)),
        ("7/4", 2, Fraction(21, 4)),
        ("1.5", 3, Fraction(9)),
        (2, 1, Fraction(2)),
        (2, 3, Fraction(12)),
        (2, 5, Fraction(30)),
        ("201/100", 1, "multiplier-out-of-range"),
        (3, 1, "multiplier-out-of-range"),
        (0, 1, "multiplier-out-of-range"),
        (-2, 1, "multiplier-out-of-range"),
        ("two", 1, "multiplier-out-of-range"),
    ],
)
@pytest.mark.parametrize("what", ["dice", "floating-dice"])
def test_what_affects_dice_costs_half_as_much_again_to_twice_a_skill(
    what: str, multiplier: Any, dots: int, outcome: Any
) -> None:
    """The skill cost of its dots is 1, 3, 6, 10, 15. The default is twice."""
    game, id = rich()
    period = "scene" if what == "floating-dice" else ""
    said = buys(what, "sharp" if what == "dice" else "", dots, multiplier=multiplier, period=period)
    if isinstance(outcome, str):
        assert refusal(game, inputs.Buy(id, said)) == f"moc.adv.dice {outcome}"
    else:
        assert price(game, id, said) == outcome
    assert price(*rich(), buys(what, "x" if what == "dice" else "", 2, period=period)) == 6


# --- moc.adv.period-dice ---


@pytest.mark.parametrize(
    ("what", "period", "each"),
    [
        ("action-hero", "scene", Fraction(2)),
        ("action-hero", "session", Fraction(1)),
        ("action-hero", "arc", Fraction(1, 4)),
        ("weapons-master", "scene", Fraction(1)),
        ("weapons-master", "session", Fraction(1, 2)),
        ("weapons-master", "arc", Fraction(1, 8)),
    ],
)
def test_dice_that_return_cost_by_their_period(what: str, period: str, each: Fraction) -> None:
    """Linear, with no rising price: the second costs what the first did."""
    game, id = rich()
    assert [price(game, id, buys(what, level=n, period=period)) for n in (1, 2, 5)] == [each, each, 3 * each]
    assert game.balance(f"character:{id}/die:{what}:{period}") == 5
    for number, code in ((5, f"{RAISE} not-a-raise"), (0, f"{RAISE} not-a-raise"), (-1, f"{PERIOD} negative-dice")):
        assert refusal(game, inputs.Buy(id, buys(what, level=number, period=period))) == code
    for unknown in ("", "turn", "year"):
        assert refusal(game, inputs.Buy(id, buys(what, level=9, period=unknown))) == f"{PERIOD} unknown-period"


@pytest.mark.parametrize(
    ("what", "told", "outcome"),
    [
        ("action-hero", {"skill": "Dodge"}, FINE),
        ("action-hero", {"skill": "Pilot"}, FINE),
        ("action-hero", {"element": "action"}, FINE),
        ("action-hero", {"skill": "Stealth"}, f"{PERIOD} wrong-element"),
        ("action-hero", {"element": "drama"}, f"{PERIOD} wrong-element"),
        ("weapons-master", {"skill": "Firearms"}, FINE),
        ("weapons-master", {"skill": "Melee Weapons"}, FINE),
        ("weapons-master", {"skill": "Dodge"}, "moc.adv.weapons-master wrong-skill"),
        ("weapons-master", {"element": "action"}, "moc.adv.weapons-master wrong-skill"),
        ("floating-dice", {"skill": "Dodge"}, FINE),
        ("floating-dice", {"element": "drama"}, FINE),
    ],
)
def test_what_they_are_put_on(what: str, told: dict[str, Any], outcome: str) -> None:
    skills = ("Firearms", "Melee Weapons") if what == "weapons-master" else ()
    game, id = playing(buys(what, level=2, period="scene", skills=skills))
    assert refusal(game, UsePeriodDice(game.acts(id, **told), f"{what}:scene", 2)) == outcome


@pytest.mark.parametrize("what", ["action-hero", "weapons-master", "floating-dice"])
@pytest.mark.parametrize(
    ("period", "scene", "session", "arc"), [("scene", 2, 2, 2), ("session", 0, 2, 2), ("arc", 0, 0, 2)]
)
def test_used_dice_return_when_their_period_ends(what: str, period: str, scene: int, session: int, arc: int) -> None:
    skills = ("Dodge",) if what == "weapons-master" else ()
    game, id = rich()
    game.does(inputs.Buy(id, buys(what, level=2, period=period, skills=skills)))
    game.does(inputs.OpenArc("an arc", 10))
    evening = game.session_begins()
    game.place = game.scene_begins(id)
    action, held = game.acts(id, skill="Dodge"), f"character:{id}/die:{what}:{period}"
    game.does(UsePeriodDice(action, f"{what}:{period}", 2))
    assert (dice(game, action), game.balance(held)) == (5, 0)
    assert refusal(game, UsePeriodDice(action, f"{what}:{period}", 1)) == f"{PERIOD} not-enough-dice"
    there = []
    for end in (
        lambda: game.scene_ends(game.place),
        lambda: game.does(CloseSession(evening)),
        lambda: game.does(inputs.CloseArc()),
    ):
        end()
        there.append(game.balance(held))
    assert there == [scene, session, arc]


# --- the others ---


@pytest.mark.parametrize(
    ("purchase", "cost"),
    [
        (buys("swiftness"), 5),
        (buys("extra-secondary", element="drama"), 5),
        (buys("extra-secondary", element="storytelling"), 5),
        (buys("change-secondary", element="drama"), 2),
        (buys("extra-primary", element="drama"), 15),
        (buys("extra-primary", element="plot"), 15),
        (buys("extra-bead-scene"), 2),
        (buys("extra-bead-scene", level=3), 6),
        (buys("extra-bead-session", level=3), 6),
        (buys("money", level=1), 2),
        (buys("money", level=7), 14),
    ],
    ids=str,
)
def test_prices_that_do_not_rise(purchase: Any, cost: int) -> None:
    assert price(*rich(), purchase) == cost


@pytest.mark.parametrize(
    ("what", "element", "instead", "outcome"),
    [
        ("extra-secondary", "action", "", f"{RAISE} not-a-raise"),
        ("extra-secondary", "plot", "", f"{RAISE} not-a-raise"),
        ("extra-secondary", "drama", "", FINE),
        ("extra-primary", "action", "", f"{RAISE} not-a-raise"),
        ("extra-primary", "plot", "", FINE),
        ("change-secondary", "drama", "plot", FINE),
        ("change-secondary", "drama", "", FINE),
        ("change-secondary", "plot", "plot", f"{RAISE} not-a-raise"),
        ("change-secondary", "drama", "action", "moc.bead.allocate unknown-element"),
        ("change-secondary", "earth", "plot", "moc.bead.allocate unknown-element"),
        ("extra-primary", "", "", "moc.bead.allocate unknown-element"),
    ],
)
def test_elements_a_hero_can_have(what: str, element: str, instead: str, outcome: str) -> None:
    """Action is primary, Plot secondary."""
    game, id = rich()
    assert refusal(game, inputs.Buy(id, buys(what, element=element, instead=instead))) == outcome


NINE = ("S", "T", "Sp", "R", "K", "P", "W", "E", "L")
NO_OTHERS = ("C", "At", "W2", "Co", "En", "Re", "Pr", "Li", "body", "mind", "spirit", "X")


@pytest.mark.parametrize(
    ("name", "outcome"),
    [*((one, FINE) for one in NINE), *((one, "moc.char.cost unknown-characteristic") for one in NO_OTHERS)],
)
def test_superhuman_are_the_nine_secondary_ones(name: str, outcome: str) -> None:
    game, id = rich()
    assert refusal(game, inputs.Buy(id, buys("superhuman", name, 1, element="plot"))) == outcome


@pytest.mark.parametrize(
    ("element", "outcome"),
    [
        ("action", FINE),
        ("clubs", FINE),
        ("", FINE),
        ("plot", f"{RAISE} not-a-raise"),
        ("earth", "moc.char.cost unknown-element"),
    ],
)
def test_its_bead_is_of_the_type_chosen_at_first(element: str, outcome: str) -> None:
    game, id = rich()
    game.does(inputs.Buy(id, buys("superhuman", "S", 1, element="action")))
    assert refusal(game, inputs.Buy(id, buys("superhuman", "S", 2, element=element))) == outcome
    assert refusal(game, inputs.Buy(id, buys("superhuman", "T", 1, element="plot"))) == FINE


@pytest.mark.parametrize(("level", "beads", "count"), [(1, 1, 4), (2, 1, 5), (3, 1, 6), (3, 2, 9)])
def test_a_superhuman_bead_adds_its_level(level: int, beads: int, count: int) -> None:
    """Body 3: the level in dice for each bead of the Element chosen."""
    game, id = playing(buys("superhuman", "S", level, element="action"))
    action = game.acts(id, skill="Strength Feat")
    game.does(PlayBeads(action, id, "superhuman", beads, "action", characteristic="S"))
    assert dice(game, action) == count


@pytest.mark.parametrize(("level", "count"), [(1, 4), (2, 5), (4, 7)])
def test_martial_arts_are_rolled_as_a_skill_when_attacking(level: int, count: int) -> None:
    game, id = playing(buys("martial-arts", "boxing", level))
    attack = game.acts(id, skill="Melee Weapons", roll_kind="to_hit", martial_arts="boxing")
    assert dice(game, attack) == count
    part = game.scene(game.place).actions[attack].parts[0]
    assert (part.roll.trained, part.roll.tn) == (True, 7)
    other = game.acts(id, skill="Melee Weapons", martial_arts="boxing")
    assert (dice(game, other), game.scene(game.place).actions[other].parts[0].roll.tn) == (2, 8)


# --- moc.adv.bits ---


@pytest.mark.parametrize(("bits", "cost"), [(1, 1), (2, 1), (3, 1), (4, 2), (6, 2), (7, 3), (9, 3), (10, 4)])
def test_three_bits_a_point_and_a_begun_one_is_paid_whole(bits: int, cost: int) -> None:
    """At once, or one after the other."""
    assert price(*rich(), buys("bits", level=bits)) == cost
    game, id = rich()
    assert sum(price(game, id, buys("bits", level=n)) for n in range(1, bits + 1)) == cost
    assert refusal(game, inputs.Buy(id, buys("bits", level=-1))) == "moc.char.cost negative-bits"


@pytest.mark.parametrize(("bits", "outcome"), [(0, "moc.adv.bits unknown-purchase"), (1, FINE)])
def test_a_bit_acts_as_three_dots(bits: int, outcome: str) -> None:
    game, id = playing(*(buys("bits", level=n) for n in range(1, bits + 1)))
    action = game.acts(id)
    assert refusal(game, UseBit(action)) == outcome
    if not outcome:
        game.does(UseBit(action))
        assert dice(game, action) == 6


# --- moc.adv.contacts ---


@pytest.mark.parametrize(
    ("geometry", "worth", "loyalty", "cost"),
    [
        ("cumulative", 1, 0, 1),
        ("cumulative", 100, 0, 1),
        ("cumulative", 101, 0, 2),
        ("cumulative", 300, 0, 2),
        ("cumulative", 301, 0, 3),
        ("cumulative", 700, 0, 3),
        ("cumulative", 701, 0, 4),
        ("cumulative", 1000, 0, 4),
        ("cumulative", 1500, 3, 7),
        ("cumulative", 1501, 3, 8),
        ("doubling", 100, 0, 1),
        ("doubling", 101, 0, 2),
        ("doubling", 200, 0, 2),
        ("doubling", 201, 0, 3),
        ("doubling", 400, 1, 4),
        ("doubling", 1000, 0, 5),
    ],
)
def test_contacts_of_a_character_worth_a_hundred(geometry: str, worth: int, loyalty: int, cost: int) -> None:
    """x is 100: cumulative 100, 300, 700, 1500; doubling 100, 200, 400, 800. Each level of loyalty is one more."""
    game, id = rich(contacts_geometry=geometry)
    assert price(game, id, buys("contacts", "guards", worth=worth, loyalty=loyalty)) == cost


@pytest.mark.parametrize(
    ("worth", "loyalty", "outcome"),
    [(0, 0, f"{CONTACTS} value-not-positive"), (-5, 0, f"{CONTACTS} value-not-positive"), (1, 0, FINE),
     ("1/2", 0, f"{CONTACTS} value-not-positive"), (1, -1, f"{CONTACTS} negative-level"),
     (1, 0.5, f"{CONTACTS} negative-level"), ("much", 0, f"{CONTACTS} value-not-positive")],
)  # fmt: skip
def test_contacts_are_worth_something(worth: Any, loyalty: Any, outcome: str) -> None:
    game, id = rich()
    assert refusal(game, inputs.Buy(id, buys("contacts", "guards", worth=worth, loyalty=loyalty))) == outcome


def test_points_earned_count_for_contacts() -> None:
    """x is the budget and the points earned: with 43 of them, 1000 is worth three levels more than loyalty."""
    for earned, cost in ((0, 4), (42, 4), (43, 3)):
        game, id = rich()
        game.sets(id, "earned", earned * POINT)
        assert price(game, id, buys("contacts", "guards", worth=1000)) == cost


@pytest.mark.parametrize(
    ("had", "wanted", "cost"),
    [((100, 0), (300, 0), 1), ((100, 0), (1000, 0), 3), ((1000, 0), (1000, 2), 2), ((100, 2), (700, 0), FINE),
     ((1000, 0), (1000, 0), FINE), ((1000, 0), (1, 0), FINE), ((1000, 3), (1500, 4), 1)],
)  # fmt: skip
def test_contacts_that_are_had_cost_the_difference(had: Any, wanted: Any, cost: Any) -> None:
    """`moc.char.raise`, and `not-a-raise`; another pool has a price of its own."""
    game, id = rich()
    before = price(game, id, buys("contacts", "guards", worth=had[0], loyalty=had[1]))
    more = buys("contacts", "guards", worth=wanted[0], loyalty=wanted[1])
    if cost == FINE:
        assert refusal(game, inputs.Buy(id, more)) == f"{RAISE} not-a-raise"
    else:
        assert price(game, id, more) == cost
    assert price(game, id, buys("contacts", "thieves", worth=had[0], loyalty=had[1])) == before


# --- moc.adv.negotiate ---


@pytest.mark.parametrize(
    ("stages", "outcome"),
    [
        ((), FINE),
        (("counter",), FINE),
        (("counter", "counter"), FINE),
        (("approve",), f"{NEGOTIATE} already-settled"),
        (("counter", "approve"), f"{NEGOTIATE} already-settled"),
    ],
)
def test_it_exists_once_approved_at_the_cost_last_offered(stages: tuple[str, ...], outcome: str) -> None:
    game, id = rich()
    trait = game.new(inputs.ProposeTrait(id, "wings", "12", 10), by="ann")
    before, cost = game.points(id), Fraction(10)
    for place, stage in enumerate(stages, 1):
        if stage == "counter":
            cost = Fraction(10 + place, 3)
            game.does(inputs.CounterTrait(id, trait, "9", str(cost)))
        else:
            game.does(inputs.ApproveTrait(id, trait))
        assert (game.points(id) == before) is (stage == "counter")
    for do in (inputs.ApproveTrait(id, trait), inputs.CounterTrait(id, trait, "9", 1)):
        assert refusal(game, do) == outcome
    if not outcome:
        game.does(inputs.ApproveTrait(id, trait))
    assert game.points(id) == before - cost * POINT
    assert game.character(id).traits[trait].stage == "approved"


@pytest.mark.parametrize("what", ["wings", "", "Swiftness", "movement"])
def test_what_nobody_approved_is_not_sold(what: str) -> None:
    game, id = rich()
    assert refusal(game, inputs.Buy(id, buys(what))) == f"{NEGOTIATE} unknown-purchase"


@pytest.mark.parametrize(
    ("kind", "cost", "lost"),
    [
        ("background", 3, FINE),
        ("advantage", 3, f"{NEGOTIATE} unknown-purchase"),
        ("disadvantage", -3, f"{NEGOTIATE} unknown-purchase"),
    ],
)
def test_backgrounds_are_lost_and_nothing_else_is(kind: str, cost: int, lost: str) -> None:
    game, id = rich()
    trait = game.new(inputs.ProposeTrait(id, "a house", "", cost, kind))
    assert refusal(game, inputs.LoseBackground(id, trait)) == f"{NEGOTIATE} unknown-purchase"
    assert the(game.does(inputs.ApproveTrait(id, trait)), "TraitApproved").cost == str(cost)
    assert refusal(game, inputs.LoseBackground(id, trait)) == lost
