"""What people can be asked for. Headings: dramatic considerations, featherweight mnemonic."""

from __future__ import annotations

from typing import TypeAlias, get_args

from ledger.rules.kernel.declarations import choice
from ledger.rules.kernel.domains import Reason
from ledger.rules.mnemonic.terms import AptitudeNumber, Preset, RatingName

# --- judging together ---------------------------------------------------------------------------------------------


@choice("judge", by="asked")
class Judge:
    """Judge the character's Aptitude for the task: a whole number."""

    aptitude: AptitudeNumber


@choice("report-judgement", by="gm")
class ReportJudgement:
    """As a game master, report the player's judgement. `reason`: why the player does not answer."""

    aptitude: AptitudeNumber
    reason: Reason


@choice("settle-on", by="asked")
class SettleOn:
    """Propose the Aptitude that you have talked over with the player."""

    aptitude: AptitudeNumber


@choice("explain", by="asked")
class Explain:
    """Explain why the Aptitude for the task has changed."""

    reason: Reason


@choice("assent", by="asked")
class Assent:
    """Agree. Only the person asked can do this."""


@choice("object", by="asked")
class Object:
    """Disagree. Only the person asked can do this."""


@choice("speak-for", by="gm")
class SpeakFor:
    """As a game master, agree or disagree for the person asked, with a reason."""

    assents: bool
    reason: Reason


# --- script immunity ----------------------------------------------------------------------------------------------


@choice("take-preset", by="asked")
class TakePreset:
    """Use a rating that is suggested for a part in the story (`preset`). `rating`: one of these; leave it out for the
    first.
    """

    preset: Preset
    rating: RatingName | None = None


@choice("name-rating", by="asked")
class NameRating:
    """Name any rating of the campaign's ladder."""

    rating: RatingName


Chosen: TypeAlias = (
    Judge | ReportJudgement | SettleOn | Explain | Assent | Object | SpeakFor | TakePreset | NameRating
)  # fmt: skip
CHOICES: tuple[type[Chosen], ...] = get_args(Chosen)
