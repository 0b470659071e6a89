"""The campaign as it was known at some moment: the state on which an audit adjudicates rulings."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.aggregates.subject_stream import SubjectStream
from ledger.events.envelope import Body
from ledger.events.records import MARKS
from ledger.rules.kernel.citations import is_citable
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.fold import Folded, Recorded
from ledger.rules.kernel.subjects import Subject


class KnownCampaign:
    """The campaign as it was known at some moment, folded from its events. Serves as `Subjects` of a table."""

    def __init__(self, ruleset: AnyRuleset) -> None:
        self.ruleset = ruleset
        self.events: dict[Subject, list[Body[object]]] = {}
        self._subjects: dict[Subject, SubjectStream] = {}
        self._citable: dict[int, list[tuple[Subject, Body[object]]]] = {}

    def apply_fact(self, subject: Subject, body: Body[object]) -> None:
        subject_bodies = self.events.setdefault(subject, [])
        subject_bodies.append(body)
        if body.ruling and not isinstance(body.fact, MARKS) and is_citable(self.ruleset, body.fact):
            self._citable.setdefault(body.ruling, []).append((subject, body))
        stream = self._subjects.get(subject)
        if stream is not None:
            stream.apply_event(len(subject_bodies), body)

    def load_stream(self, subject: Subject) -> SubjectStream:
        stream = self._subjects.get(subject)
        if stream is None:
            stream = SubjectStream.build(self.ruleset, subject, lambda: self.events.get(subject, ()))
        elif stream.is_outdated:
            stream = SubjectStream.from_standing_facts(self.ruleset, subject, self.events[subject])
        self._subjects[subject] = stream
        return stream

    def find(self, subject: Subject) -> Folded[object] | None:
        return self.load_stream(subject).folded if subject in self.events else None

    def cited(self, number: int) -> Sequence[tuple[Subject, Recorded]]:
        return [
            (subject, body)
            for subject, body in self._citable.get(number, ())
            if self.load_stream(subject).revisions.get(number, 0) == body.revision
        ]

    def seats(self) -> Sequence[Subject]:
        return [subject for subject in self.events if subject.kind == "seat"]
