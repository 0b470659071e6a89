"""Declare moves and answer questions, with forms made from their schemas."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, TypeAlias
from urllib.parse import quote

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import QueryParams

from api.table import forms
from api.table.choosing import fill_in_parts
from api.table.client import Answer, Json, Rejection
from api.table.descriptions import split_description
from api.table.form_tokens import make_key, must_be_ours, read_key
from api.table.groups import group_moves, is_already_declared, make_move_id
from api.table.maker_steps import load_steps
from api.table.mistakes import collect_open_choices, is_missing
from api.table.nodes import Choice, Either, Listing
from api.table.page_forms import (
    ANSWERED,
    DECLARED,
    PageForm,
    QuestionName,
    add_problem,
    choose_question,
    is_typed_by,
    make_form,
    make_question_form,
    name_question,
    refuse_blank,
    resize_pressed_list,
    restore_form,
    warn_of_blanks,
)
from api.table.pages import Desk, PageRoute, Sitting, may_decide, may_withdraw
from api.table.plain_forms import make_stamp, read_fields
from api.table.presentations import Presenter, fill_in_dice, list_dice
from api.table.scenes import END, add_newcomers, choose_cast, end_scenes, list_scenes_to_end
from api.table.setting_up import choose_next_seat, find_own_seat, list_ready_people
from api.table.ways import mark_differences
from api.table.words import has_blanks, to_plain_words
from ledger.rules.kernel.json_types import split_pointer

router = APIRouter(prefix="/table/{campaign}/{seat}", include_in_schema=False, route_class=PageRoute)
DICE = ("ledger", "table")
NamedQuestion: TypeAlias = Annotated[QuestionName, Depends()]
#: What a move's form shows besides its fields: alternatives, ready-made characters, and earlier declarations.
Alternatives: TypeAlias = tuple[Sequence[Json], Sequence[str], Sequence[Json]]
MOST_WAYS = 12  # alternatives that can be one choice of a form
LONG = 5  # the most digits of a number on a die
FEW_WAYS = 3  # alternatives that are visible without unfolding


@router.get("/declare/{kind}")
async def show_declaration_form(
    request: Request, desk: Sitting, kind: str, move: str | None = None, person: str | None = None, dice: str = ""
) -> Response:
    """Show the form of a move and its alternatives, or the list of moves if several are of this kind.

    `dice`: who rolls the dice. Other query parameters fill in the fields of the same name.
    """
    moves_document, state = (reply.json for reply in await desk.client.read_together("/moves", "/state"))
    words = desk.make_words(state)
    groups = list(group_moves(moves_document["moves"], state, words, desk.session.seat))
    moves = [way for group in groups for ways in group.moves_by_kind.values() for way in ways if way["kind"] == kind]
    chosen_move = (
        moves[0] if move is None and len(moves) == 1 else next((way for way in moves if way["move"] == move), None)
    )
    mark_differences(moves, desk.make_node_maker(state, words), words)
    if chosen_move is None:
        is_missing_move = move is not None or not moves
        return desk.render_page(
            "choose.html.jinja",
            404 if is_missing_move else 200,
            kind=words.name_declaration(kind),
            moves=moves,
            missed=is_missing_move,
            name=state["campaign"]["name"],
        )
    declared_before = [
        waiting
        for waiting in state["waiting"]
        if is_already_declared(waiting, chosen_move["settled"], desk.session.seat)
    ]
    alternatives = [
        way for group in groups for way in group.list_alternatives(chosen_move["move"]) if way is not chosen_move
    ]
    ways = [way for way in alternatives if not _contradicts(way, chosen_move, request.query_params)]
    people = list_ready_people(desk, state) if kind == "enrol" else {}
    prefilled_value: Any = forms.MISSING
    if person and person in people:
        seat_id = choose_next_seat(state, find_own_seat(desk, state), people[person])
        prefilled_value = {"name": person, "seat": seat_id, "sheet": people[person]}
    if kind == "open-scene":
        prefilled_value = {"cast": await choose_cast(desk, state)}
    page_form = make_form(
        desk, state, DECLARED, f"{desk.session.path}/declare/{kind}", chosen_move["schema"], prefilled_value
    )
    # the heading already has the name of the kind
    sentence = "" if chosen_move["text"] == f"{to_plain_words(kind)}." else chosen_move["text"]
    texts = {"scene": chosen_move["scene"] or "", "text": sentence, "apart": chosen_move["apart"], "dice": dice}
    fields = {name: [text] for name, text in texts.items()} | {END: list_scenes_to_end(kind, state)}
    page_form = replace(page_form, form=page_form.form | fields)
    page_form = replace(page_form, form=page_form.form | dict(_list_prefilled_fields(page_form, request.query_params)))
    if has_blanks(sentence):
        page_form = replace(
            page_form, form=page_form.form | {"lead": [await _find_move_sentence(desk, page_form, kind)]}
        )
    first_preview = await _preview_untouched_form(desk, state, page_form)
    return await _show_declaration_form(
        desk,
        state,
        page_form,
        kind,
        preview=first_preview,
        alternatives=(ways, _list_unplayed_people(people, state), declared_before),
    )


def _list_unplayed_people(people: Iterable[str], state: Json) -> list[str]:
    """Return the names of the ready-made characters that are not at the table yet."""
    playing_names = {character["name"] for character in state["characters"] if not character["retired"]}
    return [name for name in people if name not in playing_names]


def _list_prefilled_fields(page_form: PageForm, query: QueryParams) -> Iterator[tuple[str, list[str]]]:
    """Yield the form fields that the URL fills in. Values that cannot be chosen are left out.

    Examples: `trait=Loyal`, `spend=false`, and `participants=1&participants=2` for tick boxes. A field with several
    forms takes the index of a form.
    """
    open_nodes = dict(forms.walk(page_form.node, page_form.root, page_form.form))
    for name, value in query.items():
        path = forms.join_path(page_form.root, name)
        node = open_nodes.get(path)
        if isinstance(node, Choice):
            yield from ((path, [text]) for text in (json.dumps(value), value) if text in node.options)
        elif isinstance(node, Either) and node.find_chosen_index(value) is not None:
            yield f"{path}?", [value]
        elif isinstance(node, Listing) and node.checks is not None:
            yield path, [text for id in query.getlist(name) if (text := json.dumps(id)) in node.checks.options]


def _contradicts(way: Json, chosen_move: Json, query: Mapping[str, str]) -> bool:
    """Return whether an alternative differs from the chosen move in a field that the URL fills in."""
    agreed_values = {name: value for name, value in chosen_move["settled"].items() if query.get(name) == value}
    return any(way["settled"].get(name, value) != value for name, value in agreed_values.items())


@router.post("/declare/{kind}")
async def submit_declaration(request: Request, desk: Sitting, kind: str) -> Response:
    """Declare or preview the move, or change the length of a list in its form."""
    must_be_ours(request)
    form, state = await forms.read_form(request), await desk.client.get("/state")
    page_form = restore_form(desk, state, DECLARED, f"{desk.session.path}/declare/{kind}", form)
    if (resized_form := resize_pressed_list(page_form)) is not None:
        return await _show_declaration_form(desk, state, resized_form, kind)
    if "try" in form:
        answer = await desk.client.post(
            "/rulings", _make_declaration_body(page_form) | {"preview": True}, read_key(page_form.key)
        )
        return await _show_preview(request, desk, state, page_form, answer, kind)
    body, key = _make_declaration_body(page_form), read_key(page_form.key)
    if (warned_form := warn_of_blanks(page_form)) is not None:
        preview_reply = await desk.client.post("/rulings", body | {"preview": True}, make_key())
        warned_form = refuse_blank(page_form, preview_reply.json) or warned_form
        return await _show_declaration_form(desk, state, warned_form, kind, 422)
    ending_ids = [id for id in list_scenes_to_end(kind, state) if id in form.get(END, [])]
    answer = await end_scenes(desk, ending_ids, key, body) or await desk.client.post("/rulings", body, key)
    response = _redirect_to_result(desk, answer, kind)
    return response or await _show_declaration_form(
        desk, state, add_problem(page_form, answer.json), kind, answer.status
    )


@router.post("/tap/{kind}")
async def declare_at_once(request: Request, desk: Sitting, kind: str) -> Response:
    """Declare a move at once. If the move is refused or would cancel a waiting question, show its form instead."""
    fields, key = await read_fields(request, desk, "tap")
    state = await desk.client.get("/state")
    body = _read_tapped_request(kind, fields)
    if state["waiting"]:
        preview_reply = await desk.client.post("/rulings", body | {"preview": True}, make_key())
        if preview_reply.status == 200 and preview_reply.json["ends"]:
            return await _show_tapped_form(desk, state, kind, fields, body, preview=preview_reply.json)
    answer = await desk.client.post("/rulings", body, key)
    response = _redirect_to_result(desk, answer, kind)
    return response or await _show_tapped_form(desk, state, kind, fields, body, refusal=answer)


def _read_tapped_request(kind: str, fields: forms.Form) -> Json:
    """Return the request of the tapped button. Raise Rejection (400) if it is not one of our buttons."""
    try:
        declaration = fill_in_parts(json.loads(forms.get_field_text(fields, "declare")), fields)
    except (ValueError, RecursionError):
        declaration = None
    if not isinstance(declaration, dict) or declaration.get("kind") != kind:
        raise Rejection(400, {"title": "Incomplete form", "detail": "The form arrived incomplete. Nothing was saved."})
    scene = forms.get_field_text(fields, "scene")
    dice = forms.get_field_text(fields, "dice")
    if dice == "table":
        declaration |= _read_typed_faces(fields) | {"kind": kind}
    return {"declare": declaration} | ({"scene": scene} if scene else {}) | ({"dice": dice} if dice in DICE else {})


def _read_typed_faces(fields: forms.Form) -> Json:
    """Return the fields with the faces of the player's own dice, or {} if a face is missing."""
    faces = [text.strip() for text in fields.get("face", ()) if text.strip()]
    numbers = (int(face) if face.isascii() and face.isdecimal() and len(face) < LONG else face for face in faces)
    try:
        typed_fields = json.loads(forms.get_field_text(fields, "typed"))
        filled_fields = fill_in_dice(typed_fields, numbers) if len(faces) == len(list_dice(typed_fields)) else {}
    except (ValueError, RecursionError):
        return {}
    return filled_fields if isinstance(filled_fields, dict) else {}


