"""Facts of a resolution: from the declared Action to its results. All about the scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import AccountName, CharacterId, Reason, SeatId, Story, Title
from ledger.rules.scattershot.terms import (
    Adjusting,
    Affected,
    Die,
    DieKind,
    Duration,
    Ending,
    JunctureKind,
    Nature,
    Outcome,
    Payment,
    Rating,
    ResolutionId,
    RollTarget,
    Side,
    Stance,
)


@fact("action-declared")
class ActionDeclared:
    """An Action was declared. `rating`: the number to roll. `ability`: the name of the Rating. `engaged`: the Personae
    it affects, each of which is asked to react or is Off-Guard.
    """

    resolution: ResolutionId
    actor: CharacterId
    player: SeatId
    text: Story
    subject: Affected | None
    ability: Rating
    rating: int
    magnitude: Rating
    duration: Duration
    nature: Nature
    flurry: bool
    engaged: Mapping[CharacterId, Stance]
    #: What its listing limits the ability to.
    opportunity: Reason = ""


@fact("part-declined")
class PartDeclined:
    """The seat did not agree to play this Character in another Player's Action."""

    character: CharacterId
    player: SeatId


@fact("plot-device-rolled")
class PlotDeviceRolled:
    """A Player used a plot device. `by`, `target`: seats. A fact for each of its dice follows."""

    resolution: ResolutionId
    by: SeatId
    text: Story
    target: SeatId | None
    subject: Affected | None
    dice: int


@fact("resistor-answered")
class ResistorAnswered:
    """The Player of an Engaged Persona decided how it responds. `paid`: in Mechanical Play, how the response was paid
    for.
    """

    resolution: ResolutionId
    character: CharacterId
    opposes: bool
    player: SeatId
    action: Story
    ability: Rating
    rating: int
    nature: Nature
    paid: Payment


@fact("off-guard-reaction-rolled")
class OffGuardReactionRolled:
    """A Character who was Off-Guard made a Reaction roll. `experience`: the Experience Dice, negative if they were
    subtracted. `engaged`: whether the roll succeeded, so that the Character is Engaged.
    """

    resolution: ResolutionId
    character: CharacterId
    player: SeatId
    dice: tuple[int, ...]
    experience: tuple[int, ...]
    mib: int
    engaged: bool


@fact("modifier-applied")
class ModifierApplied:
    """A modifier was applied to one side of a resolution."""

    resolution: ResolutionId
    side: Side
    amount: int
    why: Reason


@fact("opportunity-closed")
class OpportunityClosed:
    """The Opportunity Phase ended. `modified_rating`: the Actor's modified Rating. `resistors`: the modified Ratings of
    the Resistors. `situation`: for each side, the modifier from reduced Resources and Combat Advantage.
    """

    resolution: ResolutionId
    modified_rating: int
    resistors: Mapping[CharacterId, int]
    situation: Mapping[Side, int]


@fact("mib-rolled")
class MibRolled:
    """Two ten-sided dice were rolled for a MIB. `roll`: `actor`, or the id of the Resistor."""

    resolution: ResolutionId
    roll: Side
    dice: tuple[int, ...]


@fact("roll-reported")
class RollReported:
    """How a roll stands so far. `mib`: its MIB: 0 or more if the roll succeeded. `rmib`: the RMIB against each
    Resistor, once everybody has rolled. `outcomes`: what the number means, for each Resistor, or for the Actor if
    nobody opposes. Experience Dice, Challenges and Benefits can still change this later.
    """

    resolution: ResolutionId
    roll: Side
    mib: int
    rmib: Mapping[CharacterId, int]
    outcomes: Mapping[Side, Outcome]


@fact("roll-replaced")
class RollReplaced:
    """The Experience Dice replaced the ten-sided dice: they alone make up the MIB, without a Rating."""

    resolution: ResolutionId
    roll: Side


