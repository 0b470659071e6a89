"""What a table settles for itself: readings of its game, who sits there, what is told to programs, marks and forks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from api.inviting.links import address_asked, link, qr_svg
from api.table import forms
from api.table.acts import MORE
from api.table.client import Json, Turned
from api.table.foreseeing import foreseen
from api.table.forms import Said
from api.table.joining import opened_by
from api.table.pages import Desk, Paged, Sitting
from api.table.plain_forms import taken, told
from api.table.sessions import sit_down
from api.table.words import Words

router = APIRouter(prefix="/table/{campaign}/{seat}/settings", include_in_schema=False, route_class=Paged)
CHANGED, TABLE = "Changed from the default", "The table"
EVENTS = ("fact", "decision", "waiting", "answered", "withdrawn", "moves")
ID = re.compile(r"[A-Za-z0-9-]{1,60}", re.ASCII)


class Deed(NamedTuple):
    """What a form has the API do. `section`: of the page, where one goes on; none: what it made is shown, once."""

    method: str
    path: str
    body: Json | None
    section: str = ""


def _id(said: Said) -> str:
    """Of what the form is about. Turned (404) for what no id looks like."""
    id = forms.one(said, "id")
    if ID.fullmatch(id) is None:
        raise Turned(404, {"title": "Page not found", "detail": "There is no setting with that name."})
    return id


def _whole(said: Said, name: str) -> object:
    """A number, where one was written; else what was written, which the API finds wrong."""
    text = forms.one(said, name).strip()
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text, re.ASCII) else text


def _value(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _some(said: Said, *names: str) -> Json:
    """Those of the fields in which something stands."""
    return {name: forms.one(said, name) for name in names if forms.one(said, name)}


def _turn(said: Said) -> Json:
    return {forms.one(said, "dial"): _value(forms.one(said, "value")), "reason": forms.one(said, "reason")}


def _seat(said: Said) -> Json:
    return {"removed": True} if forms.one(said, "do") == "remove" else {"name": forms.one(said, "name")}


def _invite(said: Said) -> Json:
    own = _some(said, "seat") or _some(said, "name", "role") | {"characters": said.get("characters", [])}
    return own | {"days": _whole(said, "days")}


def _hook(said: Said) -> Json:
    return {"url": forms.one(said, "url"), "events": said.get("events", [])} | _some(said, "seat")


def _bookmark(said: Said) -> Json:
    return {
        "ruling": _whole(said, "ruling"), "note": forms.one(said, "note"), "mine": forms.one(said, "mine") == "yes"
    }  # fmt: skip


DEEDS: Mapping[str, Callable[[Said], Deed]] = {
    "dial": lambda said: Deed("POST", "/dials", _turn(said), "dials"),
    "seat": lambda said: Deed("PATCH", f"/seats/{_id(said)}", _seat(said), "seats"),
    "master": lambda said: Deed("POST", "/seats", {"name": forms.one(said, "name"), "role": "gm"}),
    "token": lambda said: Deed("POST", f"/seats/{_id(said)}/token", {}),
    "invite": lambda said: Deed("POST", "/invites", _invite(said)),
    "withdraw": lambda said: Deed("DELETE", f"/invites/{_id(said)}", None, "seats"),
    "hook": lambda said: Deed("POST", "/hooks", _hook(said)),
    "agree": lambda said: Deed("POST", f"/hooks/{_id(said)}/agree", {}, "hooks"),
    "unhook": lambda said: Deed("DELETE", f"/hooks/{_id(said)}", None, "hooks"),
    "bookmark": lambda said: Deed("POST", "/bookmarks", _bookmark(said), "bookmarks"),
    "unmark": lambda said: Deed("DELETE", f"/bookmarks/{_id(said)}", None, "bookmarks"),
    "fork": lambda said: Deed("POST", "/fork", {"at": _whole(said, "at")} | _some(said, "name")),
}


@router.get("")
async def settings(desk: Sitting) -> Response:
    return await _page(desk)


async def _page(desk: Desk, status: int = 200, **more: object) -> Response:
    """`made`: what was made just now. `problem`: what was wrong, of the form `failed`. `foreseen`: by dial."""
    paths = ("/state", "/invites", "/hooks", "/bookmarks", "")
    state, invites, hooks, bookmarks, campaign = (one.json for one in await desk.client.together(*paths))
    system = desk.system(campaign["system"])
    me = next(one for one in campaign["seats"] if one["id"] == desk.session.seat)
    known = {"made": None, "problem": None, "failed": None, "foreseen": None, "said": {}, **more}
    return desk.page(
        "settings/settings.html.jinja", status, name=campaign["name"], campaign=campaign, me=me,
        words=desk.words(state), master=me["role"] == "gm",
        dials=_grouped(system["dials"], campaign["dials"], desk.words(state)), changed=CHANGED,
        rules=await desk.rules(campaign["system"]), headings=await desk.headings(campaign["system"]),
        invites=invites["invites"], hooks=hooks["hooks"], bookmarks=bookmarks["bookmarks"], events=EVENTS,
        asked_value=_asked_value(known["foreseen"]), **known,
    )  # fmt: skip


def _grouped(dials: list[Json], now: Json, words: Words) -> list[tuple[str, list[Json]]]:
    """What is otherwise here than usual first; then by what the names begin with, or what their rules are about."""
    groups: dict[str, list[Json]] = {CHANGED: [one for one in dials if now[one["name"]] != one["default"]]}
    for one in dials:
        if one not in groups[CHANGED]:
            first, dot, _ = str(one["name"]).partition(".")
            whole, area, *_ = str(one["rule"]).split(".")
            title = words.label(first) if dot else TABLE if whole == "ledger" else words.label(area)
            groups.setdefault(title, []).append(one)
    return [(title, some) for title, some in groups.items() if some]


def _asked_value(asked: Any) -> Callable[[Json, object], object]:
    """What stands in the field of a what-if: what was asked last; else another value than the one in force."""

    def found(dial: Json, now: object) -> object:
        if asked is not None and asked["dial"] == dial["name"]:
            return _value(asked["value"])
        return next((one for one in dial["values"] or () if one != now), now)

    return found


@router.get("/what-if")
async def what_if(
    request: Request, desk: Sitting, dial: str = "", value: str = "", after: int = 0, told: int = 0, whole: bool = False
) -> Response:
    """Had it always been played so: what would not stand, and how everybody would be otherwise.

    `after`, `told`: as where a ruling is looked at without. `whole`: everybody whom it touches, too.
    """
    asked = {"dial": f"{dial}:{value}", "after": max(0, after), "limit": MORE if whole or after else None}
    state = await desk.client.get("/state")
    found: Json = {"dial": dial, "value": value}
    try:
        answer = await desk.client.get("/what-if", **asked)
        found |= {"counts": answer["counts"], "seen": foreseen(answer, desk.words(state))}
    except Turned as turned:
        if turned.status not in (403, 404, 409, 422):
            raise
        found["problem"] = turned.problem["detail"]
    way = urlencode({"dial": dial, "value": value, "whole": "true"})
    known: Json = {"foreseen": found, "more_at": f"{desk.session.path}/settings/what-if?{way}", "before": max(0, told)}
    if request.headers.get("HX-Request-Type") != "partial":
        return await _page(desk, 200 if "problem" not in found else 422, **known)
    if after and "seen" in found:
        return desk.page("further.html.jinja", look={"foreseen": found["seen"]}, may_also=False, **known)
    return desk.page("settings/foreseen.html.jinja", **known)


@router.post("/{what}")
async def do(request: Request, desk: Sitting, what: str) -> Response:
    if what not in DEEDS:
        raise Turned(404, {"title": "Page not found", "detail": "There is no page at this address."})
    said, key = await taken(request, desk, what)
    deed = DEEDS[what](said)
    answer = await desk.client.change(deed.method, deed.path, deed.body, key)
    if problem := told(answer):
        return await _page(desk, 422, problem=problem, failed=what, said=said)
    if answer.status == 202 and "proposal" in str(answer.json.get("text", "")):
        return RedirectResponse(f"{desk.session.path}/", 303)
    if deed.section:
        return RedirectResponse(f"{desk.session.path}/settings#{deed.section}", 303)
    return await _made(request, desk, what, answer.json, key)


async def _made(request: Request, desk: Desk, what: str, made: Json, key: str) -> Response:
    """What is shown this once; whose own token was replaced, or who forked, is let in anew."""
    if what == "token" and made["id"] == desk.session.seat:
        seated = await opened_by(request, made["token"], key)
        answer: Response = RedirectResponse(f"{desk.session.path}/settings?renewed=yes#seats", 303)
    elif what == "fork":
        seated = await opened_by(request, made["seat"]["token"], key)
        answer = RedirectResponse(f"/table/{made['id']}/{made['seat']['id']}/", 303)
    else:
        way = {"link": link(address_asked(request), made["token"])} if "token" in made else {}
        qr = {"qr": qr_svg(way["link"])} if way else {}
        return await _page(desk, made={**made, **way, **qr, "what": what})
    if seated is not None:
        sit_down(answer, request, desk.ledger.keys, seated)
    return answer
