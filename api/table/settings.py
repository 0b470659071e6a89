"""The settings of a table: the options of its game, seats, bookmarks, forks and webhooks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from api.inviting.links import draw_qr_svg, find_address, make_link
from api.table import forms
from api.table.acts import MORE, ShownCount
from api.table.client import Json, Rejection
from api.table.foreseeing import describe_comparison
from api.table.forms import Form
from api.table.joining import open_seat
from api.table.pages import Desk, PageRoute, Sitting
from api.table.plain_forms import find_refusal, read_fields
from api.table.sessions import sign_in
from api.table.words import Words
from projections.documents.feeds import EVENTS

router = APIRouter(prefix="/table/{campaign}/{seat}/settings", include_in_schema=False, route_class=PageRoute)
CHANGED, TABLE = "Changed from the default", "The table"
ID = re.compile(r"[A-Za-z0-9-]{1,60}", re.ASCII)


class Change(NamedTuple):
    """A request that a form makes. `section`: the section of the page to show next. If it is empty, the page shows the
    result of the request once.
    """

    method: str
    path: str
    body: Json | None
    section: str = ""


def _read_id(form: Form) -> str:
    """Return the id in the form. Raise Rejection (404) for anything that cannot be an id."""
    id = forms.get_field_text(form, "id")
    if ID.fullmatch(id) is None:
        raise Rejection(404, {"title": "Page not found", "detail": "There is no setting with that name."})
    return id


def _read_number(form: Form, name: str) -> object:
    """Return the field as a number. Text that is not a number stays a text, and the API rejects it."""
    text = forms.get_field_text(form, name).strip()
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text, re.ASCII) else text


def _parse_value(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _select_filled_fields(form: Form, *names: str) -> Json:
    """Return the fields that are not empty."""
    return {name: forms.get_field_text(form, name) for name in names if forms.get_field_text(form, name)}


def _make_dial_body(form: Form) -> Json:
    return {
        forms.get_field_text(form, "dial"): _parse_value(forms.get_field_text(form, "value")),
        "reason": forms.get_field_text(form, "reason"),
    }


def _make_seat_body(form: Form) -> Json:
    bodies: dict[str, Json] = {"remove": {"removed": True}, "hold": {"holds": True}, "release": {"holds": False}}
    return bodies.get(forms.get_field_text(form, "do"), {"name": forms.get_field_text(form, "name")})


def _make_invite_body(form: Form) -> Json:
    recipient = _select_filled_fields(form, "seat") or _select_filled_fields(form, "name", "role") | {
        "characters": form.get("characters", [])
    }
    return recipient | {"days": _read_number(form, "days")}


def _make_hook_body(form: Form) -> Json:
    return {"url": forms.get_field_text(form, "url"), "events": form.get("events", [])} | _select_filled_fields(
        form, "seat"
    )


def _make_bookmark_body(form: Form) -> Json:
    return {
        "ruling": _read_number(form, "ruling"),
        "note": forms.get_field_text(form, "note"),
        "mine": forms.get_field_text(form, "mine") == "yes",
    }


CHANGES: Mapping[str, Callable[[Form], Change]] = {
    "dial": lambda form: Change("POST", "/dials", _make_dial_body(form), "dials"),
    "seat": lambda form: Change("PATCH", f"/seats/{_read_id(form)}", _make_seat_body(form), "seats"),
    "master": lambda form: Change("POST", "/seats", {"name": forms.get_field_text(form, "name"), "role": "gm"}),
    "token": lambda form: Change("POST", f"/seats/{_read_id(form)}/token", {}),
    "invite": lambda form: Change("POST", "/invites", _make_invite_body(form)),
    "withdraw": lambda form: Change("DELETE", f"/invites/{_read_id(form)}", None, "seats"),
    "hook": lambda form: Change("POST", "/hooks", _make_hook_body(form)),
    "agree": lambda form: Change("POST", f"/hooks/{_read_id(form)}/agree", {}, "hooks"),
    "unhook": lambda form: Change("DELETE", f"/hooks/{_read_id(form)}", None, "hooks"),
    "bookmark": lambda form: Change("POST", "/bookmarks", _make_bookmark_body(form), "bookmarks"),
    "unmark": lambda form: Change("DELETE", f"/bookmarks/{_read_id(form)}", None, "bookmarks"),
    "fork": lambda form: Change(
        "POST", "/fork", {"at": _read_number(form, "at")} | _select_filled_fields(form, "name")
    ),
}


@router.get("")
async def show_settings(desk: Sitting) -> Response:
    return await _show_settings(desk)


async def _show_settings(desk: Desk, status: int = 200, **shown_results: object) -> Response:
    """Show the settings.

    `made`: the record that was just created. `problem`: the problem of the form `failed_form`. `foreseen`: the preview
    of an option.
    """
    paths = ("/state", "/invites", "/hooks", "/bookmarks", "")
    state, invites, hooks, bookmarks, campaign = (reply.json for reply in await desk.client.read_together(*paths))
    game = desk.get_game(campaign["system"])
    me = next(seat for seat in campaign["seats"] if seat["id"] == desk.session.seat)
    values = {"made": None, "problem": None, "failed_form": None, "foreseen": None, "form": {}, **shown_results}
    return desk.render_page(
        "settings/settings.html.jinja",
        status,
        name=campaign["name"],
        campaign=campaign,
        me=me,
        words=desk.make_words(state),
        is_gm=me["role"] == "gm",
        dials=_group_dials(game["dials"], campaign["dials"], desk.make_words(state)),
        changed_title=CHANGED,
        rules=await desk.load_rules(campaign["system"]),
        headings=await desk.load_headings(campaign["system"]),
        invites=invites["invites"],
        hooks=hooks["hooks"],
        bookmarks=bookmarks["bookmarks"],
        events=EVENTS,
        asked_value=_make_value_chooser(values["foreseen"]),
        **values,
    )


def _group_dials(dials: list[Json], current_values: Json, words: Words) -> list[tuple[str, list[Json]]]:
    """Return the options in groups: first the changed ones, then the others by prefix or area of the rules."""
    dials_by_title: dict[str, list[Json]] = {
        CHANGED: [dial for dial in dials if current_values[dial["name"]] != dial["default"]]
    }
    for dial in dials:
        if dial not in dials_by_title[CHANGED]:
            prefix, dot, _ = str(dial["name"]).partition(".")
            game, area, *_ = str(dial["rule"]).split(".")
            title = words.label(prefix) if dot else TABLE if game == "ledger" else words.label(area)
            dials_by_title.setdefault(title, []).append(dial)
    return [(title, group) for title, group in dials_by_title.items() if group]


def _make_value_chooser(preview: Any) -> Callable[[Json, object], object]:
    """Return a function that returns the value to show in an option's field: the previewed value, if there is one."""

    def choose_value(dial: Json, current_value: object) -> object:
        if preview is not None and preview["dial"] == dial["name"]:
            return _parse_value(preview["value"])
        return next((value for value in dial["values"] or () if value != current_value), current_value)

    return choose_value


