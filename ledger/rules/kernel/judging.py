"""How the rulings that stand come out today, on what stands before each of them. Pure.

A ruling is correct where today's rules say of it what it recorded. Judged again are only the rulings that a decision
may have changed: they read what the rulings decided about tell of, and where it is known how that was before, it is
different now. All of them are judged in one pass.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ledger.rules.kernel.adjudication import Outcome
from ledger.rules.kernel.chronicle import Chronicle, Shared, Side, before, of
from ledger.rules.kernel.citations import cited
from ledger.rules.kernel.comparison import note
from ledger.rules.kernel.fold import KERNEL_FACTS
from ledger.rules.kernel.frozen import quick
from ledger.rules.kernel.known_comparison import OF_THE_CARD
from ledger.rules.kernel.standing import Standing
from ledger.rules.kernel.subjects import CAMPAIGN, Subject
from ledger.rules.kernel.world import PastRuling

NONE: frozenset[str] = frozenset()


@quick
@dataclass(frozen=True, slots=True)
class Judged:
    """How a ruling comes out, whether it recorded that, and what it looked at. `entries`: of that, whose entry only."""

    outcome: Outcome
    as_recorded: bool
    reads: frozenset[str]
    entries: frozenset[str]


@quick
@dataclass(frozen=True, slots=True)
class Before:
    """What was before somebody decided: what stood, and of which subjects a ruling, by its number, read the entry only.

    Every ruling not decided about was ruled or judged on just that.
    """

    standing: Standing
    entries: Mapping[int, frozenset[str]]


def judge(
    chronicle: Chronicle, revisions: Standing, decided: Collection[int], was: Before | None = None
) -> Mapping[int, Judged]:
    """The standing rulings that come out otherwise, or may, since these were decided about; those themselves, too.

    `revisions`: what stands now. Of the chronicle's rulings, `reads` must say what each read before the decisions.
    With `was`, a ruling for which all that it reads is as it was is not judged again.
    """
    shared = Shared(chronicle, revisions, before(min(decided, default=0)), from_kept=True)
    past = Side(shared, revisions)
    changes = _Changes(past, was, chronicle, decided) if was is not None else None
    judged: dict[int, Judged] = {}
    for number in sorted(_concerned(chronicle, decided)):
        ruling = chronicle.ruling(number)
        if ruling is not None and past.stands(number):
            shared.place = of(number)
            if changes is not None and number not in decided and not changes.concern(ruling):
                continue
            replayed, table = past.replayed(ruling)
            as_recorded = past.as_recorded(ruling, replayed.outcome)
            judged[number] = Judged(replayed.outcome, as_recorded, frozenset(table.reads), table.entries)
    shared.keep()
    return judged


class _Changes:
    """Which of what the rulings decided about tell of is not the same in both pasts: at their place, as that moves on.

    Later rulings keep what they recorded, so everything else is the same; and once nobody decided about anything that
    is told of it later, what is the same stays so.
    """

    def __init__(self, now: Side, was: Before, chronicle: Chronicle, decided: Collection[int]) -> None:
        self.now, self.was = now, Side(now.shared, was.standing)
        self.entries = was.entries
        self.differ = {cited(number) for number in decided}
        self.differ_in_entry: set[str] = set()
        self.last: dict[Subject, int] = {}
        self.noted: dict[Subject, tuple[int, int]] = {}
        self.subjects: dict[str, Subject] = {}
        for ruling in filter(None, map(chronicle.ruling, sorted(decided))):
            for subject, _ in ruling.facts:
                self.last[subject] = of(ruling.number)
        for subject in self.last:
            self.subjects.update(dict.fromkeys(_names(subject), subject))
            self.now.own(subject)
            self.was.own(subject)

    def concern(self, ruling: PastRuling) -> bool:
        """Whether anything that the ruling reads is different now."""
        reads, entries = ruling.reads, self.entries.get(ruling.number, NONE)
        for subject in {self.subjects[name] for name in reads if name in self.subjects}:
            self._note(subject)
        if self.differ.isdisjoint(reads):
            return False
        return not (self.differ.isdisjoint(reads - entries) and self.differ_in_entry.isdisjoint(entries))

    def _note(self, subject: Subject) -> None:
        for past in (self.now, self.was):
            past.find(subject)
        reached = self.now.reached[subject], self.was.reached[subject]
        if self.noted.get(subject) == reached:
            return
        self.noted[subject] = reached
        note(self.differ, subject, self.now, self.was)
        if self.now.told(subject).entry == self.was.told(subject).entry:
            self.differ_in_entry.discard(str(subject))
        else:
            self.differ_in_entry.add(str(subject))
        names = _names(subject)
        if self.now.shared.place > self.last[subject] and self.differ.isdisjoint(names):
            for name in names:
                del self.subjects[name]


def _names(subject: Subject) -> Collection[str]:
    """What a subject is read as."""
    return OF_THE_CARD if subject == CAMPAIGN else (str(subject),)


def _concerned(chronicle: Chronicle, decided: Collection[int]) -> set[int]:
    """Those decided about, and the later ones that read what any of them ever told of."""
    first = min(decided, default=0)
    names = {cited(number) for number in decided}
    for ruling in filter(None, map(chronicle.ruling, decided)):
        for subject, done in ruling.facts:
            names.add(str(subject))
            if subject == CAMPAIGN and type(done.fact) in KERNEL_FACTS:
                names.update(OF_THE_CARD)
    rows = (chronicle.readers[name] for name in names if name in chronicle.readers)
    return {*decided, *(number for row in rows for number in row if number > first)}
