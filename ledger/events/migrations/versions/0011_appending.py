"""Only the function that appends gives events their ids: it runs as the owner, and the service's login may call it.

Before this version the login could insert an event under any id, and set the counter. An id far ahead of the others
made followers skip events that were stored later under lower ids.
"""

from __future__ import annotations

from ledger.events.migrations.scripts import refuse_downgrade, run_script

revision = "0011"
down_revision = "0010"

# Without this search_path, the caller could replace operators of this function, which runs as the owner.
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

REVOKE ALL ON FUNCTION {schema}.append(text[], bigint[], text[], bytea[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION {schema}.append(text[], bigint[], text[], bytea[]) TO {role};
REVOKE INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER ON {schema}.ledger_events FROM {role};
REVOKE INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER ON {schema}.counter FROM {role};
"""


def upgrade() -> None:
    run_script(APPENDING)


def downgrade() -> None:
    refuse_downgrade()
