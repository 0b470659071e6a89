"""Inputs of the game itself: its listings, its modes of Play, its elements and whose they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ledger.rules.kernel.declarations import ANYONE, GM, declares
from ledger.rules.kernel.domains import CharacterId, Reason, SeatId, Story, Title
from ledger.rules.scattershot.terms import (
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
    Whole,
)


@declares("list-expectation", GM, records=("genre-expectation-listed",))
class ListExpectation:
    """A Genre Expectation the Group agrees on. `value`: dice of a Gimme or Freebie. `scope`: global, or whose it is:
    the id of a seat or of a Character."""

    name: Title
    expectation: ExpectationKind
    value: Natural = 1
    scope: ExpectationScope = "global"


@dataclass(frozen=True, slots=True)
class ListedDefault:
    """How far from the ability a related Rating is: usually a penalty."""

    related: Rating
    modifier: Whole = 0


@declares("list-ability", GM, records=("ability-listed",))
class ListAbility:
    """A Skill or Special Ability of the campaign: its difficulty, Scope and Duration, its Opportunity limits, what
    Power each use costs, and what it Defaults to. `may_default`: though it is a Special Ability."""

    name: Title
    difficulty: Difficulty
    special: bool = False
    scope: Scope = "individual"
    duration: Duration = "immediate"
    opportunity: Reason = ""
    power_cost: Natural = 0
    defaults: tuple[ListedDefault, ...] = ()
    may_default: bool = False


@declares("list-free-skill", GM, records=("free-skill-listed",))
class ListFreeSkill:
    """A Free Skill of the campaign, and the level it starts at."""

    name: Title
    level: Whole


@declares("list-advantage", GM, records=("advantage-listed",))
class ListAdvantage:
    """An Advantage or Disadvantage of the campaign. `modifier`: in the situations of `scope`; `bars`: a Default."""

    name: Title
    value: Positive
    modifier: Whole = 0
    scope: Situation = ""
    bars: Barred | None = None


@declares("begin-game", GM, records=("game-begun",))
class BeginGame:
    """From now on the Critical Juncture and the Epic Index stay as they are. The first Session begins it, too."""


@declares("seat-players", GM, records=("players-seated",))
class SeatPlayers:
    """How the Players sit: their seats, clockwise. Without it, in the order in which they came."""

    clockwise: tuple[SeatId, ...]


@declares("attend", GM, records=("attendance-noted",))
class Attend:
    """Who is present in the Session. Without it, everybody."""

    present: tuple[SeatId, ...]


_SHIFTED = (
    "play-mode-shifted", "mechanical-play-ended", "mechanical-play-goes-on", "off-guard-set", "penalty-took-effect",
)  # fmt: skip


@declares("shift-mode", ANYONE, records=_SHIFTED)
class ShiftMode:
    """Solo, General or Specific Play in the scene. Leaving Mechanical Play is a lull, and ends it as
    `end-mechanical-play` does."""

    mode: ModeWithoutTurns
    reason: Reason = ""
    claimed: bool = False


@declares("pass-word", ANYONE, records=("speaker-changed",))
class PassWord:
    """Somebody else is the Speaker."""

    to: SeatId


@declares("read-chart", ANYONE, records=("chart-read",))
class ReadChart:
    """A facet of a Rating. `amount`: what a quantity is in the row 9-11."""

    rating: Whole
    facet: Facet = "multiplier"
    amount: Whole | None = None


@declares("make-ruling", GM, records=("ruling-made",))
class MakeRuling:
    """What rules leave to judgement, and agreements: a text about something."""

    subject: Reason
    text: Story


@declares("introduce-element", ANYONE, records=("element-introduced",))
class IntroduceElement:
    """A prop, a place, a fact. `persona`: the Character it belongs to or arises from; `world`: it goes with a known
    Regular Character, or with the rest of the world."""

    element: Title
    persona: CharacterId | None = None
    world: bool = False
    player: SeatId | None = None


@declares("transfer-proprietorship", ANYONE, records=("proprietorship-transferred",))
class TransferProprietorship:
    element: Element
    to: SeatId


@declares("ask-consent", ANYONE, records=("consent-asked",))
class AskConsent:
    """To use or change what somebody else is Proprietor of."""

    element: Element
    change: Story


@declares("answer-consent", ANYONE, records=("consent-given", "consent-refused"))
class AnswerConsent:
    """`consent`: `explicit` or `refused` by the Proprietor; `tacit`, by anybody: asked or present, no objection.
    `claimed`: a Gamemaster records what the Proprietor said, with a `reason`."""

    element: Element
    change: Story
    consent: Consent = "explicit"
    claimed: bool = False
    reason: Reason = ""


@declares("change-element", ANYONE, records=("element-changed",))
class ChangeElement:
    """Use or change an element: one's own, or with its Proprietor's consent."""

    element: Element
    change: Story


Input: TypeAlias = (
    ListExpectation | ListAbility | ListFreeSkill | ListAdvantage | BeginGame | SeatPlayers | Attend | ShiftMode |
    PassWord | ReadChart | MakeRuling | IntroduceElement | TransferProprietorship | AskConsent | AnswerConsent |
    ChangeElement
)  # fmt: skip
