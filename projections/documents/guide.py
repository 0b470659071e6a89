"""The guide to one game, made from its code and the template `guide.md.jinja`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import cycle
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from ledger.application import json_form
from ledger.rules.kernel import commands, rulebook
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.declarations import find_declarer, find_fact_kind, find_kind, list_recorded_kinds
from ledger.rules.kernel.dials import Dials, list_dial_fields
from ledger.rules.kernel.domains import REFERENCES
from projections.documents.field_words import FieldWords, Vocabulary, put_fields_in_words
from projections.documents.systems import Dial, Example, get_docstring, list_dials
from projections.redaction import Json, to_text

Row = tuple[str, ...]
Schemas = Mapping[type[object], Json]


class Word(NamedTuple):
    """A declaration or a choice, as the page shows it. `who`: who may declare it; empty for a choice."""

    kind: str
    about: str
    who: str
    fields: list[Row]
    records: Sequence[str]
    examples: Sequence[Example]


def write_guide(ruleset: AnyRuleset, schemas: Schemas, examples: Mapping[str, Sequence[Example]]) -> str:
    """Return the page as Markdown. `schemas`: JSON Schema by class. `examples`: the examples by kind."""
    vocabulary = Vocabulary.collect(schemas[cls] for cls in (*ruleset.inputs, *commands.INPUTS, *ruleset.choices))
    writer = _GuideWriter(schemas, examples, vocabulary)
    page = _pages.get_template("guide.md.jinja").render(
        system=ruleset,
        inputs=[writer.describe_input(cls) for cls in ruleset.inputs],
        shared_inputs=[writer.describe_input(cls) for cls in commands.INPUTS],
        choices=[writer.describe_input(cls, is_choice=True) for cls in ruleset.choices],
        sheet={"about": get_docstring(ruleset.sheet), "fields": writer.list_fields(ruleset.sheet)},
        people=[{"name": name, "sheet": _omit_defaults(sheet)} for name, sheet in ruleset.people.items()],
        words=[(name, [f"`{word}`" for word in words]) for words, name in vocabulary.list_names.items()],
        references=[*{**REFERENCES, **ruleset.references}.items()],
        facts=[(find_fact_kind(cls).partition("@")[0], _describe_fact(cls)) for cls in ruleset.facts],
        accounts=[(f"`{account.form}`", account.unit, account.meaning) for account in ruleset.accounts],
        secrets=[(secret.what, secret.known_to, secret.others) for secret in ruleset.secrets],
        dials=[_describe_dial(dial, _find_description(ruleset, dial["name"])) for dial in list_dials(ruleset)],
        rules=[*{**ruleset.rules, **rulebook.RULES}.items()],
    )
    return page.rstrip("\n")


@dataclass(frozen=True, slots=True)
class _GuideWriter:
    schemas: Schemas
    examples: Mapping[str, Sequence[Example]]
    vocabulary: Vocabulary

    def describe_input(self, cls: type[object], *, is_choice: bool = False) -> Word:
        kind = find_kind(cls)
        who, records = ("", ()) if is_choice else (find_declarer(cls).text, list_recorded_kinds(cls))
        return Word(kind, get_docstring(cls), who, self.list_fields(cls), records, self.examples.get(kind, ()))

    def list_fields(self, cls: type[object]) -> list[Row]:
        return [
            (f"`{field.name}`", _describe_field(field))
            for field in put_fields_in_words(self.schemas[cls], self.vocabulary)
        ]


def _describe_field(field: FieldWords) -> str:
    """Return a field's label, its possible values, whether it is required, and what it means."""
    required_text = "; required" if field.default is None else f"; default: {field.default}" if field.default else ""
    label = f"**{field.title}:**" if field.title else ""
    meaning = field.about if field.about.rstrip(".").lower() != field.says.lower() else ""
    return " ".join(filter(None, (label, f"{field.says}{required_text}.", meaning)))


def _omit_defaults(sheet: Any) -> Json:
    """Return the sheet without fields that have their default value."""
    defaults = {
        field.name: field.default_factory() if callable(field.default_factory) else field.default
        for field in fields(sheet)
    }
    default_names = {name for name, default in defaults.items() if getattr(sheet, name) == default}
    return {name: value for name, value in json_form.to_json(sheet).items() if name not in default_names}


def _describe_fact(cls: type) -> str:
    names = ", ".join(f"`{field.name}`" for field in fields(cls))
    return " ".join(part for part in (get_docstring(cls), f"Fields: {names}." if names else "") if part)


def _describe_dial(dial: Dial, description: str) -> Row:
    values = dial["values"] if dial["values"] is not None else []
    other_values = [to_text(value) for value in values if value != dial["default"]]
    return (
        f"`{dial['name']}`",
        ", ".join([f"**{to_text(dial['default'])}**", *other_values]),
        f"{description} {_link_rule(dial['rule'])}",
    )


def _find_description(ruleset: AnyRuleset, dial_name: str) -> str:
    """Return the description of an option of the game or the kernel."""
    field = (list_dial_fields(ruleset.dials) | list_dial_fields(Dials))[dial_name]
    return str(field.metadata.get("about", ""))


def _link_rule(id: str) -> str:
    return f"[`{id}`](#{id})"


def _escape_prose(prose: str) -> str:
    """Escape HTML, except in code between backticks."""
    parts = [
        part if is_code else part.replace("<", "&lt;") for part, is_code in zip(prose.split("`"), cycle((False, True)))
    ]
    return "`".join(parts).strip()


def _write_cell(prose: str) -> str:
    return " ".join(_escape_prose(prose).replace("|", "\\|").split()) or " "


def _encode_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


#: Writes Markdown without escaping. The filter `cell` escapes table cells, and rendering to HTML escapes the rest.
_pages = Environment(
    loader=PackageLoader("projections", "documents"),
    autoescape=False,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
_pages.filters |= {"cell": _write_cell, "prose": _escape_prose, "json": _encode_json, "rule": _link_rule}
