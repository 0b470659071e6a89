"""A recorded campaign, replayed in memory to adjudicate past rulings again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ledger.rules.kernel import facts, purses, register
from ledger.rules.kernel.adjudication import Failed, Outcome, Replayed, replay
from ledger.rules.kernel.answers import Said
from ledger.rules.kernel.citations import is_citable
from ledger.rules.kernel.contract import About, AnyRuleset, Posting, Underway, Verdict
from ledger.rules.kernel.fold import Folded, Recorded
from ledger.rules.kernel.frozen import changed, quick
from ledger.rules.kernel.places import place_of
from ledger.rules.kernel.questions import Answer
from ledger.rules.kernel.recounting import recount
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.standing import Standing
from ledger.rules.kernel.subjects import CAMPAIGN, Audience, Subject, Viewer
from ledger.rules.kernel.table import RulingTable, load_campaign_entry

NOTHING: Mapping[Any, object] = MappingProxyType({})


@quick
@dataclass(frozen=True, slots=True)
class PastRuling:
    """A recorded ruling in its last revision, which stands or was overturned.

    - `said`: the answers that the ruling uses, in order, then those set aside.
    - `facts`: the facts of every revision.
    - `reads`: the names of what its adjudication read.
    - `before`: facts recorded between the previous ruling and this one, outside any ruling: seats taken and removed.
    - `refused`: the revisions that the rules refused. They record no facts.
    - `after`: the ruling that a late entry follows in play, else 0.
    """

    number: int
    declared: Any
    by: Viewer
    scene: Subject | None
    said: tuple[Said, ...]
    facts: tuple[tuple[Subject, Recorded], ...]
    reads: frozenset[str]
    edition: int
    before: tuple[tuple[Subject, Recorded], ...] = ()
    revision: int = 0
    refused: frozenset[int] = frozenset()
    after: int = 0

    @property
    def place(self) -> int:
        """Return the ruling's place in play."""
        return place_of(self.number, self.after)

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Return the answers that the ruling uses, in order."""
        return tuple(answer.answer for answer in self.said if not answer.set_aside)


@quick
@dataclass(frozen=True, slots=True)
class NewFact:
    """A fact of a new revision, as it will be recorded."""

    ruling: int
    step: int
    revision: int
    fact: object
    postings: tuple[Posting, ...]
    audience: Audience = None
    after: int = 0


@dataclass(frozen=True, slots=True)
class Revision:
    """A new revision of a ruling: its number, outcome and reads, and the campaign's options.

    `declared`: the declaration as it is now. `facts`: empty if the revision is refused. `counted`: whether the ruling
    was only recounted.
    """

    number: int
    revision: int
    declared: object
    replayed: Replayed
    reads: frozenset[str]
    dials: Mapping[str, object]
    facts: tuple[tuple[Subject, Recorded], ...]
    counted: bool = False

    @property
    def outcome(self) -> Outcome:
        return self.replayed.outcome


class Past:
    """A campaign in memory, up to some ruling: folded subjects. A table uses it as its `Subjects`.

    `fixed_options`: options that keep these values, whatever is recorded.
    """

    def __init__(self, ruleset: AnyRuleset, revisions: Standing, fixed_options: Mapping[str, object] = NOTHING) -> None:
        self.ruleset = ruleset
        self.revisions = dict(revisions)
        self.fixed_options = fixed_options
        self._folded: dict[Subject, Folded[Any]] = {}
        self._citable: dict[int, list[tuple[Subject, Recorded]]] = {}

    def branch(self, revisions: Standing, fixed_options: Mapping[str, Any] = NOTHING) -> Past:
        """Return a copy that can continue with these standing revisions and fixed options."""
        branch = Past(self.ruleset, revisions, fixed_options)
        branch._folded = {subject: folded.copy() for subject, folded in self._folded.items()}
        branch._citable = {number: [*records] for number, records in self._citable.items()}
        branch._fix_options()
        return branch

    @property
    def folded(self) -> Mapping[Subject, Folded[Any]]:
        """Return all recorded subjects, the oldest first."""
        return self._folded

    def find(self, subject: Subject) -> Folded[Any] | None:
        return self._folded.get(subject)

    def seats(self) -> Sequence[Subject]:
        return [subject for subject in self._folded if subject.kind == "seat"]

    def cited(self, number: int) -> Sequence[tuple[Subject, Recorded]]:
        return self._citable.get(number, ())

    def tell(self, facts: Iterable[tuple[Subject, Recorded]]) -> None:
        """Apply the facts that stand in this past."""
        for subject, record in facts:
            self.apply_facts_about(subject, (record,))

    def apply_facts_about(self, subject: Subject, facts: Iterable[Recorded]) -> None:
        """Apply the facts about the subject that stand in this past."""
        folded, has_fixed_options = self._folded.get(subject), bool(self.fixed_options) and subject == CAMPAIGN
        for record in facts:
            if self.revisions.get(record.ruling, 0) == record.revision:
                if folded is None:
                    folded = self._folded[subject] = Folded(self.ruleset, subject)
                folded.apply_fact(record)
                self._note_citable(subject, record)
                if has_fixed_options:
                    self._fix_options()

    def _note_citable(self, subject: Subject, record: Recorded) -> None:
        if is_citable(self.ruleset, record.fact):
            self._citable.setdefault(record.ruling, []).append((subject, record))

    def told(self, subject: Subject) -> Folded[Any]:
        """Return the subject. Without standing facts it is blank, as if it had never been recorded."""
        return self._folded.get(subject) or Folded(self.ruleset, subject)

    def stands(self, number: int) -> bool:
        return self.revisions.get(number, 0) is not None

    def _fix_options(self) -> None:
        folded = self._folded.get(CAMPAIGN)
        entry = folded.entry if folded is not None else None
        if self.fixed_options and folded is not None and isinstance(entry, register.CampaignEntry):
            dials_in_force = entry.read_dials_in_force()
            changed_options = {
                name: value for name, value in self.fixed_options.items() if dials_in_force.get(name) != value
            }
            folded.entry = changed(entry, dials={**entry.dials, **changed_options}) if changed_options else entry

    def readjudicate(self, ruling: PastRuling) -> Outcome:
        return self.replay(ruling)[0].outcome

    def rule_again(self, ruling: PastRuling, revision: int) -> Revision:
        """Rule the ruling again in this past, and return its new revision."""
        replayed, table = self.replay(ruling)
        return self.make_revision(ruling, revision, replayed, table)

    def replay(
        self, ruling: PastRuling, underway: Callable[[], tuple[Underway, ...]] = tuple
    ) -> tuple[Replayed, RulingTable]:
        table = RulingTable(self.ruleset, self, ruling.number, ruling.by, ruling.scene, underway, after=ruling.after)
        return replay(self.ruleset, table, ruling.declared, ruling.said), table

    def make_revision(self, ruling: PastRuling, revision: int, replayed: Replayed, table: RulingTable) -> Revision:
        outcome = replayed.outcome
        facts = (
            tuple(list_recorded(ruling.number, revision, outcome, ruling.after)) if isinstance(outcome, Verdict) else ()
        )
        dials = dict(load_campaign_entry(self).dials)
        return Revision(ruling.number, revision, ruling.declared, replayed, frozenset(table.reads), dials, facts)

    def recount(self, ruling: PastRuling) -> Revision | None:
        """Return the standing revision with its derived facts computed again, or None if they are as recorded."""
        standing_revision = self.revisions.get(ruling.number, 0)
        verdict = recount(
            self.ruleset, self.find, (pair for pair in ruling.facts if pair[1].revision == standing_revision)
        )
        if verdict is None:
            return None
        facts = tuple(list_recorded(ruling.number, ruling.revision + 1, verdict, ruling.after))
        replayed = Replayed(verdict, ())
        return Revision(ruling.number, ruling.revision + 1, ruling.declared, replayed, ruling.reads, {}, facts, True)

    def is_as_recorded(self, ruling: PastRuling, outcome: Outcome) -> bool:
        """Return whether the outcome is what the record has for the standing revision: the same facts, or a refusal."""
        revision = self.revisions.get(ruling.number, 0)
        if revision in ruling.refused:
            return isinstance(outcome, Refused) and not isinstance(outcome, Failed)
        if not isinstance(outcome, Verdict):
            return False
        recorded_facts = [
            (subject, record.step, record.fact, record.postings)
            for subject, record in ruling.facts
            if record.revision == revision and not isinstance(record.fact, facts.Leg)
        ]
        return recorded_facts == [
            (fact.subject, step, fact.fact, fact.postings) for step, fact in enumerate(outcome.facts)
        ]

    def make_recorded_verdict(self, ruling: PastRuling) -> Verdict[object]:
        """Return the verdict of the standing revision. It has no facts if the revision was refused."""
        revision = self.revisions.get(ruling.number, 0)
        standing_facts = [
            pair for pair in ruling.facts if pair[1].revision == revision and not isinstance(pair[1].fact, facts.Leg)
        ]
        standing_facts.sort(key=lambda pair: pair[1].step)
        return Verdict(
            tuple(About(subject, record.fact, record.postings, record.audience) for subject, record in standing_facts)
        )


def list_recorded(
    number: int, revision: int, verdict: Verdict[object], after: int = 0
) -> Iterable[tuple[Subject, Recorded]]:
    """Yield a verdict's facts, each followed by a `Leg` for every other owner, in folding order."""
    for step, verdict_fact in enumerate(verdict.facts):
        audience = verdict_fact.audience if verdict_fact.audience is not None else verdict.audience
        fact: Recorded = NewFact(number, step, revision, verdict_fact.fact, verdict_fact.postings, audience, after)
        counterpart = facts.Leg(f"{number}.{step}")
        leg: Recorded = NewFact(number, step, revision, counterpart, verdict_fact.postings, audience, after)
        legs = [(owner, leg) for owner in purses.list_owners(verdict_fact.postings) if owner != verdict_fact.subject]
        yield from sorted([(verdict_fact.subject, fact), *legs], key=lambda pair: pair[0])
