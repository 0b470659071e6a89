"""From a request to a call of the ledger, and back: token, idempotency key, version expected, position."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Annotated, TypeAlias, TypeVar

from fastapi import Depends, Request, Response
from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import URL

from api.http.admission import ledger_of, must_be_operator, must_sit_somewhere, said
from api.http.forms import Forms, forms_of
from api.http.parameters import (
    CampaignId,
    ForkId,
    IfMatch,
    Key,
    OperatorToken,
    SeatToken,
    Seen,
    UuidKey,
    Wait,
)
from api.http.problems import BadRequest
from api.service.standby import Standby
from ledger.application import Call, Ledger, Reply
from ledger.errors import LedgerError, Unavailable
from ledger.events.codec import plain
from ledger.rules.kernel.subjects import CAMPAIGN, Subject, character, scene
from projections.redaction import LiveLens, ViewLens, text
from projections.views.pages import Page, Reader

MOST_WAIT = 5.0  # seconds
MOST_LAG = 2.0  # seconds that the views may be behind before what they have is the answer
T = TypeVar("T")
#: Where what an answer tells of is found, below the campaign.
Locate: TypeAlias = Callable[[Mapping[str, object]], str | None]


class Caller:
    """Who asks, for which campaign. `version`: of the ruling in the path, as the caller saw it, if that matters.

    `ruling`: the number of the one this made. `declared_at`: where in the body it stands what is declared.
    """

    def __init__(
        self,
        ledger: Ledger,
        call: Call,
        systems: dict[str, str],
        version: int | None = None,
        wait: int | None = None,
        standby: Standby | None = None,
    ) -> None:
        self.ledger = ledger
        self.standby = standby
        self.call = call
        self.version = version
        self.wait = wait
        self.ruling: int | None = None
        self.declared_at = "/declare"
        self._systems = systems

    @property
    def campaign(self) -> str:
        return self.call.campaign

    def elsewhere(self, campaign: str) -> Caller:
        """The same request, answered for another campaign that it made."""
        return Caller(self.ledger, replace(self.call, campaign=campaign), self._systems, standby=self.standby)

    def forms(self) -> Forms:
        """Of the campaign's system, which never changes: asked for once. Whose token opens nothing learns nothing."""
        system = self._systems.get(self.campaign)
        if system is None:
            with self.ledger.reading(self.call) as (book, _):
                system = self._systems[self.campaign] = book.ruleset.name
        return forms_of(system)

    def parsed(self, parse: Callable[[Forms], T]) -> T:
        """What the body says in the system's words. Who may not ask is told that before any mistake in it."""
        try:
            return parse(self.forms())
        except (LedgerError, BadRequest):
            with self.ledger.reading(self.call):
                raise

    def read(self, tell: Callable[[LiveLens], Mapping[str, object]], tag: str | None = None) -> Response:
        """A document as of now. `tag`: the field that is its version."""
        with self.ledger.reading(self.call) as (book, viewer):
            document = tell(LiveLens(book, viewer))
            position = book.campaign.position
        answer = Response(text(document), media_type="application/json")
        answer.headers["Ledger-Position"] = str(position)
        if tag is not None:
            answer.headers["ETag"] = f'"{document[tag]}"'
        return answer

    def _checked(self, check: Callable[[LiveLens], None]) -> None:
        with self.ledger.reading(self.call) as (book, viewer):
            check(LiveLens(book, viewer))

    @property
    def reader(self) -> Reader:
        return Reader(self.ledger.shelves.of(self.campaign))

    def ask_views(self, what: Callable[[Reader], T]) -> T:
        """Of the views as they are now, wherever they are read; it may be called twice."""
        return what(self.reader) if self.standby is None else self.standby.ask(self.campaign, what)

    def view_lens(self) -> tuple[ViewLens, int, int]:
        """Who looks at the views, the campaign's position, and that of the views. Denied, NotFound."""
        with self.ledger.reading(self.call) as (book, viewer):
            lens, now = LiveLens(book, viewer).view_lens(), book.campaign.position
        return lens, now, self.reader.position(self.campaign)

    async def caught_up(self) -> ViewLens:
        """Who looks at the views, once they reflect what is saved; they are waited for some seconds."""
        lens, now, reached = await run_in_threadpool(self.view_lens)
        wanted, patience = (now, MOST_LAG) if self.wait is None else (max(self.wait, now), MOST_WAIT)
        deadline, pause = time.monotonic() + patience, 0.002
        while reached < wanted and time.monotonic() < deadline:
            await asyncio.sleep(pause)
            pause = min(2 * pause, 0.1)
            reached = await run_in_threadpool(self.reader.position, self.campaign)
        return lens

    async def page(
        self,
        tell: Callable[[ViewLens, Reader], Page[object]],
        url: URL | None = None,
        check: Callable[[LiveLens], None] | None = None,
    ) -> Response:
        """A page of the views, once they reflect all that was saved before it was asked for.

        They may be behind: after some seconds the answer is what there is, and says which position it reflects.
        `url`: of the request, where the page has a next one. `check`: raises for what cannot be asked of the campaign.
        """
        lens = await self.caught_up()
        if check is not None:
            await run_in_threadpool(self._checked, check)
        page = await run_in_threadpool(self.ask_views, partial(tell, lens))
        if page.position is None:
            raise Unavailable("The views do not know this campaign yet; please try again.", code="views-behind")
        answer = Response(text(page.document), media_type="application/json")
        answer.headers["Ledger-Position"] = str(page.position)
        if page.after is not None and url is not None:
            following = url.remove_query_params("wait").include_query_params(after=page.after)
            answer.headers["Link"] = f'<{following.path}?{following.query}>; rel="next"'
        return answer

    def show(self, reply: Reply) -> Response:
        """What was found without saving anything."""
        answer = Response(reply.body, reply.status, media_type="application/json")
        answer.headers["Ledger-Position"] = str(reply.position)
        return answer

    def answer(
        self, reply: Reply, locate: Callable[[Mapping[str, object]], str | None] = lambda document: None
    ) -> Response:
        """What a POST did. `locate`: where what it made is found."""
        answer = self.show(reply)
        document = plain(reply.body.encode())
        answer.headers["Idempotency-Key"] = self.call.key
        if reply.repeated:
            answer.headers["Idempotency-Replayed"] = "true"
        elif reply.status == 201:
            self.ruling = document.get("number")
        where = locate(document) if reply.status == 201 else None
        if where is not None:
            answer.headers["Location"] = f"/campaigns/{self.campaign}{where}"
        if "version" in document and "number" in document:
            answer.headers["ETag"] = f'"{document["version"]}"'
        return answer


