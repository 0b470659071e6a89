"""What people at the table do. Characters, seats and resolutions are named by id.

Numbers are typed `Any`, so that one that is no number is refused by the rule and not by the wire. Faces that were typed
in with an input are taken; where they are left out, the ruling asks for them. `player`: for whom a Gamemaster records
it; left out, whoever declares. Values a rule leaves to judgement are fields, with their reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.declarations import ANYONE, GM, declares
from ledger.rules.kernel.declarations import Declarer as _Declarer
from ledger.rules.scattershot import deedinputs, strifeinputs
from ledger.rules.scattershot.sheet import Advantage, Protection, Skill
from ledger.rules.scattershot.terms import ExpectationKind


def _player(table: Table[Any], do: Any) -> str | None:
    named: str | None = do.player
    return named if named is not None else table.by.seat


#: The Player it is about; or a Gamemaster, for them.
PLAYER = _Declarer("seat", _player, "the Player it is about, or a game master")

# --- the game, its modes and its elements ----------------------------------------------------------------------------


@declares("list-expectation", GM, records=("genre-expectation-listed",))
class ListExpectation:
    """A Genre Expectation the Group agrees on. `value`: dice of a Gimme or Freebie. `scope`: global, or whose it is:
    the id of a seat or of a Character."""

    name: str
    expectation: ExpectationKind
    value: Any = 1
    scope: str = "global"


@dataclass(frozen=True, slots=True)
class ListedDefault:
    """How far from the ability a related Rating is: usually a penalty."""

    related: str
    modifier: Any = 0


@declares("list-ability", GM, records=("ability-listed",))
class ListAbility:
    """A Skill or Special Ability of the campaign: its difficulty, Scope and Duration, its Opportunity limits, what
    Power each use costs, and what it Defaults to. `may_default`: though it is a Special Ability."""

    name: str
    difficulty: str
    special: bool = False
    scope: str = "individual"
    duration: str = "immediate"
    opportunity: str = ""
    power_cost: Any = 0
    defaults: tuple[ListedDefault, ...] = ()
    may_default: bool = False


@declares("list-free-skill", GM, records=("free-skill-listed",))
class ListFreeSkill:
    """A Free Skill of the campaign, and the level it starts at."""

    name: str
    level: Any


@declares("list-advantage", GM, records=("advantage-listed",))
class ListAdvantage:
    """An Advantage or Disadvantage of the campaign. `modifier`: in the situations of `scope`; `bars`: a Default."""

    name: str
    value: Any
    modifier: Any = 0
    scope: str = ""
    bars: str | None = None


@declares("begin-game", GM, records=("game-begun",))
class BeginGame:
    """From now on the Critical Juncture and the Epic Index stay as they are. The first Session begins it, too."""


@declares("seat-players", GM, records=("players-seated",))
class SeatPlayers:
    """How the Players sit: their seats, clockwise. Without it, in the order in which they came."""

    clockwise: tuple[str, ...]


@declares("attend", GM, records=("attendance-noted",))
class Attend:
    """Who is present in the Session. Without it, everybody."""

    present: tuple[str, ...]


_SHIFTED = (
    "play-mode-shifted", "mechanical-play-ended", "mechanical-play-goes-on", "off-guard-set", "penalty-took-effect",
)  # fmt: skip


@declares("shift-mode", ANYONE, records=_SHIFTED)
class ShiftMode:
    """Solo, General or Specific Play in the scene. Leaving Mechanical Play is a lull, and ends it as
    `end-mechanical-play` does."""

    mode: str
    reason: str = ""
    claimed: bool = False


@declares("pass-word", ANYONE, records=("speaker-changed",))
class PassWord:
    """Somebody else is the Speaker."""

    to: str


@declares("read-chart", ANYONE, records=("chart-read",))
class ReadChart:
    """A facet of a Rating. `amount`: what a quantity is in the row 9-11."""

    rating: Any
    facet: str = "multiplier"
    amount: Any = None


@declares("make-ruling", GM, records=("ruling-made",))
class MakeRuling:
    """What rules leave to judgement, and agreements: a text about something."""

    subject: str
    text: str


@declares("introduce-element", ANYONE, records=("element-introduced",))
class IntroduceElement:
    """A prop, a place, a fact. `persona`: the Character it belongs to or arises from; `world`: it goes with a known
    Regular Character, or with the rest of the world."""

    element: str
    persona: str | None = None
    world: bool = False
    player: str | None = None


@declares("transfer-proprietorship", ANYONE, records=("proprietorship-transferred",))
class TransferProprietorship:
    element: str
    to: str


@declares("ask-consent", ANYONE, records=("consent-asked",))
class AskConsent:
    """To use or change what somebody else is Proprietor of."""

    element: str
    change: str


@declares("answer-consent", ANYONE, records=("consent-given", "consent-refused"))
class AnswerConsent:
    """`consent`: `explicit` or `refused` by the Proprietor; `tacit`, by anybody: asked or present, no objection.
    `claimed`: a Gamemaster records what the Proprietor said, with a `reason`."""

    element: str
    change: str
    consent: str = "explicit"
    claimed: bool = False
    reason: str = ""


@declares("change-element", ANYONE, records=("element-changed",))
class ChangeElement:
    """Use or change an element: one's own, or with its Proprietor's consent."""

    element: str
    change: str


# --- Characters ------------------------------------------------------------------------------------------------------


@declares("limit-points", ANYONE, records=("point-limit-set", "limit-declined"))
class LimitPoints:
    """On a Player's new Personae: by themself; or (`agreed`) by consensus, of everybody or of the one named: each is
    asked, and those who agree are bound. `claimed`: a Gamemaster records that they agreed, with a `reason`."""

    limit: Any
    player: str | None = None
    agreed: bool = False
    claimed: bool = False
    reason: str = ""


@declares(
    "raise-rating",
    ANYONE,
    records=("development-points-allocated", "rating-raised", "effect-indexed", "resource-used", "damage-listed"),
)
class RaiseRating:
    """Unspent points into a Rating, or into a new Skill or Special Ability (`skill`, with its difficulty)."""

    character: str
    rating: str
    points: Any = 1
    talent: bool = False
    skill: Skill | None = None
    special: bool = False


@declares("buy-trait", ANYONE, records=("trait-bought", "listing-upheld"))
class BuyTrait:
    """Unspent points into an Advantage, a Free Skill (at its listed `level`), a 'Character' element; or a piece of
    protection, which costs what the ability it belongs to costs. One at a time. Beyond a listing a Gamemaster is
    asked."""

    character: str
    advantage: Advantage | None = None
    free_skill: str | None = None
    level: Any = None
    element: str | None = None
    protection: Protection | None = None


@declares("cash-in", ANYONE, records=("characteristic-cashed-in", "effect-indexed", "damage-listed", "dice-declined"))
class CashIn:
    """Development Points given up because Play removed a characteristic. Who grants dice is asked."""

    character: str
    characteristic: str
    points: Any = 1
    reason: str = ""


@declares("develop", ANYONE, records=("development-rolled",))
class Develop:
    """Own dice and Loaners rolled together to grow a Persona. `freebies` are of no use here."""

    character: str
    own: Any = 1
    loaners: Any = 0
    faces: Any = None
    freebies: Any = 0


@declares("use-resource", GM, records=("resource-used",))
class UseResource:
    """A Rating some ability drains becomes a Resource, as full as the Rating."""

    character: str
    rating: str


@declares("list-damage", ANYONE, records=("damage-listed",))
class ListDamage:
    """For the Persona Sheet: what each number does with this weapon."""

    character: str
    weapon: Any = 0


@declares("spend-power", ANYONE, records=("power-spent", "penalty-deferred", "penalty-took-effect"))
class SpendPower:
    """`missed_by`: of a failed spell, where the table plays that failure drains."""

    character: str
    amount: Any = 0
    why: str = ""
    missed_by: Any = None


@declares("restore-resource", GM, records=("resource-restored", "penalty-took-effect"))
class RestoreResource:
    """A ruling: the source has no recovery. Never above the maximum."""

    character: str
    resource: str
    amount: Any
    ruling: str = ""


@declares("rule-fight-left", GM, records=("fight-left-ruled",))
class RuleFightLeft:
    """Who has no Hit Points left attacks all the same, until some are back."""

    character: str
    reason: str


@declares("place-residual", GM, records=("residual-placed",))
class PlaceResidual:
    """A continuing modifier, by ruling."""

    character: str
    amount: Any
    scope: str
    source: str
    until: str = "session"


@declares("end-residual", GM, records=("residual-ended",))
class EndResidual:
    character: str
    residual: str


@declares("set-off-guard", ANYONE, records=("off-guard-set",))
class SetOffGuard:
    """Off-Guard towards some, or against all but one; with neither, on guard again."""

    character: str
    towards: tuple[str, ...] = ()
    all_but: str | None = None


# --- rewards ---------------------------------------------------------------------------------------------------------


@declares("cast-vote", PLAYER, records=("vote-cast",))
class CastVote:
    """Recorded, to be cited by an award; nothing is counted."""

    for_: str
    player: str | None = None


@declares("award-dice", GM, records=("experience-dice-awarded",))
class AwardDice:
    """Dice from the stock at once. `votes`: rulings whose votes it cites."""

    to: str
    n: Any = 1
    reason: str = ""
    votes: tuple[str, ...] = ()


@declares("give-cool-beans", PLAYER, records=("cool-beans-given",))
class GiveCoolBeans:
    """One's own dice, to somebody else."""

    to: str
    n: Any = 1
    player: str | None = None


