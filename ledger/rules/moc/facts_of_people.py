"""What can become true of a character: what it is and bought, whether it is in play, and who has its chips then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ledger.rules.kernel.declarations import fact


@fact("character-created")
class CharacterCreated:
    """`budget`: points to begin with. Primaries and secondaries are its archetype's Elements."""

    archetype: str
    villain: bool
    primaries: tuple[str, ...]
    secondaries: tuple[str, ...]
    budget: int


@fact("level-bought")
class LevelBought:
    """`cost`: a fraction as text. `from`, `to`: the level or number. `element`: of a superhuman bead, a new Element.

    `skills`: those a Weapons Master's dice are for.
    """

    what: str
    name: str
    from_: int
    to: int
    cost: str
    element: str = ""
    instead: str = ""
    skills: tuple[str, ...] = ()


@fact("trait-proposed")
class TraitProposed:
    trait: str
    what: str
    name: str
    effect: str
    cost: str
    allows: str = ""


@fact("trait-countered")
class TraitCountered:
    trait: str
    effect: str
    cost: str


@fact("trait-approved")
class TraitApproved:
    trait: str
    cost: str


@fact("background-lost")
class BackgroundLost:
    what: str
    reason: str


@fact("character-sacrificed")
class CharacterSacrificed:
    """`session`: in which, or after which."""

    reason: str
    session: str = ""


@fact("chips-returned")
class ChipsReturned:
    """The chips of who died or retired lie in the bank until the player's next character gets them."""

    reason: str
    chips: Mapping[str, int]


@fact("chips-inherited")
class ChipsInherited:
    source: str
    bonus: Mapping[str, int]


@fact("chips-passed-on")
class ChipsPassedOn:
    """What was left behind is the `heir`'s."""

    heir: str


@fact("character-downed")
class CharacterDowned:
    pass


@fact("status-set")
class StatusSet:
    """`session`: in which, or after which."""

    status: str
    reason: str
    session: str = ""


PeopleFact: TypeAlias = (
    CharacterCreated | LevelBought | TraitProposed | TraitCountered | TraitApproved | BackgroundLost
    | CharacterSacrificed | ChipsReturned | ChipsInherited | ChipsPassedOn | CharacterDowned | StatusSet
)  # fmt: skip
