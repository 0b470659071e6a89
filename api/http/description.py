"""The OpenAPI document of the service, for people and for client generators.

Some generators don't understand a union unless its members have a tag or are components. Some require every field that
has a `default`, so defaults are described in words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

from api.http.components import REF, describe_defaults, load_components
from api.http.described import Described
from api.http.forms import ANSWERS
from api.http.problems import Problem
from api.http.schemas import LATER
from ledger.rules import systems
from projections.documents.shape import EXAMPLES
from projections.redaction import Json


class Words:
    """The schemas of every game's declarations, choices and sheets, and their unions: `AnyInput` for all games,
    `<game>_AnyInput` for one game.
    """

    def __init__(self) -> None:
        components_by_game = {name: load_components(name) for name in systems()}
        named_schemas = [pair for components in components_by_game.values() for pair in components.schemas.items()]
        # some declarations are in every game: keep the copy that has examples
        named_schemas.sort(key=lambda pair: (pair[0], "examples" in pair[1]))
        self.schemas: dict[str, Json] = dict(named_schemas)
        self._add_unions(
            "AnyInput",
            "What a seat can declare",
            {name: components.inputs for name, components in components_by_game.items()},
        )
        choices_by_game = {
            name: components.choices for name, components in components_by_game.items() if components.choices
        }
        self._add_unions("AnyChoice", "A choice that answers a question", choices_by_game)
        sheet_refs = [components.sheet for components in components_by_game.values()]
        self._add_any_of("AnySheet", "A character's sheet. Its fields depend on the campaign's game", sheet_refs)
        self.schemas["answer_choice"] = {
            "title": "answer_choice",
            "type": "object",
            "properties": {"choice": _make_ref("AnyChoice")},
            "required": ["choice"],
            "additionalProperties": False,
        }
        answer_refs = [_make_ref(form_class.__name__) for form_class in ANSWERS.values()] + [_make_ref("answer_choice")]
        self._add_any_of(
            "AnyAnswer", "The answer to a question: dice, cards, an order, coins, or a choice", answer_refs
        )

    def _add_unions(self, name: str, description: str, members_by_game: Mapping[str, Mapping[str, Json]]) -> None:
        """Add a union for each game, and a union for all games. Only the union for all games can have several members
        of one kind.
        """
        for system, members in members_by_game.items():
            self.schemas[f"{system}_{name}"] = {
                "title": f"{system}_{name}",
                "description": f"{description} in a {systems()[system].title} campaign. `kind` says which schema"
                " applies.",
                "oneOf": list(members.values()),
                "discriminator": {
                    "propertyName": "kind",
                    "mapping": {kind: member["$ref"] for kind, member in members.items()},
                },
            }
        self._add_any_of(
            name,
            f"{description}. The campaign's game says which schema applies",
            [_make_ref(f"{system}_{name}") for system in members_by_game],
        )

    def _add_any_of(self, name: str, description: str, members: Sequence[Json]) -> None:
        self.schemas[name] = {"title": name, "description": f"{description}.", "anyOf": members or [{"type": "object"}]}


def describe_api(app: FastAPI, description: str) -> dict[str, Any]:
    """Return the OpenAPI document with every declaration of every game, every answer, and the shape of problems."""
    routes = [route.build_with_models() if isinstance(route, Described) else route for route in app.routes]
    document: dict[str, Any] = get_openapi(title=app.title, version=app.version, description=description, routes=routes)
    schemas: dict[str, Any] = document.setdefault("components", {}).setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    schemas |= {name: title_fields_by_name(schema) for name, schema in Words().schemas.items()}
    for name in schemas.keys() & EXAMPLES.keys():
        schemas[name]["examples"] = [EXAMPLES[name]]
    problem_schema = TypeAdapter(Problem).json_schema(ref_template=REF)
    schemas |= problem_schema.pop("$defs")
    schemas["Problem"] = problem_schema
    _put_references(document)
    for schema in schemas.values():
        describe_defaults(schema)
    if systems_here := sorted(systems()):
        schemas["OpenCampaign"]["properties"]["system"]["enum"] = systems_here
        schemas["OpenCampaign"]["examples"][0]["system"] = systems_here[0]
    return document


def title_fields_by_name(schema: Any) -> Json:
    """Return the schema with each field's name as its title, because client generators name classes after titles."""
    fields = {
        name: {**field, "title": name.replace("_", " ").capitalize()} if "title" in field else field
        for name, field in schema.get("properties", {}).items()
    }
    return {**schema, "properties": fields} if fields else schema


def _make_ref(name: str) -> Json:
    return {"$ref": REF.format(model=name)}


def _put_references(node: object) -> None:
    """Fill in the references to components that did not exist yet."""
    for part in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        if isinstance(part, dict) and LATER in part:
            component_name = part[LATER]
            part.clear()
            part.update(_make_ref(component_name))
        _put_references(part)
