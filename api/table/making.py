"""Make a character step by step. The form carries all choices so far, and nothing is stored before the end."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from markupsafe import Markup

from api.table import forms, presentations
from api.table.client import Json, Rejection
from api.table.form_tokens import make_key, must_be_ours, must_be_shown, read_key
from api.table.forms import Form
from api.table.maker_bench import Bench, Foreseen, run_with_bench
from api.table.maker_choices import ShownField
from api.table.maker_steps import Step, load_steps, read_ending
from api.table.pages import NOWHERE, Desk, PageRoute, Sitting
from api.table.plain_forms import find_refusal
from api.table.ready import summarize_sheet
from api.table.setting_up import choose_next_seat, find_own_seat, list_seats_to_play
from ledger.rules.kernel.domains import MOST_NAME, MOST_TEXT
from ledger.rules.kernel.making import Budget

router = APIRouter(prefix="/table/{campaign}/{seat}/start/make", include_in_schema=False, route_class=PageRoute)
NOT_NOW = "That is no longer possible. Choose again."
ONWARD = ("next", "end")  # the buttons to the next step and to the final page
LINK = re.compile(r'(<a\b[^>]*?) href="[^"]*"')


@dataclass(frozen=True, slots=True)
class Made:
    """An unfinished character in a form. `at`: the index of the step, or of the final page after the last step.
    `was_at_end`: whether the final page was shown before.
    """

    name: str
    sheet: Mapping[str, Any]
    seat: str
    at: int
    was_at_end: bool = False

    @property
    def packed(self) -> str:
        return json.dumps({"name": self.name, "sheet": self.sheet})


@dataclass(frozen=True, slots=True)
class View:
    """The contents of the page. `steps`: all steps at this table. `missing`: choices still to make. `problem`: why the
    last change was not made. `typed`: the texts of new items that are not added yet, by field name.
    """

    made: Made
    steps: Sequence[Step]
    fields: list[ShownField]
    budgets: list[Budget]
    missing: list[str]
    can_fill_in: bool
    problem: str = ""
    foreseen: Foreseen | None = None
    typed: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_spent(self) -> bool:
        """Return whether the step's points are used up. If so, the page gives no reasons why choices are not
        possible.
        """
        return bool(self.budgets) and all(str(budget.spent) == str(budget.limit) for budget in self.budgets)


def _name_purpose(packed: str) -> str:
    """Return the purpose of a form that carries this character. The form's token is valid only for this purpose, so
    nobody can replace the character.
    """
    return f"make {hashlib.sha256(packed.encode()).hexdigest()}"


async def _read_form(request: Request, desk: Desk) -> Form:
    """Return the fields of a form. Raise Rejection (403) if the form was not made for this session and this
    character.
    """
    must_be_ours(request)
    form = await forms.read_form(request)
    purpose = _name_purpose(forms.get_field_text(form, "made"))
    must_be_shown(desk.ledger.keys, desk.session, purpose, forms.get_field_text(form, "token"))
    return form


async def _load_state_and_player(desk: Desk, wanted_seat_id: str) -> tuple[Json, str]:
    """Return the state, and the seat that will play the character: the wanted seat, or the next one without a
    character.

    Raise Rejection (403, 404) if the reader can't make a character.
    """
    state = await desk.client.get("/state")
    me = find_own_seat(desk, state)
    if me["role"] == "observer":
        raise Rejection(403, {"title": "Players only", "detail": "An observer can't play characters."})
    if not load_steps(state["campaign"]["system"]):
        raise Rejection(404, NOWHERE)
    possible_seat_ids = [possible_seat["id"] for possible_seat in list_seats_to_play(state, me)]
    return state, wanted_seat_id if wanted_seat_id in possible_seat_ids else choose_next_seat(state, me)


@router.get("")
async def show_first_step(desk: Sitting) -> Response:
    state, player = await _load_state_and_player(desk, "")
    view = await run_with_bench(desk, player, lambda bench: _make_view(bench, Made("", {}, player, 0)))
    return _render(desk, state, view, is_new=True)


@router.post("")
async def take_step(request: Request, desk: Sitting) -> Response:
    """Apply the typed texts and the pressed button, and show the next page. The last button enrols the character."""
    form = await _read_form(request, desk)
    key = read_key(forms.get_field_text(form, "key"))
    state, player = await _load_state_and_player(desk, forms.get_field_text(form, "seat"))
    view = await run_with_bench(
        desk, player, lambda bench: _apply_form(bench, _read_made(form, player, len(bench.workshop.steps)), form)
    )
    if "enrol" in form and view.foreseen is not None and not view.foreseen.why:
        body = {"name": view.made.name.strip(), "seat": player, "sheet": view.foreseen.sheet}
        answer = await desk.client.post("/characters", body, key)
        if (problem := find_refusal(answer)) is not None:
            return _render(desk, state, replace(view, problem=problem), key, answer.status)
        if answer.status == 202:
            return RedirectResponse(f"{desk.session.path}/?waiting={answer.json['id']}", 303)
        is_gm = find_own_seat(desk, state)["role"] == "gm"
        return RedirectResponse(
            f"{desk.session.path}/{'start/characters' if is_gm else ''}?ruling={answer.json['number']}", 303
        )
    return _render(desk, state, view, key, 422 if view.problem else 200)


def _read_made(form: Form, player: str, last_place: int) -> Made:
    """Return the character that the form carries."""
    document = json.loads(forms.get_field_text(form, "made"))
    place = min(_read_number(form, "at", 0), last_place)
    return Made(document["name"], document["sheet"], player, place, was_at_end="was_at_end" in form)


def _read_number(form: Form, name: str, default: int) -> int:
    text = forms.get_field_text(form, name).partition(" ")[0]
    return int(text) if re.fullmatch("[0-9]{1,3}", text, re.ASCII) else default


def _apply_form(bench: Bench, made: Made, form: Form) -> View:
    """Apply the typed texts and the pressed button, and return the new contents of the page."""
    workshop, steps = bench.workshop, bench.workshop.steps
    made = _take_texts(bench, made, form)
    typed_texts = {
        name: text for name, texts in form.items() if name.startswith("new/") and (text := texts[-1].strip())
    }
    go = forms.get_field_text(form, "go")
    if made.at >= len(steps) or (go not in ONWARD and not {"add", "press", "fill"} & form.keys()):
        new_place = made.at - 1 if go == "back" else _read_number(form, "go", made.at)
        view = _make_view(bench, replace(made, at=min(max(new_place, 0), made.at)))
        return replace(view, typed=typed_texts) if new_place == made.at else view
    step, problem = steps[made.at], ""
    if "press" in form and step.holds(place := _read_number(form, "press", -1)):
        pressed_values = workshop.find_pressed_values(
            made.sheet, step, place, forms.get_field_text(form, "press").partition(" ")[2]
        )
        sheet, problem = (
            workshop.choose(made.sheet, pressed_values, place) if pressed_values is not None else (made.sheet, NOT_NOW)
        )
        made = replace(made, sheet=sheet)
    elif "fill" in form:
        made = replace(made, sheet=workshop.fill_in(made.sheet, step))
    elif "add" in form:
        made, typed_texts, problem = _add_item(bench, step, made, typed_texts, _read_number(form, "add", -1))
    elif go in ONWARD:
        for place in sorted({_read_place(name) for name in typed_texts}):
            if not problem:
                made, typed_texts, problem = _add_item(bench, step, made, typed_texts, place)
        missing_titles = workshop.list_missing_words(made.name, made.sheet, step) + workshop.list_missing_choices(
            made.sheet, step
        )
        problem = problem or (f"Still to choose: {', '.join(missing_titles)}." if missing_titles else "")
        problem = problem or workshop.explain_refusal(made.name, made.sheet) or ""
        next_place = len(steps) if go == "end" and made.was_at_end else made.at + 1
        made = made if problem else replace(made, at=next_place)
    return replace(_make_view(bench, made, problem), typed=typed_texts)


def _add_item(
    bench: Bench, step: Step, made: Made, typed_texts: dict[str, str], place: int
) -> tuple[Made, dict[str, str], str]:
    """Add an item to the list in the field at `place`. Return the character, the remaining typed texts, and the problem
    or "".
    """
    if not step.holds(place):
        return made, typed_texts, ""
    prefix = f"new/{place}/"
    values = {name.removeprefix(prefix): text for name, text in typed_texts.items() if name.startswith(prefix)}
    sheet, problem = bench.workshop.add_item(made.sheet, place, values)
    texts_elsewhere = {name: text for name, text in typed_texts.items() if not name.startswith(prefix)}
    return replace(made, sheet=sheet), typed_texts if problem else texts_elsewhere, problem


def _read_place(name: str) -> int:
    """Return the index in the name of a new item's field, or -1 for any other name."""
    match = re.fullmatch("new/([0-9]{1,3})/.*", name, re.ASCII)
    return int(match[1]) if match else -1


