"""What seats can be asked for while a ruling is made: to defend, to shunt, to resist, to give Credit up for a price,
and a game master for the numbers that a player proposes.
"""

from __future__ import annotations

from typing import TypeAlias, get_args

from ledger.rules.kernel.declarations import choice
from ledger.rules.kernel.domains import Reason
from ledger.rules.mongrel.domains import (
    Amount,
    AttributeName,
    Difficulty,
    Faces,
    Natural,
    OptionName,
    PossessionId,
    Shunted,
    TakenOff,
)


@choice("defend")
class Defend:
    """One Action Point to be rolled against, at a price for the attacker. `armour_worn`: a possession."""

    armour_worn: PossessionId | None = None


@choice("stand")
class Stand:
    """Not defending. `armour_worn`: as in `defend`."""

    armour_worn: PossessionId | None = None


@choice("shunt")
class Shunt:
    """So many points of the hit go to Beauty (0: none)."""

    points: Shunted = 0


@choice("resist")
class Resist:
    """Resist is rolled, equal or under this attribute of one's own."""

    attribute: AttributeName = "spirit"
    power: tuple[OptionName, ...] = ()
    difficulty: Difficulty = 0
    reason: Reason = ""
    faces: Faces | None = None


@choice("submit")
class Submit:
    """Not resisting."""


@choice("sacrifice", by="asked")
class Sacrifice:
    """Credit the buyer offers; it takes the seller to agree."""

    amount: Amount


@choice("accept", by="asked")
class Accept:
    """The seller's side sells, or agrees to the price."""


@choice("no-deal", by="asked")
class NoDeal:
    """Nothing is agreed, and nothing changes hands."""


@choice("speak-for", by="gm")
class SpeakFor:
    """A game master says yes or no for the player who is asked, and why. `amount`: the Credit a buyer offers."""

    agreed: bool
    reason: Reason
    amount: Amount | None = None


@choice("judge", by="gm")
class Judge:
    """A game master says the numbers that a player proposed. What is left out stands as it was proposed."""

    weapon: Natural | None = None
    armour: Natural | None = None
    difficulty: Difficulty | None = None
    taken_off: TakenOff | None = None
    score: Natural | None = None
    social: Natural | None = None
    minutes: Natural | None = None
    minute: Natural | None = None
    reason: Reason = ""


@choice("disallow", by="gm")
class Disallow:
    """A game master says no to what a player proposed, and nothing comes of it."""

    reason: Reason = ""


Choice: TypeAlias = Defend | Stand | Shunt | Resist | Submit | Sacrifice | Accept | NoDeal | SpeakFor | Judge | Disallow
CHOICES: tuple[type[Choice], ...] = get_args(Choice)
