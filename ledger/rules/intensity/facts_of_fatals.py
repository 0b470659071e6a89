"""What becomes true of fatal impacts. Facts about a scene, unless said otherwise."""

from __future__ import annotations

from typing import TypeAlias

from ledger.rules.intensity.terms import Out, TraitSize, Use
from ledger.rules.kernel.declarations import fact


@fact("fatal-held")
class FatalHeld:
    fatal: str
    holder: str
    subject: str
    trait_used: str | None
    attack: str


@fact("fatal-used")
class FatalUsed:
    fatal: str
    use_as: Use
    fate: str
    out: Out | None


@fact("fatal-withheld")
class FatalWithheld:
    """The holder, whom somebody else's declaration had use it, does not; it is still held."""

    fatal: str


@fact("fatal-released")
class FatalReleased:
    fatal: str
    text: str = ""


@fact("fatal-lapsed")
class FatalLapsed:
    fatal: str


@fact("character-taken-out")
class CharacterTakenOut:
    """About the character. `cause`: `fatal:<id>`."""

    char: str
    until: Out
    cause: str


@fact("trait-mutilated")
class TraitMutilated:
    """About the character: the trait's own die from now on, 0 for none. `cause`: `fatal:<id>`."""

    char: str
    trait: str
    base: TraitSize
    cause: str


FatalFact: TypeAlias = (
    FatalHeld | FatalUsed | FatalWithheld | FatalReleased | FatalLapsed | CharacterTakenOut | TraitMutilated
)  # fmt: skip
