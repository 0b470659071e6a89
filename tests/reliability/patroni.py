"""A cluster of two servers under Patroni, which decides by etcd which of them takes writes. All of it on loopback."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psutil
import psycopg
import yaml

from api.embedded.account import Account, find_server_account, hand_over
from api.embedded.process import find_free_port, find_postmaster

SCOPE = "ledger"
NAMES = ("one", "two")
OWNER = "ledger_owner"
PATIENCE = 180.0  # seconds; a server that was killed is rewound, or copied anew
#: As short as Patroni allows: a primary that says nothing for `ttl` seconds is one no more.
TIMES = {"ttl": 20, "loop_wait": 2, "retry_timeout": 5}
ELSEWHERE = os.pathsep.join(("/usr/local/bin", "/usr/bin", "/usr/sbin", "/bin"))
INSTALL = "apt-get install patroni etcd-server postgresql-15"


def program(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path=ELSEWHERE)


def postgres_programs() -> Path | None:
    """The newest PostgreSQL's folder of programs, as Debian lays them out, or where `initdb` is found."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    known = str(found[-1]) if found else program("initdb")
    return Path(known).resolve().parent if known is not None else None


def missing() -> str | None:
    """Which programs are not on this machine, and what to do about it. None: all are."""
    lacking = [name for name in ("patroni", "patronictl", "etcd") if program(name) is None]
    lacking += [] if postgres_programs() is not None else ["PostgreSQL's own programs"]
    return f"There is no {', no '.join(lacking)} here: {INSTALL}" if lacking else None


def wait_until(holds: Callable[[], bool], what: str, patience: float = PATIENCE) -> None:
    deadline = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < deadline, f"{what}: not within {patience:g} seconds"
        time.sleep(0.1)


class Running:
    """A program in a session of its own, as an account that may run PostgreSQL; what it says stands in a file."""

    def __init__(self, command: list[str], log: Path, account: Account | None) -> None:
        how: dict[str, Any] = {}
        if account is not None:
            how = {"user": account.uid, "group": account.gid, "extra_groups": []}
        environment = {"PATH": ELSEWHERE, "HOME": str(log.parent), "LANG": "C.UTF-8"}
        with log.open("ab") as file:
            self.popen = subprocess.Popen(
                command, cwd=log.parent, env=environment, stdout=file, stderr=file, start_new_session=True, **how
            )

    def kill(self) -> None:
        self.popen.kill()
        self.popen.wait()


class Node:
    """A server and the Patroni that looks after it. `port`: of the server."""

    def __init__(self, cluster: Cluster, name: str) -> None:
        self.cluster, self.name = cluster, name
        self.port, self.api = find_free_port(), find_free_port()
        self.data = cluster.folder / name
        self.config = cluster.folder / f"{name}.yml"
        self.log = cluster.folder / f"{name}.log"
        self.patroni: Running | None = None

    def start(self) -> None:
        if self.patroni is None or self.patroni.popen.poll() is not None:
            self.patroni = Running([str(program("patroni")), str(self.config)], self.log, self.cluster.account)

    def kill_patroni(self) -> None:
        assert self.patroni is not None and self.patroni.popen.poll() is None, "there is no Patroni to kill"
        self.patroni.kill()

    def family(self) -> list[psutil.Process]:
        """The server's processes, the postmaster first."""
        found = find_postmaster(self.data)
        if found is None:
            return []
        with suppress(psutil.NoSuchProcess):
            main = psutil.Process(found[0])
            return [main, *main.children(recursive=True)]
        return []

    def kill_server(self) -> None:
        for one in self.family():
            with suppress(psutil.NoSuchProcess):
                one.kill()

    def takes_writes(self) -> bool:
        """Whether its Patroni holds the cluster's lock, and its server is a primary by now: the lock comes first."""
        with suppress(httpx.HTTPError, psycopg.OperationalError):
            if httpx.get(f"http://127.0.0.1:{self.api}/primary", timeout=3).status_code == 200:
                psycopg.connect(self.url(), target_session_attrs="read-write", connect_timeout=3).close()
                return True
        return False

    def url(self, database: str = "postgres") -> str:
        """The owner's login to this server alone."""
        return f"postgresql://{OWNER}@127.0.0.1:{self.port}/{database}"

    def told(self) -> dict[str, Any]:
        """What its Patroni says of the cluster; nothing while it says nothing."""
        try:
            found: dict[str, Any] = httpx.get(f"http://127.0.0.1:{self.api}/cluster", timeout=3).json()
        except (httpx.HTTPError, json.JSONDecodeError):
            return {}
        return found


