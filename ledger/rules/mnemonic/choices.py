"""What people can be asked for. Headings: dramatic considerations, featherweight mnemonic."""

from __future__ import annotations

from typing import TypeAlias, get_args

from ledger.rules.kernel.declarations import choice
from ledger.rules.kernel.domains import Reason
from ledger.rules.mnemonic.terms import AptitudeNumber, Preset, RatingName

# --- judging together ---------------------------------------------------------------------------------------------


@choice("judge", by="asked")
class Judge:
    """How good the character is at the task, in the player's own judgement: a whole number."""

    aptitude: AptitudeNumber


@choice("report-judgement", by="gm")
class ReportJudgement:
    """A game master says what the player's judgement is, and why it is not the player who does."""

    aptitude: AptitudeNumber
    reason: Reason


@choice("settle-on", by="asked")
class SettleOn:
    """The number the referee puts to the player, now that they have talked about theirs."""

    aptitude: AptitudeNumber


@choice("explain", by="asked")
class Explain:
    """Why the number for the task is not what it was."""

    reason: Reason


@choice("assent", by="asked")
class Assent:
    """That is how it is understood. Nobody but who is asked can say it."""


@choice("object", by="asked")
class Object:
    """It is not. Nobody but who is asked can say it."""


@choice("speak-for", by="gm")
class SpeakFor:
    """A game master assents or objects for who is asked, and says why."""

    assents: bool
    reason: Reason


# --- script immunity ----------------------------------------------------------------------------------------------


@choice("take-preset", by="asked")
class TakePreset:
    """The rating suggested for such a part in the story. `rating`: which, where several are; left out, the first."""

    preset: Preset
    rating: RatingName | None = None


@choice("name-rating", by="asked")
class NameRating:
    """A rating of the referee's own."""

    rating: RatingName


Chosen: TypeAlias = (
    Judge | ReportJudgement | SettleOn | Explain | Assent | Object | SpeakFor | TakePreset | NameRating
)  # fmt: skip
CHOICES: tuple[type[Chosen], ...] = get_args(Chosen)
