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
    """Recorded, to be cited by an award; nothing is counted."""

    for_: Reason
    player: SeatId | None = None


@declares("award-dice", GM, records=("experience-dice-awarded",))
class AwardDice:
    """Dice from the stock at once. `votes`: rulings whose votes it cites."""

    to: SeatId
    n: HowMany = 1
    reason: Reason = ""
    votes: tuple[Vote, ...] = ()


@declares("give-cool-beans", ABOUT_A_PLAYER, records=("cool-beans-given",))
class GiveCoolBeans:
    """One's own dice, to somebody else."""

    to: SeatId
    n: HowMany = 1
    player: SeatId | None = None


@declares("replace-cool-beans", GM, records=("cool-beans-replaced",))
class ReplaceCoolBeans:
    """The Gamemaster replaces a fitting gift, whole or in part."""

    gift: Gift
    n: HowMany = 1


@declares("count-coup", ABOUT_A_PLAYER, records=("coup-counted", "dice-declined"))
class CountCoup:
    """A Player catches the Gamemaster forgetting an award of `owed` dice to somebody. Who grants dice is asked."""

    owed_to: SeatId
    owed: Positive = 1
    what: Reason = ""
    player: SeatId | None = None


@declares("claim-gimme", ANYONE, records=("gimme-taken", "gimme-declined"))
class ClaimGimme:
    """For a disadvantage that made the Character suffer (`grade`: solid, mediocre, minor), or for an Expectation.

    A Gamemaster is asked to agree, unless it declares it; or everybody who is there, where the table plays so.
    """

    character: CharacterId
    disadvantage: OwnDisadvantage | None = None
    expectation: ExpectationName | None = None
    grade: Grade = "solid"


@declares("claim-payback", ABOUT_A_PLAYER, records=("payback-paid", "dice-declined"))
class ClaimPayback:
    """For the resolution whose dice it repays, or for the occasion where none was rolled (a cue, a question withdrawn).

    `interest`: back on track. Who grants dice is asked.
    """

    resolution: ResolutionId | None = None
    occasion: Reason = ""
    interest: bool = False
    player: SeatId | None = None


Input: TypeAlias = (
    CastVote | AwardDice | GiveCoolBeans | ReplaceCoolBeans | CountCoup | ClaimGimme | ClaimPayback
)  # fmt: skip
