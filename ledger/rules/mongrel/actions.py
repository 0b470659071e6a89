"""An action on somebody as it was declared: the scene keeps it until it is carried out."""

from __future__ import annotations

from typing import Annotated, Any

from ledger.rules.kernel.chapters import fact
from ledger.rules.kernel.domains import CharacterId, Reason, Ref
from ledger.rules.kernel.phrases import Names
from ledger.rules.kernel.subjects import character
from ledger.rules.mongrel.sayings import add_difficulty, say
from ledger.rules.mongrel.tables import PHYSICAL
from ledger.rules.mongrel.terms import AttributeName, ExpertiseName, HitKind, OptionName, called


def say_attack(word: Any, names: Names) -> str:
    """An action on somebody, by what it would do."""
    kind = word.hit_kind
    hurts = kind != "none" if kind is not None else word.expertise in {*PHYSICAL, "chill"}
    what = "attacks {target} with {expertise}" if hurts else "tries {expertise} on {target}"
    phrase = f"{{actor}} {what}[, helped by {{power}}], against {{attribute}}"
    if (named := getattr(word, "target_attribute", None)) is not None:
        phrase += f" (or {called(named)}, if {names.name(character(word.target))} defends)"
    phrase += f"{add_difficulty(word)}[, commanding: {{command}}]"
    return say(f"{phrase}[: {{purpose}}].", word, names)


@fact("action-declared", says=say_attack)
class ActionDeclared:
    """An action on a character is declared. `weapon_used`, `armour_worn`: possessions whose values count."""

    actor: CharacterId
    target: CharacterId
    expertise: ExpertiseName
    attribute: AttributeName
    power: tuple[OptionName, ...]
    difficulty: int
    reason: Reason
    taken_off: int
    taken_off_reason: Reason
    hit_kind: HitKind
    weapon: int
    armour: int
    command: Reason
    purpose: Reason
    weapon_used: Annotated[str, Ref("possession", of="actor")] | None
    armour_worn: Annotated[str, Ref("possession", of="target")] | None
