"""Rewind: overturn a ruling and every later one in one decision, or reinstate all of them in one decision.

The campaign gets one record of the rewind, and each subject one mark, however many rulings there are.
"""

from __future__ import annotations

from dataclasses import replace

from ledger.aggregates.rewinds import name_rewinds_stream
from ledger.aggregates.ruling import Pending
from ledger.application.book import Book
from ledger.application.calls import Act
from ledger.application.commands.consenting import DecisionMaker, DecisionResult, Request, carry_out_or_ask
from ledger.application.commands.consequences import (
    list_settlements,
    make_rulings_again,
    must_know_what_follows,
    record_decision,
    withdraw,
)
from ledger.application.commands.deciding import load_decidable_ruling
from ledger.application.reading.comparisons import compare_with_rewound
from ledger.application.reading.shown import Present, ShownComparison, ShownDecision, ShownRuling
from ledger.application.save import Save
from ledger.errors import WrongStatus
from ledger.events.records import RestoredRange, Rewind, Rewound, StruckRange
from ledger.rules.kernel.subjects import Viewer


def rewind(number: int, reason: str, if_match: int | None, present: Present) -> Act:
    """Return the act that overturns the ruling and every later standing one, and withdraws declarations made since
    then.
    """
    request = Request("rewind", number, reason, {})
    return lambda save: carry_out_or_ask(save, request, make_rewinding(number, reason, if_match), present)


def make_rewinding(number: int, reason: str, if_match: int | None = None) -> DecisionMaker:
    def make_decision(save: Save) -> DecisionResult:
        book, viewer = save.book, save.viewer
        assert viewer is not None
        shown_ruling = _load_ruling_to_rewind(book, viewer, number, reason, if_match)
        last_number = book.campaign.rulings
        shown_comparison = compare_with_rewound(book, number, save.position)
        put_on_all_subjects(save, StruckRange(number, last_number))
        _put_record(save, Rewind("rewound", reason, number, last_number))
        rewound_ruling = record_decision(
            save, shown_ruling.ruling, Rewound("rewound", reason, "flag", through=last_number)
        )
        make_rulings_again(save, shown_comparison, number, reason)
        withdraw(save, list_declared_since(book, number), f"The game was rewound to before ruling {number}.")
        numbers = frozenset(range(number, last_number + 1))
        settlements = list_settlements(
            book, numbers, shown_comparison, f"the game was rewound to before ruling {number}"
        )
        save.note_for_journal(
            "rewound", ruling=number, findings=shown_comparison.findings, settlements=settlements, through=last_number
        )
        return DecisionResult(
            200, ShownDecision(replace(shown_ruling, ruling=rewound_ruling), shown_comparison), shown_comparison
        )

    return make_decision


def preview_rewinding(
    book: Book, viewer: Viewer, number: int, reason: str, if_match: int | None = None
) -> ShownComparison:
    """Return what a rewind would change, without saving anything. Raise the same refusals as the rewind."""
    _load_ruling_to_rewind(book, viewer, number, reason, if_match)
    shown_comparison = compare_with_rewound(book, number, book.campaign.position + 1, viewer)
    must_know_what_follows(book, viewer, shown_comparison)
    return shown_comparison


def _load_ruling_to_rewind(book: Book, viewer: Viewer, number: int, reason: str, if_match: int | None) -> ShownRuling:
    shown_ruling = load_decidable_ruling(book, viewer, number, "rewind", reason, if_match, gm_only=True)
    if shown_ruling.ruling.audience is not None:  # everybody sees the decision
        raise WrongStatus(
            f"Not everybody can see ruling {number}. Rewind to before another ruling.",
            code="rewind-hidden",
            ruling=number,
        )
    _must_keep_order(book, number)
    return shown_ruling


def _must_keep_order(book: Book, number: int) -> None:
    """Raise WrongStatus if the ruling was entered late, or if a later ruling comes before it in play. A rewind must
    overturn a range of numbers.
    """
    bases = book.campaign.bases
    if number in bases:
        raise WrongStatus(
            f"Ruling {number} was entered late. Rewind to before ruling {bases[number] + 1}, or overturn it.",
            code="rewind-late",
            ruling=number,
        )
    late_rulings = book.load_rulings(late_number for late_number, base in bases.items() if base < number < late_number)
    for ruling in late_rulings:
        if ruling.stands:
            raise WrongStatus(
                f"Ruling {ruling.number} was entered late after ruling {ruling.ruled.after}, so it comes before ruling"
                f" {number}. Rewind to before ruling {ruling.ruled.after} or an earlier ruling, or overturn the"
                " later rulings one by one.",
                code="rewind-late",
                ruling=ruling.number,
            )


def put_on_all_subjects(save: Save, mark: StruckRange | RestoredRange) -> None:
    """Put the mark of a rewind into the stream of every subject. Marks on changed subjects alone would reveal what
    hidden rulings were about.
    """
    for subject in save.book.campaign.subjects:
        save.put_about(subject, mark)


def put_reinstated(save: Save, number: int, last: int, reason: str) -> None:
    """Put into the save the reinstatement of the rewind from ruling `number` to ruling `last`."""
    put_on_all_subjects(save, RestoredRange(number))
    _put_record(save, Rewind("reinstated", reason, number, last))


def _put_record(save: Save, record: Rewind) -> None:
    rewinds = save.book.list_rewinds()
    save.put(name_rewinds_stream(save.book.id), rewinds[-1].version if rewinds else 0, record)


def list_declared_since(book: Book, number: int) -> list[Pending]:
    """Return the waiting declarations that were made since the ruling."""
    position = book.campaign.ruling_positions[number - 1]
    return [pending for pending in book.list_waiting() if pending.position > position]
