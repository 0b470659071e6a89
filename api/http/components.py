"""One game's declarations, choices and answers as components of the OpenAPI document.

The page makes its forms from the components of one game. The OpenAPI document has the components of all games.
"""

from __future__ import annotations

import json
from collections import defaultdict
from functools import cache
from typing import Any

from pydantic import ValidationError
from pydantic.json_schema import models_json_schema

from api.http.examples import Names, list_examples_by_kind
from api.http.forms import ANSWERS, FormClass, Forms, load_forms
from ledger.application import json_form
from projections.redaction import Json

#: The ids of the seats in the examples, by name.
SEATS = {"gm": "s1"}
REF = "#/components/schemas/{model}"


class Components:
    """The schemas of one game by name. `inputs`, `choices`: references to the declarations and choices, by kind."""

    def __init__(self, forms: Forms) -> None:
        form_classes = [*forms.inputs.values(), *forms.choices.values(), forms.sheet, *ANSWERS.values()]
        references, document = models_json_schema(
            [(form_class, "validation") for form_class in form_classes], ref_template=REF
        )

        def find_reference(form_class: FormClass) -> Json:
            return references[form_class, "validation"]

        self.schemas: dict[str, Json] = document["$defs"]
        for schema in self.schemas.values():
            describe_defaults(schema)
        examples_by_kind = list_examples_by_kind(forms.ruleset.name)
        for kind, form_class in [*forms.inputs.items(), *forms.choices.items()]:
            names = Names(defaultdict(lambda: "1", SEATS))  # the names of the people in its story
            examples = [names.fill(example["sent"]) for example in examples_by_kind.get(kind, ())]
            self._add_examples(form_class, [example for example in examples if _is_fitting(form_class, example)])
        self._add_examples(forms.sheet, list(map(json_form.to_json, forms.ruleset.people.values()))[:1])
        self.inputs = {kind: find_reference(form_class) for kind, form_class in forms.inputs.items()}
        self.choices = {kind: find_reference(form_class) for kind, form_class in forms.choices.items()}
        self.sheet = find_reference(forms.sheet)

    def _add_examples(self, form_class: FormClass, examples: list[Any]) -> None:
        if examples:
            self.schemas[form_class.__name__]["examples"] = examples


def _is_fitting(form_class: FormClass, example: object) -> bool:
    try:
        form_class.model_validate(example)
    except ValidationError:
        return False
    return True


@cache
def load_components(system: str) -> Components:
    return Components(load_forms(system))


def describe_defaults(schema: dict[str, Any]) -> None:
    """Describe the defaults of an object's fields in words, except null.

    Some client generators require a field that has a `default`.
    """
    for field in schema.get("properties", {}).values():
        default = field.pop("default", None)
        if default is not None:
            sentence = f"Default: `{json.dumps(default, ensure_ascii=False)}`."
            field["description"] = f"{field.get('description', '')} {sentence}".strip()
