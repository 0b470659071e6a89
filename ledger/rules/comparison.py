"""Two pasts side by side: what every later ruling would have been, had other rulings stood. Pure.

Compared are today's rules on both pasts, never with the record. In both, later rulings keep the facts they recorded
(what a table does until somebody settles it), so what is shown is exactly what saving would make true.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ledger.rules import housekeeping
from ledger.rules.contract import GM_ONLY, Answer, Audience, Refused, Ruleset, Subject, Verdict, Viewer
from ledger.rules.replay import Folded, Outcome, Recorded, Standing, Waiting, readjudicate
from ledger.rules.table import RulingTable

Standpoint: TypeAlias = Literal["stands", "changes", "loses support", "needs dice"]


@dataclass(frozen=True, slots=True)
class PastRuling:
    """A ruling as it was recorded. `facts` hold every revision; `reads` what its adjudication looked at.

    `before`: what was recorded between the ruling before it and this one and is no ruling's: seats taken, removed.
    """

    number: int
    declared: Any
    by: Viewer
    scene: Subject | None
    answers: tuple[Answer, ...]
    facts: tuple[tuple[Subject, Recorded], ...]
    reads: frozenset[str]
    edition: int
    before: tuple[tuple[Subject, Recorded], ...] = ()


class Past:
    """A campaign in memory as far as it has been told: subject -> folded. Serves as `Homes` of a table."""

    def __init__(self, ruleset: Ruleset[Any, Any], revisions: Standing) -> None:
        self.ruleset = ruleset
        self.revisions = revisions
        self.folded: dict[Subject, Folded[Any]] = {}

    def branch(self, revisions: Standing) -> Past:
        """The same so far, told on with other rulings standing."""
        other = Past(self.ruleset, revisions)
        other.folded = {subject: folded.copy() for subject, folded in self.folded.items()}
        return other

    def find(self, subject: Subject) -> Folded[Any] | None:
        return self.folded.get(subject)

    def seats(self) -> Sequence[Subject]:
        return [subject for subject in self.folded if subject.kind == "seat"]

    def tell(self, facts: Iterable[tuple[Subject, Recorded]]) -> None:
        """Those of the facts that stand here."""
        for subject, done in facts:
            if self.revisions.get(done.ruling, 0) == done.revision:
                folded = self.folded.get(subject)
                if folded is None:
                    folded = self.folded[subject] = Folded(self.ruleset, subject)
                folded.take(done)

    def told(self, subject: Subject) -> Folded[Any]:
        """The subject; one nothing was told about is as if never recorded."""
        return self.folded.get(subject) or Folded(self.ruleset, subject)

    def stands(self, number: int) -> bool:
        return self.revisions.get(number, 0) is not None

    def readjudicate(self, past: PastRuling) -> Outcome:
        table = RulingTable(self.ruleset, self, past.number, past.by, past.scene)
        return readjudicate(self.ruleset, table, past.declared, past.answers)

    def as_recorded(self, past: PastRuling, outcome: Outcome) -> bool:
        """Whether the outcome is the verdict whose facts stand here."""
        if not isinstance(outcome, Verdict):
            return False
        revision = self.revisions.get(past.number, 0)
        recorded = [
            (subject, done.step, done.fact, done.postings)
            for subject, done in past.facts
            if done.revision == revision and not isinstance(done.fact, housekeeping.Leg)
        ]
        return recorded == [(one.subject, step, one.fact, one.postings) for step, one in enumerate(outcome.facts)]


@dataclass(frozen=True, slots=True)
class Row:
    """A later ruling in both pasts (None: not looked at, it read nothing that differs).

    as_recorded: `then` it comes out as the record has it. older_edition: decided under another edition of the rules.
    """

    number: int
    standpoint: Standpoint
    now: Outcome | None
    then: Outcome | None
    as_recorded: bool
    older_edition: bool

    def audience(self) -> Audience:
        """Who alone may know that it comes out otherwise: where everything that differs is secret, who may see it."""
        now, then = self.now, self.then
        if not isinstance(now, Verdict) or not isinstance(then, Verdict):
            return None
        differing = [one for one in now.facts if one not in then.facts] + [
            one for one in then.facts if one not in now.facts
        ]
        secret = [one.audience for one in differing if one.audience is not None]
        if not differing or len(secret) < len(differing):
            return None
        return secret[0] if len(set(secret)) == 1 else GM_ONLY


@dataclass(frozen=True, slots=True)
class Comparison:
    """Both pasts told to the end, every later ruling that stands in both, and how many were adjudicated again."""

    now: Past
    then: Past
    rows: tuple[Row, ...]
    readjudicated: int

    def differing(self) -> list[Subject]:
        """Subjects that end differently, in order of coming into being."""
        subjects = list(dict.fromkeys([*self.now.folded, *self.then.folded]))
        return [subject for subject in subjects if not same(self.now, self.then, subject)]


def compare(
    start: Past, history: Sequence[PastRuling], now: Standing, then: Standing, *, skip: bool = True
) -> Comparison:
    """Tell the history from `start` on in both pasts. `skip`: pass over rulings that read nothing that differs."""
    past, other = start.branch(now), start.branch(then)
    differ: set[str] = set()
    rows: list[Row] = []
    readjudicated = 0
    for ruling in history:
        past.tell(ruling.before)
        other.tell(ruling.before)
        if past.stands(ruling.number) and other.stands(ruling.number):
            older = ruling.edition != start.ruleset.edition
            if skip and not (differ & ruling.reads):
                rows.append(Row(ruling.number, "stands", None, None, False, older))
            else:
                readjudicated += 2
                before, after = past.readjudicate(ruling), other.readjudicate(ruling)
                recorded = other.as_recorded(ruling, after)
                rows.append(Row(ruling.number, standpoint(before, after), before, after, recorded, older))
        past.tell(ruling.facts)
        other.tell(ruling.facts)
        for subject in {subject for subject, _ in ruling.facts}:
            _note(differ, subject, past, other)
    return Comparison(past, other, tuple(rows), readjudicated)


def standpoint(now: Outcome, then: Outcome) -> Standpoint:
    """How a ruling comes out `then` beside how it comes out `now`. Derivations are not compared, only facts."""
    match now, then:
        case Verdict(), Verdict():
            return "stands" if now.facts == then.facts else "changes"
        case Refused(), Refused() if now.same_as(then):
            return "stands"
        case Waiting(), Waiting() if now == then:
            return "stands"
        case _, Refused():
            return "loses support"
        case _, Waiting():
            return "needs dice"
        case _:
            return "changes"


def same(one: Past, other: Past, subject: Subject) -> bool:
    """Whether the subject is the same in both; one nothing stands about is as if never recorded."""
    return one.told(subject).same_as(other.told(subject))


def _note(differ: set[str], subject: Subject, now: Past, then: Past) -> None:
    """Keep `differ` true for what this subject is read as: itself, its kind's members, the dials, the session."""
    one, other = now.told(subject).card, then.told(subject).card
    _mark(differ, str(subject), same(now, then, subject))
    if isinstance(one, housekeeping.CampaignCard) and isinstance(other, housekeeping.CampaignCard):
        _mark(differ, "dials", one.in_force() == other.in_force())
        _mark(differ, "session", one.session == other.session)
        _mark(differ, "characters", one.roster == other.roster)
        _mark(differ, "scenes", one.scenes == other.scenes)


def _mark(differ: set[str], what: str, alike: bool) -> None:
    if alike:
        differ.discard(what)
    else:
        differ.add(what)
