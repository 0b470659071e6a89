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
    """`amount`: what the modifier adds to the Rating. `why`: the reason for the modifier."""

    amount: Whole
    why: Reason = ""


@dataclass(frozen=True, slots=True)
class Default:
    """What a Character rolls instead of an ability that it lacks: a `related` Rating with a `modifier`, or the base of
    the `difficulty`. If the ability is listed, its name is enough.

    `ability`: the ability that the Character lacks. `related`: the Rating that is used instead. `modifier`: what is
    added to the related Rating. `difficulty`: how difficult the ability is. `scope`: the Scope of the ability.
    `related_scope`: the Scope of the related Rating. `special`: whether the ability is a Special Ability. `allowed`:
    whether the listing of a Special Ability allows a Default.
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
    """An Experience Die from your own purse that you add to a Reaction roll or subtract from it.

    `face`: what the die shows; leave it out to be asked. `sign`: 1 adds the die, -1 subtracts it.
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
    """Declare an Action, which the Character then begins. If a Default or a Duration differs from the listing, the
    Gamemaster is asked.

    `text`: what the Character does. `subject`: the Character or element that the Action is aimed at. `engages`: the
    Personae that the Action affects, usually given. An attack engages at least one. You need not repeat the subject
    here.

    `rating`: the ability, nearly always given. `default`: what the Character rolls if it lacks the ability.
    `modifiers`: what makes this Action easier or harder. `advantages`: Advantages and Disadvantages that apply.
    `residuals`: Residual modifiers that apply. `magnitude`: the Rating that decides how strong the effect is.
    `duration`: how long the Action takes; leave it out to use what is listed. `nature`: what kind of Action it is.
    `pays`: how the Action is paid for in Mechanical Play. `cost`: how many Actions of the Turn it takes. `free`: the
    kind of Free Action, if it is one. `player`: who plays the Character in this Action, if not its own Player. Whoever
    you name is asked.
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
    """Oppose the Action with an Action and a Rating of your own Persona.

    `text`: what your Persona does. `rating`: the ability. `default`: what your Persona rolls if it lacks the ability.
    `modifiers`: what makes this easier or harder. `advantages`: Advantages and Disadvantages that apply. `residuals`:
    Residual modifiers that apply. `nature`: what kind of Action it is. `pays`: how the Action is paid for in Mechanical
    Play. `free`: the kind of Free Action, if it is one.
    """

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
    """Do not oppose the Action."""


_ANSWERED = (
    "resistor-answered", "action-forfeited", "free-action-taken", "flurry-stepped", "flurry-ended", "modifier-applied",
    "power-spent", "penalty-deferred", "penalty-took-effect", "listing-upheld",
)  # fmt: skip


@declares("answer-engagement", ANYONE, records=_ANSWERED)
class AnswerEngagement:
    """Say how an Engaged Persona responds. If you leave out both `oppose` and `passive`, its Player is asked. In
    Mechanical Play, opposing costs a forfeited Action, a Free Action or a step of a Flurry.

    `character`: the Engaged Persona. `oppose`: how the Persona opposes the Action. `passive`: whether the Persona stays
    passive.
    """

    resolution: ResolutionId
    character: CharacterId
    oppose: Oppose | None = None
    passive: bool = False


@declares("react-off-guard", ANYONE, records=("off-guard-reaction-rolled",))
class ReactOffGuard:
    """Make a Reaction roll at -2 for a Persona that is Off-Guard towards the Actor.

    `faces`: what the two ten-sided dice show; leave them out to be asked. `modifiers`: what makes the roll easier or
    harder. `experience`: Experience Dice that change the roll.
    """

    resolution: ResolutionId
    character: CharacterId
    faces: D10Faces | None = None
    modifiers: tuple[Modifier, ...] = ()
    experience: tuple[ExtraDie, ...] = ()


@declares("apply-modifier", GM, records=("modifier-applied",))
class ApplyModifier:
    """Modify the Rating of the Actor or of a Resistor. A Gamemaster does this in the Opportunity Phase.

    `amount`: what is added to the Rating. `why`: the reason for this. `side`: `actor`, or the id of a Resistor.
    """

    resolution: ResolutionId
    amount: Whole
    why: Reason = ""
    side: Side = "actor"


@declares("close-opportunity", ANYONE, records=("opportunity-closed",))
class CloseOpportunity:
    """End the Opportunity Phase. All modifiers are added up, including those for Combat Advantage and reduced
    Resources. They cannot change after that.
    """

    resolution: ResolutionId


@declares("roll-mib", ANYONE, records=("mib-rolled", "roll-reported"))
class RollMib:
    """Roll two ten-sided dice for a MIB.

    `roll`: whose roll it is: `actor`, or the id of a Resistor. `faces`: what the dice show; leave them out to be asked.
    """

    resolution: ResolutionId
    roll: Side = "actor"
    faces: D10Faces | None = None


@declares("replace-roll", ANYONE, records=("roll-replaced", "roll-reported"))
class ReplaceRoll:
    """Let the Experience Dice that have already been rolled be the whole MIB, without ten-sided dice. An option must
    allow this.

    `roll`: whose roll it is: `actor`, or the id of a Resistor.
    """

    resolution: ResolutionId
    roll: Side = "actor"


@declares("contribute-die", BY_A_PLAYER, records=("experience-die-rolled", "roll-reported"))
class ContributeDie:
    """Roll an Experience Die, and add it to a MIB or subtract it from one.

    `die`: `own` is from your purse; `freebie` is for this Action only; `loaner` is borrowed now; `saved` is a Loaner
    that you saved. `face`: what the die shows; leave it out to be asked. `sign`: 1 adds the die, -1 subtracts it.
    `target`: whose MIB changes: `actor`, or the id of a Resistor. For a Reaction roll, it is `reaction:` and the id of
    the Character. `against`: the Resistor that the die is used against, if there are several. `borrower`: who borrowed
    the saved Loaner. `advantage`: the Advantage that gives the Freebie. `expectation`: the Genre Expectation that gives
    the Freebie. `player`: who rolls; leave it out for yourself.
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
    """Call out the totals. This ends the Decision Phase. The basic MIBs are then fixed, and every Experience Die on the
    table goes to the Player it was used against.
    """

    resolution: ResolutionId


@dataclass(frozen=True, slots=True)
class DeviceDie:
    """`die`: `own` is from your purse; `loaner` is borrowed now; `saved` is a Loaner that you saved. `face`: what the
    die shows; leave it out to be asked. `borrower`: who borrowed the saved Loaner.
    """

    die: DieWord = "own"
    face: Face | None = None
    borrower: SeatId | None = None


@declares("plot-device", BY_A_PLAYER, records=("plot-device-rolled", "experience-die-rolled"))
class PlotDevice:
    """Use a plot device: roll Experience Dice whose total is a MIB of its own. This is not possible in Mechanical Play.

    `text`: what happens in the story. `dice`: the Experience Dice that are rolled. `target`: the Player at whom the
    plot device is aimed. `subject`: the Character or element that it changes. `player`: who uses the plot device; leave
    it out for yourself.
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
