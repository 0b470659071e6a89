"""Read and fold subjects at places in play. Each fold starts from the nearest kept state, so fewer events are read."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any, TypeAlias

from ledger.aggregates.campaign import name_subject_stream
from ledger.aggregates.kept_states import Keeping, Kept, KeptStates, limit_standing_to
from ledger.application.book import Book
from ledger.application.reading.moments import Moment
from ledger.events.envelope import Body
from ledger.events.records import MARKS
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.places import find_base, place_of
from ledger.rules.kernel.subjects import Subject

#: An event's body with its version in the stream.
VersionedBody: TypeAlias = tuple[int, Body[Any]]
PLACE_AND_STEP = itemgetter(0, 1)


def load_subjects_at(book: Book, subjects: Iterable[Subject], moment: Moment) -> dict[Subject, tuple[Folded[Any], int]]:
    """Return each subject as of the moment, and its version then. All are read in one round trip."""
    return {
        subject: stretch.fold_at(moment)
        for subject, stretch in load_stretches(book, subjects, moment, moment.place).items()
    }


def load_stretches(
    book: Book, subjects: Iterable[Subject], first_moment: Moment, last_place: int
) -> dict[Subject, Stretch]:
    """Return the stretch of each subject between a moment and a place in play. All are read in one round trip."""
    stretches = {subject: Stretch(book, subject, first_moment, last_place) for subject in subjects}
    if stretches:
        fill_stretches(book, stretches.values())
    return stretches


def fill_stretches(book: Book, stretches: Iterable[Stretch]) -> None:
    """Read the events of all stretches at once."""
    stretches_by_stream = {stretch.stream: stretch for stretch in stretches}
    spans = [span for stretch in stretches_by_stream.values() for span in stretch.list_spans()]
    for row in book.recorder.select_spans(spans) if spans else ():
        event = book.read_event(row)
        stretches_by_stream[event.originator_id].add_event(event.originator_version, event.body)
    for stretch in stretches_by_stream.values():
        stretch.finish_reading()


class Stretch:
    """A subject between two places in play. Call `fold_at` for one place after another, in order of play.

    If a decision about an earlier ruling makes a place impossible to reach, the subject is read again.
    """

    def __init__(self, book: Book, subject: Subject, first_moment: Moment, last_place: int) -> None:
        self.book = book
        self.subject = subject
        self.last_place = last_place
        self.stream = name_subject_stream(book.id, subject)
        self.live_stream = book.load_stream(subject)
        self.states: KeptStates = self.live_stream.kept_states
        self._begin(first_moment)

    def _begin(self, moment: Moment) -> None:
        standing_revisions = self._find_standing_revisions(moment)
        self.start_state: Kept | None = self.states.find_kept_state_before(
            moment.ruling, self._count_openings(moment), standing_revisions
        )
        self._first_place = place_of(self.start_state.ruling) if self.start_state is not None else -1
        self.fold: Keeping | None = None
        self.reached_place = -1
        self._read: list[tuple[int, int, VersionedBody]] = []  # place and step of each event
        self.bodies: list[VersionedBody] = []
        self._places: list[int] = []
        self._has_late_facts = any(later_fact.after for later_fact in self.states.later_facts)
        self._was_recorded = False
        self._versions_read: set[int] = set()
        self._row_count = 0

    def _find_standing_revisions(self, moment: Moment) -> dict[int, int | None]:
        return self.states.find_standing_revisions(moment.position if moment.recorded else None)

    def _count_openings(self, moment: Moment) -> int:
        return bisect_right(self.states.openings, moment.position, key=lambda opening: opening[0])

    # --- reading ---

    def list_spans(self) -> list[tuple[str, int, int]]:
        """Return the spans of events to read: from the start up to the next kept state, and the other events of this
        stretch, which were recorded out of order.
        """
        states, start_state = self.states, self.start_state
        version_read = start_state.version if start_state is not None else 0
        next_kept_version = states.find_last_version(find_base(self.last_place))
        last_version = next_kept_version if next_kept_version is not None else self.live_stream.version
        versions_out_of_order = [
            later_fact.version
            for later_fact in states.later_facts
            if self._first_place < place_of(later_fact.ruling, later_fact.after) <= self.last_place
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
        if isinstance(body.fact, MARKS) or version in self._versions_read:
            return
        place = place_of(body.ruling, body.after)
        if not body.ruling or self._first_place < place <= self.last_place:
            self._versions_read.add(version)
            self._read.append((place, body.step, (version, body)))

    def finish_reading(self) -> None:
        """Finish after the last row. Raise Unsound if something is missing."""
        if self._row_count < sum(last - after for _, after, last in self.list_spans()):
            raise self.book.make_mismatch_error(self.stream)
        self._read.sort(key=PLACE_AND_STEP)
        self._places = [place for place, _, _ in self._read]
        self.bodies = [versioned_body for _, _, versioned_body in self._read]

    # --- folding ---

    def fold_at(self, moment: Moment) -> tuple[Folded[Any], int]:
        """Return the subject as of the moment, and its version then. The next call changes the returned subject."""
        standing_revisions, opening_count = self._find_standing_revisions(moment), self._count_openings(moment)
        if not self._can_continue_folding(moment, opening_count, standing_revisions):
            self._restart_folding(moment, opening_count, standing_revisions)
        fold = self.fold
        assert fold is not None
        fold.standing = standing_revisions
        for version, body in self._list_bodies_between(self.reached_place, moment.place):
            if self._is_counted(body, moment):
                fold.apply_event(version, body)
        self.reached_place, self._was_recorded = moment.place, moment.recorded
        return fold.folded, self._count_events(moment, opening_count)

    def _is_counted(self, body: Body[Any], moment: Moment) -> bool:
        """Return whether the event counts at the moment. A fact outside rulings must have been recorded by then. At a
        moment as recorded, the same is true of a fact of a late entry.
        """
        if body.ruling and not (body.after and moment.recorded):
            return True
        return body.position <= moment.position

    def _can_continue_folding(
        self, moment: Moment, opening_count: int, standing_revisions: Mapping[int, int | None]
    ) -> bool:
        fold = self.fold
        if self._has_late_facts and (moment.recorded or self._was_recorded):
            return False  # meanwhile something may have been entered late before this place
        return (
            fold is not None
            and self.reached_place <= moment.place
            and fold.opening_count == opening_count
            and self._limit_standing(fold.standing) == self._limit_standing(standing_revisions)
        )

    def _limit_standing(self, standing: Mapping[int, int | None]) -> dict[int, int | None]:
        """Return the standing revisions of rulings up to the current place."""
        find_place = self.book.campaign.find_place
        return {number: revision for number, revision in standing.items() if find_place(number) <= self.reached_place}

    def _restart_folding(
        self, moment: Moment, opening_count: int, standing_revisions: Mapping[int, int | None]
    ) -> None:
        start_state = self.start_state
        if start_state is not None and not (
            start_state.ruling <= moment.ruling
            and start_state.opening_count == opening_count
            and start_state.standing == limit_standing_to(standing_revisions, start_state.ruling)
        ):
            self._begin(moment)
            fill_stretches(self.book, [self])
            start_state = self.start_state
        folded = start_state.folded.copy() if start_state is not None else Folded(self.book.ruleset, self.subject)
        self.fold = Keeping(self.states, folded, standing_revisions, start_state)
        self.reached_place = self._first_place

    def _list_bodies_between(self, first_place: int, last_place: int) -> list[VersionedBody]:
        """Return the events after the first place, up to the last place."""
        return self.bodies[bisect_right(self._places, first_place) : bisect_right(self._places, last_place)]

    def list_facts_at(self, place: int) -> list[VersionedBody]:
        """Return the events that the ruling at this place recorded about the subject, in every revision."""
        return self._list_bodies_between(place - 1, place)

    def _count_events(self, moment: Moment, opening_count: int) -> int:
        states = self.states
        known_position = moment.position if moment.recorded else self.book.campaign.position
        latest_version = self.start_state.version if self.start_state is not None else 0
        for version, body in self._list_bodies_between(0, moment.place):
            if not body.revision and not body.after:
                latest_version = max(latest_version, version)
        versions_out_of_order = [version for _, version in states.openings]
        versions_out_of_order += [later_fact.version for later_fact in states.later_facts]
        versions_out_of_order += {change.version for change in states.standing_changes}
        in_order_count = latest_version - sum(version <= latest_version for version in versions_out_of_order)
        change_count = len({change.version for change in states.standing_changes if change.position <= known_position})
        later_count = sum(
            place_of(later_fact.ruling, later_fact.after) <= moment.place and later_fact.position <= known_position
            for later_fact in states.later_facts
        )
        return in_order_count + opening_count + change_count + later_count


def list_facts_of_ruling(stretch: Stretch, number: int) -> list[VersionedBody]:
    """Return the events that the ruling recorded about the subject, in every revision."""
    return stretch.list_facts_at(stretch.book.campaign.find_place(number))
