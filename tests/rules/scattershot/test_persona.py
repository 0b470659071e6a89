"""3.2, 3.3: how a Persona is made, what Ratings cost, how it evolves; the chart."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.rules.kernel.commands import Adjust, Enrol, SetDial
from ledger.rules.scattershot.agreement import Agree
from ledger.rules.scattershot.cashing_in import CashIn, Develop
from ledger.rules.scattershot.chart import ReadChart, read_facet, round_half_up
from ledger.rules.scattershot.dials import Dials
from ledger.rules.scattershot.evolving import RaiseRating
from ledger.rules.scattershot.limits import LimitPoints
from ledger.rules.scattershot.resources import ListDamage
from ledger.rules.scattershot.state import Advantage, EffectIndexed, Protection, Sheet, Skill
from ledger.rules.scattershot.words import BASES_BY_DIFFICULTY, count_development_points, count_gimme_dice
from tests.rules.scattershot.game import Game


@pytest.mark.parametrize(
    ("sheet", "net"),
    [
        (Sheet(), 0),
        (Sheet(statistics={"strength": 13, "power": 9}), 2),
        (Sheet(statistics={"Hit Points": 12}), 2),
        (Sheet(skills=(Skill("a", "easy", 2, 1),)), 3),
        (Sheet(special_abilities=(Skill("a", "legendary", 0, 4),)), 4),
        (Sheet(free_skills=dict.fromkeys("abcdef", 9), raises={"a": 2}), 4),
        (Sheet(elements=tuple("abcdef")), 2),
        (Sheet(advantages=(Advantage("a", 3), Advantage("b", 2))), 5),
        (Sheet(disadvantages=(Advantage("a", 3),)), 0),
    ],
)
def test_what_a_persona_costs(sheet, net):
    game = Game()
    id = game.enrol("Somebody", sheet, "ann")
    assert game.character(id).net == net
    assert game.balance(f"character:{id}/dp:invested") == net + 12


def test_disadvantages_may_refund():
    game = Game(disadvantage_accounting="refund")
    assert game.character(game.enrol("Somebody", Sheet(disadvantages=(Advantage("a", 3),)))).net == -3


@pytest.mark.parametrize(
    ("sheet", "code"),
    [
        (Sheet(statistics={"luck": 10}), "unknown-statistic"),
        (Sheet(statistics={"power": "10"}), "bad-number"),
        (Sheet(statistics={"power": True}), "bad-number"),
        (Sheet(statistics={"power": 8}), "rating-below-minimum"),
        (Sheet(skills=(Skill("a", "simple", 1),)), "unknown-difficulty"),
        (Sheet(skills=(Skill("a", "easy"),)), "rating-below-minimum"),
        (Sheet(skills=(Skill("a", "easy", -1, 3),)), "bad-number"),
        (Sheet(skills=(Skill("power", "easy", 1),)), "bad-number"),
        (Sheet(special_abilities=(Skill("a", "easy", 1, magnitude="mind"),)), "unknown-statistic"),
        (Sheet(special_abilities=(Skill("a", "easy", 1, facet="yards"),)), "unknown-facet"),
        (Sheet(free_skills={"a": None}), "bad-number"),
        (Sheet(raises={"a": 1}), "no-such-free-skill"),
        (Sheet(free_skills={"a": 9}, raises={"a": -1}), "bad-number"),
        (Sheet(advantages=(Advantage("a", 0),)), "rating-below-minimum"),
        (Sheet(advantages=(Advantage("a", "1"),)), "bad-number"),
        (Sheet(disadvantages=(Advantage("a", -1),)), "bad-number"),
        (Sheet(protection=(Protection("a"),)), "protection-is-static-or-bought"),
        (Sheet(protection=(Protection("a", 1, "agility"),)), "protection-is-static-or-bought"),
        (Sheet(protection=(Protection("a", -1),)), "bad-number"),
        (Sheet(resources=("luck",)), "unknown-statistic"),
    ],
)
def test_sheets_that_are_refused(sheet, code):
    assert Game().refuses(Enrol("Somebody", "ann", sheet)) == code


def test_the_least_statistic():
    sheet = Sheet(statistics={"power": 8})
    assert Game(stat_minimum_points=0).enrol("Somebody", sheet)
    assert Game(stat_minimum_points=0).refuses(Enrol("x", "ann", Sheet(statistics={"power": 7}))) == (
        "rating-below-minimum"
    )


def test_difficulties():
    assert list(BASES_BY_DIFFICULTY.values()) == [11, 10, 9, 8, 7, 6, 5, 4]


def test_special_abilities_are_indexed_when_made_and_when_changed():
    game = Game()
    verdict = game.does(Enrol("Mage", "ann", Sheet(special_abilities=(Skill("Bolt", "easy", 1, facet="multiplier"),))))
    indexed = game.only(verdict, EffectIndexed)
    assert (indexed.ability, indexed.rating, indexed.numerator, indexed.denominator) == ("Bolt", 10, 1, 1)
    id = str(game.number - 1)
    points(game, id, 3)
    changed = game.does(RaiseRating(id, "power", 2), by="ann").facts[-1].fact
    assert (changed.rating, changed.numerator, changed.denominator) == (12, 3, 2)


def points(game: Game, id: str, n: int) -> None:
    game.declare(Adjust("bank/dp", f"character:{id}/dp", "dp", n, "for the test"))


# --- limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("do", "by", "code"),
    [
        (LimitPoints(20, "ann"), "gm", "gm-may-not-cap"),
        (LimitPoints(20, "ann"), "bob", "not-proprietor"),
        (LimitPoints("20"), "ann", "bad-number"),
        (LimitPoints(20, "nobody"), "gm", "not-at-the-table"),
    ],
)
def test_who_may_not_limit_starting_points(do, by, code):
    assert Game().refuses(do, by=by) == code


@pytest.mark.parametrize(
    ("do", "by"),
    [
        (LimitPoints(20), "ann"),
        (LimitPoints(20, "gm"), "gm"),
        (LimitPoints(20, "ann", True, True, "as agreed"), "gm"),
    ],
)
def test_who_may_limit_starting_points(do, by):
    assert Game().does(do, by=by).facts[0].fact.limit == 20


# --- evolving --------------------------------------------------------------------------------------------------------


def test_raising():
    game = Game()
    points(game, game.ann, 4)
    game.does(RaiseRating(game.ann, "Fencing", 2), by="ann")
    game.does(RaiseRating(game.ann, "hit points"), by="ann")
    game.does(RaiseRating(game.ann, "Riding", 1, True, Skill("Riding", "easy")), by="ann")
    ratings = game.view(character(game.ann))["ratings"]
    assert (ratings["Fencing"], ratings["hit-points"], ratings["Riding"]) == (16, 11, 12)
    assert game.balance(f"character:{game.ann}/dp") == 0
    assert game.balance(f"character:{game.ann}/resource:hit-points") == 11
    assert game.character(game.ann).resources["hit-points"] == 11


def character(id: str) -> Any:
    from ledger.rules.kernel.subjects import character as found

    return found(id)


@pytest.mark.parametrize(
    ("do", "code"),
    [
        (RaiseRating("1", "agility", 5), "not-enough-points"),
        (RaiseRating("1", "agility", 0), "bad-number"),
        (RaiseRating("1", "Riding"), "no-such-free-skill"),
        (RaiseRating("1", "Riding", 1, False, Skill("Riding", "simple")), "unknown-difficulty"),
        (RaiseRating("2", "agility"), "not-proprietor"),
        (RaiseRating("99", "agility"), "unknown-character"),
    ],
)
def test_raising_that_is_refused(do, code):
    game = Game()
    points(game, game.ann, 3)
    assert game.refuses(do, by="ann") == code


def test_cashing_in():
    game = Game()
    invested = game.balance(f"character:{game.ann}/dp:invested")
    game.does(CashIn(game.ann, "Fencing", 3), Agree(), by="ann")
    assert game.xd("ann") == 3
    assert game.character(game.ann).ratings["Fencing"].value == 11
    game.does(CashIn(game.ann, "Fencing", 1), Agree(), by="ann")
    assert "Fencing" not in game.character(game.ann).ratings
    game.does(CashIn(game.ann, "Keen Eyes", 1), Agree(), by="ann")
    game.does(CashIn(game.ann, "power", 1), Agree(), by="ann")
    assert game.balance(f"character:{game.ann}/resource:power") == 9
    assert game.balance(f"character:{game.ann}/dp:invested") == invested - 6
    assert [one.value for one in game.character(game.ann).advantages] == [1, 1]
    game.does(CashIn(game.ogre, "strength"), by="gm")
    assert game.xd("gm") == 0


@pytest.mark.parametrize(
    ("do", "code"),
    [
        (CashIn("1", "Fencing", 5), "not-enough-points-invested"),
        (CashIn("1", "Whistling", 1), "not-enough-points-invested"),
        (CashIn("1", "power", 2), "rating-below-minimum"),
        (CashIn("1", "Reckless", 1), "disadvantage-cannot-be-cashed-in"),
        (CashIn("1", "Fencing", "1"), "bad-number"),
        (CashIn("2", "Brawl", 1), "not-proprietor"),
    ],
)
def test_cashing_in_that_is_refused(do, code):
    assert Game().refuses(do, by="ann") == code


def test_disadvantages_may_be_cashed_in():
    game = Game(cash_in_disadvantages=True)
    game.does(CashIn(game.ann, "Reckless", 3), Agree(), by="ann")
    assert [one.name for one in game.character(game.ann).disadvantages] == ["Can't Cook"]
    assert Game(stat_minimum_points=0).does(CashIn("1", "power", 2)).facts


@given(st.integers(0, 200))
def test_development_by_steps_of_four(total):
    assert count_development_points(total) == max(0, (total - 2) // 4)
    assert [count_development_points(n) for n in (1, 5, 6, 9, 10, 13, 14, 17, 18, 21, 22)] == [
        0,
        0,
        1,
        1,
        2,
        2,
        3,
        3,
        4,
        4,
        5,
    ]


def test_developing_with_own_dice_and_loaners():
    game = Game()
    game.dice("ann", 2)
    verdict = game.does(Develop(game.ann, 1, 2), (6, 6, 5), by="ann")
    done = verdict.facts[0].fact
    assert (done.total, done.points) == (17, 3)
    assert (game.xd("ann"), game.saved("gm", "ann"), game.karmic("ann")) == (1, 2, -2)
    assert game.balance(f"character:{game.ann}/dp") == 3


@pytest.mark.parametrize(
    ("do", "by", "code"),
    [
        (Develop("1", 1, 0, (1, 2)), "ann", "bad-number"),
        (Develop("1", 1, 0, (7,)), "ann", "bad-d6"),
        (Develop("1", 0, 0), "ann", "bad-number"),
        (Develop("1", -1, 2), "ann", "bad-number"),
        (Develop("1", 2), "ann", "not-enough-dice"),
        (Develop("1", 1, 0, None, 1), "ann", "freebie-own-action-only"),
        (Develop("2", 1), "ann", "not-proprietor"),
        (Develop("4", 1), "gm", "gm-holds-no-dice"),
        (Develop("4", 0, 1), "gm", "loaner-against-nobody"),
    ],
)
def test_developing_that_is_refused(do, by, code):
    game = Game()
    game.dice("ann", 1)
    assert game.refuses(do, by=by) == code


def test_developing_under_other_dials():
    game = Game(loaner_limit=1)
    assert game.refuses(Develop(game.ann, 0, 2), by="ann") == "loaner-limit"
    assert Game(loaner_unopposed="refuse").refuses(Develop("1", 0, 1), by="ann") == "loaner-against-nobody"
    for dial in ("stock", "loaners-and-freebies"):
        assert Game(gm_dice=dial).refuses(Develop("4", 1)) == "gm-holds-no-dice"


@pytest.mark.parametrize(
    ("value", "solid", "minor", "mediocre"),
    [(1, 1, None, None), (2, 2, 1, None), (3, 3, 1, 2), (4, 4, 1, 3), (5, 5, 1, 3), (6, 6, 1, 4)],
)
def test_gimmes_by_value_and_grade(value, solid, minor, mediocre):
    assert [count_gimme_dice(value, grade) for grade in ("solid", "minor", "mediocre")] == [solid, minor, mediocre]
    assert count_gimme_dice(value, "awful") is None


# --- the chart -------------------------------------------------------------------------------------------------------

PRINTED = {
    1: Fraction(8, 27),
    4: Fraction(4, 9),
    6: Fraction(2, 3),
    9: 1,
    11: 1,
    12: Fraction(3, 2),
    14: Fraction(3, 2),
    15: Fraction(9, 4),
    20: Fraction(27, 8),
    23: Fraction(81, 16),
    24: Fraction(243, 32),
    27: Fraction(729, 64),
    32: Fraction(2187, 128),
}
BONUS = {0: 1, 11: 1, 12: 2, 17: 2, 18: 3, 21: 5, 24: 8, 29: 11, 30: 17}


def test_the_chart_as_printed():
    assert {rating: read_facet(Dials(), rating, "multiplier") for rating in PRINTED} == PRINTED
    for name in ("bonus", "points"):
        assert {rating: read_facet(Dials(), rating, name) for rating in BONUS} == BONUS
    assert read_facet(Dials(), 13, "yards", 20) == 30


@given(st.integers(-60, 60), st.integers(1, 9))
def test_rounding_is_halves_up(above, below):
    number = Fraction(above, below)
    assert round_half_up(number) - Fraction(1, 2) <= number < round_half_up(number) + Fraction(1, 2)


@pytest.mark.parametrize(
    ("do", "code"),
    [
        (ReadChart("x"), "bad-number"),
        (ReadChart(9, "yards"), "unknown-facet"),
        (ReadChart(9, "yards", "x"), "bad-number"),
        (ReadChart(10**6), "rating-off-chart"),
    ],
)
def test_reading_the_chart_that_is_refused(do, code):
    assert Game().refuses(do) == code


def test_listing_damage():
    game = Game()
    bare = game.does(ListDamage(game.bob)).facts[0].fact
    armed = game.does(ListDamage(game.bob, "dagger")).facts[0].fact
    assert (bare.damages, armed.damages) == ((0, 2, 3, 5, 6, 8, 9), (2, 3, 5, 6, 8, 9, 11))
    game.does(SetDial("weapon-adds-at-zero", False, "ours"))
    assert game.does(ListDamage(game.bob, "dagger")).facts[0].fact.damages[0] == 0
    assert replace(Sheet(), elements=("x",)).elements == ("x",)
