"""Find standing rulings that would have a different result today.

A ruling is correct if today's rules still give what it recorded. Only rulings that a decision may have changed are
judged again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from operator import attrgetter

from ledger.rules.kernel.adjudication import Outcome
from ledger.rules.kernel.chronicle import Chronicle, Shared, Side, get_point_before, get_point_of
from ledger.rules.kernel.citations import name_citation
from ledger.rules.kernel.comparison import note_differences
from ledger.rules.kernel.fold import KERNEL_FACTS
from ledger.rules.kernel.frozen import quick
from ledger.rules.kernel.known_comparison import NAMES_OF_CAMPAIGN
from ledger.rules.kernel.standing import Standing
from ledger.rules.kernel.subjects import CAMPAIGN, Subject
from ledger.rules.kernel.world import PastRuling

NONE: frozenset[str] = frozenset()
PLACE = attrgetter("place")


@quick
@dataclass(frozen=True, slots=True)
class Judged:
    """A ruling's outcome today, whether it matches the record, and what the ruling read.

    `entries`: the names of subjects that the ruling read only in part: the kernel's entry without the state.
    """

    outcome: Outcome
    as_recorded: bool
    reads: frozenset[str]
    entries: frozenset[str]


@quick
@dataclass(frozen=True, slots=True)
class Before:
    """The state before a decision: which revisions stood, and the `entries` of each ruling, by its number."""

    standing: Standing
    entries: Mapping[int, frozenset[str]]


def judge(
    chronicle: Chronicle, revisions: Standing, decided_numbers: Collection[int], before: Before | None = None
) -> Mapping[int, Judged]:
    """Return the outcomes of the rulings `decided_numbers`, and of later rulings that the decisions about them may
    change.

    `revisions`: the revisions that stand now. The chronicle must already know the decisions. With `before`, a ruling is
    skipped if nothing that it reads has changed.
    """
    first_point = get_point_before(min(map(chronicle.find_place, decided_numbers), default=0))
    shared = Shared(chronicle, revisions, first_point, starts_from_kept=True)
    past = Side(shared, revisions)
    changes = _Changes(past, before, chronicle, decided_numbers) if before is not None else None
    judgements: dict[int, Judged] = {}
    for ruling in _list_concerned_rulings(chronicle, decided_numbers):
        number = ruling.number
        if past.stands(number):
            shared.point = get_point_of(ruling.place)
            if changes is not None and number not in decided_numbers and not changes.is_affected(ruling):
                continue
            replayed, table = past.replay(ruling)
            is_as_recorded = past.is_as_recorded(ruling, replayed.outcome)
            judgements[number] = Judged(replayed.outcome, is_as_recorded, frozenset(table.reads), table.entries)
    shared.keep()
    return judgements


class _Changes:
    """The subjects that differ between now and before the decisions, up to the current place."""

    def __init__(self, side_now: Side, before: Before, chronicle: Chronicle, decided_numbers: Collection[int]) -> None:
        self.side_now, self.side_before = side_now, Side(side_now.shared, before.standing)
        self.entries = before.entries
        self.differing_names = {name_citation(number) for number in decided_numbers}
        self.names_differing_in_entry: set[str] = set()
        self.last_points: dict[Subject, int] = {}
        self.noted_counts: dict[Subject, tuple[int, int]] = {}
        self.subjects: dict[str, Subject] = {}
        for ruling in sorted(filter(None, map(chronicle.find_ruling, decided_numbers)), key=PLACE):
            for subject, _ in ruling.facts:
                self.last_points[subject] = get_point_of(ruling.place)
        for subject in self.last_points:
            self.subjects.update(dict.fromkeys(_list_names_read_for(subject), subject))
            self.side_now.fold_separately(subject)
            self.side_before.fold_separately(subject)

    def is_affected(self, ruling: PastRuling) -> bool:
        """Return whether anything that the ruling reads is different now."""
        reads, entries = ruling.reads, self.entries.get(ruling.number, NONE)
        for subject in {self.subjects[name] for name in reads if name in self.subjects}:
            self._update_differences(subject)
        if self.differing_names.isdisjoint(reads):
            return False
        return not (
            self.differing_names.isdisjoint(reads - entries) and self.names_differing_in_entry.isdisjoint(entries)
        )

    def _update_differences(self, subject: Subject) -> None:
        for side in (self.side_now, self.side_before):
            side.find(subject)
        folded_counts = self.side_now.folded_counts[subject], self.side_before.folded_counts[subject]
        if self.noted_counts.get(subject) == folded_counts:
            return
        self.noted_counts[subject] = folded_counts
        note_differences(self.differing_names, subject, self.side_now, self.side_before)
        if self.side_now.told(subject).entry == self.side_before.told(subject).entry:
            self.names_differing_in_entry.discard(str(subject))
        else:
            self.names_differing_in_entry.add(str(subject))
        names = _list_names_read_for(subject)
        if self.side_now.shared.point > self.last_points[subject] and self.differing_names.isdisjoint(names):
            for name in names:
                del self.subjects[name]


def _list_names_read_for(subject: Subject) -> Collection[str]:
    """Return the names under which rulings read the subject."""
    return NAMES_OF_CAMPAIGN if subject == CAMPAIGN else (str(subject),)


def _list_concerned_rulings(chronicle: Chronicle, decided_numbers: Collection[int]) -> list[PastRuling]:
    """Return the rulings with a decision, and the later rulings that read any of their subjects, in order of play."""
    decided_rulings = list(filter(None, map(chronicle.find_ruling, decided_numbers)))
    first_place = min(map(chronicle.find_place, decided_numbers), default=0)
    names = {name_citation(number) for number in decided_numbers}
    for ruling in decided_rulings:
        for subject, record in ruling.facts:
            names.add(str(subject))
            if subject == CAMPAIGN and type(record.fact) in KERNEL_FACTS:
                names.update(NAMES_OF_CAMPAIGN)
    place_rows = (chronicle.readers[name] for name in names if name in chronicle.readers)
    later_places = {place for row in place_rows for place in row if place > first_place}
    return [
        chronicle.rulings[chronicle.find_index(place)]
        for place in sorted({*map(PLACE, decided_rulings), *later_places})
    ]