def _take_texts(bench: Bench, made: Made, form: Form) -> Made:
    """Return the character with the texts typed into the step's fields."""
    steps = bench.workshop.steps
    if made.at >= len(steps):
        return made
    name = forms.get_field_text(form, "name")[:MOST_NAME] if "name" in form else made.name
    texts = {
        path: forms.get_field_text(form, f"/{path}")[:MOST_TEXT].strip() or None
        for path in bench.workshop.list_text_paths(made.sheet, steps[made.at])
        if f"/{path}" in form
    }
    return replace(made, name=name, sheet=bench.workshop.write(made.sheet, texts))


def _make_view(bench: Bench, made: Made, problem: str = "") -> View:
    workshop, steps = bench.workshop, bench.workshop.steps
    if made.at >= len(steps):
        budgets_by_title = {
            budget.title: budget for step in steps for budget in workshop.count_budgets(made.sheet, step)
        }
        unspent_budgets = [
            budget
            for budget in budgets_by_title.values()
            if budget.limit is not None and str(budget.spent) != str(budget.limit)
        ]
        foreseen = bench.foresee(made.name, made.sheet)
        made = replace(made, was_at_end=True)
        return View(made, steps, [], unspent_budgets, [], can_fill_in=False, problem=problem, foreseen=foreseen)
    step = steps[made.at]
    return View(
        made,
        steps,
        workshop.show_fields(made.sheet, step),
        workshop.count_budgets(made.sheet, step),
        workshop.list_missing_choices(made.sheet, step),
        workshop.can_fill_in(made.sheet, step),
        problem,
    )