async def _show_tapped_form(
    desk: Desk,
    state: Json,
    kind: str,
    fields: forms.Form,
    body: Json,
    preview: Json | None = None,
    refusal: Answer | None = None,
) -> Response:
    """Show the form of the tapped move, with its preview or the problem."""
    move_id = forms.get_field_text(fields, "move")
    offered_moves = (await desk.client.get("/moves"))["moves"]
    move = next((move for move in offered_moves if move["kind"] == kind and make_move_id(move) == move_id), None)
    if move is None:
        query = f"move={quote(move_id, safe='')}"
        return RedirectResponse(f"{desk.session.path}/declare/{quote(kind, safe='')}?{query}", 303)
    action = f"{desk.session.path}/declare/{kind}"
    page_form = make_form(desk, state, DECLARED, action, move["schema"], body["declare"])
    texts = {"scene": move["scene"] or "", "text": move["text"], "apart": "", "dice": body.get("dice", "")}
    page_form = replace(page_form, form=page_form.form | {name: [text] for name, text in texts.items()})
    if refusal is not None:
        page_form = add_problem(page_form, refusal.json)
    return await _show_declaration_form(
        desk, state, page_form, kind, refusal.status if refusal is not None else 200, preview
    )


def can_be_one_choice(ways: Sequence[Json]) -> bool:
    """Return whether the alternatives can be shown as one choice, because one field has a different value in each."""
    settled_fields = [way["settled"] for way in ways]
    columns = [
        [repr(fields.get(name)) for fields in settled_fields] for name in (settled_fields[0] if settled_fields else ())
    ]
    return len(ways) <= MOST_WAYS and any("None" not in column and len(set(column)) == len(ways) for column in columns)


