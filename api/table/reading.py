"""Show the record: the timeline with one sentence for each ruling, and a ruling with everything that led to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse

from api.table import forms
from api.table.around import list_former_dependents, list_related_rulings
from api.table.client import Answer, Json, Rejection
from api.table.continuing import list_ways_on
from api.table.form_tokens import must_be_ours, read_key
from api.table.groups import make_digest
from api.table.page_forms import make_form, restore_form
from api.table.pages import Desk, PageRoute, Sitting, may_decide

router = APIRouter(prefix="/table/{campaign}/{seat}", include_in_schema=False, route_class=PageRoute)
PAGE = 50  # rulings
MOST_LEANING = 20  # rulings that depend on another
REASON = {"type": "object", "properties": {}}
DISPUTABLE = ("standing", "revised", "upheld", "reinstated")


@router.get("/timeline")
async def show_timeline(
    request: Request,
    desk: Sitting,
    character: str = "",
    kind: str = "",
    session: str = "",
    q: str = "",
    until: str = "",
) -> Response:
    """Show a sentence for each ruling, newest first. `until`: only rulings before this number."""
    filters = {"character": character, "kind": kind, "session": session, "q": q}
    state = await desk.client.get("/state")
    rulings, earlier_number = await _load_rulings_page(
        desk, {name: value for name, value in filters.items() if value}, until
    )
    values = {
        "rulings": rulings,
        "earlier": earlier_number,
        "chosen": filters,
        "until": until,
        "words": desk.make_words(state),
        "name": state["campaign"]["name"],
        "last": max((ruling["number"] for ruling in rulings), default=0),
        "first": min((ruling["number"] for ruling in rulings), default=0),
        "settled": (settled := await list_settled_findings(desk, rulings)),
        "shown_settled": sum(
            any(_find_ruling_number(finding) == ruling["number"] for ruling in rulings) for finding in settled
        ),
    }
    if request.headers.get("HX-Request-Type") == "partial":
        return desk.render_page("rulings.html.jinja", **values)
    inputs = desk.get_game(state["campaign"]["system"])["inputs"]
    names_by_kind = {entry["kind"]: desk.make_words(state).name_declaration(entry["kind"]) for entry in inputs}
    bookmarks = (await desk.client.get("/bookmarks"))["bookmarks"] if not any(filters.values()) else []
    return desk.render_page("timeline.html.jinja", state=state, kinds=names_by_kind, marked=bookmarks, **values)


def _find_ruling_number(finding: Json) -> int:
    """Return the number of the ruling that shows this finding."""
    return int(finding["ruling"] or finding["cause"])


async def list_settled_findings(desk: Desk, rulings: Sequence[Json]) -> list[Json]:
    """Return the resolved findings about these rulings."""
    if not rulings:
        return []
    numbers = [ruling["number"] for ruling in rulings]
    first_number, last_number = min(numbers), max(numbers)
    findings: list[Json] = (await desk.client.get("/findings", settled="true", ruling=first_number, until=last_number))[
        "findings"
    ]
    return findings


async def _load_rulings_page(desk: Desk, filters: Json, until: str) -> tuple[list[Json], int | None]:
    """Return a page of rulings, newest first, and the number where the next page starts (None on the last page)."""
    before_number = _parse_number(until) or 0
    rulings = (await desk.client.get("/rulings", **filters, order="desc", after=before_number, limit=PAGE))["rulings"]
    earlier_number = rulings[-1]["number"] if len(rulings) == PAGE else None
    return sorted(rulings, key=_find_place, reverse=True), earlier_number


def _find_place(ruling: Json) -> tuple[int, int]:
    """Return the ruling's place in play. A ruling entered late comes right after the ruling with the number `after`."""
    number = int(ruling["number"])
    return int(ruling.get("after", number)), number


def _parse_number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


@router.get("/rulings/{number}")
async def show_ruling(
    request: Request,
    desk: Sitting,
    number: int,
    with_dependents: Annotated[bool, Query(alias="leaning")] = False,
    with_related: Annotated[bool, Query(alias="around")] = False,
    opens_dispute: Annotated[bool, Query(alias="disputing")] = False,
) -> Response:
    """Show a ruling: declaration, answers, results, reasons and decisions, and a form to dispute it.

    `with_related`: include the related rulings. A partial request gets only these. `opens_dispute`: show the dispute
    form open.
    """
    if with_related and request.headers.get("HX-Request-Type") == "partial":
        document, state = (reply.json for reply in await desk.client.read_together(f"/rulings/{number}", "/state"))
        return desk.render_page(
            "around.html.jinja",
            beside=await list_related_rulings(desk, document, desk.make_words(state)),
            ruling=document,
        )
    return await show_ruling_page(
        desk, number, with_dependents=with_dependents, with_related=with_related, opens_dispute=opens_dispute
    )


