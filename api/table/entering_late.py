"""Enter a forgotten ruling at its place: choose the declaration, fill it in, preview the changes, and save the ruling.

The form also asks the rules' questions, one at a time, and keeps the answers given so far.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from api.http.components import load_components
from api.table import forms
from api.table.client import Answer, Json, Rejection
from api.table.correcting import SCHEMAS
from api.table.foreseeing import describe_comparison
from api.table.form_tokens import make_key, must_be_ours, read_key
from api.table.page_forms import (
    DECLARED,
    PageForm,
    add_problem,
    make_form,
    pack_json,
    resize_pressed_list,
    restore_form,
    unpack_json,
)
from api.table.pages import Desk, PageRoute, Sitting, may_decide
from ledger.application.commands.entering_late import OF_THE_TABLE
from ledger.rules.kernel.declarations import find_kind

router = APIRouter(prefix="/table/{campaign}/{seat}", include_in_schema=False, route_class=PageRoute)
KINDS_OF_THE_TABLE = frozenset(map(find_kind, OF_THE_TABLE))
MOST_FACES = 200


@dataclass(frozen=True, slots=True)
class Entered:
    """The inputs of the form besides the declaration.

    `answers`: the answers given so far. `question`: the current question. `answered`: the question that was answered
    last.
    """

    scene: str = ""
    settle: str = "flag"
    answers: list[Json] = field(default_factory=list)
    question: Json | None = None
    answered: Json | None = None

    @property
    def packed(self) -> str:
        return pack_json({"answers": self.answers, "question": self.question})


@router.get("/rulings/{number}/late")
async def choose_kind(desk: Sitting, number: int) -> Response:
    """List the declarations that can be entered after the ruling."""
    ruling, state = (reply.json for reply in await desk.client.read_together(f"/rulings/{number}", "/state"))
    words = desk.make_words(state)
    inputs = desk.get_game(state["campaign"]["system"])["inputs"]
    names_by_kind = {entry["kind"]: words.name_declaration(entry["kind"]) for entry in inputs}
    return desk.render_page(
        "late_choose.html.jinja",
        ruling=ruling,
        kinds={kind: name for kind, name in names_by_kind.items() if kind not in KINDS_OF_THE_TABLE},
        decides=may_decide(state, desk.session.seat),
        name=state["campaign"]["name"],
    )


@router.get("/rulings/{number}/late/{kind}")
async def show_late_form(desk: Sitting, number: int, kind: str) -> Response:
    ruling, state = (reply.json for reply in await desk.client.read_together(f"/rulings/{number}", "/state"))
    system = state["campaign"]["system"]
    component_names = [
        name for name in (f"{system}_{kind}", f"ledger_{kind}") if name in load_components(system).schemas
    ]
    if not component_names or kind in KINDS_OF_THE_TABLE:
        return RedirectResponse(f"{desk.session.path}/rulings/{number}/late", 303)
    schema: Json = {"allOf": [{"$ref": SCHEMAS + component_names[0]}, {"properties": {"kind": {"const": kind}}}]}
    page_form = make_form(desk, state, DECLARED, _make_action(desk, number, kind), schema)
    return await _show_form(desk, state, ruling, kind, page_form, Entered())


@router.post("/rulings/{number}/late/{kind}")
async def submit_late_form(request: Request, desk: Sitting, number: int, kind: str) -> Response:
    """Preview the forgotten ruling, or enter it."""
    must_be_ours(request)
    form = await forms.read_form(request)
    ruling, state = (reply.json for reply in await desk.client.read_together(f"/rulings/{number}", "/state"))
    page_form = restore_form(desk, state, DECLARED, _make_action(desk, number, kind), form)
    entered = _read_entered(form)
    if (resized_form := resize_pressed_list(page_form)) is not None:
        return await _show_form(desk, state, ruling, kind, resized_form, entered)
    body: Json = {
        "declare": page_form.read_json(),
        "after": number,
        "settle": entered.settle,
        "answers": entered.answers,
        **({"scene": entered.scene} if entered.scene else {}),
    }
    is_preview = "look" in form or (entered.question is not None and not forms.get_field_text(form, "seen"))
    key = make_key() if is_preview else read_key(page_form.key)
    answer = await desk.client.post("/rulings", {**body, "preview": True} if is_preview else body, key)
    if answer.status == 401:
        raise Rejection(401, answer.json)
    if answer.status == 201:
        return RedirectResponse(f"{desk.session.path}/rulings/{answer.json['number']}", 303)
    if answer.status == 202:
        return RedirectResponse(f"{desk.session.path}/proposals/{answer.json['id']}", 303)
    return await _show_form(desk, state, ruling, kind, page_form, entered, answer)


def _make_action(desk: Desk, number: int, kind: str) -> str:
    return f"{desk.session.path}/rulings/{number}/late/{kind}"


def _read_entered(form: forms.Form) -> Entered:
    """Return the inputs, including the answer to the question that was shown."""
    packed = forms.get_field_text(form, "asked")
    carried: Any = unpack_json(packed) if packed else {}
    answers, question = list(carried.get("answers") or ()), carried.get("question")
    answer, answered = _read_answer(question, forms.get_field_text(form, "given")) if question else None, None
    if answer is not None:
        answers, question, answered = [*answers, answer], None, question
    settle = "rerule" if forms.get_field_text(form, "settle") == "rerule" else "flag"
    return Entered(forms.get_field_text(form, "scene"), settle, answers, question, answered)


def _read_answer(question: Json, text: str) -> Json | None:
    """Return the answer in the API's form, or None if the field is empty."""
    entries = re.split(r"[\s,;]+", text.strip()) if text.strip() else []
    if not entries:
        return None
    if question["ask"] == "roll":
        faces = [
            int(entry) for entry in entries[:MOST_FACES] if entry.isascii() and entry.isdecimal() and len(entry) < 6
        ]
        return {"dice": {"sides": question["sides"], "faces": faces}}
    if question["ask"] == "flip":
        return {"coins": {"coins": entries[:MOST_FACES]}}
    return {"choice": {"kind": entries[0]}}


async def _show_form(
    desk: Desk,
    state: Json,
    ruling: Json,
    kind: str,
    page_form: PageForm,
    entered: Entered,
    answer: Answer | None = None,
) -> Response:
    words = desk.make_words(state)
    foreseen = describe_comparison(answer.json, words) if answer is not None and answer.status == 200 else None
    problem = answer.json if answer is not None and answer.status != 200 else None
    if problem is not None and problem.get("code") == "late-incomplete":
        question = problem["context"]["question"]
        entered = Entered(entered.scene, entered.settle, entered.answers, question)
        problem = None
    elif problem is not None:
        page_form = add_problem(page_form, problem)
        if entered.answered is not None:  # the answer itself may be the problem
            entered = replace(entered, answers=entered.answers[:-1], question=entered.answered)
    scenes = (await desk.client.get(""))["scenes"]
    return desk.render_page(
        "late.html.jinja",
        answer.status if answer is not None and problem is not None else 200,
        asked=page_form,
        entered=entered,
        foreseen=foreseen,
        place=answer.json["entered"]["place"] if answer is not None and foreseen is not None else "",
        facts=answer.json["entered"]["outcome"]["facts"] or () if answer is not None and foreseen is not None else (),
        problem=problem if not page_form.errors else None,
        ruling=ruling,
        kind=kind,
        heading=words.name_declaration(kind),
        scenes=scenes,
        words=words,
        name=state["campaign"]["name"],
        system=state["campaign"]["system"],
        on_at=None,
    )
