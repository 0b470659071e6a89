"""The games of this installation: their words and their rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import cleandoc
from types import NoneType, UnionType
from typing import Literal, Union, get_args, get_origin

from typing_extensions import TypedDict

from ledger.application import json_form
from ledger.rules import list_unfit_systems, systems
from ledger.rules.kernel import json_types, rulebook
from ledger.rules.kernel.contract import AnyRuleset, RuleText
from ledger.rules.kernel.declarations import find_declarer, find_fact_kind, find_kind, list_recorded_kinds
from ledger.rules.kernel.dials import Dials, list_dial_fields
from ledger.rules.kernel.domains import REFERENCES
from ledger.rules.kernel.facts import FACTS
from ledger.rules.kernel.register import CampaignEntry
from ledger.rules.kernel.table import load_dials
from projections.documents.shape import Document, give_example
from projections.redaction import Json

SYSTEM: SystemCard = {"name": "system", "title": "A System", "edition": 1, "source": "its book"}


class SystemCard(Document):
    name: str
    title: str
    edition: int
    source: str


class UnfitSystem(Document):
    """An installed game that can't be played. `faults`: what is wrong, one sentence each."""

    name: str
    faults: list[str]


@give_example(systems=[SYSTEM], not_offered=[])
class Systems(Document):
    """The games. `not_offered`: installed games that have errors."""

    systems: list[SystemCard]
    not_offered: list[UnfitSystem]


class Dial(Document):
    """An option. `values`: its possible values; null if there are too many to list.

    `hides`: the option controls who can see what, so only a game master can change it in a what-if.
    """

    name: str
    default: object
    values: list[object] | None
    rule: str
    hides: bool


class _Schema(TypedDict):
    schema: Json


class Example(Document):
    """A request from a step of a worked example. `@Sarah` stands for Sarah's id.

    `rules`: the rules that the example shows.
    """

    example: str
    step: int
    rules: list[str]
    sent: Json


class FactWord(Document, _Schema):
    """A fact, with the JSON Schema of its fields."""

    kind: str
    about: str


class Word(FactWord):
    """An action or choice, with the JSON Schema of its fields and worked examples."""

    examples: list[Example]


class InputWord(Word):
    """An action. `who`: who may declare it. `records`: the kinds of facts it can record."""

    who: str
    records: list[str]


class QuestionWord(Document):
    """A question of the game: the first word of its slot, and its sentence with placeholders."""

    slot: str
    phrase: str


class Account(Document):
    """A kind of account in the game. `title`: its name, with the placeholders of its `form`; empty if the unit is the
    name.
    """

    form: str
    unit: str
    meaning: str
    title: str


@give_example(
    **SYSTEM,
    dials=[],
    sheet={},
    inputs=[],
    choices=[],
    questions=[],
    facts=[],
    accounts=[],
    references={},
    people={},
    labels={},
    refers={},
    steps={},
)
class System(SystemCard):
    """A game with all its actions and choices, including those shared by all games.

    `references`: what an `x-ref` in a schema refers to, and where it is listed. `people`: ready-made sheets by name.
    `labels`: names to show to people, for state fields and their values. `refers`: what a state field refers to, as
    `x-ref` says for an input; `word` means that `labels` has a name for the value. `steps`: the same for the inputs of
    a derivation step, by name, and for its result, by the rule's id.
    """

    dials: list[Dial]
    sheet: Json
    inputs: list[InputWord]
    choices: list[Word]
    questions: list[QuestionWord]
    facts: list[FactWord]
    accounts: list[Account]
    references: dict[str, str]
    people: dict[str, Json]
    labels: dict[str, str]
    refers: dict[str, str]
    steps: dict[str, str]


RULE: Rule = {"rule": "ledger.session", "statement": "Only one session can be open at a time.", "heading": ""}


@give_example(**RULE)
class Rule(Document):
    """A rule in one sentence, and its heading in the game's rulebook."""

    rule: str
    statement: str
    heading: str


@give_example(rules=[RULE])
class Rules(Document):
    rules: list[Rule]


def list_systems() -> Systems:
    return {
        "systems": [make_system_card(ruleset) for ruleset in systems().values()],
        "not_offered": [{"name": name, "faults": list(faults)} for name, faults in list_unfit_systems().items()],
    }


def make_system_card(ruleset: AnyRuleset) -> SystemCard:
    return {
        "name": ruleset.name,
        "title": ruleset.title,
        "edition": ruleset.edition,
        "source": ruleset.source,
    }


