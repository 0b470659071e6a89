"""Forks: campaigns that continue another campaign from one of its rulings, and how their seats are claimed."""

from __future__ import annotations

import json
from typing import Annotated

from fastapi import APIRouter, Body, Request, Response

from api.http import problem_kinds, schemas
from api.http.admission import must_have_seat_token
from api.http.answers import (
    LOCATION,
    POSITION,
    RECEIPT,
    SENDING,
    describe_acting_answers,
    describe_answer,
    describe_answers,
)
from api.http.bodies import Bodied
from api.http.mistakes import describe_mistake
from api.http.problems import make_bad_request
from api.http.request import Acting, Claiming
from ledger.application import parser
from ledger.application.commands.forking import NoSuchRuling
from projections.documents.campaigns import ForkedCampaign, Seat, present_forked_campaign
from projections.documents.presenting import present

router = APIRouter(prefix="/campaigns", route_class=Bodied)


@router.post(
    "/{campaign}/fork",
    operation_id="fork_campaign",
    tags=["campaigns"],
    status_code=201,
    response_model=ForkedCampaign,
    responses=describe_acting_answers(
        {201: describe_answer(ForkedCampaign, "The fork, with your token for it.", POSITION, RECEIPT, LOCATION)}
    ),
)
def fork_campaign(body: schemas.Fork, caller: Acting) -> Response:
    """Start a new campaign that continues this one from a ruling. This campaign does not change.

    The fork begins with the record up to ruling `at`, as known at the time: later decisions about these rulings are not
    in it. A question that was waiting then is waiting in the fork, with its dice. From then on, the fork is a separate
    campaign with its own dice, seal and export. Game masters only.

    The answer has your token for the fork. Everybody else claims their seat (`POST /campaigns/{fork}/claim`); a game
    master can't create a token for an unclaimed seat. A campaign with hidden information continues only when all seats
    are claimed.
    """
    try:
        reply = caller.ledger.fork(caller.call, body.at, body.name, present_forked_campaign)
    except NoSuchRuling as error:
        latest_numbers = tuple(range(max(1, error.last - parser.MOST_TOLD + 1), error.last + 1))
        raise make_bad_request(
            [describe_mistake(parser.Mistake("/at", error.detail, "less_than_equal", body.at, latest_numbers))]
        ) from None
    return caller.copy_for_campaign(json.loads(reply.body)["id"]).answer(reply, lambda document: "")


class Claimable(Bodied):
    """A route that needs the token of a seat in another campaign."""

    async def admit(self, request: Request) -> None:
        await must_have_seat_token(request)


claims = APIRouter(prefix="/campaigns", route_class=Claimable)


@claims.post(
    "/{fork}/claim",
    operation_id="claim_seat",
    tags=["seats"],
    response_model=Seat,
    responses=describe_answers(
        (*SENDING, problem_kinds.WRONG_STATUS, problem_kinds.STALE),
        {200: describe_answer(Seat, "Your seat in the fork, with its token.", POSITION, RECEIPT)},
    ),
)
def claim_seat(caller: Claiming, body: Annotated[schemas.Nothing | None, Body()] = None) -> Response:
    """Claim your seat in a fork, with your token of the original campaign.

    The token must still be valid there. Repeating the request returns the first answer.
    """
    return caller.answer(caller.ledger.claim_seat(caller.call, present))
