"""The worked examples of a game, which demonstrations and tests play, and the `@names` in them.

A comment at the top of every `examples.toml` describes the format.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import takewhile
from typing import Any

from projections.documents.systems import Example

Json = dict[str, Any]
MOST_EXAMPLES = 3
_NAME = re.compile(r"@([A-Za-z][A-Za-z0-9_-]*)")


@cache
def _read_file(system: str) -> Json:
    """Return the contents of the game's `examples.toml`, or an empty dict if there is no such file. Callers must not
    change the contents.
    """
    file = files(f"ledger.rules.{system}") / "examples.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def list_examples(system: str) -> list[Json]:
    """Return the examples of a game in order, or an empty list if it has none."""
    examples: list[Json] = _read_file(system).get("example", [])
    return examples


def find_story(system: str) -> Json | None:
    """Return the session for the game's demonstration, in the form of an example. Return None if it has none."""
    evening: Json | None = _read_file(system).get("story")
    return evening


def list_examples_by_kind(system: str) -> dict[str, list[Example]]:
    """Return up to three accepted example requests for each kind of declaration and choice, each with different
    fields.
    """
    examples_by_kind: dict[str, list[Example]] = {}
    for example in list_examples(system):
        for step_number, step in enumerate(example["step"], 1):
            if "refused" in step:
                continue
            choices = (answer["choice"] for answer in step.get("answers", []) if "choice" in answer)
            for sent_record in (step["declare"], *choices):
                examples_of_kind = examples_by_kind.setdefault(sent_record["kind"], [])
                if len(examples_of_kind) < MOST_EXAMPLES and all(
                    sent_record.keys() != other_example["sent"].keys() for other_example in examples_of_kind
                ):
                    rules = list(example.get("rules", []))
                    examples_of_kind.append(
                        {"example": example["name"], "step": step_number, "rules": rules, "sent": sent_record}
                    )
    return examples_by_kind


@dataclass(frozen=True, slots=True)
class ExampleAnswer:
    """An answer in a step, and the answering seat. The seat is None for the declaring seat."""

    answer: Json
    by: str | None = None


def list_answers(step: Json) -> list[ExampleAnswer]:
    """Return the answers of a step in order."""
    answers = step.get("answers", [])
    return [
        ExampleAnswer({kind: value for kind, value in answer.items() if kind != "by"}, answer.get("by"))
        for answer in answers
    ]


def split_answers(answers: Sequence[ExampleAnswer]) -> tuple[list[Json], Sequence[ExampleAnswer]]:
    """Split the answers of a step at the first answer by another seat. The first part is sent with the declaration."""
    first_answers = list(takewhile(lambda answer: answer.by is None, answers))
    return [answer.answer for answer in first_answers], answers[len(first_answers) :]


@dataclass
class Names:
    """The meaning of each `@name` in the examples.

    Each text field of a fact is a name: it means the field's latest value. `scene` means the number of the latest
    ruling that opened a scene. A step can define more names.
    """

    meanings: dict[str, str] = field(default_factory=dict)

    def fill(self, value: object) -> Any:
        """Return `value` with every `@name` replaced, also in keys. Raise KeyError for an unknown name."""
        if isinstance(value, str):
            return _NAME.sub(lambda match: self.meanings[match[1]], value)
        if isinstance(value, Mapping):
            return {self.fill(key): self.fill(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.fill(item) for item in value]
        return value

    def learn(self, step: Json, ruling_number: int, facts: Iterable[Mapping[str, object]]) -> None:
        """Learn names from the facts that the step recorded, and from the names that the step defines."""
        if step["declare"]["kind"] == "open-scene":
            self.meanings["scene"] = str(ruling_number)
        for fields in facts:
            self.meanings.update({name: value for name, value in fields.items() if isinstance(value, str)})
        self.meanings.update(
            {new_name: self.meanings[old_name] for new_name, old_name in step.get("remember", {}).items()}
        )
