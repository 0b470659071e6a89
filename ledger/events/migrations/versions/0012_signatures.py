"""Invites and hooks are signed with the server's key, which is not in the database. Unsigned ones give no access.

Invites are short-lived, and those from before this version give no access. Hooks are long-lived, so earlier ones are
copied unchanged into a table that the service's login cannot write to, and continue to work.

An invite is used in the transaction of a save, which runs as the owner (0011). A cluster lets a transaction change a
shelf as one user only, so the function that does both (0010) runs as the owner, too.
"""

from __future__ import annotations

from ledger.events.migrations.scripts import refuse_downgrade, run_script

revision = "0012"
down_revision = "0011"

# MATERIALIZED is needed because Citus 13.2 cannot insert what it selects from the same shelf: it generates a statement
# with a syntax error.
SIGNATURES = """
ALTER TABLE {schema}.invites ADD COLUMN signature text COLLATE "C";

DROP FUNCTION
    {schema}.append_with_invite(text, timestamptz, text, text, integer, text[], bigint[], text[], bytea[]);
CREATE FUNCTION {schema}.append_with_invite(
    invite text, moment timestamptz, guest text, taken text, token integer, signed text,
    ids text[], versions bigint[], topics text[], states bytea[]
) RETURNS SETOF bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    -- The invite first: who waits for it does not hold the shelf's counter.
    UPDATE {schema}.invites
       SET status = 'used', used_at = moment, used_key = guest, seat = taken, seat_generation = token,
           signature = signed
     WHERE id = invite AND status = 'open';
    IF FOUND THEN
        RETURN QUERY SELECT * FROM {schema}.append(ids, versions, topics, states);
    END IF;
END $$;

REVOKE ALL ON FUNCTION {schema}.append_with_invite(
    text, timestamptz, text, text, integer, text, text[], bigint[], text[], bytea[]
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION {schema}.append_with_invite(
    text, timestamptz, text, text, integer, text, text[], bigint[], text[], bytea[]
) TO {role};

ALTER TABLE {schema}.hooks ADD COLUMN signature text COLLATE "C";
CREATE TABLE {schema}.hooks_of_before (id text COLLATE "C" PRIMARY KEY, content jsonb NOT NULL);
WITH hooks_now AS MATERIALIZED (
    SELECT id, jsonb_build_array(campaign, url, events, seat, generation, made_by) FROM {schema}.hooks
)
INSERT INTO {schema}.hooks_of_before SELECT * FROM hooks_now;
GRANT SELECT ON {schema}.hooks_of_before TO {role};
"""


def upgrade() -> None:
    run_script(SIGNATURES)


def downgrade() -> None:
    refuse_downgrade()
