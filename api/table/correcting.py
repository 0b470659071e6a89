"""Correct a ruling, with the form of its declaration and the original values filled in. A preview shows the effects.

The page sends only the changed fields, as a merge patch. Values that a form cannot express stay the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse

from api.http.components import load_components
from api.table import forms, mistakes
from api.table.acts import CHOICES_CHANGED, Act, Continuation, Preview, carry_out, preview
from api.table.client import Answer, Json, Rejection
from api.table.deciding import Matter, collect_field_errors, find_next_path, load_matter
from api.table.foreseeing import Line, list_differences, merge_patch
from api.table.form_tokens import must_be_ours
from api.table.nodes import Record
from api.table.page_forms import PageForm, make_form, pack_json, resize_pressed_list, restore_form, unpack_json
from api.table.pages import Desk, PageRoute, Sitting
from api.table.words import Words

router = APIRouter(prefix="/table/{campaign}/{seat}", include_in_schema=False, route_class=PageRoute)
SCHEMAS = "/openapi.json#/components/schemas/"
SAME = "You have not changed anything yet. Make your correction in the form above."
CODES = ("entry", "ruling")


@router.get("/rulings/{number}/revise")
async def show_correction_form(
    desk: Sitting, number: int, asks_again: Annotated[bool, Query(alias="again")] = False
) -> Response:
    """Show the form with the original values. `asks_again`: whether to show the questions first and fold the
    declaration away.
    """
    matter = await _load_matter_with_all_scenes(desk, number)
    return await _show_correction(
        desk,
        matter,
        _make_correction_form(desk, matter),
        CorrectionInputs(original_values=_make_original_values(matter), asks_again=asks_again),
    )


@dataclass(frozen=True, slots=True)
class CorrectionInputs:
    """The inputs of the form besides the corrected values.

    `original_values`: the form's values when it was shown. The form carries them, so that sending it twice makes the
    same correction. `asks_again`: whether the questions come first.
    """

    reason: str = ""
    code: str = "entry"
    settle: str = "flag"
    original_values: Json = field(default_factory=dict)
    asks_again: bool = False

    @property
    def packed(self) -> str:
        return pack_json(self.original_values)


async def _load_matter_with_all_scenes(desk: Desk, number: int) -> Matter:
    """Return the ruling to decide about, with all scenes, because its declaration may name a closed scene."""
    matter, campaign = await load_matter(desk, number), await desk.client.get("")
    open_scenes = {scene["id"]: scene for scene in matter.state["scenes"]}
    return replace(
        matter, state={**matter.state, "scenes": [open_scenes.get(scene["id"], scene) for scene in campaign["scenes"]]}
    )


def _make_correction_form(desk: Desk, matter: Matter) -> PageForm:
    system, ruling = matter.state["campaign"]["system"], matter.ruling
    answer_schemas = {
        str(place): _make_answer_schema(answer, system) for place, answer in _list_replaceable_answers(matter)
    }
    answer_schemas = {place: schema for place, schema in answer_schemas.items() if schema is not None}
    kind = ruling["declared"]["kind"]
    component_name = f"{system}_{kind}" if f"{system}_{kind}" in load_components(system).schemas else f"ledger_{kind}"
    narrowed_fields = {
        "kind": {"const": kind},
        **_make_choice_schemas(ruling["declared"], desk.make_words(matter.state)),
    }
    declaration_schema: Json = {
        "allOf": [{"$ref": SCHEMAS + component_name}, {"properties": narrowed_fields}],
        "title": "Declaration",
    }
    fields: Json = {"declare": declaration_schema}
    if answer_schemas:
        fields["answers"] = {**_make_record_schema(answer_schemas), "title": "Answers and table dice"}
    action = f"{desk.session.path}/rulings/{matter.number}/revise"
    return make_form(desk, matter.state, "", action, _make_record_schema(fields), _make_original_values(matter))


def _make_choice_schemas(declaration: Json, words: Words) -> Json:
    """Return the schema of a choice for each field that refers to one of the game's own records."""
    texts = {name: value for name, value in declaration.items() if isinstance(value, str)}
    choices_by_field = {name: words.things.get(words.fields.get(name, ""), {}) for name in texts}
    return {name: {"enum": [*choices]} for name, choices in choices_by_field.items() if texts[name] in choices}


def _list_replaceable_answers(matter: Matter) -> list[tuple[int, Json]]:
    """Return the answers that were not set aside, each with its index in the API's list of new answers."""
    return list(enumerate(answer for answer in matter.ruling["answers"] if not answer["set_aside"]))


