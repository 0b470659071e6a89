"""Read the views and make pages for one viewer. Everything in a document shows the same moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Generic, Literal, NamedTuple, TypeAlias, TypeVar

import psycopg
from eventsourcing.persistence import ProgrammingError
from eventsourcing.postgres import PostgresDatastore
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.rows import TupleRow, tuple_row
from psycopg.sql import SQL, Identifier

from ledger.errors import Unavailable, Unsound
from ledger.events.codec import encode, plain
from ledger.events.database_check import name_views_schema
from ledger.events.journal_check import GAP
from ledger.events.read_transaction import ReadTransaction
from ledger.events.shelves import Shelf
from ledger.rules.kernel.subjects import Viewer
from projections.views.campaigns import check_edition
from projections.views.store import FOLLOWING, VIEWS
from projections.views.view import compute_code_version, make_storable

D_co = TypeVar("D_co", covariant=True)
MOST = 500
EDITIONS = "SELECT system, edition FROM {views}.editions"
#: Errors while views are being made: their tables do not exist yet, or may not be read yet.
NOT_MADE = (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn, psycopg.errors.InsufficientPrivilege)
Order: TypeAlias = Literal["asc", "desc"]
PAST: Mapping[Order, str] = {"asc": ">", "desc": "<"}


@dataclass(frozen=True, slots=True)
class Page(Generic[D_co]):
    """A document for one viewer, the position it reflects (0: the views do not know the campaign), and the cursors of
    its list.

    `after`: the cursor of the next page, if there is one. `first`: the cursor of the first item of the list. `listed`:
    the field of the document that has the list.
    """

    document: D_co
    position: int
    after: str | None = None
    first: str | None = None
    listed: str = ""

    def decode(self) -> D_co:
        """Return the document as its reader receives it."""
        document: D_co = plain(encode(self.document))
        return document


@dataclass(slots=True)
class Query:
    """A statement being built: conditions, and the values they name."""

    conditions: list[str] = field(default_factory=list)
    values: dict[str, object] = field(default_factory=dict)

    def add_condition(self, condition: str, **values: object) -> None:
        """Add a condition, unless one of its values is None."""
        if None not in values.values():
            self.conditions.append(condition)
            self.values |= values

    def start_after(self, column: str, order: Order, after: object) -> None:
        """Select only rows after this value, or all rows if the value is 0 or an empty text."""
        if after:
            self.add_condition(f"{column} {PAST[order]} %(after)s", after=after)

    def limit_to_viewer(self, viewer: Viewer, column: str) -> None:
        """Select only rows that the viewer may see."""
        self.add_condition(f"({column} IS NULL OR {column} && %(keys)s)", keys=list_audience_keys(viewer))

    @property
    def text(self) -> str:
        return " AND ".join(self.conditions)


def list_audience_keys(viewer: Viewer) -> list[str]:
    """Return every audience entry that includes this viewer."""
    gm_keys = ["gm"] if viewer.role == "gm" else []
    character_keys = (f"character:{id}" for id in sorted(viewer.characters))
    return [viewer.seat, *gm_keys, *character_keys, *(f"chair:{name}" for name in sorted(viewer.chairs))]


@lru_cache(maxsize=1000)
def _render_query(query: str, views_schema: str, events_schema: str) -> bytes:
    names = {"views": Identifier(views_schema), "events": Identifier(events_schema, "ledger_events")}
    names |= {"counter": Identifier(events_schema, "counter")}
    return SQL(query).format(**names).as_bytes(None)


#: A text that changes when views are rebuilt (their rows in `forms` are written again), and whether this is a standby.
_BUILT = "(SELECT string_agg(view || ' ' || xmin, ',' ORDER BY view) FROM {views}.forms), pg_is_in_recovery()"
#: The number of views made by today's code.
_TODAYS = "(SELECT count(*) FROM {views}.forms WHERE version = %(form)s)"
_STOPPED = "(SELECT detail FROM {views}.stopped WHERE campaign = %(campaign)s)"
_REACHED = (
    "(SELECT position FROM {views}.campaigns WHERE campaign = %(campaign)s),"
    " (SELECT named FROM {views}.campaigns WHERE campaign = %(campaign)s)"
)
_TAKEN = "coalesce((SELECT max(notification_id) FROM {views}.tracking WHERE application_name = %(name)s), 0)"
_NEWEST = "coalesce((SELECT max(notification_id) FROM {events}), 0)"
NEVER = 2**62  # higher than any campaign's position
#: The position of each campaign in these views. A stopped campaign counts as being beyond any position, unless it
#: stopped because a save is missing.
KEPT = """
WITH over AS (SELECT campaign FROM {views}.stopped WHERE code <> %(gap)s)
SELECT kept.campaign, kept.position, taken.id
  FROM (SELECT coalesce(max(notification_id), 0) AS id FROM {views}.tracking WHERE application_name = %(name)s) AS taken
  LEFT JOIN (SELECT campaign, position FROM {views}.campaigns WHERE campaign NOT IN (SELECT campaign FROM over)
             UNION ALL SELECT campaign, %(never)s FROM over) AS kept ON true
