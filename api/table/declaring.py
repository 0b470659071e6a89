"""Declaring and answering: forms made from the schemas of moves and questions, previewed, sent, and checked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from api.table import forms
from api.table.asked import (
    ANSWERED,
    DECLARED,
    Asked,
    add_problem,
    choose_question,
    make_form,
    make_question_form,
    resize,
    restore_form,
    warn_of_blanks,
)
from api.table.client import Answer, Json, Turned
from api.table.descriptions import split_description
from api.table.form_tokens import make_key, must_be_ours, read_key
from api.table.groups import group_moves, make_move_id
from api.table.mistakes import is_missing, list_left_open
from api.table.nodes import Choice, Either, Listing
from api.table.pages import Desk, Paged, Sitting, may_decide
from api.table.plain_forms import make_hidden_fields, read_fields
from api.table.presentations import Presenter, fill_in_dice, list_dice
from api.table.ways import tell_apart
from api.table.words import has_blanks, to_plain_words

router = APIRouter(prefix="/table/{campaign}/{seat}", include_in_schema=False, route_class=Paged)
DICE = ("ledger", "table")
#: Other ways of doing the same, who is ready to play, and what was declared already.
Alternatives: TypeAlias = tuple[Sequence[Json], Sequence[str], Sequence[Json]]
MOST_WAYS = 12  # of what is chosen so
LONG = 5  # characters: no number on a die has so many
FEW_WAYS = 3  # of doing the same, that are seen at once


@router.get("/declare/{kind}")
async def show_declaration_form(
    request: Request, desk: Sitting, kind: str, move: str | None = None, person: str | None = None
) -> Response:
    """Show the form of a move and its alternatives, or the list of moves if several are of this kind.

    Other parameters fill in the fields of that name.
    """
    offered, state = (reply.json for reply in await desk.client.get_together("/moves", "/state"))
    words = desk.make_words(state)
    groups = list(group_moves(offered["moves"], state, words, desk.session.seat))
    moves = [way for group in groups for listed in group.kinds.values() for way in listed if way["kind"] == kind]
    chosen = (
        moves[0] if move is None and len(moves) == 1 else next((each for each in moves if each["move"] == move), None)
    )
    tell_apart(moves, desk.make_node_maker(state), words)
    if chosen is None:
        is_missing_move = move is not None or not moves
        return desk.render_page(
            "choose.html.jinja",
            404 if is_missing_move else 200,
            kind=words.name_declaration(kind),
            moves=moves,
            missed=is_missing_move,
            name=state["campaign"]["name"],
        )
    declared_before = [each for each in state["waiting"] if is_already_declared(each, chosen, desk.session.seat)]
    alternatives = [each for group in groups for each in group.list_alternatives(chosen["move"]) if each is not chosen]
    ways = [each for each in alternatives if not _contradicts(each, chosen, request.query_params)]
    people = desk.get_game(state["campaign"]["system"])["people"] if kind == "enrol" else {}
    prefilled: Any = {"name": person, "sheet": people[person]} if person in people else forms.MISSING
    if kind == "open-scene":
        prefilled = {"cast": await _choose_cast(desk, state)}
    asked = make_form(desk, state, DECLARED, f"{desk.session.path}/declare/{kind}", chosen["schema"], prefilled)
    sentence = "" if chosen["text"] == f"{to_plain_words(kind)}." else chosen["text"]  # which stands above it already
    fields = {"scene": [chosen["scene"] or ""], "text": [sentence], "apart": [chosen["apart"]], "dice": [""]}
    asked = replace(asked, form=asked.form | fields)
    asked = replace(asked, form=asked.form | dict(_list_prefilled(asked, request.query_params)))
    if has_blanks(sentence):
        asked = replace(asked, form=asked.form | {"lead": [await _find_move_sentence(desk, asked, kind)]})
    previewed = await _preview_untouched(desk, state, asked)
    return await _show_declaring(
        desk, state, asked, kind, tried=previewed, alternatives=(ways, _list_unplayed(people, state), declared_before)
    )


def _list_unplayed(people: Iterable[str], state: Json) -> list[str]:
    """Return the ready-made characters that nobody at the table is."""
    playing = {character["name"] for character in state["characters"] if not character["retired"]}
    return [name for name in people if name not in playing]


async def _choose_cast(desk: Desk, state: Json) -> list[str]:
    """Return the characters of the scene before, or everybody; without retired ones."""
    playing = [character["id"] for character in state["characters"] if not character["retired"]]
    scenes = (await desk.client.get(""))["scenes"]
    return [id for id in scenes[-1]["cast"] if id in playing] if scenes else playing


def _list_prefilled(asked: Asked, query: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the choices that the address makes: `trait=Loyal`. One of several forms is chosen by its place."""
    open_ = dict(forms.walk(asked.node, asked.root, asked.form))
    for name, value in query.items():
        path = forms.join_path(asked.root, name)
        node = open_.get(path)
        if isinstance(node, Choice) and json.dumps(value) in node.options:
            yield path, [json.dumps(value)]
        elif isinstance(node, Either) and node.find_chosen(value) is not None:
            yield f"{path}?", [value]


