"""What becomes true of a round: what was declared, rolled, ordered, passed. Each names its round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ledger.rules.intensity.terms import Level, TieManner
from ledger.rules.kernel.declarations import fact


@dataclass(frozen=True, slots=True)
class RolledDie:
    size: int
    face: int


@dataclass(frozen=True, slots=True)
class RolledTrait:
    name: str
    size: int
    face: int


@dataclass(frozen=True, slots=True)
class Thrown:
    """One participant's dice in a throw of a roll-off. `trait`: None when the intensity die was alone."""

    char: str
    intensity: int
    trait: int | None


@dataclass(frozen=True, slots=True)
class Restated:
    """The parts of a declaration that were restated; a blank one was not touched, None is no target or no trait."""

    target: str | None
    trait: str | None
    text: str = ""


@fact("round-opened")
class RoundOpened:
    round: str
    participants: tuple[str, ...]


@fact("action-declared")
class ActionDeclared:
    round: str
    char: str
    target: str | None
    level: Level
    trait: str | None
    text: str


@fact("intensity-raised")
class IntensityRaised:
    round: str
    char: str
    from_level: Level
    to_level: Level
    text: str = ""


@fact("declaration-amended")
class DeclarationAmended:
    round: str
    char: str
    before: Restated
    after: Restated


@fact("round-abandoned")
class RoundAbandoned:
    round: str


@fact("round-left")
class RoundLeft:
    """A participant went out before the roll was complete: no longer in the round, nobody's target."""

    round: str
    char: str


@fact("dice-rolled")
class DiceRolled:
    round: str
    char: str
    intensity: RolledDie
    trait: RolledTrait | None


@fact("order-established")
class OrderEstablished:
    """All dice are in. `groups`: who goes first, the fully tied together, in name order."""

    round: str
    groups: tuple[tuple[str, ...], ...]


@fact("conflict-linked")
class ConflictLinked:
    """About the campaign: an unordered pair."""

    a: str
    b: str
    round: str


@fact("tie-settled")
class TieSettled:
    """`faces`: the throws of a roll-off, in order."""

    round: str
    ranking: tuple[str, ...]
    how: TieManner
    faces: tuple[tuple[Thrown, ...], ...]


@fact("action-passed")
class ActionPassed:
    round: str
    char: str
    text: str = ""


@fact("action-forfeited")
class ActionForfeited:
    """The last standing die was picked up against this attack while the own action was still to come."""

    round: str
    char: str
    attack: str


@fact("action-lapsed")
class ActionLapsed:
    """The pending action is gone with the actor or the target."""

    round: str
    char: str


@fact("round-closed")
class RoundClosed:
    round: str


RoundFact: TypeAlias = (
    RoundOpened | ActionDeclared | IntensityRaised | DeclarationAmended | RoundAbandoned | RoundLeft | DiceRolled
    | OrderEstablished | ConflictLinked | TieSettled | ActionPassed | ActionForfeited | ActionLapsed | RoundClosed
)  # fmt: skip
