"""Inputs of the game itself: its listings, its modes of Play, its elements and whose they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ledger.rules.kernel.declarations import ANYONE, GM, declares
from ledger.rules.kernel.domains import CharacterId, Reason, SeatId, Story, Title
from ledger.rules.scattershot.terms import (
    AbilityType,
    Barred,
    Consent,
    Difficulty,
    Duration,
    Element,
    ExpectationKind,
    ExpectationScope,
    Facet,
    ModeWithoutTurns,
    Natural,
    Positive,
    Rating,
    Scope,
    Situation,
    Step,
    Use,
    Whole,
)


@declares("list-expectation", GM, records=("genre-expectation-listed",))
class ListExpectation:
    """List a Genre Expectation that the Group agrees on.

    `value`: how many dice a Gimme or Freebie is worth. `scope`: `global`, or the id of a seat or Character that it is
    for.
    """

    name: Title
    expectation: ExpectationKind
    value: Natural = 1
    scope: ExpectationScope = "global"


@dataclass(frozen=True, slots=True)
class ListedDefault:
    """A Default from a related Rating.

    `modifier`: usually a penalty.
    """

    related: Rating
    modifier: Whole = 0


@declares("list-ability", GM, records=("ability-listed", "ability-use-listed"))
class ListAbility:
    """List a Skill or Special Ability of the campaign.

    `special`: it is a Special Ability. `opportunity`: limits on its use. `power_cost`: the Power that each use costs.
    `defaults`: related Ratings to Default from. `may_default`: a Default is allowed although it is a Special Ability.
    `ability_type`: invoked, magnitude or resource. `use`: instantaneous, reactive, residual, or empty. `script`: the
    steps of its Flurry.
    """

    name: Title
    difficulty: Difficulty
    special: bool = False
    scope: Scope = "individual"
    duration: Duration = "immediate"
    opportunity: Reason = ""
    power_cost: Natural = 0
    defaults: tuple[ListedDefault, ...] = ()
    may_default: bool = False
    ability_type: AbilityType = "invoked"
    use: Use = ""
    script: tuple[Step, ...] = ()


@declares("list-free-skill", GM, records=("free-skill-listed",))
class ListFreeSkill:
    """List a Free Skill of the campaign.

    `level`: the level it starts at.
    """

    name: Title
    level: Whole


@declares("list-advantage", GM, records=("advantage-listed",))
class ListAdvantage:
    """List an Advantage or Disadvantage of the campaign.

    `modifier`: what it adds in the situations of its scope. `scope`: the situations in which it counts. `bars`: the
    ability it bars a Default on.
    """

    name: Title
    value: Positive
    modifier: Whole = 0
    scope: Situation = ""
    bars: Barred | None = None


@declares("list-weapon", GM, records=("weapon-listed",))
class ListWeapon:
    """List a weapon of the campaign. It can also replace a weapon that the game knows, such as `dagger`.

    `adds`: what the weapon adds to an RMIB before the RMIB is multiplied.
    """

    name: Title
    adds: Natural


@declares("begin-game", GM, records=("game-begun",))
class BeginGame:
    """Begin the Game. After that, the Critical Juncture and the Epic Index cannot change. The first Session also begins
    it.
    """


@declares("seat-players", GM, records=("players-seated",))
class SeatPlayers:
    """Set how the Players sit, clockwise. Otherwise they sit in the order in which they joined."""

    clockwise: tuple[SeatId, ...]


@declares("attend", GM, records=("attendance-noted",))
class Attend:
    """Set who is present in the Session. Otherwise everybody is."""

    present: tuple[SeatId, ...]


_SHIFTED = (
    "play-mode-shifted", "mechanical-play-ended", "mechanical-play-goes-on", "off-guard-set", "penalty-took-effect",
)  # fmt: skip


@declares("shift-mode", ANYONE, records=_SHIFTED)
class ShiftMode:
    """Shift the scene to Solo, General or Specific Play. Leaving Mechanical Play this way ends it, which is a lull.

    `claimed`: a Gamemaster records that the others agreed, with a `reason`.
    """

    mode: ModeWithoutTurns
    reason: Reason = ""
    claimed: bool = False


@declares("pass-word", ANYONE, records=("speaker-changed",))
class PassWord:
    """Make another Player the Speaker."""

    to: SeatId


@declares("read-chart", ANYONE, records=("chart-read",))
class ReadChart:
    """Look up a facet of a Rating on the UE Chart.

    `amount`: the quantity in the row for Ratings 9 to 11.
    """

    rating: Whole
    facet: Facet = "multiplier"
    amount: Whole | None = None


@declares("make-ruling", GM, records=("ruling-made",))
class MakeRuling:
    """Record a ruling or an agreement about anything that the rules leave open.

    `subject`: what it is about.
    """

    subject: Reason
    text: Story


@declares("seek-consensus", ANYONE, records=("consensus-reached", "consensus-failed"))
class SeekConsensus:
    """Ask the Group to agree on something that the rules leave open, such as a boundary of the genre, or how two
    Personae that can do the same share it. All other Players present are asked. A later agreement on the same subject
    replaces the earlier one.

    `subject`: what it is about. `claimed`: a Gamemaster records that they agreed, with a `reason`.
    """

    subject: Reason
    text: Story
    claimed: bool = False
    reason: Reason = ""


@declares("introduce-element", ANYONE, records=("element-introduced",))
class IntroduceElement:
    """Introduce an element, such as a prop, a place or a fact.

    `persona`: the Character it belongs to or arises from. `world`: it belongs to a known Regular Character or to the
    rest of the world.
    """

    element: Title
    persona: CharacterId | None = None
    world: bool = False
    player: SeatId | None = None


@declares("transfer-proprietorship", ANYONE, records=("proprietorship-transferred",))
class TransferProprietorship:
    """Hand an element to another Player."""

    element: Element
    to: SeatId


@declares("ask-consent", ANYONE, records=("consent-asked",))
class AskConsent:
    """Ask the Proprietor of an element for consent to use or change it."""

    element: Element
    change: Story


@declares("answer-consent", ANYONE, records=("consent-given", "consent-refused"))
class AnswerConsent:
    """Answer a request for consent.

    `consent`: `explicit` and `refused` are the Proprietor's own answers; `tacit` means that the Proprietor was asked or
    is present, and does not object. `claimed`: a Gamemaster records what the Proprietor said, with a `reason`.
    """

    element: Element
    change: Story
    consent: Consent = "explicit"
    claimed: bool = False
    reason: Reason = ""


@declares("change-element", ANYONE, records=("element-changed",))
class ChangeElement:
    """Use or change an element of your own, or with its Proprietor's consent."""

    element: Element
    change: Story


Input: TypeAlias = (
    ListExpectation | ListAbility | ListFreeSkill | ListAdvantage | ListWeapon |
    BeginGame | SeatPlayers | Attend | ShiftMode |
    PassWord | ReadChart | MakeRuling | SeekConsensus |
    IntroduceElement | TransferProprietorship | AskConsent | AnswerConsent |
    ChangeElement
)  # fmt: skip
