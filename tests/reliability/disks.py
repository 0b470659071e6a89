"""Small file systems to be filled: of a server's files, or of its log alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

SIZE = "192m"
PIECE = 1 << 20  # bytes
SEGMENT = 16 << 20  # bytes of a file of the server's log
NEAR = 60_000  # bytes before its end


@contextmanager
def small_disk(size: str = SIZE) -> Iterator[Path]:
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root on Linux can mount the small file system that this test fills")
    place = Path(tempfile.mkdtemp(prefix="ledger-disk-"))
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size},mode=755", "tmpfs", place],
        check=False,
        capture_output=True,
        text=True,
    )
    if mounted.returncode != 0:
        place.rmdir()
        pytest.skip(f"this machine lets nobody mount a small file system: {mounted.stderr.strip()}")
    try:
        yield place
    finally:
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


def move_log(cluster: Path, disk: Path) -> None:
    """Put the log of a server that does not run onto a disk of its own."""
    log, moved = cluster / "pg_wal", disk / "pg_wal"
    owner = log.stat()
    shutil.move(log, moved)
    for path in (moved, *moved.rglob("*")):
        os.chown(path, owner.st_uid, owner.st_gid)
    log.symlink_to(moved)


def write_log(owner_url: str, least: int = NEAR) -> None:
    """Write the log of a running server until less than so many bytes are left in the file that it is in."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        query = f"SELECT {SEGMENT} - (pg_current_wal_insert_lsn() - '0/0')::bigint % {SEGMENT}".encode()
        row = connection.execute(query).fetchone()
        assert row is not None
        if row[0] > least:
            text = "SELECT pg_logical_emit_message(false, 'test', repeat('x', %s))"
            connection.execute(text, [int(row[0]) - least])
