"""What becomes true of fatal impacts. Facts about a scene, unless said otherwise."""

from __future__ import annotations

from typing import TypeAlias

from ledger.rules.intensity.terms import AttackId, Cause, FatalId, Out, TraitName, TraitSize, Use
from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, Story


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
    """The holder, whom somebody else's declaration had use it, does not; or the use that it answers was declined. It is
    still held.
    """

    fatal: FatalId


@fact("fatal-released")
class FatalReleased:
    fatal: FatalId
    text: Story = ""


@fact("fatal-lapsed")
class FatalLapsed:
    fatal: FatalId


@fact("character-taken-out")
class CharacterTakenOut:
    """About the character. `cause`: `fatal:<id>`."""

    char: CharacterId
    until: Out
    cause: Cause


@fact("trait-mutilated")
class TraitMutilated:
    """About the character: the trait's own die from now on, 0 for none. `cause`: `fatal:<id>`."""

    char: CharacterId
    trait: TraitName
    base: TraitSize
    cause: Cause


FatalFact: TypeAlias = (
    FatalHeld | FatalUsed | FatalWithheld | FatalReleased | FatalLapsed | CharacterTakenOut | TraitMutilated
)  # fmt: skip
