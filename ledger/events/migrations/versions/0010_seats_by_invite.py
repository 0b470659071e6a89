"""Save a seat and use its invite in one statement, so that no lock is held while the server waits for the client."""

from __future__ import annotations

from ledger.events.migrations.scripts import refuse_downgrade, run_script

revision = "0010"
down_revision = "0009"

SEATS = """
CREATE FUNCTION {schema}.append_with_invite(
    invite text, moment timestamptz, guest text, taken text, token integer,
    ids text[], versions bigint[], topics text[], states bytea[]
) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
BEGIN
    -- The invite first: who waits for it does not hold the shelf's counter.
    UPDATE {schema}.invites
       SET status = 'used', used_at = moment, used_key = guest, seat = taken, seat_generation = token
     WHERE id = invite AND status = 'open';
    IF FOUND THEN
        RETURN QUERY SELECT * FROM {schema}.append(ids, versions, topics, states);
    END IF;
END $$;

REVOKE ALL ON FUNCTION
    {schema}.append_with_invite(text, timestamptz, text, text, integer, text[], bigint[], text[], bytea[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    {schema}.append_with_invite(text, timestamptz, text, text, integer, text[], bigint[], text[], bytea[]) TO {role};
"""


def upgrade() -> None:
    run_script(SEATS)


def downgrade() -> None:
    refuse_downgrade()
