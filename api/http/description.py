"""What the service says of itself: its OpenAPI document, as people read it and programs are made from it.

What makers of clients do not understand is said otherwise: unions are told apart by a tag, or have a component for each
of their parts; what is taken for a field left out stands in words, because `default` makes some ask for the field.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter
from pydantic.json_schema import models_json_schema

from api.http.forms import ANSWERS, Form, forms_of
from api.http.problems import Problem
from api.http.schemas import LATER
from ledger.rules import systems
from projections.documents.shape import EXAMPLES
from projections.redaction import Json

REF = "#/components/schemas/{model}"


class Words:
    """The schemas of every system's words, and the unions over them: `AnyInput` of all, `mongrel_AnyInput` of one."""

    def __init__(self) -> None:
        every = [forms_of(name) for name in systems()]
        sheets = {forms.ruleset.name: forms.sheet for forms in every}
        spoken = [form for forms in every for form in (*forms.inputs.values(), *forms.choices.values())]
        said = [*_once(spoken), *sheets.values(), *ANSWERS.values()]
        named, whole = models_json_schema([(form, "validation") for form in said], ref_template=REF)
        self.schemas: dict[str, Json] = dict(whole.get("$defs", {}))
        self._named = {form.__name__: named[form, "validation"] for form in said}
        inputs = {forms.ruleset.name: forms.inputs for forms in every}
        choices = {forms.ruleset.name: forms.choices for forms in every if forms.choices}
        self._tell("AnyInput", "What can be declared", inputs)
        self._tell("AnyChoice", "What can be chosen where a ruling asks", choices)
        self._add("AnySheet", "A character's sheet, in the form of the campaign's system", self._refer(sheets.values()))
        self.schemas["answer_choice"] = {
            "title": "answer_choice", "type": "object", "properties": {"choice": _ref("AnyChoice")},
            "required": ["choice"], "additionalProperties": False,
        }  # fmt: skip
        answers = [*self._refer(ANSWERS.values()), _ref("answer_choice")]
        self._add("AnyAnswer", "The answer to a question: dice, cards or coins as they fell, or a choice", answers)

    def _tell(self, name: str, about: str, spoken: Mapping[str, Mapping[str, Form]]) -> None:
        """A union for each system, whose members their kind tells apart; and one of all, where kinds repeat."""
        for system, forms in spoken.items():
            members = {kind: self._named[form.__name__] for kind, form in forms.items()}
            self.schemas[f"{system}_{name}"] = {
                "title": f"{system}_{name}",
                "description": f"{about} at a table of {systems()[system].title}, by its `kind`.",
                "oneOf": list(members.values()),
                "discriminator": {
                    "propertyName": "kind",
                    "mapping": {kind: member["$ref"] for kind, member in members.items()},
                },
            }
        self._add(name, f"{about}, in the words of the campaign's system", [_ref(f"{one}_{name}") for one in spoken])

    def _add(self, name: str, about: str, members: Sequence[Json]) -> None:
        self.schemas[name] = {"title": name, "description": f"{about}.", "anyOf": members or [{"type": "object"}]}

    def _refer(self, forms: Iterable[Form]) -> list[Json]:
        return [self._named[form.__name__] for form in forms]


def describe(app: FastAPI, about: str, words: Words) -> dict[str, Any]:
    """The document: every input of every system, every answer, the shape of problems."""
    document: dict[str, Any] = get_openapi(title=app.title, version=app.version, description=about, routes=app.routes)
    schemas: dict[str, Any] = document.setdefault("components", {}).setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    schemas |= words.schemas
    for name in schemas.keys() & EXAMPLES.keys():
        schemas[name]["examples"] = [EXAMPLES[name]]
    problem = TypeAdapter(Problem).json_schema(ref_template=REF)
    schemas |= problem.pop("$defs")
    schemas["Problem"] = problem
    _put_references(document)
    for schema in schemas.values():
        _say_defaults(schema)
    if systems_here := sorted(systems()):
        schemas["OpenCampaign"]["properties"]["system"]["enum"] = systems_here
        schemas["OpenCampaign"]["examples"][0]["system"] = systems_here[0]
    return document


def _ref(name: str) -> Json:
    return {"$ref": REF.format(model=name)}


def _once(forms: Iterable[Form]) -> list[Form]:
    """The kernel's own inputs have a form in each system, all alike: one a name."""
    return list({form.__name__: form for form in forms}.values())


def _put_references(node: object) -> None:
    """Put the references that were left for later."""
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        if isinstance(inner, dict) and LATER in inner:
            component = inner[LATER]
            inner.clear()
            inner.update(_ref(component))
        _put_references(inner)


def _say_defaults(schema: dict[str, Any]) -> None:
    """Of an object's fields, in words; nothing of null, which is left out by saying nothing."""
    for field in schema.get("properties", {}).values():
        value = field.pop("default", None)
        if value is not None:
            told = f"Left out: `{json.dumps(value, ensure_ascii=False)}`."
            field["description"] = f"{field.get('description', '')} {told}".strip()
