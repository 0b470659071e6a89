"""Invites and hooks are signed with the server's key, which is not in the database. Unsigned ones open nothing.

Invites are short-lived, and those of before this version open nothing. Hooks are not: those of before are kept as they
were in a table that the service's login cannot write to, and tell what they told.

An invite is used in the transaction of a save, which runs as the owner (0011). A cluster lets a transaction change a
shelf as one user only, so a function of the owner's notes the use, too.
"""

from __future__ import annotations

from ledger.events.migrations.scripts import never, run

revision = "0012"
down_revision = "0011"

SIGNATURES = """
ALTER TABLE {schema}.invites ADD COLUMN signature text COLLATE "C";

CREATE FUNCTION {schema}.use_invite(
    invite text, used_at timestamptz, used_key text, seat text, seat_generation integer, signature text
) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE {schema}.invites AS i
       SET status = 'used', used_at = use_invite.used_at, used_key = use_invite.used_key, seat = use_invite.seat,
           seat_generation = use_invite.seat_generation, signature = use_invite.signature
     WHERE i.id = invite AND i.status = 'open';
    RETURN FOUND;
END $$;

REVOKE ALL ON FUNCTION {schema}.use_invite(text, timestamptz, text, text, integer, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION {schema}.use_invite(text, timestamptz, text, text, integer, text) TO {role};

ALTER TABLE {schema}.hooks ADD COLUMN signature text COLLATE "C";
CREATE TABLE {schema}.hooks_of_before (id text COLLATE "C" PRIMARY KEY, told jsonb NOT NULL);
INSERT INTO {schema}.hooks_of_before
SELECT id, jsonb_build_array(campaign, url, events, seat, generation, made_by) FROM {schema}.hooks;
GRANT SELECT ON {schema}.hooks_of_before TO {role};
"""


def upgrade() -> None:
    run(SIGNATURES)


def downgrade() -> None:
    never()
