"""Overturning a ruling, with its consequences, and reinstating it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ledger.application.calls import Act
from ledger.application.commands.consenting import DecisionMaker, DecisionResult, Request, carry_out_or_ask
from ledger.application.commands.consequences import (
    decide,
    list_cleared_findings,
    list_settled_findings,
    make_rulings_again,
    mark_streams,
)
from ledger.application.commands.deciding import load_ruling_to_decide
from ledger.application.reading.comparisons import compare_reinstated, compare_without
from ledger.application.reading.rulings import drop_legs, show_ruling
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
    return lambda save: carry_out_or_ask(
        save, request, make_overturning(number, reason, also, settle, if_match), present
    )


def make_overturning(
    number: int, reason: str, also: Sequence[int], settle: Settle, if_match: int | None = None
) -> DecisionMaker:
    def make_decision(save: Save) -> DecisionResult:
        shown = load_ruling_to_decide(save, number, "overturn", reason, if_match, gm_only=True)
        numbers = collect_numbers(number, also)
        viewer = save.viewer
        assert viewer is not None
        others = [show_ruling(save.book, other, viewer).ruling for other in sorted(numbers - {number})]
        for ruling in others:
            ruling.check_allows("overturn")
        changed = compare_without(save.book, numbers, position=save.position, cause=number, settle=settle)
        for ruling in (shown.ruling, *others):
            mark_streams(save, ruling, Struck(ruling.number))
        after, *_ = [
            decide(save, ruling, Decided("overturned", reason, settle, tuple(sorted(numbers - {ruling.number}))))
            for ruling in (shown.ruling, *others)
        ]
        make_rulings_again(save, changed, number, reason)
        settled = list_settled_findings(save.book, numbers, changed, f"ruling {number} was overturned")
        save.note("overturned", ruling=number, findings=changed.findings, settled=settled)
        audience = next((ruling.audience for ruling in (shown.ruling, *others) if ruling.audience is not None), None)
        return DecisionResult(200, ShownDecision(replace(shown, ruling=after), changed), changed, known_to=audience)

    return make_decision


def reinstate(number: int, reason: str, settle: Settle, if_match: int | None, present: Present) -> Act:
    """Put an overturned ruling's facts back at their place. Findings that its overturning raised are cleared."""
    request = Request("reinstate", number, reason, {"settle": settle})
    return lambda save: carry_out_or_ask(save, request, make_reinstating(number, reason, settle, if_match), present)


def make_reinstating(number: int, reason: str, settle: Settle, if_match: int | None = None) -> DecisionMaker:
    def make_decision(save: Save) -> DecisionResult:
        shown = load_ruling_to_decide(save, number, "reinstate", reason, if_match, gm_only=True)
        revision = shown.ruling.revision
        changed = compare_reinstated(save.book, number, revision, save.position, settle)
        mark_streams(save, shown.ruling, Restored(number, revision))
        after = decide(save, shown.ruling, Decided("reinstated", reason, settle, revision=revision))
        after = make_rulings_again(save, changed, number, reason, after) or after
        settled = list_cleared_findings(save.book, changed, f"ruling {number} was reinstated")
        save.note("reinstated", ruling=number, findings=changed.findings, settled=settled)
        addresses = set(after.ruled.facts)
        own_events = [
            event for event in save.events if Address(event.originator_id, event.originator_version) in addresses
        ]
        if own_events:
            shown = replace(shown, facts=drop_legs(own_events), earlier=[*shown.earlier, shown.facts])
        return DecisionResult(
            200, ShownDecision(replace(shown, ruling=after), changed), changed, known_to=after.audience
        )

    return make_decision


def collect_numbers(number: int, also: Sequence[int]) -> frozenset[int]:
    if len({number, *also}) != 1 + len(also):
        raise Malformed("List each ruling in `also` only once.", code="also")
    return frozenset({number, *also})
