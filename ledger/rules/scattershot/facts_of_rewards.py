"""Facts of Experience Dice that come to the Players, or do not."""

from __future__ import annotations

from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import Reason, SeatId
from ledger.rules.scattershot.terms import Claim, Gift, Grade, Occasion, Vote


@fact("experience-dice-awarded")
class ExperienceDiceAwarded:
    """The seat `to` was awarded Experience Dice. `n`: how many. `votes`: the votes for this award."""

    to: SeatId
    n: int
    reason: Reason
    votes: tuple[Vote, ...]


@fact("cool-beans-given")
class CoolBeansGiven:
    """A Player gave dice to another. `gift`: the id with which the Gamemaster can replace the dice."""

    gift: Gift
    from_: SeatId
    to: SeatId
    n: int


@fact("cool-beans-replaced")
class CoolBeansReplaced:
    """The Gamemaster replaced dice that a Player gave away. `giver`: that Player, who gets the replacements."""

    gift: Gift
    giver: SeatId
    n: int


@fact("coup-counted")
class CoupCounted:
    """The seat `catcher` counted coup and got the dice in `extra`. The seat `owed_to` got the forgotten award: the dice
    in `owed`.
    """

    catcher: SeatId
    owed_to: SeatId
    owed: int
    extra: int


@fact("gimme-taken")
class GimmeTaken:
    """A Player got a Gimme. `source`: a Disadvantage or a Genre Expectation. `grade`: how much a
    Disadvantage mattered.
    """

    player: SeatId
    source: Reason
    value: int
    grade: Grade | None
    n: int


@fact("gimme-declined")
class GimmeDeclined:
    """A Player claimed a Gimme, but it was not granted."""

    player: SeatId
    source: Reason


@fact("dice-declined")
class DiceDeclined:
    """The dice for a coup, a Payback, an award or a cashed-in characteristic were not granted."""

    player: SeatId
    claim: Claim
    source: Reason


@fact("payback-paid")
class PaybackPaid:
    """A Player got Payback: `n` dice. `for`: the resolution in which the Player spent dice, or the occasion. `spent`:
    the dice spent. `interest`: the extra dice.
    """

    player: SeatId
    for_: Occasion
    spent: int
    interest: int
    n: int


@fact("loaner-lapsed")
class LoanerLapsed:
    """Loaners were not used in the Session. `holder`: the seat that saved them. `kept`: whether the holder keeps them
    as ordinary dice, which an option allows.
    """

    holder: SeatId
    borrower: SeatId
    n: int
    kept: bool


Fact: TypeAlias = (
    ExperienceDiceAwarded | CoolBeansGiven | CoolBeansReplaced | CoupCounted | GimmeTaken | GimmeDeclined |
    DiceDeclined | PaybackPaid | LoanerLapsed
)  # fmt: skip
