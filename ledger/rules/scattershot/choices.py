"""How a question is answered that is put to a seat."""

from __future__ import annotations

from typing import TypeAlias, get_args

from ledger.rules.kernel.declarations import choice
from ledger.rules.kernel.domains import Reason
from ledger.rules.scattershot.inputs_of_deeds import Oppose, StayPassive
from ledger.rules.scattershot.inputs_of_outcomes import Consequences


@choice("agree", by="asked")
class Agree:
    """Agree. Only the Player who is asked can do this."""


@choice("decline", by="asked")
class Decline:
    """Decline. Only the Player who is asked can do this."""


@choice("speak-for", by="gm")
class SpeakFor:
    """Answer for the Player who is asked. A Gamemaster can do this, with a reason why the Player does not answer.

    `agreed`: the Player's answer.
    """

    agreed: bool
    reason: Reason


Choice: TypeAlias = Agree | Decline | SpeakFor | Oppose | StayPassive | Consequences
CHOICES: tuple[type[Choice], ...] = get_args(Choice)
