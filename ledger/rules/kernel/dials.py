"""Dials: a campaign's choice among readings and optional rules, the kernel's own beside the system's."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from ledger.rules.kernel import json_types
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.refusals import Refused


@dataclass(frozen=True, slots=True)
class Dials:
    """The kernel's own dials. `deciders`: who may declare what a game master may. `dice`: whose dice, by default."""

    deciders: str = field(default="gm", metadata={"rule": "ledger.deciders", "values": ("gm", "all_players")})
    dice: str = field(default="ledger", metadata={"rule": "ledger.dice", "values": ("ledger", "table")})


def dial_fields(dials: type) -> dict[str, dataclasses.Field[object]]:
    """Public name -> field, in order."""
    return {one.metadata.get("name") or one.name: one for one in dataclasses.fields(dials)}


def check_dial(ruleset: AnyRuleset, name: str, value: object) -> str:
    """The rule a dial belongs to. Refuses `unknown-dial`, `dial-value` (or the system's own code for it)."""
    own = dial_fields(Dials).get(name)
    if own is not None:
        if value not in own.metadata["values"]:
            raise Refused("ledger.dial", "dial-value", dial=name, allowed=list(own.metadata["values"]))
        return str(own.metadata["rule"])
    found = dial_fields(ruleset.dials).get(name)
    if found is None:
        raise Refused("ledger.dial", "unknown-dial", dial=name)
    try:
        json_types.convert(value, json_types.hints(ruleset.dials)[found.name])
    except json_types.Misshapen as problem:
        code = found.metadata["code"] or ruleset.bad_dial
        raise Refused(str(found.metadata["rule"]), code, dial=name, problem=str(problem)) from None
    return str(found.metadata["rule"])


def hides(ruleset: AnyRuleset, name: str) -> bool:
    """Whether the system's dial says who may see what."""
    found = dial_fields(ruleset.dials).get(name)
    return found is not None and bool(found.metadata.get("hides"))


def check_together(ruleset: AnyRuleset, values: Mapping[str, object]) -> None:
    """The dials a campaign opens with: each by its type, then all as the system wants them together."""
    rules = {name: check_dial(ruleset, name, value) for name, value in values.items()}
    together = turned(ruleset.dials, values)
    for name in dial_fields(ruleset.dials):
        if name in values:
            ruleset.check_dials(together, name, rules[name])


def turned(dials: type, values: Mapping[str, object]) -> object:
    """A system's (or the kernel's) dials with the values of a campaign; what is not its own is passed over.

    So is a value that this edition has no longer: then the dial stands as the edition has it.
    """
    types = json_types.hints(dials)
    chosen = {}
    for name, one in dial_fields(dials).items():
        if name in values:
            with suppress(json_types.Misshapen):
                chosen[one.name] = json_types.convert(values[name], types[one.name])
    return dials(**chosen)
