"""The service's database, from the environment. Secrets come from the environment, or from files that only their owner
can read.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import psycopg
from eventsourcing.persistence import PersistenceError
from psycopg.conninfo import conninfo_to_dict

from ledger.application import Keys
from ledger.errors import Fault, Unavailable
from ledger.events.database_check import PROJECTOR_ROLE, SCHEMA, SERVICE_ROLE, Role

if TYPE_CHECKING:
    from api.service.environment import ServiceSettings, Settings

SHORTEST_KEY = 16  # bytes
OPERATOR_TOKEN = "operator-token"  # the file's name


@dataclass(frozen=True, slots=True)
class Database:
    """The logins to one database: the owner's migrates it, the service's reads and appends, the projector's updates the
    views.

    `shelf_count`: how many shelves the database should have. None means no change, or the default in a new database.
    """

    owner_url: str
    service_url: str
    projector_url: str
    schema: str = SCHEMA
    shelf_count: int | None = None

    def migrate(self) -> None:
        """Bring the database to this version, with the roles and passwords of these logins. Safe to repeat."""
        from ledger.events.migration import migrate
        from projections.views.projector import Projector

        service_role, projector_role = _make_role(self.service_url), _make_role(self.projector_url)
        migrate(
            self.owner_url,
            schema=self.schema,
            role=service_role.name,
            password=service_role.password,
            projector=projector_role,
            shelf_count=self.shelf_count,
        )
        with (
            suppress(PersistenceError, psycopg.Error, Unavailable),
            Projector(self.projector_url, self.schema) as projector,
        ):
            projector.make_tables()  # made now, so that nobody has to wait until the projector makes them

    def make_roles(self) -> None:
        """Make only the two unprivileged roles, so that a restored record can grant them rights."""
        from ledger.events.migration import ensure_role

        with psycopg.connect(self.owner_url, autocommit=True) as connection:
            for url in (self.service_url, self.projector_url):
                ensure_role(connection, _make_role(url))


def _make_role(url: str) -> Role:
    parameters = conninfo_to_dict(url)
    password = parameters.get("password")
    return Role(str(parameters["user"]), str(password) if password else None)


def find_service_url(env: Settings) -> str:
    """Return LEDGER_DATABASE_URL: the service's own login."""
    if env.database_url is None:
        raise Fault("Name the database: LEDGER_DATABASE_URL=postgresql://...", code="no-database")
    return env.database_url


def find_direct_url(env: Settings) -> str:
    """Return LEDGER_DIRECT_URL, else the service's login. Connections that must not be shared use this login."""
    return env.direct_url or find_service_url(env)


def find_projector_url(env: Settings, service_url: str, read_key: Callable[[], bytes]) -> str:
    """Return LEDGER_PROJECTOR_URL, else the projector's own role on the service's database."""
    return env.projector_url or _make_login_url(PROJECTOR_ROLE, Keys(read_key()).make_projector_password(), service_url)


def find_logins(env: Settings, read_key: Callable[[], bytes], owner_url: str | None = None) -> Database:
    """Return the logins from LEDGER_OWNER_URL and LEDGER_DATABASE_URL (or LEDGER_DIRECT_URL). A single login is the
    owner's, and the others are derived from it.

    `owner_url`: the owner's login to the embedded server, used if the environment has none. `read_key` returns the
    server's key and is called only if necessary.
    """
    owner_login, service_login = env.owner_url, env.direct_url or env.database_url
    if not (owner_login and service_login):
        owner_login = owner_login or service_login or owner_url
        if owner_login is None:
            raise Fault("Name the database: LEDGER_DATABASE_URL=postgresql://...", code="no-database")
        service_login = _make_login_url(SERVICE_ROLE, Keys(read_key()).make_database_password(), owner_login)
    return Database(
        owner_login, service_login, find_projector_url(env, service_login, read_key), env.schema_name, env.shelves
    )


def _make_login_url(role: str, password: str, url: str) -> str:
    """Return the address of the same database for another role."""
    parameters = conninfo_to_dict(url)
    hosts = str(parameters.get("host") or "127.0.0.1").split(",")
    ports = str(parameters.get("port") or "").split(",")
    ports = ports * len(hosts) if len(ports) == 1 else ports  # a single port is used for every host
    if len(ports) != len(hosts):
        raise Fault(
            f"Name one port, or one for each host: a login has {len(hosts)} hosts and {len(ports)} ports.",
            code="bad-setting",
        )
    hosts_and_ports = ",".join(
        f"{quote(host, safe='')}:{port or 5432}" for host, port in zip(hosts, ports, strict=True)
    )
    target = parameters.get("target_session_attrs")
    query = f"?target_session_attrs={target}" if target is not None else ""
    return (
        f"postgresql://{role}:{password}@{hosts_and_ports}/{quote(str(parameters.get('dbname') or 'postgres'))}{query}"
    )


def find_or_make_server_key(env: Settings, folder: Path | None) -> bytes:
    """Return LEDGER_SERVER_KEY, else the key in the data folder. The first start makes that key, and only its owner can
    read it.
    """
    if env.server_key is not None:
        return env.server_key.encode()
    if folder is None:
        raise Fault("Set LEDGER_SERVER_KEY to a long random text; tokens are made with it.", code="no-server-key")
    path = folder / "server-key"
    key = _read_or_make_secret(path).encode()
    if len(key) < SHORTEST_KEY:
        raise Fault(
            f"{path} contains no key. Remove the file to get a new key; all tokens then stop working.",
            code="no-server-key",
        )
    return key


def find_or_make_operator_token(env: ServiceSettings, folder: Path) -> str:
    """Return LEDGER_OPERATOR_TOKEN, else the token in the data folder. The first start makes that token."""
    if env.operator_token is not None:
        return env.operator_token
    path = folder / OPERATOR_TOKEN
    token = _read_or_make_secret(path)
    if len(token) < SHORTEST_KEY:
        raise Fault(f"{path} contains no token. Remove the file to get a new token.", code="no-operator-token")
    return token


def _read_or_make_secret(path: Path) -> str:
    """Return the secret in the file, which only its owner can read. If there is no file, make one with a new secret."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_hex(32))
    except FileExistsError:
        pass
    return path.read_text().strip()