def describe_system(
    ruleset: AnyRuleset, schemas: Mapping[type[object], Json], examples: Mapping[str, Sequence[Example]]
) -> System:
    """Return the game with all its words. `schemas`: JSON Schema by class, for declarations, choices, facts and the
    sheet.

    `examples`: examples of declarations and choices, by kind.
    """
    input_classes = json_form.index_declaration_classes(ruleset)
    fact_classes = [(ruleset.name, cls) for cls in ruleset.facts] + [("ledger", cls) for cls in FACTS]
    return {
        **make_system_card(ruleset),
        "dials": list_dials(ruleset),
        "sheet": schemas[ruleset.sheet],
        "inputs": [
            {
                **_describe_input(kind, cls, schemas, examples),
                "who": find_declarer(cls).text,
                "records": _list_records(ruleset, cls),
            }
            for kind, cls in input_classes.items()
        ],
        "choices": [_describe_input(find_kind(cls), cls, schemas, examples) for cls in ruleset.choices],
        "questions": [{"slot": slot, "phrase": phrase} for slot, phrase in ruleset.phrases.questions.items()],
        "facts": [
            {
                "kind": f"{prefix}.{find_fact_kind(cls)}".rpartition("@")[0],
                "about": get_docstring(cls),
                "schema": schemas[cls],
            }
            for prefix, cls in fact_classes
        ],
        "accounts": [
            {"form": account.form, "unit": account.unit, "meaning": account.meaning, "title": account.title}
            for account in ruleset.accounts
        ],
        "references": {**REFERENCES, **ruleset.references},
        "people": {name: json_form.to_json(sheet) for name, sheet in ruleset.people.items()},
        "labels": {**ruleset.labels},
        "refers": {**ruleset.refers},
        "steps": {
            **dict.fromkeys(ruleset.phrases.people, "character"),
            **dict.fromkeys(ruleset.phrases.seats, "seat"),
            **ruleset.steps,
        },
    }


def _describe_input(
    kind: str, cls: type[object], schemas: Mapping[type[object], Json], examples: Mapping[str, Sequence[Example]]
) -> Word:
    return {"kind": kind, "about": get_docstring(cls), "schema": schemas[cls], "examples": list(examples.get(kind, ()))}


def _list_records(ruleset: AnyRuleset, cls: type[object]) -> list[str]:
    game_kinds = {find_fact_kind(fact_class).rpartition("@")[0] for fact_class in ruleset.facts}
    return [f"{ruleset.name if name in game_kinds else 'ledger'}.{name}" for name in list_recorded_kinds(cls)]


def get_docstring(cls: type[object]) -> str:
    """Return the docstring of the class, or an empty text. (Python gives a dataclass without a docstring its
    signature.)
    """
    docstring = cls.__doc__ or ""
    return "" if docstring.startswith(f"{cls.__name__}(") else cleandoc(docstring)


def list_dials(ruleset: AnyRuleset) -> list[Dial]:
    """Return the game's options, then the kernel's."""
    return [
        {
            "name": name,
            "default": json_form.to_json(field.default),
            "values": list_option_values(cls, field.name),
            "rule": field.metadata["rule"],
            "hides": bool(field.metadata.get("hides")),
        }
        for cls in (ruleset.dials, Dials)
        for name, field in list_dial_fields(cls).items()
    ]


def list_option_values(cls: type[object], field_name: str) -> list[object] | None:
    """Return the possible values of an option, or None if there are too many to list."""
    options = list_dial_fields(cls)
    option = next(option_field for option_field in options.values() if option_field.name == field_name)
    if "values" in option.metadata:
        return list(option.metadata["values"])
    return _list_type_values(json_types.load_hints(cls)[field_name])


def _list_type_values(hint: object) -> list[object] | None:
    """Return the values of a type, or None if it has too many."""
    if hint is bool:
        return [True, False]
    if hint is NoneType:
        return [None]
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    if get_origin(hint) not in (Union, UnionType):
        return None
    value_lists = [_list_type_values(branch) for branch in get_args(hint)]
    return [value for values in value_lists for value in values or ()] if None not in value_lists else None


def list_rules(ruleset: AnyRuleset) -> Rules:
    """Return the game's rules, then the kernel's."""
    return {
        "rules": [
            describe_rule(id, rule_text) for rules in (ruleset.rules, rulebook.RULES) for id, rule_text in rules.items()
        ]
    }


def describe_rule(id: str, rule_text: RuleText) -> Rule:
    return {"rule": id, "statement": rule_text.statement, "heading": rule_text.heading}


def index_dial_values(ruleset: AnyRuleset, entry: CampaignEntry) -> Json:
    """Return every option of the campaign with its value, whether or not it was ever set."""
    values: Json = {}
    for cls in (ruleset.dials, Dials):
        values_in_force = load_dials(cls, entry)
        for name, field in list_dial_fields(cls).items():
            values[name] = json_form.to_json(getattr(values_in_force, field.name))
    return values
