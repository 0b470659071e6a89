"""Webhooks: events of a campaign, sent to a program."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Body, Path, Request, Response

from api.hooks import commands
from api.hooks.sending import Sender
from api.http import schemas
from api.http.answers import (
    LOCATION,
    POSITION,
    RECEIPT,
    SENDING,
    describe_acting_answers,
    describe_answer,
    describe_answers,
    describe_reading_answers,
)
from api.http.bodies import Bodied
from api.http.request import Acting, Asking, Caller
from ledger.errors import WrongStatus
from ledger.events.hooks import HookStore
from projections.documents.hooks import HookDocument, Hooks, MadeHook

router = APIRouter(prefix="/campaigns/{campaign}/hooks", route_class=Bodied, tags=["hooks"])
HookId = Annotated[str, Path(description="The webhook's id.", examples=["q2mzt5a4ck3v7"])]


def _open_store(caller: Caller) -> HookStore:
    return HookStore(caller.ledger.shelves.get_shelf_of(caller.campaign))


@router.post(
    "",
    operation_id="make_hook",
    status_code=201,
    response_model=MadeHook,
    responses=describe_acting_answers(
        {201: describe_answer(MadeHook, "The webhook and its secret.", POSITION, RECEIPT, LOCATION)}
    ),
)
def make_hook(body: schemas.MakeHook, caller: Acting, request: Request) -> Response:
    """Create a webhook: new events of the feed are sent to `url` by POST.

    Requests are signed as in Standard Webhooks with the `secret`, which is shown only once: `webhook-id` (the same for
    each attempt), `webhook-timestamp`, `webhook-signature`. The body is `{"type", "timestamp", "campaign", "id",
    "data"}` with `data` as in the feed. Events are delivered in order and at least once. Without a 2xx answer within 10
    seconds, delivery is tried again after 5 seconds, 5 minutes, 30 minutes, 2 hours and so on, for a day. A 410 stops
    the webhook. Redirects are not followed.

    The webhook receives what everybody at the table can see. With `seat`, it receives what that seat sees once the seat
    agrees, until the seat is removed or its token is replaced. A campaign can have at most 10 webhooks. Game masters
    only.
    """
    sender: Sender | None = request.app.state.hook_sender
    if sender is None:
        with caller.ledger.open_for_seat(caller.call):
            raise WrongStatus(commands.OFF, code="hooks-off")
    wanted_hook = commands.WantedHook(body.url, body.events, body.seat)
    reply = commands.create_hook(
        caller.ledger, _open_store(caller), sender, caller.call, wanted_hook, datetime.now(UTC)
    )
    return caller.answer(reply, lambda document: f"/hooks/{document['id']}")


@router.get(
    "", operation_id="list_hooks", response_model=Hooks, responses=describe_reading_answers(Hooks, "The webhooks.")
)
def list_hooks(caller: Asking) -> Response:
    """List the campaign's webhooks. Game masters see all of them. Other seats see only the webhooks that receive their
    own view.
    """
    return caller.read_beside(
        lambda lens, transaction: commands.list_hooks_for_viewer(caller.ledger.keys, HookStore(transaction), lens)
    )


@router.get(
    "/{hook}",
    operation_id="get_hook",
    response_model=HookDocument,
    responses=describe_reading_answers(HookDocument, "The webhook."),
)
def get_hook(hook: HookId, caller: Asking) -> Response:
    """Return a webhook with its events, its last delivery, and why it stopped if it did."""
    return caller.read_beside(
        lambda lens, transaction: commands.describe_hook(caller.ledger.keys, HookStore(transaction), lens, hook)
    )


@router.post(
    "/{hook}/agree",
    operation_id="agree_to_hook",
    response_model=HookDocument,
    responses=describe_acting_answers({200: describe_answer(HookDocument, "The webhook.", POSITION, RECEIPT)}),
)
def agree_to_hook(hook: HookId, caller: Acting, body: Annotated[schemas.Nothing | None, Body()] = None) -> Response:
    """Agree that the webhook receives what your seat sees. Only the webhook's seat can do this, with its own token."""
    return caller.answer(commands.agree_to_hook(caller.ledger, _open_store(caller), caller.call, hook))


@router.delete(
    "/{hook}",
    operation_id="delete_hook",
    response_model=HookDocument,
    responses=describe_answers(SENDING, {200: describe_answer(HookDocument, "The deleted webhook.", POSITION)}),
)
def delete_hook(hook: HookId, caller: Asking) -> Response:
    """Delete a webhook. Only a game master or the seat whose view the webhook receives can do this."""
    return caller.read(lambda lens: commands.delete_hook(_open_store(caller), lens, hook))
