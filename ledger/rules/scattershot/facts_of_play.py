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
    cj: int
    ei: int


@fact("chart-adopted")
class ChartAdopted:
    """`rows`: `{from, to, facets}`; empty for the standard chart."""

    rows: tuple[ChartRow, ...]


@fact("chart-read")
class ChartRead:
    """`numerator` / `denominator`: the exact number; `rounded`: rounded, halves up."""

    rating: int
    facet: Facet
    numerator: int
    denominator: int
    rounded: int


@fact("genre-expectation-listed")
class GenreExpectationListed:
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
    """A Skill or (`special`) Special Ability of the campaign. `may_default`: a Default is allowed although it is a
    Special Ability.
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
    """The Gamemaster did not allow more than the listing."""

    character: CharacterId
    name: Title


@fact("players-seated")
class PlayersSeated:
    """The seats, clockwise."""

    clockwise: tuple[SeatId, ...]


@fact("attendance-noted")
class AttendanceNoted:
    """Who is present in the Session."""

    session: SessionId
    present: tuple[SeatId, ...]


@fact("ruling-made")
class RulingMade:
    subject: Reason
    text: Story


@fact("consensus-reached")
class ConsensusReached:
    """What the Group agreed on. `reason`: why a Gamemaster recorded this for the others, if one did."""

    subject: Reason
    text: Story
    reason: Reason


@fact("consensus-failed")
class ConsensusFailed:
    """`against`: the first Player who did not agree."""

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
    element: Element
    proprietor: SeatId


@fact("proprietorship-transferred")
class ProprietorshipTransferred:
    element: Element
    from_: SeatId
    to: SeatId


@fact("consent-asked")
class ConsentAsked:
    element: Element
    change: Story
    asker: SeatId


@fact("consent-given")
class ConsentGiven:
    element: Element
    change: Story
    consent: Consent


@fact("consent-refused")
class ConsentRefused:
    element: Element
    change: Story


@fact("element-changed")
class ElementChanged:
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
