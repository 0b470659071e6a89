"""The table of webhooks, outside the record: the events that each webhook gets, and how far they were delivered.

The table is kept when views are rebuilt, and is in no journal, seal or export. It holds no secrets. The service signs
each row with its key, so write access to the table is not enough to receive events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, Literal, TypeAlias

import psycopg
from eventsourcing.postgres import PostgresDatastore
from psycopg.rows import TupleRow, tuple_row
from psycopg.sql import SQL, Identifier

from ledger.events.database_check import name_views_schema

#: A position in the journal and a place within that save, as in the feed.
FeedPlace: TypeAlias = tuple[int, int]
Status: TypeAlias = Literal["waiting", "on", "dead", "gone", "ended", "stopped", "deleted"]
MOST = 10  # the most webhooks of a campaign
REMEMBERED = 100  # deleted hooks that are kept for a campaign, so that a repeated request does not make them again


@dataclass(frozen=True, slots=True)
class Hook:
    """A webhook, as a row of the table.

    - seat, generation: the webhook sees what this seat may see, as long as the seat's token has this generation.
      Without a seat, it sees what an observer may see.
    - position, place: every event up to this place was sent, or is not for this webhook.
    - failures: the number of failures in a row.
    - answered: the document that was returned when the webhook was made, without the secret.
    - reason: why the webhook ended.
    - signature: signs `signed_part`. It is None if an earlier version of the ledger made the webhook.
    """

    id: str
    campaign: str
    url: str
    events: tuple[str, ...]
    seat: str | None
    generation: int
    made_by: str
    made_at: datetime
    request: str
    answered: str
    status: Status
    position: int
    place: int
    reason: str | None = None
    failures: int = 0
    failing_since: datetime | None = None
    next_at: datetime | None = None
    delivered_at: datetime | None = None
    problem: str | None = None
    problem_at: datetime | None = None
    signature: str | None = None

    @property
    def signed_part(self) -> list[object]:
        """Return the signed part of the row: what the webhook may see, which events it gets, and its address."""
        return [self.id, self.campaign, self.url, self.events, self.seat, self.generation, self.made_by]

    @property
    def reached_place(self) -> FeedPlace:
        return self.position, self.place


COLUMNS = [field.name for field in fields(Hook)]


class HookStore:
    """The hooks of one schema. Raises the library's errors if the database does not answer.

    `has_active_hooks`: whether any hook was on when `list_due` last looked.
    """

    def __init__(self, datastore: PostgresDatastore) -> None:
        self.has_active_hooks = True
        self._datastore = datastore
        schema = datastore.schema
        self._names = {
            "hooks": Identifier(schema, "hooks"),
            "earlier": Identifier(schema, "hooks_of_before"),
            "columns": SQL(", ").join(SQL("h.{}").format(Identifier(name)) for name in COLUMNS),
            "views": Identifier(name_views_schema(schema)),
        }
        self._lock_prefix = f"{schema} hooks "
        self._statements: dict[str, bytes] = {}

    @contextmanager
    def _open_cursor(self) -> Iterator[psycopg.Cursor[TupleRow]]:
        """Yield a cursor. Each statement is its own transaction, except in `add`."""
        with self._datastore.get_connection() as connection, connection.cursor(row_factory=tuple_row) as cursor:
            yield cursor

    def _make_statement(self, query: str) -> bytes:
        """Return the statement for this schema. It is built only once."""
        statement = self._statements.get(query)
        if statement is None:
            statement = self._statements[query] = SQL(query).format(**self._names).as_bytes(None)
        return statement

    def _run_query(self, cursor: psycopg.Cursor[TupleRow], query: str, values: Mapping[str, object]) -> list[Hook]:
        cursor.execute(self._make_statement(query), values)
        return [_make_hook(row) for row in cursor.fetchall()] if cursor.description is not None else []

    def _select_hooks(self, query: str, **values: object) -> list[Hook]:
        with self._open_cursor() as cursor:
            return self._run_query(cursor, query, values)

    # --- reading ---

    def list_for_campaign(self, campaign: str) -> list[Hook]:
        """Return a campaign's hooks, the oldest first, without deleted ones."""
        query = "SELECT {columns} FROM {hooks} h WHERE campaign = %(campaign)s AND status <> 'deleted'"
        return self._select_hooks(f"{query} ORDER BY made_at, id", campaign=campaign)

    def list_all(self) -> list[Hook]:
        """Return the hooks of all campaigns, without deleted ones."""
        query = "SELECT {columns} FROM {hooks} h WHERE status <> 'deleted' ORDER BY campaign, made_at, id"
        return self._select_hooks(query)

    def get(self, id: str) -> Hook | None:
        """Return a hook, even if it was deleted."""
        return next(iter(self._select_hooks("SELECT {columns} FROM {hooks} h WHERE id = %(id)s", id=id)), None)

    def is_from_before_signing(self, hook: Hook) -> bool:
        """Return whether the hook was made before hooks were signed, and its signed part is unchanged."""
        values = {name: getattr(hook, name) for name in COLUMNS} | {"events": list(hook.events)}
        with self._open_cursor() as cursor:
            return cursor.execute(self._make_statement(EARLIER), values).fetchone() is not None

    def list_due(self, now: datetime) -> list[Hook]:
        """Return the webhooks that are on, not waiting for a retry, and behind the views of their campaign.

        Webhooks with a due retry come first, the earliest retry first. The others follow, the oldest first. Campaigns
        whose views have stopped are left out.
        """
        active_hooks = self._select_hooks(
            "SELECT {columns} FROM {hooks} h WHERE h.status = 'on' ORDER BY h.next_at NULLS LAST, h.made_at"
        )
        self.has_active_hooks = bool(active_hooks)
        ready_hooks = [hook for hook in active_hooks if hook.next_at is None or hook.next_at <= now]
        positions = self._select_view_positions({hook.campaign for hook in ready_hooks}) if ready_hooks else {}
        return [hook for hook in ready_hooks if positions.get(hook.campaign, -1) >= hook.position]

    def _select_view_positions(self, campaigns: Set[str]) -> dict[str, int]:
        """Return the positions of these campaigns' views. The views may be on another machine, so this is a separate
        statement.
        """
        query = (
            "SELECT c.campaign, c.position FROM {views}.campaigns c WHERE c.campaign = ANY(%s)"
            " AND NOT EXISTS (SELECT 1 FROM {views}.stopped s WHERE s.campaign = c.campaign)"
        )
        with self._open_cursor() as cursor:
            return dict(cursor.execute(self._make_statement(query), (sorted(campaigns),)).fetchall())

    # --- writing ---

    def add(self, hook: Hook) -> Hook | None:
        """Add the webhook and return it. If a webhook with this id is already stored, return that webhook instead.
        Return None if the campaign has too many webhooks.
        """
        values = {name: getattr(hook, name) for name in COLUMNS} | {"events": list(hook.events)}
        with self._open_cursor() as cursor, cursor.connection.transaction():
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", (self._lock_prefix + hook.campaign,))
            existing_hooks = self._run_query(
                cursor, "SELECT {columns} FROM {hooks} h WHERE id = %(id)s", {"id": hook.id}
            )
            if existing_hooks:
                return existing_hooks[0]
            query = "SELECT {columns} FROM {hooks} h WHERE campaign = %(campaign)s AND status <> 'deleted'"
            if len(self._run_query(cursor, query, values)) >= MOST:
                return None
            self._run_query(cursor, FORGET, {"campaign": hook.campaign, "kept": REMEMBERED})
            placeholders = ", ".join(f"%({name})s" for name in COLUMNS)
            self._run_query(cursor, f"INSERT INTO {{hooks}} ({', '.join(COLUMNS)}) VALUES ({placeholders})", values)
            return hook

    def agree(self, hook: Hook) -> Hook | None:
        """Turn the webhook on, with its generation, place and signature, and return it. Return None if it was not
        waiting for agreement.
        """
        change = "status = 'on', generation = %(generation)s, position = %(position)s, place = %(place)s"
        return self._change_hook(
            hook.id,
            "waiting",
            f"{change}, signature = %(signature)s",
            generation=hook.generation,
            position=hook.position,
            place=hook.place,
            signature=hook.signature,
        )

    def end(self, id: str, status: Status, reason: str, failed_at: datetime | None = None) -> Hook | None:
        """End the webhook permanently and return it. Return None if it had already ended. `failed_at`: the time of the
        failed delivery, if there was one.
        """
        change = "status = %(status)s, reason = %(reason)s, next_at = NULL"
        if failed_at is not None:
            change += ", problem = %(reason)s, problem_at = %(at)s"
        return self._change_hook(id, "waiting|on", change, status=status, reason=reason, at=failed_at)

    def delete(self, id: str) -> Hook | None:
        return self._change_hook(id, "waiting|on|dead|gone|ended|stopped", "status = 'deleted', next_at = NULL")

    def note_skipped(self, hook: Hook, reached_place: FeedPlace) -> Hook | None:
        """Note that the rows up to this place are not for the webhook. Return the changed webhook, or None if its place
        or status has changed in the meantime.
        """
        return self._update_if_unmoved(hook, reached_place, "failures = failures")

    def note_delivered(self, hook: Hook, reached_place: FeedPlace, at: datetime) -> Hook | None:
        """Note that the webhook accepted the row at this place. Return the webhook as `note_skipped` does."""
        assignments = "failures = 0, failing_since = NULL, next_at = NULL, delivered_at = %(at)s"
        return self._update_if_unmoved(hook, reached_place, assignments, at=at)

    def note_failed(self, hook: Hook, problem: str, failed_at: datetime, next_at: datetime) -> Hook | None:
        """Note a failed delivery. Return the webhook as `note_skipped` does."""
        assignments = (
            "failures = failures + 1, failing_since = coalesce(failing_since, %(failed_at)s), next_at = %(next_at)s,"
            " problem = %(problem)s, problem_at = %(failed_at)s"
        )
        return self._update_if_unmoved(
            hook, hook.reached_place, assignments, problem=problem, failed_at=failed_at, next_at=next_at
        )

    def _update_if_unmoved(
        self, hook: Hook, reached_place: FeedPlace, assignments: str, **values: object
    ) -> Hook | None:
        assignments = f"{assignments}, position = %(position)s, place = %(place)s"
        return self._change_hook(
            hook.id, "on", assignments, hook.reached_place, position=reached_place[0], place=reached_place[1], **values
        )

    def _change_hook(
        self,
        id: str,
        allowed_statuses: str,
        assignments: str,
        expected_place: FeedPlace | None = None,
        **values: object,
    ) -> Hook | None:
        condition = "id = %(id)s AND status = ANY(%(statuses)s)"
        if expected_place is not None:
            condition += " AND (position, place) = (%(was_position)s, %(was_place)s)"
            values |= {"was_position": expected_place[0], "was_place": expected_place[1]}
        query = f"UPDATE {{hooks}} h SET {assignments} WHERE {condition} RETURNING {{columns}}"
        return next(iter(self._select_hooks(query, id=id, statuses=allowed_statuses.split("|"), **values)), None)


EARLIER = """SELECT 1 FROM {earlier} WHERE id = %(id)s AND content = jsonb_build_array(
    %(campaign)s::text, %(url)s::text, %(events)s::text[],
    %(seat)s::text, %(generation)s::integer, %(made_by)s::text)"""
FORGET = """DELETE FROM {hooks} WHERE campaign = %(campaign)s AND status = 'deleted' AND id NOT IN (
    SELECT id FROM {hooks} WHERE campaign = %(campaign)s AND status = 'deleted' ORDER BY made_at DESC LIMIT %(kept)s)"""


def _make_hook(row: tuple[Any, ...]) -> Hook:
    hook = Hook(*row)
    return replace(hook, events=tuple(hook.events))
