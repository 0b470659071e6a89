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
    """For one's own Persona. `challenge`: its kind (time, Quantity, Opportunity, ...)."""

    resolution: ResolutionId
    challenge: Title = "circumstance"
    text: Story = ""
    n: HowMany = 1
    side: Side = "actor"


@declares("offer-challenge", ANYONE, records=("challenge-offered", "challenge-taken"))
class OfferChallenge:
    """By any Player, for the Persona of whose side it is: who plays it is asked."""

    resolution: ResolutionId
    challenge: Title = "circumstance"
    text: Story = ""
    n: HowMany = 1
    side: Side = "actor"


@declares("take-benefit", ANYONE, records=("benefit-taken",))
class TakeBenefit:
    """MIB points spent. After the first one nobody takes a Challenge."""

    resolution: ResolutionId
    benefit: Title = "circumstance"
    text: Story = ""
    n: HowMany = 1
    side: Side = "actor"


@declares("reach-outcome", ANYONE, records=("outcome-reached", "benefit-taken", "flurry-ended"))
class ReachOutcome:
    """The cap, the Critical Junctures, who defines the result."""

    resolution: ResolutionId


@dataclass(frozen=True, slots=True)
class Gained:
    """A new disadvantage."""

    name: Title
    value: Positive = 1


@dataclass(frozen=True, slots=True)
class Residual:
    """Of an excess: a Residual Challenge of so many points, in situations of this scope."""

    scope: Situation
    amount: Positive = 1


@choice("consequences")
class Consequences:
    """Lasting ones. `disadvantages`: of the Points, often said. `residuals`: of the excess points, often said.
    `advantages`: Combat Advantage for the other side, of the excess points. `benefits`, `other`: of the excess points,
    often said. `until`: `session`, or later."""

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
    """Of a Critical Juncture (from 0), by its author: asked, unless it declares them itself."""

    resolution: ResolutionId
    juncture: Natural = 0
    consequences: Consequences | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """`result`: `damage`, `factor`, `residual` or `scalar`. `character`: whom it befalls; left out, the other side.

    Of damage: `weapon` (by name, or its number), `protection` (names of the pieces that count; left out, all: that one
    does not, its wearer's Player or a Gamemaster says), `wound`.
    Of a Factor: `resource` and the `magnitude` Rating. Of a Residual: its `sign`, `scope`, `until`.
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
    """By the Player of the Actor, or of a Resistor (`side`) who came out ahead. `against`: which Resistor, where there
    are several. `close`: the Application Phase ends with it."""

    resolution: ResolutionId
    results: tuple[Result, ...] = ()
    side: Side = "actor"
    against: CharacterId | None = None
    close: bool = True


@declares("close-application", ANYONE, records=("application-closed",))
class CloseApplication:
    """The resolution ends; by who has results to choose in it. Consequences of its Critical Junctures may still be
    named."""

    resolution: ResolutionId


Input: TypeAlias = (
    TakeChallenge | OfferChallenge | TakeBenefit | ReachOutcome | NameConsequences | ChooseResults |
    CloseApplication
)  # fmt: skip
