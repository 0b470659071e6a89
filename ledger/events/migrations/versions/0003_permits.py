"""Who asked how much of late: one row for each, taken from by all processes of the service. Lost in a crash, gladly."""

from __future__ import annotations

from ledger.events.migrations.scripts import refuse_downgrade, run_script

revision = "0003"
down_revision = "0001"

PERMITS = """
CREATE UNLOGGED TABLE {schema}.permits (
    holder text COLLATE "C" PRIMARY KEY,
    whole_at timestamptz NOT NULL,
    granted integer NOT NULL
) WITH (fillfactor = 50);
GRANT SELECT, INSERT, UPDATE, DELETE ON {schema}.permits TO {role};
"""


def upgrade() -> None:
    run_script(PERMITS)


def downgrade() -> None:
    refuse_downgrade()
