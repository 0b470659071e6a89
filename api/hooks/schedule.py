"""When to try a failed delivery again, and when to give up."""

from __future__ import annotations

from datetime import datetime, timedelta

WAITS = [timedelta(seconds=seconds) for seconds in (5, 300, 1800, 7200, 18000)]  # the last wait is repeated
GIVEN_UP = timedelta(days=1)
SPREAD = 0.2  # the largest random part of a wait, so that simultaneous failures are not tried again together


def find_next_try(failure_count: int, failing_since: datetime, now: datetime, chance: float) -> datetime | None:
    """Return the time of the next attempt, or None after a day of failures.

    `failure_count`: the number of failures in a row, including this one. `failing_since`: the time of the first of
    them. `chance`: a random number from 0 up to 1.
    """
    if now - failing_since >= GIVEN_UP:
        return None
    wait = WAITS[min(failure_count, len(WAITS)) - 1] * (1 + SPREAD * chance)
    return min(now + wait, failing_since + GIVEN_UP)
