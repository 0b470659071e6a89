"""The table of private bookmarks. It is not part of the record: no journal names it."""

from __future__ import annotations

from ledger.events.migrations.scripts import refuse_downgrade, run_script

revision = "0006"
down_revision = "0005"

BOOKMARKS = """
CREATE TABLE {schema}.bookmarks (
    id text COLLATE "C" PRIMARY KEY,
    campaign text COLLATE "C" NOT NULL,
    seat text COLLATE "C" NOT NULL,
    ruling integer NOT NULL,
    note text NOT NULL,
    at text COLLATE "C" NOT NULL,
    request text NOT NULL,
    removed boolean NOT NULL DEFAULT false
);
CREATE INDEX bookmarks_of_seat ON {schema}.bookmarks (campaign, seat, at);
GRANT SELECT, INSERT, UPDATE, DELETE ON {schema}.bookmarks TO {role};
"""


def upgrade() -> None:
    run_script(BOOKMARKS)


def downgrade() -> None:
    refuse_downgrade()