def _contradicts(way: Json, chosen: Json, query: Mapping[str, str]) -> bool:
    """Return whether a way has another value for a field that the address and the chosen move agree on."""
    agreed = {name: value for name, value in chosen["settled"].items() if query.get(name) == value}
    return any(way["settled"].get(name, value) != value for name, value in agreed.items())


@router.post("/declare/{kind}")
async def submit_declaration(request: Request, desk: Sitting, kind: str) -> Response:
    """Declare it, preview it, or change the length of a list."""
    must_be_ours(request)
    form, state = await forms.read_form(request), await desk.client.get("/state")
    asked = restore_form(desk, state, DECLARED, f"{desk.session.path}/declare/{kind}", form)
    if (resized := resize(asked)) is not None:
        return await _show_declaring(desk, state, resized, kind)
    if "try" in form:
        answer = await desk.client.post("/rulings", _make_body(asked) | {"preview": True}, read_key(asked.key))
        return await _show_tried(request, desk, state, asked, answer, kind)
    if (warned := warn_of_blanks(asked)) is not None:
        return await _show_declaring(desk, state, warned, kind, 422)
    answer = await desk.client.post("/rulings", _make_body(asked), read_key(asked.key))
    response = _redirect_to_result(desk, answer)
    return response or await _show_declaring(desk, state, add_problem(asked, answer.json), kind, answer.status)


@router.post("/tap/{kind}")
async def declare_at_once(request: Request, desk: Sitting, kind: str) -> Response:
    """Declare a move at once. Show its form instead if it is refused, or would cancel a waiting question."""
    fields, key = await read_fields(request, desk, "tap")
    state = await desk.client.get("/state")
    body = _read_tapped(kind, fields)
    if state["waiting"]:
        previewed = await desk.client.post("/rulings", body | {"preview": True}, make_key())
        if previewed.status == 200 and previewed.json["ends"]:
            return await _show_form_of(desk, state, kind, fields, body, tried=previewed.json)
    answer = await desk.client.post("/rulings", body, key)
    response = _redirect_to_result(desk, answer)
    return response or await _show_form_of(desk, state, kind, fields, body, refused=answer)


def _read_tapped(kind: str, fields: forms.Form) -> Json:
    """Return the request. Raises Turned (400) if a button of ours did not send it."""
    try:
        declared = json.loads(forms.get_field_text(fields, "declare"))
    except ValueError:
        declared = None
    if not isinstance(declared, dict) or declared.get("kind") != kind:
        raise Turned(400, {"title": "Incomplete form", "detail": "The form arrived incomplete. Nothing was saved."})
    scene = forms.get_field_text(fields, "scene")
    dice = forms.get_field_text(fields, "dice")
    if dice == "table":
        declared |= _read_typed_faces(fields) | {"kind": kind}
    return {"declare": declared} | ({"scene": scene} if scene else {}) | ({"dice": dice} if dice in DICE else {})


def _read_typed_faces(fields: forms.Form) -> Json:
    """Return the fields that say what somebody's own dice show; none if a number is missing: the ledger asks for it."""
    faces = [text.strip() for text in fields.get("face", ()) if text.strip()]
    numbers = (int(face) if face.isascii() and face.isdecimal() and len(face) < LONG else face for face in faces)
    try:
        typed = json.loads(forms.get_field_text(fields, "typed"))
        filled = fill_in_dice(typed, numbers) if len(faces) == len(list_dice(typed)) else {}
    except (ValueError, RecursionError):
        return {}
    return filled if isinstance(filled, dict) else {}


