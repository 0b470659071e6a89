"""The live feed of a campaign: server-sent events about everything this seat may see, and about its turns."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from functools import partial
from threading import Event
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.sse import EventSourceResponse, format_sse_event

from api.http.answers import READING, describe_answers
from api.http.queries import Asked
from api.http.request import Caller, Viewing
from api.service.feed_hub import PAGE, CheckedLens, FeedHub, FeedSubscription
from ledger.errors import LedgerError, Unavailable
from projections.documents.feeds import LAST_PLACE, FeedPlace, News, list_news
from projections.documents.moves import AwaitedOf, YourTurn
from projections.redaction import ViewLens, to_text

router = APIRouter(prefix="/campaigns/{campaign}", route_class=Asked)
KEEP_ALIVE = 15.0  # seconds of silence, then a comment
PLACE = r"^(0|[1-9][0-9]{0,15})\.(0|[1-9][0-9]{0,8})$"
EXAMPLE = (
    'id: 12.1\nevent: fact\ndata: {"id":"12.1","ruling":7,"subject":"character:1","kind":"ledger.adjusted"}\n\n'
    'id: 13.1\nevent: waiting\ndata: {"id":"13.1","waiting":"w13","text":"Ben hits Kiro. Do you dodge or stand?"}\n\n'
    'event: moves\ndata: {"position":13,"awaited":[],"text":"Ben has nothing to do right now."}\n\n'
)
TOLD = """Events, each with a sentence (`text`) and its place in the record as its id:

- `ruling`: a new ruling, as `GET .../rulings` returned it at that time. A program that posts rulings needs
  no other event.
- `fact`: each fact of the ruling, as in the timeline.
- `decision`: a decision about a ruling.
- `waiting`: a question is waiting for an answer.
- `answered`: a question was answered; `ruling` is the number of the resulting ruling, if there is one.
- `withdrawn`: a question is no longer waiting.

Two events have no id, because they are about the present:

- `moves`: the actions that the game is waiting for from this seat. It is sent after the facts that changed these
  actions, and also when the feed is opened while the game is waiting for the seat.
- `ended`: the last event, with the reason."""


@router.get(
    "/feed",
    operation_id="listen_to_feed",
    tags=["timeline"],
    response_class=Response,
    responses=describe_answers(
        READING,
        {
            200: {
                "description": TOLD,
                "content": {"text/event-stream": {"schema": {"type": "string"}, "example": EXAMPLE}},
            }
        },
    ),
)
async def listen_to_feed(
    request: Request,
    caller: Viewing,
    last: Annotated[
        str | None, Header(alias="Last-Event-ID", pattern=PLACE, description="Continue after the event with this id.")
    ] = None,
    after: Annotated[
        str | None, Query(pattern=PLACE, description="The same as Last-Event-ID. `0.0` returns all events.")
    ] = None,
) -> Response:
    """Stream new events, from now on or after the given event. No event is missing or repeated.

    The stream ends when the seat is removed or its token is replaced. The last event is then `ended`, which has no id
    and gives the reason. An idle stream gets a comment every 15 seconds.
    """
    _, position = await run_in_threadpool(caller.load_view_lens_and_position)
    # raises Unsound if the views have stopped
    await run_in_threadpool(caller.ask_views, lambda reader: reader.position)
    place_text = last or after
    start_place = _parse_place(place_text) if place_text is not None else (position, LAST_PLACE)
    listener = Listener(request.app.state.feed_hub, caller, request.app.state.stopping)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return EventSourceResponse(listener.stream_events(start_place), headers=headers)


def _parse_place(text: str) -> FeedPlace:
    position, _, place = text.partition(".")
    return int(position), int(place)


class Listener:
    """A client with an open feed."""

    def __init__(self, hub: FeedHub, caller: Caller, stopping: Event) -> None:
        self._hub = hub
        self._caller = caller
        self._stopping = stopping
        self._must_check_again = True  # what the seat could see before the subscription began may be outdated
        self._checked_lens: CheckedLens
        self._last_turn: tuple[list[AwaitedOf], list[int]] = ([], [])

    async def stream_events(self, place: FeedPlace) -> AsyncIterator[bytes]:
        """Yield the events after the given place."""
        async with self._hub.listen(self._caller.campaign, self._caller.call.seat) as subscription:
            yield format_sse_event(id=f"{place[0]}.{place[1]}", comment="from here on")
            last_sent_at = time.monotonic()
            while not self._stopping.is_set():
                rows = subscription.list_after(place)
                turn = self._find_changed_turn(subscription) if rows == [] else None
                if rows is None:
                    rows = await self._read_earlier_rows(place, subscription)
                try:
                    if not await self._update_checked_lens(subscription):
                        return
                except LedgerError as error:
                    yield format_sse_event(
                        event="ended", data_str=to_text({"code": error.code, "detail": error.detail})
                    )
                    return
                if chunk := b"".join(map(self._checked_lens.write_event, rows)):
                    yield chunk
                    last_sent_at = time.monotonic()
                if rows:
                    place = rows[-1].place
                elif turn is not None:
                    self._last_turn = (turn["awaited"], turn["disputes"])
                    yield format_sse_event(event="moves", data_str=to_text(turn))
                    last_sent_at = time.monotonic()
                else:
                    if time.monotonic() - last_sent_at > KEEP_ALIVE:
                        yield b": still here\n\n"
                        last_sent_at = time.monotonic()
                    await subscription.wait(1.0)

    def _find_changed_turn(self, subscription: FeedSubscription) -> YourTurn | None:
        """Return what the game is waiting for the seat to do, or None if that was sent already."""
        turn = subscription.turns.get(self._caller.call.seat)
        return None if turn is None or (turn["awaited"], turn["disputes"]) == self._last_turn else turn

    async def _read_earlier_rows(self, place: FeedPlace, subscription: FeedSubscription) -> list[News]:
        """Return rows that the subscription no longer keeps, from the views."""
        list_rows = partial(list_news, after=place, limit=PAGE)
        _, rows = await run_in_threadpool(self._caller.ask_views, list_rows)
        self._must_check_again = True  # the subscription may not have the rows before these yet
        return rows

    async def _update_checked_lens(self, subscription: FeedSubscription) -> bool:
        """Check again what the seat may see, if that may have changed. Return False if the service is stopping. Raise
        LedgerError if the seat may no longer listen.
        """
        while not self._stopping.is_set():
            try:
                self._checked_lens = await subscription.check_lens(
                    self._caller.call.token, self._load_lens, must_check_again=self._must_check_again
                )
                self._must_check_again = False
            except Unavailable:
                await asyncio.sleep(0.5)  # nothing is sent to a seat that cannot be checked
            else:
                return True
        return False

    def _load_lens(self) -> ViewLens:
        return self._caller.load_view_lens_and_position()[0]
