"""All faults of a sheet at once: the first one names the refusal, the others stand beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from ledger.rules.kernel.refusals import Refused

T = TypeVar("T")
R = TypeVar("R")


class Faults:
    """`warns`: a sheet whose numbers can be played is taken, and how it deviates is noted."""

    def __init__(self, warns: bool) -> None:
        self._warns = warns
        self._found: list[Refused] = []
        self.deviations: list[str] = []

    def each(self, things: Iterable[T], check: Callable[[T], R]) -> tuple[R, ...]:
        """What passes its check."""
        passed = []
        for one in things:
            try:
                passed.append(check(one))
            except Refused as fault:
                self._found.append(fault)
        return tuple(passed)

    def note(self, fault: Refused, *, playable: bool) -> None:
        if playable and self._warns:
            self.deviations.append(fault.code)
        else:
            self._found.append(fault)

    def tell(self) -> None:
        """Refuses with the first of them: `faults`, all codes; `details`, each with what it is about."""
        if not self._found:
            return
        first = self._found[0]
        codes = [one.code for one in self._found]
        details = [{"code": one.code, **one.context} for one in self._found]
        raise Refused(first.rule, first.code, **first.context, faults=codes, details=details)
