"""The options of a campaign: the interpretations and optional rules that it uses, and the kernel's own options."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from ledger.rules.kernel import json_types
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.refusals import Refused

MOST_HOURS = 24 * 366


@dataclass(frozen=True, slots=True)
class Dials:
    """The kernel's own options. `about`: the meaning of each option and its values, for the guide."""

    deciders: str = field(
        default="gm",
        metadata={
            "rule": "ledger.deciders",
            "values": ("gm", "all_players"),
            "about": "Who can do what a game master can: only game masters (gm), or all players (all_players).",
        },
    )
    dice: str = field(
        default="ledger",
        metadata={
            "rule": "ledger.dice",
            "values": ("ledger", "table", "ledger_only"),
            "about": "Where dice come from, unless you choose otherwise for a roll: the program rolls them (ledger), or"
            " you roll real dice and enter them (table). With ledger_only, nobody can enter dice.",
        },
    )
    consent: str = field(
        default="none",
        metadata={
            "rule": "ledger.consent",
            "values": ("none", "affected", "majority"),
            "about": "Who must agree to a change to the past: nobody (none), the players whose characters it changes"
            " (affected), or more than half of the players (majority).",
        },
    )
    consent_hours: int = field(
        default=48,
        metadata={
            "rule": "ledger.consent",
            "limits": (0, MOST_HOURS),
            "about": "The time limit for consent, in hours. After that, a game master can make the change without it.",
        },
    )

    forced_steps: str = field(
        default="by_hand",
        metadata={
            "rule": "ledger.steps",
            "values": ("by_hand", "by_ledger"),
            "about": "What happens when only one thing can come next and nobody has a choice: somebody declares it"
            " (by_hand), or the program does it immediately (by_ledger). If a player pauses automatic steps,"
            " somebody declares it.",
        },
    )

    def protects_less(self, earlier_dials: Dials) -> bool:
        """Return whether a change that needed consent under the earlier options may no longer need it.

        A change of `deciders` counts as well, because a seat that may act as a game master is not asked for consent.
        """
        if earlier_dials.consent == "none":
            return False
        is_same = self.consent == earlier_dials.consent and self.deciders == earlier_dials.deciders
        return not is_same or self.consent_hours < earlier_dials.consent_hours


def list_dial_fields(dials_class: type) -> dict[str, dataclasses.Field[object]]:
    """Return the options' fields by public name, in order."""
    return {field.metadata.get("name") or field.name: field for field in dataclasses.fields(dials_class)}


def check_dial(ruleset: AnyRuleset, name: str, value: object) -> str:
    """Return the rule of an option. Raise Refused `unknown-dial` or `dial-value` (or the game's own code for it)."""
    kernel_option = list_dial_fields(Dials).get(name)
    if kernel_option is not None:
        _check_kernel_dial(name, kernel_option, value)
        return str(kernel_option.metadata["rule"])
    dial_field = list_dial_fields(ruleset.dials).get(name)
    if dial_field is None:
        raise Refused("ledger.dial", "unknown-dial", dial=name)
    try:
        json_types.convert(value, json_types.load_hints(ruleset.dials)[dial_field.name])
    except json_types.Misshapen as problem:
        code = dial_field.metadata["code"] or ruleset.bad_dial
        raise Refused(str(dial_field.metadata["rule"]), code, dial=name, problem=str(problem)) from None
    return str(dial_field.metadata["rule"])


def _check_kernel_dial(name: str, option: dataclasses.Field[object], value: object) -> None:
    if "limits" in option.metadata:
        least, most = option.metadata["limits"]
        if type(value) is not int or not least <= value <= most:
            problem = f"enter a whole number from {least} to {most}"
            raise Refused("ledger.dial", "dial-value", dial=name, problem=problem)
    elif value not in option.metadata["values"]:
        raise Refused("ledger.dial", "dial-value", dial=name, allowed=list(option.metadata["values"]))


def controls_visibility(ruleset: AnyRuleset, name: str) -> bool:
    """Return whether this option of the game decides who may see what."""
    dial_field = list_dial_fields(ruleset.dials).get(name)
    return dial_field is not None and bool(dial_field.metadata.get("hides"))


def check_opening_dials(ruleset: AnyRuleset, values: Mapping[str, object]) -> None:
    """Check the options of a new campaign: first each type, then the game's rules."""
    rules = {name: check_dial(ruleset, name, value) for name, value in values.items()}
    combined_dials = apply_dials(ruleset.dials, values)
    for name in list_dial_fields(ruleset.dials):
        if name in values:
            ruleset.check_dials(combined_dials, name, rules[name])


def apply_dials(dials_class: type, values: Mapping[str, object]) -> object:
    """Return the options of a game or the kernel with a campaign's values. Ignore unknown and invalid options."""
    types = json_types.load_hints(dials_class)
    chosen_values = {}
    for name, option in list_dial_fields(dials_class).items():
        if name in values:
            with suppress(json_types.Misshapen):
                chosen_values[option.name] = json_types.convert(values[name], types[option.name])
    return dials_class(**chosen_values)