def _make_original_values(matter: Matter) -> Json:
    """Return the original values of the form, without empty optional fields."""
    answers = {str(place): answer["answer"] for place, answer in _list_replaceable_answers(matter)}
    document: Json = _drop_nulls({"declare": matter.ruling["declared"], "answers": answers})
    return document


def _drop_nulls(value: Any) -> Any:
    """Return the value without nulls."""
    if isinstance(value, dict):
        return {name: _drop_nulls(inner_value) for name, inner_value in value.items() if inner_value is not None}
    return [_drop_nulls(inner_value) for inner_value in value] if isinstance(value, list) else value


def _make_record_schema(fields: Json) -> Json:
    return {"type": "object", "properties": fields, "required": list(fields)}


def _make_answer_schema(given_answer: Json, system: str) -> Json | None:
    """Return the schema of an answer, or None if a form cannot change it (such as a roll by the ledger)."""
    if given_answer["source"] == "ledger":
        return None
    ((kind, answer),) = given_answer["answer"].items()
    question = given_answer["question"]
    match kind:
        case "dice":
            face = {"type": "integer", "minimum": 1, "maximum": answer["sides"]}
            faces = {**_make_list_schema(face, answer["faces"], question), "title": "Die"}
            inner_schema = {
                **_make_record_schema({"sides": {"const": answer["sides"]}, "faces": faces}),
                "title": "Dice",
            }
        case "coins":
            inner_schema = _make_record_schema(
                {"coins": _make_list_schema({"enum": ["heads", "tails"]}, answer["coins"], question)}
            )
        case "choice":
            kinds = [choice["kind"] for choice in question.get("choices", ())]
            inner_schema = {
                "anyOf": [
                    {
                        "allOf": [
                            {"$ref": f"{SCHEMAS}{system}_choice_{choice_kind}"},
                            {"properties": {"kind": {"const": choice_kind}}},
                        ]
                    }
                    for choice_kind in kinds
                ]
            }
        case "drawn" | "shuffled":
            cards = list(dict.fromkeys([*question.get("cards", ()), *answer["cards"]]))
            fields = {"cards": _make_list_schema({"enum": cards}, answer["cards"], question)}
            inner_schema = _make_record_schema(fields)
        case _:
            return None
    return {**_make_record_schema({kind: inner_schema}), "title": question["text"]}


