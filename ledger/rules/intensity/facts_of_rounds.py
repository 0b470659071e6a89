"""The facts of a round: declarations, rolls, the order, passed actions. Each names its round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ledger.rules.intensity.terms import AttackId, Level, RoundId, TieManner, TraitName
from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, Story


@dataclass(frozen=True, slots=True)
class RolledDie:
    size: int
    face: int


@dataclass(frozen=True, slots=True)
class RolledTrait:
    name: TraitName
    size: int
    face: int


@dataclass(frozen=True, slots=True)
class Thrown:
    """One participant's dice in a throw of a roll-off. `trait`: None if only the intensity die was rolled."""

    char: CharacterId
    intensity: int
    trait: int | None


@dataclass(frozen=True, slots=True)
class Restated:
    """The changed parts of a declaration. A blank part did not change; None is no target or no trait."""

    target: CharacterId | None
    trait: TraitName | None
    text: Story = ""


@fact("round-opened")
class RoundOpened:
    round: RoundId
    participants: tuple[CharacterId, ...]


@fact("action-declared")
class ActionDeclared:
    round: RoundId
    char: CharacterId
    target: CharacterId | None
    level: Level
    trait: TraitName | None
    text: Story


@fact("intensity-raised")
class IntensityRaised:
    round: RoundId
    char: CharacterId
    from_level: Level
    to_level: Level
    text: Story = ""


@fact("declaration-amended")
class DeclarationAmended:
    round: RoundId
    char: CharacterId
    before: Restated
    after: Restated


@fact("round-abandoned")
class RoundAbandoned:
    round: RoundId


@fact("round-left")
class RoundLeft:
    """A participant went out of play before the roll was complete, and is no longer in the round or a target."""

    round: RoundId
    char: CharacterId


@fact("dice-rolled")
class DiceRolled:
    round: RoundId
    char: CharacterId
    intensity: RolledDie
    trait: RolledTrait | None


@fact("order-established")
class OrderEstablished:
    """All dice are rolled. `groups`: the order of turns. The fully tied form one group."""

    round: RoundId
    groups: tuple[tuple[CharacterId, ...], ...]


@fact("conflict-linked")
class ConflictLinked:
    """About the campaign: two characters. Their order has no meaning."""

    a: CharacterId
    b: CharacterId
    round: RoundId


@fact("tie-settled")
class TieSettled:
    """`faces`: the throws of a roll-off, in order."""

    round: RoundId
    ranking: tuple[CharacterId, ...]
    how: TieManner
    faces: tuple[tuple[Thrown, ...], ...]


@fact("action-passed")
class ActionPassed:
    round: RoundId
    char: CharacterId
    text: Story = ""


@fact("action-forfeited")
class ActionForfeited:
    """The participant picked up the last standing die against this attack before acting."""

    round: RoundId
    char: CharacterId
    attack: AttackId


@fact("action-lapsed")
class ActionLapsed:
    """The pending action is lost, because its actor or its target went out of play."""

    round: RoundId
    char: CharacterId


@fact("round-closed")
class RoundClosed:
    round: RoundId


RoundFact: TypeAlias = (
    RoundOpened | ActionDeclared | IntensityRaised | DeclarationAmended | RoundAbandoned | RoundLeft | DiceRolled
    | OrderEstablished | ConflictLinked | TieSettled | ActionPassed | ActionForfeited | ActionLapsed | RoundClosed
)  # fmt: skip
