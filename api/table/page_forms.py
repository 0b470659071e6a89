"""Forms that are made from a schema."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from api.table import forms, mistakes
from api.table.client import Json, Rejection
from api.table.form_tokens import make_key, must_be_shown
from api.table.forms import Form
from api.table.nodes import Node, RecordField
from api.table.pages import Desk

DECLARED, ANSWERED = "/declare", "/answer"
LITTLE = 3  # fields
MOST_SCHEMA = 2_000_000  # bytes, unpacked


@dataclass(frozen=True, slots=True)
class PageForm:
    """A form.

    `root`: the pointer of the value that is sent. `packed`: the schema, which the form carries. The values are read
    with this schema, even if the campaign has changed since. `form`: the values in the fields. `waits`: whether the
    only problem is that fields are still empty.
    """

    root: str
    action: str
    node: Node
    packed: str
    token: str
    key: str
    form: Form
    errors: dict[str, str] = field(default_factory=dict)
    problem: Json | None = None
    waits: bool = False

    def value(self, path: str) -> str:
        return forms.get_field_text(self.form, path)

    def values(self, path: str) -> list[str]:
        return self.form.get(path, [])

    def has_content(self, fields: Iterable[RecordField], path: str) -> bool:
        """Return whether one of these fields has a value or an error."""
        field_paths = [forms.join_path(path, field.name) for field in fields]
        filled_names = (name for name, texts in self.form.items() if any(texts) and name[-1] not in "#=")
        return any(
            name.startswith(field_path) and name[len(field_path) : len(field_path) + 1] in ("", "/", "|", "?")
            for name in (*self.errors, *filled_names)
            for field_path in field_paths
        )

    def should_fold(self, optional_fields: Sequence[RecordField]) -> bool:
        """Return whether there are enough optional fields to fold them away."""
        return len(optional_fields) > LITTLE

    def should_open(self, optional_fields: Sequence[RecordField], path: str) -> bool:
        """Return whether to show folded fields open, because one has a value or an error, or the form was rejected."""
        return self.has_content(optional_fields, path) or (path == self.root and self.problem is not None)

    def read_json(self) -> Any:
        """Return the JSON of the values in the form."""
        return forms.read_value(self.node, self.root, self.form)


def make_form(desk: Desk, state: Json, root: str, action: str, schema: Json, value: Any = forms.MISSING) -> PageForm:
    """Return the form for a schema, empty or filled in with `value`."""
    node = desk.make_node_maker(state).make_node(schema, {})
    packed = pack_json(schema)
    form = forms.fill_form(node, root, value)
    return PageForm(root, action, node, packed, desk.make_token(_name_purpose(action, packed)), make_key(), form)


def restore_form(desk: Desk, state: Json, root: str, action: str, form: Form) -> PageForm:
    """Return the form as it was sent.

    Raise Rejection (403) if it was not made for this session.
    """
    packed, token = forms.get_field_text(form, "schema"), forms.get_field_text(form, "token")
    must_be_shown(desk.ledger.keys, desk.session, _name_purpose(action, packed), token)
    node = desk.make_node_maker(state).make_node(unpack_json(packed), {})
    return PageForm(root, action, node, packed, token, forms.get_field_text(form, "key"), form)


def add_problem(page_form: PageForm, problem: Json) -> PageForm:
    """Return the form with the problem shown at its fields. If choices were left open, report only these."""
    form_parts = (page_form.node, page_form.root, page_form.form)
    open_choices = mistakes.collect_open_choices(*form_parts) if problem.get("status") == 422 else {}
    if open_choices and all(error.get("type") == "missing" for error in problem.get("errors") or ()):
        names = mistakes.name_fields(open_choices, *form_parts)
        missing_problem = {**problem, "detail": f"Still missing: {names}." if names else mistakes.NOTHING}
        return replace(page_form, errors=open_choices, problem=missing_problem)
    return replace(page_form, errors=mistakes.collect_errors(problem, *form_parts), problem=problem)


def warn_of_blanks(page_form: PageForm) -> PageForm | None:
    """Return the form with a warning about fields that were probably left empty by mistake, or None.

    If the same fields are still empty when the form is sent again, there is no second warning.
    """
    form_parts = (page_form.node, page_form.root, page_form.form)
    blank_paths = mistakes.list_blank_fields(*form_parts)
    if set(blank_paths) <= set(page_form.values("sure")):
        return None
    open_choices = mistakes.collect_open_choices(*form_parts)
    if missing_names := mistakes.name_fields(open_choices, *form_parts):
        blank_errors = {path: mistakes.EMPTY for path in blank_paths if path not in open_choices}
        blank_names = mistakes.name_fields(blank_errors, *form_parts)
        detail = f"Still missing: {missing_names}." + (f" You also left {blank_names} blank." if blank_names else "")
        return replace(page_form, errors=open_choices | blank_errors, problem={"detail": detail})
    names = mistakes.name_fields(blank_paths, *form_parts)
    problem = {"detail": f"You left {names} blank. If you meant to, send the form again."}
    form = {**page_form.form, "sure": blank_paths}
    return replace(page_form, form=form, errors=dict.fromkeys(blank_paths, mistakes.EMPTY), problem=problem)


def refuse_blank(page_form: PageForm, problem: Json) -> PageForm | None:
    """If the rules refused a blank text, return the form with the problem at its field, else None."""
    code = str(problem.get("code", ""))
    path = forms.join_path(page_form.root, code.removesuffix("-blank"))
    if not code.endswith("-blank") or path not in mistakes.list_blank_fields(
        page_form.node, page_form.root, page_form.form
    ):
        return None
    return replace(page_form, errors={path: mistakes.NEEDED}, problem=problem)


def make_question_form(desk: Desk, declaration: Json, state: Json) -> PageForm:
    """Return the form that answers a question of a waiting declaration."""
    action = f"{desk.session.path}/waiting/{declaration['id']}{declaration['query']}"
    return make_form(desk, state, ANSWERED, action, declaration["answer_schema"])


def is_typed_by(declaration: Json, seat_id: str) -> bool:
    """Return whether this seat has to enter the faces of its own dice."""
    question = declaration["question"] or {}
    asked_seat = question.get("asked") or {}
    return declaration["dice"] == "table" and question.get("ask") == "roll" and asked_seat.get("seat") == seat_id


@dataclass(frozen=True, slots=True)
class QuestionName:
    """The name of a question: its slot and the seat asked. An empty name means the first question."""

    slot: str = ""
    asked: str = ""

    @property
    def query(self) -> str:
        return f"?{urlencode(self.fields)}" if self.fields else ""

    @property
    def fields(self) -> dict[str, str]:
        """The fields that name the question in its answer."""
        return {name: value for name, value in (("slot", self.slot), ("asked", self.asked)) if value}


def name_question(declaration: Json, question: Json | None) -> QuestionName:
    """Return the name of a question. A declaration's only question has an empty name."""
    is_only_question = len(declaration["awaited"]) < 2 and not declaration["others"]
    return QuestionName() if question is None or is_only_question else QuestionName(question["slot"], question["seat"])


