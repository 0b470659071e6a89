"""A primary and a real hot standby of it: what is read there is never older than what the primary would answer."""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil
import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from api.embedded import EmbeddedPostgres
from api.embedded.account import find_server_account, hand_over
from api.embedded.process import find_free_port, find_postmaster, forget_reused_process
from api.embedded.programs import find_program_folder, run_program
from api.service.database import Database, find_logins
from api.service.environment import Settings
from api.service.standby import Standby
from ledger.application import Ledger, make_environment
from ledger.errors import Fault
from projections.views.projector import Projector
from tests.api.conftest import KEY, OPERATOR
from tests.api.process import process, service_of
from tests.api.table import Player, Service, Table
from tests.api.test_feed import listening
from tests.conftest import memory
from tests.waiting import wait_until

PAGES = ("/timeline?limit=3", "/rulings?limit=3", "/accounts", "/characters/1/history", "/seal", "/dice/faces")

#: A standby is made by a copy of the primary's files.
COPYING = "pg_basebackup"


@dataclass
class Copy:
    """A hot standby. `url`: the service's login to it; `owner`: to do as one likes with it."""

    folder: Path
    programs: Path
    port: int
    url: str
    owner: str

    def control(self, action: str, *more: str) -> None:
        account, said = find_server_account(self.folder), self.folder.parent / "standby.command"
        arguments = (action, f"--pgdata={self.folder}", "--wait", *more)
        assert run_program(self.programs / "pg_ctl", *arguments, account=account, log=said) == 0, said.read_text()

    def start(self) -> None:
        forget_reused_process(self.folder)
        settings = {"port": self.port, "listen_addresses": "127.0.0.1", "unix_socket_directories": ""}
        options = " ".join(f"-c {name}={value}" for name, value in {**settings, "max_connections": 60}.items())
        self.control("start", f"--log={self.folder / 'said'}", f"--options={options} -c io_method=sync")

    def execute(self, statement: str) -> object:
        with psycopg.connect(self.owner, autocommit=True) as connection:
            return (connection.execute(statement.encode()).fetchone() or (None,))[0]

    @property
    def family(self) -> list[psutil.Process]:
        found = find_postmaster(self.folder)
        assert found is not None
        first = psutil.Process(found[0])
        return [first, *first.children(recursive=True)]

    @contextmanager
    def paused(self) -> Iterator[None]:
        """It answers, and hears of nothing new."""
        self.execute("SELECT pg_wal_replay_pause()")
        wait_until(lambda: self.execute("SELECT pg_get_wal_replay_pause_state()") == "paused")
        yield
        self.execute("SELECT pg_wal_replay_resume()")

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Its lines stay open, and nobody answers."""
        family = self.family
        for one in family:
            one.suspend()
        try:
            yield
        finally:
            for one in family:
                one.resume()

    def kill(self) -> None:
        family = self.family
        for one in family:
            with suppress(psutil.NoSuchProcess):
                one.kill()
        wait_until(lambda: not any(map(runs, family)))


def runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.fixture(scope="module")
def primary() -> Iterator[EmbeddedPostgres]:
    folder = Path(tempfile.mkdtemp(prefix="ledger-", dir=memory()))
    try:
        with EmbeddedPostgres(folder / "data") as embedded:
            yield embedded
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def database(primary: EmbeddedPostgres) -> Database:
    found = find_logins(Settings.model_construct(shelves=2), lambda: KEY, primary.owner_url)
    found.migrate()
    return found


@pytest.fixture(scope="module")
def copy(primary: EmbeddedPostgres, database: Database) -> Iterator[Copy]:
    """Streaming, from a copy of the primary's files."""
    programs = find_program_folder(primary.cluster)
    if not any((programs / name).exists() for name in (COPYING, f"{COPYING}.exe")):
        pytest.skip(f"there is no {COPYING} with the tests' PostgreSQL: apt-get install postgresql-client")
    folder, account, port = primary.data / "standby", find_server_account(primary.cluster), find_free_port()
    said = primary.data / "copying"
    folder.mkdir(mode=0o700)
    hand_over(account, folder)
    arguments = (f"--dbname={make_conninfo(primary.owner_url)}", f"--pgdata={folder}", "--write-recovery-conf")
    copying = (*arguments, "--wal-method=stream", "--checkpoint=fast", "--no-sync")
    assert run_program(programs / COPYING, *copying, account=account, log=said) == 0, said.read_text()
    url, owner = (re.sub(r":\d+/", f":{port}/", one) for one in (database.service_url, primary.owner_url))
    made = Copy(folder, programs, port, url, owner)
    made.start()
    try:
        yield made
    finally:
        with suppress(AssertionError):
            made.control("stop", "--mode=immediate")


