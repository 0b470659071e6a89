"""Prepare a table: invite players, add ready-made characters, and start the first scene.

A seat is created before its player joins, because the ruling that enrols a character names the seat that plays it. The
link, the QR code and the code are the same invite, which works once.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from api.middleware.hosts import is_loopback
from api.table import checklist, forms, presentations
from api.table.client import Answer, Client, Json, Rejection
from api.table.forms import Form
from api.table.maker_steps import is_for_players, load_steps
from api.table.pages import NOWHERE, Desk, PageRoute, Sitting
from api.table.plain_forms import find_refusal, read_fields
from api.table.ready import summarize_sheet
from api.table.words import Words

router = APIRouter(prefix="/table/{campaign}/{seat}/start", include_in_schema=False, route_class=PageRoute)
LONGEST = 200  # characters of a name
MOST = 12  # players added at once
DAYS = 7  # days for which a link is valid
FIRST_SESSION, FIRST_SCENE = "Session 1", "Scene 1"
MASTERS_ONLY = {"title": "Game masters only", "detail": "Only a game master can set up the table."}


def find_own_seat(desk: Desk, state: Json) -> Json:
    me: Json = next(seat for seat in state["campaign"]["seats"] if seat["id"] == desk.session.seat)
    return me


async def _load_state_for_game_master(desk: Desk) -> Json:
    """Return the state. Raise Rejection (403) if the seat is not a game master's."""
    state = await desk.client.get("/state")
    if find_own_seat(desk, state)["role"] != "gm":
        raise Rejection(403, MASTERS_ONLY)
    return state


def _show_setup_page(desk: Desk, template: str, state: Json, status: int = 200, **values: object) -> Response:
    return desk.render_page(f"setup/{template}.html.jinja", status, name=state["campaign"]["name"], **values)


def _derive_key(key: str, *key_parts: object) -> str:
    """Return a key for one of a form's requests. The key is the same if the form is sent again."""
    return str(uuid.uuid5(uuid.UUID(key), "/".join(map(str, key_parts))))


@router.get("")
async def show_steps(desk: Sitting) -> Response:
    """Show the checklist, even if all steps are done."""
    state = await _load_state_for_game_master(desk)
    return _show_setup_page(desk, "steps", state, steps=checklist.list_steps(state))


# --- players ---


@router.get("/players")
async def show_players(desk: Sitting) -> Response:
    return await _show_players(desk)


async def _show_players(
    desk: Desk, status: int = 200, new_invites: list[Json] | None = None, problem: str = "", typed_names: str = ""
) -> Response:
    """Show the players and the form that adds players. `new_invites`: links that were just created, shown once."""
    state = await _load_state_for_game_master(desk)
    return _show_setup_page(
        desk,
        "players",
        state,
        status,
        players=checklist.list_players(state),
        pairs_to_deal=_pair_players_with_characters(desk, state),
        only_here=_find_loopback_host(new_invites[0]["link"]) if new_invites else "",
        made=new_invites or [],
        problem=problem,
        typed=typed_names,
        days=DAYS,
    )


@router.post("/players")
async def add_players(request: Request, desk: Sitting) -> Response:
    """Create a seat for each name, and show its link, QR code and code."""
    form, key = await read_fields(request, desk, "players")
    typed_names = forms.get_field_text(form, "names")
    names = [name for line in re.split(r"[\n,;]", typed_names) if (name := line.strip())]
    if problem := _explain_wrong_names(names):
        return await _show_players(desk, 422, problem=problem, typed_names=typed_names)
    new_invites: list[Json] = []
    for index, name in enumerate(names):
        seat_reply = await desk.client.post(
            "/seats", {"name": name, "role": "player"}, _derive_key(key, "seat", index, name)
        )
        if problem := find_refusal(seat_reply) or "":
            return await _show_players(desk, seat_reply.status, new_invites, problem, "\n".join(names[index:]))
        invite_reply = await _invite_seat(request, desk, seat_reply.json, _derive_key(key, "invite", index, name))
        if problem := find_refusal(invite_reply) or "":
            problem = f"{name} has a seat, but no link yet. {problem}"
            return await _show_players(desk, invite_reply.status, new_invites, problem, "\n".join(names[index + 1 :]))
        new_invites.append(invite_reply.json)
    return await _show_players(desk, new_invites=new_invites)


def _find_loopback_host(link: str) -> str:
    """Return the host of the link if only this device can open it, else ""."""
    host = urlsplit(link).hostname or ""
    return host if is_loopback(host) else ""


def _explain_wrong_names(names: list[str]) -> str:
    if not names:
        return "Enter at least one name."
    if len(names) > MOST:
        return f"Add at most {MOST} players at once."
    return f"Use at most {LONGEST} characters for a name." if max(map(len, names)) > LONGEST else ""


async def _invite_seat(request: Request, desk: Desk, seat: Json, key: str) -> Answer:
    """Invite somebody to use a seat, and return the API's answer. `seat`: the seat with its token."""
    client = Client(request, desk.session.campaign, seat["id"], seat["token"])
    return await client.post("/invites", {"seat": seat["id"], "days": DAYS}, key)