@fact("experience-die-rolled")
class ExperienceDieRolled:
    """An Experience Die was added to a MIB or subtracted from it. `against`: the Player it was used against, if any.
    `from`, `to`: the accounts it moves between. `use`: for a Freebie, what gave it.
    """

    resolution: ResolutionId
    die: Die
    by: SeatId
    kind: DieKind
    face: int
    sign: int
    target: RollTarget
    against: SeatId | None
    borrower: SeatId | None
    use: Reason | None
    from_: AccountName
    to: AccountName
    #: Where it goes when the totals are called.
    final: AccountName


@fact("experience-die-handed-over")
class ExperienceDieHandedOver:
    """An Experience Die went to another account when the totals were called out."""

    resolution: ResolutionId
    die: Die
    to: AccountName


@fact("decision-closed")
class DecisionClosed:
    """The totals were called out. `rmib`: the RMIB against each Resistor; empty if nobody opposes."""

    resolution: ResolutionId
    basic_mibs: Mapping[Side, int]
    rmib: Mapping[CharacterId, int]


@fact("challenge-taken")
class ChallengeTaken:
    """A side took Challenges. `n`: how many."""

    resolution: ResolutionId
    side: Side
    kind: Title
    text: Story
    n: int


@fact("challenge-offered")
class ChallengeOffered:
    """A Player offered Challenges to a side. `taken`: whether the side took them."""

    resolution: ResolutionId
    side: Side
    by: SeatId
    kind: Title
    text: Story
    n: int
    taken: bool


@fact("benefit-taken")
class BenefitTaken:
    """A side took Benefits. `automatic`: whether they came from points above the Critical Juncture, so that they cost
    nothing.
    """

    resolution: ResolutionId
    side: Side
    kind: Title
    text: Story
    n: int
    automatic: bool


@dataclass(frozen=True, slots=True)
class Juncture:
    """`side`: whose MIB it was. `author`: the seat that invents the consequences; `sufferer`: a Character, or None."""

    kind: JunctureKind
    side: Side
    author: SeatId
    sufferer: CharacterId | None
    gainer: CharacterId | None
    points: int
    excess: int
    #: Its consequences are named.
    named: bool = False


@fact("outcome-reached")
class OutcomeReached:
    """The outcome of a resolution. `resistor`: in a contest, the Resistor whose contest this is. `resistor_number`: the
    Resistor's own number; empty if the Resistor's Action has no results of its own.
    """

    resolution: ResolutionId
    resistor: CharacterId | None
    adjusted: int
    remaining: int
    auto_benefits: int
    resistor_number: int | None
    resistor_auto_benefits: int
    outcome: Outcome
    #: By which readings the fold reckons all this again: the dials as they were.
    cj: int
    adjusting: Adjusting
    resistors: bool
    junctures: tuple[Juncture, ...] = ()


@fact("juncture-consequence-named")
class JunctureConsequenceNamed:
    """Lasting consequences were invented. `juncture`: the number of the Telling Blow or Catastrophic Failure in this
    resolution, where 0 is the first. `excess_split`: what the excess points were spent on.
    """

    resolution: ResolutionId
    juncture: int
    author: SeatId
    text: Story
    points: int
    excess_split: Mapping[Title, int]
    until: Ending


@fact("advantage-converted")
class AdvantageConverted:
    """Excess points of a Telling Blow became Combat Advantage. `n`: how many."""

    holder: CharacterId
    foe: CharacterId
    n: int


@fact("scalar-recorded")
class ScalarRecorded:
    """The number itself is the result, as a measure of the effect."""

    resolution: ResolutionId
    amount: int
    text: Story


@fact("application-closed")
class ApplicationClosed:
    """The Application Phase ended, and with it the resolution."""

    resolution: ResolutionId


Fact: TypeAlias = (
    ActionDeclared | PartDeclined | PlotDeviceRolled | ResistorAnswered | OffGuardReactionRolled | ModifierApplied |
    OpportunityClosed | MibRolled | RollReported | RollReplaced | ExperienceDieRolled | ExperienceDieHandedOver |
    DecisionClosed | ChallengeTaken | ChallengeOffered | BenefitTaken | OutcomeReached | JunctureConsequenceNamed |
    AdvantageConverted | ScalarRecorded | ApplicationClosed
)  # fmt: skip
