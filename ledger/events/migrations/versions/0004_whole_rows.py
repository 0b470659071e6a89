"""Events stay whole in their row up to 8 kB: beyond 2 kB PostgreSQL would compress each, a tenth of a save's time."""

from __future__ import annotations

from ledger.events.migrations.scripts import refuse_downgrade, run_script

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    run_script("ALTER TABLE {schema}.ledger_events SET (toast_tuple_target = 8160)")


def downgrade() -> None:
    refuse_downgrade()
