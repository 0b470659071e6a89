"""Bring a database to the schema this version needs.

The owner migrates; the service's role owns nothing and may only insert and select events. Alembic keeps the versions.
Each shelf is a schema; beside it stand two for the projector's role, which may only read events: its views, and the
next ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import psycopg
from psycopg.sql import SQL, Identifier, Literal

from ledger.errors import Fault
from ledger.events import cluster
from ledger.events.database_check import (
    PROJECTOR_ROLE,
    REVISION,
    SCHEMA,
    SERVICE_ROLE,
    Role,
    next_of,
    version_of,
    views_of,
)
from ledger.events.shelves import MOST, USUAL, common_of, must_be_as_many, number_of, schemas_of
from ledger.events.statements import statements

#: How long the service waits for a database that hangs: answers are due within seconds, a replay may take longer.
PATIENCE = {"statement_timeout": Literal("60s"), "lock_timeout": Literal("5s")}
FOLDER = Path(__file__).parent / "migrations"
PROJECTOR = Role(PROJECTOR_ROLE)


def migrate(
    owner_url: str,
    *,
    schema: str = SCHEMA,
    role: str = SERVICE_ROLE,
    password: str | None = None,
    projector: Role = PROJECTOR,
    shelves: int | None = None,
) -> None:
    """Create or upgrade the schemas, the roles (with these passwords) and their rights. Safe to repeat.

    `owner_url`: a libpq URL of a login that may create roles and schemas, or that owns them already. `shelves`: how
    many, where the database has none yet (`USUAL`). Fault where it has another number.
    """
    with psycopg.connect(owner_url, autocommit=True) as connection:
        if cluster.is_cluster(connection):
            cluster.allow_triggers(connection)
        ensure_role(connection, Role(role, password))
        ensure_role(connection, projector)
        names = {"common": common_of(schema), "role": role, "projector": projector.name}
        _run(connection, COMMON, names)
        number = _settled(connection, schema, shelves)
        shelved = schemas_of(schema, number)
        outdated = [shelf for shelf in shelved if version_of(connection, shelf) != REVISION]
    logins = {"role": role, "projector": projector.name}
    if outdated:
        from ledger.events.upgrading import upgrade  # SQLAlchemy takes as long to import as all the rest of this

        upgrade(owner_url, outdated, logins)
    with psycopg.connect(owner_url, autocommit=True) as connection:
        for shelf in shelved:
            with connection.transaction():
                for views in (views_of(shelf), next_of(shelf)):
                    _run(connection, VIEWS, {"schema": shelf, "views": views, **logins})
        if cluster.is_cluster(connection):
            cluster.distribute(connection, [of(one) for one in shelved for of in (str, views_of, next_of)])
            cluster.guard(connection, shelved)


def _settled(connection: psycopg.Connection[object], schema: str, wanted: int | None) -> int:
    """How many shelves there are from now on. Fault where that is not what is wanted."""
    if wanted is not None and not 1 <= wanted <= MOST:
        raise Fault(f"There are 1 to {MOST} shelves, not {wanted}.", code="other-shelves")
    known = number_of(connection, schema)
    if known is None:
        names = {"shelves": Identifier(common_of(schema), "shelves"), "number": Literal(wanted or USUAL)}
        connection.execute(SQL("INSERT INTO {shelves} VALUES ({number}) ON CONFLICT DO NOTHING").format(**names))
        known = number_of(connection, schema)
        assert known is not None
    must_be_as_many(known, wanted)
    return known


def _run(connection: psycopg.Connection[object], script: str, names: Mapping[str, object]) -> None:
    known = {name: Identifier(str(value)) for name, value in names.items()}
    for one in statements(script):
        connection.execute(SQL(one).format(**known), prepare=True)


#: What belongs to no shelf. Permits are lost in a crash, gladly.
COMMON = """
CREATE SCHEMA IF NOT EXISTS {common};
GRANT USAGE ON SCHEMA {common} TO {role}, {projector};
CREATE TABLE IF NOT EXISTS {common}.shelves (
    number integer NOT NULL CHECK (number BETWEEN 1 AND 256),
    one boolean PRIMARY KEY DEFAULT true CHECK (one)
);
CREATE UNLOGGED TABLE IF NOT EXISTS {common}.permits (
    holder text COLLATE "C" PRIMARY KEY,
    whole_at timestamptz NOT NULL,
    granted integer NOT NULL
) WITH (fillfactor = 50);
GRANT SELECT ON {common}.shelves TO {role}, {projector};
GRANT SELECT, INSERT, UPDATE, DELETE ON {common}.permits TO {role};
"""

#: What is made of the record is the projector's; the service reads it.
VIEWS = """
CREATE SCHEMA IF NOT EXISTS {views};
GRANT USAGE, CREATE ON SCHEMA {views} TO {projector};
GRANT USAGE ON SCHEMA {views} TO {role};
GRANT USAGE ON SCHEMA {schema} TO {projector};
GRANT SELECT ON {schema}.ledger_events, {schema}.alembic_version TO {projector};
"""


def ensure_role(connection: psycopg.Connection[object], role: Role) -> None:
    """The login, with this password, whether it is new or not. What it may do is granted where the things are made."""
    known = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role.name,)).fetchone()
    name = Identifier(role.name)
    if known is None:
        connection.execute(SQL("CREATE ROLE {} LOGIN").format(name))
    for setting, value in PATIENCE.items():
        connection.execute(SQL("ALTER ROLE {} SET {} = {}").format(name, Identifier(setting), value))
    if role.password is not None:
        connection.execute(SQL("ALTER ROLE {} PASSWORD {}").format(name, Literal(role.password)))
