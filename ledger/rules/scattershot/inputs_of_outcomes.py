"""Inputs of a resolution's Application Phase: Challenges, Benefits, the outcome and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ledger.rules.kernel.declarations import ANYONE, choice, declares
from ledger.rules.kernel.domains import CharacterId, Reason, Story, Title
from ledger.rules.scattershot.terms import (
    Ending,
    HelpsOrHinders,
    HowMany,
    Natural,
    Piece,
    Positive,
    Rating,
    ResolutionId,
    Resource,
    ResultWord,
    Side,
    Situation,
    Weapon,
)


@declares("take-challenge", ANYONE, records=("challenge-taken",))
class TakeChallenge:
    """Take Challenges for your own Persona: complications, each of which adds 1 to the Persona's MIB.

    `challenge`: the kind of Challenge, such as time, Quantity or Opportunity. `text`: what becomes more difficult.
    `side`: `actor`, or the id of a Resistor.
    """

    resolution: ResolutionId
    challenge: Title = "circumstance"
    text: Story = ""
    n: HowMany = 1
    side: Side = "actor"


@declares("offer-challenge", ANYONE, records=("challenge-offered", "challenge-taken"))
class OfferChallenge:
    """Offer Challenges to the Actor or a Resistor. Any Player may do this. The Player of that side is asked whether to
    take them.

    `challenge`: the kind of Challenge, such as time, Quantity or Opportunity. `text`: what would become more difficult.
    `side`: `actor`, or the id of a Resistor.
    """

    resolution: ResolutionId
    challenge: Title = "circumstance"
    text: Story = ""
    n: HowMany = 1
    side: Side = "actor"


@declares("take-benefit", ANYONE, records=("benefit-taken",))
class TakeBenefit:
    """Spend points of a MIB on Benefits, which improve what the Action achieves. After the first Benefit, nobody can
    take a Challenge.

    `benefit`: the kind of Benefit, such as time, Quantity or Opportunity. `text`: what becomes better. `side`: `actor`,
    or the id of a Resistor.
    """

    resolution: ResolutionId
    benefit: Title = "circumstance"
    text: Story = ""
    n: HowMany = 1
    side: Side = "actor"


@declares("reach-outcome", ANYONE, records=("outcome-reached", "benefit-taken", "flurry-ended"))
class ReachOutcome:
    """Determine the outcome. Points above the Critical Juncture become Benefits. The ledger shows whose Action decides,
    and whether there is a Telling Blow or a Catastrophic Failure.
    """

    resolution: ResolutionId


@dataclass(frozen=True, slots=True)
class Gained:
    """A Disadvantage that the Persona gets.

    `value`: what the Disadvantage is worth.
    """

    name: Title
    value: Positive = 1


@dataclass(frozen=True, slots=True)
class Residual:
    """A penalty that lasts, called a Residual Challenge. It is paid for with excess points.

    `scope`: the situations in which the penalty counts. `amount`: how large the penalty is. Each -1 costs 1 excess
    point.
    """

    scope: Situation
    amount: Positive = 1


@choice("consequences")
class Consequences:
    """Name lasting consequences. Excess points are points of the MIB or RMIB beyond the Critical Juncture.

    `text`: what happens. `disadvantages`: new Disadvantages of the Persona that suffers, paid for with Points, usually
    given. `residuals`: Residual Challenges of the Persona that suffers, paid for with excess points, usually given.
    `advantages`: how much Combat Advantage the other side gets, paid for with excess points. `benefits`: how many
    Benefits the other side gets, paid for with excess points, usually given. `other`: how many excess points are spent
    on something else, usually given. `until`: how long the consequences last: until the end of the Session, or longer.
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
    """Name the consequences of a Telling Blow or a Catastrophic Failure. If you leave out `consequences`, the Player
    who must invent them is asked.

    `juncture`: which Telling Blow or Catastrophic Failure of the resolution it is, counted from 0.
    """

    resolution: ResolutionId
    juncture: Natural = 0
    consequences: Consequences | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """A result: damage, a Factor result, a Residual modifier or just the number.

    `result`: the kind of result; `scalar` is just the number. `character`: who suffers the result; leave this out for
    the other side. `weapon`: the name of the weapon, or the number that it adds to damage. `protection`: the pieces of
    protection that count; leave it out to count all. Only the wearer's Player or a Gamemaster can leave out some of
    them. `wound`: the wound in words. `resource`: the Resource that a Factor result reduces. `magnitude`: the Rating
    whose Multiplier counts. `sign`: 1 if a Residual modifier helps, -1 if it hinders. `scope`: the situations in which
    a Residual modifier counts. `until`: how long a Residual modifier lasts. `text`: what the number means.
    """

    result: ResultWord = "damage"
    character: CharacterId | None = None
    weapon: Weapon = 0
    protection: tuple[Piece, ...] | None = None
    resource: Resource = "hit-points"
    magnitude: Rating | None = None
    sign: HelpsOrHinders = -1
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
    """Choose the results of a resolution. The Player of the Actor does this, or the Player of a Resistor who has won
    the contest.

    `results`: one or more results. `side`: `actor`, or the id of the Resistor whose results these are. `against`: for
    results of the Actor, the Resistor in whose contest they were reached, if several opposed the Action. `close`:
    whether the resolution ends with these results.
    """

    resolution: ResolutionId
    results: tuple[Result, ...] = ()
    side: Side = "actor"
    against: CharacterId | None = None
    close: bool = True


@declares("close-application", ANYONE, records=("application-closed",))
class CloseApplication:
    """End the resolution without more results. A Player who could choose results of the resolution does this. The
    consequences of its Telling Blows and Catastrophic Failures can still be named.
    """

    resolution: ResolutionId


Input: TypeAlias = (
    TakeChallenge | OfferChallenge | TakeBenefit | ReachOutcome | NameConsequences | ChooseResults |
    CloseApplication
)  # fmt: skip
