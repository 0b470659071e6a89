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
    """An Action was declared. `rating`: the number to roll; `ability`: its name.

    `engaged`: the Personae it affects, each either asked to react, or Off-Guard.
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
    """A plot device was used. `by`, `target`: seats. Its dice follow, one fact each."""

    resolution: ResolutionId
    by: SeatId
    text: Story
    target: SeatId | None
    subject: Affected | None
    dice: int


@fact("resistor-answered")
class ResistorAnswered:
    """An Engaged Persona answered. `paid`: how, in Mechanical Play."""

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
    """A Reaction roll. `experience`: signed faces. `engaged`: it succeeded, with these dice."""

    resolution: ResolutionId
    character: CharacterId
    player: SeatId
    dice: tuple[int, ...]
    experience: tuple[int, ...]
    mib: int
    engaged: bool


@fact("modifier-applied")
class ModifierApplied:
    resolution: ResolutionId
    side: Side
    amount: int
    why: Reason


@fact("opportunity-closed")
class OpportunityClosed:
    """The Opportunity Phase ended. `modified_rating`: the Actor's; `resistors`: those of the Resistors. `situation`: by
    side, what reduced Resources and Combat Advantage add.
    """

    resolution: ResolutionId
    modified_rating: int
    resistors: Mapping[CharacterId, int]
    situation: Mapping[Side, int]


@fact("mib-rolled")
class MibRolled:
    """Two ten-sided dice. `roll`: `actor`, or the Resistor's id."""

    resolution: ResolutionId
    roll: Side
    dice: tuple[int, ...]


@fact("roll-reported")
class RollReported:
    """What a roll amounts to so far: `mib`, made if it is 0 or more. `rmib`: against each Resistor, once all have
    rolled. `outcomes`: what the number means, by Resistor, or for the Actor if nobody opposes.

    Later Experience Dice, Challenges and Benefits can still change it.
    """

    resolution: ResolutionId
    roll: Side
    mib: int
    rmib: Mapping[CharacterId, int]
    outcomes: Mapping[Side, Outcome]


@fact("roll-replaced")
class RollReplaced:
    """The Experience Dice are the whole MIB: there is no Rating and no other roll."""

    resolution: ResolutionId
    roll: Side


@fact("experience-die-rolled")
class ExperienceDieRolled:
    """A die was rolled into a MIB. `against`: the Player it goes against, or nobody. `from`, `to`: accounts. `use`:
    what gave a Freebie.
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
    resolution: ResolutionId
    die: Die
    to: AccountName


@fact("decision-closed")
class DecisionClosed:
    """The totals were called. `rmib`: by Resistor; empty if nobody opposes."""

    resolution: ResolutionId
    basic_mibs: Mapping[Side, int]
    rmib: Mapping[CharacterId, int]


@fact("challenge-taken")
class ChallengeTaken:
    resolution: ResolutionId
    side: Side
    kind: Title
    text: Story
    n: int


@fact("challenge-offered")
class ChallengeOffered:
    """A Player offered Challenges to a side. `taken`: whether they were taken."""

    resolution: ResolutionId
    side: Side
    by: SeatId
    kind: Title
    text: Story
    n: int
    taken: bool


@fact("benefit-taken")
class BenefitTaken:
    """Benefits of a side. `automatic`: from points above the Critical Juncture, which cost nothing."""

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
    """The outcome of a resolution. `resistor`: in a contest, against whom. `resistor_number`: None if the Resistor's
    Action has no results of its own.
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
    """Consequences were named. `juncture`: which Telling Blow or Catastrophic Failure it is, from 0.
    `excess_split`: what the excess points were spent on.
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
    holder: CharacterId
    foe: CharacterId
    n: int


@fact("scalar-recorded")
class ScalarRecorded:
    resolution: ResolutionId
    amount: int
    text: Story


@fact("application-closed")
class ApplicationClosed:
    resolution: ResolutionId


Fact: TypeAlias = (
    ActionDeclared | PartDeclined | PlotDeviceRolled | ResistorAnswered | OffGuardReactionRolled | ModifierApplied |
    OpportunityClosed | MibRolled | RollReported | RollReplaced | ExperienceDieRolled | ExperienceDieHandedOver |
    DecisionClosed | ChallengeTaken | ChallengeOffered | BenefitTaken | OutcomeReached | JunctureConsequenceNamed |
    AdvantageConverted | ScalarRecorded | ApplicationClosed
)  # fmt: skip