@pytest.fixture
def service(database: Database, copy: Copy, tmp_path: Path) -> Iterator[Service]:
    how = {"READ_URL": copy.url, "PROJECTOR_URL": database.projector_url, "RATE_LIMIT": "off"}
    with (
        process(tmp_path, database.service_url, database.schema, KEY, OPERATOR, **how) as one,
        service_of(one, OPERATOR) as service,
    ):
        wait_until(lambda: service.client.get("/readyz").status_code == 200)
        yield service


def reads(service: Service) -> dict[str, int]:
    """How many reads of views were answered by whom."""
    found = re.findall(r'ledger_view_reads_total\{by="(\w+)"\} (\d+)', service.client.get("/metrics").text)
    return {"standby": 0, "behind": 0, "away": 0, "failed": 0} | {by: int(count) for by, count in found}


def since(service: Service, before: dict[str, int]) -> dict[str, int]:
    return {by: count - before[by] for by, count in reads(service).items() if count != before[by]}


def read_all(one: Player) -> list[bytes]:
    answers = [one.get(path) for path in PAGES]
    assert {answer.status_code for answer in answers} == {200}, [answer.text for answer in answers]
    return [answer.content for answer in answers]


def read_there(service: Service, one: Player) -> list[bytes]:
    """Every page, all of them by the standby, once it has heard of everything."""

    def read() -> list[bytes] | None:
        before = reads(service)
        pages = read_all(one)
        return pages if since(service, before) == {"standby": len(PAGES)} else None

    return wait_until(read) or []


def campaigns(service: Service) -> list[str]:
    answer = service.send("GET", "/campaigns", service.operator)
    return [one["id"] for one in answer.json()["campaigns"]]


def test_who_is_named_to_be_read_or_written_is_looked_at_first(copy: Copy, database: Database) -> None:
    counted: list[str] = []
    with Ledger(make_environment(copy.url), KEY) as ledger, pytest.raises(Fault, match="read-only standby"):
        ledger.check_primary()
    with Ledger(make_environment(database.service_url), KEY) as ledger:
        ledger.check_primary()
        other = re.sub(r"/\w+$", "/postgres", copy.url)
        with pytest.raises(Fault, match="another database"), Standby(ledger, other, counted.append):
            pass
        with pytest.raises(Fault, match="a single standby"):
            Standby(ledger, copy.url.replace("@", "@127.0.0.2,"), counted.append)
        nowhere = re.sub(r":\d+/", f":{find_free_port()}/", copy.url)
        for url, usable in ((nowhere, False), (database.service_url, False), (copy.url, True)):
            with Standby(ledger, url, counted.append) as standby:
                assert standby.is_usable is usable


