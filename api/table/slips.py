"""Take back the reader's own latest ruling, from its card."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from api.table import forms
from api.table.client import Json, Rejection
from api.table.form_tokens import make_key, must_be_ours, must_be_shown, read_key
from api.table.now import Now
from api.table.pages import Desk, PageRoute, Sitting
from api.table.reading import show_ruling_page

router = APIRouter(prefix="/table/{campaign}/{seat}", include_in_schema=False, route_class=PageRoute)
#: The beginning of the reason for a dispute, if it was too late to take the ruling back.
BEGUN = "I want to take this back: "


def make_slip_form(desk: Desk, shown_event: Any, view: Now) -> Json | None:
    """Return the form data of a card's button "Take back". None if taking back would certainly be refused."""
    last_ruling = view.last
    if last_ruling is None or shown_event is None or shown_event.get("number") != last_ruling["number"]:
        return None
    answers = [answer for ruling in (last_ruling, *last_ruling.get("steps", ())) for answer in ruling["answers"]]
    if (
        last_ruling["by"]["seat"] != view.me["id"]
        or last_ruling["status"] == "overturned"
        or last_ruling.get("follows") is not None
        or any(answer["source"] == "ledger" for answer in answers)
    ):
        return None
    return {"token": desk.make_token(f"take-back {last_ruling['number']}"), "key": make_key()}


@router.post("/rulings/{number}/take-back")
async def take_back(request: Request, desk: Sitting, number: int) -> Response:
    """Take the ruling back. If that is refused, say why, and begin a dispute."""
    must_be_ours(request)
    form = await forms.read_form(request)
    must_be_shown(desk.ledger.keys, desk.session, f"take-back {number}", forms.get_field_text(form, "token"))
    answer = await desk.client.post(f"/rulings/{number}/take-back", {}, read_key(forms.get_field_text(form, "key")))
    if answer.status == 200:
        return RedirectResponse(f"{desk.session.path}/?ruling={number}", 303)
    if answer.status in (401, 404):
        raise Rejection(answer.status, answer.json)
    return await show_ruling_page(desk, number, answer.json, BEGUN)
