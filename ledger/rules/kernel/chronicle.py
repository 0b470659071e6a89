"""The rulings of a campaign, with an index of the facts and rulings of each subject.

A comparison of two pasts uses the index to visit only the affected rulings, and to fold only the subjects that it
needs.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from ledger.rules.kernel.citations import is_citable
from ledger.rules.kernel.fold import Folded, Recorded
from ledger.rules.kernel.places import place_of
from ledger.rules.kernel.standing import Standing
from ledger.rules.kernel.subjects import CAMPAIGN, Subject
from ledger.rules.kernel.world import NOTHING, Past, PastRuling

if TYPE_CHECKING:
    from ledger.rules.kernel.comparison import Row


KEPT = 8  # the maximum number of states kept of one subject


class SubjectHistory:
    """The facts of a subject in order of play, from every revision, with the point of each fact (see `Chronicle`).

    `kept_states`: states of the subject, each with the number of facts in it, in ascending order.
    """

    __slots__ = ("facts", "kept_states", "points")

    def __init__(self) -> None:
        self.points = array("q")
        self.facts: list[Recorded] = []
        self.kept_states: list[tuple[int, Folded[Any]]] = []

    def keep_state(self, count: int, folded: Folded[Any]) -> None:
        """Keep the state after `count` facts. The caller must not change the state afterwards."""
        if all(count != kept_count for kept_count, _ in self.kept_states):
            insort(self.kept_states, (count, folded), key=itemgetter(0))
            if len(self.kept_states) > KEPT:
                del self.kept_states[1::2]

    def find_kept_state_before(self, point: int) -> tuple[int, Folded[Any]] | None:
        """Return the latest state kept before the point (a copy), with the number of facts in it, or None."""
        fact_count = bisect_left(self.points, point)
        for count, folded in reversed(self.kept_states):
            if count <= fact_count:
                return count, folded.copy()
        return None

    def find_first_standing_fact(self, revisions: Standing) -> tuple[int, int] | None:
        """Return the point and step of the first fact that stands, or None."""
        for point, record in zip(self.points, self.facts, strict=True):
            if revisions.get(record.ruling, 0) == record.revision:
                return point, record.step
        return None

    def drop_states_from(self, point: int) -> int:
        """Drop the states that include facts from the point on. Return the number of facts before the point."""
        first_index = bisect_left(self.points, point)
        self.kept_states = [(count, folded) for count, folded in self.kept_states if count <= first_index]
        return first_index

    def insert_fact(self, point: int, record: Recorded) -> int:
        """Insert a fact in the order of play. Return the number of facts before it."""
        index = bisect_right(self.points, point)
        while index and self.points[index - 1] == point and self.facts[index - 1].step > record.step:
            index -= 1
        self.points.insert(index, point)
        self.facts.insert(index, record)
        return index

    def replace_facts_at(self, point: int, facts: Iterable[Recorded]) -> None:
        """Replace the facts at the point, and drop the states that include them."""
        first_index, end_index, new_facts = (
            self.drop_states_from(point),
            bisect_left(self.points, point + 1),
            list(facts),
        )
        self.facts[first_index:end_index] = new_facts
        self.points[first_index:end_index] = array("q", [point] * len(new_facts))


class Chronicle:
    """The rulings after a beginning, in order of play.

    - `start`: the beginning; it never changes.
    - `places`: the rulings' places in play.
    - `readers`: by name of a subject or option, the places of the rulings that read it.
    - `writers`: by name of a subject, the places of the rulings that recorded facts about it.
    - `untouched_rows`: rows for rulings without differences, as far as they have been computed.
    - `bases`: for each ruling entered late, the ruling that it follows.

    Each place has two points. Twice the place is the point just before its ruling. The next number is the point of the
    ruling's own facts.
    """

    def __init__(self, start: Past, rulings: Iterable[PastRuling] = ()) -> None:
        self.start = start
        self.rulings: list[PastRuling] = []
        self.places = array("q")
        self.bases: dict[int, int] = {}
        self.histories: dict[Subject, SubjectHistory] = {}
        self.seats = [subject for subject in start.folded if subject.kind == "seat"]
        self.readers: dict[str, array[int]] = {}
        self.writers: dict[str, array[int]] = {}
        self.untouched_rows: list[Row] = []
        for ruling in rulings:
            self.add_ruling(ruling)

    def add_ruling(self, ruling: PastRuling) -> None:
        """Add the next ruling in play."""
        place = ruling.place
        self.rulings.append(ruling)
        self.places.append(place)
        if ruling.after:
            self.bases[ruling.number] = ruling.after
        for name in ruling.reads:
            _note_place(self.readers, name, place)
        for point, facts in ((get_point_before(place), ruling.before), (get_point_of(place), ruling.facts)):
            for subject, record in facts:
                history = self._get_history(subject)
                history.points.append(point)
                history.facts.append(record)
        for subject in {subject for subject, _ in ruling.facts}:
            _note_place(self.writers, str(subject), place)

    def replace_ruling(self, ruling: PastRuling) -> None:
        """Replace a ruling after a later decision about it."""
        place, index = ruling.place, self.find_index(ruling.place)
        previous_ruling, self.rulings[index] = self.rulings[index], ruling
        subjects = {subject for subject, _ in ruling.facts}
        for subject in {*subjects, *(subject for subject, _ in previous_ruling.facts)}:
            self._get_history(subject).replace_facts_at(
                get_point_of(place), [record for fact_subject, record in ruling.facts if fact_subject == subject]
            )
        for name in ruling.reads - previous_ruling.reads:
            _note_place(self.readers, name, place)
        for subject in subjects - {subject for subject, _ in previous_ruling.facts}:
            _note_place(self.writers, str(subject), place)
        del self.untouched_rows[index:]

    def find_ruling(self, number: int) -> PastRuling | None:
        """Return the ruling with this number, or None."""
        index = self.find_index(self.find_place(number))
        ruling = self.rulings[index] if index < len(self.rulings) else None
        return ruling if ruling is not None and ruling.number == number else None

    def add_reads(self, number: int, names: frozenset[str]) -> PastRuling:
        """Add names to the reads of a ruling, and return the ruling."""
        index = self.find_index(self.find_place(number))
        ruling = self.rulings[index]
        ruling_with_reads = self.rulings[index] = replace(ruling, reads=ruling.reads | names)
        for name in names - ruling.reads:
            _note_place(self.readers, name, ruling.place)
        del self.untouched_rows[index:]
        return ruling_with_reads

    def _get_history(self, subject: Subject) -> SubjectHistory:
        history = self.histories.get(subject)
        if history is None:
            history = self.histories[subject] = SubjectHistory()
            if subject.kind == "seat" and subject not in self.seats:
                self.seats.append(subject)
        return history

    def find_place(self, number: int) -> int:
        """Return the place in play of the ruling with this number."""
        return place_of(number, self.bases.get(number, 0))

    def find_index(self, place: int) -> int:
        """Return the index of the first ruling at or after this place."""
        return bisect_left(self.places, place)

    def list_subjects(self) -> Iterator[Subject]:
        yield from self.start.folded
        yield from (subject for subject in self.histories if subject not in self.start.folded)


def _note_place(places_by_name: dict[str, array[int]], name: str, place: int) -> None:
    places = places_by_name.get(name)
    if places is None:
        places = places_by_name[name] = array("q")
    if places and places[-1] >= place:
        if places[bisect_left(places, place)] != place:
            insort(places, place)
    else:
        places.append(place)


def get_point_before(place: int) -> int:
    """Return the point just before the ruling at this place."""
    return 2 * place


def get_point_of(place: int) -> int:
    """Return the point of the facts of the ruling at this place."""
    return 2 * place + 1


class Shared(Past):
    """The common part of two pasts, up to a point. Each subject is folded when it is needed.

    `starts_from_kept`: whether to start from the states that the chronicle keeps. If so, the chronicle must know every
    decision.
    """

    def __init__(
        self, chronicle: Chronicle, revisions: Standing, point: int, *, starts_from_kept: bool = False
    ) -> None:
        super().__init__(chronicle.start.ruleset, revisions)
        self.chronicle = chronicle
        self.starts_from_kept = starts_from_kept
        self.point = point
        self.folded_counts: dict[Subject, int] = {}

    @property
    def folded(self) -> Mapping[Subject, Folded[Any]]:
        """Fold and return all subjects."""
        pairs = ((subject, self.find(subject)) for subject in self.list_subjects())
        return {subject: folded for subject, folded in pairs if folded is not None}

    def list_subjects(self) -> Iterable[Subject]:
        return self.chronicle.list_subjects()

    def find(self, subject: Subject) -> Folded[Any] | None:
        if subject not in self.folded_counts:
            self._begin_subject(subject)
        self.catch_up(subject, self.point)
        return self._folded.get(subject)

    def _begin_subject(self, subject: Subject) -> None:
        history = self.chronicle.histories.get(subject) if self.starts_from_kept else None
        kept_state = history.find_kept_state_before(self.point) if history is not None else None
        if kept_state is not None:
            self.folded_counts[subject], self._folded[subject] = kept_state
            return
        self.folded_counts[subject] = 0
        folded = self.chronicle.start.folded.get(subject)
        if folded is not None:
            self._folded[subject] = folded.copy()

    def keep(self) -> None:
        """Keep the state of every subject that was read. This past must not be used afterwards."""
        for subject, count in self.folded_counts.items():
            if count and subject in self._folded:
                self.chronicle.histories[subject].keep_state(count, self._folded[subject])

    def catch_up(self, subject: Subject, point: int) -> bool:
        """Fold the subject's facts before the point. Return whether there were any."""
        history, folded_count = self.chronicle.histories.get(subject), self.folded_counts[subject]
        if history is None or folded_count == len(history.points) or history.points[folded_count] >= point:
            return False
        end_index = self.folded_counts[subject] = bisect_left(history.points, point, folded_count)
        self.apply_facts_about(subject, history.facts[folded_count:end_index])
        return True

    def seats(self) -> Sequence[Subject]:
        return [subject for subject in self.chronicle.seats if self.find(subject) is not None]

    def _note_citable(self, subject: Subject, record: Recorded) -> None:
        """Do nothing, because `cited` reads the chronicle."""

    def cited(self, number: int) -> Sequence[tuple[Subject, Recorded]]:
        ruling = self.chronicle.find_ruling(number)
        return self._select_citable(ruling.facts) if ruling is not None else ()

    def _select_citable(self, facts: Iterable[tuple[Subject, Recorded]]) -> list[tuple[Subject, Recorded]]:
        revisions, ruleset = self.revisions, self.ruleset
        return [
            (subject, record)
            for subject, record in facts
            if revisions.get(record.ruling, 0) == record.revision and is_citable(ruleset, record.fact)
        ]