async def _preview_untouched_form(desk: Desk, state: Json, page_form: PageForm) -> Json | None:
    """Return the preview of the untouched form if it would cancel a waiting question, else None."""
    if not state["waiting"] or collect_open_choices(page_form.node, page_form.root, page_form.form):
        return None
    answer = await desk.client.post("/rulings", _make_declaration_body(page_form) | {"preview": True}, make_key())
    return answer.json if answer.status == 200 and answer.json["ends"] else None


def _make_declaration_body(page_form: PageForm) -> Json:
    scene, dice = forms.get_field_text(page_form.form, "scene"), forms.get_field_text(page_form.form, "dice")
    body: Json = {"declare": page_form.read_json()}
    return body | ({"scene": scene} if scene else {}) | ({"dice": dice} if dice in DICE else {})


def _redirect_to_result(desk: Desk, answer: Answer, kind: str = "") -> Response | None:
    """Return a redirect to the result, or None if the request was rejected. `kind`: the kind of declaration to offer
    again if the request was sent twice.
    """
    if answer.status == 401:
        raise Rejection(401, answer.json)
    if answer.status not in (201, 202):
        return None
    result = answer.json
    if answer.status == 202 and is_typed_by(result, desk.session.seat):
        return RedirectResponse(f"{desk.session.path}/waiting/{result['id']}", 303)
    query = f"ruling={result['number']}" if answer.status == 201 else f"waiting={result['id']}"
    query += f"&again={quote(kind, safe='')}" if kind and "idempotency-replayed" in answer.headers else ""
    return RedirectResponse(f"{desk.session.path}/?{query}", 303)


