"""Keep events of up to 8 kB uncompressed in their row. PostgreSQL would compress each one above 2 kB, which takes a
tenth of a save's time."""

from __future__ import annotations

from ledger.events.migrations.scripts import refuse_downgrade, run_script

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    run_script("ALTER TABLE {schema}.ledger_events SET (toast_tuple_target = 8160)")


def downgrade() -> None:
    refuse_downgrade()
