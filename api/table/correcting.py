"""Correcting a ruling: the form of its declaration, filled in; what differs, and what that changes.

Only the differences to an untouched form are sent, as a merge patch, so what a form cannot express stays.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from api.http.components import load_components
from api.table import forms, mistakes
from api.table.acts import OTHERWISE, Act, Continuation, Preview, carry_out, preview
from api.table.asked import Asked, make_form, pack, resize, restore_form, unpack
from api.table.client import Answer, Json, Turned
from api.table.deciding import Matter, find_next_path, list_field_errors, load_matter
from api.table.foreseeing import Line, list_differences, merge_patch
from api.table.form_tokens import must_be_ours
from api.table.nodes import Record
from api.table.pages import Desk, Paged, Sitting
from api.table.words import Words

router = APIRouter(prefix="/table/{campaign}/{seat}", include_in_schema=False, route_class=Paged)
SCHEMAS = "/openapi.json#/components/schemas/"
SAME = "You have not changed anything yet. Correct the form above."
CODES = ("entry", "ruling")


@router.get("/rulings/{number}/revise")
async def show_correction_form(desk: Sitting, number: int) -> Response:
    """Show the form with the original values."""
    matter = await _load_matter(desk, number)
    return await _show_correcting(desk, matter, _make_form(desk, matter), Entered(original=_find_original(matter)))


@dataclass(frozen=True, slots=True)
class Entered:
    """What was entered beside the correction.

    `original`: the values when the form was shown. The form carries them, so that sending it twice makes the same
    correction.
    """

    reason: str = ""
    code: str = "entry"
    settle: str = "flag"
    original: Json = field(default_factory=dict)

    @property
    def packed(self) -> str:
        return pack(self.original)


async def _load_matter(desk: Desk, number: int) -> Matter:
    """Return the matter with all scenes, because an earlier declaration may name a closed one."""
    matter, campaign = await load_matter(desk, number), await desk.client.get("")
    open_scenes = {scene["id"]: scene for scene in matter.state["scenes"]}
    return replace(
        matter, state={**matter.state, "scenes": [open_scenes.get(scene["id"], scene) for scene in campaign["scenes"]]}
    )


def _make_form(desk: Desk, matter: Matter) -> Asked:
    system, ruling = matter.state["campaign"]["system"], matter.ruling
    answers = {str(place): _make_answer_schema(answer, system) for place, answer in _list_given(matter)}
    answers = {place: schema for place, schema in answers.items() if schema is not None}
    kind = ruling["declared"]["kind"]
    name = f"{system}_{kind}" if f"{system}_{kind}" in load_components(system).schemas else f"ledger_{kind}"
    narrowed = {"kind": {"const": kind}, **_make_choices(ruling["declared"], desk.make_words(matter.state))}
    declared: Json = {"allOf": [{"$ref": SCHEMAS + name}, {"properties": narrowed}], "title": "Declaration"}
    fields: Json = {"declare": declared}
    if answers:
        fields["answers"] = {**_make_record(answers), "title": "Answers and table dice"}
    action = f"{desk.session.path}/rulings/{matter.number}/revise"
    return make_form(desk, matter.state, "", action, _make_record(fields), _find_original(matter))


def _make_choices(declared: Json, words: Words) -> Json:
    """Return a choice for each field that names something of the game's own that still exists."""
    texts = {name: value for name, value in declared.items() if isinstance(value, str)}
    options = {name: words.things.get(words.fields.get(name, ""), {}) for name in texts}
    return {name: {"enum": [*choices]} for name, choices in options.items() if texts[name] in choices}


def _list_given(matter: Matter) -> list[tuple[int, Json]]:
    """Return the answers the ruling depends on, each with the place at which the API takes a new one."""
    return list(enumerate(answer for answer in matter.ruling["answers"] if not answer["set_aside"]))


