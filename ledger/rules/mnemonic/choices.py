"""What people can be asked for. Headings: dramatic considerations, featherweight mnemonic."""

from __future__ import annotations

from typing import TypeAlias, get_args

from ledger.rules.kernel.declarations import choice
from ledger.rules.kernel.domains import Reason
from ledger.rules.mnemonic.terms import AptitudeNumber, Preset, RatingName

# --- judging together ---------------------------------------------------------------------------------------------


@choice("judge", by="asked")
class Judge:
    """Judge how good the character is at the task: a whole number."""

    aptitude: AptitudeNumber


@choice("report-judgement", by="gm")
class ReportJudgement:
    """A game master reports the player's judgement, and why the player does not."""

    aptitude: AptitudeNumber
    reason: Reason


@choice("settle-on", by="asked")
class SettleOn:
    """The number that the referee proposes after talking it over with the player."""

    aptitude: AptitudeNumber


@choice("explain", by="asked")
class Explain:
    """Explain why the number for the task has changed."""

    reason: Reason


@choice("assent", by="asked")
class Assent:
    """Agree. Only the player asked can do this."""


@choice("object", by="asked")
class Object:
    """Do not agree. Only the player asked can do this."""


@choice("speak-for", by="gm")
class SpeakFor:
    """A game master agrees or objects for the player asked, with a reason."""

    assents: bool
    reason: Reason


# --- script immunity ----------------------------------------------------------------------------------------------


@choice("take-preset", by="asked")
class TakePreset:
    """Take a rating suggested for a part in the story. `rating`: which one, if there are several (else the first)."""

    preset: Preset
    rating: RatingName | None = None


@choice("name-rating", by="asked")
class NameRating:
    """Name a different rating."""

    rating: RatingName


Chosen: TypeAlias = (
    Judge | ReportJudgement | SettleOn | Explain | Assent | Object | SpeakFor | TakePreset | NameRating
)  # fmt: skip
CHOICES: tuple[type[Chosen], ...] = get_args(Chosen)
