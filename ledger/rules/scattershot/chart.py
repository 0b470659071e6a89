"""The UE Chart. Each row of the standard chart covers three Ratings. A campaign can have its own rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from math import floor
from typing import Protocol

from ledger.rules.kernel.kit import (
    ANYONE,
    OPEN,
    Among,
    Between,
    Move,
    Names,
    Refusal,
    Refused,
    Seen,
    decides,
    declares,
    fact,
    offers,
    require,
    rule,
    words,
)
from ledger.rules.scattershot.dials import Dials
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.state import Character
from ledger.rules.scattershot.words import BAD_NUMBER, Facet, Unchecked, Whole, is_natural, is_positive, is_whole

NUMBERS = rule(
    "scattershot.game.numbers",
    "Before the Game begins, the Group chooses a Critical Juncture (1 or more) and an Epic Index (0 or"
    " more). Their sum is at most 10.",
    "Critical Junctures; Epic Index",
)
JUNCTURE_PLUS_INDEX_OVER_10 = Refusal(
    NUMBERS,
    "juncture-plus-index-over-10",
    "A Critical Juncture of {juncture} plus an Epic Index of {index} is more than 10. Choose smaller numbers.",
)


BAND = rule(
    "scattershot.chart.band",
    "The UE Chart gives quantities for each Rating. Each row of the standard chart covers three Ratings.",
)
RATING_OFF_CHART = Refusal(BAND, "rating-off-chart", "The UE Chart has no row for a Rating of {rating}.")
MULTIPLIER = rule(
    "scattershot.chart.multiplier",
    "For Ratings 9 to 11, the Multiplier is 1. From each row of the UE Chart to the next higher row, it grows by"
    " a factor of 1 1/2.",
)
POINTS = rule(
    "scattershot.chart.points",
    "The Points for a Rating are its Multiplier, rounded to a whole number of at least 1.",
)
BONUS = rule(
    "scattershot.chart.bonus",
    "The Bonus for a Rating is the same number as its Points.",
)
QUANTITY = rule(
    "scattershot.chart.quantity",
    "Every quantity on the UE Chart grows by a factor of 1 1/2 from one row to the next, as the Multiplier does.",
)
UNKNOWN_FACET = Refusal(
    QUANTITY, "unknown-facet", "The UE Chart has no column called {facet}[ for a Rating of {rating}]."
)
ROUNDING = rule(
    "scattershot.result.rounding",
    "Fractions are rounded to the nearest whole number. Halves are rounded up.",
    "Damage",
)
STEP = Fraction(3, 2)
OWN_FACETS = ("multiplier", "bonus", "points")
#: The highest Rating on the standard chart, far higher than any table needs.
WIDEST = 3000


class WithChart(Protocol):
    @property
    def ue_chart(self) -> tuple[Mapping[str, Unchecked], ...] | None: ...


def round_half_up(number: Fraction) -> int:
    """Return the nearest whole number. Halves are rounded up."""
    return floor(number + Fraction(1, 2))


def find_band(rating_value: int) -> int:
    """Return the row of a Rating on the standard chart. Ratings 9 to 11 are row 0."""
    return (rating_value - 9) // 3


def read_facet(dials: WithChart, rating: object, facet: str, amount: object = None) -> Fraction:
    """Return the exact value of a facet of a Rating. Refuses `bad-number`, `rating-off-chart`, `unknown-facet`.

    `amount`: for facets of the standard chart other than Multiplier, Bonus and Points, the amount of the quantity in
    the row 9-11.
    """
    require(may_read(dials, rating, facet, amount))
    assert is_whole(rating), "`may_read` has checked this"
    if dials.ue_chart is not None:
        return parse_number(_find_facets(dials.ue_chart, rating)[facet])
    multiplier = STEP ** find_band(rating)
    if facet == "multiplier":
        return multiplier
    if facet in ("bonus", "points"):
        return Fraction(max(1, round_half_up(multiplier)))
    assert is_whole(amount), "`may_read` has checked this"
    return amount * multiplier


def may_read(dials: WithChart, rating: object, facet: str, amount: object = None) -> Refused | None:
    """Refuse a Rating or a facet that the UE Chart does not have."""
    if not is_whole(rating):
        return BAD_NUMBER.under(BAND, rating=str(rating))
    if dials.ue_chart is not None:
        facets = _find_facets(dials.ue_chart, rating)
        if facets is None:
            return RATING_OFF_CHART(rating=rating)
        return UNKNOWN_FACET(facet=facet, rating=rating) if facet not in facets else None
    if abs(rating) > WIDEST:
        return RATING_OFF_CHART(rating=rating)
    if facet in OWN_FACETS:
        return None
    if amount is None:
        return UNKNOWN_FACET(facet=facet)
    return BAD_NUMBER.under(QUANTITY, amount=str(amount)) if not is_whole(amount) else None


def _find_facets(rows: tuple[Mapping[str, Unchecked], ...], rating_value: int) -> Unchecked:
    return next((row["facets"] for row in rows if row["from"] <= rating_value <= row["to"]), None)


def list_facets(dials: WithChart) -> tuple[str, ...]:
    """Return the facets that the chart in force has for Ratings."""
    if dials.ue_chart is None:
        return OWN_FACETS
    return tuple(dict.fromkeys(str(name) for row in dials.ue_chart for name in row["facets"]))


def can_leave_chart(draft: Draft, char_state: Character, name: str, added_points: int) -> bool:
    """Return whether this change may need a chart row that does not exist."""
    if draft.dials.ue_chart is None and char_state.ratings[name].value + added_points <= WIDEST:
        return False
    if name == "strength" and char_state.damages:
        return True
    return any(
        rating.facet is not None and name in (other, rating.magnitude) for other, rating in char_state.ratings.items()
    )


def parse_number(entry: object) -> Fraction:
    """Return an integer, or a text such as `27/8`, as an exact number. Raises ValueError for anything else."""
    if is_whole(entry):
        return Fraction(entry)
    if isinstance(entry, str):
        numerator, slash, denominator = entry.partition("/")
        if (
            numerator.isdecimal()
            and numerator.isascii()
            and ((denominator.isdecimal() and denominator.isascii()) or not slash)
        ):
            if len(entry) > 100 or (denominator and int(denominator) == 0):
                raise ValueError(entry)
            return Fraction(int(numerator), int(denominator or 1))
    raise ValueError(f"{entry!r} is not a number")


def find_chart_problem(rows: tuple[Mapping[str, Unchecked], ...]) -> str | None:
    """Return the first problem with the rows of a campaign's own chart, in words, or None."""
    for row in rows:
        if set(row) != {"from", "to", "facets"} or not (is_whole(row["from"]) and is_whole(row["to"])):
            return "a row needs whole numbers `from` and `to`, and `facets`"
        if row["from"] > row["to"] or not isinstance(row["facets"], Mapping):
            return "a row must go from its lower to its higher Rating and have named facets"
        for entry in row["facets"].values():
            try:
                parse_number(entry)
            except ValueError as problem:
                return str(problem)
    bounds = sorted((row["from"], row["to"]) for row in rows)
    if any(lower[1] >= higher[0] for lower, higher in pairwise(bounds)):
        return "rows must not overlap"
    return None


