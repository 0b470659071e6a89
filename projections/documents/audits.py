"""An audit, for one viewer: it compares the record with the rules, and the views with the record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from psycopg.rows import TupleRow

from ledger import application
from ledger.application import Book, audit, json_form, load_shown_rulings
from ledger.application.checks.audit import Progress
from ledger.errors import Fault, Unsound
from projections.documents import seals
from projections.documents.findings import Finding, list_open_findings
from projections.documents.shape import Document, give_example
from projections.documents.stored_rulings import make_stored_ruling, parse_stored_ruling
from projections.documents.written import Writings
from projections.redaction import LiveLens, make_fact_maker, to_text
from projections.views.pages import Reader, Views
from projections.views.rulings import write_texts_for_everybody
from projections.views.view import make_storable
from projections.wording import Wording

CHUNK = 500


class Difference(Document):
    """An error that the audit found: its kind and its ruling."""

    what: str
    ruling: int | None
    detail: str


class OfEdition(Document):
    """The number of rulings of one edition of the game's rules (`of`), and how many of them were checked (`judged`)."""

    edition: int
    judged: int
    of: int


class SetAside(Document):
    """A ruling that the operator overturned because the game's rules fail on its results."""

    ruling: int
    at: str
    reason: str


@give_example(
    healthy=True,
    position=1201,
    events=4080,
    rulings=1200,
    readjudicated=1200,
    older_edition=[],
    not_told_again=0,
    rules_installed=True,
    judged=[{"edition": 1, "judged": 1200, "of": 1200}],
    summary="Healthy. The ledger checked 1200 of 1200 rulings.",
    differences=[],
    findings=[],
    set_aside=[],
)
class Audit(Document):
    """The result of an audit, with a one-line `summary`. `healthy`: there are no differences and nothing needs
    attention.

    `judged`: how many rulings today's rules could check, by edition. `older_edition`: rulings of another edition,
    which could not be checked. `not_told_again`: how many were not checked, because of their edition or because the
    game is not installed.
    """

    healthy: bool
    summary: str
    position: int
    events: int
    rulings: int
    readjudicated: int
    older_edition: list[int]
    not_told_again: int
    judged: list[OfEdition]
    rules_installed: bool
    differences: list[Difference]
    findings: list[Finding]
    set_aside: list[SetAside]


def audit_record(lens: LiveLens, reader: Reader, progress: Progress = lambda count, total: None) -> Audit:
    """Replay the record and return the audit. Differences about rulings hidden from the viewer are left out."""
    result = audit(lens.book, progress)
    differences = [*result.differences, *_compare_views(lens, reader, result)]
    visible_differences = [_make_difference(difference) for difference in differences if _may_know(lens, difference)]
    findings = list_open_findings(lens)
    count_texts = [
        application.format_count(len(visible_differences), "difference"),
        application.format_count(len(findings), "open finding"),
    ]
    outcome = ", ".join(filter(None, count_texts)) or "Healthy"
    return {
        "healthy": not visible_differences and not findings,
        "summary": f"{outcome}. The ledger {application.format_judged(result.judged)}.",
        "position": result.position,
        "events": result.event_count,
        "rulings": result.ruling_count,
        "readjudicated": result.readjudicated_count,
        "older_edition": list(dict.fromkeys(result.older_rulings)) if result.is_installed else [],
        "not_told_again": result.unreplayed_count,
        "judged": count_by_edition(result),
        "rules_installed": result.is_installed,
        "differences": visible_differences,
        "findings": findings,
        "set_aside": [
            {"ruling": ruling.ruling, "at": ruling.at, "reason": ruling.reason}
            for ruling in result.set_aside
            if _may_know(lens, application.Difference("ruling", "", ruling.ruling))
        ],
    }


def count_by_edition(result: application.Audit) -> list[OfEdition]:
    """Return how many rulings were judged, by edition."""
    return [{"edition": edition.edition, "judged": edition.judged, "of": edition.of} for edition in result.judged]


def _make_difference(difference: application.Difference) -> Difference:
    return {"what": difference.what, "ruling": difference.ruling, "detail": difference.detail}


def _may_know(lens: LiveLens, difference: application.Difference) -> bool:
    if difference.what == "held twice":
        return lens.may_see(difference.audience)
    if difference.what == "finding":  # the ruling's result may be hidden from a player
        return lens.viewer.role == "gm"
    if difference.ruling is None:
        return lens.viewer.role == "gm" or difference.what in ("numbering", "journal", "view", "seal")
    rulings = lens.book.load_rulings([difference.ruling])
    return not rulings or lens.may_know(rulings[0])


