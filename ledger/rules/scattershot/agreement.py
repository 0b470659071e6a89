"""Who is asked to agree, and to what: a yes is an answer of that seat, never a word in somebody else's input."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from ledger.rules.contract import Asking, choice
from ledger.rules.dice import ask
from ledger.rules.scattershot.ground import Ruling, no


class Claiming(Protocol):
    """An input that says others agreed, and why nobody asked them."""

    @property
    def claimed(self) -> bool: ...
    @property
    def reason(self) -> str: ...


@choice("agree")
class Agree:
    """So be it."""


@choice("decline")
class Decline:
    """Not this time."""


def who_declines(ruling: Ruling, seats: Iterable[str], slot: str, purpose: str) -> Asking[str | None]:
    """Each is asked in turn; who declares agrees by declaring. The first that declines, or None."""
    for one in seats:
        if one != ruling.table.by.seat:
            said = yield from ask(one, Agree, Decline, slot=slot, purpose=purpose)
            if isinstance(said, Decline):
                return one
    return None


def claimed(ruling: Ruling, rule: str, do: Claiming) -> bool:
    """A Gamemaster who records what the others said, with a reason. Refuses `not-proprietor`, `no-reason`."""
    if not do.claimed:
        return False
    if ruling.table.by.role != "gm":
        raise no(rule, "not-proprietor", claimed=True)
    if not do.reason.strip():
        raise no(rule, "no-reason", claimed=True)
    return True


def all_agree(ruling: Ruling, seats: Iterable[str], slot: str, purpose: str) -> Asking[bool]:
    return (yield from who_declines(ruling, seats, slot, purpose)) is None


def dice_granted(ruling: Ruling, slot: str, purpose: str) -> Asking[bool]:
    """`dice-granted-by`: dice that a Player claims come with the Gamemaster's word, or with that of all who are there.

    Any Gamemaster's: one who declares has agreed.
    """
    if ruling.dials.dice_granted_by == "group":
        return (yield from all_agree(ruling, ruling.group(), slot, purpose))
    if ruling.table.by.role == "gm":
        return True
    return (yield from all_agree(ruling, (ruling.gm(),), slot, purpose))


CHOICES: tuple[type[Any], ...] = (Agree, Decline)
