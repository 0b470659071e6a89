"""What players can be asked for."""

from __future__ import annotations

from typing import TypeAlias, get_args

from ledger.rules.intensity.terms import SaidHealing, TraitName
from ledger.rules.kernel.declarations import choice
from ledger.rules.kernel.domains import Reason


@choice("agree", by="asked")
class Agree:
    """Agree. Only the player asked can do this."""


@choice("decline", by="asked")
class Decline:
    """Decline. Only the player asked can do this."""


@choice("speak-for", by="gm")
class SpeakFor:
    """A game master agrees or declines for the player asked, with a reason."""

    agreed: bool
    reason: Reason


@choice("heal", by="asked")
class Heal:
    """Choose what the character in the question heals: `damage` (with its trait), `wound` or `none`.

    Only the player asked can do this.
    """

    heal: SaidHealing = "none"
    trait: TraitName | None = None


@choice("close-moment", by="gm")
class CloseMoment:
    """A game master stops waiting for the player asked. That player's characters without an answer heal nothing.

    The next player is still asked. `reason`: why. The player passed over sees it.
    """

    reason: Reason


Consent: TypeAlias = Agree | Decline | SpeakFor
Chosen: TypeAlias = Consent | Heal | CloseMoment
CHOICES: tuple[type[Chosen], ...] = get_args(Chosen)