class Cluster:
    """`owner_of` leads to whichever server takes writes. `strict`: nothing is answered that one server alone has."""

    def __init__(self, *, strict: bool = True) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="ledger-failover-"))
        self.account = find_server_account(self.folder / "none")
        self.nodes = tuple(Node(self, name) for name in NAMES)
        self._ports = find_free_port(), find_free_port()
        for node in self.nodes:
            node.config.write_text(yaml.safe_dump(_config(node, self._ports[0], strict=strict)))
        hand_over(self.account, self.folder)
        self._etcd = Running(self._etcd_command(), self.folder / "etcd.log", self.account)
        try:
            wait_until(self._etcd_answers, "etcd answers", 30)
            for node in self.nodes:
                node.start()
            self.wait_until_whole()
        except BaseException:
            self.close()
            raise

    def _etcd_command(self) -> list[str]:
        client, peer = (f"http://127.0.0.1:{port}" for port in self._ports)
        said = {
            "name": "only",
            "data-dir": self.folder / "etcd",
            "initial-cluster": f"only={peer}",
            "listen-client-urls": client,
            "advertise-client-urls": client,
            "listen-peer-urls": peer,
            "initial-advertise-peer-urls": peer,
        }
        return [str(program("etcd")), *(f"--{name}={value}" for name, value in said.items())]

    def _etcd_answers(self) -> bool:
        with suppress(httpx.HTTPError):
            return httpx.get(f"http://127.0.0.1:{self._ports[0]}/health", timeout=3).status_code == 200
        return False

    def close(self) -> None:
        """The managers first: one that is left would start its server again."""
        for node in self.nodes:
            if node.patroni is not None:
                node.patroni.kill()
        for node in self.nodes:
            node.kill_server()
        self._etcd.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    # --- who is what ---

    def members(self) -> dict[str, dict[str, Any]]:
        """By name, as the nodes that say anything say."""
        for node in self.nodes:
            if found := node.told().get("members"):
                return {one["name"]: one for one in found}
        return {}

    def primary(self) -> Node:
        """Which takes writes, in a cluster that is whole."""
        return next(node for node in self.nodes if node.takes_writes())

    def other(self, node: Node) -> Node:
        return next(one for one in self.nodes if one is not node)

    def is_whole(self) -> bool:
        """One takes writes and the other has everything, at once: so each may fail."""
        found = self.members().values()
        return sorted(one["role"] for one in found) == ["leader", "sync_standby"] and all(
            one["state"] in ("running", "streaming") for one in found
        )

    def wait_until_whole(self) -> None:
        wait_until(self.is_whole, "the cluster is whole")

    # --- databases ---

    def owner_of(self, database: str) -> str:
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return f"postgresql://{OWNER}@{hosts}/{database}?target_session_attrs=read-write"

    def through(self, url: str) -> str:
        """Nothing stands between."""
        return url

    def new_database(self, name: str) -> None:
        self.execute(f"CREATE DATABASE {name}", "postgres")

    def execute(self, statement: str, database: str = "postgres") -> None:
        with psycopg.connect(self.owner_of(database), autocommit=True) as connection:
            connection.execute(statement.encode())

    # --- what happens to it ---

    def patronictl(self, *arguments: str) -> str:
        command = [str(program("patronictl")), "-c", str(self.nodes[0].config), *arguments]
        done = subprocess.run(command, cwd=self.folder, check=False, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@contextmanager
def cluster(*, strict: bool = True) -> Iterator[Cluster]:
    found = Cluster(strict=strict)
    try:
        yield found
    finally:
        found.close()


def _config(node: Node, etcd: int, *, strict: bool) -> dict[str, Any]:
    """Everybody on this machine is let in: it is gone after the tests, and holds what they made up."""
    logins = {"superuser": OWNER, "replication": "replicator", "rewind": "rewinder"}
    parameters = {
        "max_connections": 60,
        "shared_buffers": "64MB",
        "wal_log_hints": "on",
        "fsync": "on",
        "synchronous_commit": "on",
        "unix_socket_directories": "",
        "timezone": "UTC",
        "jit": "off",
    }
    dcs = {
        **TIMES,
        "synchronous_mode": strict,
        "synchronous_mode_strict": strict,
        "postgresql": {"use_pg_rewind": True, "parameters": parameters},
    }
    hba = ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"]
    return {
        "scope": SCOPE,
        "name": node.name,
        "restapi": {"listen": f"127.0.0.1:{node.api}", "connect_address": f"127.0.0.1:{node.api}"},
        "etcd3": {"host": f"127.0.0.1:{etcd}"},
        "bootstrap": {"dcs": dcs, "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums"]},
        "postgresql": {
            "listen": f"127.0.0.1:{node.port}",
            "connect_address": f"127.0.0.1:{node.port}",
            "data_dir": str(node.data),
            "bin_dir": str(postgres_programs()),
            "pgpass": str(node.cluster.folder / f"{node.name}.pgpass"),
            "authentication": {name: {"username": user, "password": "x"} for name, user in logins.items()},
            "pg_hba": hba,
        },
    }
