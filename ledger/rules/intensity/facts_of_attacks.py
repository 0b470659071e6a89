"""What becomes true of an attack, and what comes of it: facts about a scene, unless said otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ledger.rules.intensity.terms import DieName, Effect, Impact
from ledger.rules.kernel.declarations import fact


@dataclass(frozen=True, slots=True)
class RolledDefence:
    """A die rolled in defence, at the size it has now."""

    die: DieName
    size: int
    face: int


@fact("attack-opened")
class AttackOpened:
    """`standing`: the faces the attacker has left on the table."""

    attack: str
    round: str
    attacker: str
    defender: str
    standing: tuple[int, ...]
    text: str = ""


@fact("defence-chosen")
class DefenceChosen:
    """`picked_up`: dice that stood until now; `rerolled`: dice picked up earlier and rolled again."""

    attack: str
    picked_up: tuple[DieName, ...]
    rerolled: tuple[DieName, ...]
    let_stand: bool
    text: str = ""


@fact("defence-rolled")
class DefenceRolled:
    attack: str
    faces: tuple[RolledDefence, ...]


@fact("advantage-spent")
class AdvantageSpent:
    """`rating`: the new one, after a success."""

    holder: str
    against: str
    amount: int
    effect: Effect
    attack: str
    rating: int | None


@fact("defence-die-rerolled")
class DefenceDieRerolled:
    attack: str
    die: DieName
    old: int
    new: int


@fact("attack-resolved")
class AttackResolved:
    """A failed attack has no rating and is closed."""

    attack: str
    attack_value: int
    defence_value: int
    success: bool
    rating: int | None
    text: str = ""


@fact("attack-lapsed")
class AttackLapsed:
    attack: str


# --- the outcome --------------------------------------------------------------------------------------------------


@fact("impact-chosen")
class ImpactChosen:
    """The attack is closed with this impact; the fact that follows says what it does."""

    attack: str
    impact: Impact
    text: str


@fact("impact-waived")
class ImpactWaived:
    attack: str
    text: str


@fact("outcome-negotiated")
class OutcomeNegotiated:
    """`attack`: the attack it closes in place of an impact; None for a bargain at another time."""

    attack: str | None
    parties: tuple[str, ...]
    terms: str


@fact("bargain-declined")
class BargainDeclined:
    """`by`: the party that does not agree. Nothing of it comes about; a success is as it was."""

    attack: str | None
    parties: tuple[str, ...]
    by: str
    terms: str


@fact("trait-taxed")
class TraitTaxed:
    """About the character. `cause`: `attack:<id>` or `fatal:<id>`."""

    impact: str
    char: str
    trait: str
    by: str
    cause: str


@fact("trait-damaged")
class TraitDamaged:
    """About the character."""

    impact: str
    char: str
    trait: str
    by: str
    cause: str


@fact("character-wounded")
class CharacterWounded:
    """About the character."""

    impact: str
    char: str
    by: str
    cause: str


@fact("advantage-gained")
class AdvantageGained:
    """About the holder. `cause`: `attack:<id>`, `fatal:<id>` or `healing:<ruling>`."""

    holder: str
    against: str
    amount: int
    cause: str


AttackFact: TypeAlias = (
    AttackOpened | DefenceChosen | DefenceRolled | AdvantageSpent | DefenceDieRerolled | AttackResolved | AttackLapsed
    | ImpactChosen | ImpactWaived | OutcomeNegotiated | BargainDeclined | TraitTaxed | TraitDamaged | CharacterWounded
    | AdvantageGained
)  # fmt: skip