async def show_ruling_page(
    desk: Desk,
    number: int,
    problem: Json | None = None,
    reason: str = "",
    *,
    with_dependents: bool = False,
    with_related: bool = False,
    opens_dispute: bool = False,
) -> Response:
    path = f"/rulings/{number}"
    document, state = (reply.json for reply in await desk.client.read_together(path, "/state"))
    settled_findings = (await desk.client.get("/findings", settled="true", ruling=number))["findings"]
    dependent_numbers: list[int] | None = None
    if with_dependents:
        is_overturned = document["status"] == "overturned"
        dependent_numbers = (
            await list_former_dependents(desk, number)
            if is_overturned
            else (await desk.client.get(path, leaning="true"))["leaning"]
        )
    dispute_form = make_form(desk, state, "/dispute", f"{desk.session.path}/rulings/{number}/dispute", REASON)
    bookmark_form = make_form(desk, state, "/mark", f"{desk.session.path}/rulings/{number}/bookmark", REASON)
    is_observer = any(
        seat["id"] == desk.session.seat and seat["role"] == "observer" for seat in state["campaign"]["seats"]
    )
    decides = may_decide(state, desk.session.seat)
    return desk.render_page(
        "ruling.html.jinja",
        422 if problem is not None else 200,
        ruling=document,
        seen=hash_status(document, settled_findings),
        words=desk.make_words(state),
        beside=await list_related_rulings(desk, document, desk.make_words(state)) if with_related else None,
        dispute=dispute_form,
        mark=bookmark_form,
        settled=settled_findings,
        name=state["campaign"]["name"],
        system=state["campaign"]["system"],
        headings=await desk.load_headings(state["campaign"]["system"]),
        problem=problem,
        reason=reason,
        leaning=dependent_numbers
        and [
            await desk.client.get(f"/rulings/{dependent_number}")
            for dependent_number in dependent_numbers[:MOST_LEANING]
        ],
        leaning_in_all=len(dependent_numbers or ()),
        asks_leaning=with_dependents,
        decides=decides,
        ways_on=await list_ways_on(desk, document, decides=decides),
        may_dispute=not is_observer and document["status"] in DISPUTABLE,
        disputing=opens_dispute,
    )


def hash_status(ruling: Json, settled_findings: Sequence[Json]) -> str:
    """Return a digest of what a decision can change: the ruling's status, results, decisions and findings."""
    decisions = [decision["text"] for decision in ruling["decisions"]]
    facts = [(fact["text"], fact["struck"]) for fact in ruling["facts"]]
    return make_digest([ruling["status"], decisions, facts, [finding["text"] for finding in settled_findings]])


@router.post("/rulings/{number}/dispute")
async def dispute_ruling(request: Request, desk: Sitting, number: int) -> Response:
    form, key = await _read_posted_form(request, desk, "/dispute")
    reason = forms.get_field_text(form, "reason")
    reply = await desk.client.post(f"/rulings/{number}/dispute", {"reason": reason}, key)
    return await _return_to_ruling(desk, number, reply, reason)


@router.post("/rulings/{number}/bookmark")
async def bookmark_ruling(request: Request, desk: Sitting, number: int) -> Response:
    form, key = await _read_posted_form(request, desk, "/mark")
    body = {
        "ruling": number,
        "note": forms.get_field_text(form, "note"),
        "mine": bool(forms.get_field_text(form, "mine")),
    }
    return await _return_to_ruling(desk, number, await desk.client.post("/bookmarks", body, key))


async def _read_posted_form(request: Request, desk: Desk, root: str) -> tuple[forms.Form, str]:
    must_be_ours(request)
    form = await forms.read_form(request)
    page_form = restore_form(desk, await desk.client.get("/state"), root, request.url.path, form)
    return form, read_key(page_form.key)


async def _return_to_ruling(desk: Desk, number: int, reply: Answer, reason: str = "") -> Response:
    """Return a redirect to the ruling, or the ruling's page with the problem."""
    if reply.status in (200, 201):
        return RedirectResponse(f"{desk.session.path}/rulings/{number}", 303)
    if reply.status in (401, 404):
        raise Rejection(reply.status, reply.json)
    return await show_ruling_page(desk, number, reply.json, reason)
