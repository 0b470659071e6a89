"""How uneven dice are, computed in another way; and that only what a seat sees is counted."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations_with_replacement

import pytest

from projections.documents.dice_faces import at_least_as_odd, chi_square
from tests.api.table import Table, rolled

FREEDOM = [1, 2, 3, 5, 7, 9, 11, 19, 99]


def regularised(a: float, x: float) -> float:
    """The upper incomplete gamma function over the gamma function: by series below a + 1, else by Lentz's fraction."""
    front = math.exp(-x + a * math.log(x) - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        for n in range(1, 10_000):
            term *= x / (a + n)
            total += term
        return 1 - front * total
    b = x + 1 - a
    c, d = 1e300, 1 / b
    h = d
    for n in range(1, 10_000):
        an = -n * (n - a)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        h *= d * c
    return front * h


@pytest.mark.parametrize("freedom", FREEDOM)
def test_the_tail_is_that_of_the_gamma_function(freedom: int) -> None:
    for x in (0.01, 0.5, 1.0, 3.3, 10.0, 42.0, 150.0):
        assert math.isclose(at_least_as_odd(x, freedom), regularised(freedom / 2, x / 2), rel_tol=1e-9, abs_tol=1e-12)
    assert at_least_as_odd(0.0, freedom) == 1.0


def test_it_is_near_what_counting_every_way_that_dice_can_fall_gives() -> None:
    """Of 24 three-sided dice: how often they are at least as uneven, counted."""
    dice, sides = 24, 3
    chances: dict[tuple[int, ...], Fraction] = {}
    for cut in combinations_with_replacement(range(dice + 1), sides - 1):
        counts = tuple(b - a for a, b in zip((0, *cut), (*cut, dice), strict=True))
        ways = math.factorial(dice)
        for one in counts:
            ways //= math.factorial(one)
        chances[counts] = Fraction(ways, sides**dice)
    assert sum(chances.values()) == 1
    for counts in ((8, 8, 8), (10, 8, 6), (12, 8, 4), (14, 6, 4)):
        odd = chi_square(counts)
        exact = float(sum(chance for one, chance in chances.items() if chi_square(one) >= odd - 1e-9))
        assert abs(at_least_as_odd(odd, sides - 1) - exact) < 0.06


def test_dice_are_counted_by_who_rolled_them_and_told_from_fair_ones(table: Table) -> None:
    table.fighters(200)
    for face in [6] * 25 + [1, 2, 3, 6]:
        table.hit(face)
    (before,) = [one for one in table.gm.look("/dice/faces")["faces"] if one["source"] == "table"]
    assert before["dice"] == 29 and before["p"] is None and before["chi_square"] is None
    table.hit(5)
    for player in (table.gm, table.ben, table.dora):
        (one,) = [one for one in player.look("/dice/faces")["faces"] if one["source"] == "table"]
        assert (one["seat"], one["name"], one["sides"], one["dice"]) == (table.ben.id, "Ben", 6, 30)
        assert one["faces"] == [1, 1, 1, 0, 1, 26]
        assert one["chi_square"] == 106.0 and one["p"] == 0.0
    last = table.gm.look()["rulings"]
    table.gm.does(f"/rulings/{last}/overturn", {"reason": "No.", "settle": "flag"}, 200)
    assert next(one for one in table.gm.look("/dice/faces")["faces"] if one["source"] == "table")["dice"] == 30
    revised = {"reason": "It was a 5.", "code": "entry", "answers": [None, rolled(4)]}
    table.gm.does(f"/rulings/{last - 1}/revise", revised, 200)
    now = [one["faces"] for one in table.gm.look("/dice/faces")["faces"] if one["source"] == "table"]
    assert [sum(one) for one in zip(*now, strict=True)] == [1, 1, 1, 1, 1, 25], "what was typed wrong is no die"
