"""Pass each save to a set of views.

If the views cannot process a save, they note the reason and skip the campaign from then on.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence

import psycopg
from eventsourcing.persistence import DataError, IntegrityError, PersistenceError

from ledger.application import log_problem
from ledger.errors import LedgerError, Newer
from ledger.events.codec import Codec
from ledger.events.lines import LONG_IDLE
from ledger.events.recorder import LedgerRecorder, Numbered
from ledger.rules.kernel.contract import AnyRuleset
from projections.views.campaigns import Campaigns
from projections.views.saves import Gathered, Gathering, Saved, Stop
from projections.views.store import CHANNEL, Tables
from projections.views.view import View, ViewTransaction

MOST_REMEMBERED = 10_000
BATCH = 500  # the most notifications in a transaction, unless a single save has more
BATCH_ANEW = 8000  # the most notifications in a transaction while nobody waits for the views yet
log = logging.getLogger("ledger.views")


class Keeper:
    """Keeps the tables of these views up to date.

    `lock_key`: the database lock to hold in shared mode while rows are written, or None. `batch_size`: the number of
    notifications in a transaction (default: `BATCH`). `shelf`: the shelf whose new rows are announced.
    """

    def __init__(
        self,
        tables: Tables,
        view_classes: Sequence[type[View]],
        recorder: LedgerRecorder,
        codec: Codec,
        lock_key: int | None = None,
        batch_size: int | None = None,
        shelf: int = 0,
    ) -> None:
        self.tables = tables
        self.view_classes = view_classes
        self._recorder = recorder
        self._codec = codec
        self._batch_size = batch_size or BATCH
        self._first_statements = [f"NOTIFY {CHANNEL}, '{shelf}'"]  # sent once the transaction is committed
        if lock_key is not None:
            self._first_statements.append(f"SELECT pg_advisory_xact_lock_shared({lock_key})")
        self._views: list[View] = []
        self._systems: dict[str, AnyRuleset] = {}
        self._stopped_campaigns: set[str] = set()
        self._positions: dict[str, int] = {}
        self._reached_id = -1

    def take_next_saves(self, last_id: int | None = None) -> int:
        """Process the next saves, up to the notification `last_id`. Return how many notifications were read: 0 at the
        end of the record.
        """
        reached_id = self.tables.find_reached_id()
        if reached_id != self._reached_id:  # the first time, and after another process has processed more
            self._forget_all()
            self._stopped_campaigns, self._reached_id = self.tables.list_stopped_campaigns(), reached_id
        batch, count = self._read_next_batch(reached_id, last_id)
        if batch.last_id is None:
            return 0
        try:
            try:
                stops = self._write_batch(batch, self._put_saves)
            except Exception as problem:
                if _is_database_fault(problem) or isinstance(problem, Newer):
                    raise
                stops = self._write_batch(batch, self._put_saves_by_campaign)
        except BaseException as problem:
            self._reached_id = -1  # the views may have rows in memory that were not written
            if not isinstance(problem, IntegrityError) or self.tables.find_reached_id() == reached_id:
                raise  # otherwise another process has taken them
            return count
        for campaign_stop in stops:
            self._stopped_campaigns.add(campaign_stop.campaign)
            log.critical("The views of the campaign %s have stopped: %s", campaign_stop.campaign, campaign_stop.detail)
        return count

    def _write_batch(
        self, batch: Gathered, put: Callable[[ViewTransaction, Sequence[Saved]], list[Stop]]
    ) -> list[Stop]:
        """Write a batch in one transaction, and return the campaigns whose views stop at it. `put`: puts the saves
        into every view.
        """
        assert batch.last_id is not None
        events_at_hand = {
            (event.originator_id, event.originator_version): event for save in batch.saves for event in save.events
        }
        with self.tables.open_transaction(LONG_IDLE, *self._first_statements) as cursor:
            rewound_campaigns = frozenset(save.campaign for save in batch.saves if save.rewound_numbers)
            transaction = ViewTransaction(
                cursor,
                self._recorder,
                self._codec,
                self._systems,
                events_at_hand,
                rewound_campaigns=rewound_campaigns,
            )
            failure_stops = put(transaction, batch.saves)
            stops = list(({**batch.stops} | {stop.campaign: stop for stop in failure_stops}).values())
            self.tables.note_stops(cursor, stops)
            self.tables.note_reached_id(cursor, batch.last_id)
        self._reached_id = -1 if failure_stops else batch.last_id
        return stops

    def _forget_all(self) -> None:
        self._views = [view_class() for view_class in self.view_classes]
        self._systems.clear()
        self._positions.clear()

    def _put_saves(self, transaction: ViewTransaction, saves: Sequence[Saved]) -> list[Stop]:
        """Put the saves into every view."""
        for view in self._views:
            view.apply_saves(transaction, saves)
        return []

    def _put_saves_by_campaign(self, transaction: ViewTransaction, saves: Sequence[Saved]) -> list[Stop]:
        """Put the saves into every view, one campaign after another. Stop a campaign that fails."""
        transaction.is_careful = True
        stops = []
        for campaign, own_saves in _group_by_campaign(saves):
            self._forget_all()
            try:
                with transaction.cursor.connection.transaction():
                    self._put_saves(transaction, own_saves)
            except Exception as problem:
                if _is_database_fault(problem):
                    raise
                stops.append(_make_stop(campaign, own_saves, problem))
        return stops

    def _read_next_batch(self, reached_id: int, last_id: int | None) -> tuple[Gathered, int]:
        """Return the next saves, and how many notifications contained them."""
        limit = self._batch_size
        while True:
            events = self._recorder.select_sealed(reached_id, limit, last_id)
            is_end = len(events) < limit
            gathering = Gathering(
                self._codec, self._stopped_campaigns, self._find_positions(events), self._recorder.select_saves
            )
            batch = gathering.gather(events, is_end=is_end)
            if batch.last_id is not None or is_end:
                self._positions |= gathering.positions
                return batch, len(events)
            limit *= 4

    def _find_positions(self, events: Sequence[Numbered]) -> dict[str, int]:
        """Return the positions of these events' campaigns, if these views keep positions."""
        if Campaigns not in self.view_classes:
            return {}
        campaigns = {stream.partition("/")[0] for _, stream, *_ in events}
        unknown_campaigns = campaigns.difference(self._positions)
        if unknown_campaigns:
            if len(self._positions) > MOST_REMEMBERED:
                self._positions.clear()
                unknown_campaigns = campaigns
            self._positions |= self.tables.find_positions(sorted(unknown_campaigns))
        return {campaign: self._positions[campaign] for campaign in campaigns}


def _is_database_fault(problem: Exception) -> bool:
    """Return whether the database failed. A value that no column can hold is the fault of a campaign."""
    return isinstance(problem, PersistenceError | psycopg.Error) and not isinstance(
        problem, DataError | psycopg.DataError
    )


def _group_by_campaign(saves: Sequence[Saved]) -> Iterator[tuple[str, list[Saved]]]:
    for campaign in dict.fromkeys(save.campaign for save in saves):
        yield campaign, [save for save in saves if save.campaign == campaign]


def _make_stop(campaign: str, saves: Sequence[Saved], problem: Exception) -> Stop:
    first_position, last_position = saves[0].position, saves[-1].position
    if isinstance(problem, LedgerError):
        return Stop(campaign, problem.code, problem.detail)
    log_problem(campaign, f"saves {first_position} to {last_position}", problem)
    return Stop(
        campaign, "rules-failed", f"The rules fail on something between saves {first_position} and {last_position}."
    )
