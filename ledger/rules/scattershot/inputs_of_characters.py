"""Inputs about Characters: what they are made of, what they lose and get back."""

from __future__ import annotations

from typing import TypeAlias

from ledger.rules.kernel.declarations import ANYONE, GM, declares
from ledger.rules.kernel.domains import CharacterId, Reason, SeatId, Title
from ledger.rules.scattershot.sheet import Advantage, Protection, Skill
from ledger.rules.scattershot.terms import (
    D6Faces,
    Ending,
    Natural,
    OwnCharacteristic,
    OwnRating,
    OwnResidual,
    OwnResource,
    Positive,
    SheetPart,
    Situation,
    Weapon,
    Whole,
)


@declares("limit-points", ANYONE, records=("point-limit-set", "limit-declined"))
class LimitPoints:
    """Limit the starting Development Points of new Personae.

    `player`: whose Personae. `agreed`: by consensus of the Group. Everybody, or the Player named, is asked, and the
    limit binds those who agree. `claimed`: a Gamemaster records that they agreed, with a `reason`.
    """

    limit: Whole
    player: SeatId | None = None
    agreed: bool = False
    claimed: bool = False
    reason: Reason = ""


@declares("limit-in-words", ANYONE, records=("word-limit-set", "word-limit-declined"))
class LimitInWords:
    """Limit new Personae in words, such as a theme or a genre. The limits are shown when a Persona joins.

    `player`: whose Personae. `agreed`: by consensus of the Group. Everybody, or the Player named, is asked, and the
    limit binds those who agree. `claimed`: a Gamemaster records that they agreed, with a `reason`.
    """

    words: Title
    player: SeatId | None = None
    agreed: bool = False
    claimed: bool = False
    reason: Reason = ""


@declares(
    "raise-rating",
    ANYONE,
    records=("development-points-allocated", "rating-raised", "effect-indexed", "resource-used", "damage-listed"),
)
class RaiseRating:
    """Spend unspent Development Points on a Rating, or on a new Skill or Special Ability.

    `skill`: the new Skill, with its difficulty. `special`: it is a Special Ability. `talent`: the points are talent,
    not training.
    """

    character: CharacterId
    rating: Title
    points: Positive = 1
    talent: bool = False
    skill: Skill | None = None
    special: bool = False


@declares("buy-trait", ANYONE, records=("trait-bought", "listing-upheld", "protection-declined"))
class BuyTrait:
    """Spend unspent Development Points on an Advantage, a Free Skill, an element of 'Character' or a piece of
    protection, one at a time. The price of an ability includes one piece of protection; each further piece costs 1
    point. The Gamemaster is asked about anything beyond a listing, and about static protection outside Solo Play.

    `level`: the listed level of the Free Skill.
    """

    character: CharacterId
    advantage: Advantage | None = None
    free_skill: Title | None = None
    level: Whole | None = None
    element: Title | None = None
    protection: Protection | None = None


@declares("take-disadvantage", ANYONE, records=("disadvantage-taken", "sheet-change-declined"))
class TakeDisadvantage:
    """Take a Disadvantage that arises from Play, such as the loss of an eye. If the Character's Player declares this,
    the Gamemaster is asked. If a Gamemaster declares it, the Player is asked.

    `value`: what the Disadvantage is worth; leave it out to use the listed value, or 1.
    """

    character: CharacterId
    name: Title
    value: Positive | None = None
    reason: Reason = ""


@declares("strike-trait", ANYONE, records=("trait-struck", "sheet-change-declined"))
class StrikeTrait:
    """Strike something that Play took away from a Persona Sheet, without dice or points in return. If the Character's
    Player declares this, the Gamemaster is asked. If a Gamemaster declares it, the Player is asked.

    `trait`: what kind of entry it is. `name`: the name of the entry; of a wound, its words.
    """

    character: CharacterId
    trait: SheetPart
    name: Title
    reason: Reason = ""


@declares("cash-in", ANYONE, records=("characteristic-cashed-in", "effect-indexed", "damage-listed", "dice-declined"))
class CashIn:
    """Exchange the Development Points of a characteristic that Play removed for Experience Dice. The dice must be
    granted.
    """

    character: CharacterId
    characteristic: OwnCharacteristic
    points: Positive = 1
    reason: Reason = ""


@declares("develop", ANYONE, records=("development-rolled",))
class Develop:
    """Roll your own dice and Loaners together to develop a Persona.

    `own`: how many of your own dice. `loaners`: how many borrowed dice. `freebies`: not allowed here.
    """

    character: CharacterId
    own: Natural = 1
    loaners: Natural = 0
    faces: D6Faces | None = None
    freebies: Natural = 0


@declares("use-resource", GM, records=("resource-used",))
class UseResource:
    """Make a Rating a Resource because an ability drains it. It starts full."""

    character: CharacterId
    rating: OwnRating


@declares("list-damage", ANYONE, records=("damage-listed",))
class ListDamage:
    """Note on the Persona Sheet how much damage each number does with this weapon."""

    character: CharacterId
    weapon: Weapon = 0


@declares("spend-power", ANYONE, records=("power-spent", "penalty-deferred", "penalty-took-effect"))
class SpendPower:
    """Spend Power.

    `missed_by`: by how much a spell failed, if failed spells drain Power at this table.
    """

    character: CharacterId
    amount: Whole = 0
    why: Reason = ""
    missed_by: Whole | None = None


@declares("restore-resource", GM, records=("resource-restored", "penalty-took-effect"))
class RestoreResource:
    """Restore a Resource by a ruling, up to its maximum. The game has no rule for recovery."""

    character: CharacterId
    resource: OwnResource
    amount: Whole
    ruling: Reason = ""


@declares("rule-fight-left", GM, records=("fight-left-ruled",))
class RuleFightLeft:
    """Rule that a Character without Hit Points may attack until it has some again."""

    character: CharacterId
    reason: Reason


@declares("place-residual", GM, records=("residual-placed",))
class PlaceResidual:
    """Place a Residual modifier on a Character by a ruling.

    `scope`: the situations in which it counts. `source`: where it comes from. `until`: how long it lasts.
    """

    character: CharacterId
    amount: Whole
    scope: Situation
    source: Reason
    until: Ending = "session"


@declares("end-residual", GM, records=("residual-ended",))
class EndResidual:
    """End a Residual modifier."""

    character: CharacterId
    residual: OwnResidual


@declares("set-off-guard", ANYONE, records=("off-guard-set",))
class SetOffGuard:
    """Say whom a Character is Off-Guard towards. If you leave both fields out, it is on guard again.

    `towards`: the Characters it is Off-Guard towards. `all_but`: the only Character it is not Off-Guard towards.
    """

    character: CharacterId
    towards: tuple[CharacterId, ...] = ()
    all_but: CharacterId | None = None


Input: TypeAlias = (
    LimitPoints | LimitInWords | RaiseRating | BuyTrait | TakeDisadvantage |
    StrikeTrait | CashIn | Develop | UseResource | ListDamage | SpendPower |
    RestoreResource | RuleFightLeft | PlaceResidual | EndResidual | SetOffGuard
)  # fmt: skip
