"""Requests that read. All parts of a document show the same moment, and the answer gives its position."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar
from fastapi import Response
from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import URL

from api.http.listing import add_page_links
from api.service.standby import Standby
from ledger.application import Call, Ledger
from ledger.errors import Fault, NotFound, Unavailable, Unsound
from ledger.events.codec import encode
from ledger.events.read_transaction import ReadTransaction
from projections.redaction import LiveLens, ViewLens
from projections.views.pages import Page, Reader, Views

MOST_WAIT = 5.0  # seconds
MOST_LAG = 2.0  # seconds to wait for the views; after that, the answer uses them as they are
MOST_REFRESHES = 3  # the most attempts to read the record for one document
MOST_LONG = 4  # the most slow documents made at the same time
_long = RunVar[CapacityLimiter]("documents that take a long time")
BEHIND = "views-behind"
T = TypeVar("T")
L = TypeVar("L")


def make_behind_error(detail: str) -> Unavailable:
    return Unavailable(detail, code=BEHIND)


@dataclass(frozen=True, slots=True)
class RecordSnapshot(Generic[L]):
    """What the reading seat sees of the record at one position, and the result of `find` there."""

    lens: ViewLens
    position: int
    result: L


class RecordView(Generic[L]):
    """The data from the record that a page of the views needs, at the position of the views.

    `find` returns further data for the page. `is_of_record`: whether that data must be from the same position, too.
    """

    def __init__(self, ledger: Ledger, call: Call, find: Callable[[LiveLens], L], *, is_of_record: bool) -> None:
        self._ledger = ledger
        self._call = call
        self._find = find
        self._is_of_record = is_of_record
        self._refresh_count = 0
        self._is_outdated = True
        self.wanted_position = 0  # the answer must include everything that was saved before the request

    def refresh(self) -> None:
        """Read the record as it is now, unless the last reading is recent enough. Raise Denied or NotFound."""
        if not self._is_outdated:
            return
        with self._ledger.open_for_seat(self._call) as (book, viewer):
            lens = LiveLens(book, viewer)
            self._last = RecordSnapshot(lens.make_view_lens(), book.campaign.position, self._find(lens))
        self.wanted_position = self.wanted_position or self._last.position
        self._refresh_count += 1
        self._is_outdated = False

    def find_snapshot(self, reader: Reader) -> RecordSnapshot[L] | None:
        """Return the record at the reader's position, or None if the caller must call `refresh` first."""
        position, last_snapshot, ledger, transaction = reader.position, self._last, self._ledger, reader.transaction
        if position in (0, last_snapshot.position):
            return last_snapshot
        if not self._is_of_record and not ledger.do_seats_differ(
            reader.campaign, position, last_snapshot.position, transaction
        ):
            return last_snapshot
        if self._refresh_count < MOST_REFRESHES:
            self._is_outdated = True
            return None
        book = ledger.load_book_as_of(reader.campaign, position, transaction)
        viewer = book.load_viewer(self._call.seat)
        if viewer is None:
            raise make_behind_error("This seat is not available yet. Please try again.")
        lens = LiveLens(book, viewer)
        return RecordSnapshot(
            lens.make_view_lens(), position, self._find(lens) if self._is_of_record else last_snapshot.result
        )


