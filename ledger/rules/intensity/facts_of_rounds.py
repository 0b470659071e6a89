"""What becomes true of a round: what was declared, rolled, ordered, passed. Each names its round."""

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
    """One participant's dice in a throw of a roll-off. `trait`: None when the intensity die was alone."""

    char: CharacterId
    intensity: int
    trait: int | None


@dataclass(frozen=True, slots=True)
class Restated:
    """The parts of a declaration that were restated; a blank one was not touched, None is no target or no trait."""

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
    """A participant went out before the roll was complete: no longer in the round, nobody's target."""

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
    """All dice are in. `groups`: who goes first, the fully tied together, in name order."""

    round: RoundId
    groups: tuple[tuple[CharacterId, ...], ...]


@fact("conflict-linked")
class ConflictLinked:
    """About the campaign: an unordered pair."""

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
    """The last standing die was picked up against this attack while the own action was still to come."""

    round: RoundId
    char: CharacterId
    attack: AttackId


@fact("action-lapsed")
class ActionLapsed:
    """The pending action is gone with the actor or the target."""

    round: RoundId
    char: CharacterId


@fact("round-closed")
class RoundClosed:
    round: RoundId


RoundFact: TypeAlias = (
    RoundOpened | ActionDeclared | IntensityRaised | DeclarationAmended | RoundAbandoned | RoundLeft | DiceRolled
    | OrderEstablished | ConflictLinked | TieSettled | ActionPassed | ActionForfeited | ActionLapsed | RoundClosed
)  # fmt: skip
