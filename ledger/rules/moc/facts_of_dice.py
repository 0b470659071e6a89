"""What can become true of cards on dice, and of the dice of a fight: initiative, hits, damage and resisting it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, OneOf
from ledger.rules.moc.domains import ActionId, HitId, LocationName, PlayId, RulingNumber
from ledger.rules.moc.state_of_actions import Play
from ledger.rules.moc.state_of_combat import Hit


@fact("card-played-on-dice")
class CardPlayedOnDice:
    """`what`: the play; its `use` names the roll. `action`: whose dice it is on; empty for dice that are no action's.

    `whose`: who rolls those; `hit`: of damage and of resisting. `waits`: for the initiative that is rolled next.
    """

    action: ActionId
    play: PlayId
    what: Play
    whose: CharacterId = ""
    hit: HitId = ""
    waits: bool = False


@fact("card-played-on-healing")
class CardPlayedOnHealing:
    """About who heals."""

    play: PlayId
    what: Play


@fact("initiative-rolled")
class InitiativeRolled:
    """`groups`: who acts together, first to last; `results`: id -> (successes, sum), with the cards laid before.

    `tn`, `faces` and `bonus`: from which they are counted anew when a card is laid or overturned.
    """

    groups: tuple[tuple[CharacterId, ...], ...]
    results: Mapping[CharacterId, tuple[int, int]]
    tn: int
    faces: Mapping[CharacterId, tuple[int, ...]]
    bonus: Mapping[CharacterId, tuple[int, ...]]


@fact("hit-scored", 2)
class HitScored:
    """`hit`: its id. `what`: all of it."""

    hit: HitId
    what: Hit


@fact("location-set")
class LocationSet:
    hit: HitId
    location: LocationName
    severity: int
    by: Annotated[str, OneOf(("attacker", "gm", "die"))]


@fact("damage-rolled")
class DamageRolled:
    """`resistible`, `unresistible`: with the cards laid before. The dice are as they fell."""

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
    """`conversions`, `removals`: with what lies on the dice, which are as they fell; told anew where that is trumped.

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
    """What the last hit did is undone, since what resisted it counts otherwise now; `harm-applied` tells it anew."""

    hit: HitId


@fact("dice-laid")
class DiceLaid:
    """Dice of the own on what is rolled next: on the initiative of who lays them."""

    character: CharacterId
    number: int


@fact("damage-healed")
class DamageHealed:
    """`heal`: the ruling that rolled; told by another one, a trump changed how it comes out. The rest: its dice."""

    successes: int
    heal: RulingNumber = ""
    period: int = 0
    tn: int = 0
    faces: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()


@fact("healing-failed")
class HealingFailed:
    """As `damage-healed`. `period`: days to wait for another try."""

    period: int
    heal: RulingNumber = ""
    tn: int = 0
    faces: tuple[int, ...] = ()
    bonus: tuple[int, ...] = ()


DiceFact: TypeAlias = (
    CardPlayedOnDice | CardPlayedOnHealing | InitiativeRolled | HitScored | LocationSet | DamageRolled | DamageResisted
    | HarmUndone | DiceLaid | DamageHealed | HealingFailed
)  # fmt: skip
