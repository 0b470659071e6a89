"""The campaign as it was known at some moment. An audit adjudicates rulings again with this state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from ledger.aggregates.rewinds import StandingRevisions
from ledger.events.envelope import Body
from ledger.events.records import MARKS
from ledger.rules.kernel.chronicle import SubjectHistory
from ledger.rules.kernel.citations import is_citable
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.fold import Folded, Recorded
from ledger.rules.kernel.places import place_of
from ledger.rules.kernel.standing import Standing
from ledger.rules.kernel.subjects import Subject

#: The number of facts folded between two kept states.
EVERY = 64
MARK_TYPES = frozenset(MARKS)


class KnownSubject:
    """A subject as it was known: all its events, and the state folded from the standing facts in order of play.

    A decision about an earlier ruling, or a late entry, takes the fold back to an earlier state.
    """

    __slots__ = ("_count", "_folded", "_history", "_standing", "bodies", "ruleset", "subject")

    def __init__(self, ruleset: AnyRuleset, subject: Subject) -> None:
        self.ruleset = ruleset
        self.subject = subject
        self.bodies: list[Body[Any]] = []
        self._standing = StandingRevisions()
        self._history = SubjectHistory()
        self._folded: Folded[Any] = Folded(ruleset, subject)
        self._count = 0  # how many of the facts, in order of play, are folded

    @property
    def version(self) -> int:
        return len(self.bodies)

    @property
    def revisions(self) -> Standing:
        """Return the standing revision of each ruling with a decision."""
        return self._standing.revisions

    def apply_event(self, body: Body[Any]) -> None:
        """Apply the next event of the subject's stream."""
        self.bodies.append(body)
        if type(body.fact) in MARK_TYPES:
            numbers = (record.ruling for record in self._history.facts)
            changed_revisions = self._standing.apply_mark(body.fact, numbers)
            changed_points = (
                point
                for point, record in zip(self._history.points, self._history.facts, strict=True)
                if record.ruling in changed_revisions
            )
            self._go_back(next(changed_points, None))
        else:
            point = place_of(body.ruling, body.after)
            if self._history.insert_fact(point, body) < self._count:
                self._go_back(point)

    def _go_back(self, point: int | None) -> None:
        """Return to the latest kept state before the point, if the fold has passed the point."""
        if point is not None and self._history.drop_states_from(point) < self._count:
            self._count, self._folded = self._history.find_kept_state_before(point) or (
                0,
                Folded(self.ruleset, self.subject),
            )

    @property
    def folded(self) -> Folded[Any]:
        """The subject, folded from the facts that stand now."""
        facts, revisions = self._history.facts, self._standing.revisions
        while self._count < len(facts):
            record = facts[self._count]
            if revisions.get(record.ruling, 0) == record.revision:
                self._folded.apply_fact(record)
            self._count += 1
            if self._count % EVERY == 0:
                self._history.keep_state(self._count, self._folded.copy())
        return self._folded


class KnownCampaign:
    """The campaign as it was known at some moment, folded from its events. A table uses it as its `Subjects`.

    `facts_by_ruling`: the recorded facts of each ruling.
    """

    def __init__(self, ruleset: AnyRuleset) -> None:
        self.ruleset = ruleset
        self.subjects: dict[Subject, KnownSubject] = {}
        self.facts_by_ruling: dict[int, list[tuple[Subject, Body[object]]]] = defaultdict(list)

    def apply_event(self, subject: Subject, body: Body[object]) -> None:
        known_subject = self.subjects.get(subject)
        if known_subject is None:
            known_subject = self.subjects[subject] = KnownSubject(self.ruleset, subject)
        known_subject.apply_event(body)
        if body.ruling and type(body.fact) not in MARK_TYPES:
            self.facts_by_ruling[body.ruling].append((subject, body))

    def find(self, subject: Subject) -> Folded[object] | None:
        known_subject = self.subjects.get(subject)
        return known_subject.folded if known_subject is not None else None

    def cited(self, number: int) -> Sequence[tuple[Subject, Recorded]]:
        return [
            (subject, body)
            for subject, body in self.facts_by_ruling.get(number, ())
            if self.subjects[subject].revisions.get(number, 0) == body.revision and is_citable(self.ruleset, body.fact)
        ]

    def seats(self) -> Sequence[Subject]:
        return [subject for subject in self.subjects if subject.kind == "seat"]
