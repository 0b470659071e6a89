"""Facts of cards on dice, and of the dice of a fight: initiative, hits, damage and resisting it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, OneOf
from ledger.rules.moc.domains import ActionId, HitId, LocationName, PileId, PlayId, RulingNumber
from ledger.rules.moc.piles import Kind
from ledger.rules.moc.state_of_actions import Play
from ledger.rules.moc.state_of_combat import Hit


@fact("card-played-on-dice")
class CardPlayedOnDice:
    """A card was played on dice. `what`: the play; its `use` names the roll. `action`: the action whose dice they are;
    empty for other dice. `whose`: for other dice, the character who rolls them. `hit`: the hit, for damage and
    resisting. `waits`: whether the card waits for the next initiative roll.
    """

    action: ActionId
    play: PlayId
    what: Play
    whose: CharacterId = ""
    hit: HitId = ""
    waits: bool = False


@fact("card-played-on-healing")
class CardPlayedOnHealing:
    """Subject: the character who heals. A card was played on a healing roll."""

    play: PlayId
    what: Play


@fact("beads-played-on-dice")
class BeadsPlayedOnDice:
    """Subject: the scene, or the character who heals. Beads were played on dice outside an action. `what`: the play;
    its `use` names the roll. `pile`, `action`: as in `play-trumped`. `whose`: the character who rolled.
    """

    action: PileId
    play: PlayId
    what: Play
    pile: Kind
    whose: CharacterId


@fact("initiative-rolled")
class InitiativeRolled:
    """Initiative was rolled. `groups`: the order, in which characters in the same group act at the same time.
    `results`: each character's successes and total, including cards played before the roll. `tn`, `faces`, `bonus`:
    kept so that the order can be worked out again if a card is played or a ruling overturned.
    """

    groups: tuple[tuple[CharacterId, ...], ...]
    results: Mapping[CharacterId, tuple[int, int]]
    tn: int
    faces: Mapping[CharacterId, tuple[int, ...]]
    bonus: Mapping[CharacterId, tuple[int, ...]]


@fact("hit-scored", 2)
class HitScored:
    """An attack hit. `hit`: the id of the hit. `what`: everything recorded about it."""

    hit: HitId
    what: Hit


@fact("location-set", 2)
class LocationSet:
    """The location of a hit was set. `by`: who or what decided it. `face`: of the die that chose it, if one did."""

    hit: HitId
    location: LocationName
    severity: int
    by: Annotated[str, OneOf(("attacker", "gm", "die"))]
    face: int | None


@fact("damage-rolled")
class DamageRolled:
    """`resistible`, `unresistible`: points of damage, including those from cards played before the roll."""

    hit: HitId
    threshold: int
    faces: tuple[int, ...]
    bonus: tuple[int, ...]
    raise_faces: tuple[int, ...]
    raise_bonus: tuple[int, ...]
    resistible: int
    unresistible: int


@fact("damage-resisted")
class DamageResisted:
    """The character who was hit resisted damage. `conversions`, `removals`: how many points become pain or are removed,
    including those from cards and beads. `faces`, `bonus`: the dice as rolled. `ignored`: the dice that removed a
    point. `pain`: pain that the hit causes directly. If a play is trumped, a new fact follows.
    """

    hit: HitId
    tn: int
    faces: tuple[int, ...]
    bonus: tuple[int, ...]
    conversions: int
    removals: int
    ignored: tuple[int, ...] = ()
    pain: int = 0


@fact("harm-undone")
class HarmUndone:
    """What the last hit did is undone because the resisting dice changed. A new `harm-applied` follows."""

    hit: HitId


@fact("dice-laid")
class DiceLaid:
    """Floating dice were added to the character's next initiative roll."""

    character: CharacterId
    number: int


@fact("damage-healed")
class DamageHealed:
    """A point of damage healed. `heal`: the ruling that rolled the dice. If this fact belongs to a different ruling, a
    trump changed the result.
    """

    successes: int
    heal: RulingNumber = ""
    period: int = 0
    tn: int = 0
    faces: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()


@fact("healing-failed")
class HealingFailed:
    """A healing roll failed. `period`: how many days until the next try. The other fields are as in `damage-healed`."""

    period: int
    heal: RulingNumber = ""
    tn: int = 0
    faces: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()


DiceFact: TypeAlias = (
    CardPlayedOnDice | CardPlayedOnHealing | BeadsPlayedOnDice | InitiativeRolled | HitScored | LocationSet
    | DamageRolled | DamageResisted | HarmUndone | DiceLaid | DamageHealed | HealingFailed
)  # fmt: skip
