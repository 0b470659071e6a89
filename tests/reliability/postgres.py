"""A PostgreSQL server to be killed, behind a port that stays."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from api.embedded import EmbeddedPostgres
from api.embedded.process import find_postmaster
from tests.conftest import memory
from tests.reliability.proxy import READY, Proxy
from tests.waiting import wait_until

#: Every save ends with an entry of the journal, and nothing else names its topic to the server.
SAVE = b"ledger.entry@4"


class Server:
    """`owner_url` leads straight to it, `proxy` can lose the answers to saves. `primary`: whose standby it is."""

    def __init__(self, folder: Path | None = None, primary: Server | None = None) -> None:
        self.folder = folder or Path(tempfile.mkdtemp(prefix="ledger-reliability-", dir=memory()))
        self._embedded = EmbeddedPostgres(self.folder / "data")
        self.proxy = Proxy(SAVE, READY)
        if primary is not None:
            self.follow(primary)
        self.start()

    def start(self) -> None:
        """Start it, or start it again after it was killed or gave up."""
        self._embedded.stop()
        given = conninfo_to_dict(self._embedded.start())
        self.proxy.far = (str(given["host"]), int(str(given["port"])))

    def stop(self) -> None:
        self._embedded.stop()

    def revive(self) -> None:
        """Start it only where it gave up."""
        if find_postmaster(self.cluster) is None:
            self.start()

    def wait_for_its_end(self) -> None:
        """Until it has given up by itself."""
        wait_until(lambda: find_postmaster(self.cluster) is None)

    def kill(self) -> None:
        """kill -9 of all its processes, the postmaster first."""
        found = find_postmaster(self.cluster)
        assert found is not None, "there is no server to kill"
        family = [psutil.Process(found[0])]
        family += family[0].children(recursive=True)
        for one in family:
            with suppress(psutil.NoSuchProcess):
                one.kill()
        deadline = time.monotonic() + 10
        while any(map(_runs, family)) and time.monotonic() < deadline:
            time.sleep(0.01)

    def close(self) -> None:
        self.proxy.close()
        self._embedded.stop()
        shutil.rmtree(self.folder)

    def let_in(self, network: str) -> None:
        """Anybody from there who knows a password."""
        with (self.cluster / "pg_hba.conf").open("a") as file:
            file.write(f"host all all {network} scram-sha-256\n")
        self.execute("SELECT pg_reload_conf()")

    # --- a standby ---

    def follow(self, primary: Server) -> None:
        """From its next start on."""
        given = conninfo_to_dict(primary.owner_url)
        given |= {"dbname": None, "port": primary.proxy.port, "application_name": "standby"}
        line = make_conninfo("", **given)
        with (self.cluster / "postgresql.auto.conf").open("a") as file:
            file.write(f"primary_conninfo = '{line}'\n")
        signal, owner = self.cluster / "standby.signal", self.cluster.stat()
        signal.touch()
        os.chown(signal, owner.st_uid, owner.st_gid)

    def wait_for_standby(self) -> None:
        """From now on nothing is answered that it does not have; until it has all there is."""
        self.execute("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        self.execute("SELECT pg_reload_conf()")
        with psycopg.connect(self.owner_url, autocommit=True) as connection:
            deadline = time.monotonic() + 30
            query = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
            while connection.execute(query).fetchone() is None:
                assert time.monotonic() < deadline
                time.sleep(0.05)

    def promote(self) -> None:
        self.execute("SELECT pg_promote()")

    # --- databases ---

    @property
    def cluster(self) -> Path:
        return self._embedded.cluster

    @property
    def owner_url(self) -> str:
        return self._embedded.owner_url

    def new_database(self, name: str) -> None:
        self.execute(f"CREATE DATABASE {name}")

    def owner_of(self, database: str) -> str:
        return make_conninfo(self.owner_url, dbname=database)

    def through(self, url: str) -> str:
        """The same login, over the proxy."""
        return make_conninfo(url, host="127.0.0.1", port=self.proxy.port)

    def execute(self, statement: str, database: str = "ledger") -> None:
        with psycopg.connect(self.owner_of(database), autocommit=True) as connection:
            connection.execute(statement)


def standby_of(primary: Server) -> Server:
    """A copy of it as it stands, which follows it from now on."""
    folder = Path(tempfile.mkdtemp(prefix="ledger-reliability-", dir=memory()))
    primary.stop()
    shutil.copytree(primary.folder / "data", folder / "data")
    primary.start()
    return Server(folder, primary)


def _runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
