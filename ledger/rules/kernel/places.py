"""The order of rulings in play.

In play, rulings are in the order of their numbers, except those entered late. A late entry comes right after the ruling
that it names, before the next number. Several late entries after the same ruling are in the order of their numbers.

A place is one number, so places are fast to compare.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Protocol

#: Every ruling's number fits into this many bits.
BITS = 31
LAST_LATE = (1 << BITS) - 1


class InPlay(Protocol):
    """A ruling, or something that a ruling recorded. `after`: the ruling that a late entry follows in play, else 0."""

    @property
    def ruling(self) -> int: ...
    @property
    def after(self) -> int: ...
    @property
    def step(self) -> int: ...


def place_of(number: int, after: int = 0) -> int:
    """Return the place of a ruling. `after`: the ruling that a late entry follows in play, else 0."""
    return after << BITS | number if after else number << BITS


def place_of_end(number: int, after: int = 0) -> int:
    """Return the last place that belongs to the ruling, after all late entries that follow it."""
    return place_of(number, after) if after else number << BITS | LAST_LATE


def find_base(place: int) -> int:
    """Return the number of the ruling at this place, or, for a late entry, of the ruling that it follows."""
    return place >> BITS


def name_place(number: int, after: int = 0, ordinal: int = 1) -> str:
    """Return a place in words: `12`, or `12a` for the first ruling entered late after ruling 12."""
    return f"{after}{_name_letters(ordinal)}" if after else str(number)


def _name_letters(ordinal: int) -> str:
    """Return a, b, ... z, aa, ab, ..."""
    letters = ""
    while ordinal:
        ordinal, letter_index = divmod(ordinal - 1, 26)
        letters = chr(ord("a") + letter_index) + letters
    return letters


def get_fold_key(record: InPlay) -> tuple[int, int]:
    """Return the key that sorts records in the order in which they are folded."""
    return place_of(record.ruling, record.after), record.step


AFTER = attrgetter("after")
#: The sort key if no record was entered late.
RULING_AND_STEP = attrgetter("ruling", "step")