async def _show_form_of(
    desk: Desk,
    state: Json,
    kind: str,
    fields: forms.Form,
    body: Json,
    tried: Json | None = None,
    refused: Answer | None = None,
) -> Response:
    """Show the form of the move that was tapped, with its preview or the problem."""
    id = forms.get_field_text(fields, "move")
    offered = (await desk.client.get("/moves"))["moves"]
    move = next((move for move in offered if move["kind"] == kind and make_move_id(move) == id), None)
    if move is None:
        return RedirectResponse(f"{desk.session.path}/declare/{quote(kind, safe='')}?move={quote(id, safe='')}", 303)
    action = f"{desk.session.path}/declare/{kind}"
    asked = make_form(desk, state, DECLARED, action, move["schema"], body["declare"])
    text = {"scene": [move["scene"] or ""], "text": [move["text"]], "apart": [""], "dice": [""]}
    asked = replace(asked, form=asked.form | text)
    if refused is not None:
        asked = add_problem(asked, refused.json)
    return await _show_declaring(desk, state, asked, kind, refused.status if refused is not None else 200, tried)


def is_a_choice(ways: Sequence[Json]) -> bool:
    """Return whether choosing between the ways is the only choice: each has a different value for the same field."""
    settled = [way["settled"] for way in ways]
    columns = [[repr(fields.get(name)) for fields in settled] for name in (settled[0] if settled else ())]
    return len(ways) <= MOST_WAYS and any("None" not in column and len(set(column)) == len(ways) for column in columns)


def is_already_declared(waiting: Json, move: Json, seat: str) -> bool:
    """Return whether this seat already declared this move, and the declaration is waiting."""
    declared = waiting["declared"] or {}
    mine = waiting["by"]["seat"] == seat and declared.get("kind") == move["kind"]
    return bool(mine and all(declared.get(name, value) == value for name, value in move["settled"].items()))


async def _preview_untouched(desk: Desk, state: Json, asked: Asked) -> Json | None:
    """Return the preview of the untouched form if it would cancel a waiting question, else None."""
    if not state["waiting"] or list_left_open(asked.node, asked.root, asked.form):
        return None
    answer = await desk.client.post("/rulings", _make_body(asked) | {"preview": True}, make_key())
    return answer.json if answer.status == 200 and answer.json["ends"] else None


def _make_body(asked: Asked) -> Json:
    scene, dice = forms.get_field_text(asked.form, "scene"), forms.get_field_text(asked.form, "dice")
    body: Json = {"declare": asked.read_json()}
    return body | ({"scene": scene} if scene else {}) | ({"dice": dice} if dice in DICE else {})


def _redirect_to_result(desk: Desk, answer: Answer) -> Response | None:
    """Return a redirect to the result; None if the request was rejected."""
    if answer.status == 401:
        raise Turned(401, answer.json)
    if answer.status not in (201, 202):
        return None
    made = answer.json
    if answer.status == 202 and is_typed_by(made, desk.session.seat):
        return RedirectResponse(f"{desk.session.path}/waiting/{made['id']}", 303)
    query = f"ruling={made['number']}" if answer.status == 201 else f"waiting={made['id']}"
    return RedirectResponse(f"{desk.session.path}/?{query}", 303)


def is_typed_by(waiting: Json, seat: str) -> bool:
    """Return whether this seat has to say what its own dice show."""
    question = waiting["question"] or {}
    asked = question.get("asked") or {}
    return waiting["dice"] == "table" and question.get("ask") == "roll" and asked.get("seat") == seat


async def _show_declaring(
    desk: Desk,
    state: Json,
    asked: Asked,
    kind: str,
    status: int = 200,
    tried: Json | None = None,
    alternatives: Alternatives = ((), (), ()),
) -> Response:
    inputs = desk.get_game(state["campaign"]["system"])["inputs"]
    description = next((entry["about"] for entry in inputs if entry["kind"] == kind), "")
    return desk.render_page(
        "declare.html.jinja",
        status,
        asked=asked,
        words=desk.make_words(state),
        name=state["campaign"]["name"],
        kind=kind,
        called=desk.make_words(state).name_declaration(kind),
        about=split_description(description)[0],
        system=state["campaign"]["system"],
        tried=tried,
        answering=name_answering_seats(state, desk.session.seat),
        ledger_only=state["campaign"]["dials"]["dice"] == "ledger_only",
        few_ways=FEW_WAYS,
        ways=alternatives[0],
        chosen=is_a_choice(alternatives[0]),
        people=alternatives[1],
        already=alternatives[2],
    )


