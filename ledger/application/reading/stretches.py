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
from ledger.events.records import MARKS
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.subjects import Subject

#: With its version in the stream.
VersionedBody: TypeAlias = tuple[int, Body[Any]]


def load_subjects_at(book: Book, subjects: Iterable[Subject], moment: Moment) -> dict[Subject, tuple[Folded[Any], int]]:
    """Return each subject as of the moment, and how many of its events count there. One round trip for all."""
    return {
        subject: stretch.fold_at(moment)
        for subject, stretch in load_stretches(book, subjects, moment, moment.ruling).items()
    }


def load_stretches(
    book: Book, subjects: Iterable[Subject], first_moment: Moment, last_ruling: int
) -> dict[Subject, Stretch]:
    """Return what of each subject lies between a moment and a ruling. One round trip."""
    stretches = {subject: Stretch(book, subject, first_moment, last_ruling) for subject in subjects}
    if stretches:
        read_stretches(book, stretches.values())
    return stretches


def read_stretches(book: Book, stretches: Iterable[Stretch]) -> None:
    stretches_by_stream = {stretch.stream: stretch for stretch in stretches}
    spans = [span for stretch in stretches_by_stream.values() for span in stretch.list_spans()]
    for row in book.recorder.select_spans(spans) if spans else ():
        event = book.read_event(row)
        stretches_by_stream[event.originator_id].add_event(event.originator_version, event.body)
    for stretch in stretches_by_stream.values():
        stretch.finish_reading()


