"""A page for the table about one system, made from its code: what you can declare, who may, what it records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import MISSING, fields
from itertools import cycle
from typing import Any

from ledger.rules.kernel import commands
from ledger.rules.kernel.contract import Ruleset
from ledger.rules.kernel.declarations import declared_by, fact_kind, kind_of, records_of
from projections.documents.systems import Dial, about, dials
from projections.redaction import text


def guide(ruleset: Ruleset[Any, Any]) -> str:
    """The page as Markdown (with tables)."""
    return "\n\n".join(
        [
            f"# {ruleset.title}",
            f"{ruleset.source.rstrip('.')}.",
            f"This page is made from the rules as they are played here, edition {ruleset.edition}.",
            "## What you can declare",
            _declarations(ruleset.inputs),
            "At every table, whatever is played:",
            _declarations(commands.INPUTS),
            *_choices(ruleset),
            "## What becomes true",
            _table(("fact", "what it says"), [(fact_kind(cls).partition("@")[0], _fact(cls)) for cls in ruleset.facts]),
            "## What is counted",
            _table(("account", "unit", "meaning"), [(f"`{a.form}`", a.unit, a.meaning) for a in ruleset.accounts]),
            "## What others can know",
            *_secrets(ruleset),
            "## Dials",
            "A dial is set when a campaign opens or turned later, for rulings from then on; the default comes first.",
            _table(("dial", "values", "rule"), [_dial(one) for one in dials(ruleset)]),
            "## Rules",
            _table(
                ("rule", "what it says", "heading of the source"),
                [(f"`{id}`", text.statement, text.heading) for id, text in ruleset.rules.items()],
            ),
        ]
    )


def _declarations(inputs: Iterable[type[Any]]) -> str:
    rows = [
        (f"**{kind_of(cls)}**", about(cls), declared_by(cls).text, _fields(cls), ", ".join(records_of(cls)))
        for cls in inputs
    ]
    return _table(("you say", "meaning", "who may", "with", "it records"), rows)


ALWAYS_KNOWN = (
    "At every table, whatever is played: each ruling has a number, and that there is one is for all to see, with "
    "the kind of thing that was declared, where nothing else says that not even that is; so is how often "
    "something was saved and how often the ledger rolled, and that somebody is asked something. A piece amended "
    "for some only (`seen_by`) is hidden where the game hides it; what the game shows to others cannot be, and is "
    "refused. Whoever takes a character over sees what its player saw."
)


def _secrets(ruleset: Ruleset[Any, Any]) -> list[str]:
    """What is not for everybody, as the system itself says it."""
    if not ruleset.secrets:
        return [
            "Nothing is secret in this game: all that is declared, rolled and decided is for everybody.",
            ALWAYS_KNOWN,
        ]
    rows = [(one.what, one.known_to, one.others) for one in ruleset.secrets]
    return [_table(("secret", "who knows it", "what others can know"), rows), ALWAYS_KNOWN]


def _choices(ruleset: Ruleset[Any, Any]) -> list[str]:
    if not ruleset.choices:
        return []
    rows = [(f"**{kind_of(cls)}**", about(cls), _fields(cls)) for cls in ruleset.choices]
    return ["## What you can be asked", _table(("you answer", "meaning", "with"), rows)]


def _fields(cls: type[Any]) -> str:
    """Names of the fields; those that can be left out in brackets."""
    found = []
    for field in fields(cls):
        optional = field.default is not MISSING or field.default_factory is not MISSING
        found.append(f"[{field.name}]" if optional else field.name)
    return ", ".join(found)


def _fact(cls: type[Any]) -> str:
    names = ", ".join(field.name for field in fields(cls))
    return " ".join(part for part in (about(cls), f"({names})" if names else "") if part)


def _dial(one: Dial) -> tuple[str, str, str]:
    values = one["values"] if one["values"] is not None else []
    others = [text(value) for value in values if value != one["default"]]
    return f"`{one['name']}`", ", ".join([f"**{text(one['default'])}**", *others]), f"`{one['rule']}`"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _cell(words: str) -> str:
    """What stands between backticks is code: nothing in it is markup."""
    parts = [part if code else part.replace("<", "&lt;") for part, code in zip(words.split("`"), cycle((False, True)))]
    return " ".join("`".join(parts).replace("|", "\\|").split()) or " "
