"""The one process that keeps all views, and how views are built anew beside those in use."""

from __future__ import annotations

import logging
import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import psycopg
from eventsourcing.utils import Environment
from psycopg.rows import TupleRow

from ledger.application import environment
from ledger.errors import LedgerError
from ledger.events.away import is_away
from ledger.events.codec import everything
from ledger.events.database_check import next_of, views_of
from ledger.events.lines import alone, factory_of
from ledger.events.recorder import LedgerRecorder
from projections.views.keeping import BATCH_ANEW, Keeping
from projections.views.store import VIEWS, Tables
from projections.views.view import View

PATIENCE = 1.0  # seconds between two tries while the database is away, or another process keeps the views
LOOK = 0.5  # seconds after which it looks for new events unasked
log = logging.getLogger("ledger.views")


class Projector:
    """Keeps the views of one schema. `url`: the projector's own login.

    `leading`: whether it is the one that keeps them. `problem`: why it has stopped for good, if it has.
    """

    def __init__(self, url: str, schema: str) -> None:
        self.codec = everything()
        self.leading = False
        self.problem: str | None = None
        self._url = url
        self._lock = zlib.crc32(f"{schema} views".encode())
        self.recorder = _recorder(url, schema)
        self.live = _tables(url, views_of(schema))
        self.next = _tables(url, next_of(schema))

    def close(self) -> None:
        for one in (self.recorder, self.live, self.next):
            one.datastore.close()

    def __enter__(self) -> Projector:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # --- following ---

    def follow(self, stop: threading.Event) -> None:
        """Keep the views until it is stopped. A database that is away is waited for; so is another keeper's end.

        A campaign whose record is not as it must be is stopped, and told of by the views themselves. Whatever else goes
        wrong is said in `problem`, logged and raised: no event is passed over.
        """
        while not stop.is_set():
            try:
                with self._watching() as news:
                    if news is not None:
                        self._lead(stop, news)
            except Exception as trouble:
                if not is_away(trouble):
                    self.problem = trouble.detail if isinstance(trouble, LedgerError) else repr(trouble)
                    log.critical("The views have stopped: %s", self.problem)
                    raise
                log.warning("The views wait for the database (%s).", type(trouble).__name__)
            finally:
                self.leading = False
            stop.wait(PATIENCE)

    def _lead(self, stop: threading.Event, news: psycopg.Connection[TupleRow]) -> None:
        self.prepare()
        keeping = self._keeping()
        self.leading = True
        while not stop.is_set():
            if not keeping.step():
                for _ in news.notifies(timeout=LOOK, stop_after=1):
                    pass

    @contextmanager
    def _watching(self) -> Iterator[psycopg.Connection[TupleRow] | None]:
        """A connection that hears of new events; None when another process keeps the views."""
        with alone(self._url) as connection:
            mine = _fetch(connection, "SELECT pg_try_advisory_lock(%s)", self._lock + 1)
            connection.execute("LISTEN ledger_events")
            yield connection if mine else None

    def _keeping(self) -> Keeping:
        """The views in use, as far as they stand in today's form."""
        forms = self.live.forms()
        kinds = [view for view in VIEWS if forms.get(view.name) == view.form()]
        return Keeping(self.live, kinds, self.recorder, self.codec, self._lock)

    def prepare(self) -> None:
        """Make the views' tables; build anew those that stand there in another form."""
        self.live.ensure()
        forms = self.live.forms()
        outdated = [view for view in VIEWS if forms.get(view.name) != view.form()]
        if not forms:
            self.live.create(VIEWS)
        elif outdated:
            log.warning("Views are built in a new form: %s.", ", ".join(view.name for view in outdated))
            self.rebuild(outdated)

    def is_led(self) -> bool:
        """Whether some process keeps the views now."""
        with alone(self._url) as connection:
            return not _fetch(connection, "SELECT pg_try_advisory_lock(%s)", self._lock + 1)

    def behind(self) -> int:
        """How many events the views have not taken yet."""
        return (self.recorder.max_notification_id() or 0) - self.live.reached()

    def catch_up(self) -> None:
        """Bring the views in use to the end of the record, and return."""
        self.prepare()
        keeping = self._keeping()
        while keeping.step():
            pass

    # --- building anew ---

    def rebuild(
        self, views: Sequence[type[View]] = VIEWS, progress: Callable[[int, int], None] = lambda done, total: None
    ) -> None:
        """Build the views from zero beside those in use, and exchange them. Goes on where a crash left it.

        `progress`: is told the id of the notification taken last, and of the last there is.
        """
        with alone(self._url) as connection:
            _fetch(connection, "SELECT pg_advisory_lock(%s)::text", self._lock + 2)  # one building at a time
            self._begin(views)
            built = Keeping(self.next, views, self.recorder, self.codec, batch=BATCH_ANEW)
            while built.step():
                progress(self.next.reached(), self.recorder.max_notification_id() or 0)
            self.next.analyze()
            _fetch(connection, "SELECT pg_advisory_lock(%s)::text", self._lock)  # nobody else writes the views in use
            end = self.recorder.max_notification_id()
            for keeping in (built, Keeping(self.live, self._keeping().kinds, self.recorder, self.codec)):
                while keeping.step(end):
                    pass
            self.live.take_over(views, self.next)

    def _begin(self, views: Sequence[type[View]]) -> None:
        self.live.ensure()
        self.next.ensure()
        if self.next.forms() != {view.name: view.form() for view in views}:
            self.next.drop()
            self.next.ensure()
            self.next.create(views)


def _fetch(connection: psycopg.Connection[TupleRow], query: str, *parameters: object) -> object:
    row = connection.execute(query.encode(), parameters).fetchone()
    assert row is not None
    return row[0]


def _environment(url: str, schema: str) -> Environment:
    return Environment("Ledger", environment(url, schema=schema, pool_size=1))


def _recorder(url: str, schema: str) -> LedgerRecorder:
    recorder = factory_of(_environment(url, schema)).application_recorder()
    assert isinstance(recorder, LedgerRecorder)
    return recorder


def _tables(url: str, schema: str) -> Tables:
    return Tables(factory_of(_environment(url, schema)).datastore)
