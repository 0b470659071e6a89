"""Live updates: send the parts of a view that have changed since the browser loaded them.

Each event's id describes everything sent so far, so a broken connection resumes without any state on the server.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from threading import Event
from typing import Annotated, Any

from fastapi import APIRouter, Header
from fastapi.sse import EventSourceResponse, format_sse_event
from starlette.responses import Response

from api.service.feed_hub import FeedHub, FeedSubscription
from api.table.client import Json, Rejection
from api.table.now import PARTS, Now, load_now, make_first_question_form
from api.table.pages import Desk, PageRoute, Sitting, may_decide
from api.table.reading import hash_status, list_settled_findings
from api.table.slips import make_slip_form
from api.table.words import Words
from ledger.errors import Denied, LedgerError, NotFound, Unavailable
from projections.documents.feeds import FeedPlace

router = APIRouter(prefix="/table/{campaign}/{seat}", include_in_schema=False, route_class=PageRoute)
LOOK = 1.0  # seconds
KEEP_ALIVE = 15.0  # seconds of silence; then a comment is sent, and the seat's right to listen is checked
RETRY = 500  # milliseconds
#: Parts of a ruling's page that a decision changes, with their templates.
RULING_PARTS = {"head": "ruling_head", "ways": "decide", "decisions": "ruling_decisions", "results": "ruling_results"}
#: Parts of the view "now" that are about a single moment. They are emptied as soon as the game moves on.
MOMENTARY = ("again", "until")
STILL = b": still here\n\n"
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@router.get("/live")
async def stream_now(
    desk: Sitting, seen: str = "", last: Annotated[str | None, Header(alias="Last-Event-ID")] = None
) -> Response:
    """Send updates to the view "now". `seen`: the digests of the parts that the browser shows."""
    await desk.client.get("")  # a seat that may not listen gets the error immediately
    shown_digests = _parse_digests(last if last is not None else seen)
    state = desk.request.app.state
    stream = NowStream(desk, state.feed_hub, state.stopping, shown_digests)
    return EventSourceResponse(stream.stream_events(), headers=HEADERS)


def _parse_digests(text: str) -> dict[str, str]:
    digests = text.split(".") if re.fullmatch(r"[0-9a-f.]{0,100}", text) else []
    return dict(zip(PARTS, digests, strict=False))


class NowStream:
    """One open connection of the view "now"."""

    def __init__(self, desk: Desk, hub: FeedHub, stopping: Event, shown_digests: dict[str, str]) -> None:
        self._desk, self._hub, self._stopping, self._shown_digests = desk, hub, stopping, shown_digests

    async def stream_events(self) -> AsyncIterator[bytes]:
        session = self._desk.session
        yield f"retry: {RETRY}\n\n".encode()
        async with self._hub.listen(session.campaign, session.seat) as subscription:
            last_look, last_mark = 0.0, None
            while not self._stopping.is_set():
                current_mark = _make_position_mark(subscription, session.seat)
                is_keep_alive_due = time.monotonic() - last_look > KEEP_ALIVE
                if current_mark == last_mark and not is_keep_alive_due:
                    await subscription.wait(LOOK)
                    continue
                last_mark, last_look = current_mark, time.monotonic()
                try:
                    message = await self._make_update()
                except (Rejection, LedgerError) as error:
                    if _has_ended(error):
                        yield format_sse_event(event="ended", data_str="ended")
                        return
                    message, last_mark = None, None  # the database is not available; it tries again
                    await subscription.wait(LOOK)
                yield message if message is not None else STILL

    async def _make_update(self) -> bytes | None:
        """Return the parts that have changed, or None."""
        view = await load_now(self._desk)
        digests = view.make_digests()
        parts = [part for part in PARTS if digests[part] != self._shown_digests.get(part)]
        if not parts:
            return None
        html = "\n".join(self._render_part(part, view) for part in parts)
        if {"asked", "turn"} & {*parts}:  # the last declaration is no longer waiting, or is waiting for another seat
            html += "".join(f'<hx-partial hx-target="#{id}" hx-swap="innerHTML"></hx-partial>' for id in MOMENTARY)
        if "latest" in parts and view.last is not None:  # the latest ruling replaces the card above the turn
            card = self._desk.render(
                "parts/just.html.jinja",
                just=view.last,
                slip=make_slip_form(self._desk, view.last, view.slip_number),
                words=view.words,
                me=view.me,
            )
            html += f'<hx-partial hx-target="#last" hx-swap="innerHTML">{card}</hx-partial>'
        self._shown_digests = digests
        return format_sse_event(id=".".join(digests[part] for part in PARTS), data_str=html)

    def _render_part(self, part: str, view: Now) -> str:
        page_form = make_first_question_form(self._desk, view) if part == "asked" else None
        html = self._desk.render(f"parts/{part}.html.jinja", now=view, words=view.words, me=view.me, asked=page_form)
        return f'<hx-partial hx-target="#{part}" hx-swap="innerHTML">{html}</hx-partial>'


def _has_ended(problem: Rejection | LedgerError) -> bool:
    """Return whether the seat may no longer listen. Raise the problem again if it is an unexpected error."""
    if isinstance(problem, LedgerError) and not isinstance(problem, Denied | NotFound | Unavailable):
        raise problem
    return problem.status in (401, 404) if isinstance(problem, Rejection) else not isinstance(problem, Unavailable)


def _make_position_mark(subscription: FeedSubscription, seat: str) -> tuple[object, ...]:
    turn = subscription.turns.get(seat)
    return subscription.last_place, subscription.revision, turn["position"] if turn is not None else None


@router.get("/live/timeline")
async def stream_timeline(
    desk: Sitting,
    after: str = "0",
    settled: str = "",
    last: Annotated[str | None, Header(alias="Last-Event-ID")] = None,
) -> Response:
    """Send new rulings. Send an earlier ruling again after a decision about it, or after one of its findings is
    resolved.

    `settled`: how many resolved findings the browser shows, and the number of the first ruling that it shows.
    """
    await desk.client.get("")
    start_text = last if last is not None else after
    start_number = int(start_text) if re.fullmatch(r"[0-9]{1,9}", start_text) else 0
    shown_match = re.fullmatch(r"([0-9]{1,9})\.([0-9]{1,9})", settled)
    timeline = TimelineStream(
        desk, start_number, (int(shown_match[1]), int(shown_match[2])) if shown_match is not None else None
    )
    return EventSourceResponse(_stream_updates(desk, timeline.make_update), headers=HEADERS)


async def _stream_updates(
    desk: Desk, make_update: Callable[[FeedSubscription], Awaitable[bytes | None]]
) -> AsyncIterator[bytes]:
    """Yield each message that `make_update` returns, until the seat may no longer listen."""
    state, session = desk.request.app.state, desk.session
    hub: FeedHub = state.feed_hub
    yield f"retry: {RETRY}\n\n".encode()
    async with hub.listen(session.campaign, session.seat) as subscription:
        last_mark, last_sent = None, 0.0
        while not state.stopping.is_set():
            current_mark = subscription.last_place, subscription.reached_position
            is_keep_alive_due = time.monotonic() - last_sent >= KEEP_ALIVE
            if current_mark == last_mark and not is_keep_alive_due:
                await subscription.wait(LOOK)
                continue
            try:
                message = await make_update(subscription)
            except Rejection as rejection:
                if rejection.status in (401, 404):
                    yield format_sse_event(event="ended", data_str="ended")
                    return
                await subscription.wait(LOOK)  # the database is not available; it tries again
                continue
            last_mark = current_mark
            if message is not None or is_keep_alive_due:
                last_sent = time.monotonic()
                yield message if message is not None else STILL


class TimelineStream:
    """One open connection of the timeline. `last_number`: the number of the last ruling sent. `shown_items`: see
    `settled` in `stream_timeline`.
    """

    def __init__(self, desk: Desk, last_number: int, shown_items: tuple[int, int] | None) -> None:
        self._desk, self._last_number, self._shown_items = desk, last_number, shown_items
        self._settled_ids: set[str] | None = None  # the findings that the browser shows
        self._words: Words | None = None
        self._last_place: FeedPlace | None = None  # the last row of the feed that was read

    async def make_update(self, subscription: FeedSubscription) -> bytes | None:
        """Return the message to send, or None. Raise Rejection if the API refuses a request."""
        last_place = subscription.last_place
        self._last_place = last_place if self._last_place is None else self._last_place
        rows = subscription.list_after(self._last_place) or ()
        html_parts = await self._render_news({row.document.get("ruling") for row in rows if row.what == "decision"})
        self._last_place = last_place
        return format_sse_event(id=str(self._last_number), data_str="\n".join(html_parts)) if html_parts else None

    async def _render_news(self, decided_numbers: set[Any]) -> list[str]:
        """Return the parts to send."""
        numbers = {
            number for number in decided_numbers if isinstance(number, int)
        } | await self._list_newly_settled_numbers()
        new_rulings = (await self._desk.client.get("/rulings", after=self._last_number, limit=500))["rulings"]
        if numbers or new_rulings:
            self._words = self._desk.make_words(await self._desk.client.get("/state"))
        html_parts = []
        for number in sorted(number for number in numbers if number <= self._last_number):
            try:
                changed_ruling = await self._desk.client.get(f"/rulings/{number}")
            except Rejection as rejection:
                if rejection.status != 404:
                    raise
                continue  # this seat may not see the ruling
            html_parts.append(
                self._render_partial(
                    changed_ruling,
                    f"#r-{number}",
                    "outerHTML",
                    await list_settled_findings(self._desk, [changed_ruling]),
                )
            )
        html_parts += [self._render_partial(ruling, "#rulings", "afterbegin") for ruling in new_rulings]
        self._last_number = max((ruling["number"] for ruling in new_rulings), default=self._last_number)
        return html_parts

    async def _list_newly_settled_numbers(self) -> set[int]:
        """Return the numbers of the rulings with findings that were resolved since the last update."""
        findings = (await self._desk.client.get("/findings", settled="true"))["findings"]
        number_by_finding_id = {str(finding["id"]): int(finding["ruling"] or finding["cause"]) for finding in findings}
        new_ids = (
            number_by_finding_id.keys() - self._settled_ids
            if self._settled_ids is not None
            else set(self._list_missed_finding_ids(number_by_finding_id))
        )
        self._settled_ids = set(number_by_finding_id)
        return {number_by_finding_id[id] for id in new_ids}

    def _list_missed_finding_ids(self, number_by_finding_id: Mapping[str, int]) -> list[str]:
        """Return the ids of the resolved findings that the browser may have missed before it connected."""
        if self._shown_items is None:
            return []
        count, first_number = self._shown_items
        visible_ids = [id for id, number in number_by_finding_id.items() if first_number <= number <= self._last_number]
        return visible_ids if len(visible_ids) != count else []

    def _render_partial(self, ruling: Json, target: str, swap: str, settled_findings: Sequence[Json] = ()) -> str:
        html = self._desk.render("one_ruling.html.jinja", ruling=ruling, settled=settled_findings, words=self._words)
        return f'<hx-partial hx-target="{target}" hx-swap="{swap}">{html}</hx-partial>'


@router.get("/live/rulings/{number}")
async def stream_ruling(
    desk: Sitting, number: int, seen: str = "", last: Annotated[str | None, Header(alias="Last-Event-ID")] = None
) -> Response:
    """Send the changed parts of a ruling's page whenever the ruling's status changes. `seen`: the digest of the parts
    that the browser shows.
    """
    await desk.client.get(f"/rulings/{number}")
    stream = RulingStream(desk, number, last if last is not None else seen)
    return EventSourceResponse(_stream_updates(desk, stream.make_update), headers=HEADERS)


class RulingStream:
    """One open connection of a ruling's page. `shown_digest`: the digest of the parts that the browser shows."""

    def __init__(self, desk: Desk, number: int, shown_digest: str) -> None:
        self._desk, self._number, self._shown_digest = desk, number, shown_digest

    async def make_update(self, subscription: FeedSubscription) -> bytes | None:
        """Return the parts of the page if the ruling has changed, or None. Raise Rejection if the API refuses a
        request.
        """
        digest, html = await _render_ruling(self._desk, self._number)
        if digest == self._shown_digest:
            return None
        self._shown_digest = digest
        return format_sse_event(id=digest, data_str=html)


async def _render_ruling(desk: Desk, number: int) -> tuple[str, str]:
    """Return the digest of a ruling, and the parts of its page that a decision changes."""
    ruling, state = (reply.json for reply in await desk.client.read_together(f"/rulings/{number}", "/state"))
    settled_findings = (await desk.client.get("/findings", settled="true", ruling=number))["findings"]
    values: Json = {"ruling": ruling, "settled": settled_findings, "decides": may_decide(state, desk.session.seat)}
    html_by_part = {part: desk.render(f"parts/{name}.html.jinja", **values) for part, name in RULING_PARTS.items()}
    html = (
        f'<hx-partial hx-target="#{part}" hx-swap="innerMorph">{part_html}</hx-partial>'
        for part, part_html in html_by_part.items()
    )
    return hash_status(ruling, settled_findings), "\n".join(html)
