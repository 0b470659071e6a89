"""Inputs of Experience Dice that come to the Players: votes, awards, gifts, coups, Gimmes, Paybacks."""

from __future__ import annotations

from typing import TypeAlias

from ledger.rules.kernel.declarations import ANYONE, GM, declares
from ledger.rules.kernel.domains import CharacterId, Reason, SeatId
from ledger.rules.scattershot.declarers import ABOUT_A_PLAYER
from ledger.rules.scattershot.terms import (
    ExpectationName,
    Gift,
    Grade,
    HowMany,
    OwnDisadvantage,
    Positive,
    ResolutionId,
    Vote,
)


@declares("cast-vote", ABOUT_A_PLAYER, records=("vote-cast",))
class CastVote:
    """Vote for somebody or something. Votes are recorded, and an award can cite them. They are not counted."""

    for_: Reason
    player: SeatId | None = None


@declares("award-dice", ANYONE, records=("experience-dice-awarded", "dice-declined"))
class AwardDice:
    """Award Experience Dice from the common stock. A Player can propose this for another Player. The award must then be
    granted.

    `votes`: rulings with votes that the award cites.
    """

    to: SeatId
    n: HowMany = 1
    reason: Reason = ""
    votes: tuple[Vote, ...] = ()


@declares("give-cool-beans", ABOUT_A_PLAYER, records=("cool-beans-given",))
class GiveCoolBeans:
    """Give your own Experience Dice to another Player."""

    to: SeatId
    n: HowMany = 1
    player: SeatId | None = None


@declares("replace-cool-beans", GM, records=("cool-beans-replaced",))
class ReplaceCoolBeans:
    """Replace dice that a Player gave away, in whole or in part."""

    gift: Gift
    n: HowMany = 1


@declares("count-coup", ABOUT_A_PLAYER, records=("coup-counted", "dice-declined"))
class CountCoup:
    """Count coup: a Player caught the Gamemaster forgetting an award. The coup must be granted.

    `owed`: how many dice were forgotten. `owed_to`: whose dice.
    """

    owed_to: SeatId
    owed: Positive = 1
    what: Reason = ""
    player: SeatId | None = None


@declares("claim-gimme", ANYONE, records=("gimme-taken", "gimme-declined"))
class ClaimGimme:
    """Claim a Gimme for a Disadvantage that made the Character suffer, or for a Genre Expectation. A Gamemaster must
    grant it, or everybody present if the table plays that way.

    `grade`: how much it made the Character suffer.
    """

    character: CharacterId
    disadvantage: OwnDisadvantage | None = None
    expectation: ExpectationName | None = None
    grade: Grade = "solid"


@declares("claim-payback", ABOUT_A_PLAYER, records=("payback-paid", "dice-declined"))
class ClaimPayback:
    """Claim Payback. It must be granted.

    `resolution`: whose dice it repays. `occasion`: what it is for, if no dice were rolled, such as a cue or a withdrawn
    question. `interest`: the Game got back on track by it. `expectation`: the Genre Expectation that was served; its
    listed value is the minimum.
    """

    resolution: ResolutionId | None = None
    occasion: Reason = ""
    interest: bool = False
    player: SeatId | None = None
    expectation: ExpectationName | None = None


Input: TypeAlias = (
    CastVote | AwardDice | GiveCoolBeans | ReplaceCoolBeans | CountCoup | ClaimGimme | ClaimPayback
)  # fmt: skip