@pytest.mark.nightly
def test_what_is_read_is_as_new_as_on_the_primary_whatever_the_standby_does(
    service: Service, copy: Copy, database: Database, tmp_path: Path
) -> None:
    table = Table(service)
    table.fighters()
    table.gm.declare("mint", to="1", coins=1)
    _the_standby_answers(service, table)
    _every_write_is_read_at_once(service, table)
    with copy.paused():
        _views_built_anew_are_not_read_in_their_old_making(service, database, table)
        _what_it_has_not_heard_is_told_all_the_same(service, copy, table)
    read_there(service, table.gm)
    _nobody_waits_twice_for_one_that_is_silent(service, copy, table)
    _killed_under_readers_nobody_hears_of_it(service, copy, table)
    copy.start()
    read_there(service, table.gm)
    _made_a_primary_it_is_asked_no_more(service, copy, table)


def _the_standby_answers(service: Service, table: Table) -> None:
    read_there(service, table.ben)
    before = reads(service)
    assert campaigns(service) == [table.id]
    assert since(service, before) == {"standby": 1}
    assert service.send("GET", "/readyz").json()["standby_bytes_behind"] >= 0


def _every_write_is_read_at_once(service: Service, table: Table) -> None:
    for _ in range(10):
        number = table.gm.declare("mint", to="1", coins=1)["number"]
        (last,) = table.ben.look("/timeline", limit=1, order="desc")["facts"]
        assert last["ruling"] == number


def _views_built_anew_are_not_read_in_their_old_making(service: Service, database: Database, table: Table) -> None:
    """Though they are at the same place of the record."""
    there = read_all(table.gm)
    with Projector(database.projector_url, database.schema) as projector:
        projector.rebuild()
    before = reads(service)
    assert read_all(table.gm) == there
    assert since(service, before) == {"behind": len(PAGES)}


def _what_it_has_not_heard_is_told_all_the_same(service: Service, copy: Copy, table: Table) -> None:
    before = reads(service)
    with listening(table.ben) as feed:
        _every_write_is_read_at_once(service, table)
        assert len(feed.until(10)) >= 10
    assert since(service, before).get("behind", 0) >= 10
    another = Table(service)
    assert another.id in campaigns(service)
    assert table.gm.send("PATCH", f"/seats/{table.cleo.id}", json={"removed": True}).status_code in (200, 201)
    assert copy.execute("SELECT pg_get_wal_replay_pause_state()") == "paused"
    refused = {table.cleo.get(path).status_code for path in PAGES}
    assert refused in ({401}, {403})
    old = table.dora.token
    table.dora.token = table.gm.does(f"/seats/{table.dora.id}/token", status=200)["token"]
    assert table.dora.get("/timeline").status_code == 200
    headers = {"Authorization": f"Bearer {old}"}
    assert service.send("GET", f"/campaigns/{table.id}/timeline", headers).status_code in (401, 403)


def _nobody_waits_twice_for_one_that_is_silent(service: Service, copy: Copy, table: Table) -> None:
    before = reads(service)
    with copy.frozen():
        read_all(table.gm)
        read_all(table.gm)
    found = since(service, before)
    assert set(found) == {"away"} and found["away"] >= 2 * len(PAGES)  # whose feed ended may be looked for once more


def _killed_under_readers_nobody_hears_of_it(service: Service, copy: Copy, table: Table) -> None:
    there = read_there(service, table.gm)
    url, headers = f"{service.client.base_url}/campaigns/{table.id}/timeline", table.gm.bearer
    stop = time.monotonic() + 2

    def reader(_: int) -> set[int]:
        with httpx.Client(headers=headers, timeout=120) as client:
            found = set[int]()
            while time.monotonic() < stop:
                found.add(client.get(url).status_code)
            return found

    with ThreadPoolExecutor(4) as pool:
        readers = pool.map(reader, range(4))
        time.sleep(0.5)
        copy.kill()
        assert set().union(*readers) == {200}
    assert read_all(table.gm) == there  # by the primary now, byte for byte


def _made_a_primary_it_is_asked_no_more(service: Service, copy: Copy, table: Table) -> None:
    copy.control("promote")
    before = reads(service)
    _every_write_is_read_at_once(service, table)
    found = since(service, before)  # a page is asked for again while the views are behind
    assert set(found) == {"away"} and found["away"] >= 10