@router.post("/link")
async def replace_link(request: Request, desk: Sitting) -> Response:
    """Replace the token of a player's seat, and show a new link. Devices that use the old token are signed out."""
    form, key = await read_fields(request, desk, "link")
    state = await _load_state_for_game_master(desk)
    id = forms.get_field_text(form, "id")
    if id not in [seat["id"] for seat in checklist.list_players(state)]:
        raise Rejection(404, NOWHERE)
    answer = await desk.client.post(f"/seats/{id}/token", {}, _derive_key(key, "token", id))
    if answer.status == 200:
        answer = await _invite_seat(request, desk, answer.json, _derive_key(key, "invite", id))
    if problem := find_refusal(answer):
        return await _show_players(desk, answer.status, problem=problem)
    return await _show_players(desk, new_invites=[answer.json])


# --- characters ---


def list_ready_people(desk: Desk, state: Json, *, for_players: bool = False) -> Mapping[str, Any]:
    """Return the sheets of the ready-made characters that this seat can add, by name. `for_players`: whether to return
    only characters that players can play.
    """
    system = state["campaign"]["system"]
    people: Mapping[str, Any] = desk.get_game(system)["people"]
    if find_own_seat(desk, state)["role"] == "gm" and not for_players:
        return people
    return {name: sheet for name, sheet in people.items() if is_for_players(system, sheet)}


@router.get("/characters")
async def show_characters(desk: Sitting, ruling: int | None = None) -> Response:
    """Show the game's ready-made characters. `ruling`: the number of the ruling that just enrolled a character."""
    enrol_ruling = None
    if ruling is not None:
        with suppress(Rejection):
            enrol_ruling = await desk.client.get(f"/rulings/{ruling}")
    return await _show_characters(desk, enrol_ruling=enrol_ruling)


async def _show_characters(
    desk: Desk,
    status: int = 200,
    enrol_ruling: Json | None = None,
    refused_name: str = "",
    problem: str = "",
    seat_id: str = "",
) -> Response:
    """Show the ready-made characters. `enrol_ruling`: the ruling that just enrolled a character. `refused_name`: the
    character that the rules refused for `seat_id`.
    """
    state = await desk.client.get("/state")
    me, words = find_own_seat(desk, state), desk.make_words(state)
    if me["role"] == "observer":
        raise Rejection(403, {"title": "Players only", "detail": "An observer can't play characters."})
    characters_by_name = {character["name"]: character for character in state["characters"] if not character["retired"]}
    people = list_ready_people(desk, state)
    cards = [
        {
            "name": name,
            "summary": summarize_sheet(sheet, words),
            "enrolled_character": characters_by_name.get(name),
            "next_seat": seat_id if name == refused_name else choose_next_seat(state, me, sheet),
        }
        for name, sheet in people.items()
    ]
    has_steps = bool(load_steps(state["campaign"]["system"]))
    return _show_setup_page(
        desk,
        "characters",
        state,
        status,
        me=me,
        has_steps=has_steps,
        make_path=f"{desk.session.path}/{'start/make' if has_steps else 'declare/enrol'}",
        cards=cards,
        others=[character for name, character in characters_by_name.items() if name not in people],
        seats=list_seats_to_play(state, me),
        words=words,
        pairs_to_deal=_pair_players_with_characters(desk, state) if me["role"] == "gm" else [],
        added=_describe_added(desk, state, enrol_ruling, words) if enrol_ruling is not None else None,
        failed=refused_name,
        problem=problem,
        has_begun=checklist.has_begun(state),
    )


def _describe_added(desk: Desk, state: Json, ruling: Json, words: Words) -> Json:
    """Return the text of the ruling and the card of the character that it enrolled."""
    id = str(ruling["number"])
    enrolled = (character for character in state["characters"] if character["id"] == id)
    if (character := next(enrolled, None)) is None:
        return {"text": ruling["text"], "name": ""}
    presenter = presentations.Presenter(
        state["campaign"]["system"], desk.session.path, state, words, (), desk.session.seat
    )
    scene_title = state["scenes"][-1]["title"] if state["scenes"] else ""
    card = presenter.sheet(character)
    return {"text": ruling["text"], "id": id, "name": character["name"], "card": card, "scene": scene_title}


def list_seats_to_play(state: Json, me: Json) -> list[Json]:
    """Return the seats that this seat may enrol characters for: the players' seats, then its own."""
    return [*checklist.list_players(state), me] if me["role"] == "gm" else [me]


def choose_next_seat(state: Json, me: Json, sheet: Mapping[str, Any] | None = None) -> str:
    """Return the seat for the next character: the first seat without one, or else the reader's own seat.

    A character that is not for players goes to the reader's own seat.
    """
    if sheet is not None and not is_for_players(state["campaign"]["system"], sheet):
        return str(me["id"])
    free_seats = (seat["id"] for seat in list_seats_to_play(state, me) if checklist.needs_character(state, seat["id"]))
    return str(next(free_seats, me["id"]))


