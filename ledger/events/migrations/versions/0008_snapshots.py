"""The table of snapshots: each one has what a process knew of a campaign, so that the next process reads only newer
events. The table is not part of the record.
"""

from __future__ import annotations

from ledger.events.migrations.scripts import refuse_downgrade, run_script

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
    run_script(SNAPSHOTS)


def downgrade() -> None:
    refuse_downgrade()
