"""Whether the service can really serve: every named check passes, within two seconds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fastapi.concurrency import run_in_threadpool

from ledger.errors import Fault, LedgerError, Unavailable

PATIENCE = 2.0  # seconds


@dataclass(frozen=True, slots=True)
class Check:
    """`pass_` raises a LedgerError whose sentence says what is missing, or returns values worth reporting.

    It is called in a thread, one call at a time.
    """

    name: str
    pass_: Callable[[], Mapping[str, int] | None]


@dataclass
class Readiness:
    """`checks`: others may be added. However many ask at once, one look is taken, and all get its result.

    `figures`: what the checks returned at the last look.
    """

    checks: list[Check] = field(default_factory=list)
    figures: dict[str, int] = field(default_factory=dict)
    _looking: asyncio.Task[dict[str, LedgerError]] | None = None
    _found: dict[str, LedgerError] = field(default_factory=dict)
    _under_way: str = ""

    async def list_failures(self) -> dict[str, LedgerError]:
        """Return the failures by check, in order. A check that does not end in time fails, too. None: ready."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        finished, _ = await asyncio.wait({self._looking}, timeout=PATIENCE)
        if finished:
            return self._looking.result()
        about = f"The check of the {self._under_way} did not end within {PATIENCE:g} seconds."
        return {**self._found, self._under_way: Unavailable(about, code="check-too-slow")}

    async def _look(self) -> dict[str, LedgerError]:
        failures = self._found = {}
        figures: dict[str, int] = {}
        for check in list(self.checks):
            self._under_way = check.name
            try:
                answer: Mapping[str, int] | None = await run_in_threadpool(check.pass_)
                figures |= answer if answer is not None else {}
            except LedgerError as error:
                failures[check.name] = error
            except Exception:  # noqa: BLE001  a check that breaks does not pass
                failures[check.name] = Fault("The check itself met a fault.")
        self.figures = figures
        return failures
