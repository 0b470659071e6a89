"""Checks after every save that each ruling that stands is correct, or that a finding says it is not.

A ruling is correct if today's rules, on the state before it, give what it recorded. Otherwise a finding on it must be
open, unless somebody let it stand or amended it and no later decision changed its outcome. The same holds for every
account below zero and every fact that does not fit. And a finding may be open only while it is true.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from ledger.aggregates.campaign import parse_subject
from ledger.application.book import Book
from ledger.application.checks.as_known import Known
from ledger.application.reading.doubles import HELD_TWICE
from ledger.application.reading.pasts import History, add_fact, add_rulings, judge_again
from ledger.application.reading.veiling import OTHERWISE
from ledger.events.envelope import Event
from ledger.events.records import Decided, Restored, Struck
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
#: Ways to settle a finding that leave the matter as it is.
KEPT = ("let-stand", "amended")


class CorrectnessCheck:
    """Takes saves in order. `known`: the campaign as of the save just taken.

    `untrue`: everything that is not as it should be, with how it is: an outcome, a balance, a revision. `open`, `kept`:
    the findings that say so, and those that somebody let stand. `entries`: for each ruling, the subjects of which it
    read only the entry when it was last adjudicated.
    """

    def __init__(self, book: Book, known: Known) -> None:
        self.book = book
        self.known = known
        self.history = History()
        self.untrue: dict[Matter, object] = {}
        self.open: dict[str, Finding] = {}
        self.kept: dict[Matter, object] = {}
        self.rulings: dict[int, list[Event]] = defaultdict(list)
        self.entries: dict[int, frozenset[str]] = {}
        self._unread: list[Sequence[Event]] = []

    def check_save(self, events: Sequence[Event], entry: Entry) -> Iterable[tuple[int | None, str]]:
        """Return what is wrong after this save: the ruling concerned, if any, and a sentence."""
        self._unread.append(events)
        decided = any(isinstance(event.body.fact, Decided) for event in events)
        if decided or entry.findings or entry.settled or self.untrue:
            return self._compare(events, entry, decided=decided)
        return ()

    def _compare(self, events: Sequence[Event], entry: Entry, *, decided: bool) -> Iterator[tuple[int | None, str]]:
        concerned: set[Matter] = set()
        if decided:
            stream_names = (event.originator_id for event in events if isinstance(event.body.fact, Struck | Restored))
            concerned |= self._judge(set(map(parse_subject, stream_names)))
        concerned |= self._note_findings(entry)
        self._check_accounts(events)
        yield from self._list_differences(concerned)

    @property
    def past(self) -> History:
        """The record so far, replayed only once somebody decided something."""
        unread, self._unread = self._unread, []
        touched: set[int] = set()
        for event in (event for events in unread for event in events):
            _, kind, id = event.originator_id.split("/", 2)
            if kind in SUBJECT_KINDS:
                add_fact(self.history, parse_subject(event.originator_id), event.body)
            elif kind == "ruling":
                self.rulings[int(id)].append(event)
                touched.add(int(id))
        add_rulings(self.book, self.history, {number: self.rulings[number] for number in sorted(touched)})
        return self.history

    def _judge(self, changed_subjects: Iterable[Subject]) -> set[Matter]:
        """Return what a decision concerns: rulings that may have another result, accounts and facts."""
        history, concerned = self.past, set[Matter]()
        for number, judged in judge_again(self.book, history, self.entries).items():
            self.entries[number] = judged.entries
            correct = judged.as_recorded or self._is_older(number)
            concerned.add(self._note_state(("ruling", number), None if correct else judged.outcome))
        for matter in [
            matter
            for matter in self.untrue
            if matter[0] == "ruling" and history.standing.get(int(matter[1]), 0) is None
        ]:
            concerned.add(self._note_state(matter, None))
        for subject in changed_subjects:
            folded = self.known.load_stream(subject).folded
            actual: dict[Matter, object] = {}
            for account, balance in folded.overdrawn().items():
                actual["account", account] = balance
            for ruling, step in folded.adrift:
                actual["adrift", str(subject), ruling, step] = history.standing.get(ruling, 0)
            for matter in {
                *actual,
                *(known_matter for known_matter in self.untrue if _is_about(known_matter, subject)),
            }:
                concerned.add(self._note_state(matter, actual.get(matter)))
        return concerned

    def _is_older(self, number: int) -> bool:
        """Return whether it was ruled under another edition, which today's rules cannot judge."""
        ruling = self.history.rulings.get(number)
        return ruling is not None and ruling.edition != self.book.ruleset.edition

    def _note_state(self, matter: Matter, state: object) -> Matter:
        """Return how it is now; None: as it should be. A finding that was let stand covers only what it was then."""
        if state is None:
            self.untrue.pop(matter, None)
        else:
            self.untrue[matter] = state
        if matter in self.kept and (state is None or not _is_alike(self.kept[matter], state)):
            del self.kept[matter]
        return matter

    def _note_findings(self, entry: Entry) -> set[Matter]:
        concerned: set[Matter] = set()
        for finding in entry.findings:
            if finding.kind != HELD_TWICE:  # `places_check`
                self.open[finding.id] = finding
                concerned.add(_identify(finding))
        for settlement in entry.settled:
            closed = self.open.pop(settlement.finding, None)
            if closed is not None:
                concerned.add(_identify(closed))
                if settlement.how in KEPT and _identify(closed) in self.untrue:
                    self.kept[_identify(closed)] = self.untrue[_identify(closed)]
        return concerned

    def _check_accounts(self, events: Iterable[Event]) -> None:
        """Check the accounts that were moved. Any ruling may pay back a debt: that needs no decision."""
        moved = {
            name for event in events for posting in event.body.postings for name in (posting.source, posting.target)
        }
        for _, account in [matter for matter in self.untrue if matter[0] == "account" and matter[1] in moved]:
            owner = owner_of(str(account))
            assert owner is not None
            if self.known.load_stream(owner).folded.purse.get(str(account), 0) >= 0:
                self._note_state(("account", account), None)

    def _list_differences(self, concerned: Iterable[Matter]) -> Iterator[tuple[int | None, str]]:
        findings: dict[Matter, Finding] = {_identify(finding): finding for finding in self.open.values()}
        for matter in sorted(concerned, key=str):
            ruling = int(matter[1]) if matter[0] == "ruling" else None
            if ruling is not None and self._is_older(ruling):
                continue
            state, finding = self.untrue.get(matter), findings.get(matter)
            if state is not None and finding is None and matter not in self.kept:
                yield ruling, f"{_describe(matter)} but there is no finding for it."
            elif finding is not None and state is None and matter[0] != "account":
                yield ruling, f"Finding {finding.id} is open, but it does not apply."


def _identify(finding: Finding) -> Matter:
    if finding.kind in OTHERWISE:
        return ("ruling", finding.ruling or 0)
    if finding.kind == "overdrawn":
        return ("account", finding.account or "")
    return ("adrift", finding.subject or "", finding.ruling or 0, int(finding.detail.rpartition(".")[2]))


def _is_about(matter: Matter, subject: Subject) -> bool:
    return matter[:2] == ("adrift", str(subject)) or (matter[0] == "account" and owner_of(str(matter[1])) == subject)


def _describe(matter: Matter) -> str:
    if matter[0] == "ruling":
        return f"Ruling {matter[1]} does not have its recorded result,"
    return (
        "An account is below zero,"
        if matter[0] == "account"
        else f"A result of ruling {matter[2]} has nothing to change,"
    )


def _is_alike(first: object, other: object) -> bool:
    if isinstance(first, OUTCOMES) and isinstance(other, OUTCOMES):
        return find_standpoint(first, other) == "stands"
    return first == other
