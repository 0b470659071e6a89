"""Set aside, as the operator, a ruling that makes its game's code raise an error. The campaign can't continue while
that ruling stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ledger.aggregates.ruling import Ruling
from ledger.application.book import Book
from ledger.application.calls import Act, Done
from ledger.application.commands.consequences import list_settlements, mark_streams, record_decision
from ledger.application.commands.declaring import check_not_blank
from ledger.application.reading.comparisons import compare_without_rulings
from ledger.application.reading.pasts import log_problem
from ledger.application.reading.rulings import load_visible_ruling
from ledger.application.reading.shown import Present, ShownComparison, ShownDecision
from ledger.application.save import Save
from ledger.application.trying import NOT_THEIRS, try_showing
from ledger.errors import WrongStatus
from ledger.events.codec import encode
from ledger.events.records import SetAside, Struck
from ledger.rules.kernel.subjects import Subject, Viewer

OPERATOR = Viewer("", "gm")


@contextmanager
def skip_guards(book: Book) -> Iterator[None]:
    """Within the block, let a check also read subjects that make a game's fold raise an error."""
    was_guarded, book.is_guarded = book.is_guarded, False
    try:
        yield
    finally:
        book.is_guarded = was_guarded


def set_ruling_aside(number: int, reason: str, present: Present) -> Act:
    """Return the act that sets the ruling aside, so that its facts no longer count. Raise WrongStatus if the game's
    code raises no error for it.

    Each later ruling gets a finding if its new result can be computed and is different.
    """

    def act(save: Save) -> Done:
        check_not_blank("reason", reason)
        ruling = save.book.load_ruling(number)
        ruling.check_allows("overturn")
        if not makes_game_fail(save.book, ruling, present):
            detail = f"The rules do not fail on ruling {number}. A game master can overturn it instead."
            raise WrongStatus(detail, code="not-broken", ruling=number)
        shown_comparison = _compare_without(save, number)
        mark_streams(save, ruling, Struck(number))
        record_decision(save, ruling, SetAside("set-aside", reason, "flag"))
        clearing_reason = f"ruling {number} was set aside"
        settlements = (
            list_settlements(save.book, frozenset({number}), shown_comparison, clearing_reason)
            if shown_comparison is not None
            else []
        )
        findings = shown_comparison.findings if shown_comparison is not None else ()
        save.note_for_journal("set-aside", ruling=number, findings=findings, settlements=settlements)
        return Done(200, make_repair_body(number, reason, len(findings)))

    return act


def make_repair_body(number: int, reason: str, finding_count: int) -> str:
    """Return the response body, without sentences of the game, because the game's code may raise an error."""
    return encode({"ruling": number, "reason": reason, "findings": finding_count}).decode()


def find_set_aside_reason(book: Book, number: int) -> str | None:
    """Return the reason why the ruling is set aside, or None if it is not. Raise NotFound."""
    last_decisions = book.load_ruling(number).decisions[-1:]
    return last_decisions[0].reason if last_decisions and last_decisions[0].decision == "set-aside" else None


def makes_game_fail(book: Book, ruling: Ruling, present: Present) -> bool:
    """Return whether the game's code raises an error for the records of the ruling: in its fold, its view or its
    sentences.
    """
    for stream in ruling.streams:
        _, kind, id = stream.split("/", 2)
        subject = Subject(kind, id)  # type: ignore[arg-type]
        folded = book.load_stream(subject).folded
        if any(breakage.ruling == ruling.number for breakage in folded.broken_facts):
            return True
        try:
            try_showing(book, subject, folded.state, (OPERATOR,))
        except NOT_THEIRS:
            raise
        except Exception:  # noqa: BLE001  (the game's view can raise anything)
            return True
    try:
        present(book, OPERATOR, ShownDecision(load_visible_ruling(book, ruling.number, OPERATOR)))
    except NOT_THEIRS:
        raise
    except Exception:  # noqa: BLE001  (the game's sentences can raise anything)
        return True
    return False


def _compare_without(save: Save, number: int) -> ShownComparison | None:
    """Compare the campaign with itself without the ruling. Return None if the rules raise an error without it, too."""
    try:
        return compare_without_rulings(save.book, frozenset({number}), position=save.position, cause=number)
    except NOT_THEIRS:
        raise
    except Exception as problem:  # noqa: BLE001
        log_problem(save.book.id, f"the consequences of setting ruling {number} aside", problem)
        return None
