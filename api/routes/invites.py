"""Invites to a seat: a link, a QR code and a code to read aloud."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from fastapi.concurrency import run_in_threadpool

from api.http import problem_kinds, schemas
from api.http.answers import (
    ANYWHERE,
    POSITION,
    RECEIPT,
    SENDING,
    describe_acting_answers,
    describe_answer,
    describe_answers,
    describe_reading_answers,
)
from api.http.bodies import Bodied
from api.http.mistakes import Mistake
from api.http.parameters import Key
from api.http.problems import make_bad_request
from api.http.request import Acting, Asking, Caller
from api.inviting import asked, links
from api.inviting.letting_in import Welcoming, let_in
from ledger.application import Book, Call, Ledger, Reply
from ledger.application.commands import inviting
from ledger.application.commands.inviting import Entered
from ledger.events.invites import Invite, InviteStore
from ledger.rules.kernel.subjects import Viewer
from projections.documents import invites as documents
from projections.documents.invites import InviteDocument, Invites, Joined, MadeInvite
from projections.redaction import LiveLens, to_text

router = APIRouter(prefix="/campaigns/{campaign}/invites", route_class=Bodied, tags=["invites"])
joining = APIRouter(prefix="/invites", route_class=Welcoming, tags=["invites"])
InviteId = Annotated[str, Path(description="The invite's id.", examples=["q2mzt5a4ck3v7"])]


def _open_store(caller: Caller) -> InviteStore:
    return InviteStore(caller.ledger.shelves.get_shelf_of(caller.campaign))


@router.post(
    "",
    operation_id="make_invite",
    status_code=201,
    response_model=MadeInvite,
    responses=describe_acting_answers(
        {201: describe_answer(MadeInvite, "The invite, with its link and code.", POSITION, RECEIPT)}
    ),
)
def make_invite(body: schemas.MakeInvite, caller: Acting, request: Request) -> Response:
    """Invite somebody to a new seat, or another device to your own seat. Returns a link, its QR code and a code to say
    aloud.

    These are shown only once and work only once. The link is valid for `days`, the code for 15 minutes. The guest gets
    a seat with this `name` and `role`, and the `characters`. The invite ends if your seat is removed or your token is
    replaced. An invite for a game master has no code.

    Only game masters can invite people, with at most 50 open invites. You can't invite a device to another seat. A new
    link to your own seat replaces the previous one.
    """
    now = datetime.now(UTC)

    def write_entry(book: Book, viewer: Viewer, invite: Invite) -> str:
        return to_text(documents.describe_invite(LiveLens(book, viewer), invite, now, None))

    find_terms = asked.make_terms_finder(body)
    stored_invite, is_repeated, position = inviting.make_invite_for_seat(
        caller.ledger, _open_store(caller), caller.call, find_terms, now, write_entry
    )
    openers = inviting.make_openers(caller.ledger.keys, stored_invite)
    link = links.make_link(links.find_address(request), openers.secret)
    entry: InviteDocument = json.loads(stored_invite.answered)
    document = documents.describe_made_invite(
        entry, openers.code, stored_invite.code_until, link, links.draw_qr_svg(link)
    )
    return caller.answer(Reply(201, to_text(document), position, is_repeated=is_repeated))


@router.get(
    "", operation_id="list_invites", response_model=Invites, responses=describe_reading_answers(Invites, "The invites.")
)
def list_invites(caller: Asking) -> Response:
    """List invites to your own seat, and for game masters also those to new seats. Links and codes are not shown
    again.
    """
    keys = caller.ledger.keys
    return caller.read_beside(
        lambda lens, transaction: asked.list_invites_for_viewer(keys, InviteStore(transaction), lens, datetime.now(UTC))
    )


@router.delete(
    "/{invite}",
    operation_id="withdraw_invite",
    response_model=InviteDocument,
    responses=describe_answers(
        (*SENDING, problem_kinds.WRONG_STATUS),
        {200: describe_answer(InviteDocument, "The withdrawn invite.", POSITION)},
    ),
)
def withdraw_invite(invite: InviteId, caller: Asking) -> Response:
    """Withdraw an invite. A game master can withdraw any invite to a new seat; you can withdraw a link to your own
    seat."""
    keys, store, now = caller.ledger.keys, _open_store(caller), datetime.now(UTC)
    return caller.read(lambda lens: asked.withdraw_invite(keys, store, lens, invite, now))


@joining.post(
    "/use",
    operation_id="use_invite",
    status_code=201,
    response_model=Joined,
    responses=describe_answers(
        (*ANYWHERE, problem_kinds.TOO_LARGE, problem_kinds.NOT_JSON),
        {201: describe_answer(Joined, "The seat and its token.", RECEIPT)},
    ),
)
async def use_invite(request: Request, body: schemas.UseInvite, key: Key = None) -> Response:
    """Join a table with a link's secret or a code. Returns the campaign, the seat and its token.

    An invite works once. Repeating the request with the same `Idempotency-Key` within ten minutes returns the same
    answer, in case the first one was lost. Use a random key, because the key and the secret together return the token.
    An invite that is wrong, used, withdrawn or expired always gives the same 404. An address can try 30 times a
    minute.
    """
    secret_or_code = _find_secret_or_code(body)
    key = key or str(uuid.uuid4())
    entered_seat = await let_in(request, secret_or_code, key)
    answer = await run_in_threadpool(_answer_joined, request.app.state.ledger, entered_seat)
    answer.headers["Idempotency-Key"] = key
    if entered_seat.is_repeated:
        answer.headers["Idempotency-Replayed"] = "true"
    return answer


def _find_secret_or_code(body: schemas.UseInvite) -> str:
    secrets = [value for value in (body.secret, body.code) if value is not None]
    if len(secrets) != 1:
        mistake: Mistake = {"pointer": "", "message": "Send either a secret or a code.", "type": "value_error"}
        raise make_bad_request([mistake])
    return secrets[0]


def _answer_joined(ledger: Ledger, entered_seat: Entered) -> Response:
    with ledger.open_for_seat(Call(entered_seat.campaign, entered_seat.token)) as (book, viewer):
        document = documents.describe_joined_seat(LiveLens(book, viewer), entered_seat.token)
    return Response(to_text(document), 201, media_type="application/json")
