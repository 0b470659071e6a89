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
    """List a Genre Expectation: something that stories of this genre lead people to expect. The Group should agree on
    it.

    `expectation`: what Players get when the expectation comes true. `value`: how many dice they get. For a Payback this
    is the minimum. `scope`: `global` for everybody, or the id of the seat or Character that it is for.
    """

    name: Title
    expectation: ExpectationKind
    value: Natural = 1
    scope: ExpectationScope = "global"


@dataclass(frozen=True, slots=True)
class ListedDefault:
    """A Default from a related Rating.

    `related`: the Rating that a Character may use instead. `modifier`: what is added to that Rating, usually a penalty.
    """

    related: Rating
    modifier: Whole = 0


@declares("list-ability", GM, records=("ability-listed", "ability-use-listed"))
class ListAbility:
    """List a Skill or Special Ability, so that it is the same on every Persona Sheet.

    `special`: whether the ability is a Special Ability. `duration`: how long an Action with it takes. `opportunity`:
    limits on when the ability can be used. `power_cost`: the Power that each use costs. `defaults`: the related Ratings
    that Characters without the ability may use. `may_default`: whether Characters may use a Default for the ability,
    even though it is a Special Ability. `ability_type`: the Type of the Rating. `use`: the Application of the Rating,
    if it has only one. `script`: the steps of the ability's Flurry, if it has one.
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
    """List a Free Skill.

    `level`: the Rating at which every Character starts.
    """

    name: Title
    level: Whole


@declares("list-advantage", GM, records=("advantage-listed",))
class ListAdvantage:
    """List an Advantage or Disadvantage.

    `value`: the Development Points that an Advantage costs, or what a Disadvantage is worth. `modifier`: what the trait
    adds to a roll in the situations of its scope. `scope`: the situations in which the modifier counts. `bars`: an
    ability that the Character then cannot use by Default.
    """

    name: Title
    value: Positive
    modifier: Whole = 0
    scope: Situation = ""
    bars: Barred | None = None


@declares("list-weapon", GM, records=("weapon-listed",))
class ListWeapon:
    """List a weapon. A weapon called `dagger`, `short-sword` or `long-sword` replaces the one that the game names.

    `adds`: the number that the weapon adds to the remaining RMIB when damage is calculated.
    """

    name: Title
    adds: Natural


@declares("begin-game", GM, records=("game-begun",))
class BeginGame:
    """Begin the Game. After that, the Critical Juncture and the Epic Index cannot change. If you do not declare this,
    the Game begins with the first Session.
    """


@declares("seat-players", GM, records=("players-seated",))
class SeatPlayers:
    """Set how the Players sit around the table. If you do not declare this, they sit clockwise in the order in which
    they joined.

    `clockwise`: the seats in clockwise order.
    """

    clockwise: tuple[SeatId, ...]


@declares("attend", GM, records=("attendance-noted",))
class Attend:
    """Set which Players are present in the Session. If you do not declare this, all Players are."""

    present: tuple[SeatId, ...]


_SHIFTED = (
    "play-mode-shifted", "mechanical-play-ended", "mechanical-play-goes-on", "off-guard-set", "penalty-took-effect",
)  # fmt: skip


@declares("shift-mode", ANYONE, records=_SHIFTED)
class ShiftMode:
    """Shift the scene to Solo, General or Specific Play. If the scene is in Mechanical Play, this ends it, as
    `end-mechanical-play` does.

    `claimed`: whether a Gamemaster records that the other Players agreed. This needs a `reason`.
    """

    mode: ModeWithoutTurns
    reason: Reason = ""
    claimed: bool = False


@declares("pass-word", ANYONE, records=("speaker-changed",))
class PassWord:
    """Make a Player the Speaker: the one who says what happens."""

    to: SeatId


@declares("read-chart", ANYONE, records=("chart-read",))
class ReadChart:
    """Look up a Rating on the UE Chart.

    `facet`: the column. `amount`: for a quantity, its amount in the row for Ratings 9 to 11.
    """

    rating: Whole
    facet: Facet = "multiplier"
    amount: Whole | None = None


@declares("make-ruling", GM, records=("ruling-made",))
class MakeRuling:
    """Record a Gamemaster's ruling on anything that the rules leave open.

    `subject`: what the ruling is about. `text`: the ruling.
    """

    subject: Reason
    text: Story


@declares("seek-consensus", ANYONE, records=("consensus-reached", "consensus-failed"))
class SeekConsensus:
    """Ask the Group to agree on something that the rules leave open, such as what does not belong in this genre. All
    other Players present are asked. A later agreement on the same subject replaces the earlier one.

    `subject`: what the agreement is about. `text`: the words that the Group is asked to agree to. `claimed`: whether a
    Gamemaster records that the other Players agreed. This needs a `reason`.
    """

    subject: Reason
    text: Story
    claimed: bool = False
    reason: Reason = ""


@declares("introduce-element", ANYONE, records=("element-introduced",))
class IntroduceElement:
    """Introduce an element of the Game, such as a prop, a place or a fact. This decides who its Proprietor is.

    `persona`: the Character that the element belongs to or arises from. `world`: whether the element belongs to a known
    Regular Character or to the rest of the world. `player`: who introduces the element; leave it out for yourself.
    """

    element: Title
    persona: CharacterId | None = None
    world: bool = False
    player: SeatId | None = None


@declares("transfer-proprietorship", ANYONE, records=("proprietorship-transferred",))
class TransferProprietorship:
    """Make another Player the Proprietor of one of your elements."""

    element: Element
    to: SeatId


@declares("ask-consent", ANYONE, records=("consent-asked",))
class AskConsent:
    """Ask the Proprietor of an element for consent to use or change it.

    `change`: what you want to do with the element.
    """

    element: Element
    change: Story


@declares("answer-consent", ANYONE, records=("consent-given", "consent-refused"))
class AnswerConsent:
    """Answer a request for consent to use or change an element.

    `change`: the change that was asked for. `consent`: `explicit` and `refused` are the Proprietor's own answers;
    `tacit` means that the Proprietor was asked or is present, and does not object. `claimed`: whether a Gamemaster
    records what the Proprietor said. This needs a `reason`.
    """

    element: Element
    change: Story
    consent: Consent = "explicit"
    claimed: bool = False
    reason: Reason = ""


@declares("change-element", ANYONE, records=("element-changed",))
class ChangeElement:
    """Use or change an element of your own, or another Player's element with that Player's consent.

    `change`: what happens to the element. If you asked for consent, use the same words.
    """

    element: Element
    change: Story


Input: TypeAlias = (
    ListExpectation | ListAbility | ListFreeSkill | ListAdvantage | ListWeapon |
    BeginGame | SeatPlayers | Attend | ShiftMode |
    PassWord | ReadChart | MakeRuling | SeekConsensus |
    IntroduceElement | TransferProprietorship | AskConsent | AnswerConsent |
    ChangeElement
)  # fmt: skip