def _make_list_schema(item_schema: Json, given_items: list[Any], question: Json) -> Json:
    opens = question.get("opens")
    if opens is not None:
        return {"type": "array", "items": item_schema, "minItems": question["count"], "x-opens": opens}
    return {"type": "array", "items": item_schema, "minItems": len(given_items), "maxItems": len(given_items)}


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction: its differences in words, and the request to the API."""

    lines: list[Line]
    act: Act


def _make_correction(number: int, page_form: PageForm, inputs: CorrectionInputs, words: Words) -> Correction:
    untouched_values = forms.read_value(
        page_form.node, page_form.root, forms.fill_form(page_form.node, page_form.root, inputs.original_values)
    )
    current_values = page_form.read_json()
    patch = merge_patch(untouched_values["declare"], current_values["declare"])
    body: Json = {"reason": inputs.reason, "code": inputs.code, "settle": inputs.settle}
    lines = list_differences(untouched_values["declare"], current_values["declare"], words)
    old_answers, new_answers = untouched_values.get("answers", {}), current_values.get("answers", {})
    places = [int(place) for place, answer in new_answers.items() if answer != old_answers.get(place)]
    if patch:
        body["patch"] = patch
    if places:
        body["answers"] = [new_answers[str(place)] if place in places else None for place in range(max(places) + 1)]
    titles = {record_field.name: record_field.title for record_field in _find_form_part(page_form, "answers").fields}
    for place in places:
        differences = list_differences(
            _join_faces(old_answers.get(str(place), {})), _join_faces(new_answers[str(place)]), words
        )
        lines += [Line(titles[str(place)], line.before, line.after) for line in differences]
    return Correction(lines, Act(f"/rulings/{number}/revise", body))


def _find_form_part(page_form: PageForm, name: str) -> Record:
    """Return the part of the form with the declaration or the answers."""
    root_node = page_form.node
    fields = root_node.fields if isinstance(root_node, Record) else ()
    record = next((record_field.node for record_field in fields if record_field.name == name), None)
    return record if isinstance(record, Record) else Record(())


def _join_faces(answer: Json) -> Json:
    """Return the answer with its faces joined into one text."""
    dice = answer.get("dice")
    return {"faces": ", ".join(map(str, dice["faces"]))} if dice is not None else answer


async def _show_correction(
    desk: Desk,
    matter: Matter,
    page_form: PageForm,
    inputs: CorrectionInputs,
    *,
    notice: str | None = None,
    problem: Json | None = None,
    is_partial: bool = False,
    continuation: Continuation | None = None,
) -> Response:
    words = desk.make_words(matter.state)
    correction = _make_correction(matter.number, page_form, inputs, words)
    shown_preview = (
        await preview(desk, correction.act, matter.state, continuation)
        if correction.lines and matter.decides
        else Preview("", None, None)
    )
    shown_problem = problem if problem is not None else shown_preview.problem
    if shown_problem is not None:
        page_form = _add_problem(page_form, shown_problem)
    errors = collect_field_errors(problem, {})
    values: Json = {
        "matter": matter,
        "asked": page_form,
        "entered": inputs,
        "questions": _find_form_part(page_form, "answers") if inputs.asks_again else None,
        "declaration": _find_form_part(page_form, "declare"),
        "is_declaration_wrong": any(path.startswith("/declare") for path in page_form.errors),
        "lines": correction.lines,
        "look": shown_preview,
        "words": words,
        "notice": notice,
        "problem": problem if not errors and not page_form.errors else None,
        "errors": errors,
        "same": SAME,
        "what": "revise",
        "on_at": page_form.action,
        "before": continuation.shown_count if continuation is not None else 0,
    }
    if is_partial and continuation is not None and continuation.after and shown_preview.foreseen is not None:
        return desk.render_page("further.html.jinja", may_also=False, **values)
    if is_partial:
        paths = [path for path, _ in forms.walk(page_form.node, page_form.root, page_form.form) if path]
        return desk.render_page("correct_looked.html.jinja", places=paths, partial=True, **values)
    status = 422 if problem is not None else 409 if notice not in (None, CHOICES_CHANGED) else 200
    return desk.render_page("correct.html.jinja", status, name=matter.state["campaign"]["name"], **values)


def _add_problem(page_form: PageForm, problem: Json) -> PageForm:
    """Return the form with the problem shown at its field. The API's pointers have `patch` in place of `declare`."""
    errors = [
        {**error, "pointer": str(error["pointer"]).replace("/patch", "/declare", 1)}
        for error in problem.get("errors") or ()
    ]
    errors_by_field = mistakes.collect_errors(
        {**problem, "errors": errors}, page_form.node, page_form.root, page_form.form
    )
    if not errors_by_field:
        errors_by_field = mistakes.collect_errors(
            {**problem, "errors": ()}, _find_form_part(page_form, "declare"), "/declare", page_form.form
        )
    return replace(page_form, errors=errors_by_field)


@router.post("/rulings/{number}/revise")
async def submit_correction(request: Request, desk: Sitting, number: int) -> Response:
    """Preview the correction, or save it if its preview was already shown."""
    must_be_ours(request)
    posted_form, matter = await forms.read_form(request), await _load_matter_with_all_scenes(desk, number)
    page_form = restore_form(desk, matter.state, "", f"{desk.session.path}/rulings/{number}/revise", posted_form)
    reason, code, settle = (forms.get_field_text(posted_form, name) for name in ("reason", "code", "settle"))
    inputs = CorrectionInputs(
        reason,
        code if code in CODES else "entry",
        settle if settle == "rerule" else "flag",
        unpack_json(forms.get_field_text(posted_form, "was")),
        "again" in posted_form,
    )
    if (resized_form := resize_pressed_list(page_form)) is not None:
        return await _show_correction(desk, matter, resized_form, inputs)
    continuation = Continuation.parse(posted_form)
    if "look" in posted_form or continuation is not None:
        is_partial = request.headers.get("HX-Request-Type") == "partial"
        return await _show_correction(desk, matter, page_form, inputs, is_partial=is_partial, continuation=continuation)
    correction = _make_correction(number, page_form, inputs, desk.make_words(matter.state))
    answer = await carry_out(desk, correction.act, page_form.key, forms.get_field_text(posted_form, "seen"))
    if isinstance(answer, str):
        # the campaign may have changed meanwhile
        inputs = replace(inputs, original_values=_make_original_values(matter))
        return await _show_correction(desk, matter, page_form, inputs, notice=answer if correction.lines else None)
    if answer.status in (200, 202):
        return RedirectResponse(f"{desk.session.path}{find_next_path(number, answer)}", 303)
    return await _show_correction(desk, matter, page_form, inputs, problem=_find_problem(answer))


def _find_problem(answer: Answer) -> Json:
    if answer.status in (401, 404):
        raise Rejection(answer.status, answer.json)
    return answer.json