def _compare_views(lens: LiveLens, reader: Reader, result: application.Audit) -> Iterator[application.Difference]:
    """Yield the differences between the views and the record. Views that are behind are not compared."""
    book = lens.book
    try:
        views_position, build = reader.position, reader.place.built
    except Unsound as problem:
        yield application.Difference("view", problem.detail)
        return
    if views_position != result.position:
        yield application.Difference("view", "The views are behind the record, so they were not compared.")
        return
    if build != Views(reader.transaction.shelf).find_followed_place().built:  # this transaction can't see the new ones
        yield application.Difference("view", "The views were rebuilt during the audit, so they were not compared.")
        return
    yield from seals.compare_with_record(book, reader, result.position)
    yield from seals.compare_with_origins(book, reader)
    if not result.is_installed:
        return  # without the rules, the views of this campaign can't be read
    yield from _compare_sheets(reader, result)
    yield from _compare_accounts(reader, result)
    for first_number in range(1, result.ruling_count + 1, CHUNK):
        yield from _compare_rulings(
            book, reader, range(first_number, min(first_number + CHUNK, result.ruling_count + 1)), result.position
        )


def _compare_rulings(book: Book, reader: Reader, numbers: range, position: int) -> Iterator[application.Difference]:
    rows = reader.ask(
        "SELECT number, document, plain, brief, gist, (SELECT json_agg(json_build_array(audience, said))"
        " FROM {views}.written w WHERE w.campaign = r.campaign AND w.number = r.number) FROM {views}.rulings r"
        " WHERE campaign = %(campaign)s AND number BETWEEN %(first)s AND %(last)s",
        {"first": numbers[0], "last": numbers[-1]},
    )
    kept_rows = {
        number: (parse_stored_ruling(document_text), tuple(open_texts), _collect_prose(prose_rows))
        for number, document_text, *open_texts, prose_rows in rows
    }
    try:
        recorded_rulings = load_shown_rulings(book.recorder, book.codec, book.id, numbers, position)
    except Fault as problem:
        yield application.Difference("journal", f"Rulings {numbers[0]} to {numbers[-1]}: {problem.detail}")
        return
    wording, writings = Wording(book.ruleset), Writings(book.ruleset, book.codec)
    for shown_ruling in recorded_rulings:
        number = shown_ruling.ruling.number
        document_text = to_text(document := make_stored_ruling(make_fact_maker(book.codec), wording, shown_ruling))
        expected_row = (
            json.loads(document_text),
            write_texts_for_everybody(document, document_text),
            _collect_prose((audience, make_storable(text)) for audience, text in writings.list_rows(document)),
        )
        if kept_rows.get(number) != expected_row:
            yield application.Difference("view", f"The view of ruling {number} differs from the record.", number)


def _collect_prose(
    entries: Iterable[tuple[Sequence[str] | None, object]] | None,
) -> set[tuple[tuple[str, ...] | None, object]]:
    """Return the texts that people wrote, with their audiences."""
    return {(tuple(audience) if audience is not None else None, text) for audience, text in entries or ()}


def _compare_sheets(reader: Reader, result: application.Audit) -> Iterator[application.Difference]:
    rows = reader.ask(
        "SELECT subject, version, card, state, purse, adrift FROM {views}.sheets WHERE campaign = %(campaign)s", {}
    )
    kept_sheets: dict[str, TupleRow] = {subject: tuple(row) for subject, *row in rows}
    for subject, stream in result.subjects.items():
        folded = stream.folded
        fold_parts = (folded.entry, folded.state, folded.purse, folded.adrift)
        if kept_sheets.pop(str(subject), None) != (
            stream.version,
            *(json_form.to_json(fold_part) for fold_part in fold_parts),
        ):
            yield application.Difference("view", f"The sheet of {subject} differs from the record.")
    for unknown_subject in kept_sheets:
        yield application.Difference(
            "view", f"There is a sheet of {unknown_subject}, but {unknown_subject} is not in the record."
        )


def _compare_accounts(reader: Reader, result: application.Audit) -> Iterator[application.Difference]:
    rows = reader.ask("SELECT account, balance FROM {views}.accounts WHERE campaign = %(campaign)s", {})
    if {account: balance for account, balance in rows if balance} != {
        account: balance for account, balance in result.balances.items() if balance
    }:
        yield application.Difference("view", "The view of balances differs from the postings.")
