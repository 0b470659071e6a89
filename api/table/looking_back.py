"""Show the campaign at an earlier point, as recorded or as corrected, and replay a session ruling by ruling."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from api.table import charts
from api.table.around import list_leaves
from api.table.client import Json, Rejection
from api.table.pages import Desk, PageRoute, Sitting
from api.table.why import Place, make_past_presenter
from api.table.words import Words, lower_first
from ledger.rules.kernel.json_types import split_pointer

router = APIRouter(prefix="/table/{campaign}/{seat}/back", include_in_schema=False, route_class=PageRoute)
MARKS = 100  # marks of each kind along the slider
FEW = 6  # characters shown if there is no scene
FRAMES = 40  # rulings of a session on one page
CLOCKS = {"": "Both", "recorded": "As known at the time", "corrected": "As corrected"}
As = Annotated[str, Query(alias="as")]


@router.get("")
async def show_past(request: Request, desk: Sitting, at: str = "", as_: As = "", person: str = "") -> Response:
    """Show the campaign at a point in the past.

    `at`: a ruling's number or a time; empty means now. `as_`: show only one version of the past. `person`: a character
    to show as well. A partial request, such as the slider's, gets only the part of the page about this point.
    """
    values = await _load_past_view(desk, at, as_, person)
    marks = values["marks"]
    if request.headers.get("HX-Request-Type") == "partial":
        return desk.render_page("back/place.html.jinja", **values)
    number = int(at) if at.isdecimal() else None
    track = charts.draw_track(marks["landmarks"], marks["rulings"], number)
    return desk.render_page("back/back.html.jinja", track=track, number=number, clocks=CLOCKS, **values)


async def _load_past_view(desk: Desk, at: str, as_: str, person: str) -> Json:
    """Return everything that the page shows about this point."""
    marks, difference, ruling = await asyncio.gather(
        desk.client.get("/landmarks", most=MARKS), _load_difference(desk, at, as_), _find_ruling(desk, at)
    )
    clocks = ("recorded", "corrected") if difference["subjects"] else (as_,)
    states = await asyncio.gather(
        *(desk.client.get("/state", **{"at": at or None, "as": name or None}) for name in clocks)
    )
    named_states = list(zip(clocks, states, strict=True))
    words = desk.make_words(named_states[-1][1])
    changed_fields = {
        subject["subject"]: set(_list_field_paths(subject["fields"])) for subject in difference["subjects"]
    }
    marks_here = [mark for mark in marks["landmarks"] if at.isdecimal() and mark["ruling"] <= int(at) <= mark["last"]]
    wanted_ids = {person, *(_list_people_in_ruling(ruling, words) if ruling is not None else ())}
    is_recorded_only = as_ == "recorded"
    return {
        "marks": marks,
        "at_place": at,
        "as_": as_,
        "person": person,
        "ruling": _drop_later_decisions(ruling) if ruling is not None and is_recorded_only else ruling,
        "pasts": [
            _describe_past(name, state, changed_fields, wanted_ids)
            | {"presenter": make_past_presenter(desk, state, Place(at or None, name or None))}
            for name, state in named_states
        ],
        "difference": difference,
        "words": words,
        "marked": changed_fields,
        "here_marks": marks_here if not is_recorded_only else [],
        "titles": CLOCKS,
        "name": named_states[-1][1]["campaign"]["name"],
        "name_field": name_field,
        "rulings": marks["rulings"],
    }


async def _load_difference(desk: Desk, at: str, as_: str) -> Json:
    """Return the differences between the two versions of this point. If the page shows only one version, both lists are
    empty.
    """
    return await desk.client.get("/diff", at=at) if at and not as_ else {"subjects": [], "rulings": []}


async def _find_ruling(desk: Desk, at: str) -> Json | None:
    """Return the ruling with the number `at`, or None if it is hidden, unknown or not a number."""
    if not at.isdecimal():
        return None
    try:
        return await desk.client.get(f"/rulings/{at}")
    except Rejection as rejection:
        if rejection.status != 404:
            raise
        return None


def _drop_later_decisions(ruling: Json) -> Json:
    """Return the ruling as it was first made."""
    first_telling = ruling["tellings"][0] if ruling["tellings"] else ruling
    return {**ruling, "status": "standing", "text": first_telling["text"]}


def _list_people_in_ruling(ruling: Json, words: Words) -> Iterator[str]:
    """Yield the ids of the characters that a ruling names or affects."""
    for verdict in (ruling, *ruling["tellings"]):
        for fact in verdict["facts"]:
            kind, _, id = fact["subject"].partition(":")
            if kind == "character":
                yield id
        yield from (
            str(value) for name, value in list_leaves(verdict["declared"]) if words.fields.get(name) == "character"
        )


def _describe_past(name: str, state: Json, changed_fields: Mapping[str, set[str]], wanted_ids: set[str]) -> Json:
    """Return one version of the past. The characters that matter at this point come first, and the others are folded
    away.
    """
    cast_ids = {*wanted_ids, *(id for scene in state["scenes"] for id in scene["cast"])}
    people = [
        character
        for character in state["characters"]
        if not character["retired"] or f"character:{character['id']}" in changed_fields
    ]
    near_people = [
        character
        for character in people
        if character["id"] in cast_ids or f"character:{character['id']}" in changed_fields
    ]
    near_people = near_people or people[:FEW]
    return {
        "as": name,
        "state": state,
        "near": near_people,
        "others": [character for character in people if character not in near_people],
    }


def _list_field_paths(fields: Sequence[Json]) -> Iterator[str]:
    """Yield the path of every field and of all its parents: `state`, `state/traits`, `state/traits/0`."""
    for field in fields:
        parts = field["field"].split("/")
        yield from ("/".join(parts[:end]) for end in range(1, len(parts) + 1))


def name_field(path: str, words: Words) -> str:
    """Return the name of a field: "Traits, 1, base" for `state/traits/0/base`."""
    parts = split_pointer(path)
    if parts[0] == "balances" and len(parts) > 1:
        return words.name_account(parts[1])
    labels = list(_label_parts(parts, words))
    text = ", ".join(labels[1:] if parts[0] in ("state", "card") and len(parts) > 1 else labels)
    return text[:1].upper() + text[1:]


def _label_parts(parts: Sequence[str], words: Words) -> Iterator[str]:
    """Yield the names. List items are counted from 1."""
    for within, part in zip(("", *parts), parts, strict=False):
        text = words.label(part, within)
        yield str(int(part) + 1) if part.isdecimal() and text == part else lower_first(text)


# --- replaying a session ---


@router.get("/sessions/{session}")
async def show_replay(
    request: Request,
    desk: Sitting,
    session: str,
    begin: Annotated[int, Query(alias="from", ge=1, le=2**31 - 1)] = 1,
    as_: As = "recorded",
) -> Response:
    """Show a page of a session's rulings, starting with the ruling `begin`. A script plays them one after the other."""
    last_page = await desk.client.get("/rulings", view="brief", session=session, order="desc", limit=1)
    first_page = await desk.client.get("/rulings", view="brief", session=session, after=begin - 1, limit=1)
    if not first_page["rulings"]:
        raise Rejection(404, {"title": "Page not found", "detail": "This session has no rulings after that point."})
    last_number = last_page["rulings"][0]["number"]
    begin = first_page["rulings"][0]["number"]
    last_shown_number = begin + FRAMES - 1
    answer = await desk.client.read(
        f"/sessions/{session}/replay", **{"from": begin, "to": last_shown_number, "as": as_}
    )
    header, *frames, _ = (json.loads(line) for line in answer.body.splitlines())
    state = await desk.client.get("/state")
    values = {
        "frames": frames,
        "header": header,
        "words": desk.make_words(state),
        "name_field": name_field,
        "as_": as_,
        "session": session,
        "more": last_shown_number + 1 if last_shown_number < last_number else None,
        "clocks": {clock: title for clock, title in CLOCKS.items() if clock},
        "name": header["name"],
        "last": last_number,
        "begin": begin,
        "system": state["campaign"]["system"],
    }
    is_partial = request.headers.get("HX-Request-Type") == "partial"
    return desk.render_page("back/frames.html.jinja" if is_partial else "back/watch.html.jinja", **values)
