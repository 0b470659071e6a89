"""The table of webhooks, with the progress of their deliveries. It is not part of the record: no journal names it."""

from __future__ import annotations

from ledger.events.migrations.scripts import refuse_downgrade, run_script

revision = "0005"
down_revision = "0004"

HOOKS = """
CREATE TABLE {schema}.hooks (
    id text COLLATE "C" PRIMARY KEY,
    campaign text COLLATE "C" NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL,
    seat text COLLATE "C",
    generation integer NOT NULL,
    made_by text COLLATE "C" NOT NULL,
    made_at timestamptz NOT NULL,
    request text NOT NULL,
    answered text NOT NULL,
    status text NOT NULL CHECK (status IN ('waiting', 'on', 'dead', 'gone', 'ended', 'stopped', 'deleted')),
    reason text,
    position bigint NOT NULL,
    place bigint NOT NULL,
    failures integer NOT NULL DEFAULT 0,
    failing_since timestamptz,
    next_at timestamptz,
    delivered_at timestamptz,
    problem text,
    problem_at timestamptz
);
CREATE INDEX hooks_of_campaign ON {schema}.hooks (campaign, made_at);
CREATE INDEX hooks_on ON {schema}.hooks (campaign) WHERE status = 'on';
GRANT SELECT, INSERT, UPDATE, DELETE ON {schema}.hooks TO {role};
"""


def upgrade() -> None:
    run_script(HOOKS)


def downgrade() -> None:
    refuse_downgrade()