@router.post("/characters")
async def add_character(request: Request, desk: Sitting) -> Response:
    """Enrol a ready-made character for the seat that will play it, with one ruling."""
    form, key = await read_fields(request, desk, "characters")
    state = await desk.client.get("/state")
    me = find_own_seat(desk, state)
    person_name = forms.get_field_text(form, "person")
    seat_id = forms.get_field_text(form, "seat") or me["id"]
    people = list_ready_people(desk, state)
    if person_name not in people:
        raise Rejection(404, NOWHERE)
    body = {"name": person_name, "seat": seat_id, "sheet": people[person_name]}
    answer = await desk.client.post("/characters", body, key)
    if problem := find_refusal(answer):
        return await _show_characters(desk, answer.status, refused_name=person_name, problem=problem, seat_id=seat_id)
    if answer.status == 202:
        return RedirectResponse(f"{desk.session.path}/?waiting={answer.json['id']}", 303)
    next_address = f"{desk.session.path}/start/characters" if me["role"] == "gm" else f"{desk.session.path}/"
    return RedirectResponse(f"{next_address}?ruling={answer.json['number']}", 303)


def _pair_players_with_characters(desk: Desk, state: Json) -> list[tuple[Json, str]]:
    """Return each player who needs a character, paired with the next unused ready-made character."""
    taken_names = {character["name"] for character in state["characters"]}
    taken_names |= {name for _, name in checklist.list_joining(state)}
    ready_names = list_ready_people(desk, state, for_players=True)
    players = (seat for seat in checklist.list_players(state) if checklist.needs_character(state, seat["id"]))
    return list(zip(players, (name for name in ready_names if name not in taken_names), strict=False))


@router.post("/deal")
async def deal_characters(request: Request, desk: Sitting) -> Response:
    """Give a ready-made character to each player without one, and redirect to the next step."""
    _, key = await read_fields(request, desk, "deal")
    state = await _load_state_for_game_master(desk)
    ready_sheets: Mapping[str, Any] = desk.get_game(state["campaign"]["system"])["people"]
    for seat, name in _pair_players_with_characters(desk, state):
        body = {"name": name, "seat": seat["id"], "sheet": ready_sheets[name]}
        answer = await desk.client.post("/characters", body, _derive_key(key, seat["id"]))
        if problem := find_refusal(answer):
            return await _show_characters(desk, answer.status, refused_name=name, problem=problem, seat_id=seat["id"])
    return RedirectResponse(f"{desk.session.path}/start/{'characters' if checklist.has_begun(state) else 'scene'}", 303)


# --- the first scene ---


@router.get("/scene")
async def show_scene_form(desk: Sitting) -> Response:
    """Show the form that starts a scene, and also a session if none is open."""
    state = await _load_state_for_game_master(desk)
    cast = [character["id"] for character in _list_active_characters(state)]
    return _show_scene_form(desk, state, {"session": [FIRST_SESSION], "scene": [FIRST_SCENE], "cast": cast})


def _list_active_characters(state: Json) -> list[Json]:
    return [character for character in state["characters"] if not character["retired"]]


def _show_scene_form(
    desk: Desk, state: Json, form: Form, status: int = 200, problem: str = "", field: str = ""
) -> Response:
    return _show_setup_page(
        desk,
        "scene",
        state,
        status,
        typed={name: forms.get_field_text(form, name) for name in ("session", "scene")},
        chosen=form.get("cast", []),
        people=_list_active_characters(state),
        open_session=state["campaign"]["session"] is not None,
        problem=problem,
        field=field,
    )


@router.post("/scene")
async def start_scene(request: Request, desk: Sitting) -> Response:
    """Start a scene with the chosen characters. Start a session first if none is open."""
    form, key = await read_fields(request, desk, "scene")
    state = await _load_state_for_game_master(desk)
    session_title, scene_title = (forms.get_field_text(form, name).strip() for name in ("session", "scene"))
    for field, text in (("session", session_title), ("scene", scene_title)):
        if len(text) > LONGEST:
            return _show_scene_form(desk, state, form, 422, f"Use at most {LONGEST} characters.", field)
    if not scene_title:
        return _show_scene_form(desk, state, form, 422, "Enter a title for the scene.", "scene")
    if state["campaign"]["session"] is None:
        answer = await desk.client.post("/sessions", {"title": session_title}, _derive_key(key, "session"))
        if problem := find_refusal(answer):
            return _show_scene_form(desk, state, form, answer.status, problem, "session")
    body = {"title": scene_title, "cast": form.get("cast", [])}
    answer = await desk.client.post("/scenes", body, _derive_key(key, "scene"))
    if problem := find_refusal(answer):
        return _show_scene_form(desk, state, form, answer.status, problem, "scene")
    result_query = f"ruling={answer.json['number']}" if answer.status == 201 else f"waiting={answer.json['id']}"
    return RedirectResponse(f"{desk.session.path}/?{result_query}", 303)
