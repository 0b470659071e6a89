"""Measure the size of a shelf, and find the server it is on."""

from __future__ import annotations

from psycopg.rows import tuple_row

from ledger.events.database_check import name_next_schema, name_views_schema
from ledger.events.shelves import Shelf

HERE = """
SELECT current_setting('port'), coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname = ANY(%s) AND c.relkind IN ('r', 'm')"""
#: In a cluster: where the shards of these schemas' tables are.
SPREAD = """
SELECT string_agg(DISTINCT s.nodename || ':' || s.nodeport, ', '), sum(s.shard_size)::bigint
  FROM citus_shards s JOIN pg_class c ON c.oid = s.table_name JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname = ANY(%s)"""
CLUSTER = "SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus')"


def measure_size(shelf: Shelf) -> tuple[str, int]:
    """Return the shelf's server (host and port), and its size in bytes, including indexes and views."""
    schemas = [shelf.schema, name_views_schema(shelf.schema), name_next_schema(shelf.schema)]
    with shelf.get_connection() as connection, connection.cursor(row_factory=tuple_row) as cursor:
        (is_cluster,) = cursor.execute(CLUSTER).fetchone() or (False,)
        if is_cluster:
            server, size = cursor.execute(SPREAD, (schemas,)).fetchone() or (None, None)
            if server is not None:
                return str(server), int(size or 0)
        port, size = cursor.execute(HERE, (schemas,)).fetchone() or ("", 0)
        return f"{connection.info.host}:{port}", int(size)
