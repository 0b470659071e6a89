"""The table of rate limits: one row for each holder, shared by all processes of the service. A crash may empty it."""

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
