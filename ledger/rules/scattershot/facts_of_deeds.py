"""Facts of a resolution: from the declared Action to its results. All about the scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.scattershot.terms import Adjusting, DieKind, JunctureKind, Nature, Outcome, Payment, Stance


@fact("action-declared")
class ActionDeclared:
    """`rating`: the number rolled against, `ability` its name, `listed` what it is with the Default's penalties.

    `engaged`: the Personae it affects, each with its stance: asked, or Off-Guard.
    """

    resolution: str
    actor: str
    player: str
    text: str
    subject: str | None
    ability: str
    rating: int
    magnitude: str
    duration: str
    nature: Nature
    flurry: bool
    engaged: Mapping[str, Stance]
    #: What its listing limits the ability to.
    opportunity: str = ""


@fact("part-declined")
class PartDeclined:
    """The seat would not play this Character in somebody's Action."""

    character: str
    player: str


@fact("plot-device-rolled")
class PlotDeviceRolled:
    """`by`, `target`: seats. Its dice follow, each apart."""

    resolution: str
    by: str
    text: str
    target: str | None
    subject: str | None
    dice: int


@fact("resistor-answered")
class ResistorAnswered:
    """`paid`: how, in Mechanical Play."""

    resolution: str
    character: str
    opposes: bool
    player: str
    action: str
    ability: str
    rating: int
    nature: Nature
    paid: Payment


@fact("off-guard-reaction-rolled")
class OffGuardReactionRolled:
    """`experience`: signed faces. `engaged`: it succeeded, as far as these dice go."""

    resolution: str
    character: str
    player: str
    dice: tuple[int, ...]
    experience: tuple[int, ...]
    mib: int
    engaged: bool


@fact("modifier-applied")
class ModifierApplied:
    resolution: str
    side: str
    amount: int
    why: str


@fact("opportunity-closed")
class OpportunityClosed:
    """`modified_rating`: the Actor's; `resistors`: those of who opposes. `situation`: by side, what everybody's rolls
    suffer by themselves."""

    resolution: str
    modified_rating: int
    resistors: Mapping[str, int]
    situation: Mapping[str, int]


@fact("mib-rolled")
class MibRolled:
    """`roll`: `actor`, or the Resistor's id."""

    resolution: str
    roll: str
    dice: tuple[int, ...]


@fact("roll-replaced")
class RollReplaced:
    """No 2d10 and no Rating: the Experience Dice are the whole MIB."""

    resolution: str
    roll: str


@fact("experience-die-rolled")
class ExperienceDieRolled:
    """`against`: the Player it goes against, or nobody. `from`, `to`: accounts. `use`: of a Freebie."""

    resolution: str
    die: str
    by: str
    kind: DieKind
    face: int
    sign: int
    target: str
    against: str | None
    borrower: str | None
    use: str | None
    from_: str
    to: str
    #: Where it goes when the totals are called.
    final: str


@fact("experience-die-handed-over")
class ExperienceDieHandedOver:
    resolution: str
    die: str
    to: str


@fact("decision-closed")
class DecisionClosed:
    """`rmib`: by Resistor; empty where nobody opposes."""

    resolution: str
    basic_mibs: Mapping[str, int]
    rmib: Mapping[str, int]


@fact("challenge-taken")
class ChallengeTaken:
    resolution: str
    side: str
    kind: str
    text: str
    n: int


@fact("challenge-offered")
class ChallengeOffered:
    """By a Player, to who plays that side; `taken`: or not."""

    resolution: str
    side: str
    by: str
    kind: str
    text: str
    n: int
    taken: bool


@fact("benefit-taken")
class BenefitTaken:
    """`automatic`: of the points above the Critical Juncture; nothing was spent on these."""

    resolution: str
    side: str
    kind: str
    text: str
    n: int
    automatic: bool


@dataclass(frozen=True, slots=True)
class Juncture:
    """`side`: whose MIB it was. `author`: the seat that invents; `sufferer`: a Character, or None for a thing."""

    kind: JunctureKind
    side: str
    author: str
    sufferer: str | None
    gainer: str | None
    points: int
    excess: int
    #: Its consequences are named.
    named: bool = False


@fact("outcome-reached")
class OutcomeReached:
    """`resistor`: against whom, in a contest. `resistor_number`: None where its Action has no results of its own."""

    resolution: str
    resistor: str | None
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
    """`juncture`: which of the resolution's, from 0. `excess_split`: what the excess points went to."""

    resolution: str
    juncture: int
    author: str
    text: str
    points: int
    excess_split: Mapping[str, int]
    until: str


@fact("advantage-converted")
class AdvantageConverted:
    holder: str
    foe: str
    n: int


@fact("scalar-recorded")
class ScalarRecorded:
    resolution: str
    amount: int
    text: str


@fact("application-closed")
class ApplicationClosed:
    resolution: str


Fact: TypeAlias = (
    ActionDeclared | PartDeclined | PlotDeviceRolled | ResistorAnswered | OffGuardReactionRolled | ModifierApplied |
    OpportunityClosed | MibRolled | RollReplaced | ExperienceDieRolled | ExperienceDieHandedOver | DecisionClosed |
    ChallengeTaken | ChallengeOffered | BenefitTaken | OutcomeReached | JunctureConsequenceNamed |
    AdvantageConverted | ScalarRecorded | ApplicationClosed
)  # fmt: skip
