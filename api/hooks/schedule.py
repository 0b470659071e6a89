"""When a failed delivery is tried again, and when it is given up."""

from __future__ import annotations

from datetime import datetime, timedelta

WAITS = [timedelta(seconds=seconds) for seconds in (5, 300, 1800, 7200, 18000)]  # the last one repeats
GIVEN_UP = timedelta(days=1)
SPREAD = 0.2  # the largest random share of a wait, so that hooks that failed together are not tried together


def find_next_try(failure_count: int, failing_since: datetime, now: datetime, chance: float) -> datetime | None:
    """Return when to try again; None after a day of failures.

    `failure_count`: in a row, including this one; the first was at `failing_since`. `chance`: from 0 up to 1.
    """
    if now - failing_since >= GIVEN_UP:
        return None
    wait = WAITS[min(failure_count, len(WAITS)) - 1] * (1 + SPREAD * chance)
    return min(now + wait, failing_since + GIVEN_UP)
