"""Deliver webhooks, in one process for the whole database. Each webhook has its own task, which sends in order.

The webhook, its seat and its token are checked again before every attempt. Each row shows what the webhook may see at
that time.
"""

from __future__ import annotations

import asyncio
import logging
import math
import random
import threading
import time
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import ParamSpec, TypeVar

import psycopg
from eventsourcing.persistence import PersistenceError, ProgrammingError
from psycopg.rows import TupleRow

from api.hooks.schedule import find_next_try
from api.hooks.sending import Message, Outcome, Sender
from api.service.logs import describe_without_message
from ledger.application import Ledger
from ledger.errors import Denied, LedgerError, Unavailable
from ledger.events.away import describe_trouble, is_away
from ledger.events.hooks import Hook, HookStore
from ledger.events.lines import connect_outside_pool
from ledger.events.shelves import Shelf
from projections.documents.feeds import LAST_PLACE, News, list_news, render_row
from projections.redaction import LiveLens, to_text
from projections.views.pages import Views
from projections.views.store import CHANNEL

PATIENCE = 1.0  # seconds between two attempts while the database does not answer or another process delivers
LOOK = 0.5  # seconds after which it looks for new rows without a notification
PAUSE = 0.05  # seconds between two looks for new rows, so that players are not slowed down
LAST = 2.0  # seconds that running attempts get when it stops
PAGE = 100  # rows sent to a webhook before the next look
# how many attempts run at the same time: for fast webhooks, and for webhooks that failed or were slow
SWIFT, SLOW = 64, 16
SOON = timedelta(seconds=1)
RESPITE = timedelta(minutes=1)  # the wait for a campaign that cannot be shown
P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger("ledger.hooks")


def _read_clock() -> datetime:
    return datetime.now(UTC)


