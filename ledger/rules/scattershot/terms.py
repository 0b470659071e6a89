"""The game's words as types."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, TypeGuard, get_args

#: A number as it was sent, or whatever stands in its place: a rule refuses what is none, and not the wire.
Unchecked: TypeAlias = Any
Mode: TypeAlias = Literal["solo", "general", "specific", "mechanical"]
CharacterKind: TypeAlias = Literal["persona", "regular"]
RatingKind: TypeAlias = Literal["statistic", "skill", "special-ability", "free-skill"]
#: What can be bought beside Ratings.
Trait: TypeAlias = Literal["advantage", "free-skill", "element", "protection"]
ExpectationKind: TypeAlias = Literal["gimme", "freebie", "payback"]
#: `opportunity`, `decision`; then the Application Phase: Challenges, Benefits, results; then `closed`.
Phase: TypeAlias = Literal["opportunity", "decision", "challenges", "benefits", "results", "closed"]
DieKind: TypeAlias = Literal["own", "freebie", "loaner", "saved"]
Outcome: TypeAlias = Literal["success", "minimal-success", "failure", "telling-blow", "catastrophic-failure"]
JunctureKind: TypeAlias = Literal["telling-blow", "catastrophic-failure"]
Nature: TypeAlias = Literal["attack", "defense", "movement", "other"]
AllOutMode: TypeAlias = Literal["attack", "defense", "focusing"]
Payment: TypeAlias = Literal["action", "forfeit", "free", "flurry", "none"]
#: What the sides of a contest alter: each its own MIB, or both the RMIB.
Adjusting: TypeAlias = Literal["each-raw", "rmib"]
#: What dice were claimed for.
Claim: TypeAlias = Literal["coup", "payback", "cash-in"]
FlurryEnd: TypeAlias = Literal["hit", "interruption", "limit"]
#: The Engagement of a Persona: asked for an answer, Off-Guard, obliged by a Reaction roll, opposing, passive.
Stance: TypeAlias = Literal["asked", "off-guard", "obliged", "opposing", "passive"]

WITHOUT_TURNS: tuple[Mode, ...] = ("solo", "general", "specific")
DIE_KINDS: tuple[DieKind, ...] = get_args(DieKind)
#: The Actor's side of a resolution; every other side is the id of a Resistor.
ACTOR = "actor"
#: A Reaction roll as the target of a die: `reaction:` and the Character.
REACTION = "reaction:"


def is_whole(number: object) -> TypeGuard[int]:
    """An integer: no bool, no text, no fraction."""
    return type(number) is int


def is_natural(number: object) -> TypeGuard[int]:
    return type(number) is int and number >= 0


def is_positive(number: object) -> TypeGuard[int]:
    return type(number) is int and number >= 1


def is_without_turns(word: object) -> TypeGuard[Mode]:
    """A mode of Play that is not Mechanical."""
    return word in WITHOUT_TURNS


def is_die_kind(word: object) -> TypeGuard[DieKind]:
    return word in DIE_KINDS
