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
    """Vote for somebody or something, such as the best Player of a Session. The ledger records votes but does not count
    them. An award can cite them.

    `for`: whom or what the vote is for.
    """

    for_: Reason
    player: SeatId | None = None


@declares("award-dice", ANYONE, records=("experience-dice-awarded", "dice-declined"))
class AwardDice:
    """Award Experience Dice from the common stock. If a Player declares this for another Player, the award must be
    granted by the Gamemaster, or by everybody present if the table plays that way.

    `votes`: the votes that the award cites, by the numbers of their rulings.
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
    """Replace Experience Dice that a Player gave away, all of them or some, from the common stock."""

    gift: Gift
    n: HowMany = 1


@declares("count-coup", ABOUT_A_PLAYER, records=("coup-counted", "dice-declined"))
class CountCoup:
    """Count coup, because a Player noticed that the Gamemaster has forgotten an award. The coup must be granted by the
    Gamemaster, or by everybody present if the table plays that way.

    `owed_to`: the Player who should have got the award. `owed`: how many dice the award was worth. `what`: what the
    award was for. `player`: who noticed; leave it out for yourself.
    """

    owed_to: SeatId
    owed: Positive = 1
    what: Reason = ""
    player: SeatId | None = None


@declares("claim-gimme", ANYONE, records=("gimme-taken", "gimme-declined"))
class ClaimGimme:
    """Claim a Gimme for a Disadvantage that made a Character suffer, or for a Genre Expectation that worked against it.
    The Gimme must be granted by the Gamemaster, or by everybody present if the table plays that way.

    `grade`: how badly the Character suffered from the Disadvantage.
    """

    character: CharacterId
    disadvantage: OwnDisadvantage | None = None
    expectation: ExpectationName | None = None
    grade: Grade = "solid"


@declares("claim-payback", ABOUT_A_PLAYER, records=("payback-paid", "dice-declined"))
class ClaimPayback:
    """Claim Payback for something that served the genre. The Payback must be granted by the Gamemaster, or by everybody
    present if the table plays that way.

    `resolution`: the resolution into which the Player rolled the dice that come back. `occasion`: what the Payback is
    for if no dice were rolled, such as giving somebody a cue or withdrawing a question. `interest`: whether it put
    the Game back on track. `expectation`: the Genre Expectation that was served. The Payback is then at least the value
    listed for it.
    """

    resolution: ResolutionId | None = None
    occasion: Reason = ""
    interest: bool = False
    player: SeatId | None = None
    expectation: ExpectationName | None = None


Input: TypeAlias = (
    CastVote | AwardDice | GiveCoolBeans | ReplaceCoolBeans | CountCoup | ClaimGimme | ClaimPayback
)  # fmt: skip
