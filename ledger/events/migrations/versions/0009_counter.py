"""Ids come from a counter on each shelf, so they have no gaps, whichever node of a cluster assigns them.

The transaction that uses the counter is the shelf's only writer until it ends. Afterwards its events are announced
(`ledger.events.herald`). Permits are now outside the shelves.
"""

from __future__ import annotations

from ledger.events.migrations.scripts import refuse_downgrade, run_script

revision = "0009"
down_revision = "0008"

COUNTER = """
CREATE TABLE {schema}.counter (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    last bigint NOT NULL
) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
INSERT INTO {schema}.counter (last) SELECT coalesce(max(notification_id), 0) FROM {schema}.ledger_events;
ALTER TABLE {schema}.ledger_events ALTER COLUMN notification_id DROP IDENTITY IF EXISTS;

CREATE OR REPLACE FUNCTION {schema}.append(ids text[], versions bigint[], topics text[], states bytea[])
RETURNS SETOF bigint LANGUAGE plpgsql AS $$
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

GRANT INSERT (notification_id) ON {schema}.ledger_events TO {role};
GRANT SELECT, UPDATE (last) ON {schema}.counter TO {role};
DROP TABLE {schema}.permits;
"""


def upgrade() -> None:
    run_script(COUNTER)


def downgrade() -> None:
    refuse_downgrade()
