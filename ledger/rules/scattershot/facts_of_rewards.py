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
    """A gift of dice. `gift`: its id, with which the Gamemaster can replace it."""

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
    """`source`: a Disadvantage or a Genre Expectation; `grade`: how much a Disadvantage mattered."""

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
    """Dice for a coup, a Payback, an award or points given up were not granted."""

    player: SeatId
    claim: Claim
    source: Reason


@fact("payback-paid")
class PaybackPaid:
    """`for`: a resolution, or the occasion if no dice were rolled."""

    player: SeatId
    for_: Occasion
    spent: int
    interest: int
    n: int


@fact("loaner-lapsed")
class LoanerLapsed:
    """Loaners were not used in the Session. `holder`: the seat that saved them. `kept`: the holder keeps them, if the
    table plays that way.
    """

    holder: SeatId
    borrower: SeatId
    n: int
    kept: bool


Fact: TypeAlias = (
    ExperienceDiceAwarded | CoolBeansGiven | CoolBeansReplaced | CoupCounted | GimmeTaken | GimmeDeclined |
    DiceDeclined | PaybackPaid | LoanerLapsed
)  # fmt: skip
