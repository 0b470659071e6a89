"""Who is asked to agree, and to what: a yes is an answer of that seat, never a word in somebody else's input."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Unfit
from ledger.rules.scattershot.choices import Agree, Decline, SpeakFor
from ledger.rules.scattershot.facts_of_rewards import DiceDeclined
from ledger.rules.scattershot.ground import Ruling, no
from ledger.rules.scattershot.terms import Claim


class Claiming(Protocol):
    """An input that says others agreed, and why nobody asked them."""

    @property
    def claimed(self) -> bool: ...
    @property
    def reason(self) -> str: ...


def agrees(ruling: Ruling, player: str, rule: str, slot: str, purpose: str) -> Asking[bool]:
    """What this Player says, or a Gamemaster for them. Unfit: `no-reason`."""
    said = yield from ask(player, Agree, Decline, SpeakFor, slot=slot, purpose=purpose)
    if not isinstance(said, SpeakFor):
        return isinstance(said, Agree)
    if not said.reason.strip():
        raise Unfit(f"scattershot.{rule}", "no-reason")
    ruling.spoken_for(rule, player, said.agreed, said.reason)
    return said.agreed


def who_declines(ruling: Ruling, seats: Iterable[str], rule: str, slot: str, purpose: str) -> Asking[str | None]:
    """Each is asked in turn; who declares agrees by declaring. The first that declines, or None."""
    for one in seats:
        if one != ruling.table.by.seat and not (yield from agrees(ruling, one, rule, slot, purpose)):
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


def all_agree(ruling: Ruling, seats: Iterable[str], rule: str, slot: str, purpose: str) -> Asking[bool]:
    return (yield from who_declines(ruling, seats, rule, slot, purpose)) is None


def dice_granted(ruling: Ruling, rule: str, slot: str, purpose: str) -> Asking[bool]:
    """`dice-granted-by`: dice that a Player claims come with the Gamemaster's word, or with that of all who are there.

    Any Gamemaster's: one who declares has agreed.
    """
    if ruling.dials.dice_granted_by == "group":
        return (yield from all_agree(ruling, ruling.group(), rule, slot, purpose))
    if ruling.table.by.role == "gm":
        return True
    return (yield from all_agree(ruling, (ruling.gm(),), rule, slot, purpose))


def dice_declined(ruling: Ruling, rule: str, player: str, claim: Claim, source: str) -> None:
    """That they were claimed, and not granted."""
    ruling.of(player, DiceDeclined(player, claim, source))
    ruling.by(rule, 0, claim=claim)
