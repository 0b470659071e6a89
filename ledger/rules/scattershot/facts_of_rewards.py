"""Facts of Experience Dice that come to the Players, or do not."""

from __future__ import annotations

from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import Reason, SeatId
from ledger.rules.scattershot.terms import Claim, Gift, Grade, Occasion, Vote


@fact("experience-dice-awarded")
class ExperienceDiceAwarded:
    to: SeatId
    n: int
    reason: Reason
    votes: tuple[Vote, ...]


@fact("cool-beans-given")
class CoolBeansGiven:
    """`gift`: its id, for the Gamemaster to replace it."""

    gift: Gift
    from_: SeatId
    to: SeatId
    n: int


@fact("cool-beans-replaced")
class CoolBeansReplaced:
    gift: Gift
    giver: SeatId
    n: int


@fact("coup-counted")
class CoupCounted:
    catcher: SeatId
    owed_to: SeatId
    owed: int
    extra: int


@fact("gimme-taken")
class GimmeTaken:
    """`source`: a disadvantage or an Expectation; `grade`: of a disadvantage."""

    player: SeatId
    source: Reason
    value: int
    grade: Grade | None
    n: int


@fact("gimme-declined")
class GimmeDeclined:
    player: SeatId
    source: Reason


@fact("dice-declined")
class DiceDeclined:
    """A coup, a Payback or dice for points given up, that were not granted."""

    player: SeatId
    claim: Claim
    source: Reason


@fact("payback-paid")
class PaybackPaid:
    """`for`: a resolution, or the occasion where no dice were rolled."""

    player: SeatId
    for_: Occasion
    spent: int
    interest: int
    n: int


@fact("loaner-lapsed")
class LoanerLapsed:
    """`holder`: the seat that saves it. `kept`: it became the holder's own, where the table plays it so."""

    holder: SeatId
    borrower: SeatId
    n: int
    kept: bool


Fact: TypeAlias = (
    ExperienceDiceAwarded | CoolBeansGiven | CoolBeansReplaced | CoupCounted | GimmeTaken | GimmeDeclined |
    DiceDeclined | PaybackPaid | LoanerLapsed
)  # fmt: skip
