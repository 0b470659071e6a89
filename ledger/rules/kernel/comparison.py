"""Compare two pasts: find the result that every later ruling would have had if other rulings had stood.

The results of today's rules on one past are compared with their results on the other, never with the record. In both
pasts, later rulings keep the facts that they recorded.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from ledger.rules.kernel import facts, register
from ledger.rules.kernel.adjudication import Failed, Outcome, Waiting
from ledger.rules.kernel.chronicle import Chronicle, Shared, Side, get_point_before, get_point_of
from ledger.rules.kernel.citations import name_citation
from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.frozen import quick
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.standing import Standing
from ledger.rules.kernel.subjects import CAMPAIGN, GM_ONLY, Audience, Subject
from ledger.rules.kernel.world import Past, PastRuling, Revision

Standpoint: TypeAlias = Literal["stands", "changes", "loses support", "needs dice"]


@quick
@dataclass(frozen=True, slots=True)
class Row:
    """A later ruling in both pasts.

    - `now`, `then`: its outcomes, if they differ. For a ruling that would be reinstated, `now` is its recorded result.
    - `as_recorded`: whether the record has the outcome `then`, or will have it.
    - `older_edition`: whether the ruling was made under another edition of the rules.
    - `reruled`: whether the ruling gets the outcome `then`.
    """

    number: int
    standpoint: Standpoint
    now: Outcome | None
    then: Outcome | None
    as_recorded: bool
    older_edition: bool
    reruled: bool = False

    def find_audience(self) -> Audience:
        """Return who may know that the outcomes differ.

        If every difference is secret, return their common audience, or game masters if they have several audiences.
        Otherwise, return everybody.
        """
        outcome_now, outcome_then = self.now, self.then
        if not isinstance(outcome_now, Verdict) or not isinstance(outcome_then, Verdict):
            return None
        differing_facts = [fact for fact in outcome_now.facts if fact not in outcome_then.facts] + [
            fact for fact in outcome_then.facts if fact not in outcome_now.facts
        ]
        audiences = [fact.audience for fact in differing_facts if fact.audience is not None]
        if not differing_facts or len(audiences) < len(differing_facts):
            return None
        return audiences[0] if len(set(audiences)) == 1 else GM_ONLY


@dataclass(frozen=True, slots=True)
class Known:
    """What a viewer may know about a comparison. It is worked out only from what the viewer may know already.

    - `resting_numbers`: rulings about which the viewer learns nothing. They are not adjudicated, because the time taken
      would reveal something.
    - `uncertain_numbers`: the resting rulings, and all others whose results may differ.
    - `touched_names`: the names of subjects that may end differently.
    - `then`: the partly hidden subjects of the other past, with veils.
    - `possibly_changed_subjects`: subjects that a hidden fact may have changed in the other past.
    - `unsure_facts`: facts (subject, ruling, step). It is hidden from the viewer whether they fit the state.
    """

    resting_numbers: frozenset[int]
    uncertain_numbers: frozenset[int]
    touched_names: frozenset[str]
    then: Mapping[Subject, Any] = field(default_factory=dict)
    possibly_changed_subjects: frozenset[Subject] = frozenset()
    unsure_facts: frozenset[tuple[str, int, int]] = frozenset()


@dataclass(frozen=True, slots=True)
class Comparison:
    """Both pasts up to the end, a row for each later ruling that stands in the other past, and the number of
    adjudications.

    `reruled`: the rulings that are ruled again or recounted because of the decision, in order. `touched_names`: the
    names of subjects that may end differently, if the comparison is limited to a viewer's knowledge (`Known`).
    """

    now: Side
    then: Side
    rows: tuple[Row, ...]
    readjudicated_count: int
    reruled: tuple[Revision, ...] = ()
    touched_names: frozenset[str] | None = None

    def list_differing_subjects(self) -> list[Subject]:
        """Return the subjects that end differently, the oldest first. If `touched_names` is set, return those that may
        end differently.
        """
        now, then = self.now, self.then
        if self.touched_names is not None:
            candidates = [subject for subject in now.chronicle.list_subjects() if str(subject) in self.touched_names]
        else:
            candidates = [*now.folded_counts, *then.folded_counts]
        differing_subjects = [
            subject for subject in dict.fromkeys([*candidates, *then.first_points]) if self._differs(subject)
        ]
        order_keys = [
            (subject, now.make_order_key(subject), then.make_order_key(subject)) for subject in differing_subjects
        ]
        sorted_now = sorted((key, subject) for subject, key, _ in order_keys if key is not None)
        sorted_added = sorted((key, subject) for subject, other, key in order_keys if other is None and key is not None)
        return [subject for _, subject in (*sorted_now, *sorted_added)]

    def has_other_revision(self, number: int) -> bool:
        """Return whether different revisions of the ruling stand in the two pasts."""
        return self.now.revisions.get(number, 0) != self.then.revisions.get(number, 0)

    def _differs(self, subject: Subject) -> bool:
        return (
            not is_same(self.now, self.then, subject)
            if self.touched_names is None
            else str(subject) in self.touched_names
        )


@dataclass(frozen=True, slots=True)
class Other:
    """The differences of the other past: standing revisions, revised rulings, and options with fixed values.

    - `rerule`: whether later rulings get their outcome in the other past. Rulings of an older edition never do.
    - `openly`: whether `rerule` applies only to rulings whose difference everybody may see. Otherwise, the number of
      rulings with a new outcome could reveal something hidden.
    - `counts`: whether rulings that keep what they recorded are recounted.
    - `ends_before`: the other past ends before this ruling.
    """

    standing: Standing
    revised: Mapping[int, Revision] = field(default_factory=dict)
    fixed_options: Mapping[str, object] = field(default_factory=dict)
    rerule: bool = False
    openly: bool = False
    counts: bool = False
    ends_before: int | None = None


def compare(
    start: Past,
    history: Sequence[PastRuling],
    now: Standing,
    then: Standing | Other,
    *,
    skip: bool = True,
    known: Known | None = None,
) -> Comparison:
    """Compare both pasts from `start` to the end of the history.

    `skip`: whether to skip a ruling if nothing that it reads differs. `known`: adjudicate only what a viewer with this
    knowledge may know.
    """
    return compare_from(Chronicle(start, history), 0, now, then, skip=skip, known=known)


def compare_from(
    chronicle: Chronicle,
    first_number: int,
    now: Standing,
    then: Standing | Other,
    *,
    skip: bool = True,
    known: Known | None = None,
) -> Comparison:
    """Compare two pasts that are equal before the ruling `first_number`, using an existing chronicle."""
    other = then if isinstance(then, Other) else Other(then)
    pasts = _Pasts(chronicle, first_number, now, other, known)
    if other.ends_before is not None:
        pasts.end_before(other.ends_before)
    else:
        for ruling in (
            pasts.list_rulings_to_visit()
            if skip
            else chronicle.rulings[chronicle.find_index(chronicle.find_place(first_number)) :]
        ):
            pasts.add_ruling(ruling, may_skip_replay=skip)
    pasts.advance_to_end()
    touched_names = known.touched_names if known is not None else None
    rows = pasts.list_rows()
    return Comparison(pasts.now, pasts.then, rows, pasts.readjudicated_count, tuple(pasts.rerulings), touched_names)


class _Pasts:
    """Two pasts up to some ruling, and the differences between them so far."""

    def __init__(
        self, chronicle: Chronicle, first_number: int, now: Standing, other: Other, known: Known | None = None
    ) -> None:
        self.chronicle, self.first_place = chronicle, chronicle.find_place(first_number)
        self.other = other
        self.known = known
        self.shared = Shared(chronicle, now, get_point_before(self.first_place))
        self.now = Side(self.shared, now)
        self.then = Side(self.shared, other.standing, other.fixed_options)
        self.edition = chronicle.start.ruleset.edition
        self.first_decided_place = min(map(chronicle.find_place, (*now, *chronicle.bases)), default=None)
        self.rows: list[Row] = []
        self.rerulings: list[Revision] = []
        self.readjudicated_count = 0
        self.differing_names: set[str] = set()
        if known is not None:  # fold all subjects, because the time to fold only some could reveal hidden facts
            for subject in chronicle.list_subjects():
                self.now.fold_separately(subject)
                self.then.fold_separately(subject)
        if other.fixed_options:
            self.now.fold_separately(CAMPAIGN)
            note_differences(self.differing_names, CAMPAIGN, self.now, self.then)

    def list_rulings_to_visit(self) -> Iterator[PastRuling]:
        """Yield the rulings for which something differs or may differ."""
        chosen_places, chronicle, place = self._list_chosen_places(), self.chronicle, self.first_place
        while True:
            candidates = [_find_first_place_from(chosen_places, place)]
            for name in self.differing_names if self.known is None else ():
                candidates += [
                    _find_first_place_from(places_by_name[name], place)
                    for places_by_name in (chronicle.readers, chronicle.writers)
                    if name in places_by_name
                ]
            place = min((candidate for candidate in candidates if candidate is not None), default=0)
            if not place:
                return
            yield chronicle.rulings[chronicle.find_index(place)]
            place += 1

    def _list_chosen_places(self) -> list[int]:
        """Return the places of the rulings to visit in any case, in order."""
        standing_then = self.other.standing
        standing_now = self.now.revisions
        chosen_numbers = {
            number
            for number in {*standing_now, *standing_then}
            if standing_now.get(number, 0) != standing_then.get(number, 0)
        } | {*self.other.revised}
        if self.known is not None:
            chosen_numbers |= self.known.uncertain_numbers - self.known.resting_numbers
        chosen_places = set(map(self.chronicle.find_place, chosen_numbers))
        if self.known is not None:
            for name in self.known.touched_names:
                chosen_places.update(self.chronicle.writers.get(name, ()))
        places = self.chronicle.places
        return sorted(
            place
            for place in chosen_places
            if place >= self.first_place and places and places[0] <= place <= places[-1]
        )

    def add_ruling(self, ruling: PastRuling, *, may_skip_replay: bool) -> None:
        """Advance both pasts beyond this ruling, and note what differs.

        `may_skip_replay`: whether to skip the replay if nothing that the ruling reads differs.
        """
        number = ruling.number
        self.shared.point = get_point_of(ruling.place)
        revision = self.other.revised.get(number)
        if revision is not None:
            self._add_row_of_revised(ruling, revision)
        elif self.then.stands(number):
            revision = self._recount(ruling)
            revision = self._compare_ruling(ruling, revision, may_skip_replay=may_skip_replay) or revision
            if revision is not None:
                self.rerulings.append(revision)
        subjects = {subject for subject, _ in (*ruling.facts, *(revision.facts if revision is not None else ()))}
        if revision is not None or self.now.revisions.get(number, 0) != self.then.revisions.get(number, 0):
            if name_citation(number) in self.chronicle.readers:
                self.differing_names.add(name_citation(number))
            for subject in subjects:
                self.now.fold_separately(subject)
                self.then.fold_separately(subject)
        if revision is not None:
            self.then.replace_facts(ruling, revision.facts)
        self.shared.point = get_point_of(ruling.place) + 1
        for subject in subjects:
            if subject in self.then.folded_counts or subject in self.now.folded_counts:
                note_differences(self.differing_names, subject, self.now, self.then)

    def end_before(self, number: int) -> None:
        """Fold separately all subjects that this ruling or a later one changed."""
        point = get_point_of(self.chronicle.find_place(number))
        for subject, history in self.chronicle.histories.items():
            if history.points and history.points[-1] >= point:
                self.now.fold_separately(subject)
                self.then.fold_separately(subject)

    def advance_to_end(self) -> None:
        """Add all remaining facts, for all subjects."""
        self.shared.point = get_point_of(self.chronicle.places[-1]) + 1 if self.chronicle.places else self.shared.point
        if self.known is not None:
            for side in (self.now, self.then):
                for subject in self.chronicle.list_subjects():
                    side.find(subject)

    def list_rows(self) -> tuple[Row, ...]:
        """Return a row for every ruling that stands in the other past."""
        chronicle, first_index = self.chronicle, self.chronicle.find_index(self.first_place)
        for ruling in chronicle.rulings[len(chronicle.untouched_rows) :]:
            chronicle.untouched_rows.append(
                Row(ruling.number, "stands", None, None, False, ruling.edition != self.edition)
            )
        rows: list[Row | None] = [*chronicle.untouched_rows[first_index:]]
        for standing in (self.now.revisions, self.other.standing):
            for number in (number for number, revision in standing.items() if revision is None):
                self._put_row(rows, first_index, number, None)
        for row in self.rows:
            self._put_row(rows, first_index, row.number, row)
        return tuple(filter(None, rows))

    def _put_row(self, rows: list[Row | None], first_index: int, number: int, row: Row | None) -> None:
        place = self.chronicle.find_place(number)
        index = self.chronicle.find_index(place)
        if first_index <= index < first_index + len(rows) and self.chronicle.places[index] == place:
            rows[index - first_index] = row

    def _add_row_of_revised(self, ruling: PastRuling, revision: Revision) -> None:
        self.readjudicated_count += 1
        outcome_now, is_older = self.now.readjudicate(ruling), ruling.edition != self.edition
        standpoint = find_standpoint(outcome_now, revision.outcome)
        self.rows.append(Row(ruling.number, standpoint, outcome_now, revision.outcome, True, is_older))

    def _recount(self, ruling: PastRuling) -> Revision | None:
        """Return the recounted revision of the ruling, or None if its derived facts are as recorded."""
        if not self.other.counts:
            return None
        names = self.differing_names if self.known is None else self.known.touched_names
        is_touched = not self.now.stands(ruling.number) or any(str(subject) in names for subject, _ in ruling.facts)
        recounted_revision = self.then.recount(ruling) if is_touched else None
        if recounted_revision is not None:
            self.then.revisions[ruling.number] = recounted_revision.revision
        return recounted_revision

    def _compare_ruling(
        self, ruling: PastRuling, recounted_revision: Revision | None, *, may_skip_replay: bool
    ) -> Revision | None:
        """Add a row with the outcomes of the ruling in both pasts. If the ruling is ruled again, return its new
        revision.
        """
        is_older, is_reinstated = ruling.edition != self.edition, not self.now.stands(ruling.number)
        if (is_reinstated and is_older) or (may_skip_replay and self._may_skip(ruling)):
            self.rows.append(Row(ruling.number, "stands", None, None, False, is_older))
            return None
        replayed, table = self.then.replay(ruling)
        outcome_then = replayed.outcome
        recounted_ruling = ruling if recounted_revision is None else replace(ruling, facts=recounted_revision.facts)
        is_as_recorded = self.then.is_as_recorded(recounted_ruling, outcome_then) or (
            is_older and self._is_as_first_ruled(ruling)
        )
        self.readjudicated_count += 1
        if is_as_recorded and (
            is_reinstated or (may_skip_replay and recounted_revision is None and self._is_as_recorded_now(ruling))
        ):
            self.rows.append(Row(ruling.number, "stands", None, None, True, is_older))
            return None
        outcome_now: Outcome
        if is_reinstated:
            outcome_now = self.then.make_recorded_verdict(recounted_ruling)
        else:
            self.readjudicated_count += 1
            outcome_now = self.now.readjudicate(ruling)
        standpoint = find_standpoint(outcome_now, outcome_then)
        takes_new_outcome = (
            self.other.rerule and standpoint in ("changes", "loses support") and not (is_as_recorded or is_older)
        )
        if (
            not takes_new_outcome
            or isinstance(outcome_then, Failed)
            or not self._may_be_noticed(ruling, outcome_now, outcome_then)
        ):
            # equal outcomes are not kept, because they would slow down garbage collection
            shown_now, shown_then = (outcome_now, outcome_then) if standpoint != "stands" else (None, None)
            self.rows.append(Row(ruling.number, standpoint, shown_now, shown_then, is_as_recorded, is_older))
            return None
        self.rows.append(Row(ruling.number, standpoint, outcome_now, outcome_then, True, is_older, reruled=True))
        revision = self.then.make_revision(ruling, ruling.revision + 1, replayed, table)
        self.then.revisions[ruling.number] = revision.revision
        return revision

    def _is_as_first_ruled(self, ruling: PastRuling) -> bool:
        """Return whether the other past, up to the ruling, is as it was when the ruling was made."""
        find_place, place = self.chronicle.find_place, ruling.place
        decided_places = (find_place(number) for number, revision in self.then.revisions.items() if revision != 0)
        late_places = (find_place(number) for number in self.chronicle.bases if number > ruling.number)
        return not any(other_place < place for other_place in (*decided_places, *late_places))

    def _may_skip(self, ruling: PastRuling) -> bool:
        if self.known is None:
            return self.now.stands(ruling.number) and self.differing_names.isdisjoint(ruling.reads)
        return ruling.number in self.known.resting_numbers or ruling.number not in self.known.uncertain_numbers

    def _may_be_noticed(self, ruling: PastRuling, outcome_now: Outcome, outcome_then: Outcome) -> bool:
        """Return whether everybody may see that the ruling gets a new outcome. Without `openly`, always return True."""
        revision = self.then.revisions.get(ruling.number, 0)
        recorded_facts = [
            (subject, record.fact, record.postings)
            for subject, record in ruling.facts
            if record.revision == revision and record.audience is None and not isinstance(record.fact, facts.Leg)
        ]
        return not self.other.openly or list_open_facts(outcome_then) not in (
            list_open_facts(outcome_now),
            recorded_facts,
        )

    def _is_as_recorded_now(self, ruling: PastRuling) -> bool:
        """Return whether today's rules must give the recorded result, because there is no decision about any earlier
        ruling.
        """
        return ruling.edition == self.edition and (
            self.first_decided_place is None or ruling.place < self.first_decided_place
        )


def find_standpoint(outcome_now: Outcome, outcome_then: Outcome) -> Standpoint:
    """Return how the outcome of a ruling in the other past compares with its outcome now.

    Only facts are compared; derivations and audiences can differ.
    """
    match outcome_now, outcome_then:
        case Verdict(), Verdict():
            return "stands" if _list_essentials(outcome_now) == _list_essentials(outcome_then) else "changes"
        case Refused(), Refused() if outcome_now.same_as(outcome_then):
            return "stands"
        case Waiting(), Waiting() if outcome_now == outcome_then:
            return "stands"
        case _, Refused():
            return "loses support"
        case _, Waiting():
            return "needs dice"
        case _:
            return "changes"


def _list_essentials(verdict: Verdict[object]) -> list[tuple[object, ...]]:
    return [(fact.subject, fact.fact, fact.postings) for fact in verdict.facts]


def list_open_facts(outcome: Outcome) -> list[tuple[object, ...]]:
    """Return the facts that everybody may see; none for a refusal."""
    if not isinstance(outcome, Verdict) or outcome.audience is not None:
        return []
    return [(fact.subject, fact.fact, fact.postings) for fact in outcome.facts if fact.audience is None]


def is_same(past: Past, other: Past, subject: Subject) -> bool:
    """Return whether the subject is the same in both pasts. A subject without standing facts counts as never
    recorded.
    """
    return past.told(subject).same_as(other.told(subject))


def _find_first_place_from(places: Sequence[int], place: int) -> int | None:
    """Return the first of the places at or after `place`, or None."""
    index = bisect_left(places, place)
    return places[index] if index < len(places) else None


def note_differences(differing_names: set[str], subject: Subject, now: Past, then: Past) -> None:
    """Update `differing_names`: add the subject's name if the subject differs, or else remove the name.

    The campaign also has names for its options, session, characters and scenes.
    """
    entry_now, entry_then = now.told(subject).entry, then.told(subject).entry
    _note_difference(
        differing_names,
        str(subject),
        is_same(now, then, subject) and is_in_same_order(now.told(subject).state, then.told(subject).state),
    )
    if isinstance(entry_now, register.CampaignEntry) and isinstance(entry_then, register.CampaignEntry):
        _note_difference(differing_names, "dials", entry_now.read_dials_in_force() == entry_then.read_dials_in_force())
        _note_difference(differing_names, "session", entry_now.session == entry_then.session)
        _note_difference(differing_names, "characters", entry_now.roster == entry_then.roster)
        _note_difference(differing_names, "scenes", entry_now.scenes == entry_then.scenes)


def is_in_same_order(left: Any, right: Any) -> bool:
    """Return whether two equal states also have their mappings in the same order. Closing a scene depends on this
    order.
    """
    if left is right:
        return True
    if isinstance(left, Mapping):
        return [*left] == [*right] and all(is_in_same_order(value, right[name]) for name, value in left.items())
    if isinstance(left, tuple):
        return all(map(is_in_same_order, left, right))
    return all(
        is_in_same_order(getattr(left, name), getattr(right, name))
        for name in getattr(left, "__dataclass_fields__", ())
    )


def _note_difference(differing_names: set[str], name: str, is_alike: bool) -> None:
    if is_alike:
        differing_names.discard(name)
    else:
        differing_names.add(name)
