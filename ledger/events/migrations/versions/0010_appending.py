"""Only the function that appends gives events their ids: it runs as the owner, and the service's login may call it.

Before this version the login could insert an event under any id, and set the counter. An id far ahead made followers
pass over what was stored afterwards under a lower one. A cluster lets a transaction change a shelf as one user only,
so an invite is used by a function of the owner's, too: that happens in the transaction of a save.
"""

from __future__ import annotations

from ledger.events.migrations.scripts import never, run

revision = "0010"
down_revision = "0009"

# A caller's search_path could put operators of its own into a function that runs as the owner.
APPENDING = """
CREATE OR REPLACE FUNCTION {schema}.append(ids text[], versions bigint[], topics text[], states bytea[])
RETURNS SETOF bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    before bigint;
BEGIN
    -- One writer a shelf at a time: ids are given in commit order, so a follower never passes over a late one.
    UPDATE {schema}.counter SET last = last + cardinality(ids) RETURNING last - cardinality(ids) INTO STRICT before;
    RETURN QUERY
        INSERT INTO {schema}.ledger_events (originator_id, originator_version, topic, state, notification_id)
        SELECT id, version, topic, state, before + place
          FROM unnest(ids, versions, topics, states) WITH ORDINALITY AS given(id, version, topic, state, place)
         ORDER BY place
        RETURNING notification_id;
END $$;

CREATE OR REPLACE FUNCTION {schema}.use_invite(
    invite text, used_at timestamptz, used_key text, seat text, seat_generation integer
)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE {schema}.invites AS i
       SET status = 'used', used_at = use_invite.used_at, used_key = use_invite.used_key, seat = use_invite.seat,
           seat_generation = use_invite.seat_generation
     WHERE i.id = invite AND i.status = 'open';
    RETURN FOUND;
END $$;

REVOKE ALL ON FUNCTION {schema}.append(text[], bigint[], text[], bytea[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION {schema}.use_invite(text, timestamptz, text, text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION {schema}.append(text[], bigint[], text[], bytea[]) TO {role};
GRANT EXECUTE ON FUNCTION {schema}.use_invite(text, timestamptz, text, text, integer) TO {role};
REVOKE INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER ON {schema}.ledger_events FROM {role};
REVOKE INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER ON {schema}.counter FROM {role};
"""


def upgrade() -> None:
    run(APPENDING)


def downgrade() -> None:
    never()
