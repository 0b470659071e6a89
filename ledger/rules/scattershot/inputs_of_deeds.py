"""Inputs of a resolution until the totals are called: the Opportunity and the Decision Phase."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ledger.rules.kernel.declarations import ANYONE, GM, choice, declares
from ledger.rules.kernel.domains import CharacterId, Reason, SeatId, Story
from ledger.rules.scattershot.declarers import BY_A_PLAYER
from ledger.rules.scattershot.terms import (
    Affected,
    Cost,
    D10Faces,
    DieWord,
    Difficulty,
    Duration,
    ExpectationName,
    Face,
    FreeAction,
    Nature,
    OwnRating,
    OwnResidual,
    OwnTrait,
    PaymentWord,
    Rating,
    ResidualId,
    ResolutionId,
    RollTarget,
    Scope,
    Side,
    Sign,
    TraitName,
    Whole,
)


@dataclass(frozen=True, slots=True)
class Modifier:
    amount: Whole
    why: Reason = ""


@dataclass(frozen=True, slots=True)
class Default:
    """In place of an ability the Persona lacks: a related Rating with the listing's `modifier`, or (no `related`) the
    base of the `difficulty`. `scope`: of the ability; the related Rating has its own. `special`: a Special Ability;
    `allowed`: its listing allows it. Of a listed ability the name is enough: what is left out is as listed."""

    ability: Rating
    related: Rating | None = None
    modifier: Whole | None = None
    difficulty: Difficulty | None = None
    scope: Scope | None = None
    related_scope: Scope | None = None
    special: bool = False
    allowed: bool = False


@dataclass(frozen=True, slots=True)
class ExtraDie:
    """An Experience Die of one's own purse rolled into a Reaction; `sign`: 1 or -1."""

    face: Face | None = None
    sign: Sign = 1


_DECLARED = (
    "action-declared", "action-expended", "free-action-taken", "modifier-applied", "flurry-stepped", "flurry-ended",
    "foe-changed", "advantage-erased", "power-spent", "penalty-deferred", "penalty-took-effect", "listing-upheld",
    "part-declined",
)  # fmt: skip


@declares("declare-action", ANYONE, records=_DECLARED)
class DeclareAction:
    """The Action has begun. `subject`: a Character, or an element of the campaign.

    `engages`: the Personae it affects, often said. An attack engages at least one; a Character that is its `subject` is
    engaged without being named here.

    `rating`: the ability, nearly always said; or `default`. `advantages`: names of Advantages, Disadvantages that
    apply; `residuals`: ids of Residual modifiers that do. In Mechanical Play `pays`: `action` (as many as `cost`),
    `free` (of the kind `free`), `flurry`. `duration`: left out, as the ability is listed; its Power is charged. A
    Default or a Duration that differs from the listing needs a Gamemaster, who is asked. `player`: who plays the
    Character in this, where it is not who owns it, and is asked.
    """

    character: CharacterId
    text: Story
    rating: OwnRating = "agility"
    subject: Affected | None = None
    engages: tuple[CharacterId, ...] = ()
    default: Default | None = None
    modifiers: tuple[Modifier, ...] = ()
    advantages: tuple[OwnTrait, ...] = ()
    residuals: tuple[OwnResidual, ...] = ()
    magnitude: Rating = "strength"
    duration: Duration | None = None
    nature: Nature = "other"
    pays: PaymentWord = "action"
    cost: Cost = 1
    free: FreeAction = ""
    player: SeatId | None = None


@choice("oppose")
class Oppose:
    """With an Action of one's own, and a Rating."""

    text: Story
    rating: Rating
    default: Default | None = None
    modifiers: tuple[Modifier, ...] = ()
    advantages: tuple[TraitName, ...] = ()
    residuals: tuple[ResidualId, ...] = ()
    nature: Nature = "defense"
    pays: PaymentWord = "forfeit"
    free: FreeAction = "last-ditch-dodge"


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

    resolution: ResolutionId
    character: CharacterId
    oppose: Oppose | None = None
    passive: bool = False


@declares("react-off-guard", ANYONE, records=("off-guard-reaction-rolled",))
class ReactOffGuard:
    """A Reaction roll at -2, of a Persona that is Off-Guard towards the Actor. `experience`: dice rolled into it."""

    resolution: ResolutionId
    character: CharacterId
    faces: D10Faces | None = None
    modifiers: tuple[Modifier, ...] = ()
    experience: tuple[ExtraDie, ...] = ()


@declares("apply-modifier", GM, records=("modifier-applied",))
class ApplyModifier:
    """`side`: `actor`, or the Resistor's id."""

    resolution: ResolutionId
    amount: Whole
    why: Reason = ""
    side: Side = "actor"


@declares("close-opportunity", ANYONE, records=("opportunity-closed",))
class CloseOpportunity:
    """Every modifier is summed, and fixed: Combat Advantage and reduced Resources, too."""

    resolution: ResolutionId


@declares("roll-mib", ANYONE, records=("mib-rolled", "roll-reported"))
class RollMib:
    """2d10. `roll`: `actor`, or the Resistor's id."""

    resolution: ResolutionId
    roll: Side = "actor"
    faces: D10Faces | None = None


@declares("replace-roll", ANYONE, records=("roll-replaced", "roll-reported"))
class ReplaceRoll:
    """The Experience Dice rolled beforehand are the whole MIB, where the table plays so."""

    resolution: ResolutionId
    roll: Side = "actor"


@declares("contribute-die", BY_A_PLAYER, records=("experience-die-rolled", "roll-reported"))
class ContributeDie:
    """An Experience Die into a MIB. `die`: own, freebie, loaner, saved. `sign`: 1 or -1. `target`: whose MIB; or
    `reaction:` and the Character, for an Off-Guard Reaction nobody has answered yet.

    `against`: which Resistor, where there are several. `borrower`: of a saved Loaner. `advantage` or `expectation`:
    what gives a Freebie.
    """

    resolution: ResolutionId
    die: DieWord = "own"
    face: Face | None = None
    sign: Sign = 1
    target: RollTarget = "actor"
    against: CharacterId | None = None
    borrower: SeatId | None = None
    advantage: TraitName | None = None
    expectation: ExpectationName | None = None
    player: SeatId | None = None


@declares("close-decision", ANYONE, records=("decision-closed", "experience-die-handed-over"))
class CloseDecision:
    """The totals are called: the basic MIBs; every die on the table changes hands."""

    resolution: ResolutionId


@dataclass(frozen=True, slots=True)
class DeviceDie:
    """`die`: own, loaner, saved (against its `borrower`)."""

    die: DieWord = "own"
    face: Face | None = None
    borrower: SeatId | None = None


@declares("plot-device", BY_A_PLAYER, records=("plot-device-rolled", "experience-die-rolled"))
class PlotDevice:
    """Dice as a MIB of their own, outside Mechanical Play. `target`: a seat; `subject`: a Character or element."""

    text: Story
    dice: tuple[DeviceDie, ...] = (DeviceDie(),)
    target: SeatId | None = None
    subject: Affected | None = None
    player: SeatId | None = None


Input: TypeAlias = (
    DeclareAction | AnswerEngagement | ReactOffGuard | ApplyModifier | CloseOpportunity | RollMib | ReplaceRoll |
    ContributeDie | CloseDecision | PlotDevice
)  # fmt: skip