def _find_original(matter: Matter) -> Json:
    """Return the original values of the form, without those that were left out."""
    answers = {str(at): answer["answer"] for at, answer in _list_given(matter)}
    document: Json = _drop_nulls({"declare": matter.ruling["declared"], "answers": answers})
    return document


def _drop_nulls(value: Any) -> Any:
    """Return the value without nulls."""
    if isinstance(value, dict):
        return {name: _drop_nulls(inner) for name, inner in value.items() if inner is not None}
    return [_drop_nulls(inner) for inner in value] if isinstance(value, list) else value


def _make_record(fields: Json) -> Json:
    return {"type": "object", "properties": fields, "required": list(fields)}


def _make_answer_schema(given: Json, system: str) -> Json | None:
    """Return the schema of an answer; None if the ledger rolled it, because that result stays."""
    if given["source"] == "ledger":
        return None
    ((kind, answer),) = given["answer"].items()
    question = given["question"]
    match kind:
        case "dice":
            face = {"type": "integer", "minimum": 1, "maximum": answer["sides"]}
            faces = {**_make_list_schema(face, answer["faces"], question), "title": "Die"}
            inner = {**_make_record({"sides": {"const": answer["sides"]}, "faces": faces}), "title": "Dice"}
        case "coins":
            inner = _make_record({"coins": _make_list_schema({"enum": ["heads", "tails"]}, answer["coins"], question)})
        case "choice":
            kinds = [choice["kind"] for choice in question.get("choices", ())]
            inner = {
                "anyOf": [
                    {
                        "allOf": [
                            {"$ref": f"{SCHEMAS}{system}_choice_{choice}"},
                            {"properties": {"kind": {"const": choice}}},
                        ]
                    }
                    for choice in kinds
                ]
            }
        case _:
            return None  # cards and their order: overturned, and drawn again
    return {**_make_record({kind: inner}), "title": question["text"]}


def _make_list_schema(items: Json, given: list[Any], question: Json) -> Json:
    opens = question.get("opens")
    if opens is not None:
        return {"type": "array", "items": items, "minItems": question["count"], "x-opens": opens}
    return {"type": "array", "items": items, "minItems": len(given), "maxItems": len(given)}


@dataclass(frozen=True, slots=True)
class Correction:
    """The differences: as lines for people, and as a request to the API."""

    lines: list[Line]
    act: Act


def _make_correction(number: int, asked: Asked, entered: Entered, words: Words) -> Correction:
    untouched = forms.read_value(asked.node, asked.root, forms.fill_form(asked.node, asked.root, entered.original))
    current = asked.read_json()
    patch = merge_patch(untouched["declare"], current["declare"])
    body: Json = {"reason": entered.reason, "code": entered.code, "settle": entered.settle}
    lines = list_differences(untouched["declare"], current["declare"], words)
    old_answers, new_answers = untouched.get("answers", {}), current.get("answers", {})
    places = [int(place) for place, answer in new_answers.items() if answer != old_answers.get(place)]
    if patch:
        body["patch"] = patch
    if places:
        body["answers"] = [new_answers[str(at)] if at in places else None for at in range(max(places) + 1)]
    titles = {part.name: part.title for part in _find_part(asked, "answers").fields}
    for at in places:
        differences = list_differences(
            _join_faces(old_answers.get(str(at), {})), _join_faces(new_answers[str(at)]), words
        )
        lines += [Line(titles[str(at)], line.before, line.after) for line in differences]
    return Correction(lines, Act(f"/rulings/{number}/revise", body))


def _find_part(asked: Asked, name: str) -> Record:
    """Return the part of the form with the declaration or the answers."""
    root_node = asked.node
    fields = root_node.fields if isinstance(root_node, Record) else ()
    record = next((part.node for part in fields if part.name == name), None)
    return record if isinstance(record, Record) else Record(())


def _join_faces(answer: Json) -> Json:
    """Return an answer with its faces in one text."""
    dice = answer.get("dice")
    return {"faces": ", ".join(map(str, dice["faces"]))} if dice is not None else answer


