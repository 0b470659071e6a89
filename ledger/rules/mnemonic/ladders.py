"""The two ladders: what makes one, and how a name is looked up. Heading: calculating status."""

from __future__ import annotations

from ledger.rules.kernel.refusals import Refused
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.tables import MODERATE, MODERATELY, SEVEN, TIED, Ladder, Row, Rows
from ledger.rules.mnemonic.terms import collapsed, is_whole, same_name

TRAITS = "mnemonic.trait.ladder"
CHANCES = "mnemonic.chances.ladder"
RATING = "mnemonic.trait.rating"


def ratings(dials: Dials) -> Ladder:
    """The rating ladder in force, with a row for the Primary Role. Refuses as `mnemonic.trait.ladder` says."""
    ladder = rows_of(dials)
    for name, number in ladder:
        if number < 0:
            raise Refused(TRAITS, "ladder-negative-rating", name=name, number=number)
    if _found(ladder, dials.traits_primary_rating) is None:
        raise Refused(TRAITS, "ladder-without-primary-rating", rating=dials.traits_primary_rating)
    return ladder


def rows_of(dials: Dials) -> Ladder:
    """The rows of the rating ladder, whatever the Primary Role counts as."""
    return _checked(TRAITS, _rows(dials.traits_ladder))


def chances(dials: Dials) -> Ladder:
    """The ladder of Chances in force; its numbers may be negative."""
    return _checked(CHANCES, dials.chances_ladder)


def _rows(ladder: str | Rows) -> Rows:
    if isinstance(ladder, str):
        return TIED if ladder == "tied" else SEVEN
    return ladder


def _checked(rule: str, rows: Rows) -> Ladder:
    """From low to high, every name once; equal numbers are allowed."""
    if len(rows) < 2:
        raise Refused(rule, "ladder-too-short", rows=len(rows))
    ladder: list[Row] = []
    names: set[str] = set()
    for name, number in rows:
        if not isinstance(name, str) or not name.strip():
            raise Refused(rule, "name-empty")
        if (known := same_name(name)) in names:
            raise Refused(rule, "ladder-duplicate-name", name=name)
        if not is_whole(number):
            raise Refused(rule, "ladder-not-integer", name=name)
        if ladder and number < ladder[-1][1]:
            raise Refused(rule, "ladder-not-ascending", name=name, number=number)
        names.add(known)
        ladder.append((collapsed(name), number))
    return tuple(ladder)


def rating(ladder: Ladder, name: str) -> Row:
    """The row of a rating; "Moderate" is Moderately where the ladder has no such row. Refuses `unknown-rating`."""
    row = _found(ladder, name)
    if row is None:
        raise Refused(RATING, "unknown-rating", rating=name)
    return row


def has_rating(ladder: Ladder, name: str) -> bool:
    return _found(ladder, name) is not None


def _found(ladder: Ladder, name: str) -> Row | None:
    asked = same_name(name)
    own = next((row for row in ladder if same_name(row[0]) == asked), None)
    if own is None and asked == MODERATE:
        return next((row for row in ladder if same_name(row[0]) == MODERATELY), None)
    return own


def primary(dials: Dials, ladder: Ladder) -> Row:
    """What the Primary Role counts as (`mnemonic.trait.primary`)."""
    return rating(ladder, dials.traits_primary_rating)


def chance(dials: Dials, name: str) -> Row:
    """The row of the Chances. Refuses `unknown-chances`."""
    asked = same_name(name)
    for row in chances(dials):
        if same_name(row[0]) == asked:
            return row
    raise Refused("mnemonic.chances.rating", "unknown-chances", chances=name)
