"""Bring a database to the schema this version needs.

The owner migrates; the service's role owns nothing and may only insert and select events. Alembic keeps the versions.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg
import sqlalchemy
from alembic import command
from alembic.config import Config
from psycopg.sql import SQL, Identifier, Literal

from ledger.events.ground import SCHEMA, SERVICE_ROLE

#: How long the service waits for a database that hangs: answers are due within seconds, a replay may take longer.
PATIENCE = {"statement_timeout": Literal("60s"), "lock_timeout": Literal("5s")}
FOLDER = Path(__file__).parent / "migrations"
REVISION = "0001"


def migrate(owner_url: str, *, schema: str = SCHEMA, role: str = SERVICE_ROLE, password: str | None = None) -> None:
    """Create or upgrade the schema, the service's role (with this password) and its rights. Safe to repeat.

    `owner_url`: a libpq URL of a login that may create roles and schemas, or that owns them already.
    """
    with psycopg.connect(owner_url, autocommit=True) as connection:
        _ensure_role(connection, role, password)
        connection.execute(SQL("CREATE SCHEMA IF NOT EXISTS {}").format(Identifier(schema)))
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    engine = sqlalchemy.create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(owner_url))
    try:
        with engine.begin() as connection_:
            config.attributes.update(connection=connection_, schema=schema, role=role)
            command.upgrade(config, "head")
    finally:
        engine.dispose()


def _ensure_role(connection: psycopg.Connection[Any], role: str, password: str | None) -> None:
    known = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone()
    if known is None:
        connection.execute(SQL("CREATE ROLE {} LOGIN").format(Identifier(role)))
    for setting, value in PATIENCE.items():
        connection.execute(SQL("ALTER ROLE {} SET {} = {}").format(Identifier(role), Identifier(setting), value))
    if password is not None:
        connection.execute(SQL("ALTER ROLE {} PASSWORD {}").format(Identifier(role), Literal(password)))
