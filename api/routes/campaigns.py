"""Campaigns, seats and tokens, and the rulings that every game has: about characters, sessions, scenes and options."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Body, Response

from api.http import schemas
from api.http.answers import (
    ACTING,
    LOCATION,
    POSITION,
    RECEIPT,
    SENDING,
    TAG,
    describe_acting_answers,
    describe_answer,
    describe_answers,
    describe_reading_answers,
)
from api.http.bodies import Bodied
from api.http.problem_kinds import MALFORMED
from api.http.problems import BadRequest
from api.http.request import Acting, Asking, Caller, Operating
from ledger.application import Book, Shown, ShownCampaign
from ledger.rules import systems
from ledger.rules.kernel.subjects import Viewer
from projections.documents import campaigns
from projections.documents.campaigns import Campaign, OpenedCampaign, Seat, SeatEntry
from projections.documents.foreseen import Preview
from projections.documents.presenting import present
from projections.documents.proposals import Proposal
from projections.documents.rulings import Ruling
from projections.documents.waiting import Waiting
from projections.redaction import Json, to_text

router = APIRouter(prefix="/campaigns", route_class=Bodied)
MADE = describe_acting_answers(
    {
        201: describe_answer(
            Ruling, "The ruling, with the id of the subject that it created.", POSITION, RECEIPT, TAG, LOCATION
        ),
        202: describe_answer(Waiting | Proposal, "Waiting for an answer or for consent.", POSITION, RECEIPT),
    }
)
SEATED = describe_acting_answers({201: describe_answer(Seat, "The seat and its token.", POSITION, RECEIPT, LOCATION)})
CHANGED = describe_acting_answers({200: describe_answer(Seat, "The seat.", POSITION, RECEIPT)})
LEAVING = CHANGED | describe_acting_answers(
    {202: describe_answer(Proposal, "The decision is waiting for consent.", POSITION, RECEIPT)}
)


@router.post(
    "",
    operation_id="open_campaign",
    tags=["campaigns"],
    status_code=201,
    response_model=OpenedCampaign,
    responses=describe_answers(
        SENDING + ACTING[-2:],
        {201: describe_answer(OpenedCampaign, "The campaign has started.", POSITION, RECEIPT, LOCATION)},
    ),
)
def open_campaign(body: schemas.OpenCampaign, caller: Operating) -> Response:
    """Start a campaign of a game. Returns the first game master's seat and token."""

    def present_opened_campaign(book: Book, viewer: Viewer | None, shown_campaign: Shown) -> str:
        assert isinstance(shown_campaign, ShownCampaign)
        edition = systems()[body.system].edition
        return to_text(campaigns.describe_opened_campaign(book.id, body.name, body.system, edition, shown_campaign.gm))

    reply = caller.ledger.open_campaign(
        caller.call, body.name, body.system, body.dials, body.gm.name, present_opened_campaign
    )
    return caller.answer(reply, lambda document: "")


@router.get(
    "/{campaign}",
    operation_id="get_campaign",
    tags=["campaigns"],
    response_model=Campaign,
    responses=describe_reading_answers(Campaign, "The campaign.", TAG),
)
def get_campaign(caller: Asking) -> Response:
    """Return the campaign as it is now: its options, seats, characters, sessions, scenes and open findings."""
    return caller.read(campaigns.describe_campaign, version_field="position")


# --- seats ---


@router.post(
    "/{campaign}/seats",
    operation_id="take_seat",
    tags=["seats"],
    status_code=201,
    response_model=Seat,
    responses=SEATED,
)
def take_seat(body: schemas.TakeSeat, caller: Acting) -> Response:
    """Add a seat and return its token. Game masters only."""
    reply = caller.ledger.add_seat(caller.call, body.name, body.role, present)
    return caller.answer(reply, lambda document: f"/seats/{document['id']}")


@router.get(
    "/{campaign}/seats/{seat}",
    operation_id="get_seat",
    tags=["seats"],
    response_model=SeatEntry,
    responses=describe_reading_answers(SeatEntry, "The seat."),
)
def get_seat(seat: str, caller: Asking) -> Response:
    """Return a seat with its name and role, even if the seat was removed."""
    return caller.read(lambda lens: campaigns.find_seat(lens, seat))


@router.post(
    "/{campaign}/seats/{seat}/token",
    operation_id="renew_token",
    tags=["seats"],
    response_model=Seat,
    responses=CHANGED,
)
def renew_token(seat: str, caller: Acting, body: Annotated[schemas.Nothing | None, Body()] = None) -> Response:
    """Replace the seat's token. The previous token no longer works. Only the seat itself or a game master can do
    this.
    """
    return caller.answer(caller.ledger.renew_token(caller.call, seat, present))


