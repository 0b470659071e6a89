"""The UE Chart: rows of three Ratings, each half as much again as the row before; or the rows of a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from math import floor
from typing import Protocol

from ledger.rules.kernel.refusals import Refused
from ledger.rules.scattershot.terms import Unchecked, is_whole

STEP = Fraction(3, 2)
OWN_FACETS = ("multiplier", "bonus", "points")
#: Far beyond any Rating a table plays with; what lies outside is off the chart.
WIDEST = 3000


class WithChart(Protocol):
    @property
    def ue_chart(self) -> tuple[Mapping[str, Unchecked], ...] | None: ...


def rounded(number: Fraction) -> int:
    """`result.rounding`: halves up."""
    return floor(number + Fraction(1, 2))


def band(rating: int) -> int:
    """`chart.band`: 0 for 9 to 11."""
    return (rating - 9) // 3


def facet(dials: WithChart, rating: object, name: str, amount: object = None) -> Fraction:
    """A facet of a Rating, exactly. `amount`: a quantity's amount in the row 9-11, for facets of our chart that are
    neither Multiplier, Bonus nor Points. Refuses `bad-number`, `rating-off-chart`, `unknown-facet`."""
    if not is_whole(rating):
        raise Refused("scattershot.chart.band", "bad-number", rating=str(rating))
    if dials.ue_chart is not None:
        return _adopted(dials.ue_chart, rating, name)
    if abs(rating) > WIDEST:
        raise Refused("scattershot.chart.band", "rating-off-chart", rating=rating)
    multiplier = STEP ** band(rating)
    if name == "multiplier":
        return multiplier
    if name in ("bonus", "points"):
        return Fraction(max(1, rounded(multiplier)))
    if amount is None:
        raise Refused("scattershot.chart.quantity", "unknown-facet", facet=name)
    if not is_whole(amount):
        raise Refused("scattershot.chart.quantity", "bad-number", amount=str(amount))
    return amount * multiplier


def _adopted(rows: tuple[Mapping[str, Unchecked], ...], rating: int, name: str) -> Fraction:
    for row in rows:
        if row["from"] <= rating <= row["to"]:
            if name not in row["facets"]:
                raise Refused("scattershot.chart.quantity", "unknown-facet", facet=name, rating=rating)
            return number_of(row["facets"][name])
    raise Refused("scattershot.chart.band", "rating-off-chart", rating=rating)


def number_of(value: object) -> Fraction:
    """An integer, or a text such as `27/8`. ValueError for anything else."""
    if is_whole(value):
        return Fraction(value)
    if isinstance(value, str):
        above, _, below = value.partition("/")
        if above.isdecimal() and above.isascii() and ((below.isdecimal() and below.isascii()) or not _):
            if len(value) > 100 or (below and int(below) == 0):
                raise ValueError(value)
            return Fraction(int(above), int(below or 1))
    raise ValueError(f"{value!r} is not a number")


def chart_problem(rows: tuple[Mapping[str, Unchecked], ...]) -> str | None:
    """What is wrong with the rows of a replacement chart."""
    for row in rows:
        if set(row) != {"from", "to", "facets"} or not (is_whole(row["from"]) and is_whole(row["to"])):
            return "a row needs whole numbers `from` and `to`, and `facets`"
        if row["from"] > row["to"] or not isinstance(row["facets"], Mapping):
            return "a row must go from its lower to its higher Rating and have named facets"
        for value in row["facets"].values():
            try:
                number_of(value)
            except ValueError as problem:
                return str(problem)
    spans = sorted((row["from"], row["to"]) for row in rows)
    if any(one[1] >= next_[0] for one, next_ in pairwise(spans)):
        return "rows must not overlap"
    return None
