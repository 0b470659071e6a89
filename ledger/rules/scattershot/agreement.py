"""Who is asked to agree, and to what: a yes is an answer of that seat, never a word in somebody else's input."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Unfit
from ledger.rules.scattershot.choices import Agree, Decline, SpeakFor
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_rewards import DiceDeclined
from ledger.rules.scattershot.guards import no
from ledger.rules.scattershot.terms import Claim


class Claiming(Protocol):
    """An input that says others agreed, and why nobody asked them."""

    @property
    def claimed(self) -> bool: ...
    @property
    def reason(self) -> str: ...


def agrees(draft: Draft, player: str, rule: str, slot: str, purpose: str) -> Asking[bool]:
    """What this Player says, or a Gamemaster for them. Unfit: `no-reason`."""
    said = yield from ask(player, Agree, Decline, SpeakFor, slot=slot, purpose=purpose)
    if not isinstance(said, SpeakFor):
        return isinstance(said, Agree)
    if not said.reason.strip():
        raise Unfit(f"scattershot.{rule}", "no-reason")
    draft.spoken_for(rule, player, said.agreed, said.reason)
    return said.agreed


def who_declines(draft: Draft, seats: Iterable[str], rule: str, slot: str, purpose: str) -> Asking[str | None]:
    """Each is asked in turn; who declares agrees by declaring. The first that declines, or None."""
    for one in seats:
        if one != draft.table.by.seat and not (yield from agrees(draft, one, rule, slot, purpose)):
            return one
    return None


def claimed(draft: Draft, rule: str, do: Claiming) -> bool:
    """A Gamemaster who records what the others said, with a reason. Refuses `not-proprietor`, `no-reason`."""
    if not do.claimed:
        return False
    if draft.table.by.role != "gm":
        raise no(rule, "not-proprietor", claimed=True)
    if not do.reason.strip():
        raise no(rule, "no-reason", claimed=True)
    return True


def all_agree(draft: Draft, seats: Iterable[str], rule: str, slot: str, purpose: str) -> Asking[bool]:
    return (yield from who_declines(draft, seats, rule, slot, purpose)) is None


def dice_granted(draft: Draft, rule: str, slot: str, purpose: str) -> Asking[bool]:
    """`dice-granted-by`: dice that a Player claims come with the Gamemaster's word, or with that of all who are there.

    Any Gamemaster's: one who declares has agreed.
    """
    if draft.dials.dice_granted_by == "group":
        return (yield from all_agree(draft, draft.group(), rule, slot, purpose))
    if draft.table.by.role == "gm":
        return True
    return (yield from all_agree(draft, (draft.gm(),), rule, slot, purpose))


def dice_declined(draft: Draft, rule: str, player: str, claim: Claim, source: str) -> None:
    """That they were claimed, and not granted."""
    draft.of(player, DiceDeclined(player, claim, source))
    draft.by(rule, 0, claim=claim)