class Reading:
    """One request that reads a campaign. `wait_position`: the position to wait for, or None."""

    def __init__(self, ledger: Ledger, call: Call, wait_position: int | None, standby: Standby | None) -> None:
        self.ledger = ledger
        self.call = call
        self.wait_position = wait_position
        self.standby = standby

    @property
    def campaign(self) -> str:
        return self.call.campaign

    # --- the record ---

    def read(self, describe: Callable[[LiveLens], Mapping[str, object]], version_field: str | None = None) -> Response:
        """Return a document of the record as it is now. `version_field`: the name of the field with the document's
        version.
        """
        with self.ledger.open_for_seat(self.call) as (book, viewer):
            document = describe(LiveLens(book, viewer))
            answer = respond(document, book.campaign.position)
        if version_field is not None:
            answer.headers["ETag"] = f'"{document[version_field]}"'
        return answer

    def read_beside(self, describe: Callable[[LiveLens, ReadTransaction], Mapping[str, object]]) -> Response:
        """Return a document as `read` does. `describe` also reads other tables, in the same transaction."""
        with (
            self._open_transaction() as transaction,
            self.ledger.open_for_seat(self.call, transaction=transaction) as (book, viewer),
        ):
            return respond(describe(LiveLens(book, viewer), transaction), book.campaign.position)

    def _open_transaction(self, *, is_long: bool = False) -> ReadTransaction:
        return ReadTransaction(self.ledger.shelves.get_shelf_of(self.campaign), is_long=is_long)

    # --- the views ---

    def ask_views(self, query: Callable[[Reader], T]) -> T:
        """Return the result of a query to the views, even if they are behind. `query` may be called twice."""
        if self.standby is not None:
            return self.standby.ask(self.campaign, query)
        with Views(self.ledger.shelves.get_shelf_of(self.campaign)).open_reader(self.campaign) as reader:
            return query(reader)

    def load_view_lens_and_position(self) -> tuple[ViewLens, int]:
        """Return the lens on the views, and the campaign's position. Raise Denied or NotFound."""
        with self.ledger.open_for_seat(self.call) as (book, viewer):
            return LiveLens(book, viewer).make_view_lens(), book.campaign.position

    async def read_page(
        self,
        describe: Callable[[ViewLens, Reader], Page[object]],
        url: URL | None = None,
        check: Callable[[LiveLens], None] = lambda lens: None,
    ) -> Response:
        """Return a page of the views after they include everything that was saved before the request.

        After some seconds, return the page even if the views are still behind. `url`: the address of the request, if
        there can be a next page. `check` raises an error if the campaign cannot answer the request.
        """
        record = RecordView(self.ledger, self.call, check, is_of_record=False)
        return await self._build_page(record, lambda lens, reader, _: describe(lens, reader), url)

    async def read_page_beside(
        self,
        find: Callable[[LiveLens], L],
        describe: Callable[[ViewLens, Reader, L], Page[object]],
        url: URL | None = None,
    ) -> Response:
        """Return a page as `read_page` does. `describe` also gets the result of `find` at the same position."""
        return await self._build_page(RecordView(self.ledger, self.call, find, is_of_record=True), describe, url)

    async def _build_page(
        self, record: RecordView[L], describe: Callable[[ViewLens, Reader, L], Page[object]], url: URL | None = None
    ) -> Response:
        def read_once(*, may_wait: bool) -> Page[object] | None:
            record.refresh()
            page = self.ask_views(lambda reader: build_page(reader, may_wait=may_wait))
            if page is not None and not page.position:
                raise make_behind_error("This campaign is not available yet. Please try again.")
            return page

        def build_page(reader: Reader, *, may_wait: bool) -> Page[object] | None:
            if may_wait and reader.position < record.wanted_position:
                return None
            snapshot = record.find_snapshot(reader)
            return describe(snapshot.lens, reader, snapshot.result) if snapshot is not None else None

        await self._wait_until_reached()
        page = await self._try_patiently(lambda may_wait: read_once(may_wait=may_wait))
        if url is None:
            return respond(page.document, page.position)
        document, link_header = add_page_links(
            cast(Mapping[str, Any], page.document), page.listed, page.first, page.after, url
        )
        answer = respond(document, page.position)
        if link_header is not None:
            answer.headers["Link"] = link_header
        return answer

    # --- both ---

    async def read_record_and_views(self, describe: Callable[[LiveLens, Reader], T]) -> tuple[T, int]:
        """Return a document from the record and the views at the same position, and that position."""
        await self._wait_until_reached()
        return await self._try_patiently(lambda may_wait: self._try_together(describe, may_wait=may_wait))

    def _try_together(self, describe: Callable[[LiveLens, Reader], T], *, may_wait: bool) -> tuple[T, int] | None:
        with self._open_transaction() as transaction:
            with self.ledger.open_for_seat(self.call, transaction=transaction) as (book, viewer):
                reader, position = Reader(transaction, self.campaign), book.campaign.position
                if reader.position == position:
                    return describe(LiveLens(book, viewer), reader), position
            if may_wait:
                return None
            book = self.ledger.load_book_as_of(self.campaign, reader.position, transaction)
            viewer_then = book.load_viewer(self.call.seat)
            with suppress(NotFound):  # the views may have caught up now
                if viewer_then is not None:
                    return describe(LiveLens(book, viewer_then), reader), reader.position
            raise make_behind_error("The views are catching up. Please try again.")

    async def read_when_caught_up(self, read: Callable[[ReadTransaction], T]) -> T:
        """Return the result of `read` after the views have caught up with the record, or after some seconds.

        Only a few calls of `read` run at once, because each keeps a connection for a long time. `read` runs without a
        lock on the views.
        """
        with suppress(Fault):  # `read` reports whatever is wrong with the campaign
            await run_in_threadpool(self.ledger.check_token, self.call)
            await self._wait_until_reached()
        return await self._try_patiently(
            lambda may_wait: self._read_if_caught_up(read, may_wait=may_wait), _find_limiter()
        )

    def _read_if_caught_up(self, read: Callable[[ReadTransaction], T], *, may_wait: bool) -> T | None:
        with self._open_transaction(is_long=True) as transaction:
            return None if may_wait and self._is_behind(transaction) else read(transaction)

    def _is_behind(self, transaction: ReadTransaction) -> bool:
        with suppress(Unsound), transaction.release_locks():
            return Reader(transaction, self.campaign).position < self.ledger.find_position(self.campaign, transaction)
        return False

    # --- waiting ---

    async def _try_patiently(self, ask: Callable[[bool], T | None], limiter: CapacityLimiter | None = None) -> T:
        """Call `ask` until it returns an answer other than None. Its argument says whether there is still time to wait.

        `limiter`: limits how many calls of `ask` run at once, or None.
        """
        start_time, pause, may_wait = time.monotonic(), 0.002, True
        while True:
            try:
                answer = await to_thread.run_sync(ask, may_wait, limiter=limiter)
                if answer is not None:
                    return answer
            except Unavailable as problem:  # there is nothing to answer yet: for example, a campaign just opened
                if problem.code != BEHIND or time.monotonic() - start_time >= MOST_WAIT:
                    raise
            may_wait = may_wait and time.monotonic() - start_time < (
                MOST_LAG if self.wait_position is None else MOST_WAIT
            )
            await asyncio.sleep(pause)
            pause = min(2 * pause, 0.1)

    async def _wait_until_reached(self) -> None:
        """Wait until the record has reached `wait_position`, or for a few seconds."""
        if self.wait_position is not None:
            await wait_for_position(self, self.wait_position)


def _find_limiter() -> CapacityLimiter:
    """Return this event loop's limiter for long reads."""
    try:
        return _long.get()
    except LookupError:
        _long.set(CapacityLimiter(MOST_LONG))
        return _long.get()


async def wait_for_position(read_request: Reading, position: int) -> None:
    """Wait until the record has reached the position, or for a few seconds."""

    def is_reached() -> bool:
        with read_request.ledger.open_for_seat(read_request.call) as (book, _):
            return book.campaign.position >= position

    deadline = time.monotonic() + MOST_WAIT
    while not await run_in_threadpool(is_reached) and time.monotonic() < deadline:
        await asyncio.sleep(0.1)


def respond(document: object, position: int) -> Response:
    """Return the answer with the document and its position."""
    return Response(encode(document), media_type="application/json", headers={"Ledger-Position": str(position)})
