"""Findings about things in two places: those that a ruling or a decision raises, and those that it ends.

The time taken depends on nothing hidden: each place says who may know it (`Held`), so no ruling has to be adjudicated
again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ledger.aggregates.ruling import Ruling
from ledger.application.book import Book
from ledger.events.records_of_journal import Finding, FindingKind
from ledger.rules.kernel.comparison import Comparison
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.fold import KERNEL_FACTS, Folded, Recorded
from ledger.rules.kernel.register import CampaignEntry, CharacterEntry
from ledger.rules.kernel.subjects import CAMPAIGN, Audience, Subject, Viewer
from ledger.rules.kernel.table import find_viewer
from ledger.rules.kernel.things import list_things, list_things_held_twice
from ledger.rules.kernel.world import list_recorded

HELD_TWICE: FindingKind = "held twice"
Find: TypeAlias = Callable[[Subject], Folded[Any] | None]
#: The matter of a finding: the thing, and the one or two subjects that hold it.
Matter: TypeAlias = tuple[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Doubles:
    """Findings to raise, without ids, and the ids of open findings that no longer apply."""

    raised_findings: tuple[Finding, ...] = ()
    ended_ids: tuple[str, ...] = ()


def find_doubles_by_ruling(book: Book, number: int, verdict: Verdict[object], known_to: Audience) -> Doubles:
    """Return the findings that a ruling raises and ends. `known_to`: who may know of the ruling."""
    if book.ruleset.things is None or not _moves_things(book, verdict):
        return Doubles()
    subjects_after = _fold_after(book, book.find, list_recorded(number, 0, verdict))
    return _find_doubles(
        book, lambda subject: subjects_after.get(subject) or book.find(subject), list(subjects_after), number, known_to
    )


def adds_things(book: Book, find: Find, facts: Iterable[tuple[Subject, Recorded]]) -> bool:
    """Return whether these facts of a ruling add a thing, such as a card that none of their subjects had before."""
    if book.ruleset.things is None:
        return False
    subjects_after, session = _fold_after(book, find, facts), _find_session(find)

    def count_things(find: Find) -> Counter[str]:
        folded_subjects = [(subject, folded) for subject in subjects_after if (folded := find(subject)) is not None]
        return Counter(
            held_thing.thing
            for subject, folded in folded_subjects
            for held_thing in list_things(book.ruleset, subject, folded.state, session)
        )

    return not count_things(subjects_after.get) <= count_things(find)


def _fold_after(book: Book, find: Find, facts: Iterable[tuple[Subject, Recorded]]) -> dict[Subject, Folded[Any]]:
    """Return the subjects of these facts, with the facts applied."""
    subjects_after: dict[Subject, Folded[Any]] = {}
    for subject, fact in facts:
        if subject not in subjects_after:
            folded_before = find(subject)
            subjects_after[subject] = (
                folded_before.copy_ahead() if folded_before is not None else Folded(book.ruleset, subject)
            )
        subjects_after[subject].apply_fact(fact)
    return subjects_after


def _moves_things(book: Book, verdict: Verdict[object]) -> bool:
    """Return whether the verdict may change what any subject holds, or who is at the table."""
    new_facts: dict[Subject, list[object]] = defaultdict(list)
    for fact in verdict.facts:
        if type(fact.fact) in KERNEL_FACTS:
            return True
        new_facts[fact.subject].append(fact.fact)
    session = _find_session(book.find)
    for subject, facts in new_facts.items():
        folded = book.find(subject)
        if folded is None:
            return True
        things = list_things(book.ruleset, subject, folded.state, session)
        if things != list_things(book.ruleset, subject, folded.look_ahead(facts), session):
            return True
    return False


def find_doubles_by_decision(
    book: Book, comparison: Comparison, decided_ruling: Ruling | None, cause: int = 0
) -> Doubles:
    """Return the findings that a decision about the ruling `decided_ruling` raises and ends. `cause`: the ruling's
    number, even if it is not recorded yet.
    """
    if book.ruleset.things is None:
        return Doubles()
    known_to: Audience = None
    if decided_ruling is not None and decided_ruling.audience is not None:
        known_to = (*decided_ruling.audience, decided_ruling.by, decided_ruling.ruled.seat)
    touched_subjects = comparison.list_differing_subjects()
    differing_subjects, then = set(touched_subjects), comparison.then

    def find_after(subject: Subject) -> Folded[Any] | None:
        return then.find(subject) if subject in differing_subjects else book.find(subject)

    return _find_doubles(
        book, find_after, touched_subjects, decided_ruling.number if decided_ruling is not None else cause, known_to
    )


def parse_matter(finding: Finding) -> Matter:
    """Return the thing and its holders."""
    thing, _, other_holder = finding.detail.rpartition(", ")
    return thing, frozenset({finding.subject or "", other_holder})


def intersect_audiences(viewers: Iterable[Viewer], audiences: Iterable[Audience]) -> Audience:
    """Return an audience with everybody who is in all these audiences."""
    limited_audiences = [audience for audience in audiences if audience is not None]
    if not limited_audiences:
        return None
    shared_entries = tuple(
        entry for entry in limited_audiences[0] if all(entry in audience for audience in limited_audiences)
    )
    seat_ids = (
        viewer.seat
        for viewer in viewers
        if all(map(viewer.may_see, limited_audiences)) and not viewer.may_see(shared_entries)
    )
    return (*shared_entries, *seat_ids)


def _find_doubles(
    book: Book, find_after: Find, touched_subjects: Sequence[Subject], cause: int, known_to: Audience
) -> Doubles:
    """Return the findings raised and ended. `touched_subjects`: the subjects that may differ afterwards."""
    session, session_after = _find_session(book.find), _find_session(find_after)
    if session == session_after and all(
        _find_holdings(book, book.find, subject) == _find_holdings(book, find_after, subject)
        for subject in touched_subjects
    ):
        return Doubles()
    subjects = [*(subject for subject in book.campaign.subjects if subject not in touched_subjects), *touched_subjects]
    matters_before = {matter for matter, _ in _list_matters_in_session(book, book.find, subjects, session)}
    viewers = _list_viewers(book, find_after)
    open_findings = _group_by_matter(book.campaign.open_findings.values())
    settled_findings = _group_by_matter(settlement.finding for settlement in book.campaign.settled_findings.values())
    raised_findings: list[Finding] = []
    ended_ids: list[str] = []
    handled_matters: set[Matter] = set()
    for matter, finding in _list_matters_in_session(book, find_after, subjects, session_after):
        audience = intersect_audiences(viewers, (finding.audience, known_to))
        findings = [*open_findings[matter], *(settled_findings[matter] if matter in matters_before else ())]
        if any(_is_known_to_all_of(viewers, earlier_finding.audience, audience) for earlier_finding in findings):
            handled_matters.add(matter)
        elif matter not in handled_matters:
            handled_matters.add(matter)
            ended_ids += [earlier_finding.id for earlier_finding in open_findings[matter]]
            raised_findings.append(
                Finding("", HELD_TWICE, cause, None, finding.subject, None, finding.detail, audience)
            )
    ended_ids += [
        finding.id
        for matter, findings in open_findings.items()
        if matter not in handled_matters
        for finding in findings
    ]
    return Doubles(tuple(raised_findings), tuple(ended_ids))


def list_matters(book: Book, find: Find, subjects: Iterable[Subject]) -> Iterable[tuple[Matter, Finding]]:
    """Return the things in two places, each with its finding (without id and cause)."""
    return _list_matters_in_session(book, find, subjects, _find_session(find))


def _list_matters_in_session(
    book: Book, find: Find, subjects: Iterable[Subject], session: str | None
) -> Iterable[tuple[Matter, Finding]]:
    viewers = _list_viewers(book, find)
    for double in list_things_held_twice(book.ruleset, find, subjects, session):
        detail, audience = f"{double.thing}, {double.other}", intersect_audiences(viewers, double.audiences)
        finding = Finding("", HELD_TWICE, 0, None, str(double.holder), None, detail, audience)
        yield parse_matter(finding), finding


class _Subjects:
    """The campaign's subjects. `find`: returns one of them, folded."""

    def __init__(self, book: Book, find: Find) -> None:
        self.book, self.find = book, find

    def seats(self) -> Sequence[Subject]:
        return self.book.seats()

    def cited(self, number: int) -> Sequence[tuple[Subject, Recorded]]:
        return self.book.cited(number)


