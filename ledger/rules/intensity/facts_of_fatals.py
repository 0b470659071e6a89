"""The facts of fatal impacts. They are about a scene, unless they say something else."""

from __future__ import annotations

from typing import TypeAlias

from ledger.rules.intensity.terms import AttackId, Cause, FatalId, Out, TraitName, TraitSize, Use
from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, Reason, Story


@fact("fatal-held")
class FatalHeld:
    fatal: FatalId
    holder: CharacterId
    subject: CharacterId
    trait_used: TraitName | None
    attack: AttackId


@fact("fatal-used")
class FatalUsed:
    fatal: FatalId
    use_as: Use
    fate: Story
    out: Out | None


@fact("fatal-withheld")
class FatalWithheld:
    """The holder's player declined the use, or the use that it answers was declined. It is still held."""

    fatal: FatalId


@fact("fatal-released")
class FatalReleased:
    fatal: FatalId
    text: Story = ""


@fact("fatal-lapsed")
class FatalLapsed:
    fatal: FatalId


@fact("character-taken-out", version=2)
class CharacterTakenOut:
    """About the character. `cause`: `fatal:<id>`. `out_for`: how long, in words, if it is for a `time`."""

    char: CharacterId
    until: Out
    cause: Cause
    out_for: Story = ""


@fact("brought-back")
class BroughtBack:
    """About the character: its time out of play is over."""

    char: CharacterId
    reason: Reason


@fact("trait-mutilated")
class TraitMutilated:
    """About the character: the trait's new die, for good, or 0 for none. `cause`: `fatal:<id>`."""

    char: CharacterId
    trait: TraitName
    base: TraitSize
    cause: Cause


FatalFact: TypeAlias = (
    FatalHeld | FatalUsed | FatalWithheld | FatalReleased | FatalLapsed | CharacterTakenOut | BroughtBack
    | TraitMutilated
)  # fmt: skip