@router.patch(
    "/{campaign}/seats/{seat}",
    operation_id="change_seat",
    tags=["seats"],
    response_model=Seat,
    responses=LEAVING,
)
def change_seat(seat: str, body: schemas.ChangeSeat, caller: Acting) -> Response:
    """Rename a seat, or remove it from the table. The token of a removed seat no longer works. Game masters only.

    `holds`: whether automatic steps are paused until the seat sets this to false. You can change it for your own seat.
    """
    reply = caller.ledger.change_seat(caller.call, seat, body.name, body.removed is True, present, holds=body.holds)
    return caller.answer(reply)


# --- rulings of every game ---


def _declare(caller: Caller, fields: Json, created_kind: str | None = None) -> Response:
    """Make a ruling of a kind that every game has. `created_kind`: the kind of subject that the ruling creates, if
    any.
    """
    declaration = caller.parse_body(lambda forms: forms.parse_input(fields, pointer=""))

    def make_location(document: Mapping[str, object]) -> str:
        return (
            f"/{created_kind}s/{document[created_kind]}"
            if created_kind is not None
            else f"/rulings/{document['number']}"
        )

    return caller.answer(caller.ledger.declare(caller.call, declaration, present), make_location)


add_ruling_route = partial(router.post, status_code=201, response_model=Ruling, responses=MADE)
#: The answers of routes that have a preview.
PREVIEWED = (
    describe_acting_answers({200: describe_answer(Preview, "The preview. Nothing is saved.", POSITION, RECEIPT)}) | MADE
)


@add_ruling_route("/{campaign}/dials", operation_id="turn_dial", tags=["campaigns"])
def turn_dial(body: schemas.TurnDial, caller: Acting) -> Response:
    """Change an option for later rulings: `{"<dial>": value, "reason": "..."}`."""
    if len(body.dial_values) != 1:
        raise BadRequest(MALFORMED, "one-dial", "Send one option with its value, and a reason.")
    ((name, value),) = body.dial_values.items()
    return _declare(caller, {"kind": "set-dial", "name": name, "value": value, "reason": body.reason})


@add_ruling_route("/{campaign}/characters", operation_id="enrol_character", tags=["characters"], responses=PREVIEWED)
def enrol_character(body: schemas.EnrolCharacter, caller: Acting) -> Response:
    """Add a character. Only the seat that will play it or a game master can do this.

    If the rules refuse the sheet, the answer lists everything that is wrong with it. With `preview`, nothing is saved.
    """
    fields = {"kind": "enrol", **body.model_dump(exclude={"preview"})}
    if body.preview:
        declaration = caller.parse_body(lambda forms: forms.parse_input(fields, pointer=""))
        return caller.answer(caller.ledger.preview_declaration(caller.call, declaration, present))
    return _declare(caller, fields, "character")


@add_ruling_route(
    "/{campaign}/characters/{character}/hand-over", operation_id="hand_over_character", tags=["characters"]
)
def hand_over_character(character: str, body: schemas.ToSeat, caller: Acting) -> Response:
    """Give the character to another seat. Only its player or a game master can do this."""
    return _declare(caller, {"kind": "hand-over", "character": character, "seat": body.seat})


@add_ruling_route("/{campaign}/characters/{character}/retire", operation_id="retire_character", tags=["characters"])
def retire_character(character: str, body: schemas.Reason, caller: Acting) -> Response:
    """Retire the character. Its record is kept. Only its player or a game master can do this."""
    return _declare(caller, {"kind": "retire", "character": character, "reason": body.reason})


@add_ruling_route("/{campaign}/sessions", operation_id="open_session", tags=["sessions"])
def open_session(caller: Acting, body: Annotated[schemas.OpenSession | None, Body()] = None) -> Response:
    """Open a session. In the answer, `session` is its id. Game masters only."""
    return _declare(caller, {"kind": "open-session", "title": body.title if body is not None else ""})


@add_ruling_route("/{campaign}/sessions/{session}/close", operation_id="close_session", tags=["sessions"])
def close_session(session: str, caller: Acting, body: Annotated[schemas.Nothing | None, Body()] = None) -> Response:
    """Close the session. Game masters only."""
    return _declare(caller, {"kind": "close-session", "session": session})


@add_ruling_route("/{campaign}/scenes", operation_id="open_scene", tags=["scenes"])
def open_scene(body: schemas.OpenScene, caller: Acting) -> Response:
    """Open a scene. In the answer, `scene` is its id. Game masters only."""
    return _declare(caller, {"kind": "open-scene", **body.model_dump()}, "scene")


@add_ruling_route("/{campaign}/scenes/{scene}/close", operation_id="close_scene", tags=["scenes"])
def close_scene(scene: str, caller: Acting, body: Annotated[schemas.Nothing | None, Body()] = None) -> Response:
    """Close the scene. Game masters only."""
    return _declare(caller, {"kind": "close-scene", "scene": scene})
