"""What people can be asked for."""

from __future__ import annotations

from typing import TypeAlias, get_args

from ledger.rules.intensity.terms import SaidHealing, TraitName
from ledger.rules.kernel.declarations import choice
from ledger.rules.kernel.domains import Reason


@choice("agree", by="asked")
class Agree:
    """So be it. Nobody but the player who is asked can say it."""


@choice("decline", by="asked")
class Decline:
    """No. Nobody but the player who is asked can say it."""


@choice("speak-for", by="gm")
class SpeakFor:
    """A game master says yes or no for the player who is asked, and why it is not the player who does."""

    agreed: bool
    reason: Reason


@choice("heal")
class Heal:
    """What the character named in the question heals: `damage` (with its trait), `wound`, or `none`."""

    heal: SaidHealing = "none"
    trait: TraitName | None = None


@choice("close-moment", by="gm")
class CloseMoment:
    """A game master waits no longer for the player who is asked: what that player has not answered yet heals nothing.

    The next player is still asked. `reason`: why; those who are passed over are shown it.
    """

    reason: Reason


Consent: TypeAlias = Agree | Decline | SpeakFor
Chosen: TypeAlias = Consent | Heal | CloseMoment
CHOICES: tuple[type[Chosen], ...] = get_args(Chosen)
