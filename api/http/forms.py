"""Strict forms for the requests of each game, made from its classes. They report the place of every mistake.

A form is a pydantic model of a declaration, choice or sheet: no extra field, no coercion. Two games may share a kind,
so the campaign's game determines the form.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from functools import cache, cached_property
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, Strict, ValidationError, create_model

from api.http.domain_schemas import describe_integer, describe_type, find_sentence, find_title, make_field_type
from api.http.mistakes import list_mistakes
from api.http.problems import MOST_ERRORS, BadRequest, make_bad_request, make_bad_request_from_parser
from api.http.strict_json import MOST_NAMES, parse
from ledger.application import json_form, parser
from ledger.rules import systems
from ledger.rules.kernel import commands, facts, questions
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.declarations import find_fact_kind, find_kind
from ledger.rules.kernel.dials import check_dial
from ledger.rules.kernel.domains import MOST_TEXT, OPEN, load_marked_hints, split_marks
from ledger.rules.kernel.questions import Answer
from ledger.rules.kernel.refusals import Refused
from projections.documents.systems import get_docstring
from projections.redaction import Json

RECORDED = ConfigDict(extra="forbid", strict=True)  # older records may hold longer texts
SENT = ConfigDict(**RECORDED, str_max_length=MOST_TEXT)
FormClass = type[BaseModel]


def find_component_name(ruleset: AnyRuleset, cls: type[object]) -> str:
    """Return the name of the component that describes an input or a choice."""
    if cls in ruleset.choices:
        return f"{ruleset.name}_choice_{find_kind(cls)}"
    is_shared = cls in commands.INPUTS and cls is not commands.Enrol
    return f"{'ledger' if is_shared else ruleset.name}_{find_kind(cls)}"


class _Maker:
    """Makes the forms of one game's classes. `forms_by_class` holds the forms of the records within them."""

    def __init__(self, ruleset: AnyRuleset, config: ConfigDict) -> None:
        self.forms_by_class: dict[type[object], FormClass] = {}
        self._ruleset, self._config = ruleset, config

    def make_form(self, cls: type, name: str, kind: str | None) -> FormClass:
        replacements = {"sheet": self.make_nested_form(self._ruleset.sheet)} if cls is commands.Enrol else {}
        fields: dict[str, Any] = {} if kind is None else {"kind": (Literal[kind], ...)}
        hints = load_marked_hints(cls)
        for field in dataclasses.fields(cls):
            hint = replacements.get(field.name) or self._make_type(hints[field.name])
            marked_hint = hints[field.name]
            title, sentence = find_title(field.name, marked_hint), find_sentence(marked_hint)
            if sentence:  # otherwise the referenced schema has it
                hint = Annotated[hint, Field(description=sentence)]
            fields[field.name] = (hint, Field(default=_find_default(field), title=title))
        form_class: FormClass = create_model(
            name, __config__=self._config, __doc__=get_docstring(cls) or None, **fields
        )
        return form_class

    def make_nested_form(self, cls: type[object]) -> FormClass:
        if cls not in self.forms_by_class:
            self.forms_by_class[cls] = self.make_form(cls, f"{self._ruleset.name}_{cls.__name__}", None)
        return self.forms_by_class[cls]

    def _make_type(self, hint: object) -> Any:
        """Return the type of a field in JSON: lists for tuples, forms for dataclasses."""
        hint, marks = split_marks(hint)
        if get_origin(hint) in (Union, types.UnionType):
            parts = (Annotated[(part, *marks)] if marks and part is not type(None) else part for part in get_args(hint))
            return Union[tuple(map(self._make_type, parts))]  # noqa: UP007  (built at run time)
        is_limited, shape = self._config is SENT, self._make_shape(hint)
        if marks:
            make_type = make_field_type if shape is hint else describe_type
            return make_type(shape, marks, self._ruleset.references, is_limited=is_limited)
        if isinstance(hint, TypeVar) or hint in OPEN:
            return Any
        return describe_integer(is_limited) if hint is int else shape

    def _make_shape(self, hint: object) -> Any:
        """Return the form of a record, a list or an object with its contents. Return any other type unchanged."""
        origin, parts = get_origin(hint), get_args(hint)
        if dataclasses.is_dataclass(hint) and isinstance(hint, type):
            return self.make_nested_form(hint)
        if origin is frozenset or (origin is tuple and parts[-1] is Ellipsis):
            limit = MOST_NAMES if self._config is SENT else None
            return Annotated[list[self._make_type(parts[0])], Field(max_length=limit)]  # type: ignore[misc]
        if origin is tuple:
            return Annotated[tuple[tuple(self._make_type(part) for part in parts)], Strict(False)]  # type: ignore[misc]
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return dict[self._make_type(parts[0]), self._make_type(parts[1])]  # type: ignore[misc]
        return hint