class Stretch:
    """A subject between two places. Ask `at` for one place after another, in order of play.

    It begins at the kept state from which the `first` moment is reached, and holds the events up to the `last` ruling.
    If a place cannot be reached from there (something earlier was decided about since), it is read again.
    """

    def __init__(self, book: Book, subject: Subject, first_moment: Moment, last_ruling: int) -> None:
        self.book = book
        self.subject = subject
        self.last_ruling = last_ruling
        self.stream = name_subject_stream(book.id, subject)
        self.live_stream = book.load_stream(subject)
        self.states: KeptStates = self.live_stream.kept_states
        self._begin(first_moment)

    def _begin(self, moment: Moment) -> None:
        standing_revisions = self._find_standing_revisions(moment)
        self.start: Kept | None = self.states.find_kept_state_before(
            moment.ruling, self._count_openings(moment), standing_revisions
        )
        self.keeping: Keeping | None = None
        self.reached_ruling = -1
        self.bodies: list[VersionedBody] = []
        self._versions_read: set[int] = set()
        self._row_count = 0

    def _find_standing_revisions(self, moment: Moment) -> dict[int, int | None]:
        return self.states.find_standing_revisions(moment.position if moment.recorded else None)

    def _count_openings(self, moment: Moment) -> int:
        return bisect_right(self.states.openings, moment.position, key=lambda opening: opening[0])

    # --- reading ---

    def list_spans(self) -> list[tuple[str, int, int]]:
        """Return what to read: up to the next kept state, and what was recorded there out of order."""
        states, start = self.states, self.start
        version_read = start.version if start is not None else 0
        version_there = states.find_last_version(self.last_ruling)
        last_version = version_there if version_there is not None else self.live_stream.version
        first_ruling = start.ruling if start is not None else -1
        versions_out_of_order = [
            later_fact.version
            for later_fact in states.later_facts
            if first_ruling < later_fact.ruling <= self.last_ruling
        ]
        versions_out_of_order += [version for _, version in states.openings]
        single_spans = [
            (self.stream, version - 1, version)
            for version in versions_out_of_order
            if not version_read < version <= last_version
        ]
        return [*([(self.stream, version_read, last_version)] if last_version > version_read else []), *single_spans]

    def add_event(self, version: int, body: Body[Any]) -> None:
        """Add an event that was read."""
        self._row_count += 1
        is_mark = isinstance(body.fact, MARKS)
        first_ruling = self.start.ruling if self.start is not None else 0
        if (
            not is_mark
            and version not in self._versions_read
            and (not body.ruling or first_ruling < body.ruling <= self.last_ruling)
        ):
            self._versions_read.add(version)
            self.bodies.append((version, body))

    def finish_reading(self) -> None:
        """Finish after the last row. Unsound if something is missing."""
        if self._row_count < sum(last - after for _, after, last in self.list_spans()):
            raise self.book.make_mismatch_error(self.stream)
        self.bodies.sort(key=lambda fact: (fact[1].ruling, fact[1].step))

    # --- folding ---

    def fold_at(self, moment: Moment) -> tuple[Folded[Any], int]:
        """Return the subject as of the moment, and how many of its events count there. The next call changes it."""
        standing_revisions, opening_count = self._find_standing_revisions(moment), self._count_openings(moment)
        if not self._can_continue(moment, opening_count, standing_revisions):
            self._restart_folding(moment, opening_count, standing_revisions)
        keeping = self.keeping
        assert keeping is not None
        keeping.standing = standing_revisions
        for version, body in self._list_bodies_between(self.reached_ruling, moment.ruling):
            if body.ruling or body.position <= moment.position:
                keeping.apply_event(version, body)
        self.reached_ruling = moment.ruling
        return keeping.folded, self._count_events(moment, opening_count)

    def _can_continue(self, moment: Moment, opening_count: int, standing_revisions: Mapping[int, int | None]) -> bool:
        keeping = self.keeping
        return (
            keeping is not None
            and self.reached_ruling <= moment.ruling
            and keeping.opening_count == opening_count
            and limit_standing_to(keeping.standing, self.reached_ruling)
            == limit_standing_to(standing_revisions, self.reached_ruling)
        )

    def _restart_folding(
        self, moment: Moment, opening_count: int, standing_revisions: Mapping[int, int | None]
    ) -> None:
        start = self.start
        if start is not None and not (
            start.ruling <= moment.ruling
            and start.opening_count == opening_count
            and start.standing == limit_standing_to(standing_revisions, start.ruling)
        ):
            self._begin(moment)
            read_stretches(self.book, [self])
            start = self.start
        folded = start.folded.copy() if start is not None else Folded(self.book.ruleset, self.subject)
        self.keeping = Keeping(self.states, folded, standing_revisions, start)
        self.reached_ruling = start.ruling if start is not None else -1

    def _list_bodies_between(self, first_ruling: int, last_ruling: int) -> list[VersionedBody]:
        place = bisect_right(self.bodies, first_ruling, key=lambda fact: fact[1].ruling)
        return self.bodies[place : bisect_right(self.bodies, last_ruling, key=lambda fact: fact[1].ruling)]

    def _count_events(self, moment: Moment, opening_count: int) -> int:
        states = self.states
        known_position = moment.position if moment.recorded else self.book.campaign.position
        latest_version = self.start.version if self.start is not None else 0
        for version, body in self._list_bodies_between(0, moment.ruling):
            if not body.revision:
                latest_version = max(latest_version, version)
        versions_out_of_order = [version for _, version in states.openings]
        versions_out_of_order += [later_fact.version for later_fact in states.later_facts]
        versions_out_of_order += {change.version for change in states.standing_changes}
        in_order_count = latest_version - sum(version <= latest_version for version in versions_out_of_order)
        change_count = len({change.version for change in states.standing_changes if change.position <= known_position})
        later_count = sum(
            later_fact.ruling <= moment.ruling and later_fact.position <= known_position
            for later_fact in states.later_facts
        )
        return in_order_count + opening_count + change_count + later_count


def list_facts_of_ruling(stretch: Stretch, number: int) -> list[VersionedBody]:
    """Return what the ruling recorded about the subject, in every revision."""
    place = bisect_left(stretch.bodies, number, key=lambda fact: fact[1].ruling)
    return stretch.bodies[place : bisect_right(stretch.bodies, number, key=lambda fact: fact[1].ruling)]
