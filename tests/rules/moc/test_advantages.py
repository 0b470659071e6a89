"""Advantages/Disadvantages: prices at their limits, and what they give."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from ledger.rules.kernel.commands import CloseSession
from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.fate import CloseArc, OpenArc
from ledger.rules.moc.own_dice import UsePeriodDice
from tests.rules.moc.buyers import RAISE, dice, playing, price, rich
from tests.rules.moc.cited import FINE, refusal
from tests.rules.moc.game import buys

PERIOD = "moc.adv.period-dice"


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
    """A skill costs 1, 3, 6, 10, 15. The default is twice that."""
    game, id = rich()
    period = "scene" if what == "floating-dice" else ""
    said = buys(what, "Firearms" if what == "dice" else "", dots, multiplier=multiplier, period=period)
    if isinstance(outcome, str):
        assert refusal(game, Buy(id, said)) == f"moc.adv.dice {outcome}"
    else:
        assert price(game, id, said) == outcome
    assert price(*rich(), buys(what, "Dodge" if what == "dice" else "", 2, period=period)) == 6


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
    """The price does not rise: the second costs as much as the first."""
    game, id = rich()
    assert [price(game, id, buys(what, level=n, period=period)) for n in (1, 2, 5)] == [each, each, 3 * each]
    assert game.balance(f"character:{id}/die:{what}:{period}") == 5
    for number, code in ((5, f"{RAISE} not-a-raise"), (0, f"{RAISE} not-a-raise"), (-1, f"{PERIOD} negative-dice")):
        assert refusal(game, Buy(id, buys(what, level=number, period=period))) == code
    for unknown in ("", "turn", "year"):
        assert refusal(game, Buy(id, buys(what, level=9, period=unknown))) == f"{PERIOD} unknown-period"


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
    game.does(Buy(id, buys(what, level=2, period=period, skills=skills)))
    game.does(OpenArc("an arc", 10))
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
        lambda: game.does(CloseArc()),
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
    """Action is primary, Plot is secondary."""
    game, id = rich()
    assert refusal(game, Buy(id, buys(what, element=element, instead=instead))) == outcome


NINE = ("S", "T", "Sp", "R", "K", "P", "W", "E", "L")
NO_OTHERS = ("C", "At", "W2", "Co", "En", "Re", "Pr", "Li", "body", "mind", "spirit", "X")


@pytest.mark.parametrize(
    ("name", "outcome"),
    [*((one, FINE) for one in NINE), *((one, "moc.char.cost unknown-characteristic") for one in NO_OTHERS)],
)
def test_superhuman_are_the_nine_secondary_ones(name: str, outcome: str) -> None:
    game, id = rich()
    assert refusal(game, Buy(id, buys("superhuman", name, 1, element="plot"))) == outcome


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
    game.does(Buy(id, buys("superhuman", "S", 1, element="action")))
    assert refusal(game, Buy(id, buys("superhuman", "S", 2, element=element))) == outcome
    assert refusal(game, Buy(id, buys("superhuman", "T", 1, element="plot"))) == FINE


@pytest.mark.parametrize(("level", "beads", "count"), [(1, 1, 4), (2, 1, 5), (3, 1, 6), (3, 2, 9)])
def test_a_superhuman_bead_adds_its_level(level: int, beads: int, count: int) -> None:
    """Body is 3. Each bead of the chosen Element adds as many dice as the level."""
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
