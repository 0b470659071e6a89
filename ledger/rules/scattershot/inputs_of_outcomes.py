"""Inputs of a resolution's Application Phase: Challenges, Benefits, the outcome and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ledger.rules.kernel.declarations import ANYONE, choice, declares
from ledger.rules.kernel.domains import CharacterId, Reason, Story, Title
from ledger.rules.scattershot.terms import (
    Ending,
    HowMany,
    Natural,
    Piece,
    Positive,
    Rating,
    ResolutionId,
    Resource,
    ResultWord,
    Side,
    Sign,
    Situation,
    Weapon,
)


@declares("take-challenge", ANYONE, records=("challenge-taken",))
class TakeChallenge:
    """Take Challenges for your own Persona.

    `challenge`: the kind, such as time, Quantity or Opportunity.
    """

    resolution: ResolutionId
    challenge: Title = "circumstance"
    text: Story = ""
    n: HowMany = 1
    side: Side = "actor"


@declares("offer-challenge", ANYONE, records=("challenge-offered", "challenge-taken"))
class OfferChallenge:
    """Offer Challenges to a side. Any Player may. The Player of that side is asked.

    `challenge`: the kind, such as time, Quantity or Opportunity.
    """

    resolution: ResolutionId
    challenge: Title = "circumstance"
    text: Story = ""
    n: HowMany = 1
    side: Side = "actor"


@declares("take-benefit", ANYONE, records=("benefit-taken",))
class TakeBenefit:
    """Spend points of a MIB on Benefits. After the first one, nobody can take a Challenge.

    `benefit`: the kind, such as time, Quantity or Opportunity.
    """

    resolution: ResolutionId
    benefit: Title = "circumstance"
    text: Story = ""
    n: HowMany = 1
    side: Side = "actor"


@declares("reach-outcome", ANYONE, records=("outcome-reached", "benefit-taken", "flurry-ended"))
class ReachOutcome:
    """Determine the outcome: the cap, the Critical Junctures, and whose Action decides."""

    resolution: ResolutionId


@dataclass(frozen=True, slots=True)
class Gained:
    """A new Disadvantage."""

    name: Title
    value: Positive = 1


@dataclass(frozen=True, slots=True)
class Residual:
    """A Residual Challenge from excess points.

    `scope`: the situations in which it counts. `amount`: how many points.
    """

    scope: Situation
    amount: Positive = 1


@choice("consequences")
class Consequences:
    """Name lasting consequences.

    `disadvantages`: new ones, paid for with Points, often said. `residuals`: paid for with excess points, often said.
    `advantages`: Combat Advantage for the other side, paid for with excess points. `benefits`: paid for with excess
    points, often said. `other`: excess points spent on something else, often said. `until`: the end of the Session, or
    later.
    """

    text: Story
    disadvantages: tuple[Gained, ...] = ()
    residuals: tuple[Residual, ...] = ()
    advantages: Natural = 0
    benefits: Natural = 0
    other: Natural = 0
    until: Ending = "session"


@declares("name-consequences", ANYONE, records=("juncture-consequence-named", "disadvantage-gained", "residual-placed",
                                                "advantage-converted"))  # fmt: skip
class NameConsequences:
    """Name the consequences of a Critical Juncture. If they are left out, their author is asked.

    `juncture`: which one, counted from 0.
    """

    resolution: ResolutionId
    juncture: Natural = 0
    consequences: Consequences | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """A result: damage, a Factor result, a Residual or the plain number.

    `character`: who suffers it; leave it out for the other side. `weapon`: by name, or what it adds to damage.
    `protection`: the pieces that count; leave it out to count all. Only the wearer's Player or a Gamemaster can leave
    one out. `wound`: the wound in words. `resource`: what a Factor result reduces. `magnitude`: the Rating whose
    Multiplier counts. `sign`: whether a Residual helps (1) or hinders (-1). `scope`: the situations in which a Residual
    counts. `until`: how long a Residual lasts.
    """

    result: ResultWord = "damage"
    character: CharacterId | None = None
    weapon: Weapon = 0
    protection: tuple[Piece, ...] | None = None
    resource: Resource = "hit-points"
    magnitude: Rating | None = None
    sign: Sign = -1
    scope: Situation = ""
    until: Ending = "session"
    text: Story = ""
    wound: Reason = ""


_RESULTS = (
    "resource-reduced", "residual-placed", "scalar-recorded", "penalty-deferred", "penalty-took-effect",
    "application-closed",
)  # fmt: skip


@declares("choose-results", ANYONE, records=_RESULTS)
class ChooseResults:
    """Choose the results. The Player of the Actor does this, or of a Resistor who is ahead.

    `against`: which Resistor, if there are several. `close`: the Application Phase ends with it.
    """

    resolution: ResolutionId
    results: tuple[Result, ...] = ()
    side: Side = "actor"
    against: CharacterId | None = None
    close: bool = True


@declares("close-application", ANYONE, records=("application-closed",))
class CloseApplication:
    """End the resolution. A Player who has results to choose in it does this. Consequences of its Critical Junctures
    can still be named.
    """

    resolution: ResolutionId


Input: TypeAlias = (
    TakeChallenge | OfferChallenge | TakeBenefit | ReachOutcome | NameConsequences | ChooseResults |
    CloseApplication
)  # fmt: skip
