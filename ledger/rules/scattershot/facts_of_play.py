"""Facts of the campaign: its listings, who is at the table, its elements; and of a scene's mode of Play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, Reason, SeatId, Story, Title
from ledger.rules.scattershot.terms import (
    AbilityType,
    Barred,
    ChartRow,
    Consent,
    Difficulty,
    Duration,
    Element,
    ExpectationKind,
    ExpectationScope,
    Facet,
    Mode,
    Rating,
    Scope,
    SessionId,
    Situation,
    Step,
    Use,
)


@fact("game-begun")
class GameBegun:
    """The Game began. `cj`: the Critical Juncture. `ei`: the Epic Index."""

    cj: int
    ei: int


@fact("chart-adopted")
class ChartAdopted:
    """The UE Chart of the campaign. `rows`: its rows, as `{from, to, facets}`; empty for the standard chart."""

    rows: tuple[ChartRow, ...]


@fact("chart-read")
class ChartRead:
    """A number from the UE Chart. `numerator` / `denominator`: the exact number. `rounded`: the nearest whole number;
    halves are rounded up.
    """

    rating: int
    facet: Facet
    numerator: int
    denominator: int
    rounded: int


@fact("genre-expectation-listed")
class GenreExpectationListed:
    """A Genre Expectation of the campaign, the number of dice it gives, and who it applies to."""

    name: Title
    kind: ExpectationKind
    value: int
    scope: ExpectationScope


@dataclass(frozen=True, slots=True)
class ListedDefault:
    """A Default from a related Rating, with this modifier."""

    related: Rating
    modifier: int


@fact("ability-listed")
class AbilityListed:
    """A Skill of the campaign, or a Special Ability if `special` is true. `may_default`: whether Characters can use a
    Default for it, although it is a Special Ability.
    """

    name: Title
    difficulty: Difficulty
    special: bool
    scope: Scope
    duration: Duration
    opportunity: Reason
    power_cost: int
    defaults: tuple[ListedDefault, ...]
    may_default: bool


@fact("ability-use-listed")
class AbilityUseListed:
    """How an ability of the campaign is used: its Type, its Application, and the script of its Flurry."""

    name: Title
    ability_type: AbilityType
    use: Use
    script: tuple[Step, ...]


@fact("advantage-listed")
class AdvantageListed:
    """An Advantage or Disadvantage of the campaign."""

    name: Title
    value: int
    modifier: int
    scope: Situation
    bars: Barred | None


@fact("free-skill-listed")
class FreeSkillListed:
    """A Free Skill of the campaign, and the level it starts at."""

    name: Title
    level: int


@fact("weapon-listed")
class WeaponListed:
    """A weapon of the campaign, and what it adds to an RMIB."""

    name: Title
    adds: int


@fact("listing-upheld")
class ListingUpheld:
    """The Gamemaster did not let the Character go beyond the listing of `name`."""

    character: CharacterId
    name: Title


@fact("players-seated")
class PlayersSeated:
    """The seats of the Players, in clockwise order."""

    clockwise: tuple[SeatId, ...]


@fact("attendance-noted")
class AttendanceNoted:
    """Who is present in the Session."""

    session: SessionId
    present: tuple[SeatId, ...]


@fact("ruling-made")
class RulingMade:
    """The Gamemaster ruled on something that the rules leave open."""

    subject: Reason
    text: Story


@fact("consensus-reached")
class ConsensusReached:
    """The Group agreed on something. `reason`: if a Gamemaster recorded the agreement for the others, why."""

    subject: Reason
    text: Story
    reason: Reason


@fact("consensus-failed")
class ConsensusFailed:
    """The Group did not agree. `against`: the first Player who said no."""

    subject: Reason
    text: Story
    against: SeatId


@fact("vote-cast")
class VoteCast:
    """A seat's vote for somebody or something."""

    voter: SeatId
    for_: Reason


@fact("element-introduced")
class ElementIntroduced:
    """An element was introduced. `proprietor`: the Player to whom it belongs."""

    element: Element
    proprietor: SeatId


@fact("proprietorship-transferred")
class ProprietorshipTransferred:
    """An element was handed from one Player to another."""

    element: Element
    from_: SeatId
    to: SeatId


@fact("consent-asked")
class ConsentAsked:
    """Somebody asked the Proprietor of an element to consent to a change."""

    element: Element
    change: Story
    asker: SeatId


@fact("consent-given")
class ConsentGiven:
    """The Proprietor of an element consented to a change."""

    element: Element
    change: Story
    consent: Consent


@fact("consent-refused")
class ConsentRefused:
    """The Proprietor of an element did not consent to a change."""

    element: Element
    change: Story


@fact("element-changed")
class ElementChanged:
    """An element was changed. `by`: the seat that changed it."""

    element: Element
    change: Story
    by: SeatId


@fact("play-mode-shifted")
class PlayModeShifted:
    """The scene's mode of Play changed. `from`, `to`: the modes."""

    from_: Mode
    to: Mode
    reason: Reason


@fact("speaker-changed")
class SpeakerChanged:
    """The scene has another Speaker."""

    from_: SeatId | None
    to: SeatId


Fact: TypeAlias = (
    GameBegun | ChartAdopted | ChartRead | GenreExpectationListed | AbilityListed | AbilityUseListed | AdvantageListed |
    FreeSkillListed | WeaponListed | ListingUpheld | PlayersSeated | AttendanceNoted | RulingMade | ConsensusReached |
    ConsensusFailed | VoteCast | ElementIntroduced |
    ProprietorshipTransferred | ConsentAsked | ConsentGiven | ConsentRefused | ElementChanged | PlayModeShifted |
    SpeakerChanged
)  # fmt: skip
