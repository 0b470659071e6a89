"""Collect all faults of a sheet: the first one becomes the refusal, and the others are listed with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from ledger.rules.kernel.json_types import join_pointer
from ledger.rules.kernel.refusals import Refused

T = TypeVar("T")
R = TypeVar("R")


class Faults:
    """Faults in the order of the rules, each with its place in the declaration.

    `warns`: whether unusual but playable numbers are accepted, and noted in `deviations`.
    """

    def __init__(self, *, warns: bool = False) -> None:
        self.warns = warns
        self.found: list[Refused] = []
        self.deviations: list[str] = []

    @contextmanager
    def at(self, *place: object) -> Iterator[None]:
        """Turn a refusal in this block into a fault at this place (`"sheet", "skills", 0`), unless the refusal names
        another place.
        """
        try:
            yield
        except Refused as fault:
            self.note(fault, *place)

    def each(self, items: Iterable[T], check: Callable[[T], R], *place: object) -> dict[int, R]:
        """Check each item, and return the results by index. A refusal becomes a fault at that index."""
        results = {}
        for number, item in enumerate(items):
            with self.at(*place, number):
                results[number] = check(item)
        return results

    def note(self, fault: Refused, *place: object, playable: bool = False) -> bool:
        """Note a refusal as a fault. If it is `playable` and the table only warns, accept it and return True."""
        if playable and self.warns:
            self.deviations.append(fault.code)
            return True
        if fault.pointer is None:
            fault.pointer = join_pointer(place)
        self.found += (fault, *fault.others)
        fault.others = ()
        return False

    def raise_found(self) -> None:
        """Raise the first fault, if there is one, and list the others with it."""
        if self.found:
            first_fault, *other_faults = self.found
            first_fault.others = tuple(other_faults)
            raise first_fault
