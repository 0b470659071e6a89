"""The cluster to test: find it through its coordinator, kill and start its workers, and move its shelves."""

from __future__ import annotations

import hashlib
import ipaddress
import subprocess
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.sql import SQL, Identifier

STARTING = 60.0  # seconds
#: Finds the worker of each schema of the ledger. A schema that is not on a worker, or has no tables, is left out.
PLACES = """
SELECT DISTINCT n.nspname, d.nodeid
  FROM pg_dist_schema s JOIN pg_namespace n ON n.oid = s.schemaid
  JOIN pg_dist_partition p ON p.colocationid = s.colocationid
  JOIN pg_dist_shard h ON h.logicalrelid = p.logicalrelid
  JOIN pg_dist_placement c ON c.shardid = h.shardid JOIN pg_dist_node d ON d.groupid = c.groupid
 WHERE n.nspname ~ '^ledger(_[0-9]+)?(_views)?(_next)?$' ORDER BY 1
"""


class NoCluster(Exception):
    """The test cannot run. The message says what to do."""


@dataclass(frozen=True, slots=True)
class Worker:
    id: int
    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Killed:
    """A killed server, with the command and the user with which it had been started."""

    worker: Worker
    command: list[str]
    environment: dict[str, str]
    user: int
    group: int
    log: Path


class Cluster:
    """A cluster. `url`: the address of the coordinator, with a login that owns the database. Raise NoCluster if there
    is none.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        try:
            self.version = self._read_value("SELECT citus_version()")
            self.server = self._read_value("SHOW server_version")
            rows = self._read_rows(
                "SELECT nodeid, nodename, nodeport FROM pg_dist_node WHERE shouldhaveshards ORDER BY 1"
            )
        except psycopg.OperationalError as problem:
            raise NoCluster(f"No server answers at {drop_password(url)}: {problem}".strip()) from problem
        except (psycopg.errors.UndefinedFunction, psycopg.errors.UndefinedTable) as problem:
            raise NoCluster(f"The database at {drop_password(url)} has no Citus (CREATE EXTENSION citus).") from problem
        self.workers = [Worker(int(id), host, int(port)) for id, host, port in rows]
        if len(self.workers) < 2:
            raise NoCluster(f"The cluster at {drop_password(url)} has {len(rows)} workers; two are needed.")

    # --- places ---

    def find_places(self) -> dict[str, Worker]:
        """Return the worker of each schema, by schema."""
        worker_by_id = {worker.id: worker for worker in self.workers}
        return {str(schema): worker_by_id[id] for schema, id in self._read_rows(PLACES) if id in worker_by_id}

    def count_schemas(self) -> dict[str, int]:
        """Return the number of schemas on each worker."""
        workers = list(self.find_places().values())
        return {str(worker): workers.count(worker) for worker in self.workers}

    def find_other(self, worker: Worker) -> Worker:
        return self.workers[(self.workers.index(worker) + 1) % len(self.workers)]

    def move(self, schema: str, worker: Worker) -> float:
        """Move the schema to the worker while it is written to. Return the seconds it took."""
        start_time = time.monotonic()
        self._read_rows("SELECT citus_schema_move(%s::regnamespace, %s, %s)::text", schema, worker.host, worker.port)
        return time.monotonic() - start_time

    def rebalance(self) -> float:
        """Let the cluster rebalance its schemas. Return the seconds it took."""
        start_time = time.monotonic()
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("SELECT citus_rebalance_start()")
            connection.execute("SELECT citus_rebalance_wait()")
        return time.monotonic() - start_time

    # --- killing and starting ---

    def kill(self, worker: Worker) -> Killed:
        """Kill all processes of the worker with -9, the main process first. Raise NoCluster if it runs on another
        machine."""
        if not ipaddress.ip_address(worker.host).is_loopback:
            raise NoCluster(f"The worker {worker} is on another machine: it cannot be killed from here.")
        with psycopg.connect(make_conninfo(self.url, host=worker.host, port=worker.port)) as connection:
            query = (
                "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int, current_setting('data_directory')"
            )
            pid, folder = connection.execute(query).fetchone() or (0, "")
        postmaster = psutil.Process(pid)
        log = Path(folder).with_suffix(".log")
        killed = Killed(
            worker, postmaster.cmdline(), postmaster.environ(), postmaster.uids().real, postmaster.gids().real, log
        )
        processes = [postmaster, *postmaster.children(recursive=True)]
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(processes, timeout=10)
        return killed

    def start(self, killed: Killed) -> None:
        """Start the server again, as it was started before. Return when it answers."""
        with killed.log.open("ab") as log:
            subprocess.Popen(
                killed.command,
                cwd="/",
                env=killed.environment,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                user=killed.user,
                group=killed.group,
                extra_groups=[],
            )
        deadline = time.monotonic() + STARTING
        url = make_conninfo(self.url, host=killed.worker.host, port=killed.worker.port)
        while True:
            try:
                psycopg.connect(url, connect_timeout=5).close()
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
            else:
                return

    # --- contents ---

    def select(self, query: str, schema: str, *parameters: object) -> list[tuple[object, ...]]:
        """Return the rows of the query, in which `{schema}` stands for the schema."""
        with psycopg.connect(self.url) as connection:
            return connection.execute(SQL(query).format(schema=Identifier(schema)), parameters).fetchall()

    def list_tables(self, schema: str) -> list[str]:
        rows = self._read_rows("SELECT tablename FROM pg_tables WHERE schemaname = %s ORDER BY 1", schema)
        return [str(name) for (name,) in rows]

    def hash_views(self, schemas: Iterable[str]) -> dict[str, list[bytes]]:
        """Return the sorted hashes of the rows of each table in these schemas. The tables that track the position are
        left out.
        """
        hashes: dict[str, list[bytes]] = {}
        for schema in schemas:
            for table in self.list_tables(schema):
                if table != "tracking":
                    query = f"SELECT one::text FROM {{schema}}.{table} AS one"
                    hashes[f"{schema}.{table}"] = sorted(_hash(text) for (text,) in self.select(query, schema))
        return hashes

    def _read_value(self, query: str) -> str:
        ((value,),) = self._read_rows(query)
        return str(value)

    def _read_rows(self, query: str, *parameters: object) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url, autocommit=True, connect_timeout=5) as connection:
            return connection.execute(query.encode(), parameters).fetchall()


def _hash(text: object) -> bytes:
    return hashlib.sha256(str(text).encode()).digest()


def drop_password(url: str) -> str:
    parameters = conninfo_to_dict(url)
    return f"{parameters.get('host')}:{parameters.get('port') or 5432}/{parameters.get('dbname')}"
