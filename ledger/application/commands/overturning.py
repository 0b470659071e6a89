"""Overturning a ruling, with its consequences, and reinstating it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ledger.application.calls import Act
from ledger.application.commands.consenting import Core, Made, Request, decided
from ledger.application.commands.consequences import (
    cleared,
    decide,
    make_rulings_again,
    settled_by,
    turn,
    with_again,
    without,
)
from ledger.application.commands.deciding import opened
from ledger.application.reading.rulings import show_ruling, without_legs
from ledger.application.reading.shown import Present, ShownDecision
from ledger.application.save import Save
from ledger.errors import Malformed
from ledger.events.records import Address, Decided, Restored, Settle, Struck


def overturn(
    number: int, reason: str, also: Sequence[int], settle: Settle, if_match: int | None, present: Present
) -> Act:
    """Take the ruling (and those named with it) out of the fold.

    Later rulings that it changes become findings; with `rerule` they are ruled again in this save, as far as possible.
    """
    request = Request("overturn", number, reason, {"also": list(also), "settle": settle})
    return lambda save: decided(save, request, overturned(number, reason, also, settle, if_match), present)


def overturned(number: int, reason: str, also: Sequence[int], settle: Settle, if_match: int | None = None) -> Core:
    def core(save: Save) -> Made:
        shown = opened(save, number, "overturn", reason, if_match, gm=True)
        numbers = all_of(number, also)
        viewer = save.viewer
        assert viewer is not None
        others = [show_ruling(save.book, other, viewer).ruling for other in sorted(numbers - {number})]
        for ruling in others:
            ruling.must_allow("overturn")
        changed = without(save.book, numbers, position=save.position, cause=number, settle=settle)
        for ruling in (shown.ruling, *others):
            turn(save, ruling, Struck(ruling.number))
        after, *_ = [
            decide(save, ruling, Decided("overturned", reason, settle, tuple(sorted(numbers - {ruling.number}))))
            for ruling in (shown.ruling, *others)
        ]
        make_rulings_again(save, changed, number, reason)
        settled = settled_by(save.book, numbers, changed, f"ruling {number} was overturned")
        save.note("overturned", ruling=number, findings=changed.findings, settled=settled)
        secret = next((ruling.audience for ruling in (shown.ruling, *others) if ruling.audience is not None), None)
        return Made(200, ShownDecision(replace(shown, ruling=after), changed), changed, known_to=secret)

    return core


def reinstate(number: int, reason: str, settle: Settle, if_match: int | None, present: Present) -> Act:
    """Put an overturned ruling's facts back at their place. Findings that its overturning raised are cleared."""
    request = Request("reinstate", number, reason, {"settle": settle})
    return lambda save: decided(save, request, reinstated(number, reason, settle, if_match), present)


def reinstated(number: int, reason: str, settle: Settle, if_match: int | None = None) -> Core:
    def core(save: Save) -> Made:
        shown = opened(save, number, "reinstate", reason, if_match, gm=True)
        revision = shown.ruling.revision
        changed = with_again(save.book, number, revision, save.position, settle)
        turn(save, shown.ruling, Restored(number, revision))
        after = decide(save, shown.ruling, Decided("reinstated", reason, settle, revision=revision))
        after = make_rulings_again(save, changed, number, reason, after) or after
        settled = cleared(save.book, changed, f"ruling {number} was reinstated")
        save.note("reinstated", ruling=number, findings=changed.findings, settled=settled)
        addresses = set(after.ruled.facts)
        counted = [
            event for event in save.events if Address(event.originator_id, event.originator_version) in addresses
        ]
        if counted:
            shown = replace(shown, facts=without_legs(counted), earlier=[*shown.earlier, shown.facts])
        return Made(200, ShownDecision(replace(shown, ruling=after), changed), changed, known_to=after.audience)

    return core


def all_of(number: int, also: Sequence[int]) -> frozenset[int]:
    if len({number, *also}) != 1 + len(also):
        raise Malformed("List each ruling in `also` only once.", code="also")
    return frozenset({number, *also})
