"""Facts of the campaign: its listings, who is at the table, its elements; and of a scene's mode of Play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.scattershot.terms import ExpectationKind, Mode, Unchecked


@fact("game-begun")
class GameBegun:
    cj: int
    ei: int


@fact("chart-adopted")
class ChartAdopted:
    """`rows`: `{from, to, facets}`; empty when the table goes back to ours."""

    rows: tuple[Mapping[str, Unchecked], ...]


@fact("chart-read")
class ChartRead:
    """`numerator` / `denominator`: the facet, exactly; `rounded`: halves up."""

    rating: int
    facet: str
    numerator: int
    denominator: int
    rounded: int


@fact("genre-expectation-listed")
class GenreExpectationListed:
    name: str
    kind: ExpectationKind
    value: int
    scope: str


@dataclass(frozen=True, slots=True)
class ListedDefault:
    """From a related Rating, with this modifier."""

    related: str
    modifier: int


@fact("ability-listed")
class AbilityListed:
    """A Skill or (`special`) Special Ability as the campaign has it. `may_default`: though it is a Special Ability."""

    name: str
    difficulty: str
    special: bool
    scope: str
    duration: str
    opportunity: str
    power_cost: int
    defaults: tuple[ListedDefault, ...]
    may_default: bool


@fact("advantage-listed")
class AdvantageListed:
    """An Advantage or Disadvantage as the campaign has it."""

    name: str
    value: int
    modifier: int
    scope: str
    bars: str | None


@fact("free-skill-listed")
class FreeSkillListed:
    """A Free Skill of the campaign's list, and where it starts."""

    name: str
    level: int


@fact("listing-upheld")
class ListingUpheld:
    """The Gamemaster allows nothing beyond the listing of this."""

    character: str
    name: str


@fact("players-seated")
class PlayersSeated:
    """Seats, clockwise."""

    clockwise: tuple[str, ...]


@fact("attendance-noted")
class AttendanceNoted:
    """Who is present in the Session."""

    session: str
    present: tuple[str, ...]


@fact("ruling-made")
class RulingMade:
    subject: str
    text: str


@fact("vote-cast")
class VoteCast:
    """By a seat, for somebody or something."""

    voter: str
    for_: str


@fact("element-introduced")
class ElementIntroduced:
    element: str
    proprietor: str


@fact("proprietorship-transferred")
class ProprietorshipTransferred:
    element: str
    from_: str
    to: str


@fact("consent-asked")
class ConsentAsked:
    element: str
    change: str
    asker: str


@fact("consent-given")
class ConsentGiven:
    element: str
    change: str
    consent: str


@fact("consent-refused")
class ConsentRefused:
    element: str
    change: str


@fact("element-changed")
class ElementChanged:
    element: str
    change: str
    by: str


@fact("play-mode-shifted")
class PlayModeShifted:
    """About the scene. `from`, `to`: the modes."""

    from_: Mode
    to: Mode
    reason: str


@fact("speaker-changed")
class SpeakerChanged:
    """About the scene."""

    from_: str | None
    to: str


Fact: TypeAlias = (
    GameBegun | ChartAdopted | ChartRead | GenreExpectationListed | AbilityListed | AdvantageListed |
    FreeSkillListed | ListingUpheld | PlayersSeated | AttendanceNoted | RulingMade | VoteCast | ElementIntroduced |
    ProprietorshipTransferred | ConsentAsked | ConsentGiven | ConsentRefused | ElementChanged | PlayModeShifted |
    SpeakerChanged
)  # fmt: skip