NATURAL_DIALS = (
    "stock_size",
    "loaner_limit",
    "payback_interest",
    "payback_minimum",
    "coup_extra",
    "epic_index",
    "move_yards",
)


def check_dials(dials: Dials, name: str, rule: str) -> None:
    """Check the values of the options beyond their types. Refuses `bad-number`, `juncture-plus-index-over-10`."""
    field = name.replace("-", "_")
    value = getattr(dials, field)
    if field in NATURAL_DIALS and value is not None and not is_natural(value):
        raise BAD_NUMBER.under(rule, dial=name)
    if field == "critical_juncture" and not is_positive(value):
        raise BAD_NUMBER.under(rule, dial=name)
    if field in ("critical_juncture", "epic_index") and dials.critical_juncture + dials.epic_index > 10:
        raise JUNCTURE_PLUS_INDEX_OVER_10.under(rule, juncture=dials.critical_juncture, index=dials.epic_index)
    if field == "ue_chart" and value is not None and (problem := find_chart_problem(value)) is not None:
        raise BAD_NUMBER.under(rule, dial=name, problem=problem)
    if field == "resource_penalty" and value is not None and not all(map(_is_penalty, value)):
        raise BAD_NUMBER.under(rule, dial=name)


def _is_penalty(entry: Mapping[str, Unchecked]) -> bool:
    return set(entry) == {"at", "penalty"} and type(entry["at"]) is int and is_natural(entry["penalty"])


def say_chart(fact: ChartRead, names: Names) -> str:
    exact_phrase = f" (exactly {fact.numerator}/{fact.denominator})" if fact.denominator != 1 else ""
    return f"On the UE Chart, a Rating of {fact.rating} gives {words(fact.facet).title()} {fact.rounded}{exact_phrase}."


@fact("chart-read", says=say_chart, headline=24, changes=None, kw_only=True)
class ChartRead:
    """A number was looked up on the UE Chart. `numerator` / `denominator`: the exact number. `rounded`: the nearest
    whole number; halves are rounded up.
    """

    rating: int
    facet: Facet
    numerator: int
    denominator: int
    rounded: int


@declares(
    "read-chart", ANYONE, says="A Rating of {rating} is looked up on the UE Chart: {facet}.", records=(ChartRead,)
)
class ReadChart:
    """Look up a Rating on the UE Chart.

    `facet`: the column. `amount`: for a quantity, its amount in the row for Ratings 9 to 11.
    """

    rating: Whole
    facet: Facet = "multiplier"
    amount: Whole | None = None


@decides
def read_chart(draft: Draft, do: ReadChart) -> None:
    exact = read_facet(draft.dials, do.rating, do.facet, do.amount)
    rounded = round_half_up(exact)
    draft.campaign_wide(
        ChartRead(
            rating=do.rating, facet=do.facet, numerator=exact.numerator, denominator=exact.denominator, rounded=rounded
        )
    )
    rules_by_facet = {"multiplier": MULTIPLIER, "bonus": BONUS, "points": POINTS}
    draft.by(rules_by_facet.get(do.facet, QUANTITY), rounded, rating=do.rating)
    draft.by(ROUNDING, rounded, numerator=exact.numerator, denominator=exact.denominator)


@offers
def offer_chart(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Yield look-ups of any quantity on the standard chart, or of the facets in each row of a campaign's own chart."""
    rows = draft.dials.ue_chart
    if rows is None:
        rating_domain = Between(-WIDEST, WIDEST)
        yield Move(ReadChart, {"rating": rating_domain, "facet": Among(OWN_FACETS), "amount": OPEN})
        yield Move(ReadChart, {"rating": rating_domain, "facet": OPEN, "amount": Between()})
        return
    for row in rows:
        if row["facets"]:
            facet_domain = Among(tuple(row["facets"]))
            yield Move(ReadChart, {"rating": Between(row["from"], row["to"]), "facet": facet_domain, "amount": OPEN})
