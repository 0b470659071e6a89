"""How a question is answered that is put to a seat."""

from __future__ import annotations

from typing import TypeAlias, get_args

from ledger.rules.kernel.declarations import choice
from ledger.rules.kernel.domains import Reason
from ledger.rules.scattershot.inputs_of_deeds import Oppose, StayPassive
from ledger.rules.scattershot.inputs_of_outcomes import Consequences


@choice("agree", by="asked")
class Agree:
    """So be it. Nobody but who is asked can say it."""


@choice("decline", by="asked")
class Decline:
    """Not this time. Nobody but who is asked can say it."""


@choice("speak-for", by="gm")
class SpeakFor:
    """A Gamemaster says yes or no for who is asked, and why it is not that Player who does."""

    agreed: bool
    reason: Reason


Choice: TypeAlias = Agree | Decline | SpeakFor | Oppose | StayPassive | Consequences
CHOICES: tuple[type[Choice], ...] = get_args(Choice)
