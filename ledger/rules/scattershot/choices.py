"""How a question is answered that is put to a seat."""

from __future__ import annotations

from typing import TypeAlias, get_args

from ledger.rules.kernel.declarations import choice
from ledger.rules.kernel.domains import Reason
from ledger.rules.scattershot.inputs_of_deeds import Oppose, StayPassive
from ledger.rules.scattershot.inputs_of_outcomes import Consequences


@choice("agree", by="asked")
class Agree:
    """Agree. Only the Player asked can do this."""


@choice("decline", by="asked")
class Decline:
    """Decline. Only the Player asked can do this."""


@choice("speak-for", by="gm")
class SpeakFor:
    """A Gamemaster answers yes or no for the Player asked, with a reason why the Player does not."""

    agreed: bool
    reason: Reason


Choice: TypeAlias = Agree | Decline | SpeakFor | Oppose | StayPassive | Consequences
CHOICES: tuple[type[Choice], ...] = get_args(Choice)