async def _show_declaration_form(
    desk: Desk,
    state: Json,
    page_form: PageForm,
    kind: str,
    status: int = 200,
    preview: Json | None = None,
    alternatives: Alternatives = ((), (), ()),
) -> Response:
    inputs = desk.get_game(state["campaign"]["system"])["inputs"]
    description = next((entry["about"] for entry in inputs if entry["kind"] == kind), "")
    return desk.render_page(
        "declare.html.jinja",
        status,
        asked=page_form,
        words=desk.make_words(state),
        name=state["campaign"]["name"],
        kind=kind,
        heading=desk.make_words(state).name_declaration(kind),
        guided=kind == "enrol" and bool(load_steps(state["campaign"]["system"])),
        about=split_description(description)[0],
        system=state["campaign"]["system"],
        preview=preview,
        answering_seats=name_answering_seats(state, desk.session.seat),
        ledger_only=state["campaign"]["dials"]["dice"] == "ledger_only",
        few_ways=FEW_WAYS,
        ways=alternatives[0],
        chosen=can_be_one_choice(alternatives[0]),
        people=alternatives[1],
        ends=list_scenes_to_end(kind, state),
        declared_before=alternatives[2],
    )


async def _show_preview(
    request: Request, desk: Desk, state: Json, page_form: PageForm, answer: Answer, kind: str
) -> Response:
    """Show a preview. A partial request gets only the preview, for a form that is still being filled in."""
    preview = answer.json if answer.status == 200 else None
    is_partial = request.headers.get("HX-Request-Type") == "partial"
    if answer.status != 200:
        page_form = (
            _mark_problem_while_typing(page_form, answer.json) if is_partial else add_problem(page_form, answer.json)
        )
    page_form = replace(page_form, form=page_form.form | {"lead": [await _find_move_sentence(desk, page_form, kind)]})
    if is_partial:
        paths = [path for path, _ in forms.walk(page_form.node, page_form.root, page_form.form)]
        answering_seats = name_answering_seats(state, desk.session.seat)
        return desk.render_page(
            "foreseen.html.jinja", asked=page_form, preview=preview, places=paths, answering_seats=answering_seats
        )
    return await _show_declaration_form(
        desk, state, page_form, kind, 200 if preview is not None else answer.status, preview
    )


