"""Turn a request into a call of the ledger, with its token, idempotency key, expected version and position."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, TypeAlias, TypeVar

from fastapi import Depends, Request, Response
from fastapi.concurrency import run_in_threadpool

from api.http.admission import get_ledger, must_be_operator, must_have_seat_token, read_token
from api.http.forms import Forms, load_forms
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
from api.http.reading import Reading, wait_for_position
from api.service.standby import Standby
from ledger.application import Call, Ledger, Reply
from ledger.errors import LedgerError
from ledger.events.codec import plain
from ledger.rules.kernel.subjects import CAMPAIGN, Subject, character, scene

T = TypeVar("T")
#: A function that returns the path of the resource in an answer, below the campaign.
Locate: TypeAlias = Callable[[Mapping[str, object]], str | None]


class Caller(Reading):
    """The caller of a campaign. `expected_version`: the version of the ruling in the path that the caller last saw, or
    None.

    `ruling_number`: the number of the ruling that this request made. `declaration_pointer`: the place of the
    declaration in the body.
    """

    def __init__(
        self,
        ledger: Ledger,
        call: Call,
        system_by_campaign: dict[str, str],
        expected_version: int | None = None,
        wait_position: int | None = None,
        standby: Standby | None = None,
    ) -> None:
        super().__init__(ledger, call, wait_position, standby)
        self.expected_version = expected_version
        self.ruling_number: int | None = None
        self.declaration_pointer = "/declare"
        self._system_by_campaign = system_by_campaign

    def copy_for_campaign(self, campaign: str) -> Caller:
        """Return a caller like this one for a campaign that the request made."""
        return Caller(
            self.ledger, replace(self.call, campaign=campaign), self._system_by_campaign, standby=self.standby
        )

    def load_forms(self) -> Forms:
        """Return the forms of the campaign's game."""
        system = self._system_by_campaign.get(self.campaign)
        if system is None:
            with self.ledger.open_for_seat(self.call) as (book, _):
                system = self._system_by_campaign[self.campaign] = book.ruleset.name
        return load_forms(system)

    def parse_body(self, parse: Callable[[Forms], T]) -> T:
        """Return the body as the game's record. An error about the token is raised before any error about the body."""
        try:
            return parse(self.load_forms())
        except (LedgerError, BadRequest):
            with self.ledger.open_for_seat(self.call):
                raise

    def show(self, reply: Reply) -> Response:
        """Return the answer to a request that saves nothing."""
        answer = Response(reply.body, reply.status, media_type="application/json")
        answer.headers["Ledger-Position"] = str(reply.position)
        return answer

    def answer(
        self, reply: Reply, locate: Callable[[Mapping[str, object]], str | None] = lambda document: None
    ) -> Response:
        """Return the answer to a POST. `locate` returns the path of the new resource."""
        answer = self.show(reply)
        document = plain(reply.body.encode())
        answer.headers["Idempotency-Key"] = self.call.key
        if reply.is_repeated:
            answer.headers["Idempotency-Replayed"] = "true"
        elif reply.status == 201:
            self.ruling_number = document.get("number")
        path = locate(document) if reply.status == 201 else None
        if path is not None:
            answer.headers["Location"] = f"/campaigns/{self.campaign}{path}"
        if "version" in document and "number" in document:
            answer.headers["ETag"] = f'"{document["version"]}"'
        return answer


def _make_caller(
    request: Request, call: Call, expected_version: int | None = None, wait_position: int | None = None
) -> Caller:
    state = request.app.state
    caller = Caller(get_ledger(request), call, state.systems, expected_version, wait_position, state.standby)
    request.state.call, request.state.caller = call, caller
    return caller


async def make_reading_caller(request: Request, campaign: CampaignId, token: SeatToken, wait: Wait = None) -> Caller:
    """Return a caller who reads the record. `wait`: the position to wait for first, or None."""
    caller = _make_caller(request, Call(campaign, read_token(token)))
    if wait is not None:
        await wait_for_position(caller, wait)
    return caller


async def make_own_caller(request: Request, token: SeatToken, wait: Wait = None) -> Caller:
    """Return a caller who reads the token's own campaign."""
    await must_have_seat_token(request)
    return await make_reading_caller(request, read_token(token).partition(".")[0], token, wait)


async def make_viewing_caller(request: Request, campaign: CampaignId, token: SeatToken, wait: Wait = None) -> Caller:
    """Return a caller who reads the views. `wait`: the position to wait for when reading, or None."""
    return _make_caller(request, Call(campaign, read_token(token)), wait_position=wait)


async def make_acting_caller(
    request: Request,
    campaign: CampaignId,
    token: SeatToken,
    key: Key = None,
    if_match: IfMatch = None,
    seen: Seen = None,
) -> Caller:
    """Return a caller who acts, with the key, the expected version and the expected position."""
    version = _parse_version(if_match)
    path_params = request.path_params
    expects: tuple[Subject, int] | None = None
    if version is not None and "number" not in path_params:
        expects = (_find_subject(path_params), version)
    call = Call(
        campaign=campaign,
        token=read_token(token),
        route=f"{request.method} {request.scope['route'].path}",
        key=key or str(uuid.uuid4()),
        request=request.state.digest,
        expects=expects,
        position=seen,
    )
    return _make_caller(request, call, version)


def _find_subject(path_params: dict[str, str]) -> Subject:
    if "character" in path_params:
        return character(path_params["character"])
    return scene(path_params["scene"]) if "scene" in path_params else CAMPAIGN


def _parse_version(if_match: str | None) -> int | None:
    """Return the version in an entity tag, or None for any version. An unknown tag gives -1, which matches no
    version.
    """
    if if_match is None or if_match == "*":
        return None
    digits = if_match.strip('"').partition(".")[0]
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 18 else -1


async def make_operating_caller(request: Request, token: OperatorToken, key: UuidKey = None) -> Caller:
    """Return a caller for the operator, or for anybody if the service runs open. The campaign's id is made from the
    key.
    """
    must_be_operator(request, token)
    ledger = get_ledger(request)
    key = (key or str(uuid.uuid4())).lower()
    route = f"{request.method} {request.scope['route'].path}"
    id = await run_in_threadpool(ledger.find_campaign_id, ledger.keys.make_campaign_id(key))
    return _make_caller(request, Call(id, "", route, key, request.state.digest))


async def make_claiming_caller(request: Request, fork: ForkId, token: SeatToken, key: Key = None) -> Caller:
    """Return a caller for the fork in the path. The token is from the original campaign."""
    route = f"{request.method} {request.scope['route'].path}"
    return _make_caller(request, Call(fork, read_token(token), route, key or str(uuid.uuid4()), request.state.digest))


Asking = Annotated[Caller, Depends(make_reading_caller)]
Sitting = Annotated[Caller, Depends(make_own_caller)]
Viewing = Annotated[Caller, Depends(make_viewing_caller)]
Acting = Annotated[Caller, Depends(make_acting_caller)]
Operating = Annotated[Caller, Depends(make_operating_caller)]
Claiming = Annotated[Caller, Depends(make_claiming_caller)]
