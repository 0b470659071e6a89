"""The events table, its append function, its triggers and the service's rights."""

from __future__ import annotations

import zlib

from alembic import context

from ledger.events.migrations.scripts import refuse_downgrade, run_script

revision = "0001"
down_revision = None

EVENTS = """
CREATE TABLE {schema}.ledger_events (
    originator_id text COLLATE "C" NOT NULL,
    originator_version bigint NOT NULL CHECK (originator_version > 0),
    topic text COLLATE "C" NOT NULL,
    state bytea NOT NULL,
    notification_id bigint GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (originator_id, originator_version)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
CREATE UNIQUE INDEX ledger_events_notification_id_idx ON {schema}.ledger_events (notification_id);

CREATE FUNCTION {schema}.append(ids text[], versions bigint[], topics text[], states bytea[]) RETURNS SETOF bigint
LANGUAGE plpgsql AS $$
BEGIN
    -- One writer per schema at a time: ids are given in commit order, so a follower never passes over a late one.
    PERFORM pg_advisory_xact_lock({lock});
    NOTIFY ledger_events;
    RETURN QUERY
        INSERT INTO {schema}.ledger_events (originator_id, originator_version, topic, state)
        SELECT id, version, topic, state
          FROM unnest(ids, versions, topics, states) WITH ORDINALITY AS given(id, version, topic, state, place)
         ORDER BY place
        RETURNING notification_id;
END $$;

CREATE FUNCTION {schema}.append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the record is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON {schema}.ledger_events
    FOR EACH ROW EXECUTE FUNCTION {schema}.append_only();
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON {schema}.ledger_events
    FOR EACH STATEMENT EXECUTE FUNCTION {schema}.append_only();
ALTER TABLE {schema}.ledger_events ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE {schema}.ledger_events ENABLE ALWAYS TRIGGER append_only_truncate;

REVOKE ALL ON FUNCTION {schema}.append(text[], bigint[], text[], bytea[]) FROM PUBLIC;
GRANT USAGE ON SCHEMA {schema} TO {role};
GRANT SELECT, INSERT (originator_id, originator_version, topic, state) ON {schema}.ledger_events TO {role};
GRANT EXECUTE ON FUNCTION {schema}.append(text[], bigint[], text[], bytea[]) TO {role};
GRANT SELECT ON {schema}.alembic_version TO {role};
"""


def upgrade() -> None:
    run_script(EVENTS, lock=zlib.crc32(context.config.attributes["schema"].encode()))


def downgrade() -> None:
    refuse_downgrade()
