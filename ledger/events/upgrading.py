"""Upgrade schemas to the newest revision, with Alembic. `ledger.events.migration` calls this if a schema is older."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import psycopg
import sqlalchemy
import sqlalchemy.exc
from alembic import command
from alembic.config import Config
from psycopg.sql import SQL, Identifier

from ledger.events.lines import LINE, make_idle_limit
from ledger.events.migration import FOLDER, MIGRATING


def upgrade(owner_url: str, schemas: Sequence[str], logins: Mapping[str, str]) -> None:
    """Upgrade each schema in its own transaction. `logins`: the roles to which the migrations grant rights."""
    # With prepared statements, the server refuses several commands in one statement, as a cluster always does.
    engine = sqlalchemy.create_engine(
        "postgresql+psycopg://",
        creator=lambda: psycopg.connect(owner_url, prepare_threshold=0, **cast(dict[str, Any], LINE)),
    )
    try:
        for schema in schemas:
            _upgrade(engine, schema, logins)
    except sqlalchemy.exc.DBAPIError as problem:
        raise problem.orig or problem from None
    finally:
        engine.dispose()


def _upgrade(engine: sqlalchemy.Engine, schema: str, logins: Mapping[str, str]) -> None:
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        connection.exec_driver_sql(make_idle_limit(MIGRATING))
        connection.exec_driver_sql(SQL("CREATE SCHEMA IF NOT EXISTS {}").format(Identifier(schema)).as_string(None))
        config.attributes.update(connection=connection, schema=schema, **logins)
        command.upgrade(config, "head")
