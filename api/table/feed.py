"""What arrives by itself: the parts of a view that show something else than what a browser has, as they change.

Every event's id holds what was told until then, so a line that was cut goes on without anything kept here.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Sequence
from threading import Event
from typing import Annotated

from fastapi import APIRouter, Header
from fastapi.sse import EventSourceResponse, format_sse_event
from starlette.responses import Response

from api.service.feed_hub import FeedHub, FeedSubscription
from api.table.client import Json, Turned
from api.table.now import PARTS, Now, now, question_of
from api.table.pages import Desk, Paged, Sitting
from api.table.reading import settled_of

router = APIRouter(prefix="/table/{campaign}/{seat}", include_in_schema=False, route_class=Paged)
LOOK = 1.0  # seconds
KEEP_ALIVE = 15.0  # seconds of silence, then a comment, and a look whether the seat may still listen
RETRY = 500  # milliseconds


@router.get("/live")
async def live(
    desk: Sitting, seen: str = "", last: Annotated[str | None, Header(alias="Last-Event-ID")] = None
) -> Response:
    """Of the view "now". `seen`: the digests of its parts, as they were shown."""
    await desk.client.get("")  # who may not listen is told at once
    shown = _digests(last if last is not None else seen)
    state = desk.request.app.state
    teller = Teller(desk, state.feed_hub, state.stopping, shown)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return EventSourceResponse(teller.events(), headers=headers)


def _digests(said: str) -> dict[str, str]:
    told = said.split(".") if re.fullmatch(r"[0-9a-f.]{0,100}", said) else []
    return dict(zip(PARTS, told, strict=False))


class Teller:
    """One open line of the view "now"."""

    def __init__(self, desk: Desk, hub: FeedHub, stopping: Event, shown: dict[str, str]) -> None:
        self._desk, self._hub, self._stopping, self._shown = desk, hub, stopping, shown

    async def events(self) -> AsyncIterator[bytes]:
        session = self._desk.session
        yield f"retry: {RETRY}\n\n".encode()
        async with self._hub.listening(session.campaign, session.seat) as subscription:
            looked, mark = 0.0, None
            while not self._stopping.is_set():
                found = _mark(subscription, session.seat)
                quiet = time.monotonic() - looked > KEEP_ALIVE
                if found == mark and not quiet:
                    await subscription.wait(LOOK)
                    continue
                mark, looked = found, time.monotonic()
                try:
                    told = await self._changed()
                except Turned as turned:
                    if turned.status in (401, 404):
                        yield format_sse_event(event="ended", data_str="ended")
                        return
                    told, mark = None, None  # the database is away; it is looked again
                    await subscription.wait(LOOK)
                yield told if told is not None else b": still here\n\n"

    async def _changed(self) -> bytes | None:
        """The parts that show something else by now. Turned."""
        found = await now(self._desk)
        digests = found.digests
        parts = [part for part in PARTS if digests[part] != self._shown.get(part)]
        if not parts:
            return None
        html = "\n".join(self._part(part, found) for part in parts)
        if {"asked", "turn"} & {*parts}:  # what was declared last waits no longer, or for somebody else
            html += '<hx-partial hx-target="#until" hx-swap="innerHTML"></hx-partial>'
        self._shown = digests
        return format_sse_event(id=".".join(digests[part] for part in PARTS), data_str=html)

    def _part(self, part: str, found: Now) -> str:
        asked = question_of(self._desk, found) if part == "asked" else None
        inner = self._desk.render(f"parts/{part}.html.jinja", now=found, words=found.words, me=found.me, asked=asked)
        return f'<hx-partial hx-target="#{part}" hx-swap="innerHTML">{inner}</hx-partial>'


def _mark(subscription: FeedSubscription, seat: str) -> tuple[object, ...]:
    turn = subscription.awaited.get(seat)
    return subscription.last, subscription.turns, turn["position"] if turn is not None else None


@router.get("/live/timeline")
async def live_timeline(
    desk: Sitting, after: str = "0", last: Annotated[str | None, Header(alias="Last-Event-ID")] = None
) -> Response:
    """Of the timeline: rulings after this number, as they are made; those that are decided about, told again."""
    await desk.client.get("")
    said = last if last is not None else after
    begin = int(said) if re.fullmatch(r"[0-9]{1,9}", said) else 0
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return EventSourceResponse(_rulings(desk, begin), headers=headers)


async def _rulings(desk: Desk, last: int) -> AsyncIterator[bytes]:
    state, session = desk.request.app.state, desk.session
    yield f"retry: {RETRY}\n\n".encode()
    async with state.feed_hub.listening(session.campaign, session.seat) as subscription:
        place, spoke = subscription.last, 0.0
        while not state.stopping.is_set():
            if subscription.last == place and time.monotonic() - spoke < KEEP_ALIVE:
                await subscription.wait(LOOK)
                continue
            decided = {row.document.get("ruling") for row in subscription.after(place) or () if row.what == "decision"}
            place, spoke = subscription.last, time.monotonic()
            try:
                fresh = (await desk.client.get("/rulings", after=last, limit=500))["rulings"]
                numbers = [one for one in decided if isinstance(one, int) and one <= last]
                again = [await desk.client.get(f"/rulings/{one}") for one in numbers]
                settled = [await settled_of(desk, [one]) for one in again]
            except Turned as turned:
                if turned.status == 401:
                    yield format_sse_event(event="ended", data_str="ended")
                    return
                fresh, again, settled = [], [], []
            html = [
                _told(desk, one, f"#r-{one['number']}", "outerHTML", made)
                for one, made in zip(again, settled, strict=True)
            ]
            html += [_told(desk, one, "#rulings", "beforeend") for one in fresh]
            last = max((one["number"] for one in fresh), default=last)
            yield format_sse_event(id=str(last), data_str="\n".join(html)) if html else b": still here\n\n"


def _told(desk: Desk, ruling: Json, target: str, swap: str, settled: Sequence[Json] = ()) -> str:
    inner = desk.render("one_ruling.html.jinja", one=ruling, settled=settled)
    return f'<hx-partial hx-target="{target}" hx-swap="{swap}">{inner}</hx-partial>'