def name_answering_seats(state: Json, own_seat_id: str) -> dict[str, str]:
    """For each waiting declaration, return the name of the seat that has to answer. Hidden seats are left out."""
    asked_seat_by_id = {waiting["id"]: (waiting["question"] or {}).get("asked") for waiting in state["waiting"]}
    return {
        id: "you" if seat["seat"] == own_seat_id else seat["name"]
        for id, seat in asked_seat_by_id.items()
        if seat is not None
    }


def _mark_problem_while_typing(page_form: PageForm, problem: Json) -> PageForm:
    """Return the form with its problem. Fields that are still empty are not reported."""
    marked_form, warned_form = add_problem(page_form, problem), warn_of_blanks(page_form)
    if marked_form.errors:
        is_only_missing = all(map(is_missing, marked_form.errors.values()))
        return replace(marked_form, errors={}, waits=True) if is_only_missing else marked_form
    return replace(warned_form, errors={}, waits=True) if warned_form is not None else marked_form


async def _find_move_sentence(desk: Desk, page_form: PageForm, kind: str) -> str:
    """Return the sentence of the move with the current choices, or its original sentence."""
    original_text, current_choices = forms.get_field_text(page_form.form, "text"), page_form.read_json()
    if not original_text or not isinstance(current_choices, dict):
        return original_text
    current_choices = {name: value for name, value in current_choices.items() if name != "kind" and value != ""}
    scene = forms.get_field_text(page_form.form, "scene") or None
    for _ in range(2):
        body = {"kind": kind, "given": current_choices, "scene": scene}
        answer = await desk.client.post("/moves", body, make_key())
        if answer.status != 422:
            break
        paths = [split_pointer(str(error["pointer"])) for error in answer.json.get("errors") or ()]
        wrong_names = {path[1] for path in paths if path[0] == "given" and len(path) > 1}
        current_choices = {name: value for name, value in current_choices.items() if name not in wrong_names}
    texts = {move["text"] for move in answer.json["moves"]} if answer.status == 200 else set()
    return str(texts.pop()) if len(texts) == 1 else original_text


# --- answering ---


@router.get("/waiting/{waiting}")
async def show_question(
    desk: Sitting, waiting: str, question_name: NamedQuestion, version: int | None = None
) -> Response:
    """Show a waiting question, with a form if the reader may answer it. Return 204 if the declaration is still waiting
    and its version is still `version`.
    """
    declaration, state = (reply.json for reply in await desk.client.read_together(f"/waiting/{waiting}", "/state"))
    if "answer_schema" not in declaration:  # a decision that is waiting for consent
        return RedirectResponse(f"{desk.session.path}/proposals/{waiting}", 303)
    if (declaration["status"], declaration["version"]) == ("waiting", version):
        return Response(status_code=204)
    declaration = choose_question(declaration, question_name)
    page_form = (
        make_question_form(desk, declaration, state)
        if declaration["answer_schema"] is not None and declaration["status"] == "waiting"
        else None
    )
    return _show_question(desk, state, declaration, page_form)


@router.post("/waiting/{waiting}")
async def submit_answer(request: Request, desk: Sitting, waiting: str, question_name: NamedQuestion) -> Response:
    must_be_ours(request)
    form, state = await forms.read_form(request), await desk.client.get("/state")
    page_form = restore_form(desk, state, ANSWERED, f"{desk.session.path}/waiting/{waiting}{question_name.query}", form)

    async def load_question() -> Json:
        return choose_question(await desk.client.get(f"/waiting/{waiting}"), question_name)

    resized_form = resize_pressed_list(page_form) or _add_opened_dice(page_form)
    if resized_form is not None:
        return _show_question(desk, state, await load_question(), resized_form)
    if (warned_form := warn_of_blanks(page_form)) is not None:
        return _show_question(desk, state, await load_question(), warned_form, 422)
    reply = await _send_answer(desk, waiting, page_form.read_json(), question_name, read_key(page_form.key))
    if (response := _redirect_after_answer(desk, waiting, reply)) is not None:
        return response
    return _show_question(desk, state, await load_question(), add_problem(page_form, reply.json), reply.status)


