"""Whether the service is ready: every check must pass within two seconds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fastapi.concurrency import run_in_threadpool

from ledger.errors import Fault, LedgerError, Unavailable

PATIENCE = 2.0  # seconds


@dataclass(frozen=True, slots=True)
class Check:
    """A named check. `run` raises a LedgerError that says what is missing, or returns values to report.

    `run` is called in a thread, one call at a time.
    """

    name: str
    run: Callable[[], Mapping[str, int] | None]


@dataclass
class Readiness:
    """Runs the checks. Callers may add to `checks`. Simultaneous requests share one run and its result.

    `figures`: the values that the checks returned in the last run.
    """

    checks: list[Check] = field(default_factory=list)
    figures: dict[str, int] = field(default_factory=dict)
    _task: asyncio.Task[dict[str, LedgerError]] | None = None
    _failures: dict[str, LedgerError] = field(default_factory=dict)
    _current_check: str = ""

    async def find_failures(self) -> dict[str, LedgerError]:
        """Return the failures by check, in order. A check that takes too long fails. The dict is empty if the service
        is ready.
        """
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run_checks())
        finished_tasks, _ = await asyncio.wait({self._task}, timeout=PATIENCE)
        if finished_tasks:
            return self._task.result()
        message = f"The check of the {self._current_check} did not end within {PATIENCE:g} seconds."
        return {**self._failures, self._current_check: Unavailable(message, code="check-too-slow")}

    async def _run_checks(self) -> dict[str, LedgerError]:
        failures = self._failures = {}
        figures: dict[str, int] = {}
        for check in list(self.checks):
            self._current_check = check.name
            try:
                check_figures: Mapping[str, int] | None = await run_in_threadpool(check.run)
                figures |= check_figures if check_figures is not None else {}
            except LedgerError as error:
                failures[check.name] = error
            except Exception:  # noqa: BLE001  a check that crashes has not passed
                failures[check.name] = Fault("The check itself failed.")
        self.figures = figures
        return failures
