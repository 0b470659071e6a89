"""A decision that waits for consent: what it would change, who has answered, and the reader's own answer."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal, NamedTuple

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from api.table import forms
from api.table.acts import MORE, ShownCount
from api.table.client import Json, Rejection
from api.table.deciding import collect_field_errors
from api.table.foreseeing import describe_comparison
from api.table.form_tokens import make_key, must_be_ours, must_be_shown, read_key
from api.table.pages import Desk, PageRoute, Sitting, may_decide

router = APIRouter(prefix="/table/{campaign}/{seat}", include_in_schema=False, route_class=PageRoute)
ANSWERS = {"yes": True, "no": False}


class Page(NamedTuple):
    """A part of the list of affected rulings.

    `after`: the number of the ruling before this part. `shown_count`: how many rulings were already shown. `limit`: the
    most rulings to show; None means a short list.
    """

    after: int
    shown_count: int
    limit: int | None


BEGINNING = Page(0, 0, None)
NEITHER = {"detail": "Choose whether you agree."}


@router.get("/proposals/{proposal}")
async def show_proposal(
    request: Request, desk: Sitting, proposal: str, after: int = 0, shown_count: ShownCount = 0, whole: bool = False
) -> Response:
    """Show a proposal. A partial request gets only the proposal's progress.

    `after`, `shown_count`: where the list of affected rulings continues. `whole`: show every affected character and
    scene.
    """
    is_partial = request.headers.get("HX-Request-Type") == "partial"
    page = Page(max(0, after), max(0, shown_count), MORE if whole or after else None)
    return await _show_proposal(desk, proposal, is_partial=is_partial, page=page)


async def _show_proposal(
    desk: Desk,
    proposal_id: str,
    *,
    form: forms.Form | None = None,
    problem: Json | None = None,
    is_partial: bool = False,
    page: Page = BEGINNING,
) -> Response:
    document = await desk.client.get(f"/waiting/{proposal_id}", after=page.after, limit=page.limit)
    state = await desk.client.get("/state")
    if "changes" not in document:
        return RedirectResponse(f"{desk.session.path}/waiting/{proposal_id}", 303)
    own_seat_id = desk.session.seat
    is_own = document["by"] is not None and document["by"]["seat"] == own_seat_id
    is_waiting = document["status"] == "waiting"
    values: Json = {
        "proposal": document,
        "me": own_seat_id,
        "waits": is_waiting,
        "over": is_waiting and _is_time_over(document["until"]),
        "mine": is_own,
        "may_go_on": is_waiting and document["by"] is not None and may_decide(state, own_seat_id),
        "said_mine": next((consent for consent in document["said"] if consent["by"]["seat"] == own_seat_id), None),
        "name": state["campaign"]["name"],
    }
    if is_partial and not page.after:
        return desk.render_page("proposal_stands.html.jinja", **values)
    changes = (
        describe_comparison(document["changes"], desk.make_words(state)) if document["changes"] is not None else None
    )
    values |= {"more_at": f"{desk.session.path}/proposals/{proposal_id}?whole=true", "before": page.shown_count}
    if is_partial:
        return desk.render_page("further.html.jinja", look={"foreseen": changes}, may_also=False, **values)
    return desk.render_page(
        "proposal.html.jinja",
        422 if problem is not None else 200,
        changes=changes,
        problem=problem,
        errors=collect_field_errors(problem, {}),
        token=desk.make_token(f"proposal {proposal_id}"),
        keys=[make_key() for _ in range(3)],
        reason=forms.get_field_text(form or {}, "reason"),
        consent=forms.get_field_text(form or {}, "consent"),
        **values,
    )


def _is_time_over(deadline: str | None) -> bool:
    """Return whether the time to answer is over."""
    return deadline is not None and datetime.fromisoformat(deadline) <= datetime.now(UTC)


@router.post("/proposals/{proposal}/{action}")
async def answer_or_withdraw(
    request: Request, desk: Sitting, proposal: str, action: Literal["consent", "go-on", "withdraw"]
) -> Response:
    """Consent or decline, override missing consent, or withdraw the proposal."""
    must_be_ours(request)
    form = await forms.read_form(request)
    must_be_shown(desk.ledger.keys, desk.session, f"proposal {proposal}", forms.get_field_text(form, "token"))
    path, body = f"/waiting/{proposal}/{action}", Json(reason=forms.get_field_text(form, "reason"))
    if action == "consent":
        has_agreed = ANSWERS.get(forms.get_field_text(form, "consent"))
        if has_agreed is None:
            return await _show_proposal(desk, proposal, form=form, problem=NEITHER)
        body["consent"] = has_agreed
    reply = await desk.client.post(path, body, read_key(forms.get_field_text(form, "key")))
    if reply.status in (200, 202):
        return RedirectResponse(f"{desk.session.path}/proposals/{proposal}", 303)
    if reply.status in (401, 404):
        raise Rejection(reply.status, reply.json)
    return await _show_proposal(desk, proposal, form=form, problem=reply.json)
