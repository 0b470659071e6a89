"""Convert records of earlier editions of a game to the current form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from ledger.rules.kernel.contract import AnyRuleset

#: A JSON object as it is stored.
Stored: TypeAlias = dict[str, Any]
#: Kinds that a game stores in addition to its declarations, choices and facts.
SHEET, DIALS = "sheet", "dials"
#: The edition of records that do not name one.
FIRST = 1


@dataclass(frozen=True, slots=True)
class Upcast:
    """A conversion of records that an earlier edition stored.

    You need one when a stored class gets a field without a default, when a field is renamed or removed, or when its
    values change. Raise the edition and add the upcaster to the ruleset:

            def add_witness(hit: Stored) -> Stored:
                return {**hit, "witness": None}

            RULESET = Ruleset(..., edition=3, upcasters=(Upcast("hit", to=3, change=add_witness),))

    `kind`: the kind of a declaration, a choice or a fact; or "sheet"; or "dials" (all options chosen, by name). `to`:
    the first edition that stores the new form; for a fact its new version, as in `@fact("hurt", version=2)`. `change`:
    takes the JSON as stored and returns the JSON of that edition. It may change `kind`, too. For "dials", it must not
    change options that already have the current form.
    """

    kind: str
    to: int
    change: Callable[[Stored], Stored]


@dataclass(frozen=True, slots=True, eq=False)
class AsRecorded:
    """A declaration that the installed rules cannot read, as it was stored. `problem`: why they cannot."""

    stored: Stored
    problem: str

    @property
    def kind(self) -> str:
        return str(self.stored.get("kind", ""))


def upcast(ruleset: AnyRuleset, kind: str, stored: Mapping[str, Any], edition: int) -> Stored:
    """Return a record in the current form. `edition`: the edition that stored the record; for a fact, its version."""
    record, names_its_kind = dict(stored), stored.get("kind") == kind
    for upcaster in sorted(ruleset.upcasters, key=lambda upcaster: upcaster.to):
        if upcaster.kind == kind and edition < upcaster.to:
            record = upcaster.change(record)
            kind = str(record.get("kind")) if names_its_kind else kind
    return record


def upcast_dials(ruleset: AnyRuleset, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return these options, of an unknown edition, in the current form."""
    if not any(upcaster.kind == DIALS for upcaster in ruleset.upcasters):
        return options
    return upcast(ruleset, DIALS, options, 0)
