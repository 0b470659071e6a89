"""The embedded PostgreSQL keeps what was committed, lets nobody else in, and leaves nothing running."""

import errno
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import psutil
import psycopg
import pytest

from api.embedded import EmbeddedPostgres, EmbeddedPostgresError, account, server
from api.embedded.account import add_search_permission, find_server_account, make_identity
from api.embedded.process import find_free_port
from tests.conftest import Postgres, copy_data, memory

ROOT = sys.platform != "win32" and os.geteuid() == 0


@pytest.fixture(scope="session")
def stopped_server() -> Iterator[Path]:
    """The data folder of a server that was started once, and stopped."""
    folder = Path(tempfile.mkdtemp(prefix="ledger-", dir=memory()))
    with EmbeddedPostgres(folder / "data"):
        pass
    yield folder / "data"
    shutil.rmtree(folder)


@pytest.fixture
def embedded(stopped_server: Path, data_folder: Path):
    copy_data(stopped_server, data_folder)
    with EmbeddedPostgres(data_folder) as running:
        yield running


def note(url: str, text: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS notes (text text NOT NULL)")
        connection.execute("INSERT INTO notes VALUES (%s)", [text])


def notes(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        return [text for (text,) in connection.execute("SELECT text FROM notes ORDER BY text")]


def started_at(url: str) -> object:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT pg_postmaster_start_time()").fetchone()
        assert row is not None
        return row[0]


def postmaster(embedded: EmbeddedPostgres) -> psutil.Process:
    return psutil.Process(int((embedded.cluster / "postmaster.pid").read_text().splitlines()[0]))


# -- keeping ---------------------------------------------------------------------------------------------------------


def test_rows_stay_when_it_stops(embedded):
    note(embedded.owner_url, "Giazza owes two")
    embedded.stop()
    embedded.start()
    assert notes(embedded.owner_url) == ["Giazza owes two"]


def test_committed_rows_survive_a_killed_server(embedded):
    for round_ in ("1", "2", "3"):
        note(embedded.owner_url, round_)
        postmaster(embedded).kill()
        embedded.stop()
        embedded.start()  # at once: the server's other processes may still be leaving
    assert notes(embedded.owner_url) == ["1", "2", "3"]


def test_a_server_left_by_a_killed_ledger_is_taken_over(data_folder):
    url = printed_by_a_killed_ledger(data_folder, "print(database.start(), flush=True)")
    note(url, "written meanwhile")
    before = started_at(url)
    with EmbeddedPostgres(data_folder) as embedded:
        assert embedded.owner_url == url
        assert started_at(embedded.owner_url) == before
        assert notes(embedded.owner_url) == ["written meanwhile"]


def test_one_left_while_stopping_is_waited_for_and_started_anew(embedded, data_folder):
    note(embedded.owner_url, "kept")
    before = started_at(embedded.owner_url)
    postmaster(embedded).send_signal(signal.SIGINT)  # what a fast shutdown is
    embedded._lock.release()  # as a killed ledger's would be
    with EmbeddedPostgres(data_folder) as again:
        assert started_at(again.owner_url) != before
        assert notes(again.owner_url) == ["kept"]


def test_an_interrupted_initialisation_is_done_again(data_folder):
    program = """
threading.Thread(target=database.start).start()
while not list(database.data.glob("cluster.unfinished-*/base")):
    pass
print("begun", flush=True)
"""
    assert printed_by_a_killed_ledger(data_folder, program) == "begun"
    assert list(data_folder.glob("cluster.unfinished-*"))
    with EmbeddedPostgres(data_folder) as embedded:
        note(embedded.owner_url, "whole")
        assert notes(embedded.owner_url) == ["whole"]


def printed_by_a_killed_ledger(data: Path, program: str) -> str:
    """Run a ledger in a process of its own, kill it as soon as it has printed a line, return the line."""
    whole = f"""
import threading, time
from pathlib import Path
from api.embedded import EmbeddedPostgres
database = EmbeddedPostgres(Path({str(data)!r}))
{program}
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", whole], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline().strip()
        process.kill()
    return line


# -- what may be in the way of a start -------------------------------------------------------------------------------


def test_a_stale_note_whose_process_number_is_taken_again(embedded):
    embedded.stop()
    user = find_server_account(embedded.cluster)
    # The server looks only at programs of its own account, which may not reach our Python.
    command = [sys.executable, "-c", "input()"] if user is None else ["/bin/cat"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, cwd="/", **make_identity(user)) as other:
        lines = [str(other.pid), str(embedded.cluster), str(int(time.time())), "1", "", "127.0.0.1", "0 0", "ready"]
        (embedded.cluster / "postmaster.pid").write_text("\n".join(lines) + "\n")
        embedded.start()
        other.communicate(b"\n")
    assert postmaster(embedded).pid != other.pid


def test_a_port_taken_at_the_last_moment(embedded, monkeypatch):
    embedded.stop()
    free = find_free_port()
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        ports = iter([taken.getsockname()[1], free])
        monkeypatch.setattr(server, "find_free_port", lambda: next(ports))
        assert f":{free}/" in embedded.start()


def test_two_ledgers_cannot_share_the_data(embedded, data_folder):
    with pytest.raises(EmbeddedPostgresError) as refusal:
        EmbeddedPostgres(data_folder).start()
    assert str(data_folder) in str(refusal.value)
    note(embedded.owner_url, "undisturbed")


def test_a_failed_start_says_what_the_server_said(embedded, monkeypatch):
    embedded.stop()
    monkeypatch.setitem(server.SETTINGS, "shared_buffers", "plenty")
    with pytest.raises(EmbeddedPostgresError, match='invalid value for parameter "shared_buffers": "plenty"'):
        embedded.start()
    monkeypatch.undo()
    embedded.start()


def test_a_file_in_the_place_of_the_folder(data_folder):
    data_folder.parent.mkdir(parents=True)
    data_folder.write_text("")
    with pytest.raises(EmbeddedPostgresError, match="Choose another with --data"):
        EmbeddedPostgres(data_folder).start()


def test_a_lost_password_is_named(embedded):
    embedded.stop()
    (embedded.data / "owner-password").unlink()
    with pytest.raises(EmbeddedPostgresError, match="owner-password is missing"):
        embedded.start()


# -- who gets in -----------------------------------------------------------------------------------------------------


def test_a_wrong_password_is_refused(embedded):
    user, host = embedded.owner_url.rsplit("@", 1)
    guess = user.rsplit(":", 1)[0] + ":guess@" + host
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(guess)


@pytest.mark.skipif(sys.platform == "win32", reason="modes and accounts are POSIX")
def test_other_accounts_are_kept_out_and_the_server_is_not_root(data_folder):
    closed = data_folder.parents[2]
    with EmbeddedPostgres(data_folder) as embedded:
        uids = set()
        for process in processes_of(embedded):
            with suppress(psutil.NoSuchProcess):  # a worker may have ended meanwhile
                uids.add(process.uids().real)
        assert uids == {postmaster(embedded).uids().real}
        assert postmaster(embedded).uids().real != 0
    for place in (data_folder / "owner-password", data_folder / "cluster", data_folder, *data_folder.parents[:3]):
        assert place.stat().st_mode & 0o007 == 0, place
    assert (data_folder / "owner-password").stat().st_mode & 0o777 == 0o600
    assert closed.stat().st_uid == os.geteuid()


@pytest.mark.skipif(not ROOT, reason="only root runs the server as somebody else")
def test_a_closed_folder_on_the_way_is_named_where_it_cannot_be_passed(data_folder, monkeypatch):
    monkeypatch.setattr(account, "_grant_search_permission", no_access_control_lists)
    closed = data_folder.parents[2]
    with pytest.raises(EmbeddedPostgresError, match=f"cannot enter {closed}: choose another folder with --data"):
        EmbeddedPostgres(data_folder).start()
    assert closed.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(not ROOT, reason="only root runs the server as somebody else")
def test_our_own_folder_needs_no_access_control_list(data_folder, monkeypatch):
    monkeypatch.setattr(account, "_grant_search_permission", no_access_control_lists)
    own = data_folder.parents[2]
    with EmbeddedPostgres(own) as embedded:
        note(embedded.owner_url, "reached")
    assert own.stat().st_mode & 0o777 == 0o711


def no_access_control_lists(folder: Path, uid: int) -> None:
    raise OSError(errno.ENOTSUP, "Operation not supported")


def test_the_server_as_the_ledger_needs_it(embedded):
    wanted = {
        "data_checksums": "on",
        "fsync": "on",
        "server_encoding": "UTF8",
        "listen_addresses": "127.0.0.1",
        "unix_socket_directories": "",
        "TimeZone": "UTC",
    }
    with psycopg.connect(embedded.owner_url) as connection:
        query = "SELECT name, setting FROM pg_settings WHERE name = ANY(%s)"
        assert dict(connection.execute(query, [list(wanted)]).fetchall()) == wanted
        ordered = connection.execute("SELECT v FROM unnest(ARRAY['é', 'a', 'Z', 'z']) v ORDER BY v").fetchall()
        assert [value for (value,) in ordered] == ["Z", "a", "z", "é"]


U, X, RX = 1000, 1, 5
OWNER, GROUP, OTHER = (0x01, 7, 0xFFFFFFFF), 0x04, (0x20, 0, 0xFFFFFFFF)


@pytest.mark.parametrize(
    ("what", "before", "after"),
    [
        ("closed folder", [(GROUP, 0)], [(0x02, X, U), (GROUP, 0), (0x10, X)]),
        ("the group keeps its access", [(GROUP, RX)], [(0x02, X, U), (GROUP, RX), (0x10, RX)]),
        (
            "read becomes read and search",
            [(0x02, 4, U), (GROUP, 0), (0x10, 4)],
            [(0x02, RX, U), (GROUP, 0), (0x10, RX)],
        ),
        (
            "what the mask held back stays back",
            [(0x02, 7, 5), (GROUP, 7), (0x10, 0)],
            [(0x02, 0, 5), (0x02, X, U), (GROUP, 0), (0x10, X)],
        ),
    ],
)
def test_search_for_one_user_is_more_for_nobody_else(what, before, after):
    def whole(entries):
        return [OWNER, *((*entry, 0xFFFFFFFF)[:3] for entry in entries), OTHER]

    assert add_search_permission(whole(before), U) == whole(after)


# -- leaving ---------------------------------------------------------------------------------------------------------


def processes_of(embedded: EmbeddedPostgres) -> list[psutil.Process]:
    server_process = postmaster(embedded)
    return [server_process, *server_process.children(recursive=True)]


def test_stopping_leaves_no_process_and_may_be_repeated(embedded):
    processes = processes_of(embedded)
    assert len(processes) > 1
    embedded.stop()
    embedded.stop()
    assert psutil.wait_procs(processes, timeout=120)[1] == []
    with pytest.raises(EmbeddedPostgresError, match="is not running"):
        _ = embedded.owner_url


def test_the_folder_can_be_moved(embedded, data_folder):
    note(embedded.owner_url, "carried")
    embedded.stop()
    moved = data_folder.parents[2] / "elsewhere"
    shutil.move(data_folder, moved)
    with EmbeddedPostgres(moved) as again:
        assert notes(again.owner_url) == ["carried"]


def test_the_database_of_the_tests_is_a_real_one(postgres: Postgres):
    with psycopg.connect(postgres.owner_url) as connection:
        row = connection.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user").fetchone()
    assert row == (True,)