@router.get("/what-if")
async def preview_dial(
    request: Request,
    desk: Sitting,
    dial: str = "",
    value: str = "",
    after: int = 0,
    shown_count: ShownCount = 0,
    whole: bool = False,
) -> Response:
    """Preview the campaign as if an option had always had this value.

    `after`, `shown_count`: where the list of affected rulings continues. `whole`: show every affected character and
    scene.
    """
    comparison_query = {"dial": f"{dial}:{value}", "after": max(0, after), "limit": MORE if whole or after else None}
    state = await desk.client.get("/state")
    preview: Json = {"dial": dial, "value": value}
    try:
        comparison = await desk.client.get("/what-if", **comparison_query)
        preview |= {"counts": comparison["counts"], "seen": describe_comparison(comparison, desk.make_words(state))}
    except Rejection as rejection:
        if rejection.status not in (403, 404, 409, 422):
            raise
        preview["problem"] = rejection.problem["detail"]
    query = urlencode({"dial": dial, "value": value, "whole": "true"})
    values: Json = {
        "foreseen": preview,
        "more_at": f"{desk.session.path}/settings/what-if?{query}",
        "before": max(0, shown_count),
    }
    if request.headers.get("HX-Request-Type") != "partial":
        return await _show_settings(desk, 200 if "problem" not in preview else 422, **values)
    if after and "seen" in preview:
        return desk.render_page("further.html.jinja", look={"foreseen": preview["seen"]}, may_also=False, **values)
    return desk.render_page("settings/foreseen.html.jinja", **values)


@router.post("/{form_name}")
async def submit_setting(request: Request, desk: Sitting, form_name: str) -> Response:
    if form_name not in CHANGES:
        raise Rejection(404, {"title": "Page not found", "detail": "There is no page at this address."})
    form, key = await read_fields(request, desk, form_name)
    change = CHANGES[form_name](form)
    answer = await desk.client.send_change(change.method, change.path, change.body, key)
    if problem := find_refusal(answer):
        return await _show_settings(desk, 422, problem=problem, failed_form=form_name, form=form)
    if answer.status == 202 and "proposal" in str(answer.json.get("text", "")):
        return RedirectResponse(f"{desk.session.path}/", 303)
    if change.section:
        return RedirectResponse(f"{desk.session.path}/settings#{change.section}", 303)
    return await _show_created(request, desk, form_name, answer.json, key)


async def _show_created(request: Request, desk: Desk, form_name: str, created_record: Json, key: str) -> Response:
    """Show the created record once. If the reader replaced their own token or created a fork, sign the browser in to
    that seat instead.
    """
    if form_name == "token" and created_record["id"] == desk.session.seat:
        seat_access = await open_seat(request, created_record["token"], key)
        answer: Response = RedirectResponse(f"{desk.session.path}/settings?renewed=yes#seats", 303)
    elif form_name == "fork":
        seat_access = await open_seat(request, created_record["seat"]["token"], key)
        answer = RedirectResponse(f"/table/{created_record['id']}/{created_record['seat']['id']}/", 303)
    else:
        link_fields = (
            {"link": make_link(find_address(request), created_record["token"])} if "token" in created_record else {}
        )
        qr_fields = {"qr": draw_qr_svg(link_fields["link"])} if link_fields else {}
        return await _show_settings(desk, made={**created_record, **link_fields, **qr_fields, "what": form_name})
    if seat_access is not None:
        sign_in(answer, request, desk.ledger.keys, seat_access)
    return answer
