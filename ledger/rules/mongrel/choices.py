"""What seats can be asked while a ruling is made: to defend, to shunt, to resist, to offer Credit or agree to a price,
and game masters about the numbers that a player proposes.
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
    SideName,
    TakenOff,
)


@choice("defend")
class Defend:
    """Defend, for 1 Action Point. The attacker must pay 1, too. `armour_worn`: a possession worn as armour."""

    armour_worn: PossessionId | None = None


@choice("stand")
class Stand:
    """Do not defend. `armour_worn`: a possession worn as armour."""

    armour_worn: PossessionId | None = None


@choice("shunt")
class Shunt:
    """Move points of damage to Beauty, or none (0). The first point of Beauty is lost permanently."""

    points: Shunted = 0


@choice("resist")
class Resist:
    """Roll Resist against one of your own attributes."""

    attribute: AttributeName = "spirit"
    power: tuple[OptionName, ...] = ()
    difficulty: Difficulty = 0
    reason: Reason = ""
    faces: Faces | None = None


@choice("submit")
class Submit:
    """Do not resist."""


@choice("sacrifice", by="asked")
class Sacrifice:
    """Offer to give up this amount of Credit. The seller must agree to it."""

    amount: Amount


@choice("accept", by="asked")
class Accept:
    """Agree to sell, or to the price."""


@choice("no-deal", by="asked")
class NoDeal:
    """Do not agree. Nothing changes hands."""


@choice("speak-for", by="gm")
class SpeakFor:
    """A game master answers yes or no for the player asked, with a reason. `amount`: the Credit that the buyer offers,
    if the question is how much.
    """

    agreed: bool
    reason: Reason
    amount: Amount | None = None


@choice("judge", by="gm")
class Judge:
    """A game master decides the numbers that a player proposed. Whatever you leave out counts as proposed."""

    weapon: Natural | None = None
    armour: Natural | None = None
    difficulty: Difficulty | None = None
    taken_off: TakenOff | None = None
    score: Natural | None = None
    social: Natural | None = None
    minutes: Natural | None = None
    minute: Natural | None = None
    reason: Reason = ""


@choice("judge-task", by="gm")
class JudgeTask:
    """A game master decides a task that a player proposed. Whatever you leave out counts as proposed.

    `target_attribute`: the attribute that the target defends with.
    """

    side: SideName | None = None
    attribute: AttributeName | None = None
    target_attribute: AttributeName | None = None
    power: tuple[OptionName, ...] | None = None
    weapon: Natural | None = None
    armour: Natural | None = None
    difficulty: Difficulty | None = None
    taken_off: TakenOff | None = None
    score: Natural | None = None
    social: Natural | None = None
    reason: Reason = ""


@choice("disallow", by="gm")
class Disallow:
    """A game master does not allow what a player proposed. Nothing happens."""

    reason: Reason = ""


Choice: TypeAlias = (
    Defend | Stand | Shunt | Resist | Submit | Sacrifice | Accept | NoDeal | SpeakFor | Judge | JudgeTask | Disallow
)
CHOICES: tuple[type[Choice], ...] = get_args(Choice)
