"""What is known of the database's disk: from saves, from tries, and for how long."""

from __future__ import annotations

import logging

import psycopg
import pytest

from ledger.events.away import describe_trouble
from ledger.events.disk import LATELY, Disk

FULL = psycopg.errors.DiskFull('could not extend file "base/1/2": No space left on device')


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def disk(clock: Clock) -> Disk:
    return Disk(clock)


def trouble(disk: Disk) -> str | None:
    return disk.trouble


def test_trouble_that_shows_in_tries_is_over_with_the_first_that_finds_room(disk: Disk) -> None:
    assert disk.note_failed_save(FULL) and disk.note_failed_test(FULL) and disk.note_failed_save(FULL)
    assert trouble(disk) == "full"
    disk.note_room()
    assert trouble(disk) is None and disk.sentence is None


def test_trouble_that_shows_in_saves_only_outweighs_tries_for_a_while(disk: Disk, clock: Clock) -> None:
    disk.note_failed_save(FULL)
    clock.now += LATELY
    disk.note_room()
    assert trouble(disk) == "full"
    clock.now += 1
    disk.note_room()
    assert trouble(disk) is None
    disk.note_failed_save(FULL)
    disk.note_room()
    assert trouble(disk) == "full", "what showed in tries once is forgotten"


def test_trouble_is_over_with_the_first_save(disk: Disk) -> None:
    disk.note_failed_save(FULL)
    disk.note_save()
    assert trouble(disk) is None


def test_errors_about_something_else_say_nothing_of_it(disk: Disk) -> None:
    lost = psycopg.OperationalError("server closed the connection unexpectedly")
    assert not disk.note_failed_save(lost) and not disk.note_failed_test(lost)
    assert trouble(disk) is None and describe_trouble(lost) == f"OperationalError: {lost}"


def test_it_is_logged_once_and_without_paths(disk: Disk, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "ledger.disk"):
        for _ in range(3):
            disk.note_failed_save(FULL)
            disk.note_failed_test(FULL)
        disk.note_save()
        disk.note_save()
    assert [(line.levelname, line.getMessage()) for line in caplog.records] == [
        ("ERROR", "A disk of the database is full. Nothing can be saved until there is space."),
        ("WARNING", "The database's disk has space again."),
    ]
