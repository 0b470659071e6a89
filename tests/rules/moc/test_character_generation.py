"""Characteristics, Character Generation: budgets, prices of levels, later raises, active and derived values."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from ledger.rules.kernel.commands import Amend, Enrol
from ledger.rules.kernel.subjects import character
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.characters import Sheet
from ledger.rules.moc.rolling import RollDice
from tests.rules.moc.antares import ABOVE, PRIMARIES
from tests.rules.moc.cited import FINE, found, refusal, steps
from tests.rules.moc.game import Game, buys, the

BUDGET, COST, RAISE = "moc.char.budget", "moc.char.cost", "moc.char.raise"
OVER, LOW, HIGH = f"{BUDGET} over-budget", f"{COST} level-too-low", f"{COST} level-too-high"
#: Points are counted in 120ths.
POINT = 120
#: The total price of each level.
PRIMARY, OTHER, SKILL = (0, 10, 25, 45, 70), (0, 6, 15, 27, 42), (1, 3, 6, 10, 15)
ARTS, SUPERHUMAN = (2, 6, 12, 20, 30), (5, 15, 30, 50, 75)
LANDON = {
    "body": 3,
    "spirit": 3,
    "E": 3,
    "T": 2,
    "Sp": 2,
    "W": 2,
    "L": 2,
    "C": 2,
    "Pr": 2,
    "Li": 2,
    "At": 2,
}


def left(sheet: Sheet, **dials: Any) -> Fraction:
    game = Game(begin=False, **dials)
    return Fraction(game.points(game.enrol("Somebody", sheet, "ann")), POINT)


def rich() -> tuple[Game, str]:
    game = Game(begin=False, primary_max="none")
    id = game.enrol("Somebody", Sheet("hero"), "ann")
    game.gives(id, "point", 10_000 * POINT)
    return game, id


# --- moc.char.budget ---


@pytest.mark.parametrize(
    ("level", "budget", "outcome"),
    [
        ("standard", None, 100),
        ("standard", 100, 100),
        ("standard", 99, OVER),
        ("standard", 101, OVER),
        ("heroic", None, 125),
        ("heroic", 125, 125),
        ("heroic", 124, OVER),
        ("heroic", 126, OVER),
        ("superheroic", None, 200),
        ("superheroic", 199, f"{BUDGET} budget-too-low"),
        ("superheroic", 200, 200),
        ("superheroic", 201, 201),
        ("superheroic", 1000, 1000),
        ("superheroic", 0, f"{BUDGET} value-not-positive"),
        ("superheroic", -5, f"{BUDGET} value-not-positive"),
        ("superheroic", 200.5, f"{BUDGET} value-not-positive"),
    ],
)
def test_the_points_to_begin_with(level: str, budget: Any, outcome: Any) -> None:
    game = Game(begin=False, power_level=level)
    do = Enrol("Somebody", "ann", Sheet("hero", budget=budget))
    if isinstance(outcome, str):
        assert refusal(game, do) == outcome
    else:
        assert left(Sheet("hero", budget=budget), power_level=level) == outcome


@pytest.mark.parametrize(
    ("mind", "skills", "back", "outcome"),
    [
        (3, {"Dodge": 2, "Search": 1}, {}, FINE),
        (3, {"Dodge": 2, "Search": 1, "Gambling": 1}, {}, FINE),
        (3, {"Dodge": 3}, {}, OVER),
        (3, {"Dodge": 3}, {"Hunted": 1}, FINE),
        (3, {"Dodge": 3}, {"Hunted": "1/2"}, OVER),
        (3, {"Dodge": 3}, {"Hunted": "1/2", "Blind": "1/2"}, FINE),
        (4, {}, {}, OVER),
        (4, {}, {"Hunted": 14}, OVER),
        (4, {}, {"Hunted": "59/4"}, OVER),
        (4, {}, {"Hunted": 15}, FINE),
        (4, {}, {"Hunted": 10, "Blind": 5}, FINE),
    ],
)
def test_no_more_is_spent_than_there_is(mind: int, skills: dict[str, int], back: dict[str, Any], outcome: str) -> None:
    """A hundred points, 70 of them for Body 5, plus the points of Disadvantages, exact to the fraction."""
    sheet = Sheet("hero", {"body": 5, "mind": mind}, skills, disadvantages=back)
    assert refusal(Game(begin=False), Enrol("Somebody", "ann", sheet)) == outcome


def test_landon_by_the_rules() -> None:
    """Worked example 13: the lines cost 113 of a heroic 125. The book prints 104 and 21; At 2 is 6, not 3."""
    assert left(Sheet("enigma", LANDON), power_level="heroic") == 12
    game = Game(begin=False, power_level="heroic")
    id = game.enrol("Landon", Sheet("enigma", LANDON), "ann")
    view = game.view(character(id))
    assert (view["pain_capacity"], view["daze_limit"], view["movement"]["primary"]) == (10, 5, 7)
    assert game.tokens(id) == (3, 1, 3)


# --- moc.char.cost, moc.char.raise ---


@pytest.mark.parametrize(
    ("what", "name", "totals"),
    [
        *(("characteristic", one, PRIMARY) for one in PRIMARIES),
        *(("characteristic", one, OTHER) for one in ABOVE),
        *(("skill", one, SKILL) for one in ("Dodge", "Driving", "Cryptography", "Psychic Focus")),
        ("martial-arts", "boxing", ARTS),
        *(("superhuman", one, SUPERHUMAN) for one in ("S", "T", "Sp", "R", "K", "P", "W", "E", "L")),
    ],
)
def test_each_level_is_bought_in_turn(what: str, name: str, totals: tuple[int, ...]) -> None:
    """The price is the same together or step by step. No level is bought twice or sold."""
    free = int(what == "characteristic")
    game, id = rich()
    for level, total in enumerate(totals, 1):
        sheet_cost = _cost(*rich(), what, name, level) if level > free else 0
        assert sheet_cost == total
        before = totals[level - 2] if level > 1 else 0
        if level > free:
            assert _cost(game, id, what, name, level) == total - before
    for level in (len(totals), len(totals) - 1, 1):
        assert refusal(game, Buy(id, _purchase(what, name, level))) == f"{RAISE} not-a-raise"


def _purchase(what: str, name: str, level: int) -> Any:
    return buys(what, name, level, element="action" if what == "superhuman" else "")


def _cost(game: Game, id: str, what: str, name: str, level: int) -> Fraction:
    before = game.points(id)
    done = game.does(Buy(id, _purchase(what, name, level)))
    paid = Fraction(before - game.points(id), POINT)
    assert the(done, "LevelBought").cost == str(paid)
    return paid


@pytest.mark.parametrize(
    ("name", "level", "most", "outcome"),
    [
        ("body", 0, 5, LOW),
        ("body", -1, 5, LOW),
        ("body", 1, 5, FINE),
        ("body", 5, 5, FINE),
        ("body", 6, 5, HIGH),
        ("body", 6, "none", FINE),
        ("body", 7, None, FINE),
        ("S", 0, 5, LOW),
        ("S", 1, 5, FINE),
        ("S", 6, 5, FINE),
        ("Pr", 0, 5, LOW),
        ("Pr", 6, 5, FINE),
        ("Pr", "2", 5, f"{COST} negative-level"),
        ("Pr", 2.0, 5, f"{COST} negative-level"),
        ("W3", 2, 5, f"{COST} unknown-characteristic"),
        ("Mind", 2, 5, FINE),
    ],
)
def test_the_lowest_and_the_highest_level(name: str, level: Any, most: Any, outcome: str) -> None:
    """`primary_max` limits only Primaries. No level is below 1."""
    game = Game(begin=False, primary_max=most, power_level="superheroic")
    assert refusal(game, Enrol("Somebody", "ann", Sheet("hero", {name: level}, budget=500))) == outcome


@pytest.mark.parametrize(
    ("archetype", "outcome"),
    [
        ("wildcard", FINE),
        ("hero", FINE),
        ("enigma", FINE),
        ("protagonist", FINE),
        ("architect", FINE),
        ("Hero", "moc.bead.allocate unknown-archetype"),
        ("", "moc.bead.allocate unknown-archetype"),
    ],
)
def test_the_five_archetypes(archetype: str, outcome: str) -> None:
    assert refusal(Game(begin=False), Enrol("Somebody", "ann", Sheet(archetype))) == outcome


@pytest.mark.parametrize(
    ("primary", "to", "outcome"), [("body", 3, (3, 1, 1)), ("mind", 2, (2, 2, 1)), ("spirit", 5, (2, 1, 5))]
)
def test_a_raised_primary_has_more_tokens(primary: str, to: int, outcome: tuple[int, ...]) -> None:
    """`moc.char.tokens`: as many as its rating."""
    game = Game(begin=False)
    id = game.enrol("Somebody", Sheet("hero", {"body": 2}), "ann")
    assert game.tokens(id) == (2, 1, 1)
    game.does(Buy(id, buys("characteristic", primary, to)))
    assert game.tokens(id) == outcome


# --- moc.char.active, moc.char.derived ---


@pytest.mark.parametrize(
    ("rating", "damage", "pain", "fatigue", "active"),
    [
        (5, 0, 0, 0, 5),
        (5, 1, 0, 0, 5),
        (5, 2, 0, 0, 4),
        (5, 5, 0, 0, 1),
        (5, 6, 0, 0, 0),
        (5, 0, 1, 0, 5),
        (5, 0, 2, 0, 4),
        (5, 0, 6, 0, 0),
        (5, 0, 9, 0, 0),
        (5, 1, 1, 0, 4),
        (5, 3, 2, 0, 1),
        (5, 0, 0, 1, 4),
        (5, 0, 0, 5, 0),
        (5, 0, 0, 6, 0),
        (5, 2, 0, 1, 3),
        (5, 2, 2, 1, 1),
        (5, 4, 0, 3, 0),
        (1, 5, 0, 0, 1),
        (1, 6, 0, 0, 0),
        (3, 3, 0, 1, 2),
    ],
)
def test_damage_caps_a_primary_and_fatigue_lowers_it(
    rating: int, damage: int, pain: int, fatigue: int, active: int
) -> None:
    """Only dice change. Pain capacity, daze limit, movement and tokens depend on the rating."""
    game = Game(begin=False)
    id = game.enrol("Somebody", Sheet("hero", {"body": rating, "T": 2, "Sp": 2}), "ann")
    game.scene_begins(id)
    for field, value in (("damage", damage), ("pain_turn", pain), ("fatigue", fatigue)):
        game.sets(id, field, value)
    action = game.acts(id)
    assert refusal(game, RollDice(action, faces=(3,) * active)) == FINE
    assert steps(game.rolls(action, *(3,) * active), "moc.char.active") == [active]
    view = game.view(character(id))
    assert (view["pain_capacity"], view["daze_limit"]) == (2 * rating + 3, rating + 2)
    assert view["movement"] == {"primary": 4 + rating, "secondary": 2 + rating}


@pytest.mark.parametrize(
    ("field", "value", "outcome"),
    [
        ("damage", 6, FINE),
        ("damage", 7, "damage-above-six"),
        ("damage", -1, "negative-harm"),
        ("pain", 9, FINE),
        ("pain", 10, "pain-above-capacity"),
        ("pain", -1, "negative-harm"),
        ("fatigue", 0, FINE),
        ("fatigue", -1, "negative-harm"),
        ("ratings/body", 1, FINE),
        ("ratings/body", 0, "characteristic-below-one"),
        ("ratings/L", 0, "characteristic-below-one"),
    ],
)
def test_states_there_are_not(field: str, value: int, outcome: str) -> None:
    """Body 3, T 2 and L 1 give a pain capacity of nine."""
    game = Game(begin=False)
    id = game.enrol("Somebody", Sheet("hero", {"body": 3, "T": 2}), "ann")
    assert refusal(game, Amend(f"character:{id}", field, value, "so it was")).rpartition(" ")[2] == outcome


def test_every_level_of_a_sheet_is_told_with_its_price() -> None:
    game = Game(begin=False, power_level="heroic")
    done = game.does(Enrol("Landon", "ann", Sheet("enigma", LANDON)))
    paid = {one.name: int(one.cost) for one in found(done, "LevelBought")}
    assert paid == {"body": 25, "spirit": 25, "E": 15, **dict.fromkeys(("T", "Sp", "W", "L", "C", "Pr", "Li", "At"), 6)}
    assert sum(paid.values()) == 113
