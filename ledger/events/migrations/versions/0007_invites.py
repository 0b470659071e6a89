"""The table of invites: links and codes for access to a seat. It is not part of the record: no journal names it."""

from __future__ import annotations

from ledger.events.migrations.scripts import refuse_downgrade, run_script

revision = "0007"
down_revision = "0006"

INVITES = """
CREATE TABLE {schema}.invites (
    id text COLLATE "C" PRIMARY KEY,
    campaign text COLLATE "C" NOT NULL,
    made_by text COLLATE "C" NOT NULL,
    generation integer NOT NULL,
    made_at timestamptz NOT NULL,
    own text COLLATE "C",
    role text NOT NULL CHECK (role IN ('gm', 'player', 'observer')),
    name text NOT NULL,
    characters text[] NOT NULL,
    good_until timestamptz NOT NULL,
    code_until timestamptz,
    secret_hash text COLLATE "C" NOT NULL UNIQUE,
    code_hash text COLLATE "C" UNIQUE,
    request text NOT NULL,
    answered text NOT NULL,
    status text NOT NULL CHECK (status IN ('open', 'used', 'withdrawn')),
    used_at timestamptz,
    used_key text,
    seat text COLLATE "C",
    seat_generation integer
);
CREATE INDEX invites_of_campaign ON {schema}.invites (campaign, made_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON {schema}.invites TO {role};
"""


def upgrade() -> None:
    run_script(INVITES)


def downgrade() -> None:
    refuse_downgrade()
