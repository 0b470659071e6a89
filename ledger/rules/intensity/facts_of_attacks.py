"""The facts of an attack and its outcome. They are about a scene, unless they say something else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ledger.rules.intensity.terms import AttackId, Cause, DieName, Effect, Impact, ImpactId, RoundId, TraitName
from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, Story


@dataclass(frozen=True, slots=True)
class RolledDefence:
    """A die rolled in defence, at its current size."""

    die: DieName
    size: int
    face: int


@fact("attack-opened")
class AttackOpened:
    """`standing`: the faces of the attacker's standing dice."""

    attack: AttackId
    round: RoundId
    attacker: CharacterId
    defender: CharacterId
    standing: tuple[int, ...]
    text: Story = ""


@fact("defence-chosen")
class DefenceChosen:
    """`picked_up`: dice that were standing. `rerolled`: dice picked up earlier that are rolled again."""

    attack: AttackId
    picked_up: tuple[DieName, ...]
    rerolled: tuple[DieName, ...]
    let_stand: bool
    text: Story = ""


@fact("defence-rolled")
class DefenceRolled:
    attack: AttackId
    faces: tuple[RolledDefence, ...]


@fact("advantage-spent")
class AdvantageSpent:
    """`rating`: the new one, after a success."""

    holder: CharacterId
    against: CharacterId
    amount: int
    effect: Effect
    attack: AttackId
    rating: int | None


@fact("defence-die-rerolled")
class DefenceDieRerolled:
    attack: AttackId
    die: DieName
    old: int
    new: int


@fact("attack-resolved")
class AttackResolved:
    """A failed attack has no rating, and is closed."""

    attack: AttackId
    attack_value: int
    defence_value: int
    success: bool
    rating: int | None
    text: Story = ""


@fact("attack-lapsed")
class AttackLapsed:
    attack: AttackId


# --- the outcome --------------------------------------------------------------------------------------------------


@fact("impact-chosen")
class ImpactChosen:
    """The attack is closed with this impact. The next fact says what it does."""

    attack: AttackId
    impact: Impact
    text: Story


@fact("impact-waived")
class ImpactWaived:
    attack: AttackId
    text: Story


@fact("outcome-negotiated")
class OutcomeNegotiated:
    """`attack`: the attack that it closes instead of an impact, or None for a bargain at another time."""

    attack: AttackId | None
    parties: tuple[CharacterId, ...]
    terms: Story


@fact("bargain-declined")
class BargainDeclined:
    """`by`: the party that does not agree. Nothing in the bargain happens, and a success stands."""

    attack: AttackId | None
    parties: tuple[CharacterId, ...]
    by: CharacterId
    terms: Story


@fact("trait-taxed")
class TraitTaxed:
    """About the character. `cause`: `attack:<id>` or `fatal:<id>`."""

    impact: ImpactId
    char: CharacterId
    trait: TraitName
    by: CharacterId
    cause: Cause


@fact("trait-damaged")
class TraitDamaged:
    """About the character."""

    impact: ImpactId
    char: CharacterId
    trait: TraitName
    by: CharacterId
    cause: Cause


@fact("character-wounded")
class CharacterWounded:
    """About the character."""

    impact: ImpactId
    char: CharacterId
    by: CharacterId
    cause: Cause


@fact("advantage-gained")
class AdvantageGained:
    """About the holder. `cause`: `attack:<id>`, `fatal:<id>` or `healing:<ruling>`."""

    holder: CharacterId
    against: CharacterId
    amount: int
    cause: Cause


AttackFact: TypeAlias = (
    AttackOpened | DefenceChosen | DefenceRolled | AdvantageSpent | DefenceDieRerolled | AttackResolved | AttackLapsed
    | ImpactChosen | ImpactWaived | OutcomeNegotiated | BargainDeclined | TraitTaxed | TraitDamaged | CharacterWounded
    | AdvantageGained
)  # fmt: skip
