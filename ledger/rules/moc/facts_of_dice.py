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
    """`what`: the play; its `use` names the roll. `action`: the action with the dice; empty for other dice.

    `whose`: the character who rolls other dice. `hit`: for damage and resisting. `waits`: for the next initiative roll.
    """

    action: ActionId
    play: PlayId
    what: Play
    whose: CharacterId = ""
    hit: HitId = ""
    waits: bool = False


@fact("card-played-on-healing")
class CardPlayedOnHealing:
    """About the character who heals."""

    play: PlayId
    what: Play


@fact("beads-played-on-dice")
class BeadsPlayedOnDice:
    """About the scene, or the character who heals. `what`: the play; its `use` names the roll.

    `pile`, `action`: as for a trump. `whose`: the character who rolled.
    """

    action: PileId
    play: PlayId
    what: Play
    pile: Kind
    whose: CharacterId


@fact("initiative-rolled")
class InitiativeRolled:
    """`groups`: who acts together, first to last. `results`: id -> (successes, total), with the cards played before.

    `tn`, `faces`, `bonus`: to work it out again when a card is played or overturned.
    """

    groups: tuple[tuple[CharacterId, ...], ...]
    results: Mapping[CharacterId, tuple[int, int]]
    tn: int
    faces: Mapping[CharacterId, tuple[int, ...]]
    bonus: Mapping[CharacterId, tuple[int, ...]]


@fact("hit-scored", 2)
class HitScored:
    """`hit`: its id. `what`: the whole hit."""

    hit: HitId
    what: Hit


@fact("location-set", 2)
class LocationSet:
    """`face`: of the die that chose the location, if one did."""

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
    """`conversions`, `removals`: how many points become pain or are removed, including by what was played on the dice.
    `faces`, `bonus`: the dice as rolled. If a play is trumped, a new fact follows.

    `ignored`: dice that removed a point. `pain`: direct pain of the hit.
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
    """Floating dice for the character's next initiative roll."""

    character: CharacterId
    number: int


@fact("damage-healed")
class DamageHealed:
    """`heal`: the ruling that rolled. A fact of a different ruling means that a trump changed the result."""

    successes: int
    heal: RulingNumber = ""
    period: int = 0
    tn: int = 0
    faces: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()


@fact("healing-failed")
class HealingFailed:
    """As for `damage-healed`. `period`: days until the next try."""

    period: int
    heal: RulingNumber = ""
    tn: int = 0
    faces: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()


DiceFact: TypeAlias = (
    CardPlayedOnDice | CardPlayedOnHealing | BeadsPlayedOnDice | InitiativeRolled | HitScored | LocationSet
    | DamageRolled | DamageResisted | HarmUndone | DiceLaid | DamageHealed | HealingFailed
)  # fmt: skip
