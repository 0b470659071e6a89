"""The disk is full, and later it is not: nothing answered is lost, and work goes on. On a small file system."""

from __future__ import annotations

import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import httpx
import psycopg
import pytest

from api.embedded import EmbeddedPostgres
from tests.reliability.checks import SHORT, require_all
from tests.reliability.disks import fill, move_log, small_disk, write_log
from tests.reliability.postgres import Server
from tests.reliability.system import System, Unreliable, running
from tests.reliability.writers import Deed, table, writing
from tests.test_up import address, open_campaign, until_ready, up
from tests.waiting import PATIENCE, wait_until

FULL = 1.5  # seconds
SAYS = "A disk of the database is full. Nothing can be saved until there is space."


@pytest.fixture
def disk() -> Iterator[Path]:
    with small_disk() as disk:
        yield disk


@pytest.fixture
def log_disk() -> Iterator[Path]:
    with small_disk("96m") as disk:
        yield disk


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


@pytest.mark.nightly  # by default: nothing is lost in reliability/test_kills
def test_nothing_answered_is_lost_when_the_disk_is_full(disk: Path, rounds: int) -> None:
    with server_on(disk) as server, running(server) as system:
        assert survives_a_full_disk(system, disk, max(1, rounds // 5)) > 0, "nobody was turned away: nothing was tried"
        assert "No space left on device" in (server.folder / "data" / "log").read_text()


@pytest.mark.nightly
def test_a_service_that_answers_before_it_saves_is_found_out(disk: Path) -> None:
    with (
        server_on(disk) as server,
        running(server, "hasty") as system,
        pytest.raises(Unreliable, match="answered and not recorded"),
    ):
        survives_a_full_disk(system, disk, 1)


# --- what is said of it ---


def owner_of(server: Server) -> tuple[int, int]:
    files = server.cluster.stat()
    return files.st_uid, files.st_gid


def unready(client: httpx.Client) -> str:
    """The sentence in which `/readyz` says that a disk is full, once it does."""
    answers: list[httpx.Response] = []

    def says_so() -> bool:
        answers.append(client.get("/readyz"))
        return answers[-1].status_code == 503 and answers[-1].json()["code"] == "disk-full"

    wait_until(says_so)
    problem = answers[-1].json()
    assert "database" in problem["context"]["failed"]
    return str(problem["detail"])


def must_be_said_without_paths(system: System, *places: Path) -> None:
    """In the log, once for all that failed."""
    assert [line["level"] for line in system.service.log(SAYS)] == ["ERROR"]
    for place in (*map(str, places), "pg_wal", "base/", "pgsql_tmp", "No space left"):
        assert place not in system.service.said


@pytest.mark.nightly
def test_a_full_disk_is_said_before_anything_is_to_be_saved(disk: Path) -> None:
    with server_on(disk) as server, running(server) as system, system.client() as client:
        where = table(client)
        until_ready(client)
        ballast = disk / "ballast"
        fill(ballast)
        assert unready(client) == SAYS
        ballast.unlink()
        until_ready(client)
        assert Deed(where, 1, "1").ask(client).status_code == 201
        must_be_said_without_paths(system, disk)
        assert system.service.log("The database's disk has space again.")


@pytest.mark.nightly
def test_a_save_that_found_no_room_counts_where_the_disk_that_is_tried_has_some(disk: Path, log_disk: Path) -> None:
    """Temporary files on another disk than the tables."""
    with server_on(disk) as server:
        elsewhere = log_disk / "elsewhere"
        elsewhere.mkdir()
        shutil.chown(elsewhere, *owner_of(server))
        server.execute(f"CREATE TABLESPACE elsewhere LOCATION '{elsewhere}'")
        given = "ALTER ROLE {role} SET temp_tablespaces = elsewhere"
        with running(server, before=given) as system, system.client() as client:
            server.execute("GRANT CREATE ON TABLESPACE elsewhere TO ledger_service")
            where = table(client)
            ballast, coins = disk / "ballast", count(1)
            fill(ballast)
            until_ready(client)
            while (answer := Deed(where, next(coins), "1").ask(client)).status_code == 201:
                fill(ballast)
            assert (answer.status_code, answer.json()["code"], answer.json()["detail"]) == (503, "database-away", SAYS)
            assert unready(client) == SAYS
            ballast.unlink()
            assert Deed(where, next(coins), "1").ask(client).status_code == 201
            assert client.get("/readyz").status_code == 200
            must_be_said_without_paths(system, disk, log_disk)


@pytest.mark.nightly  # by default: in test_outage a server that is away, here a full disk that is said
def test_a_server_that_stops_for_want_of_room_for_its_log_is_said_to_be_away_and_why(
    disk: Path, log_disk: Path
) -> None:
    with server_on(disk) as server:
        server.stop()
        move_log(server.cluster, log_disk)
        server.start()
        with running(server) as system, system.client() as client:
            where = table(client)
            write_log(server.owner_url)
            ballast, coins = log_disk / "ballast", count(1)
            fill(ballast)
            while (answer := Deed(where, next(coins), "1").ask(client)).status_code == 201:
                pass
            assert (answer.status_code, answer.json()["code"]) == (503, "database-away")
            server.wait_for_its_end()
            said = "The database is not responding. When it last responded, one of its disks was full."
            assert unready(client) == said
            ballast.unlink()
            server.revive()  # as whatever started it would
            until_ready(client)
            assert Deed(where, next(coins), "1").ask(client).status_code == 201
            must_be_said_without_paths(system, disk, log_disk)


@pytest.mark.nightly  # by default, after it was killed, in test_up
def test_the_server_beside_the_service_is_started_again_once_there_is_room_for_its_log(
    disk: Path, log_disk: Path
) -> None:
    """It is not the service that found the disk full: only the server's own log says so."""
    data = disk / "data"
    with up(data, "--no-demo") as first, httpx.Client(base_url=address(first), timeout=60) as client:
        until_ready(client)
        opened = open_campaign(client, "Kept")
        first.process.send_signal(signal.SIGTERM)
        assert first.process.wait(PATIENCE) == 0
    embedded = EmbeddedPostgres(data)
    move_log(embedded.cluster, log_disk)
    with up(data, "--no-demo") as second, httpx.Client(base_url=address(second), timeout=60) as client:
        until_ready(client)
        url = embedded.find_url_if_running()
        assert url is not None
        ballast = log_disk / "ballast"
        fill(ballast)
        with pytest.raises(psycopg.OperationalError):
            while True:
                write_log(url, 0)
        assert "full" in unready(client)
        ballast.unlink()
        until_ready(client)
        assert open_campaign(client, "Kept") == opened
        second.process.send_signal(signal.SIGTERM)
        said = second.process.communicate(timeout=PATIENCE)[0]
        assert SAYS in said and "PostgreSQL is running again." in said
        for line in said.splitlines():
            assert not line.startswith("{") or (str(disk) not in line and "pg_wal" not in line)