def list_questions(declaration: Json) -> list[Json]:
    """Return a copy of the declaration for each of its open questions, in order. `query` names the question in an
    address.
    """
    return [
        _replace_question(declaration, entry)
        for entry in (declaration, *declaration["others"])
        if not entry.get("answered")
    ]


def is_seat_asked(waiting: Json, seat: Json) -> bool:
    """Return whether the waiting question is for this seat."""
    question = waiting["question"]
    asked_seat = question["asked"] if question is not None else None
    if asked_seat is None or waiting["answer_schema"] is None:
        return False
    return bool(asked_seat["seat"] == seat["id"] or (asked_seat["seat"] == "gm" and seat["role"] == "gm"))


def choose_question(declaration: Json, name: QuestionName) -> Json:
    """Return the declaration with the question of this name, or with its first question if there is no such
    question.
    """
    candidates = [_replace_question(declaration, entry) for entry in (declaration, *declaration["others"])]
    return next((candidate for candidate in candidates if candidate["query"] == name.query), candidates[0])


def _replace_question(declaration: Json, entry: Json) -> Json:
    return {**declaration, **entry, "query": name_question(declaration, entry["question"]).query}


def _name_purpose(action: str, packed: str) -> str:
    return f"{action} {hashlib.sha256(packed.encode()).hexdigest()}"


def pack_json(document: Json) -> str:
    json_bytes = json.dumps(document, separators=(",", ":"), sort_keys=True).encode()
    return base64.urlsafe_b64encode(zlib.compress(json_bytes, 6)).decode()


def unpack_json(packed: str) -> Json:
    """Return the document that `pack_json` packed. Check the token of the form before you call this."""
    try:
        decompressor = zlib.decompressobj()
        schema: Json = json.loads(decompressor.decompress(base64.urlsafe_b64decode(packed), MOST_SCHEMA))
    except (ValueError, zlib.error):
        raise Rejection(
            400, {"title": "Incomplete form", "detail": "The form arrived incomplete. Nothing was saved."}
        ) from None
    return schema


def resize_pressed_list(page_form: PageForm) -> PageForm | None:
    """If a button to add or remove a list item was pressed, return the form with that change, else None."""
    for button, by in (("more", 1), ("less", -1)):
        if path := forms.get_field_text(page_form.form, button):
            form = forms.resize_list(page_form.node, page_form.root, page_form.form, path, by)
            return replace(page_form, form={name: value for name, value in form.items() if name != button})
    return None
