"""Characters: budgets, prices, Advantages, Backgrounds and Bits, with the rulebook's answer in the last column."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from ledger.rules.kernel.commands import Enrol
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.characters import Sheet
from ledger.rules.moc.damage import ApplyHarm
from ledger.rules.moc.pools import SpendToken
from tests.rules.moc.book import answers, refusing_rule
from tests.rules.moc.game import Game, buys

POINT = 120


def made(sheet: Sheet | None = None, **dials: Any) -> Game:
    game = Game(begin=False, **dials)
    game.landon = game.enrol("Landon", sheet or Sheet("hero"), "ann")
    return game


def left(game: Game) -> Fraction:
    return Fraction(game.points(game.landon), POINT)


# --- moc.char.budget ---


@pytest.mark.parametrize(
    ("level", "budget", "outcome"),
    [
        ("standard", None, 100),
        ("heroic", None, 125),
        ("superheroic", None, 200),
        ("standard", 100, 100),
        ("standard", 99, "over-budget"),
        ("standard", 101, "over-budget"),
        ("heroic", 125, 125),
        ("heroic", 124, "over-budget"),
        ("heroic", 126, "over-budget"),
        ("superheroic", 200, 200),
        ("superheroic", 199, "budget-too-low"),
        ("superheroic", 201, 201),
        ("superheroic", 1000, 1000),
        ("superheroic", 0, "value-not-positive"),
        ("standard", -1, "value-not-positive"),
    ],
)
def test_points_to_begin_with(level: str, budget: int | None, outcome: Any) -> None:
    game = Game(begin=False, power_level=level)
    do = Enrol("Landon", "ann", Sheet("hero", budget=budget))
    code = answers(game, do)
    assert (code or game.points(str(game.number - 1)) // POINT) == outcome
    if code:
        assert refusing_rule(game, do) == "moc.char.budget"


@pytest.mark.parametrize(
    ("level", "sheet", "outcome"),
    [
        # body 5 is 70, mind 3 is 25, S 2 is 6, Dodge n is n(n+1)/2
        ("standard", Sheet("hero", {"body": 5, "mind": 3}, {"Dodge": 2}), 2),
        ("standard", Sheet("hero", {"body": 5, "mind": 3}, {"Dodge": 2, "Climbing": 1}), 1),
        ("standard", Sheet("hero", {"body": 5, "mind": 3}, {"Dodge": 2, "Climbing": 1, "Running": 1}), 0),
        ("standard", Sheet("hero", {"body": 5, "mind": 3, "S": 2}), "over-budget"),
        ("heroic", Sheet("hero", {"body": 5, "mind": 3, "S": 2}), 24),
        ("heroic", Sheet("hero", {"body": 5, "mind": 4}, {"Dodge": 4}), 0),
        ("heroic", Sheet("hero", {"body": 5, "mind": 4}, {"Dodge": 4, "Climbing": 1}), "over-budget"),
        ("standard", Sheet("hero", {"body": 5, "mind": 3, "S": 2}, disadvantages={"Hunted": 1}), 0),
        ("standard", Sheet("hero", {"body": 5, "mind": 3, "S": 2}, disadvantages={"Hunted": "1/2"}), "over-budget"),
        ("standard", Sheet("hero", disadvantages={"Hunted": "7/2", "Blind": 3}), Fraction(213, 2)),
        ("standard", Sheet("hero", disadvantages={"Hunted": -1}), "value-not-positive"),
        ("standard", Sheet("hero", disadvantages={"Hunted": "much"}), "cost-not-exact"),
        # Landon himself: by the rules 113 of 125
        (
            "heroic",
            Sheet(
                "enigma",
                {"body": 3, "spirit": 3, "E": 3, "T": 2, "Sp": 2, "W": 2, "L": 2, "C": 2, "Pr": 2, "Li": 2, "At": 2},
            ),
            12,
        ),
    ],
)
def test_no_more_is_spent_than_there_is(level: str, sheet: Sheet, outcome: Any) -> None:
    game = Game(begin=False, power_level=level)
    code = answers(game, Enrol("Landon", "ann", sheet))
    assert (code or Fraction(game.points(str(game.number - 1)), POINT)) == outcome


# --- moc.char.cost, moc.char.raise ---

#: Purchases, and their total price by level: 5 for a Primary, 3 for others, 1 for a skill; level 1 can be free.
TOTALS = [
    ("characteristic", "body", {1: 0, 2: 10, 3: 25, 4: 45, 5: 70}),
    ("characteristic", "spirit", {1: 0, 2: 10, 3: 25, 4: 45, 5: 70}),
    ("characteristic", "T", {1: 0, 2: 6, 3: 15, 4: 27, 5: 42, 6: 60}),
    ("characteristic", "Li", {1: 0, 2: 6, 3: 15, 4: 27, 5: 42, 6: 60}),
    ("skill", "Dodge", {0: 0, 1: 1, 2: 3, 3: 6, 4: 10, 5: 15, 6: 21}),
    ("martial-arts", "boxing", {0: 0, 1: 2, 2: 6, 3: 12, 4: 20, 5: 30}),
    ("superhuman", "S", {0: 0, 1: 5, 2: 15, 3: 30, 4: 50, 5: 75}),
    ("money", "", {0: 0, 1: 2, 2: 4, 3: 6, 5: 10}),
    ("extra-bead-scene", "", {0: 0, 1: 2, 2: 4, 3: 6}),
    ("extra-bead-session", "", {0: 0, 1: 2, 2: 4, 3: 6}),
    ("bits", "", {0: 0, 1: 1, 2: 1, 3: 1, 4: 2, 6: 2, 7: 3, 9: 3, 10: 4}),
]


@pytest.mark.parametrize(("what", "name", "totals"), TOTALS, ids=[f"{what} {name}" for what, name, _ in TOTALS])
def test_each_level_is_bought_in_turn_and_raises_cost_the_difference(
    what: str, name: str, totals: dict[int, int]
) -> None:
    least = min(totals)
    for old, paid in totals.items():
        for new in totals:
            game = made(power_level="superheroic")
            element = "action" if what == "superhuman" else ""
            if old > least:
                game.does(Buy(game.landon, buys(what, name, old, element=element)))
                assert left(game) == 200 - paid
            do = Buy(game.landon, buys(what, name, new, element=element))
            assert answers(game, do) == ("" if new > old else "not-a-raise"), (old, new)
            assert left(game) == 200 - totals[max(old, new)]
            if new <= old:
                assert refusing_rule(game, do) == "moc.char.raise"


@pytest.mark.parametrize(
    ("dial", "name", "level", "code"),
    [
        (5, "body", 5, ""),
        (5, "body", 6, "level-too-high"),
        ("none", "body", 6, ""),
        ("none", "mind", 7, ""),
        (5, "S", 6, ""),
        (5, "body", 0, "level-too-low"),
        (5, "S", 0, "level-too-low"),
        (5, "S", -1, "level-too-low"),
        (5, "Str", 2, "unknown-characteristic"),
    ],
)
def test_ratings_from_one_and_primaries_to_the_tables_most(dial: Any, name: str, level: int, code: str) -> None:
    game = made(power_level="superheroic", primary_max=dial)
    do = Buy(game.landon, buys("characteristic", name, level))
    assert answers(game, do) == code
    if code:
        assert refusing_rule(game, do) == "moc.char.cost"


@pytest.mark.parametrize(("spent", "old", "new", "held"), [(0, 2, 3, 3), (1, 2, 3, 2), (2, 2, 4, 2), (0, 1, 5, 5)])
def test_a_raised_primary_has_so_many_more_tokens(spent: int, old: int, new: int, held: int) -> None:
    game = made(Sheet("hero", {"body": old}))
    game.scene_begins(game.landon)
    for _ in range(spent):
        game.does(SpendToken(game.acts(game.landon), "S", named=True))
    game.does(Buy(game.landon, buys("characteristic", "body", new)))
    assert game.tokens(game.landon)[0] == held


# --- moc.char.derived ---


@pytest.mark.parametrize(
    ("body", "toughness", "luck", "capacity", "limit"),
    [(3, 2, 2, 10, 5), (1, 1, 1, 4, 2), (5, 1, 1, 12, 6), (2, 4, 1, 9, 6), (2, 1, 4, 9, 3)],
)
def test_pain_spots_and_the_daze_limit(body: int, toughness: int, luck: int, capacity: int, limit: int) -> None:
    game = made(Sheet("hero", {"body": body, "T": toughness, "L": luck}))
    game.scene_begins(game.landon)
    game.does(ApplyHarm(game.landon, pain=limit))
    assert not game.character(game.landon).dazed
    game.does(ApplyHarm(game.landon, pain=limit + 1))
    who = game.character(game.landon)
    assert (who.dazed, who.pain, who.damage) == (
        min(limit + 1, capacity - limit) > limit,
        min(2 * limit + 1, capacity),
        max(0, 2 * limit + 1 - capacity),
    )