def _render(
    desk: Desk,
    state: Json,
    view: View,
    key: str = "",
    status: int = 200,
    *,
    is_new: bool = False,
) -> Response:
    """Show the step. `is_new`: nothing is chosen yet, so the browser may restore a character that it kept."""
    me, words = find_own_seat(desk, state), desk.make_words(state)
    return desk.render_page(
        "setup/make.html.jinja",
        status,
        name=state["campaign"]["name"],
        steps=view.steps,
        step=view.steps[view.made.at] if view.made.at < len(view.steps) else None,
        view=view,
        is_new=is_new,
        seats=list_seats_to_play(state, me),
        is_gm=me["role"] == "gm",
        me=me,
        most_name=MOST_NAME,
        most_text=MOST_TEXT,
        stamp=desk.make_token(_name_purpose(view.made.packed)),
        card=_draw_card(desk, state, view.foreseen),
        summary=summarize_sheet(view.foreseen.sheet, words) if view.foreseen is not None else None,
        ending=read_ending(state["campaign"]["system"]),
        form_key=key or make_key(),
    )


def _draw_card(desk: Desk, state: Json, foreseen: Foreseen | None) -> Markup | None:
    """Return the sheet as the table would show it. Its links are removed, because they would lead nowhere yet."""
    if foreseen is None or foreseen.character is None:
        return None
    state_with_character = {**state, "characters": [*state["characters"], foreseen.character]}
    words = desk.make_words(state_with_character)
    system = state["campaign"]["system"]
    presenter = presentations.Presenter(system, desk.session.path, state_with_character, words, (), desk.session.seat)
    drawn_sheet = presenter.sheet(foreseen.character)
    return Markup(LINK.sub(r"\1", str(drawn_sheet))) if drawn_sheet is not None else None
