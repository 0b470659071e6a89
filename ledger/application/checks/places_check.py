"""Check values that are kept in two places and must agree, and things that only one subject may hold."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.application.book import Book
from ledger.application.checks.as_known import KnownCampaign
from ledger.application.checks.audit_report import Audit
from ledger.application.reading.doubles import HELD_TWICE, list_matters, parse_matter
from ledger.events.records_of_journal import Finding
from ledger.rules.kernel.contract import Twice
from ledger.rules.kernel.facts import Adjusted, Amended
from ledger.rules.kernel.kept_twice import list_disagreements
from ledger.rules.kernel.subjects import Subject


def check_places(book: Book, known_campaign: KnownCampaign, result: Audit) -> None:
    """Report values that differ and things held twice, unless a finding about them is open or was settled."""
    findings = [
        *book.campaign.open_findings.values(),
        *(settlement.finding for settlement in book.campaign.settled_findings.values()),
    ]
    for disagreement in list_disagreements(book.ruleset, known_campaign.find, known_campaign.subjects):
        if not _is_in_question(known_campaign, disagreement.subject, disagreement.value, findings):
            value = disagreement.value
            other_place = "the account" if value.account else "the second record"
            detail = f"`{value.what}` of {disagreement.subject}: the state and {other_place} have different values."
            result.add_difference("balance" if value.account else "state", detail)
    reported_matters = {parse_matter(finding) for finding in findings if finding.kind == HELD_TWICE}
    expected_findings = dict(list_matters(book, known_campaign.find, known_campaign.subjects))
    for finding in book.campaign.open_findings.values():
        if finding.kind == HELD_TWICE and parse_matter(finding) not in expected_findings:
            detail = f"Finding {finding.id} is open, but it does not apply."
            result.add_difference("held twice", detail, audience=finding.audience)
    for matter, expected_finding in expected_findings.items():
        if matter not in reported_matters:
            detail = f"There is only one {matter[0]}, but it is recorded with {' and '.join(sorted(matter[1]))}."
            result.add_difference("held twice", detail, audience=expected_finding.audience)


def _is_in_question(known_campaign: KnownCampaign, subject: Subject, value: Twice, findings: Iterable[Finding]) -> bool:
    """Return whether the two values may differ, because of a finding about the subject or a correction by hand."""
    known_subject = known_campaign.subjects[subject]
    bodies = [body for body in known_subject.bodies if body.ruling]
    numbers = {body.ruling for body in bodies}
    if any(finding.subject == str(subject) or finding.ruling in numbers for finding in findings):
        return True
    revisions = known_subject.revisions
    standing_bodies = [body for body in bodies if revisions.get(body.ruling, 0) == body.revision]
    adjusting_numbers = {
        number
        for number, facts in known_campaign.facts_by_ruling.items()
        if any(isinstance(body.fact, Adjusted) for _, body in facts)
    }
    return any(
        isinstance(body.fact, Amended)
        or (body.ruling in adjusting_numbers and any(posting.unit == value.account for posting in body.postings))
        for body in standing_bodies
    )
