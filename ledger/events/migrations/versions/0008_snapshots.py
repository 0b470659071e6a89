"""Campaigns as a process knew them, so that the next one reads only what came since. No part of the record."""

from __future__ import annotations

from alembic import context, op

revision = "0008"
down_revision = "0007"

SNAPSHOTS = """
CREATE TABLE {schema}.snapshots (
    campaign text COLLATE "C" PRIMARY KEY,
    position bigint NOT NULL,
    state bytea NOT NULL
);
ALTER TABLE {schema}.snapshots ALTER COLUMN state SET STORAGE EXTERNAL;
GRANT SELECT, INSERT, UPDATE, DELETE ON {schema}.snapshots TO {role};
"""


def upgrade() -> None:
    schema, role = context.config.attributes["schema"], context.config.attributes["role"]
    quote = op.get_bind().dialect.identifier_preparer.quote
    op.execute(SNAPSHOTS.format(schema=quote(schema), role=quote(role)))


def downgrade() -> None:
    raise RuntimeError("The record is never taken back: restore a backup made before the migration instead.")
