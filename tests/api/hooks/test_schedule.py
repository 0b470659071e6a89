"""When a failed delivery is tried again: soon, then seldom, for a day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from api.hooks.schedule import find_next_try

THEN = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("failures", "chance", "seconds"),
    [
        (1, 0.0, 5),
        (1, 0.5, 5.5),
        (2, 0.0, 300),
        (3, 0.0, 1800),
        (4, 0.0, 7200),
        (5, 0.0, 18000),
        (6, 0.0, 18000),
        (60, 0.5, 19800),
    ],
)
def test_it_waits_longer_each_time(failures: int, chance: float, seconds: float) -> None:
    assert find_next_try(failures, THEN, THEN, chance) == THEN + timedelta(seconds=seconds)


def test_the_last_try_is_a_day_after_the_first() -> None:
    for chance in (0.0, 0.5, 0.999):
        now, tries = THEN, 1
        while (again := find_next_try(tries, THEN, now, chance)) is not None:
            now, tries = again, tries + 1
        assert now == THEN + timedelta(days=1) and tries == 10 - round(chance > 0.4)
