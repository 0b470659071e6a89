"""Take back the seat's own latest ruling, or withdraw one of its declarations that are still waiting."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from api.table import forms
from api.table.client import Json, Rejection
from api.table.form_tokens import make_key, must_be_ours, must_be_shown, read_key
from api.table.pages import Desk, PageRoute, Sitting
from api.table.plain_forms import read_fields
from api.table.reading import show_ruling_page

router = APIRouter(prefix="/table/{campaign}/{seat}", include_in_schema=False, route_class=PageRoute)
#: The first words in the dispute form if it was too late to take the ruling back.
BEGUN = "I want to take this back: "


async def find_slip_number(desk: Desk, last_ruling: Json | None) -> int | None:
    """Return the number of the last ruling if this seat can take it back, else None."""
    if last_ruling is None or last_ruling["by"]["seat"] != desk.session.seat or last_ruling["status"] == "overturned":
        return None
    number = int(last_ruling["number"])
    answer = await desk.client.post(f"/rulings/{number}/take-back", {"preview": True}, make_key())
    return number if answer.status == 200 else None


def make_slip_form(desk: Desk, shown_event: Any, slip_number: int | None) -> Json | None:
    """Return the hidden fields of a card's button "Take back", or None if the card's ruling can't be taken back."""
    if slip_number is None or shown_event is None or shown_event.get("number") != slip_number:
        return None
    return {"token": desk.make_token(f"take-back {slip_number}"), "key": make_key()}


@router.post("/rulings/{number}/take-back")
async def take_back(request: Request, desk: Sitting, number: int) -> Response:
    """Take the ruling back. If that is refused, show the ruling with the reason and a dispute form."""
    must_be_ours(request)
    form = await forms.read_form(request)
    must_be_shown(desk.ledger.keys, desk.session, f"take-back {number}", forms.get_field_text(form, "token"))
    answer = await desk.client.post(f"/rulings/{number}/take-back", {}, read_key(forms.get_field_text(form, "key")))
    if answer.status == 200:
        return RedirectResponse(f"{desk.session.path}/?ruling={number}", 303)
    if answer.status in (401, 404):
        raise Rejection(answer.status, answer.json)
    return await show_ruling_page(desk, number, answer.json, BEGUN)


@router.post("/waiting/{waiting}/withdraw")
async def withdraw_declaration(request: Request, desk: Sitting, waiting: str) -> Response:
    form, key = await read_fields(request, desk, "withdraw")
    reason = forms.get_field_text(form, "reason") or "Taken back."
    reply = await desk.client.post(f"/waiting/{waiting}/withdraw", {"reason": reason}, key)
    if reply.status != 200:
        raise Rejection(reply.status, reply.json)
    return RedirectResponse(f"{desk.session.path}/", 303)
