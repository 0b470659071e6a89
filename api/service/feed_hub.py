"""The feeds of each campaign: new rows are read from the views once and sent to all listeners."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import Any

import psycopg
from eventsourcing.persistence import PersistenceError
from fastapi.concurrency import run_in_threadpool
from fastapi.sse import format_sse_event

from api.service.standby import Standby
from ledger.application import Ledger, log_problem
from ledger.errors import LedgerError
from ledger.events.away import describe_trouble
from ledger.events.lines import connect_outside_pool
from projections.documents.feeds import LAST_PLACE, FeedPlace, News, list_news, render_row
from projections.documents.moves import YourTurn, describe_your_turn
from projections.redaction import LiveLens, ViewLens
from projections.views.pages import Views
from projections.views.store import CHANNEL

KEPT = 2000  # rows kept of each campaign for its listeners
PAGE = 500
LOOK = 1.0  # seconds after which it looks for new rows without a notification
LOOK_AGAIN = 2.0  # seconds after which a token is checked again
log = logging.getLogger("ledger.feed")


class CheckedLens:
    """What the listeners with one token may see, and the events written for all of them.

    `revision`: the subscription's revision at the last check. `at`: the time of that check.
    """

    def __init__(self, revision: int, lens_future: asyncio.Future[ViewLens]) -> None:
        self.revision, self.at = revision, time.monotonic()
        self.lens_future = lens_future
        self._events: dict[FeedPlace, bytes] = {}

    def is_outdated(self) -> bool:
        """Return whether the lens must be checked again: after some seconds, or at once after a failed check."""
        has_failed = self.lens_future.done() and (
            self.lens_future.cancelled() or self.lens_future.exception() is not None
        )
        return has_failed or time.monotonic() - self.at >= LOOK_AGAIN

    def write_event(self, row: News) -> bytes:
        """Return the row as an event of the feed, or `b""` if these listeners may not see the row."""
        event = self._events.get(row.place)
        if event is None:
            document = render_row(self.lens_future.result(), row)
            event = format_sse_event(id=row.id, event=row.what, data_str=document) if document is not None else b""
            self._events[row.place] = event
        return event


class FeedSubscription:
    """A campaign's latest rows in order, without gaps since `rows_since`, and the listeners waiting for more.

    `seats`: the number of listeners for each seat. `turns`: what the game is waiting for each seat to do.
    """

    def __init__(self, rows_since: FeedPlace) -> None:
        self.rows_since = rows_since
        self.rows: deque[News] = deque()
        self.seats: Counter[str] = Counter()
        self.reached_position = -1
        self.turns: dict[str, YourTurn] = {}
        self.revision = 0  # increased when the rights to see or to listen may have changed
        self._token_count: int | None = None
        self._checked_lenses: dict[str, CheckedLens] = {}
        self._news = asyncio.Event()

    @property
    def last_place(self) -> FeedPlace:
        return self.rows[-1].place if self.rows else self.rows_since

    def add_rows(self, rows: list[News], token_count: int) -> None:
        """Add rows, and wake the listeners. `token_count`: the number of all tokens, counted after reading the rows."""
        self.rows.extend(rows)
        while len(self.rows) > KEPT:
            self.rows_since = self.rows.popleft().place
        self.revision += any(map(_can_change_rights, rows))
        self.revision += token_count != self._token_count
        self._token_count = token_count
        self._wake_listeners()

    def set_turns(self, turns: dict[str, YourTurn]) -> None:
        """Set each listening seat's turn: what the game is waiting for the seat to do."""
        has_changed = turns != self.turns
        self.turns = turns
        if has_changed:
            self._wake_listeners()

    def _wake_listeners(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    def list_after(self, place: FeedPlace) -> list[News] | None:
        """Return the rows after the place, or None if they are no longer kept here."""
        if place < self.rows_since:
            return None
        if not self.rows or place >= self.rows[-1].place:
            return []
        return [row for row in self.rows if row.place > place]

    async def check_lens(
        self, token: str, load_lens: Callable[[], ViewLens], *, must_check_again: bool = False
    ) -> CheckedLens:
        """Return what the token's owner may see. Raise LedgerError if the token is no longer valid."""
        checked_lens = self._checked_lenses.get(token)
        if (
            must_check_again
            or checked_lens is None
            or checked_lens.revision != self.revision
            or checked_lens.is_outdated()
        ):
            lens_future = asyncio.ensure_future(run_in_threadpool(load_lens))
            checked_lens = self._checked_lenses[token] = CheckedLens(self.revision, lens_future)
            lens_future.add_done_callback(_pass_on_result)
        await asyncio.shield(checked_lens.lens_future)
        return checked_lens

    async def wait(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), seconds)


