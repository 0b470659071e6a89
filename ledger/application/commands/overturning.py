"""Overturn a ruling, with its consequences, or reinstate it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ledger.application.calls import Act
from ledger.application.commands.consenting import DecisionMaker, DecisionResult, Request, carry_out_or_ask
from ledger.application.commands.consequences import (
    list_clearing_settlements,
    list_settlements,
    make_rulings_again,
    mark_streams,
    record_decision,
    withdraw,
)
from ledger.application.commands.deciding import load_ruling_to_decide, must_be_changeable_alone
from ledger.application.commands.rewinding import put_reinstated
from ledger.application.reading.comparisons import (
    compare_with_reinstated,
    compare_without_rulings,
    find_restored_revisions,
)
from ledger.application.reading.rulings import drop_legs, list_waiting_steps, load_visible_ruling
from ledger.application.reading.shown import Present, ShownDecision
from ledger.application.save import Save
from ledger.errors import Malformed
from ledger.events.records import Address, Decided, Restored, Settle, Struck


def overturn(
    number: int, reason: str, other_numbers: Sequence[int], settle: Settle, if_match: int | None, present: Present
) -> Act:
    """Return the act that overturns the ruling and the other named rulings, so that their facts no longer count.

    Each later ruling with a different result gets a finding. With `rerule`, it is ruled again in this save where
    possible.
    """
    request = Request("overturn", number, reason, {"also": list(other_numbers), "settle": settle})
    return lambda save: carry_out_or_ask(
        save, request, make_overturning(number, reason, other_numbers, settle, if_match), present
    )


def make_overturning(
    number: int, reason: str, other_numbers: Sequence[int], settle: Settle, if_match: int | None = None
) -> DecisionMaker:
    def make_decision(save: Save) -> DecisionResult:
        shown_ruling = load_ruling_to_decide(save, number, "overturn", reason, if_match, gm_only=True)
        numbers = collect_ruling_numbers(number, other_numbers)
        viewer = save.viewer
        assert viewer is not None
        other_rulings = [
            load_visible_ruling(save.book, other_number, viewer).ruling for other_number in sorted(numbers - {number})
        ]
        for ruling in other_rulings:
            ruling.check_allows("overturn")
        shown_comparison = compare_without_rulings(
            save.book, numbers, position=save.position, cause=number, settle=settle
        )
        for ruling in (shown_ruling.ruling, *other_rulings):
            mark_streams(save, ruling, Struck(ruling.number))
        overturned_ruling, *_ = [
            record_decision(
                save, ruling, Decided("overturned", reason, settle, tuple(sorted(numbers - {ruling.number})))
            )
            for ruling in (shown_ruling.ruling, *other_rulings)
        ]
        make_rulings_again(save, shown_comparison, number, reason)
        # everybody sees that a step is withdrawn, and why
        open_numbers = [ruling.number for ruling in (shown_ruling.ruling, *other_rulings) if ruling.audience is None]
        if open_numbers:
            steps = list_waiting_steps(save.book, open_numbers)
            withdraw(save, steps, f"Ruling {open_numbers[0]} was overturned.")
        settlements = list_settlements(save.book, numbers, shown_comparison, f"ruling {number} was overturned")
        save.note_for_journal("overturned", ruling=number, findings=shown_comparison.findings, settlements=settlements)
        audience = next(
            (ruling.audience for ruling in (shown_ruling.ruling, *other_rulings) if ruling.audience is not None), None
        )
        return DecisionResult(
            200,
            ShownDecision(replace(shown_ruling, ruling=overturned_ruling), shown_comparison),
            shown_comparison,
            known_to=audience,
        )

    return make_decision


def reinstate(number: int, reason: str, settle: Settle, if_match: int | None, present: Present) -> Act:
    """Return the act that reinstates an overturned ruling, so that its facts count again at their place in play.
    Findings that the overturning raised are cleared.
    """
    request = Request("reinstate", number, reason, {"settle": settle})
    return lambda save: carry_out_or_ask(save, request, make_reinstating(number, reason, settle, if_match), present)


def make_reinstating(number: int, reason: str, settle: Settle, if_match: int | None = None) -> DecisionMaker:
    def make_decision(save: Save) -> DecisionResult:
        shown_ruling = load_ruling_to_decide(save, number, "reinstate", reason, if_match, gm_only=True)
        must_be_changeable_alone(shown_ruling.ruling, "reinstate")
        revisions = find_restored_revisions(save.book, number)
        shown_comparison = compare_with_reinstated(save.book, number, revisions, save.position, settle)
        revision = shown_ruling.ruling.revision
        if shown_ruling.ruling.rewound_with == number:
            put_reinstated(save, number, shown_ruling.ruling.decisions[-1].through or number, reason)
        else:
            mark_streams(save, shown_ruling.ruling, Restored(number, revision))
        reinstated_ruling = record_decision(
            save, shown_ruling.ruling, Decided("reinstated", reason, settle, revision=revision)
        )
        reinstated_ruling = (
            make_rulings_again(save, shown_comparison, number, reason, reinstated_ruling) or reinstated_ruling
        )
        settlements = list_clearing_settlements(save.book, shown_comparison, f"ruling {number} was reinstated")
        save.note_for_journal("reinstated", ruling=number, findings=shown_comparison.findings, settlements=settlements)
        if len(reinstated_ruling.earlier) > len(shown_ruling.earlier):  # the reinstated ruling was itself made again
            addresses = set(reinstated_ruling.ruled.facts)
            own_events = [
                event for event in save.events if Address(event.originator_id, event.originator_version) in addresses
            ]
            shown_ruling = replace(
                shown_ruling, events=drop_legs(own_events), earlier=[*shown_ruling.earlier, shown_ruling.events]
            )
        return DecisionResult(
            200,
            ShownDecision(replace(shown_ruling, ruling=reinstated_ruling), shown_comparison),
            shown_comparison,
            known_to=reinstated_ruling.audience,
        )

    return make_decision


def collect_ruling_numbers(number: int, other_numbers: Sequence[int]) -> frozenset[int]:
    if len({number, *other_numbers}) != 1 + len(other_numbers):
        raise Malformed("List each ruling in `also` only once.", code="also")
    return frozenset({number, *other_numbers})
