"""Bring a database to the schema this version needs.

The owner migrates; the service's role owns nothing and may only insert and select events. Alembic keeps the versions.
Beside the record stand two schemas for the projector's role, which may only read events: its views, and the next ones.
"""

from __future__ import annotations

from pathlib import Path

import psycopg
import sqlalchemy
from alembic import command
from alembic.config import Config
from psycopg.sql import SQL, Identifier, Literal

from ledger.events.database_check import PROJECTOR_ROLE, SCHEMA, SERVICE_ROLE, Role, next_of, views_of
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
) -> None:
    """Create or upgrade the schemas, the roles (with these passwords) and their rights. Safe to repeat.

    `owner_url`: a libpq URL of a login that may create roles and schemas, or that owns them already.
    """
    with psycopg.connect(owner_url, autocommit=True) as connection:
        ensure_role(connection, Role(role, password))
        ensure_role(connection, projector)
        connection.execute(SQL("CREATE SCHEMA IF NOT EXISTS {}").format(Identifier(schema)))
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    # Prepared at once, so that several commands in one statement are refused here as they are by a cluster.
    engine = sqlalchemy.create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(owner_url, prepare_threshold=0)
    )
    try:
        with engine.begin() as connection_:
            config.attributes.update(connection=connection_, schema=schema, role=role)
            command.upgrade(config, "head")
    finally:
        engine.dispose()
    with psycopg.connect(owner_url) as connection:
        names = {"schema": schema, "role": role, "projector": projector.name}
        for views in (views_of(schema), next_of(schema)):
            known = {name: Identifier(value) for name, value in {**names, "views": views}.items()}
            for one in statements(VIEWS):
                connection.execute(SQL(one).format(**known), prepare=True)


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
