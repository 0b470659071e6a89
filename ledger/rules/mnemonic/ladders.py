"""The ladders of ratings and of Chances: their rows, and the numbers that the names stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ledger.rules.kernel.kit import (
    Names,
    Refusal,
    Refused,
    RuleId,
    SharedRefusal,
    Title,
    changed,
    changes,
    fact,
    guards,
    listed,
    require,
    rule,
)
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.state import Campaign
from ledger.rules.mnemonic.words import (
    MODERATE,
    MODERATELY,
    SEVEN,
    TIED,
    Ladder,
    Row,
    Rows,
    collapse_spaces,
    is_whole,
    normalize_name,
)

RATINGS_LADDER = rule(
    "mnemonic.trait.ladder",
    "There are seven ratings, from Not at All (0) to Extremely (6). A campaign can use its own ladder of ratings.",
    "calculating status",
)
CHANCES_LADDER = rule(
    "mnemonic.chances.ladder",
    "There are seven levels of Chances, from Terrible (-6) to Excellent (+7). A campaign can use its own ladder of"
    " Chances.",
    "calculating status",
)
TOO_SHORT = SharedRefusal("ladder-too-short", "A ladder of {rows:row|rows} is too short. It needs at least two.")
NAME_TWICE = SharedRefusal("ladder-duplicate-name", "{name} is on the ladder twice. Use each name once.")
NOT_INTEGER = SharedRefusal("ladder-not-integer", "{name} needs a whole number beside it.")
NOT_ASCENDING = SharedRefusal(
    "ladder-not-ascending",
    "{name}, at {number}, is lower than the row before it. List the rows from low to high.",
)
NAME_EMPTY = SharedRefusal("name-empty", "A name is missing. Enter one.")
NEGATIVE = Refusal(RATINGS_LADDER, "ladder-negative-rating", "{name} is below zero. Ratings cannot be negative.")
WITHOUT_PRIMARY = Refusal(
    RATINGS_LADDER,
    "ladder-without-primary-rating",
    "The Primary Role counts as {rating}, and the ladder has no such rating.",
)


def say_ladder(fact: LadderSet, names: Names) -> str:
    rows = listed(f"{name} ({number})" for name, number in fact.rows)
    return f"{'Ratings' if fact.which == 'traits' else 'Chances'} are, from low to high: {rows}."


@fact("ladder-set", says=say_ladder)
class LadderSet:
    """Subject: the campaign. Its ladder of ratings (`traits`) or of Chances (`chances`) was set. `rows`: each row's
    name and number, from low to high.
    """

    which: Literal["traits", "chances"]
    rows: tuple[tuple[Title, int], ...]


@changes
def set_ladder(state: Campaign, fact: LadderSet) -> Campaign:
    return changed(state, ladders={**state.ladders, fact.which: fact.rows})


# --- the rows ---------------------------------------------------------------------------------------------------------


def read_ratings(dials: Dials) -> Ladder:
    """Return the current rating ladder, which has a row for the Primary Role. Refuses a ladder that is not valid."""
    ladder = read_rows(dials)
    for name, number in ladder:
        if number < 0:
            raise NEGATIVE(name=name, number=number)
    if _find_row(ladder, dials.traits_primary_rating) is None:
        raise WITHOUT_PRIMARY(rating=dials.traits_primary_rating)
    return ladder


def read_rows(dials: Dials) -> Ladder:
    """Return the rows of the rating ladder, even if it lacks the rating that the Primary Role counts as."""
    rows = dials.traits_ladder
    if isinstance(rows, str):
        rows = TIED if rows == "tied" else SEVEN
    return _read_ladder(RATINGS_LADDER, rows)


def read_chances(dials: Dials) -> Ladder:
    """Return the current ladder of Chances. Its numbers may be negative."""
    return _read_ladder(CHANCES_LADDER, dials.chances_ladder)


def _read_ladder(rule: RuleId, rows: Rows) -> Ladder:
    """Return a ladder. Its rows must go from low to high, with every name only once; equal numbers are allowed."""
    if len(rows) < 2:
        raise TOO_SHORT.under(rule, rows=len(rows))
    ladder: list[Row] = []
    names: set[str] = set()
    for name, number in rows:
        if not isinstance(name, str) or not name.strip():
            raise NAME_EMPTY.under(rule)
        if (key := normalize_name(name)) in names:
            raise NAME_TWICE.under(rule, name=name)
        if not is_whole(number):
            raise NOT_INTEGER.under(rule, name=name)
        if ladder and number < ladder[-1][1]:
            raise NOT_ASCENDING.under(rule, name=name, number=number)
        names.add(key)
        ladder.append((collapse_spaces(name), number))
    return tuple(ladder)


# --- the number of a name ---------------------------------------------------------------------------------------------

RATING = rule(
    "mnemonic.trait.rating",
    "The rating of a Talent or Life Role is recorded as a name, not as a number. When the referee rules on a "
    "check, the ladder of ratings gives the number.",
    "calculating status",
)
UNKNOWN_RATING = Refusal(
    RATING,
    "unknown-rating",
    "This campaign has no such rating[: {rating}]. Choose one from its ladder of ratings.",
)
PRIMARY = rule(
    "mnemonic.trait.primary",
    "The Primary Role has no rating of its own. It counts as Moderately (3), or as another rating that the table "
    "chooses.",
    "calculating status",
)


def read_rating_row(ladder: Ladder, name: str) -> Row:
    """Return the row of a rating. "Moderate" means Moderately if the ladder has no row of that name. Refuses
    `unknown-rating`.
    """
    row = _find_row(ladder, name)
    if row is None:
        raise UNKNOWN_RATING(rating=name)
    return row


def has_rating(ladder: Ladder, name: str) -> bool:
    return _find_row(ladder, name) is not None


def _find_row(ladder: Ladder, name: str) -> Row | None:
    key = normalize_name(name)
    row = next((row for row in ladder if normalize_name(row[0]) == key), None)
    if row is None and key == MODERATE:
        return next((row for row in ladder if normalize_name(row[0]) == MODERATELY), None)
    return row


def read_primary_row(dials: Dials, ladder: Ladder) -> Row:
    """Return the rating that the Primary Role counts as."""
    return read_rating_row(ladder, dials.traits_primary_rating)


# --- sums of two ratings ----------------------------------------------------------------------------------------------

BOUNDS = rule(
    "mnemonic.aptitude.bounds",
    "An Aptitude is a whole number from twice the lowest rating to twice the highest. Usually this is 0 to 12.",
    "calculating status",
    step="The Aptitude is {out}.",
)
OUT_OF_RANGE = Refusal(
    BOUNDS,
    "aptitude-out-of-range",
    "That is not a possible Aptitude. Choose a whole number from {lowest} to {highest}.",
)


@guards
def may_be_aptitude(ladder: Ladder, number: object) -> Refused | None:
    """Refuse anything except a whole number from twice the lowest to twice the highest rating."""
    if ladder and is_whole(number) and 2 * ladder[0][1] <= number <= 2 * ladder[-1][1]:
        return None
    lowest, highest = (2 * ladder[0][1], 2 * ladder[-1][1]) if ladder else (0, 0)
    return OUT_OF_RANGE(lowest=lowest, highest=highest)


def read_aptitude(ladder: Ladder, number: object) -> int:
    """Return the number if it is a possible Aptitude. Refuses `aptitude-out-of-range`."""
    require(may_be_aptitude(ladder, number))
    assert is_whole(number), "`may_be_aptitude` has checked this"
    return number


# --- Chances ----------------------------------------------------------------------------------------------------------


def say_chances(given: Mapping[str, Any]) -> str:
    return f"The Chances are {{chances}}: {given['out']:+}." if "chances" in given else ""


CHANCES_RATING = rule(
    "mnemonic.chances.rating",
    "The referee chooses the Chances before the roll. Better Chances always help the character who rolls.",
    "calculating status",
    step=say_chances,
)
UNKNOWN_CHANCES = Refusal(
    CHANCES_RATING,
    "unknown-chances",
    "This campaign has no such Chances[: {chances}]. Choose from its ladder of Chances.",
)


def read_chances_row(dials: Dials, name: str) -> Row:
    """Return the row of the Chances with this name. Refuses `unknown-chances`."""
    key = normalize_name(name)
    for row in read_chances(dials):
        if normalize_name(row[0]) == key:
            return row
    raise UNKNOWN_CHANCES(chances=name)
