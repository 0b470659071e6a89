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
    Situation,
    Weapon,
    Whole,
)


@declares("limit-points", ANYONE, records=("point-limit-set", "limit-declined"))
class LimitPoints:
    """On a Player's new Personae: by themself; or (`agreed`) by consensus, of everybody or of the one named: each is
    asked, and those who agree are bound. `claimed`: a Gamemaster records that they agreed, with a `reason`."""

    limit: Whole
    player: SeatId | None = None
    agreed: bool = False
    claimed: bool = False
    reason: Reason = ""


@declares("limit-in-words", ANYONE, records=("word-limit-set", "word-limit-declined"))
class LimitInWords:
    """A limit on a Player's new Personae that is no number: a theme, a genre. Agreed as `limit-points` is; enrolling a
    Persona shows it."""

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
    """Unspent points into a Rating, or into a new Skill or Special Ability (`skill`, with its difficulty)."""

    character: CharacterId
    rating: Title
    points: Positive = 1
    talent: bool = False
    skill: Skill | None = None
    special: bool = False


@declares("buy-trait", ANYONE, records=("trait-bought", "listing-upheld", "protection-declined"))
class BuyTrait:
    """Unspent points into an Advantage, a Free Skill (at its listed `level`), a 'Character' element; or a piece of
    protection. The first piece of an ability is paid for with it, each further one costs a point. One at a time. Beyond
    a listing, and for static protection outside Solo Play, a Gamemaster is asked."""

    character: CharacterId
    advantage: Advantage | None = None
    free_skill: Title | None = None
    level: Whole | None = None
    element: Title | None = None
    protection: Protection | None = None


@declares("cash-in", ANYONE, records=("characteristic-cashed-in", "effect-indexed", "damage-listed", "dice-declined"))
class CashIn:
    """Development Points given up because Play removed a characteristic. Who grants dice is asked."""

    character: CharacterId
    characteristic: OwnCharacteristic
    points: Positive = 1
    reason: Reason = ""


@declares("develop", ANYONE, records=("development-rolled",))
class Develop:
    """Own dice and Loaners rolled together to grow a Persona. `freebies` are of no use here."""

    character: CharacterId
    own: Natural = 1
    loaners: Natural = 0
    faces: D6Faces | None = None
    freebies: Natural = 0


@declares("use-resource", GM, records=("resource-used",))
class UseResource:
    """A Rating some ability drains becomes a Resource, as full as the Rating."""

    character: CharacterId
    rating: OwnRating


@declares("list-damage", ANYONE, records=("damage-listed",))
class ListDamage:
    """For the Persona Sheet: what each number does with this weapon."""

    character: CharacterId
    weapon: Weapon = 0


@declares("spend-power", ANYONE, records=("power-spent", "penalty-deferred", "penalty-took-effect"))
class SpendPower:
    """`missed_by`: of a failed spell, where the table plays that failure drains."""

    character: CharacterId
    amount: Whole = 0
    why: Reason = ""
    missed_by: Whole | None = None


@declares("restore-resource", GM, records=("resource-restored", "penalty-took-effect"))
class RestoreResource:
    """A ruling: the source has no recovery. Never above the maximum."""

    character: CharacterId
    resource: OwnResource
    amount: Whole
    ruling: Reason = ""


@declares("rule-fight-left", GM, records=("fight-left-ruled",))
class RuleFightLeft:
    """Who has no Hit Points left attacks all the same, until some are back."""

    character: CharacterId
    reason: Reason


@declares("place-residual", GM, records=("residual-placed",))
class PlaceResidual:
    """A continuing modifier, by ruling."""

    character: CharacterId
    amount: Whole
    scope: Situation
    source: Reason
    until: Ending = "session"


@declares("end-residual", GM, records=("residual-ended",))
class EndResidual:
    character: CharacterId
    residual: OwnResidual


@declares("set-off-guard", ANYONE, records=("off-guard-set",))
class SetOffGuard:
    """Off-Guard towards some, or against all but one; with neither, on guard again."""

    character: CharacterId
    towards: tuple[CharacterId, ...] = ()
    all_but: CharacterId | None = None


Input: TypeAlias = (
    LimitPoints | LimitInWords | RaiseRating | BuyTrait | CashIn | Develop | UseResource | ListDamage | SpendPower |
    RestoreResource | RuleFightLeft | PlaceResidual | EndResidual | SetOffGuard
)  # fmt: skip