async def _show_tried(request: Request, desk: Desk, state: Json, asked: Asked, answer: Answer, kind: str) -> Response:
    """Show a preview. The page requests it as a part while the form is filled in."""
    tried = answer.json if answer.status == 200 else None
    partial = request.headers.get("HX-Request-Type") == "partial"
    if answer.status != 200:
        asked = _note_while_typing(asked, answer.json) if partial else add_problem(asked, answer.json)
    asked = replace(asked, form=asked.form | {"lead": [await _find_move_sentence(desk, asked, kind)]})
    if partial:
        paths = [path for path, _ in forms.walk(asked.node, asked.root, asked.form)]
        answering = name_answering_seats(state, desk.session.seat)
        return desk.render_page("foreseen.html.jinja", asked=asked, tried=tried, places=paths, answering=answering)
    return await _show_declaring(desk, state, asked, kind, 200 if tried is not None else answer.status, tried)


def name_answering_seats(state: Json, me: str) -> dict[str, str]:
    """Return who has to answer each waiting question, as far as this seat may know it."""
    asked = {waiting["id"]: (waiting["question"] or {}).get("asked") for waiting in state["waiting"]}
    return {id: "you" if seat["seat"] == me else seat["name"] for id, seat in asked.items() if seat is not None}


def _note_while_typing(asked: Asked, problem: Json) -> Asked:
    """Return the form with a problem that came up while it is filled in. Empty fields are no mistake yet."""
    marked, empty = add_problem(asked, problem), warn_of_blanks(asked)
    if marked.errors:
        is_only_missing = all(map(is_missing, marked.errors.values()))
        return replace(marked, errors={}, waits=True) if is_only_missing else marked
    return replace(empty, errors={}, waits=True) if empty is not None else marked


async def _find_move_sentence(desk: Desk, asked: Asked, kind: str) -> str:
    """Return the sentence of the move with the current choices, or its original text."""
    original_text, current_choices = forms.get_field_text(asked.form, "text"), asked.read_json()
    if not original_text or not isinstance(current_choices, dict):
        return original_text
    current_choices = {name: value for name, value in current_choices.items() if name != "kind" and value != ""}
    scene = forms.get_field_text(asked.form, "scene") or None
    for _ in range(2):
        body = {"kind": kind, "given": current_choices, "scene": scene}
        answer = await desk.client.post("/moves", body, make_key())
        if answer.status != 422:
            break
        pointers = [str(error["pointer"]).split("/") for error in answer.json.get("errors") or ()]
        wrong = {pointer[2] for pointer in pointers if pointer[1:2] == ["given"] and len(pointer) > 2}
        current_choices = {name: value for name, value in current_choices.items() if name not in wrong}
    texts = {move["text"] for move in answer.json["moves"]} if answer.status == 200 else set()
    return str(texts.pop()) if len(texts) == 1 else original_text


# --- answering ---


@router.get("/waiting/{waiting}")
async def show_question(desk: Sitting, waiting: str, slot: str = "") -> Response:
    """Show a waiting question, with a form if the reader may answer it. `slot`: of one of several."""
    question, state = (each.json for each in await desk.client.get_together(f"/waiting/{waiting}", "/state"))
    if "answer_schema" not in question:  # a decision, which waits for consent
        return RedirectResponse(f"{desk.session.path}/proposals/{waiting}", 303)
    question = choose_question(question, slot)
    asked = (
        make_question_form(desk, question, state)
        if question["answer_schema"] is not None and question["status"] == "waiting"
        else None
    )
    return _show_asking(desk, state, question, asked)


@router.post("/waiting/{waiting}")
async def submit_answer(request: Request, desk: Sitting, waiting: str, slot: str = "") -> Response:
    must_be_ours(request)
    form, state = await forms.read_form(request), await desk.client.get("/state")
    query = f"?slot={quote(slot, safe='')}" if slot else ""
    asked = restore_form(desk, state, ANSWERED, f"{desk.session.path}/waiting/{waiting}{query}", form)

    async def load_question() -> Json:
        return choose_question(await desk.client.get(f"/waiting/{waiting}"), slot)

    resized = resize(asked) or _add_opened_dice(asked)
    if resized is not None:
        return _show_asking(desk, state, await load_question(), resized)
    if (warned := warn_of_blanks(asked)) is not None:
        return _show_asking(desk, state, await load_question(), warned, 422)
    reply = await _send_answer(desk, waiting, asked.read_json(), slot, read_key(asked.key))
    if (response := _redirect_after_answer(desk, waiting, reply)) is not None:
        return response
    return _show_asking(desk, state, await load_question(), add_problem(asked, reply.json), reply.status)


