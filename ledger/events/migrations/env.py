"""Alembic's entry point. It runs on the connection and schema that `ledger.events.migration.migrate` passes on."""

from __future__ import annotations

from alembic import context

connection = context.config.attributes["connection"]
context.configure(connection=connection, version_table_schema=context.config.attributes["schema"])
with context.begin_transaction():
    context.run_migrations()
