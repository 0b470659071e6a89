"""All faults of a sheet at once: the first one names the refusal, the others stand beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from ledger.rules.kernel.json_types import pointer_to
from ledger.rules.kernel.refusals import Refused

T = TypeVar("T")
R = TypeVar("R")


class Faults:
    """Noted in the order of the rules, each at its place in the input; what needs something unusable is left out.

    `warns`: a sheet whose numbers can be played is taken, and how it deviates is noted.
    """

    def __init__(self, *, warns: bool = False) -> None:
        self.warns = warns
        self.found: list[Refused] = []
        self.deviations: list[str] = []

    @contextmanager
    def at(self, *place: object) -> Iterator[None]:
        """Turn a refusal in this block into a fault at this place (`"sheet", "skills", 0`), unless it names another."""
        try:
            yield
        except Refused as fault:
            self.note(fault, *place)

    def each(self, things: Iterable[T], check: Callable[[T], R], *place: object) -> dict[int, R]:
        """Return what passes its check, by number. Anything else is a fault at its number below the place."""
        passed = {}
        for number, thing in enumerate(things):
            with self.at(*place, number):
                passed[number] = check(thing)
        return passed

    def note(self, fault: Refused, *place: object, playable: bool = False) -> bool:
        """Note a refusal. Return whether it is accepted all the same: a `playable` one, where the table warns."""
        if playable and self.warns:
            self.deviations.append(fault.code)
            return True
        if fault.pointer is None:
            fault.pointer = pointer_to(place)
        self.found += (fault, *fault.others)
        fault.others = ()
        return False

    def tell(self) -> None:
        """Refuse with the first of the faults, and the others beside it."""
        if self.found:
            first, *others = self.found
            first.others = tuple(others)
            raise first
