"""Hooks: what becomes true in a campaign, sent to a program."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Body, Path, Request, Response

from api.hooks import commands
from api.hooks.sending import Sender
from api.http import schemas
from api.http.answers import LOCATION, POSITION, RECEIPT, SENDING, acting, answering, answers_of, reading
from api.http.bodies import Bodied
from api.http.request import Acting, Asking, Caller
from ledger.errors import WrongStatus
from ledger.events.hooks import HookStore
from projections.documents.hooks import HookDocument, Hooks, MadeHook

router = APIRouter(prefix="/campaigns/{campaign}/hooks", route_class=Bodied, tags=["hooks"])
HookId = Annotated[str, Path(description="The hook's id.", examples=["q2mzt5a4ck3v7"])]


def _store(caller: Caller) -> HookStore:
    return HookStore(caller.ledger.shelves.of(caller.campaign))


@router.post(
    "",
    operation_id="make_hook",
    status_code=201,
    response_model=MadeHook,
    responses=acting({201: answering(MadeHook, "The hook and its secret.", POSITION, RECEIPT, LOCATION)}),
)
def make_hook(body: schemas.MakeHook, caller: Acting, request: Request) -> Response:
    """Let a program be told what becomes true from now on: rows of the feed, each POSTed to `url` as it comes.

    Signed after Standard Webhooks with the `secret`, which is shown this once: `webhook-id` (the same whenever a row is
    sent again), `webhook-timestamp`, `webhook-signature`. The body is `{"type", "timestamp", "campaign", "id", "data"}`
    with `data` as in the feed. In order and at least once: what is not answered 2xx within 10 seconds is sent again
    after 5 seconds, 5 minutes, 30 minutes, 2 hours and so on, for a day. 410 ends it. Redirects are not followed.

    Told is what everybody at the table may see. With `seat` it is what that seat sees, once it agrees; it ends when
    the seat is removed or its token replaced. At most 10 a campaign. Game masters only.
    """
    sender: Sender | None = request.app.state.hook_sender
    if sender is None:
        with caller.ledger.reading(caller.call):
            raise WrongStatus(commands.OFF, code="hooks-off")
    asked = commands.Asked(body.url, body.events, body.seat)
    reply = commands.make(caller.ledger, _store(caller), sender, caller.call, asked, datetime.now(UTC))
    return caller.answer(reply, lambda document: f"/hooks/{document['id']}")


@router.get("", operation_id="list_hooks", response_model=Hooks, responses=reading(Hooks, "The hooks."))
def list_hooks(caller: Asking) -> Response:
    """All hooks of the campaign; for who is no game master those that tell what the own seat sees, or ask for it."""
    return caller.read_beside(lambda lens, moment: commands.listed(caller.ledger.keys, HookStore(moment), lens))


@router.get(
    "/{hook}", operation_id="get_hook", response_model=HookDocument, responses=reading(HookDocument, "The hook.")
)
def get_hook(hook: HookId, caller: Asking) -> Response:
    """A hook: what it is told, what came of it last, why it has ended if it has."""
    return caller.read_beside(lambda lens, moment: commands.one(caller.ledger.keys, HookStore(moment), lens, hook))


@router.post(
    "/{hook}/agree",
    operation_id="agree_to_hook",
    response_model=HookDocument,
    responses=acting({200: answering(HookDocument, "The hook.", POSITION, RECEIPT)}),
)
def agree_to_hook(hook: HookId, caller: Acting, body: Annotated[schemas.Nothing | None, Body()] = None) -> Response:
    """Let the hook be told what your seat sees, from now on. Only the seat it names, with its own token."""
    return caller.answer(commands.agree(caller.ledger, _store(caller), caller.call, hook))


@router.delete(
    "/{hook}",
    operation_id="delete_hook",
    response_model=HookDocument,
    responses=answers_of(SENDING, {200: answering(HookDocument, "The hook as it was.", POSITION)}),
)
def delete_hook(hook: HookId, caller: Asking) -> Response:
    """Let nothing be told any more. A game master, or the seat whose sight the hook has."""
    return caller.read(lambda lens: commands.delete(_store(caller), lens, hook))
