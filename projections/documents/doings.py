"""Find the rulings that caused the differences between two points of a campaign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ledger.application import (
    Campaign,
    Moment,
    ShownRuling,
    Stretch,
    list_facts_of_ruling,
    load_rulings_at,
    load_stretches,
)
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.places import place_of_end
from ledger.rules.kernel.register import CampaignEntry
from ledger.rules.kernel.subjects import CAMPAIGN, Subject
from projections.documents.rulings import Ruling, make_stored_ruling_for_lens, show_ruling
from projections.documents.state_comparison import compare_documents, select_compared_fields
from projections.documents.states import describe_campaign_at
from projections.documents.subjects import Clock, Snapshot
from projections.redaction import Json, LiveLens

MOST_RULINGS = 200  # the most steps that are examined: the latest ones


class Step(NamedTuple):
    """A step on the way from one point to the other: a ruling, or (`is_decision`) a decision about a ruling."""

    moment: Moment
    ruling_number: int
    is_decision: bool = False


class _StreamSnapshot(Snapshot):
    """A point between the two points compared."""

    def __init__(self, lens: LiveLens, streams: Mapping[Subject, Stretch], moment: Moment) -> None:
        self.streams = streams
        super().__init__(lens, Clock(), moment)

    def load_folded(self, subject: Subject) -> tuple[Folded[object], int]:
        assert self.moment is not None
        return self.streams[subject].fold_at(self.moment)

    @property
    def dials(self) -> object:
        entry = self.campaign.entry
        return entry.dials if isinstance(entry, CampaignEntry) else None

    def get_document(self, subject: Subject) -> Json | None:
        """Return the document of the subject in `/state` at this point, or None."""
        entry = self.campaign.entry
        if not isinstance(entry, CampaignEntry) or (subject.kind == "scene" and subject.id not in entry.scenes):
            return None
        document = describe_campaign_at(self, entry) if subject == CAMPAIGN else self.describe_existing(subject)
        return select_compared_fields({**document}) if document is not None else None


class Causes:
    """The rulings between two points, with their changes. The points can be in either order."""

    def __init__(self, lens: LiveLens, clocks: Iterable[Clock], changed_subjects: Sequence[Subject]) -> None:
        self.lens = lens
        first_moment, last_moment = sorted((clock.find_moment(lens.book) for clock in clocks), key=_make_sort_key)
        start, steps, self.since = find_steps_between(lens.book.campaign, first_moment, last_moment)
        self._changes_by_subject: dict[str, list[tuple[str, int]]] = {}
        self._decided_rulings = self._load_known_rulings(step.ruling_number for step in steps if step.is_decision)
        if changed_subjects and steps:
            self._note_changes(start, steps, changed_subjects)

    def _load_known_rulings(self, numbers: Iterable[int]) -> dict[int, ShownRuling]:
        """Return the rulings that the viewer may know of, by number."""
        position = self.lens.book.campaign.position
        shown_rulings = load_rulings_at(self.lens.book, [(number, position) for number in dict.fromkeys(numbers)])
        return {
            shown_ruling.ruling.number: shown_ruling
            for shown_ruling in shown_rulings
            if self.lens.may_know(shown_ruling.ruling)
        }

    def _note_changes(self, start: Moment, steps: Sequence[Step], changed_subjects: Sequence[Subject]) -> None:
        book = self.lens.book
        seat_subjects = (
            [subject for subject in book.campaign.subjects if subject.kind == "seat"]
            if CAMPAIGN in changed_subjects
            else []
        )
        last_place = max(step.moment.place for step in steps)
        streams = load_stretches(book, dict.fromkeys([CAMPAIGN, *seat_subjects, *changed_subjects]), start, last_place)
        snapshot = _StreamSnapshot(self.lens, streams, start)
        dials, last_documents = (
            snapshot.dials,
            {subject: snapshot.get_document(subject) for subject in changed_subjects},
        )
        for step in steps:
            snapshot = _StreamSnapshot(self.lens, streams, step.moment)
            have_dials_changed = snapshot.dials is not dials
            dials = snapshot.dials
            for subject in changed_subjects:
                if (
                    have_dials_changed
                    or step.is_decision
                    or list_facts_of_ruling(streams[subject], step.ruling_number)
                    or subject.kind == "scene"
                ):
                    document_before, last_documents[subject] = last_documents[subject], snapshot.get_document(subject)
                    if self._may_name(step, streams[CAMPAIGN if have_dials_changed else subject]):
                        changes = self._changes_by_subject.setdefault(str(subject), [])
                        changes += [
                            (field_change[0], step.ruling_number)
                            for field_change in compare_documents(document_before, last_documents[subject])
                        ]

    def _may_name(self, step: Step, stretch: Stretch) -> bool:
        """Return whether the viewer may know that this step caused a change."""
        if step.is_decision:
            shown_ruling = self._decided_rulings.get(step.ruling_number)
            decisions = shown_ruling.ruling.decisions if shown_ruling is not None else ()
            return any(
                self.lens.may_see(decision.audience)
                for decision in decisions
                if decision.position == step.moment.position
            )
        return any(self.lens.may_see(body.audience) for _, body in list_facts_of_ruling(stretch, step.ruling_number))

    def list_causing_numbers(self, subject_key: str, field_path: str) -> list[int]:
        paths_and_numbers = self._changes_by_subject.get(subject_key, ())
        return sorted(
            {
                number
                for path, number in paths_and_numbers
                if path == field_path or (field_path and _are_nested(path, field_path))
            }
        )

    def show_rulings(self, numbers: Iterable[int]) -> list[Ruling]:
        """Return these rulings as they are now."""
        return [
            show_ruling(self.lens, make_stored_ruling_for_lens(self.lens, shown_ruling))
            for shown_ruling in self._load_known_rulings(sorted(numbers)).values()
        ]


def _make_sort_key(moment: Moment) -> tuple[bool, int, int]:
    """Return a key that sorts moments as recorded before those as corrected, each in order of play."""
    return not moment.recorded, moment.place, moment.position


def _are_nested(path: str, other_path: str) -> bool:
    """Return whether one of the paths is within the other."""
    return not path or path.startswith(f"{other_path}/") or other_path.startswith(f"{path}/")


def find_steps_between(campaign: Campaign, first_moment: Moment, last_moment: Moment) -> tuple[Moment, list[Step], int]:
    """Return the start, the steps from the start to the last moment, and the earliest ruling that they can contain. If
    there are too many steps, return only the latest, with a later start.
    """
    if first_moment.recorded != last_moment.recorded:  # the same point on both clocks
        place, positions = first_moment.place, campaign.ruling_positions
        changes = [
            (decision.position, decision.ruling, True)
            for decision in campaign.decisions
            if decision.position > first_moment.position and campaign.find_place(decision.ruling) <= place
        ]
        changes += [
            (positions[number - 1], number, False)
            for number in campaign.bases
            if positions[number - 1] > first_moment.position and campaign.find_place(number) <= place
        ]
        latest_changes = sorted(changes)[-MOST_RULINGS:]
        start = Moment(place, latest_changes[0][0] - 1, recorded=True) if latest_changes else first_moment
        return (
            start,
            [
                Step(Moment(place, position, True), number, is_decision)
                for position, number, is_decision in latest_changes
            ],
            1,
        )
    if not first_moment.recorded:
        return _find_steps_in_play(campaign, first_moment, last_moment)
    first_number = max(first_moment.ruling, last_moment.ruling - MOST_RULINGS) + 1
    start = (
        first_moment
        if first_number == first_moment.ruling + 1
        else Moment(place_of_end(first_number - 1), campaign.ruling_positions[first_number - 1] - 1, True)
    )
    steps = [
        Step(Moment(place_of_end(number), campaign.ruling_positions[number - 1], True), number)
        for number in range(first_number, last_moment.ruling + 1)
    ]
    steps += [
        Step(Moment(place_of_end(decision.after), decision.position, True), decision.ruling, True)
        for decision in campaign.decisions
        if start.position < decision.position <= last_moment.position
    ]
    return start, sorted(steps, key=lambda step: step.moment.position), first_number


def _find_steps_in_play(
    campaign: Campaign, first_moment: Moment, last_moment: Moment
) -> tuple[Moment, list[Step], int]:
    """Do the same as `find_steps_between` for two moments as corrected."""
    all_numbers = [
        number
        for number in campaign.sort_in_play({*range(first_moment.ruling, last_moment.ruling + 1), *campaign.bases})
        if first_moment.place < campaign.find_place(number) <= last_moment.place
    ]
    numbers = all_numbers[-MOST_RULINGS:]
    steps = [
        Step(Moment(campaign.find_place(number), campaign.ruling_positions[base - 1], False), number)
        for number in numbers
        for base in [campaign.bases.get(number, number)]
    ]
    if len(numbers) == len(all_numbers):
        return first_moment, steps, first_moment.ruling + 1
    first_step = steps[0].moment
    return Moment(first_step.place - 1, first_step.position - 1, False), steps, numbers[0]
