"""Behind a real PgBouncer that shares connections by transaction, where there is one on the machine."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from api.embedded import EmbeddedPostgres
from api.embedded.process import find_free_port
from api.service.database import Database, find_logins
from api.service.environment import Settings
from ledger.events.lines import IDLE, connect_outside_pool
from ledger.events.migration import hold_migration_lock
from tests.api.conftest import KEY, OPERATOR
from tests.api.process import process, service_of
from tests.api.table import Service, Table
from tests.api.test_feed import listening
from tests.waiting import wait_until

PROGRAM = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/bin")
SHELVES = 2
SHARED = 3  # connections to the server, of all who play
WRITERS, EACH = 8, 15
CONFIG = """[databases]
{dbname} = host=127.0.0.1 port={server} dbname={dbname}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {users}
pool_mode = transaction
max_client_conn = 500
default_pool_size = {shared}
"""

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="there is no PgBouncer here: apt-get install pgbouncer")


@pytest.fixture
def database(data_folder: Path) -> Iterator[Database]:
    with EmbeddedPostgres(data_folder) as embedded:
        found = find_logins(Settings.model_construct(shelves=SHELVES), lambda: KEY, embedded.owner_url)
        found.migrate()
        yield found


@pytest.fixture
def bouncer(database: Database) -> Iterator[str]:
    """The service's login through it. It does not run as root, and need not be able to read pytest's own folders."""
    given, owner, port = conninfo_to_dict(database.service_url), conninfo_to_dict(database.owner_url), find_free_port()
    with TemporaryDirectory(prefix="ledger-") as place:
        folder = Path(place)
        folder.chmod(0o755)
        users, config = folder / "users", folder / "ini"
        users.write_text("".join(f'"{one["user"]}" "{one["password"]}"\n' for one in (given, owner)))
        said = {"dbname": given["dbname"], "server": given["port"], "port": port, "users": users, "shared": SHARED}
        config.write_text(CONFIG.format(**said))
        as_another = ["-u", "nobody"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        popen = subprocess.Popen([str(PROGRAM), "-q", *as_another, str(config)])
        try:
            url = f"postgresql://{given['user']}:{given['password']}@127.0.0.1:{port}/{given['dbname']}"
            _wait_for(url)
            yield url
        finally:
            popen.terminate()
            popen.wait(120)


def _wait_for(url: str) -> None:
    def connects() -> bool:
        try:
            psycopg.connect(url, connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    wait_until(connects)


@pytest.fixture
def service(database: Database, bouncer: str, tmp_path: Path) -> Iterator[Service]:
    how = {"DIRECT_URL": database.service_url, "PREPARE": "off", "PROJECTOR_URL": database.projector_url}
    with (
        process(tmp_path, bouncer, database.schema, KEY, OPERATOR, RATE_LIMIT="off", **how) as one,
        service_of(one, OPERATOR) as service,
    ):
        yield service


@pytest.mark.nightly
def test_many_play_over_few_connections_and_hear_of_it(service: Service) -> None:
    tables = [Table(service) for _ in range(2)]
    for table in tables:
        table.fighters()
    with listening(tables[0].ben) as feed:

        def plays(place: int) -> int:
            body = {"declare": {"kind": "mint", "to": "1", "coins": 1}}
            answers = [tables[place % 2].gm.post("/rulings", body) for _ in range(EACH)]
            assert {one.status_code for one in answers} == {201}, [one.text for one in answers]
            return len(answers)

        with ThreadPoolExecutor(WRITERS) as pool:
            made = sum(pool.map(plays, range(WRITERS)))
        assert len(feed.until_facts(made // 2)) >= made // 2
    for table in tables:
        assert table.gm.look("/characters/1")["balances"][0]["balance"] == made // 2
        assert table.gm.look("/timeline", wait=table.position, limit=1)["facts"]
        assert table.gm.look("/audit")["differences"] == []
    assert service.send("GET", "/readyz").json() == {"status": "ready"}


def test_whoever_stands_still_in_a_transaction_soon_loses_it(bouncer: str, database: Database) -> None:
    """The role says it, on every connection that is shared."""
    with ExitStack() as stack:
        lines = [stack.enter_context(psycopg.connect(bouncer, prepare_threshold=None)) for _ in range(SHARED)]
        limits = [line.execute("SHOW idle_in_transaction_session_timeout").fetchone() for line in lines]
    assert limits == [(f"{IDLE}s",)] * SHARED


def test_one_at_a_time_migrates_through_it(bouncer: str, database: Database, caplog: pytest.LogCaptureFixture) -> None:
    """The lock is a transaction's: it stays on one connection to the server from its beginning to its end."""
    owner = conninfo_to_dict(database.owner_url)
    through, turns = make_conninfo(bouncer, user=owner["user"], password=owner["password"]), list[str]()

    def wait() -> None:
        with connect_outside_pool(through) as connection, hold_migration_lock(connection, database.schema):
            turns.append("the second")

    with ThreadPoolExecutor(1) as pool, psycopg.connect(database.owner_url, autocommit=True) as direct:
        with connect_outside_pool(through) as connection, hold_migration_lock(connection, database.schema):
            waiting = pool.submit(wait)
            wait_until(lambda: "Waiting for it to finish" in caplog.text)
            turns.append("the first")
        waiting.result(60)
        assert turns == ["the first", "the second"]
        assert direct.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone() == (0,)
