"""Forks: a campaign that goes on from a place in another one, and the seats of it."""

from __future__ import annotations

import json
from typing import Annotated

from fastapi import APIRouter, Body, Request, Response

from api.http import problem_kinds, schemas
from api.http.admission import must_sit_somewhere
from api.http.answers import LOCATION, POSITION, RECEIPT, SENDING, acting, answering, answers_of
from api.http.bodies import Bodied
from api.http.mistakes import told
from api.http.problems import mistaken
from api.http.request import Acting, Claiming
from ledger.application import parser
from ledger.application.commands.forking import NoSuchRuling
from projections.documents.campaigns import ForkedCampaign, Seat, forked
from projections.documents.presenting import present

router = APIRouter(prefix="/campaigns", route_class=Bodied)


@router.post(
    "/{campaign}/fork",
    operation_id="fork_campaign",
    tags=["campaigns"],
    status_code=201,
    response_model=ForkedCampaign,
    responses=acting(
        {201: answering(ForkedCampaign, "The fork, with your token for it.", POSITION, RECEIPT, LOCATION)}
    ),
)
def fork_campaign(body: schemas.Fork, caller: Acting) -> Response:
    """A new campaign that goes on from a ruling of this one, which is left untouched: what if we had let him live?

    It begins with all that was recorded before the ruling after `at` was begun, as it was known then: what was decided
    about earlier rulings since is not in it. What waited then waits in it, with the dice rolled for it. From there on
    it is a campaign by itself, with dice, seal and export of its own. Game masters only.

    Your token for it is answered. Everybody else claims their seat in it (`POST /campaigns/{fork}/claim`); no game
    master can give an unclaimed seat a token. Where anything is hidden from anybody, it goes on once all are claimed.
    """
    try:
        reply = caller.ledger.fork(caller.call, body.at, body.name, forked)
    except NoSuchRuling as none:
        latest = tuple(range(max(1, none.last - parser.MOST_TOLD + 1), none.last + 1))
        raise mistaken([told(parser.Mistake("/at", none.detail, "less_than_equal", body.at, latest))]) from None
    return caller.elsewhere(json.loads(reply.body)["id"]).answer(reply, lambda document: "")


class Claimable(Bodied):
    """A route whose token is one of another campaign's seats."""

    async def admit(self, request: Request) -> None:
        await must_sit_somewhere(request)


claims = APIRouter(prefix="/campaigns", route_class=Claimable)


@claims.post(
    "/{fork}/claim",
    operation_id="claim_seat",
    tags=["seats"],
    response_model=Seat,
    responses=answers_of(
        (*SENDING, problem_kinds.WRONG_STATUS, problem_kinds.STALE),
        {200: answering(Seat, "Your seat in the fork, with its token.", POSITION, RECEIPT)},
    ),
)
def claim_seat(caller: Claiming, body: Annotated[schemas.Nothing | None, Body()] = None) -> Response:
    """Your own seat in a fork. Send the token that you have for the campaign which it goes on from.

    It must be the one that is good there now. However often you ask, the answer is the first one.
    """
    return caller.answer(caller.ledger.claim(caller.call, present))
