"""Facts of Experience Dice that come to the Players, or do not."""

from __future__ import annotations

from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.scattershot.terms import Claim


@fact("experience-dice-awarded")
class ExperienceDiceAwarded:
    to: str
    n: int
    reason: str
    votes: tuple[str, ...]


@fact("cool-beans-given")
class CoolBeansGiven:
    """`gift`: its id, for the Gamemaster to replace it."""

    gift: str
    from_: str
    to: str
    n: int


@fact("cool-beans-replaced")
class CoolBeansReplaced:
    gift: str
    giver: str
    n: int


@fact("coup-counted")
class CoupCounted:
    catcher: str
    owed_to: str
    owed: int
    extra: int


@fact("gimme-taken")
class GimmeTaken:
    """`source`: a disadvantage or an Expectation; `grade`: of a disadvantage."""

    player: str
    source: str
    value: int
    grade: str | None
    n: int


@fact("gimme-declined")
class GimmeDeclined:
    player: str
    source: str


@fact("dice-declined")
class DiceDeclined:
    """A coup, a Payback or dice for points given up, that were not granted."""

    player: str
    claim: Claim
    source: str


@fact("payback-paid")
class PaybackPaid:
    """`for`: a resolution, or the occasion where no dice were rolled."""

    player: str
    for_: str
    spent: int
    interest: int
    n: int


@fact("loaner-lapsed")
class LoanerLapsed:
    """`kept`: it became the holder's own, where the table plays it so."""

    holder: str
    borrower: str
    n: int
    kept: bool


Fact: TypeAlias = (
    ExperienceDiceAwarded | CoolBeansGiven | CoolBeansReplaced | CoupCounted | GimmeTaken | GimmeDeclined |
    DiceDeclined | PaybackPaid | LoanerLapsed
)  # fmt: skip
