"""Consent: given by the player it is asked of, never claimed; but by a game master who says why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ledger.rules.intensity.choices import Agree, Decline, SpeakFor
from ledger.rules.intensity.draft import Draft
from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import character, seat

GAME_MASTER = "gm"


def whose(draft: Draft, char: str) -> str:
    """The seat that is asked for a character: its player's while somebody sits there, else any game master's."""
    owner = seat(draft.table.owner(character(char)))
    if draft.table.has(owner) and draft.table.is_open(owner) and draft.table.role(owner) == "player":
        return owner.id
    return GAME_MASTER


def says_it_oneself(draft: Draft, char: str) -> bool:
    """Whether who declares would be asked for this character."""
    asked = whose(draft, char)
    return draft.table.by.role == "gm" if asked == GAME_MASTER else draft.table.by.seat == asked


def check_reason(draft: Draft, rule: str, reason: str) -> bool:
    """Whether a game master speaks for all, and says why. Refuses `not-game-master`, `text-blank`."""
    if reason and draft.table.by.role != "gm":
        raise Refused(rule, "not-game-master", seat=draft.table.by.seat)
    if reason and not reason.strip():
        raise Refused(rule, "text-blank", field="reason")
    return bool(reason)


def who_is_asked(draft: Draft, chars: Iterable[str]) -> dict[str, list[str]]:
    """The characters by the seat that is asked for them, in order. Who declares is not asked."""
    asked: dict[str, list[str]] = {}
    for char in dict.fromkeys(chars):
        if not says_it_oneself(draft, char):
            asked.setdefault(whose(draft, char), []).append(char)
    return asked


def consents(draft: Draft, rule: str, asked: str, chars: list[str], slot: str, purpose: str) -> Asking[bool]:
    """Whether a player agrees, in one answer for all the player's characters. Unfit: `text-blank`."""
    said = yield from ask(asked, Agree, Decline, SpeakFor, slot=slot, purpose=purpose)
    more: dict[str, Any] = {}
    if isinstance(said, SpeakFor):
        if not said.reason.strip():
            raise Unfit(rule, "text-blank", field="reason")
        more = {"spoken_for": said.reason}
    agreed = said.agreed if isinstance(said, SpeakFor) else isinstance(said, Agree)
    for char in chars:
        draft.by(rule, "agreed" if agreed else "declined", char=char, asked=asked, **more)
    return agreed
