"""A page for the table about one system, made from its code: what you can declare, who may, what it records.

The page is the template beside this module; here are the rows of its tables.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import MISSING, fields
from itertools import cycle
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from ledger.rules.kernel import commands
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.declarations import declared_by, fact_kind, kind_of, records_of
from projections.documents.systems import Dial, about, dials
from projections.redaction import text

Row = tuple[str, ...]


def guide(ruleset: AnyRuleset) -> str:
    """The page as Markdown (with tables)."""
    page = _pages.get_template("guide.md.jinja").render(
        system=ruleset,
        inputs=_declarations(ruleset.inputs),
        shared_inputs=_declarations(commands.INPUTS),
        choices=[(f"**{kind_of(cls)}**", about(cls), _fields(cls)) for cls in ruleset.choices],
        facts=[(fact_kind(cls).partition("@")[0], _fact(cls)) for cls in ruleset.facts],
        accounts=[(f"`{one.form}`", one.unit, one.meaning) for one in ruleset.accounts],
        secrets=[(one.what, one.known_to, one.others) for one in ruleset.secrets],
        dials=[_dial(one) for one in dials(ruleset)],
        rules=[(f"`{id}`", text.statement, text.heading) for id, text in ruleset.rules.items()],
    )
    return page.rstrip("\n")


def _declarations(inputs: Iterable[type[object]]) -> list[Row]:
    return [
        (f"**{kind_of(cls)}**", about(cls), declared_by(cls).text, _fields(cls), ", ".join(records_of(cls)))
        for cls in inputs
    ]


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


def _dial(one: Dial) -> Row:
    values = one["values"] if one["values"] is not None else []
    others = [text(value) for value in values if value != one["default"]]
    return f"`{one['name']}`", ", ".join([f"**{text(one['default'])}**", *others]), f"`{one['rule']}`"


def _cell(told: str) -> str:
    """What stands between backticks is code: nothing in it is markup."""
    parts = [part if code else part.replace("<", "&lt;") for part, code in zip(told.split("`"), cycle((False, True)))]
    return " ".join("`".join(parts).replace("|", "\\|").split()) or " "


#: Of Markdown, which has no escaping of its own: `cell` does it. What becomes of the page in HTML escapes the rest.
_pages = Environment(
    loader=PackageLoader("projections", "documents"), autoescape=False, undefined=StrictUndefined,
    trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
)  # fmt: skip
_pages.filters["cell"] = _cell