"""
#: The campaigns with a save that the views passed over. `<campaign>0` comes after all keys of the campaign, because `0`
#: is the character after `/`.
PASSED_OVER = """
WITH RECURSIVE recorded(campaign) AS (
    (SELECT split_part(originator_id, '/', 1) FROM {events} ORDER BY originator_id LIMIT 1)
    UNION ALL
    SELECT (SELECT split_part(e.originator_id, '/', 1) FROM {events} AS e
             WHERE e.originator_id > recorded.campaign || '0' ORDER BY e.originator_id LIMIT 1)
      FROM recorded WHERE recorded.campaign IS NOT NULL
)
SELECT recorded.campaign
  FROM recorded LEFT JOIN unnest(%(campaigns)s::text[], %(positions)s::bigint[]) AS kept(campaign, position)
    ON kept.campaign = recorded.campaign
  CROSS JOIN LATERAL (SELECT e.notification_id FROM {events} AS e
                       WHERE e.originator_id = recorded.campaign || '/journal/journal'
                         AND e.originator_version = coalesce(kept.position, 0) + 1 OFFSET 0) AS next
 WHERE next.notification_id <= %(taken)s
 ORDER BY 1
"""


class Sent(Loader):
    """Loads a text as the bytes that were received."""

    def load(self, data: Buffer) -> bytes:
        return bytes(data)


class Place(NamedTuple):
    """The place that views have reached. `naming_position`: the position of the last naming in the campaign. `built`: a
    text that changes whenever any view is rebuilt. `is_copy`: whether the views are on a standby.
    """

    position: int
    naming_position: int
    built: str
    is_copy: bool


def ask_shelf(
    datastore: PostgresDatastore, query: str, values: Mapping[str, object], *, as_bytes: bool = False
) -> list[TupleRow]:
    """Return the rows. `{views}` in the query is the schema of the views, `{events}` the table of the events."""
    statement = _render_query(query, name_views_schema(datastore.schema), datastore.schema)
    try:
        with datastore.get_connection() as conn, conn.cursor(row_factory=tuple_row) as cursor:
            if as_bytes:
                cursor.adapters.register_loader("text", Sent)
            cursor.execute(statement, {name: make_storable(value) for name, value in values.items()}, prepare=True)
            return list(cursor.fetchall())
    except ProgrammingError as problem:
        if isinstance(problem.__cause__, NOT_MADE):
            raise Unavailable("The views are not ready yet. Please try again.", code="views-behind") from problem
        raise


def find_followed_place(datastore: PostgresDatastore) -> Place:
    """Return the place of a shelf's views. Its position is the id of the newest event that all these views have
    processed.
    """
    ((built, is_copy, taken),) = ask_shelf(datastore, f"SELECT {_BUILT}, {_TAKEN}", {"name": FOLLOWING})
    return Place(int(taken), 0, built or "", is_copy)


def require_todays_form(datastore: PostgresDatastore) -> None:
    """Raise Unavailable while views of another version are being rebuilt."""
    ((count,),) = ask_shelf(datastore, f"SELECT {_TODAYS}", {"form": compute_code_version()})
    _require_all_views(count)


def _require_all_views(count: int) -> None:
    if count < len(VIEWS):
        detail = "The views are being rebuilt for this version. Please try again."
        raise Unavailable(detail, code="views-behind")


def _find_place(datastore: PostgresDatastore, campaign: str) -> Place:
    query = f"SELECT {_BUILT}, {_TODAYS}, {_STOPPED}, {_REACHED}"
    values = {"campaign": campaign, "form": compute_code_version()}
    ((build, is_copy, count, reason, position, naming_position),) = ask_shelf(datastore, query, values)
    _require_all_views(count)
    if reason is not None:
        raise Unsound(f"The views of this campaign have stopped: {reason}", code="views-stopped")
    return Place(int(position or 0), int(naming_position or 0), build or "", is_copy)


class Reader:
    """The views of one campaign as of one moment. Documents read the views only through this class.

    Use `Views.open_reader`, unless the same transaction must also read something else.
    """

    def __init__(self, transaction: ReadTransaction, campaign: str) -> None:
        self.transaction = transaction
        self.campaign = campaign

    @cached_property
    def place(self) -> Place:
        """Return the place of the views in the campaign, with position 0 if they do not know it. Raise Unsound if they
        have stopped.

        Read this before anything else. It reads `forms`, and no rebuilt view replaces an old one while a transaction
        reads `forms`. Otherwise the transaction might see only some of the new views.
        """
        return _find_place(self.transaction, self.campaign)

    @property
    def position(self) -> int:
        return self.place.position

    def ask(self, query: str, values: Mapping[str, object], *, as_bytes: bool = False) -> list[TupleRow]:
        """Return the rows. `{views}` in the query is the schema of the views, `{events}` the table of the events.

        `%(campaign)s`: the campaign, unless another is given. `as_bytes`: whether to return texts as bytes. Raise
        Unavailable if the views are not made yet, or are of another version.
        """
        _ = self.place
        return ask_shelf(self.transaction, query, {"campaign": self.campaign, **values}, as_bytes=as_bytes)

    def select_rows(self, columns: str, clauses: str, query: Query, *, as_bytes: bool = False) -> list[TupleRow]:
        """Return the rows of a select: `columns`, then `clauses`, which begin with FROM. `as_bytes`: as in `ask`."""
        return self.ask(f"SELECT {columns} {clauses}", query.values, as_bytes=as_bytes)


class Views:
    """The views of one shelf, for callers who do not make a document. Each query has a moment of its own."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf

    @property
    def schema(self) -> str:
        """Return the schema of the events."""
        return self.shelf.schema

    @contextmanager
    def open_reader(self, campaign: str) -> Iterator[Reader]:
        """Yield a reader of a campaign's views as of one moment."""
        with ReadTransaction(self.shelf) as transaction:
            yield Reader(transaction, campaign)

    def find_position(self, campaign: str) -> int:
        """Return the position of the views in the campaign, or 0 if they do not know the campaign. Raise Unsound if
        they have stopped.
        """
        return self.find_place(campaign).position

    def find_place(self, campaign: str) -> Place:
        """Return the place of these views in the campaign. Raise Unsound if they have stopped."""
        return _find_place(self.shelf, campaign)

    def find_followed_place(self) -> Place:
        """Return the place of these views. Its position is the id of the newest event that all have processed."""
        return find_followed_place(self.shelf)

    def count_stopped(self) -> int:
        """Return how many campaigns the views no longer follow."""
        return self._read_number("SELECT count(*) FROM {views}.stopped")

    def check_edition(self) -> None:
        """Raise Newer if a later edition of a game than the installed one saved something."""
        check_edition((system, edition) for system, edition in ask_shelf(self.shelf, EDITIONS, {}))

    def count_campaigns(self) -> int:
        """Return how many campaigns there are."""
        return self._read_number("SELECT count(*) FROM {views}.campaigns")

    def count_tokens_issued(self, campaign: str) -> int:
        """Return how many tokens the campaign's seats were given so far."""
        query = (
            "SELECT count(*) FROM (SELECT 1 FROM {events} WHERE"
            ' originator_id > %(first)s COLLATE "C" AND originator_id < %(end)s COLLATE "C" OFFSET 0) AS issued'
        )
        return self._read_number(query, {"first": f"{campaign}/access/", "end": f"{campaign}/access0"})

    def _read_number(self, query: str, values: Mapping[str, object] | None = None) -> int:
        return int(ask_shelf(self.shelf, query, values or {})[0][0])

    def list_outdated(self) -> list[str]:
        """Return the names of the views that are missing or of another version."""
        forms: dict[str, int] = dict(ask_shelf(self.shelf, "SELECT view, version FROM {views}.forms", {}))
        return [view_class.name for view_class in VIEWS if forms.get(view_class.name) != compute_code_version()]

    def list_campaigns_passed_over(self) -> list[str]:
        """Return the campaigns that lack a save in the views, although later saves are there.

        Before version 0011 of the schema, an event with an id far ahead made the views skip later events with lower
        ids.
        """
        rows = ask_shelf(self.shelf, KEPT, {"name": FOLLOWING, "gap": GAP, "never": NEVER})
        campaigns = [campaign for campaign, _, _ in rows if campaign is not None]
        positions = [position for campaign, position, _ in rows if campaign is not None]
        values = {"campaigns": campaigns, "positions": positions, "taken": rows[0][2]}
        return [campaign for (campaign,) in ask_shelf(self.shelf, PASSED_OVER, values)]

    def find_newest_ids(self) -> tuple[int, int]:
        """Return the last id from the counter, and the id of the newest event. The first is lower only if the counter
        was set back.
        """
        query = "SELECT last, (SELECT coalesce(max(notification_id), 0) FROM {events}) FROM {counter}"
        ((last_id, newest_id),) = ask_shelf(self.shelf, query, {})
        return int(last_id), int(newest_id)

    def count_behind(self) -> int:
        """Return how many events the views have not processed yet."""
        newest_id, taken_id = self.find_newest_and_taken()
        return newest_id - taken_id

    def find_newest_and_taken(self) -> tuple[int, int]:
        """Return the id of the newest event, and the id of the newest event that all views have processed. 0 stands for
        no event.
        """
        ((newest_id, taken_id),) = ask_shelf(self.shelf, f"SELECT {_NEWEST}, {_TAKEN}", {"name": FOLLOWING})
        return int(newest_id), int(taken_id)
