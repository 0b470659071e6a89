"""What people can be asked for. Headings: dramatic considerations, featherweight mnemonic."""

from __future__ import annotations

from typing import Annotated, TypeAlias, get_args

from ledger.rules.kernel.declarations import choice
from ledger.rules.kernel.domains import Reason, Says
from ledger.rules.mnemonic.terms import AptitudeNumber, Preset, RatingName

# --- judging together ---------------------------------------------------------------------------------------------


@choice("judge", by="asked")
class Judge:
    """Give your own judgement of the character's Aptitude for the task, as a whole number."""

    aptitude: AptitudeNumber


@choice("report-judgement", by="gm")
class ReportJudgement:
    """As a game master, report the player's judgement. `reason`: why the player does not answer."""

    aptitude: AptitudeNumber
    reason: Reason


@choice("settle-on", by="asked")
class SettleOn:
    """Propose an Aptitude after you have talked it over with the player."""

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

    assents: Annotated[bool, Says("The answer is yes")]
    reason: Reason


# --- script immunity ----------------------------------------------------------------------------------------------


@choice("take-preset", by="asked")
class TakePreset:
    """Choose the character's part in the story, and one of the ratings suggested for that part."""

    preset: Annotated[Preset, Says("Part in the story")]
    rating: Annotated[RatingName | None, Says("Rating", "Leave it out to use the first suggested rating.")] = None


@choice("name-rating", by="asked")
class NameRating:
    """Choose any rating on the campaign's ladder."""

    rating: RatingName


Chosen: TypeAlias = (
    Judge | ReportJudgement | SettleOn | Explain | Assent | Object | SpeakFor | TakePreset | NameRating
)  # fmt: skip
CHOICES: tuple[type[Chosen], ...] = get_args(Chosen)
