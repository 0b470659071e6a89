"""Facts of characters: what they are and bought, whether they are in play, and who gets their chips."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, OneOf, Reason, Ref, Story, Title
from ledger.rules.moc.domains import (
    Allowance,
    AnyElement,
    ArchetypeName,
    ColourName,
    Cost,
    EffectName,
    EffectOf,
    ElementName,
    PurchaseKind,
    PurchaseName,
    SessionId,
    SkillName,
    TraitId,
    TraitKind,
)
from ledger.rules.moc.terms import GONE


@fact("character-created")
class CharacterCreated:
    """A character was created. `budget`: the starting points. `primaries`, `secondaries`: the Elements of the
    archetype.
    """

    archetype: ArchetypeName
    villain: bool
    primaries: tuple[ElementName, ...]
    secondaries: tuple[ElementName, ...]
    budget: int


@fact("level-bought")
class LevelBought:
    """A character bought something. `cost`: a fraction as text. `from`, `to`: the level or number before and after.
    `element`: the Element of a Superhuman bead, or the new Element. `skills`: the related skills of Weapons Master
    dice.
    """

    what: PurchaseKind
    name: PurchaseName
    from_: int
    to: int
    cost: Cost
    element: AnyElement = ""
    instead: AnyElement = ""
    skills: tuple[SkillName, ...] = ()


@fact("trait-proposed")
class TraitProposed:
    """A player proposed a trait, with its effect and cost."""

    trait: TraitId
    what: TraitKind
    name: Title
    effect: Story
    cost: Cost
    allows: Allowance = ""


@fact("trait-effect-set")
class TraitEffectSet:
    """What a trait does in numbers, once it is approved. `does`: the kind of effect. `of`: what it affects."""

    trait: TraitId
    does: EffectName
    number: int
    of: EffectOf = ""


@fact("trait-countered")
class TraitCountered:
    """The game master made a counter-offer for a trait."""

    trait: TraitId
    effect: Story
    cost: Cost


@fact("trait-approved")
class TraitApproved:
    """The game master approved a trait."""

    trait: TraitId
    cost: Cost


@fact("background-lost")
class BackgroundLost:
    """A character lost a Background."""

    what: Annotated[str, Ref("background")]
    reason: Reason


@fact("character-sacrificed")
class CharacterSacrificed:
    """A character was sacrificed for the story. `session`: the session in which, or after which, it happened."""

    reason: Reason
    session: SessionId = ""


@fact("chips-returned")
class ChipsReturned:
    """A dead or retired character's chips are in the bank until the player's next character gets them."""

    reason: Reason
    chips: Mapping[ColourName, int]


@fact("chips-inherited")
class ChipsInherited:
    """A character inherited chips. `source`: the character who left them. `bonus`: extra chips, if that character was
    sacrificed.
    """

    source: CharacterId
    bonus: Mapping[ColourName, int]


@fact("chips-passed-on")
class ChipsPassedOn:
    """The chips that a character left behind went to the `heir`."""

    heir: CharacterId


@fact("character-downed")
class CharacterDowned:
    pass


@fact("status-set")
class StatusSet:
    """A character's status was set. `session`: the session in which, or after which, it happened."""

    status: Annotated[str, OneOf(("active", "down", *GONE))]
    reason: Reason
    session: SessionId = ""


PeopleFact: TypeAlias = (
    CharacterCreated | LevelBought | TraitProposed | TraitCountered | TraitApproved | BackgroundLost
    | CharacterSacrificed | ChipsReturned | ChipsInherited | ChipsPassedOn | CharacterDowned | StatusSet
    | TraitEffectSet
)  # fmt: skip
