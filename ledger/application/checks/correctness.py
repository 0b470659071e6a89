"""Check that after each save, every standing ruling was correct or had a finding that said it was not.

A ruling is correct if the installed rules, on the state before it, give the recorded result. Otherwise there must be a
finding about the ruling: either open, or settled by `let-stand` or `amended` with no later change of the outcome. The
same holds for every account below zero and every fact that no longer fits the state. A finding may be open only while
it is true.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from ledger.aggregates.campaign import parse_subject
from ledger.application.book import Book
from ledger.application.checks.as_known import KnownCampaign
from ledger.application.reading.doubles import HELD_TWICE
from ledger.application.reading.pasts import History, add_fact, add_rewinds, add_rulings, judge_changed_rulings
from ledger.application.reading.veiling import OTHERWISE
from ledger.events.envelope import Event
from ledger.events.records import MARKS, Decided, RuledLate
from ledger.events.records_of_journal import Entry, Finding
from ledger.rules.kernel.adjudication import Waiting
from ledger.rules.kernel.comparison import find_standpoint
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.purses import owner_of
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import SUBJECT_KINDS, Subject

#: The matter of a finding: ("ruling", its number), ("account", its name), ("adrift", subject, ruling, step).
Matter: TypeAlias = tuple[str | int, ...]
OUTCOMES = (Verdict, Waiting, Refused)
#: The ways of settling a finding that accept the current state.
ACCEPTANCES = ("let-stand", "amended")


class CorrectnessCheck:
    """Checks the saves in order. `known_campaign`: the campaign as of the last save.

    `wrong_states`: the current state of each incorrect matter: an outcome, a balance or a revision. `open_findings`:
    the open findings, except those that `places_check` checks. `accepted_states`: the wrong states that the table
    accepted by settling a finding. `entry_only_subjects`: for each ruling, the subjects that its last adjudication read
    without their state (only the kernel's entry).
    """

    def __init__(self, book: Book, known_campaign: KnownCampaign) -> None:
        self.book = book
        self.known_campaign = known_campaign
        self.history = History()
        self.wrong_states: dict[Matter, object] = {}
        self.open_findings: dict[str, Finding] = {}
        self.accepted_states: dict[Matter, object] = {}
        self.events_by_ruling: dict[int, list[Event]] = defaultdict(list)
        self.entry_only_subjects: dict[int, frozenset[str]] = {}
        self._unread_saves: list[Sequence[Event]] = []

    def check_save(self, events: Sequence[Event], entry: Entry) -> Iterable[tuple[int | None, str]]:
        """Return the errors after this save. Each has a sentence, and the number of a ruling or None."""
        self._unread_saves.append(events)
        has_decision = any(isinstance(event.body.fact, Decided | RuledLate) for event in events)
        if has_decision or entry.findings or entry.settled or self.wrong_states:
            return self._compare_save(events, entry, has_decision=has_decision)
        return ()

    def _compare_save(
        self, events: Sequence[Event], entry: Entry, *, has_decision: bool
    ) -> Iterator[tuple[int | None, str]]:
        concerned_matters: set[Matter] = set()
        if has_decision:
            concerned_matters |= self._note_states_after_decision(
                {
                    parse_subject(event.originator_id)
                    for event in events
                    if isinstance(event.body.fact, MARKS) or (event.body.after and event.body.ruling)
                }
            )
        concerned_matters |= self._note_findings(entry)
        self._check_accounts(events)
        yield from self._list_differences(concerned_matters)

    def update_history(self) -> History:
        """Add the saves made since the last call to the history, and return the history."""
        unread_saves, self._unread_saves = self._unread_saves, []
        changed_numbers: set[int] = set()
        for event in (event for events in unread_saves for event in events):
            _, kind, id = event.originator_id.split("/", 2)
            if kind in SUBJECT_KINDS:
                add_fact(self.history, parse_subject(event.originator_id), event.body)
            elif kind == "rewinds":
                add_rewinds(self.history, [event])
            elif kind == "ruling":
                self.events_by_ruling[int(id)].append(event)
                changed_numbers.add(int(id))
        add_rulings(
            self.book, self.history, {number: self.events_by_ruling[number] for number in sorted(changed_numbers)}
        )
        return self.history

    def _note_states_after_decision(self, changed_subjects: Iterable[Subject]) -> set[Matter]:
        """Note the state of each ruling, account and fact that a decision may affect. Return these matters."""
        history, concerned_matters = self.update_history(), set[Matter]()
        for number, judgement in judge_changed_rulings(self.book, history, self.entry_only_subjects).items():
            self.entry_only_subjects[number] = judgement.entries
            is_correct = judgement.as_recorded or self._is_of_other_edition(number)
            concerned_matters.add(self._note_state(("ruling", number), None if is_correct else judgement.outcome))
        for matter in [
            matter
            for matter in self.wrong_states
            if matter[0] == "ruling" and history.standing_revisions.get(int(matter[1]), 0) is None
        ]:
            concerned_matters.add(self._note_state(matter, None))
        for subject in changed_subjects:
            folded = self.known_campaign.subjects[subject].folded
            actual_states: dict[Matter, object] = {}
            for account, balance in folded.find_overdrawn_accounts().items():
                actual_states["account", account] = balance
            for ruling, step in folded.adrift:
                actual_states["adrift", str(subject), ruling, step] = history.standing_revisions.get(ruling, 0)
            for matter in {
                *actual_states,
                *(known_matter for known_matter in self.wrong_states if _is_about(known_matter, subject)),
            }:
                concerned_matters.add(self._note_state(matter, actual_states.get(matter)))
        return concerned_matters

    def _is_of_other_edition(self, number: int) -> bool:
        """Return whether the ruling was made under an edition that the installed rules cannot judge."""
        ruling = self.history.rulings.get(number)
        return ruling is not None and ruling.edition != self.book.ruleset.edition

    def _note_state(self, matter: Matter, state: object) -> Matter:
        """Note the current state of a matter. None means correct."""
        if state is None:
            self.wrong_states.pop(matter, None)
        else:
            self.wrong_states[matter] = state
        if matter in self.accepted_states and (
            state is None or not _is_same_state(self.accepted_states[matter], state)
        ):
            del self.accepted_states[matter]
        return matter

    def _note_findings(self, entry: Entry) -> set[Matter]:
        concerned_matters: set[Matter] = set()
        for finding in entry.findings:
            if finding.kind != HELD_TWICE:  # `places_check` checks these
                self.open_findings[finding.id] = finding
                concerned_matters.add(_make_matter(finding))
        for settlement in entry.settled:
            closed_finding = self.open_findings.pop(settlement.finding, None)
            if closed_finding is not None:
                concerned_matters.add(_make_matter(closed_finding))
                if settlement.how in ACCEPTANCES and _make_matter(closed_finding) in self.wrong_states:
                    self.accepted_states[_make_matter(closed_finding)] = self.wrong_states[_make_matter(closed_finding)]
        return concerned_matters

    def _check_accounts(self, events: Iterable[Event]) -> None:
        """Note each account that these events brought back to zero or more."""
        moved_accounts = {
            account
            for event in events
            for posting in event.body.postings
            for account in (posting.source, posting.target)
        }
        for _, account in [
            matter for matter in self.wrong_states if matter[0] == "account" and matter[1] in moved_accounts
        ]:
            owner = owner_of(str(account))
            assert owner is not None
            if self.known_campaign.subjects[owner].folded.purse.get(str(account), 0) >= 0:
                self._note_state(("account", account), None)

    def _list_differences(self, concerned_matters: Iterable[Matter]) -> Iterator[tuple[int | None, str]]:
        findings_by_matter: dict[Matter, Finding] = {
            _make_matter(finding): finding for finding in self.open_findings.values()
        }
        for matter in sorted(concerned_matters, key=str):
            number = int(matter[1]) if matter[0] == "ruling" else None
            if number is not None and self._is_of_other_edition(number):
                continue
            state, finding = self.wrong_states.get(matter), findings_by_matter.get(matter)
            if state is not None and finding is None and matter not in self.accepted_states:
                yield number, f"{_begin_error_sentence(matter)} but there is no finding for it."
            elif finding is not None and state is None and matter[0] != "account":
                yield number, f"Finding {finding.id} is open, but it does not apply."


def _make_matter(finding: Finding) -> Matter:
    if finding.kind in OTHERWISE:
        return ("ruling", finding.ruling or 0)
    if finding.kind == "overdrawn":
        return ("account", finding.account or "")
    return ("adrift", finding.subject or "", finding.ruling or 0, int(finding.detail.rpartition(".")[2]))


def _is_about(matter: Matter, subject: Subject) -> bool:
    return matter[:2] == ("adrift", str(subject)) or (matter[0] == "account" and owner_of(str(matter[1])) == subject)


def _begin_error_sentence(matter: Matter) -> str:
    """Return the beginning of an error sentence, up to its comma."""
    if matter[0] == "ruling":
        return f"Ruling {matter[1]} would now have a different result than recorded,"
    return (
        "An account is below zero,"
        if matter[0] == "account"
        else f"A result of ruling {matter[2]} changes something that does not exist,"
    )


def _is_same_state(first: object, other: object) -> bool:
    if isinstance(first, OUTCOMES) and isinstance(other, OUTCOMES):
        return find_standpoint(first, other) == "stands"
    return first == other