def _caller(request: Request, call: Call, version: int | None = None, wait: int | None = None) -> Caller:
    state = request.app.state
    caller = Caller(ledger_of(request), call, state.systems, version, wait, state.standby)
    request.state.call, request.state.caller = call, caller
    return caller


async def asking(request: Request, campaign: CampaignId, token: SeatToken, wait: Wait = None) -> Caller:
    """Who reads, once the position waited for is reached."""
    caller = _caller(request, Call(campaign, said(token)))
    if wait is not None:
        await _reach(caller, wait)
    return caller


async def sitting(request: Request, token: SeatToken, wait: Wait = None) -> Caller:
    """Who reads, of the campaign that the token is of."""
    await must_sit_somewhere(request)
    return await asking(request, said(token).partition(".")[0], token, wait)


async def viewing(request: Request, campaign: CampaignId, token: SeatToken, wait: Wait = None) -> Caller:
    """Who looks at the views; they are waited for when they are asked."""
    return _caller(request, Call(campaign, said(token)), wait=wait)


async def _reach(caller: Caller, position: int) -> None:
    def reached() -> bool:
        with caller.ledger.reading(caller.call) as (book, _):
            return book.campaign.position >= position

    deadline = time.monotonic() + MOST_WAIT
    while not await run_in_threadpool(reached) and time.monotonic() < deadline:
        await asyncio.sleep(0.1)


async def acting(
    request: Request,
    campaign: CampaignId,
    token: SeatToken,
    key: Key = None,
    if_match: IfMatch = None,
    seen: Seen = None,
) -> Caller:
    """Who acts, under which key, expecting which version of what the path names, and the campaign at which position."""
    version = _version(if_match)
    path = request.path_params
    expects: tuple[Subject, int] | None = None
    if version is not None and "number" not in path:
        expects = (_subject(path), version)
    call = Call(
        campaign=campaign,
        token=said(token),
        route=f"{request.method} {request.scope['route'].path}",
        key=key or str(uuid.uuid4()),
        request=request.state.digest,
        expects=expects,
        position=seen,
    )
    return _caller(request, call, version)


def _subject(path: dict[str, str]) -> Subject:
    if "character" in path:
        return character(path["character"])
    return scene(path["scene"]) if "scene" in path else CAMPAIGN


def _version(if_match: str | None) -> int | None:
    """The version in an entity tag; one that was never given out matches nothing."""
    if if_match is None or if_match == "*":
        return None
    digits = if_match.strip('"')
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 18 else -1


async def operating(request: Request, token: OperatorToken, key: UuidKey) -> Caller:
    """The operator, or anybody where the service runs open; and the campaign's id, which follows from the key."""
    must_be_operator(request, token)
    ledger = ledger_of(request)
    key = key.lower()
    route = f"{request.method} {request.scope['route'].path}"
    id = await run_in_threadpool(ledger.id_of, ledger.keys.campaign_id(key))
    return _caller(request, Call(id, "", route, key, request.state.digest))


async def claiming(request: Request, fork: ForkId, token: SeatToken, key: Key = None) -> Caller:
    """Who has a token of the campaign that the one in the path goes on from."""
    route = f"{request.method} {request.scope['route'].path}"
    return _caller(request, Call(fork, said(token), route, key or str(uuid.uuid4()), request.state.digest))


Asking = Annotated[Caller, Depends(asking)]
Sitting = Annotated[Caller, Depends(sitting)]
Viewing = Annotated[Caller, Depends(viewing)]
Acting = Annotated[Caller, Depends(acting)]
Operating = Annotated[Caller, Depends(operating)]
Claiming = Annotated[Caller, Depends(claiming)]
