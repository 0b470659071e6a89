"""`moc.trump.stack`: what lies on one thing, in the order in which it was laid, and which of it is effective. Pure.

One mechanism for all that can be trumped. A pile is of an action (and its roll), of a hit (its damage and what resists
it), of somebody's initiative (`initiative` the last one, `coming` the next), of somebody's healing, or of a change
that was told.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from ledger.rules.moc.state_of_actions import Play

Kind: TypeAlias = Literal["action", "hit", "initiative", "coming", "healing", "story"]
#: What a trump lies on where it is no play: the dice themselves, of an action or of something else.
ROLLS = ("roll", "damage", "resisting", "initiative", "healing")


def effective(plays: Iterable[Play], play: Play) -> bool:
    """Going down from the top: a play is effective if the one on it is not."""
    if play.fiat:
        return False
    lying = tuple(plays)
    return not any(one.on == play.id and effective(lying, one) for one in lying)


def standing(plays: Iterable[Play]) -> tuple[Play, ...]:
    """Those that are effective."""
    lying = tuple(plays)
    if not any(one.on or one.fiat for one in lying):
        return lying
    return tuple(one for one in lying if effective(lying, one))


def top_of(plays: tuple[Play, ...], on: str, place: int) -> Play | None:
    """The top of the stack on a play or on a roll (of a part); None for a bare roll."""
    top = next((one for one in plays if one.id == on), None)
    while True:
        under = top.id if top is not None else on
        above = [one for one in plays if one.on == under and not one.fiat and (top is not None or one.part == place)]
        if not above:
            return top
        top = above[-1]


def roll_trumped(plays: Iterable[Play], roll: str = "roll", place: int = 0) -> bool:
    """Whether the dice themselves are cancelled."""
    lying = tuple(plays)
    return any(one.on == roll and one.part == place and effective(lying, one) for one in lying)
