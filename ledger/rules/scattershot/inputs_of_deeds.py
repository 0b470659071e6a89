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
    """`amount`: what it adds to the Rating. `why`: the reason."""

    amount: Whole
    why: Reason = ""


@dataclass(frozen=True, slots=True)
class Default:
    """What is used instead of an ability that the Persona lacks: a `related` Rating with a `modifier`, or the base of
    the `difficulty`. For a listed ability its name is enough.

    `scope`: of the ability. `related_scope`: of the related Rating. `special`: it is a Special Ability. `allowed`: its
    listing allows a Default.
    """

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
    """An Experience Die from your own purse that is rolled into a Reaction.

    `sign`: 1 adds it, -1 subtracts it.
    """

    face: Face | None = None
    sign: Sign = 1


_DECLARED = (
    "action-declared", "action-expended", "free-action-taken", "modifier-applied", "flurry-stepped", "flurry-ended",
    "foe-changed", "advantage-erased", "power-spent", "penalty-deferred", "penalty-took-effect", "listing-upheld",
    "part-declined",
)  # fmt: skip


@declares("declare-action", ANYONE, records=_DECLARED)
class DeclareAction:
    """Declare an Action. It has begun. If a Default or a Duration differs from the listing, the Gamemaster is asked.

    `subject`: a Character, or an element of the campaign. `engages`: the Personae it affects, often said. An attack
    engages at least one, and a Character that is its subject is engaged without being named here.

    `rating`: the ability, nearly always said. `default`: what is used instead of an ability. `advantages`: Advantages
    and Disadvantages that apply. `residuals`: Residual modifiers that apply. `duration`: leave it out to use the listed
    one. `pays`: how the Action is paid for in Mechanical Play. `cost`: how many Actions it takes. `free`: the kind of
    Free Action. `player`: who plays the Character in this Action, if not its owner. They are asked.
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
    """Oppose it with an Action and a Rating of your own."""

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
    """Do not oppose it."""


_ANSWERED = (
    "resistor-answered", "action-forfeited", "free-action-taken", "flurry-stepped", "flurry-ended", "modifier-applied",
    "power-spent", "penalty-deferred", "penalty-took-effect", "listing-upheld",
)  # fmt: skip


@declares("answer-engagement", ANYONE, records=_ANSWERED)
class AnswerEngagement:
    """Answer for an Engaged Persona. If you leave both answers out, its Player is asked. In Mechanical Play, opposing
    is paid for with a forfeited Action, a Free Action or a step of a Flurry.

    `oppose`: the Action it opposes with. `passive`: it does not oppose.
    """

    resolution: ResolutionId
    character: CharacterId
    oppose: Oppose | None = None
    passive: bool = False


@declares("react-off-guard", ANYONE, records=("off-guard-reaction-rolled",))
class ReactOffGuard:
    """Make a Reaction roll at -2 for a Persona that is Off-Guard towards the Actor.

    `experience`: Experience Dice rolled into it.
    """

    resolution: ResolutionId
    character: CharacterId
    faces: D10Faces | None = None
    modifiers: tuple[Modifier, ...] = ()
    experience: tuple[ExtraDie, ...] = ()


@declares("apply-modifier", GM, records=("modifier-applied",))
class ApplyModifier:
    """Modify the Rating of a side.

    `side`: `actor`, or a Resistor's id.
    """

    resolution: ResolutionId
    amount: Whole
    why: Reason = ""
    side: Side = "actor"


@declares("close-opportunity", ANYONE, records=("opportunity-closed",))
class CloseOpportunity:
    """End the Opportunity Phase. All modifiers are added up and fixed, including Combat Advantage and reduced
    Resources.
    """

    resolution: ResolutionId


@declares("roll-mib", ANYONE, records=("mib-rolled", "roll-reported"))
class RollMib:
    """Roll two ten-sided dice for a MIB.

    `roll`: `actor`, or a Resistor's id.
    """

    resolution: ResolutionId
    roll: Side = "actor"
    faces: D10Faces | None = None


@declares("replace-roll", ANYONE, records=("roll-replaced", "roll-reported"))
class ReplaceRoll:
    """Make the Experience Dice that are already rolled the whole MIB, if the table plays that way."""

    resolution: ResolutionId
    roll: Side = "actor"


@declares("contribute-die", BY_A_PLAYER, records=("experience-die-rolled", "roll-reported"))
class ContributeDie:
    """Roll an Experience Die into a MIB.

    `die`: own, freebie, loaner or saved. `sign`: 1 adds it, -1 subtracts it. `target`: whose MIB; or `reaction:` and a
    Character, for an Off-Guard Reaction that nobody has answered yet. `against`: which Resistor, if there are several.
    `borrower`: who borrowed a saved Loaner. `advantage`: the Advantage that gives a Freebie. `expectation`: the Genre
    Expectation that gives a Freebie.
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
    """Call the totals: the basic MIBs are final, and every die on the table changes hands."""

    resolution: ResolutionId


@dataclass(frozen=True, slots=True)
class DeviceDie:
    """`die`: own, loaner or saved. `borrower`: who borrowed a saved Loaner."""

    die: DieWord = "own"
    face: Face | None = None
    borrower: SeatId | None = None


@declares("plot-device", BY_A_PLAYER, records=("plot-device-rolled", "experience-die-rolled"))
class PlotDevice:
    """Roll Experience Dice as a MIB of their own, outside Mechanical Play.

    `target`: the Player it targets. `subject`: a Character or an element.
    """

    text: Story
    dice: tuple[DeviceDie, ...] = (DeviceDie(),)
    target: SeatId | None = None
    subject: Affected | None = None
    player: SeatId | None = None


Input: TypeAlias = (
    DeclareAction | AnswerEngagement | ReactOffGuard | ApplyModifier | CloseOpportunity | RollMib | ReplaceRoll |
    ContributeDie | CloseDecision | PlotDevice
)  # fmt: skip
