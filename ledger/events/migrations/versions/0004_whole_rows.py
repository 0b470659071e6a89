"""Events stay whole in their row up to 8 kB: beyond 2 kB PostgreSQL would compress each, a tenth of a save's time."""

from __future__ import annotations

from alembic import context, op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    quote = op.get_bind().dialect.identifier_preparer.quote
    schema = quote(context.config.attributes["schema"])
    op.execute(f"ALTER TABLE {schema}.ledger_events SET (toast_tuple_target = 8160)")


def downgrade() -> None:
    raise RuntimeError("The record is never taken back: restore a backup made before the migration instead.")
