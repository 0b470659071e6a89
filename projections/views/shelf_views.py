"""The views of one shelf: how they follow the record, and how they are rebuilt beside the views in use."""

from __future__ import annotations

import logging
import time
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import cached_property

import psycopg
from psycopg.rows import TupleRow

from ledger.application.collecting import collect_garbage_rarely
from ledger.events.codec import Codec, load_codec
from ledger.events.database_check import name_next_schema, name_views_schema
from ledger.events.lines import connect_outside_pool
from ledger.events.recorder import LedgerRecorder
from ledger.events.shelves import OnSchema, Shelf
from projections.views.campaigns import Campaigns
from projections.views.keeping import BATCH_ANEW, Keeper
from projections.views.pages import Views
from projections.views.store import VIEWS, Tables
from projections.views.view import View, compute_code_version

#: A function that takes two ids: of the last notification processed, and of the newest notification.
Progress = Callable[[int, int], None]
PAUSE = 1.0  # seconds between two attempts to replace views that are being read
log = logging.getLogger("ledger.views")


class ShelfViews:
    """The views of one shelf. `shelf`: the shelf with the projector's connections. `url`: the projector's login, for
    locks.
    """

    def __init__(self, shelf: Shelf, url: str) -> None:
        self.number = shelf.number
        self.recorder = LedgerRecorder(shelf, events_table_name="ledger_events")
        self.live_tables = Tables(OnSchema(shelf, name_views_schema(shelf.schema)))
        self.next_tables = Tables(OnSchema(shelf, name_next_schema(shelf.schema)), durable=False)
        self.views = Views(shelf)
        self._url = url
        self._lock_key = zlib.crc32(f"{shelf.schema} views".encode())

    @cached_property
    def codec(self) -> Codec:
        """Return the codec. Making it loads the games, so it is not made for empty tables."""
        return load_codec()

    def make_keeper(self) -> Keeper:
        """Return a keeper of the views in use that are of this version."""
        forms = self.live_tables.load_forms()
        view_classes = [view_class for view_class in VIEWS if forms.get(view_class.name) == compute_code_version()]
        return Keeper(self.live_tables, view_classes, self.recorder, self.codec, self._lock_key, shelf=self.number)

    def prepare(self) -> None:
        """Make the views' tables. Rebuild the views of another version, or all views if a save is missing."""
        self.make_tables()
        forms = self.live_tables.load_forms()
        outdated_classes = [view_class for view_class in VIEWS if forms.get(view_class.name) != compute_code_version()]
        if outdated_classes:
            log.warning(
                "Building views in a new format: %s.", ", ".join(view_class.name for view_class in outdated_classes)
            )
            self.rebuild(outdated_classes)
        if campaigns_passed_over := self.views.list_campaigns_passed_over():
            log.warning(
                "Rebuilding the views of shelf %d: saves of %s are missing.", self.number, campaigns_passed_over
            )
            self.rebuild()

    def make_tables(self) -> None:
        """Make the views' tables if there are none yet. If several processes try at once, only one makes them."""
        with closing(connect_outside_pool(self._url)) as connection:
            fetch_value(connection, "SELECT pg_advisory_lock(%s)::text", self._lock_key + 3)
            self.live_tables.ensure_base_tables()
            if not self.live_tables.load_forms():
                self.live_tables.create_tables(VIEWS)

    def find_end(self) -> int:
        """Return the id of the newest event; 0 for none."""
        return self.recorder.max_notification_id() or 0

    def count_behind(self) -> int:
        """Return how many events the views have not processed yet."""
        return self.find_end() - self.live_tables.find_reached_id()

    def catch_up(self) -> None:
        """Update the views in use until they reach the end of the record."""
        self.prepare()
        keeper = self.make_keeper()
        while keeper.take_next_saves():
            pass

    def rebuild(
        self, view_classes: Sequence[type[View]] = VIEWS, progress: Progress = lambda count, total: None
    ) -> None:
        """Rebuild the views beside the views in use. Then replace the views in use. To continue after a crash, call it
        again.

        The view of campaigns is always rebuilt, too: its positions say which saves the rebuilt views have processed.
        """
        view_classes = [view_class for view_class in VIEWS if view_class is Campaigns or view_class in view_classes]
        with closing(connect_outside_pool(self._url)) as connection, collect_garbage_rarely():
            fetch_value(connection, "SELECT pg_advisory_lock(%s)::text", self._lock_key + 2)  # one rebuild at a time
            self._prepare_next(view_classes)
            next_keeper = Keeper(
                self.next_tables, view_classes, self.recorder, self.codec, batch_size=BATCH_ANEW, shelf=self.number
            )
            while next_keeper.take_next_saves():
                progress(self.next_tables.find_reached_id(), self.find_end())
            self.next_tables.add_indexes(view_classes)
            self.next_tables.analyze_tables()
            while next_keeper.take_next_saves():  # process the events that arrived meanwhile
                progress(self.next_tables.find_reached_id(), self.find_end())
            while not self._try_to_replace(connection, view_classes, next_keeper):
                time.sleep(PAUSE)

    def _try_to_replace(
        self, connection: psycopg.Connection[TupleRow], view_classes: Sequence[type[View]], next_keeper: Keeper
    ) -> bool:
        """Replace the views in use. Return False if they are being read for a long time, for example by an audit."""
        # while this lock is held, no other process writes these views
        fetch_value(connection, "SELECT pg_advisory_lock(%s)::text", self._lock_key)
        try:
            end_id = self.recorder.max_notification_id()
            live_keeper = Keeper(
                self.live_tables, self.make_keeper().view_classes, self.recorder, self.codec, shelf=self.number
            )
            for keeper in (next_keeper, live_keeper):
                while keeper.take_next_saves(end_id):
                    pass
            return self.live_tables.take_over(view_classes, self.next_tables)
        finally:
            fetch_value(connection, "SELECT pg_advisory_unlock(%s)", self._lock_key)

    def _prepare_next(self, view_classes: Sequence[type[View]]) -> None:
        self.live_tables.ensure_base_tables()
        self.next_tables.ensure_base_tables()
        if self.next_tables.load_forms() != {view_class.name: compute_code_version() for view_class in view_classes}:
            self.next_tables.drop_tables()
            self.next_tables.ensure_base_tables()
            self.next_tables.create_tables(view_classes, with_all_indexes=False)


def fetch_value(connection: psycopg.Connection[TupleRow], query: str, *parameters: object) -> object:
    row = connection.execute(query.encode(), parameters).fetchone()
    assert row is not None
    return row[0]
