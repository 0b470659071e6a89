"""What seats can be asked while a ruling is made: to defend, to shunt, to resist, to offer Credit or agree to a price,
and game masters about the numbers that a player proposes.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias, get_args

from ledger.rules.kernel.declarations import choice
from ledger.rules.kernel.domains import Reason, Says
from ledger.rules.mongrel.domains import (
    Amount,
    ArmourValue,
    AttributeName,
    Difficulty,
    DifficultyReason,
    Faces,
    Natural,
    PossessionId,
    PowerOptions,
    Shunted,
    SideName,
    TakenOff,
    WeaponBonus,
)


@choice("defend")
class Defend:
    """Defend for 1 Action Point. The attacker must pay 1, too. `armour_worn`: a possession that the target wears as
    armour.
    """

    armour_worn: PossessionId | None = None


@choice("stand")
class Stand:
    """Do not defend. `armour_worn`: a possession that the target wears as armour."""

    armour_worn: PossessionId | None = None


@choice("shunt")
class Shunt:
    """Choose how many points of damage go to Beauty (0 for none)."""

    points: Shunted = 0


@choice("resist")
class Resist:
    """Roll Resist against one of your own attributes."""

    attribute: AttributeName = "spirit"
    power: PowerOptions = ()
    difficulty: Difficulty = 0
    reason: DifficultyReason = ""
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
    """As a game master, answer yes or no for the player asked, and give a reason."""

    agreed: Annotated[bool, Says("The answer is yes")]
    reason: Reason
    amount: Annotated[
        Amount | None, Says("Credit offered", "Only if the question is how much Credit the buyer offers.")
    ] = None


@choice("judge", by="gm")
class Judge:
    """As a game master, decide the numbers that a player proposed. A number that you leave out stays as proposed."""

    weapon: WeaponBonus | None = None
    armour: ArmourValue | None = None
    difficulty: Difficulty | None = None
    taken_off: TakenOff | None = None
    score: Annotated[Natural | None, Says("Score of the thing")] = None
    social: Annotated[Natural | None, Says("Social of the seller")] = None
    minutes: Natural | None = None
    minute: Annotated[Natural | None, Says("Minute of the clock")] = None
    reason: Reason = ""


@choice("judge-task", by="gm")
class JudgeTask:
    """As a game master, decide the task that a player proposed. What you leave out stays as proposed.

    `target_attribute`: the attribute that the target defends with.
    """

    side: SideName | None = None
    attribute: AttributeName | None = None
    target_attribute: AttributeName | None = None
    power: PowerOptions | None = None
    weapon: WeaponBonus | None = None
    armour: ArmourValue | None = None
    difficulty: Difficulty | None = None
    taken_off: TakenOff | None = None
    score: Annotated[Natural | None, Says("Score of the thing")] = None
    social: Annotated[Natural | None, Says("Social of the seller")] = None
    reason: Reason = ""


@choice("disallow", by="gm")
class Disallow:
    """As a game master, do not allow what a player proposed. Nothing happens."""

    reason: Reason = ""


Choice: TypeAlias = (
    Defend | Stand | Shunt | Resist | Submit | Sacrifice | Accept | NoDeal | SpeakFor | Judge | JudgeTask | Disallow
)
CHOICES: tuple[type[Choice], ...] = get_args(Choice)