def _pass_on_result(lookup: asyncio.Future[ViewLens]) -> None:
    """Mark an error as seen, so that asyncio does not log it if every listener has left."""
    if not lookup.cancelled():
        lookup.exception()


def _can_change_rights(row: News) -> bool:
    """Return whether the row can change the rights of seats."""
    is_of_kernel_or_campaign = row.kind.startswith("ledger.") or row.document.get("subject") == "campaign"
    return row.what == "decision" or (row.what == "fact" and is_of_kernel_or_campaign)


class FeedHub:
    """The feed of one application. While anybody listens, it receives new rows on one connection.

    `direct_url`: the login for a connection of its own, needed if a pooler shares the ledger's connections.
    """

    def __init__(self, ledger: Ledger, count_listeners: Callable[[int], None], direct_url: str | None = None) -> None:
        self._ledger = ledger
        self.standby: Standby | None = None  # where it should read
        self._direct_url = direct_url
        self._count_listeners = count_listeners
        self._subscriptions: dict[str, FeedSubscription] = {}
        self._hearing_thread: threading.Thread | None = None
        self._reading_task: asyncio.Task[None] | None = None
        self._news_event = asyncio.Event()
        self._announced_numbers: set[str] = set()

    @asynccontextmanager
    async def listen(self, campaign: str, seat: str) -> AsyncIterator[FeedSubscription]:
        """Yield the campaign's subscription, which is kept up to date until the context ends."""
        subscription = self._subscriptions.get(campaign)
        if subscription is None:
            position = await run_in_threadpool(self._open_views(campaign).find_position, campaign)
            subscription = self._subscriptions.setdefault(campaign, FeedSubscription((position, LAST_PLACE)))
        subscription.seats[seat] += 1
        if seat not in subscription.turns:
            subscription.reached_position = -1  # it has not been checked yet whether the game is waiting for this seat
            self._news_event.set()
        self._start_reading()
        try:
            yield subscription
        finally:
            subscription.seats[seat] -= 1
            subscription.seats += Counter()
            if not subscription.seats:
                self._subscriptions.pop(campaign, None)
            self._start_reading()

    def _find_shelf_number(self, campaign: str) -> str:
        return str(self._ledger.shelves.get_shelf_of(campaign).number)

    def _note_announcement(self, shelf_number: str) -> None:
        self._announced_numbers.add(shelf_number)
        self._news_event.set()

    def _open_views(self, campaign: str) -> Views:
        return Views(self._ledger.shelves.get_shelf_of(campaign))

    def _start_reading(self) -> None:
        self._count_listeners(sum(subscription.seats.total() for subscription in self._subscriptions.values()))
        if self._subscriptions and (self._reading_task is None or self._reading_task.done()):
            self._reading_task = asyncio.create_task(self._read_all_news(asyncio.get_running_loop()))

    async def _read_all_news(self, loop: asyncio.AbstractEventLoop) -> None:
        """Read the new rows of every subscription while anybody listens."""
        if self._hearing_thread is None or not self._hearing_thread.is_alive():
            self._hearing_thread = threading.Thread(
                target=self._listen_for_announcements, args=(loop,), daemon=True, name="feed-hub"
            )
            self._hearing_thread.start()
        while self._subscriptions:
            announced_numbers: set[str] | None = None
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news_event.wait(), LOOK)
                announced_numbers = self._announced_numbers
            self._news_event.clear()
            self._announced_numbers = set()
            for campaign, subscription in list(self._subscriptions.items()):
                if (
                    announced_numbers is None
                    or subscription.reached_position < 0
                    or self._find_shelf_number(campaign) in announced_numbers
                ):
                    await self._read_news(campaign, subscription)

    async def _read_news(self, campaign: str, subscription: FeedSubscription) -> None:
        while True:
            try:
                position, rows, token_count = await run_in_threadpool(
                    self._read_new_rows, campaign, subscription.last_place
                )
                if rows:
                    subscription.add_rows(rows, token_count)
                if len(rows) == PAGE:
                    continue
                if position != subscription.reached_position:
                    await self._update_turns(campaign, subscription, position)
            except (PersistenceError, LedgerError):
                pass  # the database does not answer, or this campaign's views have stopped; it tries again next time
            return

    async def _update_turns(self, campaign: str, subscription: FeedSubscription, position: int) -> None:
        """Update what the game is waiting for the seats to do. All rows up to `position` have been added."""
        seats = tuple(subscription.seats)
        turns = await run_in_threadpool(self._find_turns, campaign, position, seats)
        if turns is not None:
            if subscription.seats.keys() <= set(seats):  # if another seat has joined meanwhile, it looks again
                subscription.reached_position = position
            subscription.set_turns(turns)

    def _find_turns(self, campaign: str, position: int, seats: Sequence[str]) -> dict[str, YourTurn] | None:
        """Return what the game is waiting for each seat to do, or None if the record is ahead of the views."""
        with self._ledger.open_for_service(campaign) as book:
            if book.campaign.position > position:
                return None
            viewers = [viewer for seat in seats if (viewer := book.load_viewer(seat)) is not None]
            try:
                return {viewer.seat: describe_your_turn(LiveLens(book, viewer)) for viewer in viewers}
            except Exception as problem:  # noqa: BLE001  (a game's defect can raise anything)
                log_problem(campaign, "the turns", problem)
                return {}

    def _read_new_rows(self, campaign: str, after: FeedPlace) -> tuple[int, list[News], int]:
        """Return the position of the views, the new rows, and the number of tokens issued.

        The tokens are counted after the rows and on the primary, so that no token from before the rows is missing.
        """
        views = self._open_views(campaign)
        list_new_rows = partial(list_news, after=after, limit=PAGE)
        if self.standby is not None:
            position, rows = self.standby.ask(campaign, list_new_rows)
        else:
            with views.open_reader(campaign) as reader:
                position, rows = list_new_rows(reader)
        return position, rows, views.count_tokens_issued(campaign) if rows else 0

    def _listen_for_announcements(self, loop: asyncio.AbstractEventLoop) -> None:
        """Pass on every announcement of the projector while there are subscriptions. This runs in its own thread."""
        while self._subscriptions:
            try:
                with self._open_connection() as connection:
                    connection.execute(f"LISTEN {CHANNEL}".encode())
                    while self._subscriptions:
                        for notice in connection.notifies(timeout=LOOK, stop_after=1):
                            loop.call_soon_threadsafe(self._note_announcement, notice.payload)
            except (PersistenceError, psycopg.Error, RuntimeError) as error:
                log.debug("New rows cannot be read at the moment: %s", describe_trouble(error))
                time.sleep(LOOK)

    @contextmanager
    def _open_connection(self) -> Iterator[psycopg.Connection[Any]]:
        if self._direct_url is not None:
            with connect_outside_pool(self._direct_url) as connection:
                yield connection
            return
        with self._ledger.store.datastore.get_connection() as connection:
            try:
                yield connection
            finally:
                connection.execute(b"UNLISTEN *")
