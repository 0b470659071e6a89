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
    """Limit the Development Points that new Personae can start with.

    `limit`: the highest number of Development Points. `player`: whose Personae are limited. Leave it out for your own,
    or for everybody's if the Group is to agree. `agreed`: whether the Group is to agree. Everybody, or the Player
    named, is then asked, and the limit binds those who agree. `claimed`: whether a Gamemaster records that the Players
    who would be asked agreed. This needs a `reason`.
    """

    limit: Whole
    player: SeatId | None = None
    agreed: bool = False
    claimed: bool = False
    reason: Reason = ""


@declares("limit-in-words", ANYONE, records=("word-limit-set", "word-limit-declined"))
class LimitInWords:
    """Limit new Personae in words, for example to a theme or a genre. The limits are shown when a Persona is enrolled.

    `words`: the limit, in words. `player`: whose Personae are limited. Leave it out for your own, or for everybody's if
    the Group is to agree. `agreed`: whether the Group is to agree. Everybody, or the Player named, is then asked, and
    the limit binds those who agree. `claimed`: whether a Gamemaster records that the Players who would be asked agreed.
    This needs a `reason`.
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
    """Spend Development Points on a Rating, or on a new Skill or Special Ability.

    `rating`: the Rating to raise, or the name of the new ability. `talent`: whether the points are talent. If not, they
    are training. `skill`: the new ability, with its difficulty. `special`: whether the new ability is a Special
    Ability.
    """

    character: CharacterId
    rating: Title
    points: Positive = 1
    talent: bool = False
    skill: Skill | None = None
    special: bool = False


@declares("buy-trait", ANYONE, records=("trait-bought", "listing-upheld", "protection-declined"))
class BuyTrait:
    """Spend Development Points on an Advantage, a Free Skill, an element of 'Character' or a piece of protection. Buy
    only one of these at a time. The first piece of protection from an ability is included in the price of the ability;
    each further piece costs 1 point. The Gamemaster is asked about anything beyond a listing, and about static
    protection outside Solo Play.

    `level`: the Rating at which the Free Skill starts.
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
    """Strike an entry from a Persona Sheet, because the Character lost it in Play. The Player gets no dice or points
    for it. If the Character's Player declares this, the Gamemaster is asked. If a Gamemaster declares it, the Player is
    asked.

    `trait`: the kind of entry. `name`: the name of the entry, or the words that describe the wound.
    """

    character: CharacterId
    trait: SheetPart
    name: Title
    reason: Reason = ""


@declares("cash-in", ANYONE, records=("characteristic-cashed-in", "effect-indexed", "damage-listed", "dice-declined"))
class CashIn:
    """Give up Development Points of a characteristic that the Character lost in Play, and get an Experience Die for
    each. This must be granted by the Gamemaster, or by everybody present if the table plays that way.

    `characteristic`: a Rating, Advantage or Disadvantage of the Character.
    """

    character: CharacterId
    characteristic: OwnCharacteristic
    points: Positive = 1
    reason: Reason = ""


@declares("develop", ANYONE, records=("development-rolled",))
class Develop:
    """Roll Experience Dice together to develop a Persona. Their total decides how many Development Points the Persona
    gets.

    `own`: how many dice you roll from the Player's purse. `loaners`: how many dice you borrow. `faces`: what the dice
    show; leave this out to be asked. `freebies`: keep this at 0, because Freebies cannot develop a Persona.
    """

    character: CharacterId
    own: Natural = 1
    loaners: Natural = 0
    faces: D6Faces | None = None
    freebies: Natural = 0


@declares("use-resource", GM, records=("resource-used",))
class UseResource:
    """Make a Rating a Resource, because an ability drains it. The Resource starts full."""

    character: CharacterId
    rating: OwnRating


@declares("list-damage", ANYONE, records=("damage-listed",))
class ListDamage:
    """Note on the Persona Sheet how much damage a weapon does at each RMIB from 0 to the Critical Juncture.

    `weapon`: the name of the weapon, or the number that it adds to an RMIB.
    """

    character: CharacterId
    weapon: Weapon = 0


@declares("spend-power", ANYONE, records=("power-spent", "penalty-deferred", "penalty-took-effect"))
class SpendPower:
    """Spend a Character's Power.

    `why`: what the Power is spent on. `missed_by`: by how much a spell failed. Give this instead of the amount if
    failed spells drain Power at your table.
    """

    character: CharacterId
    amount: Whole = 0
    why: Reason = ""
    missed_by: Whole | None = None


@declares("restore-resource", GM, records=("resource-restored", "penalty-took-effect"))
class RestoreResource:
    """Restore a Resource, up to its maximum. The game has no rule for recovery, so this is a Gamemaster's ruling.

    `ruling`: why the Resource is restored.
    """

    character: CharacterId
    resource: OwnResource
    amount: Whole
    ruling: Reason = ""


@declares("rule-fight-left", GM, records=("fight-left-ruled",))
class RuleFightLeft:
    """Rule that a Character with no Hit Points left may still attack. The ruling ends when the Character has Hit Points
    again.
    """

    character: CharacterId
    reason: Reason


@declares("place-residual", GM, records=("residual-placed",))
class PlaceResidual:
    """Place a Residual modifier on a Character. This is a Gamemaster's ruling.

    `amount`: what the modifier adds to a roll. `scope`: the situations in which the modifier counts. `source`: where
    the modifier comes from. `until`: how long the modifier lasts.
    """

    character: CharacterId
    amount: Whole
    scope: Situation
    source: Reason
    until: Ending = "session"


@declares("end-residual", GM, records=("residual-ended",))
class EndResidual:
    """End a Residual modifier of a Character."""

    character: CharacterId
    residual: OwnResidual


@declares("set-off-guard", ANYONE, records=("off-guard-set",))
class SetOffGuard:
    """Say towards whom a Character is Off-Guard. If you leave out both `towards` and `all_but`, the Character is on
    guard again.

    `towards`: those towards whom the Character is Off-Guard. `all_but`: the only one towards whom it is on guard; it is
    Off-Guard to everybody else.
    """

    character: CharacterId
    towards: tuple[CharacterId, ...] = ()
    all_but: CharacterId | None = None


Input: TypeAlias = (
    LimitPoints | LimitInWords | RaiseRating | BuyTrait | TakeDisadvantage |
    StrikeTrait | CashIn | Develop | UseResource | ListDamage | SpendPower |
    RestoreResource | RuleFightLeft | PlaceResidual | EndResidual | SetOffGuard
)  # fmt: skip
