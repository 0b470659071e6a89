"""Inputs of a resolution, from declaring the Action to its results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.declarations import ANYONE, GM, Declarer, choice, declares
from ledger.rules.scattershot.terms import Nature


def _player(table: Table[Any], do: Any) -> str | None:
    named: str | None = do.player
    return named if named is not None else table.by.seat


PLAYER = Declarer("seat", _player, "the Player who does it, or a game master")


@dataclass(frozen=True, slots=True)
class Modifier:
    amount: Any
    why: str = ""


@dataclass(frozen=True, slots=True)
class Default:
    """In place of an ability the Persona lacks: a related Rating with the listing's `modifier`, or (no `related`) the
    base of the `difficulty`. `scope`: of the ability; the related Rating has its own. `special`: a Special Ability;
    `allowed`: its listing allows it."""

    ability: str
    related: str | None = None
    modifier: Any = 0
    difficulty: str | None = None
    scope: str = "individual"
    related_scope: str | None = None
    special: bool = False
    allowed: bool = False


@dataclass(frozen=True, slots=True)
class ExtraDie:
    """An Experience Die of one's own purse rolled into a Reaction; `sign`: 1 or -1."""

    face: Any = None
    sign: Any = 1


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
    cost: Any = 1
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
    faces: Any = None
    modifiers: tuple[Modifier, ...] = ()
    experience: tuple[ExtraDie, ...] = ()


@declares("apply-modifier", GM, records=("modifier-applied",))
class ApplyModifier:
    """`side`: `actor`, or the Resistor's id."""

    resolution: str
    amount: Any
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
    faces: Any = None


@declares("replace-roll", ANYONE, records=("roll-replaced",))
class ReplaceRoll:
    """The Experience Dice rolled beforehand are the whole MIB, where the table plays so."""

    resolution: str
    roll: str = "actor"


@declares("contribute-die", PLAYER, records=("experience-die-rolled",))
class ContributeDie:
    """An Experience Die into a MIB. `die`: own, freebie, loaner, saved. `sign`: 1 or -1. `target`: whose MIB; or
    `reaction:` and the Character, for an Off-Guard Reaction nobody has answered yet.

    `against`: which Resistor, where there are several. `borrower`: of a saved Loaner. `advantage` or `expectation`:
    what gives a Freebie.
    """

    resolution: str
    die: str = "own"
    face: Any = None
    sign: Any = 1
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
    face: Any = None
    borrower: str | None = None


@declares("plot-device", PLAYER, records=("plot-device-rolled", "experience-die-rolled"))
class PlotDevice:
    """Dice as a MIB of their own, outside Mechanical Play. `target`: a seat; `subject`: a Character or element."""

    text: str
    dice: tuple[DeviceDie, ...] = (DeviceDie(),)
    target: str | None = None
    subject: str | None = None
    player: str | None = None


@declares("take-challenge", ANYONE, records=("challenge-taken",))
class TakeChallenge:
    """For one's own Persona. `challenge`: its kind (time, Quantity, Opportunity, ...)."""

    resolution: str
    challenge: str = "circumstance"
    text: str = ""
    n: Any = 1
    side: str = "actor"


@declares("offer-challenge", ANYONE, records=("challenge-offered", "challenge-taken"))
class OfferChallenge:
    """By any Player, for the Persona of whose side it is: who plays it is asked."""

    resolution: str
    challenge: str = "circumstance"
    text: str = ""
    n: Any = 1
    side: str = "actor"


@declares("take-benefit", ANYONE, records=("benefit-taken",))
class TakeBenefit:
    """MIB points spent. After the first one nobody takes a Challenge."""

    resolution: str
    benefit: str = "circumstance"
    text: str = ""
    n: Any = 1
    side: str = "actor"


@declares("reach-outcome", ANYONE, records=("outcome-reached", "benefit-taken", "flurry-ended"))
class ReachOutcome:
    """The cap, the Critical Junctures, who defines the result."""

    resolution: str


@dataclass(frozen=True, slots=True)
class Gained:
    """A new disadvantage."""

    name: str
    value: Any = 1


@dataclass(frozen=True, slots=True)
class Residual:
    """Of an excess: a Residual Challenge of so many points, in situations of this scope."""

    scope: str
    amount: Any = 1


@choice("consequences")
class Consequences:
    """Lasting ones. `residuals`, `advantages` (Combat Advantage for the other side), `benefits` and `other` share the
    excess points. `until`: `session`, or later."""

    text: str
    disadvantages: tuple[Gained, ...] = ()
    residuals: tuple[Residual, ...] = ()
    advantages: Any = 0
    benefits: Any = 0
    other: Any = 0
    until: str = "session"


@declares("name-consequences", ANYONE, records=("juncture-consequence-named", "disadvantage-gained", "residual-placed",
                                                "advantage-converted"))  # fmt: skip
class NameConsequences:
    """Of a Critical Juncture (from 0), by its author: asked, unless it declares them itself."""

    resolution: str
    juncture: Any = 0
    consequences: Consequences | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """`result`: `damage`, `factor`, `residual` or `scalar`. `character`: whom it befalls; left out, the other side.

    Of damage: `weapon` (by name, or its number), `protection` (names of the pieces that count; left out, all: that one
    does not, its wearer's Player or a Gamemaster says), `wound`.
    Of a Factor: `resource` and the `magnitude` Rating. Of a Residual: its `sign`, `scope`, `until`.
    """

    result: str = "damage"
    character: str | None = None
    weapon: Any = 0
    protection: tuple[str, ...] | None = None
    resource: str = "hit-points"
    magnitude: str | None = None
    sign: Any = -1
    scope: str = ""
    until: str = "session"
    text: str = ""
    wound: str = ""


_RESULTS = (
    "resource-reduced", "residual-placed", "scalar-recorded", "penalty-deferred", "penalty-took-effect",
    "application-closed",
)  # fmt: skip


@declares("choose-results", ANYONE, records=_RESULTS)
class ChooseResults:
    """By the Player of the Actor, or of a Resistor (`side`) who came out ahead. `against`: which Resistor, where there
    are several. `close`: the Application Phase ends with it."""

    resolution: str
    results: tuple[Result, ...] = ()
    side: str = "actor"
    against: str | None = None
    close: bool = True


@declares("close-application", ANYONE, records=("application-closed",))
class CloseApplication:
    """The resolution ends; by who has results to choose in it. Consequences of its Critical Junctures may still be
    named."""

    resolution: str


CHOICES: tuple[type[Any], ...] = (Oppose, StayPassive, Consequences)
INPUTS: tuple[type[Any], ...] = (
    DeclareAction, AnswerEngagement, ReactOffGuard, ApplyModifier, CloseOpportunity, RollMib, ReplaceRoll,
    ContributeDie, CloseDecision, PlotDevice, TakeChallenge, OfferChallenge, TakeBenefit, ReachOutcome,
    NameConsequences, ChooseResults, CloseApplication,
)  # fmt: skip