@declares("replace-cool-beans", GM, records=("cool-beans-replaced",))
class ReplaceCoolBeans:
    """The Gamemaster replaces a fitting gift, whole or in part."""

    gift: str
    n: Any = 1


@declares("count-coup", PLAYER, records=("coup-counted", "dice-declined"))
class CountCoup:
    """A Player catches the Gamemaster forgetting an award of `owed` dice to somebody. Who grants dice is asked."""

    owed_to: str
    owed: Any = 1
    what: str = ""
    player: str | None = None


@declares("claim-gimme", ANYONE, records=("gimme-taken", "gimme-declined"))
class ClaimGimme:
    """For a disadvantage that made the Character suffer (`grade`: solid, mediocre, minor), or for an Expectation.

    A Gamemaster is asked to agree, unless it declares it; or everybody who is there, where the table plays so.
    """

    character: str
    disadvantage: str | None = None
    expectation: str | None = None
    grade: str = "solid"


@declares("claim-payback", PLAYER, records=("payback-paid", "dice-declined"))
class ClaimPayback:
    """For the resolution whose dice it repays, or for the occasion where none was rolled (a cue, a question withdrawn).

    `interest`: back on track. Who grants dice is asked.
    """

    resolution: str | None = None
    occasion: str = ""
    interest: bool = False
    player: str | None = None


INPUTS: tuple[type[Any], ...] = (
    ListExpectation, ListAbility, ListFreeSkill, ListAdvantage, BeginGame, SeatPlayers, Attend, ShiftMode,
    PassWord, ReadChart, MakeRuling, IntroduceElement,
    TransferProprietorship, AskConsent, AnswerConsent, ChangeElement, LimitPoints, RaiseRating, BuyTrait, CashIn,
    Develop,
    UseResource, ListDamage, SpendPower, RestoreResource, RuleFightLeft,
    PlaceResidual, EndResidual, SetOffGuard, CastVote, AwardDice,
    GiveCoolBeans, ReplaceCoolBeans, CountCoup, ClaimGimme, ClaimPayback,
    *deedinputs.INPUTS, *strifeinputs.INPUTS,
)  # fmt: skip
Input: TypeAlias = Any