class Forms:
    """The forms of one game. They are made for the OpenAPI document; parsing does not need them."""

    def __init__(self, ruleset: AnyRuleset) -> None:
        self.ruleset = ruleset

    @cached_property
    def forms_by_class(self) -> dict[type[object], FormClass]:
        """The forms of declarations, choices and the sheet, and of the records within them, by class."""
        maker = _Maker(self.ruleset, SENT)
        maker.make_nested_form(self.ruleset.sheet)
        for cls in (*commands.INPUTS, *self.ruleset.inputs, *self.ruleset.choices):
            maker.forms_by_class[cls] = maker.make_form(cls, find_component_name(self.ruleset, cls), find_kind(cls))
        return maker.forms_by_class

    @property
    def sheet(self) -> FormClass:
        return self.forms_by_class[self.ruleset.sheet]

    @property
    def inputs(self) -> dict[str, FormClass]:
        """The forms of declarations, by kind."""
        return {
            kind: self.forms_by_class[cls] for kind, cls in json_form.index_declaration_classes(self.ruleset).items()
        }

    @property
    def choices(self) -> dict[str, FormClass]:
        """The forms of choices, by kind."""
        return {find_kind(cls): self.forms_by_class[cls] for cls in self.ruleset.choices}

    @cached_property
    def facts(self) -> dict[type[object], FormClass]:
        """The forms of facts, by class. They only describe what is recorded: nobody sends a fact."""
        maker, prefix = _Maker(self.ruleset, RECORDED), f"{self.ruleset.name}_fact"
        fact_classes = (*facts.FACTS, *self.ruleset.facts)
        return {
            cls: maker.make_form(cls, f"{prefix}_{find_fact_kind(cls).rpartition('@')[0]}", None)
            for cls in fact_classes
        }

    def make_reference(self, cls: type[object]) -> str:
        """Return the path of a declaration's schema in the OpenAPI document."""
        return f"/openapi.json#/components/schemas/{find_component_name(self.ruleset, cls)}"

    # --- parsing ---

    def parse_input(self, document: Json, pointer: str = "/declare") -> Any:
        """Return the declaration in the document. Raise BadRequest with every mistake and its place, or Malformed for
        an unknown kind.
        """
        cls = json_form.find_record_class(json_form.index_declaration_classes(self.ruleset), document, "input")
        return parse_record(cls, document, pointer, {"sheet": self.ruleset.sheet} if cls is commands.Enrol else {})

    def parse_answer(self, document: Json, pointer: str) -> Answer:
        """Return an answer that somebody at the table gave. Raise the same errors as `parse_input`."""
        name = next(iter(document), "")
        if name in ANSWERS and len(document) == 1:
            _must_fit_form(ANSWERS[name], document, pointer)
        choice = document[name] if name == "choice" and len(document) == 1 else None
        if isinstance(choice, dict):
            cls = json_form.find_record_class(json_form.index_choice_classes(self.ruleset), choice, "choice")
            return questions.Choice(parse_record(cls, choice, f"{pointer}/choice"))
        return json_form.answer_from_json(self.ruleset, document)

    def parse_dial(self, name: str, value: str) -> tuple[str, Any]:
        """Return an option and its value from a query. The value is read as JSON, or as text if the option does not
        allow it as JSON.
        """
        try:
            parsed_value = parse(value.encode())
            check_dial(self.ruleset, name, parsed_value)
        except (BadRequest, Refused):
            parsed_value = value
        return name, parsed_value


def parse_record(
    cls: type[object], document: Json, pointer: str, replacements: Mapping[str, object] | None = None
) -> Any:
    """Return the record of this kind that the document describes. Raise BadRequest with every mistake in it."""
    try:
        return parser.parse(
            cls, {name: value for name, value in document.items() if name != "kind"}, pointer, replacements
        )
    except parser.Mistaken as problem:
        raise make_bad_request_from_parser(problem) from None


def _find_default(field: dataclasses.Field[object]) -> Any:
    if field.default is not dataclasses.MISSING:
        return json_form.to_json(field.default)
    if field.default_factory is not dataclasses.MISSING:
        return json_form.to_json(field.default_factory())
    return ...


def _must_fit_form(form_class: FormClass, value: Json, pointer: str) -> None:
    try:
        form_class.model_validate(value)
    except ValidationError as problem:
        errors = problem.errors(include_url=False)
        raise make_bad_request(list_mistakes(errors[:MOST_ERRORS], pointer), len(errors)) from None


def _make_answer_forms() -> dict[str, FormClass]:
    """Return the forms of dice, cards, orders and coins that people type in."""
    source: Any = (Literal["table"], "table")
    limited_field = Field(max_length=MOST_NAMES)
    fields_by_name: dict[str, dict[str, Any]] = {
        "dice": {"sides": (int, ...), "faces": (list[int], limited_field)},
        "cards": {"cards": (list[str], limited_field)},
        "order": {"cards": (list[str], limited_field)},
        "coins": {"coins": (list[Literal["heads", "tails"]], limited_field)},
    }
    form_class_by_name: dict[str, FormClass] = {}
    for name, fields in fields_by_name.items():
        content_class: FormClass = create_model(f"said_{name}", __config__=SENT, **fields, source=source)
        wrapper_fields: dict[str, Any] = {name: (content_class, ...)}
        form_class_by_name[name] = create_model(f"answer_{name}", __config__=SENT, **wrapper_fields)
    return form_class_by_name


ANSWERS = _make_answer_forms()
assert set(ANSWERS) == set(json_form.ANSWER_CLASSES), "every answer has a form"
assert questions.Choice not in json_form.ANSWER_CLASSES.values()


@cache
def load_forms(system: str) -> Forms:
    return Forms(systems()[system])


def list_schemas(system: str) -> dict[type[object], Json]:
    """Return a JSON Schema for each class. No schema refers to another."""
    forms = load_forms(system)
    return {cls: form.model_json_schema() for cls, form in (forms.forms_by_class | forms.facts).items()}
