"""Subjects at places in play, from the nearest kept states: only the events in between are read and folded."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from ledger.aggregates.campaign import name_subject_stream
from ledger.aggregates.kept_states import Keeping, Kept, KeptStates, limit_standing_to
from ledger.application.book import Book
from ledger.application.reading.moments import Moment
from ledger.events.envelope import Body
from ledger.events.records import Restored, Struck
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.subjects import Subject

#: With its version in the stream.
VersionedBody: TypeAlias = tuple[int, Body[Any]]


def load_subjects_at(book: Book, subjects: Iterable[Subject], when: Moment) -> dict[Subject, tuple[Folded[Any], int]]:
    """Return each subject as of the moment, and how many of its events count there. One round trip for all."""
    return {
        subject: stretch.fold_at(when) for subject, stretch in load_stretches(book, subjects, when, when.ruling).items()
    }


def load_stretches(book: Book, subjects: Iterable[Subject], first: Moment, last: int) -> dict[Subject, Stretch]:
    """Return what of each subject lies between a moment and a ruling. One round trip."""
    by_subject = {subject: Stretch(book, subject, first, last) for subject in subjects}
    if by_subject:
        read_stretches(book, by_subject.values())
    return by_subject


def read_stretches(book: Book, wanted: Iterable[Stretch]) -> None:
    by_stream = {stretch.stream: stretch for stretch in wanted}
    spans = [span for stretch in by_stream.values() for span in stretch.list_spans()]
    for row in book.recorder.select_spans(spans) if spans else ():
        event = book.read_event(row)
        by_stream[event.originator_id].add_event(event.originator_version, event.body)
    for stretch in by_stream.values():
        stretch.finish()


class Stretch:
    """A subject between two places. Ask `at` for one place after another, in order of play.

    It begins at the kept state from which the `first` moment is reached, and holds the events up to the `last` ruling.
    If a place cannot be reached from there (something earlier was decided about since), it is read again.
    """

    def __init__(self, book: Book, subject: Subject, first: Moment, last: int) -> None:
        self.book = book
        self.subject = subject
        self.last = last
        self.stream = name_subject_stream(book.id, subject)
        self.live = book.load_stream(subject)
        self.states: KeptStates = self.live.kept_states
        self._begin(first)

    def _begin(self, when: Moment) -> None:
        standing = self._find_standing(when)
        self.start: Kept | None = self.states.find_kept_state_before(when.ruling, self._count_openings(when), standing)
        self.keeping: Keeping | None = None
        self.reached = -1
        self.bodies: list[VersionedBody] = []
        self._read: set[int] = set()
        self._rows = 0

    def _find_standing(self, when: Moment) -> dict[int, int | None]:
        return self.states.find_standing_revisions(when.position if when.recorded else None)

    def _count_openings(self, when: Moment) -> int:
        return bisect_right(self.states.openings, when.position, key=lambda opening: opening[0])

    # --- reading ---

    def list_spans(self) -> list[tuple[str, int, int]]:
        """Return what to read: up to the next kept state, and what was recorded there out of order."""
        states, start = self.states, self.start
        after = start.version if start is not None else 0
        until = states.find_last_version(self.last)
        last = until if until is not None else self.live.version
        first_ruling = start.ruling if start is not None else -1
        out_of_order = [
            later_fact.version for later_fact in states.later_facts if first_ruling < later_fact.ruling <= self.last
        ]
        out_of_order += [version for _, version in states.openings]
        single_spans = [(self.stream, version - 1, version) for version in out_of_order if not after < version <= last]
        return [*([(self.stream, after, last)] if last > after else []), *single_spans]

    def add_event(self, version: int, body: Body[Any]) -> None:
        """Add an event that was read."""
        self._rows += 1
        is_mark = isinstance(body.fact, Struck | Restored)
        first_ruling = self.start.ruling if self.start is not None else 0
        if not is_mark and version not in self._read and (not body.ruling or first_ruling < body.ruling <= self.last):
            self._read.add(version)
            self.bodies.append((version, body))

    def finish(self) -> None:
        """Finish after the last row. Unsound if something is missing."""
        if self._rows < sum(last - after for _, after, last in self.list_spans()):
            raise self.book.find_mismatch(self.stream)
        self.bodies.sort(key=lambda fact: (fact[1].ruling, fact[1].step))

    # --- folding ---

    def fold_at(self, when: Moment) -> tuple[Folded[Any], int]:
        """Return the subject as of the moment, and how many of its events count there. The next call changes it."""
        standing, openings = self._find_standing(when), self._count_openings(when)
        if not self._can_continue(when, openings, standing):
            self._restart(when, openings, standing)
        keeping = self.keeping
        assert keeping is not None
        keeping.standing = standing
        for version, body in self._list_between(self.reached, when.ruling):
            if body.ruling or body.position <= when.position:
                keeping.apply_event(version, body)
        self.reached = when.ruling
        return keeping.folded, self._count_events(when, openings)

    def _can_continue(self, when: Moment, openings: int, standing: Mapping[int, int | None]) -> bool:
        keeping = self.keeping
        return (
            keeping is not None
            and self.reached <= when.ruling
            and keeping.openings == openings
            and limit_standing_to(keeping.standing, self.reached) == limit_standing_to(standing, self.reached)
        )

    def _restart(self, when: Moment, openings: int, standing: Mapping[int, int | None]) -> None:
        start = self.start
        if start is not None and not (
            start.ruling <= when.ruling
            and start.openings == openings
            and start.standing == limit_standing_to(standing, start.ruling)
        ):
            self._begin(when)
            read_stretches(self.book, [self])
            start = self.start
        folded = start.folded.copy() if start is not None else Folded(self.book.ruleset, self.subject)
        self.keeping = Keeping(self.states, folded, standing, start)
        self.reached = start.ruling if start is not None else -1

    def _list_between(self, after: int, last: int) -> list[VersionedBody]:
        place = bisect_right(self.bodies, after, key=lambda fact: fact[1].ruling)
        return self.bodies[place : bisect_right(self.bodies, last, key=lambda fact: fact[1].ruling)]

    def _count_events(self, when: Moment, openings: int) -> int:
        states = self.states
        known_position = when.position if when.recorded else self.book.campaign.position
        latest = self.start.version if self.start is not None else 0
        for version, body in self._list_between(0, when.ruling):
            if not body.revision:
                latest = max(latest, version)
        out_of_order = [version for _, version in states.openings]
        out_of_order += [later_fact.version for later_fact in states.later_facts]
        out_of_order += [turn.version for turn in states.turns]
        in_order = latest - sum(version <= latest for version in out_of_order)
        turns = sum(turn.position <= known_position for turn in states.turns)
        later_count = sum(
            later_fact.ruling <= when.ruling and later_fact.position <= known_position
            for later_fact in states.later_facts
        )
        return in_order + openings + turns + later_count


def list_facts(stretch: Stretch, number: int) -> list[VersionedBody]:
    """Return what the ruling recorded about the subject, in every revision."""
    place = bisect_left(stretch.bodies, number, key=lambda fact: fact[1].ruling)
    return stretch.bodies[place : bisect_right(stretch.bodies, number, key=lambda fact: fact[1].ruling)]
