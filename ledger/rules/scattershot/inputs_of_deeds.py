"""Inputs of a resolution until the totals are called: the Opportunity and the Decision Phase."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ledger.rules.kernel.declarations import ANYONE, GM, choice, declares
from ledger.rules.scattershot.declarers import BY_A_PLAYER
from ledger.rules.scattershot.terms import Nature, Unchecked


@dataclass(frozen=True, slots=True)
class Modifier:
    amount: Unchecked
    why: str = ""


@dataclass(frozen=True, slots=True)
class Default:
    """In place of an ability the Persona lacks: a related Rating with the listing's `modifier`, or (no `related`) the
    base of the `difficulty`. `scope`: of the ability; the related Rating has its own. `special`: a Special Ability;
    `allowed`: its listing allows it."""

    ability: str
    related: str | None = None
    modifier: Unchecked = 0
    difficulty: str | None = None
    scope: str = "individual"
    related_scope: str | None = None
    special: bool = False
    allowed: bool = False


@dataclass(frozen=True, slots=True)
class ExtraDie:
    """An Experience Die of one's own purse rolled into a Reaction; `sign`: 1 or -1."""

    face: Unchecked = None
    sign: Unchecked = 1


_DECLARED = (
    "action-declared", "action-expended", "free-action-taken", "modifier-applied", "flurry-stepped", "flurry-ended",
    "foe-changed", "advantage-erased", "power-spent", "penalty-deferred", "penalty-took-effect", "listing-upheld",
    "part-declined",
)  # fmt: skip


@declares("declare-action", ANYONE, records=_DECLARED)
class DeclareAction:
    """The Action has begun. `subject`: a Character's id or an element; `engages`: the Personae it affects.

    `rating`: the ability; or `default`. `advantages`: names of Advantages, Disadvantages that apply; `residuals`: ids
    of Residual modifiers that do. In Mechanical Play `pays`: `action` (as many as `cost`), `free` (of the kind `free`),
    `flurry`. `duration`: left out, as the ability is listed; its Power is charged. A Default beyond its listing needs a
    Gamemaster, who is asked. `player`: who plays the Character in this, where it is not who owns it, and is asked.
    """

    character: str
    text: str
    rating: str = "agility"
    subject: str | None = None
    engages: tuple[str, ...] = ()
    default: Default | None = None
    modifiers: tuple[Modifier, ...] = ()
    advantages: tuple[str, ...] = ()
    residuals: tuple[str, ...] = ()
    magnitude: str = "strength"
    duration: str | None = None
    nature: Nature = "other"
    pays: str = "action"
    cost: Unchecked = 1
    free: str = ""
    player: str | None = None


@choice("oppose")
class Oppose:
    """With an Action of one's own, and a Rating."""

    text: str
    rating: str
    default: Default | None = None
    modifiers: tuple[Modifier, ...] = ()
    advantages: tuple[str, ...] = ()
    residuals: tuple[str, ...] = ()
    nature: Nature = "defense"
    pays: str = "forfeit"
    free: str = "last-ditch-dodge"


@choice("stay-passive")
class StayPassive:
    """No Action against it."""


_ANSWERED = (
    "resistor-answered", "action-forfeited", "free-action-taken", "flurry-stepped", "flurry-ended", "modifier-applied",
    "power-spent", "penalty-deferred", "penalty-took-effect", "listing-upheld",
)  # fmt: skip


@declares("answer-engagement", ANYONE, records=_ANSWERED)
class AnswerEngagement:
    """How an Engaged Persona responds: `oppose`, or `passive`; with neither, its Player is asked.

    In Mechanical Play opposing is paid for (`pays`): `forfeit`, `free` or `flurry`.
    """

    resolution: str
    character: str
    oppose: Oppose | None = None
    passive: bool = False


@declares("react-off-guard", ANYONE, records=("off-guard-reaction-rolled",))
class ReactOffGuard:
    """A Reaction roll at -2, of a Persona that is Off-Guard towards the Actor. `experience`: dice rolled into it."""

    resolution: str
    character: str
    faces: Unchecked = None
    modifiers: tuple[Modifier, ...] = ()
    experience: tuple[ExtraDie, ...] = ()


@declares("apply-modifier", GM, records=("modifier-applied",))
class ApplyModifier:
    """`side`: `actor`, or the Resistor's id."""

    resolution: str
    amount: Unchecked
    why: str = ""
    side: str = "actor"


@declares("close-opportunity", ANYONE, records=("opportunity-closed",))
class CloseOpportunity:
    """Every modifier is summed, and fixed: Combat Advantage and reduced Resources, too."""

    resolution: str


@declares("roll-mib", ANYONE, records=("mib-rolled",))
class RollMib:
    """2d10. `roll`: `actor`, or the Resistor's id."""

    resolution: str
    roll: str = "actor"
    faces: Unchecked = None


@declares("replace-roll", ANYONE, records=("roll-replaced",))
class ReplaceRoll:
    """The Experience Dice rolled beforehand are the whole MIB, where the table plays so."""

    resolution: str
    roll: str = "actor"


@declares("contribute-die", BY_A_PLAYER, records=("experience-die-rolled",))
class ContributeDie:
    """An Experience Die into a MIB. `die`: own, freebie, loaner, saved. `sign`: 1 or -1. `target`: whose MIB; or
    `reaction:` and the Character, for an Off-Guard Reaction nobody has answered yet.

    `against`: which Resistor, where there are several. `borrower`: of a saved Loaner. `advantage` or `expectation`:
    what gives a Freebie.
    """

    resolution: str
    die: str = "own"
    face: Unchecked = None
    sign: Unchecked = 1
    target: str = "actor"
    against: str | None = None
    borrower: str | None = None
    advantage: str | None = None
    expectation: str | None = None
    player: str | None = None


@declares("close-decision", ANYONE, records=("decision-closed", "experience-die-handed-over"))
class CloseDecision:
    """The totals are called: the basic MIBs; every die on the table changes hands."""

    resolution: str


@dataclass(frozen=True, slots=True)
class DeviceDie:
    """`die`: own, loaner, saved (against its `borrower`)."""

    die: str = "own"
    face: Unchecked = None
    borrower: str | None = None


@declares("plot-device", BY_A_PLAYER, records=("plot-device-rolled", "experience-die-rolled"))
class PlotDevice:
    """Dice as a MIB of their own, outside Mechanical Play. `target`: a seat; `subject`: a Character or element."""

    text: str
    dice: tuple[DeviceDie, ...] = (DeviceDie(),)
    target: str | None = None
    subject: str | None = None
    player: str | None = None


Input: TypeAlias = (
    DeclareAction | AnswerEngagement | ReactOffGuard | ApplyModifier | CloseOpportunity | RollMib | ReplaceRoll |
    ContributeDie | CloseDecision | PlotDevice
)  # fmt: skip
