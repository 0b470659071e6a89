"""A database as SQL text, loaded where nothing was before; and the service of today, started on it."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.sql import SQL, Identifier

from api.app import create_app
from api.embedded.programs import find_program_folder
from api.run.views import keep_views, make_views_check
from api.service.database import Database
from ledger.application import Ledger, make_environment
from ledger.events.database_check import PROJECTOR_ROLE, SCHEMA, SERVICE_ROLE
from projections.views.pages import Views
from projections.views.projector import Projector
from tests.api.conftest import OPERATOR, serving
from tests.api.table import Json, Player, Service, Table, described

#: With this all tokens and seals of what is kept were made. It is worth nothing: no other ledger uses it.
KEY = b"a key for the databases of earlier versions"
LOGINS = "for-tests"  # as in the other tests, which may share the server
#: States of events stay readable, and pack twice as well as digits.
READABLE = {"PGOPTIONS": "-c bytea_output=escape", "PGTZ": "UTC", "LC_ALL": "C"}


@dataclass(frozen=True, slots=True)
class Place:
    """A database of its own with the service on it."""

    logins: Database
    ledger: Ledger
    projector: Projector
    service: Service

    def sitting(self, campaign: str, seat: str, token: str) -> Player:
        """Who has this seat and token at a campaign that is there already."""
        table = object.__new__(Table)
        table.service, table.id = self.service, campaign
        return Player(table, seat, token)

    def views_are_whole(self) -> None:
        """Returns when they have taken every event."""
        while self.projector.count_behind():
            time.sleep(0.01)

    def rows(self) -> dict[str, list[str]]:
        """Everything in the views' tables but what says how far they have come, in one order."""
        listed = (
            "SELECT table_name FROM information_schema.tables WHERE table_schema = %s AND table_name <> 'tracking'"
            " ORDER BY 1"
        )
        with psycopg.connect(self.logins.owner_url) as connection:
            tables = [name for (name,) in connection.execute(listed, (f"{SCHEMA}_views",))]
            return {name: _rows(connection, name) for name in tables}


def _rows(connection: psycopg.Connection[Any], table: str) -> list[str]:
    query = SQL("SELECT one::text FROM {} AS one").format(Identifier(f"{SCHEMA}_views", table))
    return sorted(text for (text,) in connection.execute(query))


@contextmanager
def new_database(owner_url: str, name: str) -> Iterator[Database]:
    """An empty one with its logins; gone at the end. `owner_url`: of a superuser on the same server."""
    called = Identifier(name)
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(called))
        connection.execute(SQL("CREATE DATABASE {}").format(called))
        try:
            owner = make_conninfo(owner_url, dbname=name)
            service, projector = (
                make_conninfo(owner, user=role, password=LOGINS) for role in (SERVICE_ROLE, PROJECTOR_ROLE)
            )
            yield Database(owner, service, projector)
        finally:
            connection.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(called))


@contextmanager
def running(logins: Database) -> Iterator[Place]:
    """Brought to today's version, and served over HTTP with its views kept."""
    logins.migrate()
    with (
        Ledger(make_environment(logins.service_url), KEY) as ledger,
        keep_views(logins.projector_url, SCHEMA) as projector,
    ):
        ledger.check()
        views = Views(ledger.shelves.get_shelf(0))
        while projector.problem is None and (not projector.is_leading or views.list_outdated()):
            time.sleep(0.01)
        app = create_app(ledger, operator_token=OPERATOR)
        app.state.readiness.checks.append(make_views_check(ledger, projector))
        with serving(app) as address, httpx.Client(base_url=address, timeout=120) as client:
            yield Place(logins, ledger, projector, Service(client, OPERATOR, described(app.openapi)))


# --- as text ------------------------------------------------------------------------------------------------------


def dump(owner_url: str) -> str:
    """Schemas, rights, events and views as SQL statements. Needs the `pg_dump` that the embedded server brings."""
    given = conninfo_to_dict(owner_url)
    secret = {"PGPASSWORD": str(given.pop("password"))} if "password" in given else {}
    program = find_program_folder(Path("none")) / "pg_dump"
    command = [
        str(program),
        f"--dbname={make_conninfo('', **given)}",
        "--no-password",
        "--no-unlogged-table-data",
        "--inserts",
        "--rows-per-insert=500",
        "--encoding=UTF8",
    ]
    ended = subprocess.run(command, check=True, capture_output=True, env={**os.environ, **READABLE, **secret})
    return _for_anybody(ended.stdout.decode(), str(given["user"]))


def _for_anybody(text: str, owner: str) -> str:
    """Without what only `psql` or a server as new as this one understands, and without the owner's name."""
    head, middle, body = text.partition("\nCREATE ")
    head = "\n".join(line for line in head.splitlines() if not line.startswith(("SET ", "\\")))
    body = re.sub(r"^\\unrestrict .*\n", "", body, flags=re.MULTILINE)
    body = re.sub(rf"^(ALTER .* OWNER TO ){re.escape(owner)};$", r"\1CURRENT_USER;", body, flags=re.MULTILINE)
    body = re.sub(rf"^(-- .*); Owner: {re.escape(owner)}$", r"\1", body, flags=re.MULTILINE)
    return head + middle + body


def load(text: str, logins: Database) -> None:
    """Into an empty database, with the roles that the text grants rights to."""
    logins.make_roles()
    with psycopg.connect(logins.owner_url) as connection:
        connection.execute(text.encode())


def told(response: httpx.Response, status: int) -> Json:
    """The document of an answer; AssertionError with its text where the status is another."""
    assert response.status_code == status, f"{response.request.method} {response.request.url.path}: {response.text}"
    document: Json = response.json()
    return document