async def _send_answer(desk: Desk, waiting: str, answer: Json, slot: str, key: str) -> Answer:
    body = {"answer": answer, "slot": slot} if slot else {"answer": answer}
    return await desk.client.post(f"/waiting/{waiting}/answers", body, key)


def _redirect_after_answer(desk: Desk, waiting: str, reply: Answer) -> Response | None:
    """Return a redirect to what the answer led to; None if it was rejected."""
    if reply.status == 200:  # somebody declined
        return RedirectResponse(f"{desk.session.path}/waiting/{waiting}", 303)
    return _redirect_to_result(desk, reply)


@router.post("/waiting/{waiting}/tap")
async def answer_at_once(request: Request, desk: Sitting, waiting: str, slot: str = "") -> Response:
    """Answer with one tap of a button that a game's template made. Show the form instead if it is refused."""
    fields, key = await read_fields(request, desk, "answer")
    try:
        given = json.loads(forms.get_field_text(fields, "answer"))
    except ValueError:
        given = None
    if not isinstance(given, dict):
        raise Turned(400, {"title": "Incomplete form", "detail": "The form arrived incomplete. Nothing was saved."})
    reply = await _send_answer(desk, waiting, given, slot, key)
    if (response := _redirect_after_answer(desk, waiting, reply)) is not None:
        return response
    question, state = (each.json for each in await desk.client.get_together(f"/waiting/{waiting}", "/state"))
    question = choose_question(question, slot)
    may_answer = question["answer_schema"] is not None and question["status"] == "waiting"
    asked = add_problem(make_question_form(desk, question, state), reply.json) if may_answer else None
    return _show_asking(desk, state, question, asked, reply.status)


@router.post("/waiting/{waiting}/withdraw")
async def withdraw(request: Request, desk: Sitting, waiting: str) -> Response:
    must_be_ours(request)
    form = await forms.read_form(request)
    asked = restore_form(
        desk, await desk.client.get("/state"), "/withdraw", _find_withdraw_address(desk, waiting), form
    )
    reason = forms.get_field_text(form, "reason") or "Taken back."
    reply = await desk.client.post(f"/waiting/{waiting}/withdraw", {"reason": reason}, read_key(asked.key))
    if reply.status != 200:
        raise Turned(reply.status, reply.json)
    return RedirectResponse(f"{desk.session.path}/", 303)


def _find_withdraw_address(desk: Desk, waiting: str) -> str:
    return f"{desk.session.path}/waiting/{waiting}/withdraw"


def _add_opened_dice(asked: Asked) -> Asked | None:
    """Return the form with a place for each die that another one opened, or None if there are enough."""
    form = asked.form
    for path, node in forms.walk(asked.node, asked.root, form):
        if isinstance(node, Listing) and node.opens is not None:
            faces = forms.read_value(node, path, form)
            wanted, present = node.least + faces.count(node.opens), forms.count_items(form, path)
            if present < wanted and len(faces) == present:
                for _ in range(wanted - present):
                    form = forms.resize_list(asked.node, asked.root, form, path, 1)
                return replace(asked, form=form)
    return None


def _show_asking(desk: Desk, state: Json, waiting: Json, asked: Asked | None, status: int = 200) -> Response:
    mine = desk.session.seat == waiting["by"]["seat"] or any(
        seat["id"] == desk.session.seat and seat["role"] == "gm" for seat in state["campaign"]["seats"]
    )
    words = desk.make_words(state)
    session = desk.session
    presenter = Presenter(
        state["campaign"]["system"], session.path, state, words, (), session.seat, partial(make_hidden_fields, desk)
    )
    withdraw_form = make_form(
        desk, state, "/withdraw", _find_withdraw_address(desk, waiting["id"]), {"type": "object", "properties": {}}
    )
    return desk.render_page(
        "waiting.html.jinja",
        status,
        waiting=waiting,
        asked=asked,
        told=presenter.question(waiting) if asked is not None else None,
        typed=is_typed_by(waiting, session.seat) and not waiting["question"].get("opens"),
        words=words,
        name=state["campaign"]["name"],
        system=state["campaign"]["system"],
        decides=may_decide(state, desk.session.seat),
        withdraw=withdraw_form if mine and waiting["status"] == "waiting" else None,
    )