class Side(Shared):
    """One of two pasts that are compared.

    `shared`: their common part. Call `fold_separately` on both sides before a subject first differs.
    """

    def __init__(self, shared: Shared, revisions: Standing, fixed_options: Mapping[str, Any] = NOTHING) -> None:
        super().__init__(shared.chronicle, revisions, 0)
        self.shared, self.fixed_options = shared, fixed_options
        self.first_points: dict[Subject, tuple[int, int]] = {}
        self._replacements: dict[int, Sequence[tuple[Subject, Recorded]]] = {}
        if fixed_options:
            self.fold_separately(CAMPAIGN)
            self._fix_options()

    def find(self, subject: Subject) -> Folded[Any] | None:
        if subject not in self.folded_counts:
            return self.shared.find(subject)
        self.catch_up(subject, self.shared.point)
        return self._folded.get(subject)

    def list_subjects(self) -> Iterable[Subject]:
        return dict.fromkeys([*super().list_subjects(), *self.first_points])

    def told(self, subject: Subject) -> Folded[Any]:
        return self.find(subject) or Folded(self.ruleset, subject)

    def fold_separately(self, subject: Subject) -> None:
        """From here on, fold the subject separately from the common part."""
        if subject in self.folded_counts:
            self.catch_up(subject, self.shared.point)
            return
        folded = self.shared.find(subject)
        self.folded_counts[subject] = self.shared.folded_counts[subject]
        if folded is not None:
            self._folded[subject] = folded.copy()

    def tell(self, facts: Iterable[tuple[Subject, Recorded]]) -> None:
        """Add facts that the chronicle does not have, at the current point."""
        facts = list(facts)
        for subject, record in facts:
            self.fold_separately(subject)
            if subject not in self._folded:
                self.first_points.setdefault(subject, (self.shared.point, record.step))
        super().tell(facts)

    def replace_facts(self, ruling: PastRuling, facts: Sequence[tuple[Subject, Recorded]]) -> None:
        """Use these facts in place of the ruling's own."""
        self._replacements[ruling.number] = facts
        for subject in {subject for subject, _ in (*ruling.facts, *facts)}:
            self.fold_separately(subject)
            if (history := self.chronicle.histories.get(subject)) is not None:
                self.folded_counts[subject] = bisect_left(
                    history.points, get_point_of(ruling.place) + 1, self.folded_counts[subject]
                )
        self.tell(facts)

    def cited(self, number: int) -> Sequence[tuple[Subject, Recorded]]:
        return (
            self._select_citable(self._replacements[number]) if number in self._replacements else super().cited(number)
        )

    def make_order_key(self, subject: Subject) -> tuple[int, int, int, Subject] | None:
        """Return a key that sorts subjects by when they began in this past, or None if the subject did not begin."""
        if subject in self.chronicle.start.folded:
            return 0, 0, list(self.chronicle.start.folded).index(subject), subject
        history = self.chronicle.histories.get(subject)
        first_recorded = history.find_first_standing_fact(self.revisions) if history is not None else None
        first_points = [
            point_and_step
            for point_and_step in (first_recorded, self.first_points.get(subject))
            if point_and_step is not None
        ]
        if not first_points:
            return None
        point, step = min(first_points)
        return point, step, 0 if point % 2 else list(self.chronicle.histories).index(subject), subject