async def _send_answer(desk: Desk, waiting_id: str, answer: Json, question_name: QuestionName, key: str) -> Answer:
    return await desk.client.post(f"/waiting/{waiting_id}/answers", {"answer": answer, **question_name.fields}, key)


def _redirect_after_answer(desk: Desk, waiting_id: str, reply: Answer) -> Response | None:
    """Return a redirect to the result of the answer, or None if the answer was rejected."""
    if reply.status == 200:  # a player declined
        return RedirectResponse(f"{desk.session.path}/?waiting={waiting_id}", 303)
    return _redirect_to_result(desk, reply)


@router.post("/waiting/{waiting}/tap")
async def answer_at_once(request: Request, desk: Sitting, waiting: str, question_name: NamedQuestion) -> Response:
    """Send the answer of a button in a game's template. If the answer is refused, show the form instead."""
    fields, key = await read_fields(request, desk, "answer")
    try:
        tapped_answer = json.loads(forms.get_field_text(fields, "answer"))
    except ValueError:
        tapped_answer = None
    if not isinstance(tapped_answer, dict):
        raise Rejection(400, {"title": "Incomplete form", "detail": "The form arrived incomplete. Nothing was saved."})
    answer_reply = await _send_answer(desk, waiting, tapped_answer, question_name, key)
    if (response := _redirect_after_answer(desk, waiting, answer_reply)) is not None:
        return response
    declaration, state = (reply.json for reply in await desk.client.read_together(f"/waiting/{waiting}", "/state"))
    declaration = choose_question(declaration, question_name)
    may_answer = declaration["answer_schema"] is not None and declaration["status"] == "waiting"
    page_form = add_problem(make_question_form(desk, declaration, state), answer_reply.json) if may_answer else None
    return _show_question(desk, state, declaration, page_form, answer_reply.status)


def _add_opened_dice(page_form: PageForm) -> PageForm | None:
    """Return the form with fields for the extra dice, or None if it has enough fields."""
    form = page_form.form
    for path, node in forms.walk(page_form.node, page_form.root, form):
        if isinstance(node, Listing) and node.opens is not None:
            faces = forms.read_value(node, path, form)
            wanted_count, present_count = node.least + faces.count(node.opens), forms.count_items(form, path)
            if present_count < wanted_count and len(faces) == present_count:
                for _ in range(wanted_count - present_count):
                    form = forms.resize_list(page_form.node, page_form.root, form, path, 1)
                return replace(page_form, form=form)
    return None


def _show_question(desk: Desk, state: Json, waiting: Json, page_form: PageForm | None, status: int = 200) -> Response:
    words = desk.make_words(state)
    session = desk.session
    system, present_state = state["campaign"]["system"], add_newcomers(state)
    presenter = Presenter(system, session.path, present_state, words, (), session.seat, make_stamp(desk))
    return desk.render_page(
        "waiting.html.jinja",
        status,
        waiting=waiting,
        others=[
            {**other, "query": name_question(waiting, other["question"]).query}
            for other in waiting["others"]
            if other["question"] != waiting["question"]
        ],
        asked=page_form,
        told=presenter.question(waiting) if page_form is not None else None,
        typed=is_typed_by(waiting, session.seat),
        words=words,
        name=state["campaign"]["name"],
        system=state["campaign"]["system"],
        decides=may_decide(state, desk.session.seat),
        withdraws=waiting["status"] == "waiting" and may_withdraw(state, desk.session.seat, waiting),
    )