class Deliverer:
    """The deliverer of one ledger. `is_leading`: whether this process is the one that delivers.

    `running_deliveries`: the tasks by webhook id. `slow_hook_ids`: the webhooks with a failed or slow last attempt.
    `count_outcome` is called with the result of each attempt, `delivered` or `failed`. `swift_count`, `slow_count`: how
    many attempts may run at once.
    """

    def __init__(
        self,
        ledger: Ledger,
        sender: Sender,
        *,
        clock: Callable[[], datetime] = _read_clock,
        chance: Callable[[], float] = random.random,
        count_outcome: Callable[[str], None] = lambda outcome: None,
        swift_count: int = SWIFT,
        slow_count: int = SLOW,
    ) -> None:
        self.is_leading = False
        self._ledger = ledger
        self._sender = sender
        self._clock = clock
        self._chance = chance
        self._count_outcome = count_outcome
        self.running_deliveries: dict[str, asyncio.Task[None]] = {}
        self.slow_hook_ids: set[str] = set()
        self._swift_lane, self._slow_lane = asyncio.Semaphore(swift_count), asyncio.Semaphore(slow_count)
        self._paused_until: dict[str, datetime] = {}
        self._stores: dict[int, HookStore] = {}
        self._stopping = threading.Event()
        # only two threads, so that deliveries leave most of the connections to players
        self._database_threads = ThreadPoolExecutor(2, "hooks")
        self._listening_thread = ThreadPoolExecutor(1, "hooks-news")

    # --- choosing one of several processes ---

    def follow(self, url: str, stop: threading.Event) -> None:
        """Deliver until stopped. Wait while the database does not answer or another process delivers.

        `url`: the login of the connection that holds the lock and receives notifications.
        """
        self._stopping = stop
        asyncio.run(self._follow(url))

    async def _follow(self, url: str) -> None:
        while not self._stopping.is_set():
            try:
                with connect_outside_pool(url) as connection:
                    if self._try_to_lead(connection):
                        await self._lead(connection)
            except (PersistenceError, psycopg.Error) as problem:
                log.warning("Webhooks are waiting for the database (%s).", describe_trouble(problem))
            finally:
                self.is_leading = False
                await self._end_deliveries()
            await asyncio.get_running_loop().run_in_executor(self._listening_thread, self._stopping.wait, PATIENCE)

    def _try_to_lead(self, connection: psycopg.Connection[TupleRow]) -> bool:
        lock_id = zlib.crc32(f"{self._ledger.store.datastore.schema} hooks".encode())
        row = connection.execute("SELECT pg_try_advisory_lock(%s)", [lock_id]).fetchone()
        connection.execute(f"LISTEN {CHANNEL}".encode())
        return bool(row and row[0])

    async def _lead(self, connection: psycopg.Connection[TupleRow]) -> None:
        self.is_leading = True
        announced_numbers, last_look = set[str](), -math.inf
        shelves = await self._run_in_thread(self._ledger.shelves.list_shelves)
        while not self._stopping.is_set():
            shelves_to_look_at = [
                shelf
                for shelf in shelves
                if str(shelf.number) in announced_numbers and self._get_store(shelf).has_active_hooks
            ]
            if time.monotonic() - last_look >= LOOK * max(1.0, len(shelves) / 8):
                shelves_to_look_at, last_look = shelves, time.monotonic()
            if shelves_to_look_at:
                await self.start_due_deliveries(shelves_to_look_at)
            await asyncio.sleep(PAUSE)
            announced_numbers = await asyncio.get_running_loop().run_in_executor(
                self._listening_thread, _read_notices, connection
            )

    async def _end_deliveries(self) -> None:
        if self.running_deliveries:
            _, late_tasks = await asyncio.wait(self.running_deliveries.values(), timeout=LAST)
            for task in late_tasks:
                task.cancel()
            await self.wait_until_settled()

    # --- hooks ---

    def get_store_of(self, campaign: str) -> HookStore:
        return self._get_store(self._ledger.shelves.get_shelf_of(campaign))

    def _get_store(self, shelf: Shelf) -> HookStore:
        store = self._stores.get(shelf.number)
        return store if store is not None else self._stores.setdefault(shelf.number, HookStore(shelf))

    async def start_due_deliveries(self, shelves: Sequence[Shelf] | None = None) -> None:
        """Start a delivery for every due webhook that has none running. `shelves`: look only on these, or on all if
        None.
        """
        now = self._clock()
        for hook in await self._run_in_thread(self._list_due_hooks, now, shelves):
            if hook.id not in self.running_deliveries and self._paused_until.get(hook.id, now) <= now:
                self.running_deliveries[hook.id] = task = asyncio.create_task(self._send_news(hook))
                task.add_done_callback(partial(self._forget_task, hook.id))

    def _list_due_hooks(self, now: datetime, shelves: Sequence[Shelf] | None) -> list[Hook]:
        """Return the webhooks that are due. Shelves without views are skipped, and so are those that do not respond."""
        due_hooks: list[Hook] = []
        for shelf in self._ledger.shelves.list_shelves() if shelves is None else shelves:
            try:
                due_hooks += self._get_store(shelf).list_due(now)
            except ProgrammingError:
                continue
            except PersistenceError as problem:
                if not is_away(problem):
                    raise
        return due_hooks

    def _forget_task(self, id: str, task: asyncio.Task[None]) -> None:
        self.running_deliveries.pop(id, None)

    async def wait_until_settled(self) -> None:
        """Wait until no delivery is running."""
        while self.running_deliveries:
            await asyncio.gather(*self.running_deliveries.values(), return_exceptions=True)

    async def _send_news(self, hook: Hook) -> None:
        """Send the next rows to the webhook, until the receiver refuses one."""
        self._paused_until.pop(hook.id, None)
        try:
            position, rows = await self._run_in_thread(self._read_rows, hook)
            current_hook: Hook | None = hook
            for row in rows:
                if current_hook is None or self._stopping.is_set():
                    return
                if row.what in hook.events:
                    current_hook = await self._deliver(current_hook, row)
            if current_hook is not None:
                last_place = rows[-1].place if len(rows) == PAGE else (position, LAST_PLACE)
                await self._run_in_thread(
                    self.get_store_of(hook.campaign).note_skipped,
                    current_hook,
                    max(last_place, current_hook.reached_place),
                )
        except (PersistenceError, Unavailable):
            return  # the database does not answer; the next look finds the webhook again
        except Exception as problem:  # noqa: BLE001  a faulty campaign must not affect others
            self._paused_until[hook.id] = self._clock() + RESPITE
            reason = problem.code if isinstance(problem, LedgerError) else describe_without_message(problem)
            log.error("A webhook of the campaign %s is waiting: %s", hook.campaign, reason)

    def _read_rows(self, hook: Hook) -> tuple[int, list[News]]:
        with Views(self._ledger.shelves.get_shelf_of(hook.campaign)).open_reader(hook.campaign) as reader:
            return list_news(reader, hook.reached_place, PAGE)

    async def _deliver(self, hook: Hook, row: News) -> Hook | None:
        """Send the row and return the webhook as it is afterwards, or None if no more rows should be sent now."""
        async with self._slow_lane if hook.failures or hook.id in self.slow_hook_ids else self._swift_lane:
            may_go_on, message = await self._run_in_thread(self._make_message, hook, row)
            if message is None:
                return hook if may_go_on else None
            start_time = self._clock()
            outcome = await self._sender.send(message, start_time)
        now = self._clock()
        if outcome.problem is not None or now - start_time > SOON:
            self.slow_hook_ids.add(hook.id)
        else:
            self.slow_hook_ids.discard(hook.id)
        self._count_outcome("delivered" if outcome.problem is None else "failed")
        return await self._run_in_thread(self._note_outcome, hook, row, outcome, now)

    def _make_message(self, hook: Hook, row: News) -> tuple[bool, Message | None]:
        """Return whether the webhook continues, and the row's message. The message is None if nothing is to be sent."""
        current_hook = self.get_store_of(hook.campaign).get(hook.id)
        if current_hook is None or current_hook.status != "on" or current_hook.reached_place != hook.reached_place:
            return False, None
        try:
            with self._ledger.open_for_hook(current_hook) as (book, viewer):
                lens = LiveLens(book, viewer).make_view_lens()
        except Denied as denied:
            self.get_store_of(hook.campaign).end(hook.id, "ended", denied.detail)
            return False, None
        data = render_row(lens, row)
        if data is None:
            return True, None
        envelope = {"type": row.what, "timestamp": row.document.get("at"), "campaign": hook.campaign, "id": row.id}
        body = f'{to_text(envelope)[:-1]},"data":{data}}}'
        position, place = row.place
        secret = self._ledger.keys.make_hook_secret(hook.campaign, hook.id)
        return True, Message(current_hook.url, f"msg_{hook.id}_{position}_{place}", body, secret)

    def _note_outcome(self, hook: Hook, row: News, outcome: Outcome, now: datetime) -> Hook | None:
        """Store the result of an attempt, and the time of the next one."""
        problem, store = outcome.problem, self.get_store_of(hook.campaign)
        if problem is None:
            return store.note_delivered(hook, row.place, now)
        next_at = find_next_try(hook.failures + 1, hook.failing_since or now, now, self._chance())
        if outcome.is_gone:
            store.end(hook.id, "gone", problem, now)
        elif next_at is None:
            store.end(hook.id, "dead", problem, now)
        else:
            store.note_failed(hook, problem, now, next_at)
        return None

    async def _run_in_thread(self, function: Callable[P, T], *args: P.args, **keywords: P.kwargs) -> T:
        """Run the function in a thread and return its result."""
        return await asyncio.get_running_loop().run_in_executor(
            self._database_threads, partial(function, *args, **keywords)
        )


def _read_notices(connection: psycopg.Connection[TupleRow]) -> set[str]:
    """Return the numbers of the shelves that new notifications name, or an empty set if none arrived in time."""
    return {notice.payload for notice in connection.notifies(timeout=LOOK, stop_after=1)}
