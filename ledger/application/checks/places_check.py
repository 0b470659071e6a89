"""Values and things in two places: values that must agree, and things of which there is only one."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.application.book import Book
from ledger.application.checks.as_known import Known
from ledger.application.checks.audit_report import Audit
from ledger.application.reading.doubles import HELD_TWICE, find_matter, list_matters
from ledger.events.records_of_journal import Finding
from ledger.rules.kernel.contract import Twice
from ledger.rules.kernel.facts import Adjusted, Amended
from ledger.rules.kernel.kept_twice import list_disagreements
from ledger.rules.kernel.subjects import Subject


def check_places(book: Book, known: Known, result: Audit) -> None:
    """Report what differs or is held twice, unless an open finding says so or somebody let it stand."""
    findings = [
        *book.campaign.open_findings.values(),
        *(settled.finding for settled in book.campaign.settled_findings.values()),
    ]
    for disagreement in list_disagreements(book.ruleset, known.find, known.events):
        if not _is_in_question(known, disagreement.subject, disagreement.value, findings):
            value = disagreement.value
            other = "its account" if value.account else "its other place"
            detail = f"`{value.what}` of {disagreement.subject}: the state and {other} differ."
            result.add("balance" if value.account else "state", detail)
    reported = {find_matter(finding) for finding in findings if finding.kind == HELD_TWICE}
    doubles = dict(list_matters(book, known.find, known.events))
    for finding in book.campaign.open_findings.values():
        if finding.kind == HELD_TWICE and find_matter(finding) not in doubles:
            detail = f"Finding {finding.id} is open, but it does not apply."
            result.add("held twice", detail, audience=finding.audience)
    for matter, double in doubles.items():
        if matter not in reported:
            detail = f"There is only one {matter[0]}, but it is recorded with {' and '.join(sorted(matter[1]))}."
            result.add("held twice", detail, audience=double.audience)


def _is_in_question(known: Known, subject: Subject, value: Twice, findings: Iterable[Finding]) -> bool:
    """Return whether a finding names the subject, or a ruling with facts about it: later rulings keep what they
    recorded.

    Also true if the table set one of the two places by hand: it may set the other later.
    """
    bodies = [body for body in known.events[subject] if body.ruling]
    numbers = {body.ruling for body in bodies}
    if any(finding.subject == str(subject) or finding.ruling in numbers for finding in findings):
        return True
    revisions = known.load_stream(subject).revisions
    standing = [body for body in bodies if revisions.get(body.ruling, 0) == body.revision]
    adjusted = {body.ruling for bodies in known.events.values() for body in bodies if isinstance(body.fact, Adjusted)}
    return any(
        isinstance(body.fact, Amended)
        or (body.ruling in adjusted and any(posting.unit == value.account for posting in body.postings))
        for body in standing
    )
