"""The page of open disputes, proposals and findings, and the page with the ways to decide about a ruling."""

from __future__ import annotations

from fastapi import APIRouter, Response
from fastapi.responses import RedirectResponse

from api.table.deciding import load_matter
from api.table.pages import Desk, PageRoute, Sitting, may_decide

router = APIRouter(prefix="/table/{campaign}/{seat}", include_in_schema=False, route_class=PageRoute)


@router.get("/decide")
async def show_to_decide(desk: Sitting) -> Response:
    """Show the open disputes, proposals and findings."""
    waiting_document, state = (reply.json for reply in await desk.client.read_together("/waiting", "/state"))
    return desk.render_page(
        "to_decide.html.jinja",
        disputes=waiting_document["disputes"],
        proposals=waiting_document["decisions"],
        findings=state["findings"],
        decides=may_decide(state, desk.session.seat),
        name=state["campaign"]["name"],
    )


@router.get("/rulings/{number}/decide")
async def show_decision_ways(desk: Sitting, number: int) -> Response:
    """Show the ways to decide about a ruling. A seat that may not decide gets the preview of overturning it."""
    matter = await load_matter(desk, number)
    if not matter.decides:
        return RedirectResponse(_make_decision_path(desk, number, "overturn"), 303)
    if len(matter.possible) == 1:
        return RedirectResponse(_make_decision_path(desk, number, matter.possible[0]), 303)
    return desk.render_page("ways.html.jinja", matter=matter, name=matter.state["campaign"]["name"])


def _make_decision_path(desk: Desk, number: int, decision: str) -> str:
    return f"{desk.session.path}/rulings/{number}/{decision}"