async def _show_correcting(
    desk: Desk,
    matter: Matter,
    asked: Asked,
    entered: Entered,
    *,
    notice: str | None = None,
    problem: Json | None = None,
    partial: bool = False,
    continuation: Continuation | None = None,
) -> Response:
    words = desk.make_words(matter.state)
    correction = _make_correction(matter.number, asked, entered, words)
    look = (
        await preview(desk, correction.act, matter.state, continuation)
        if correction.lines and matter.decides
        else Preview("", None, None)
    )
    shown_problem = problem if problem is not None else look.problem
    if shown_problem is not None:
        asked = _add_problem(asked, shown_problem)
    errors = list_field_errors(problem, {})
    values: Json = {
        "matter": matter,
        "asked": asked,
        "entered": entered,
        "lines": correction.lines,
        "look": look,
        "words": words,
        "notice": notice,
        "problem": problem if not errors and not asked.errors else None,
        "errors": errors,
        "same": SAME,
        "what": "revise",
        "on_at": asked.action,
        "before": continuation.shown if continuation is not None else 0,
    }
    if partial and continuation is not None and continuation.after and look.foreseen is not None:
        return desk.render_page("further.html.jinja", may_also=False, **values)
    if partial:
        places = [path for path, _ in forms.walk(asked.node, asked.root, asked.form) if path]
        return desk.render_page("correct_looked.html.jinja", places=places, partial=True, **values)
    status = 422 if problem is not None else 409 if notice not in (None, OTHERWISE) else 200
    return desk.render_page("correct.html.jinja", status, name=matter.state["campaign"]["name"], **values)


def _add_problem(asked: Asked, problem: Json) -> Asked:
    """Return the form with the problem at its field. The API reports it in the patch, which holds the declaration."""
    errors = [
        {**error, "pointer": str(error["pointer"]).replace("/patch", "/declare", 1)}
        for error in problem.get("errors") or ()
    ]
    by_field = mistakes.list_errors({**problem, "errors": errors}, asked.node, asked.root, asked.form)
    if not by_field:
        by_field = mistakes.list_errors({**problem, "errors": ()}, _find_part(asked, "declare"), "/declare", asked.form)
    return replace(asked, errors=by_field)


@router.post("/rulings/{number}/revise")
async def submit_correction(request: Request, desk: Sitting, number: int) -> Response:
    """Preview the correction, or save it if the preview was seen."""
    must_be_ours(request)
    posted, matter = await forms.read_form(request), await _load_matter(desk, number)
    asked = restore_form(desk, matter.state, "", f"{desk.session.path}/rulings/{number}/revise", posted)
    reason, code, settle = (forms.get_field_text(posted, name) for name in ("reason", "code", "settle"))
    entered = Entered(
        reason,
        code if code in CODES else "entry",
        settle if settle == "rerule" else "flag",
        unpack(forms.get_field_text(posted, "was")),
    )
    if (resized := resize(asked)) is not None:
        return await _show_correcting(desk, matter, resized, entered)
    continuation = Continuation.parse(posted)
    if "look" in posted or continuation is not None:
        partial = request.headers.get("HX-Request-Type") == "partial"
        return await _show_correcting(desk, matter, asked, entered, partial=partial, continuation=continuation)
    correction = _make_correction(number, asked, entered, desk.make_words(matter.state))
    answer = await carry_out(desk, correction.act, asked.key, forms.get_field_text(posted, "seen"))
    if isinstance(answer, str):
        entered = replace(entered, original=_find_original(matter))  # which may be otherwise by now
        return await _show_correcting(desk, matter, asked, entered, notice=answer if correction.lines else None)
    if answer.status in (200, 202):
        return RedirectResponse(f"{desk.session.path}{find_next_path(number, answer)}", 303)
    return await _show_correcting(desk, matter, asked, entered, problem=_find_problem(answer))


def _find_problem(answer: Answer) -> Json:
    if answer.status in (401, 404):
        raise Turned(answer.status, answer.json)
    return answer.json
