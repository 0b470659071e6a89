"""The disk is full, and later it is not: nothing answered is lost, and work goes on. On a small file system."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.reliability.checks import SHORT, require_all
from tests.reliability.postgres import Server
from tests.reliability.system import System, Unreliable, running
from tests.reliability.writers import writing

SIZE = "192m"
PIECE = 1 << 20  # bytes
FULL = 1.5  # seconds


@pytest.fixture
def disk() -> Iterator[Path]:
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root on Linux can mount the small file system that this test fills")
    place = Path(tempfile.mkdtemp(prefix="ledger-disk-"))
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", place], check=False, capture_output=True, text=True
    )
    if mounted.returncode != 0:
        place.rmdir()
        pytest.skip(f"this machine lets nobody mount a small file system: {mounted.stderr.strip()}")
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)
    place.rmdir()


def fill(ballast: Path) -> None:
    """Take all the room that is left."""
    with ballast.open("ab", buffering=0) as file:
        size = PIECE
        while size:
            try:
                file.write(bytes(size))
            except OSError:
                size //= 2


def survives_a_full_disk(system: System, disk: Path, rounds: int) -> int:
    """Work on an empty, a full and an empty disk again; how many requests were turned away for the time being."""
    ballast = disk / "ballast"
    with writing(system) as writers:
        for _ in range(rounds):
            writers.wait(SHORT)
            until = time.monotonic() + FULL
            while time.monotonic() < until and not writers.complaints:
                fill(ballast)
                time.sleep(0.05)
            ballast.unlink()
            system.server.revive()
            writers.wait(SHORT)
    require_all(system, writers)
    return writers.away


@contextmanager
def server_on(disk: Path) -> Iterator[Server]:
    server = Server(disk / "postgres")
    try:
        yield server
    finally:
        server.close()


def test_nothing_answered_is_lost_when_the_disk_is_full(disk: Path, rounds: int) -> None:
    with server_on(disk) as server, running(server) as system:
        assert survives_a_full_disk(system, disk, max(1, rounds // 5)) > 0, "nobody was turned away: nothing was tried"
        assert "No space left on device" in (server.folder / "data" / "log").read_text()


def test_a_service_that_answers_before_it_saves_is_found_out(disk: Path) -> None:
    with (
        server_on(disk) as server,
        running(server, "hasty") as system,
        pytest.raises(Unreliable, match="answered and not recorded"),
    ):
        survives_a_full_disk(system, disk, 1)