def _list_viewers(book: Book, find: Find) -> list[Viewer]:
    """Return a viewer for every seat, with the characters that it plays."""
    subjects = _Subjects(book, find)
    return [viewer for subject in book.seats() if (viewer := find_viewer(subjects, subject)) is not None]


def _find_holdings(book: Book, find: Find, subject: Subject) -> object:
    """Return the player of a subject, and the things that the subject holds."""
    folded = find(subject)
    entry = folded.entry if folded is not None else None
    seat = entry.seat if isinstance(entry, CharacterEntry) else None
    return seat, list_things(book.ruleset, subject, folded.state, _find_session(find)) if folded is not None else ()


def _find_session(find: Find) -> str | None:
    folded = find(CAMPAIGN)
    entry = folded.entry if folded is not None else None
    return entry.session if isinstance(entry, CampaignEntry) else None


def _group_by_matter(findings: Iterable[Finding]) -> dict[Matter, list[Finding]]:
    findings_by_matter: dict[Matter, list[Finding]] = defaultdict(list)
    for finding in findings:
        if finding.kind == HELD_TWICE:
            findings_by_matter[parse_matter(finding)].append(finding)
    return findings_by_matter


def _is_known_to_all_of(viewers: Iterable[Viewer], known_to: Audience, audience: Audience) -> bool:
    """Return whether everybody in `audience` is also in `known_to`. None stands for everybody."""
    if known_to is None or audience is None:
        return known_to is None
    return set(audience) <= set(known_to) or all(
        viewer.may_see(known_to) for viewer in viewers if viewer.may_see(audience)
    )
