"""The stream of a subject (campaign, seat, character, scene), folded from the facts that stand.

The state is outdated (`is_outdated`) if a decision changes which facts stand, or if a new fact belongs before facts
that are already folded. Then it must be built again from the whole stream.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ledger.aggregates.kept_states import EVERY, Keeping, Kept, KeptStates
from ledger.aggregates.rewinds import StandingRevisions
from ledger.events import records
from ledger.events.envelope import Body
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.facts import CharacterEnrolled, SceneOpened, SeatTaken
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.places import RULING_AND_STEP, get_fold_key
from ledger.rules.kernel.subjects import Audience, Subject

MARKS = frozenset(records.MARKS)


class SubjectStream:
    """A subject's stream: the last version that was read, the standing revisions, and the folded subject.

    - name: the subject's first name or title, even if none of its facts stands.
    - audiences_by_account: for each account, the audiences of the secret facts that changed its balance. The balance
      would reveal these facts.
    - has_secrets: whether the stream ever had a secret fact.
    - kept_states: the subject's states at some places of the stream.
    - last_place: the ruling and step of the last fact.
    """

    __slots__ = (
        "_kept_at",
        "audiences_by_account",
        "folded",
        "has_secrets",
        "is_outdated",
        "kept_states",
        "last_place",
        "name",
        "revisions",
        "ruleset",
        "subject",
        "version",
    )

    def __init__(self, ruleset: AnyRuleset, subject: Subject) -> None:
        self.ruleset = ruleset
        self.subject = subject
        self.version = 0
        self.revisions: dict[int, int | None] = {}
        self.folded: Folded[Any] = Folded(ruleset, subject)
        self.is_outdated = False
        self.name = ""
        self.audiences_by_account: dict[str, set[Audience]] = {}
        self.has_secrets = False
        self.kept_states = KeptStates()
        self._kept_at = 0
        self.last_place = (0, 0)

    @classmethod
    def build(
        cls, ruleset: AnyRuleset, subject: Subject, bodies: Callable[[], Iterable[Body[object]]]
    ) -> SubjectStream:
        """Build the subject from its whole stream. `bodies`: returns all events of the stream; it may be called twice.

        A stream in order of play is folded while it is read, because holding a long stream in memory is slow.
        """
        stream = cls(ruleset, subject)
        last_place, version = (0, 0), 0
        for body in bodies():
            place = (body.ruling, body.step)
            if place < last_place or body.revision or body.after or type(body.fact) in MARKS:
                return cls.from_standing_facts(ruleset, subject, list(bodies()))
            if version - stream._kept_at >= EVERY and place[0] != last_place[0]:
                stream._keep_state(last_place[0], version)
            elif not place[0]:
                stream.kept_states.note_event(version + 1, body)
            stream.folded.apply_fact(body)
            if body.audience is not None:
                stream._note_audience(body)
            if not version:
                stream.name = find_subject_name(body.fact)
            last_place = place
            version += 1
        stream.version, stream.last_place = version, last_place
        return stream

    @classmethod
    def from_standing_facts(cls, ruleset: AnyRuleset, subject: Subject, bodies: Iterable[Body[Any]]) -> SubjectStream:
        """Return the subject, folded from the standing facts of its whole stream, in order of play."""
        stream = cls(ruleset, subject)
        facts: list[tuple[int, Body[Any]]] = []
        standing, numbers = StandingRevisions(), dict[int, None]()
        for version, body in enumerate(bodies, 1):
            stream.version = version
            if type(body.fact) in MARKS:
                changes = standing.apply_mark(body.fact, numbers)
                stream.kept_states.note_changes(version, body.position, changes)
            else:
                stream.kept_states.note_event(version, body)
                facts.append((version, body))
                numbers[body.ruling] = None
        stream.revisions = standing.revisions
        stream.name = next(filter(None, (find_subject_name(body.fact) for _, body in facts)), "")
        get_key = get_fold_key if any(body.after for _, body in facts) else RULING_AND_STEP
        facts.sort(key=lambda numbered_body: get_key(numbered_body[1]))
        keeping = Keeping(stream.kept_states, stream.folded, stream.revisions)
        for version, body in facts:
            keeping.apply_event(version, body)
            stream._note_audience(body)
        stream._kept_at = stream.version
        stream.last_place = RULING_AND_STEP(facts[-1][1]) if facts else (0, 0)
        return stream

    def apply_event(self, version: int, body: Body[Any]) -> None:
        """Apply the next event of the stream. If it is not last in order of play, only mark the stream outdated."""
        assert version == self.version + 1, f"{self.subject}: event {version} after {self.version}"
        self.version = version
        self.name = self.name or find_subject_name(body.fact)
        ruling_and_step = (body.ruling, body.step)
        if type(body.fact) in MARKS:
            self.is_outdated = True  # the standing facts are found when the stream is built again
            return
        self.kept_states.note_event(version, body)
        if body.revision or body.after or (body.ruling and ruling_and_step < self.last_place):
            self.is_outdated = True
        else:
            if version - self._kept_at > EVERY and ruling_and_step[0] > self.last_place[0] and not self.is_outdated:
                self._keep_state(self.last_place[0], version - 1)
            if not body.ruling and self.last_place[0]:
                self.kept_states.is_orderly = False  # it is folded in order only when the stream is built
            self.last_place = max(self.last_place, ruling_and_step)
            if not self.is_outdated:
                self.folded.apply_fact(body)
                if body.audience is not None:
                    self._note_audience(body)

    def _keep_state(self, ruling_number: int, version: int) -> None:
        """Keep the current state as the state after this ruling."""
        self._kept_at = version
        opening_count, standing = len(self.kept_states.openings), self.kept_states.find_standing_revisions()
        self.kept_states.keep_state(Kept(ruling_number, version, opening_count, standing, self.folded.copy()))

    def _note_audience(self, body: Body[object]) -> None:
        if body.audience is not None:
            self.has_secrets = True
            for posting in body.postings:
                for account in (posting.source, posting.target):
                    self.audiences_by_account.setdefault(account, set()).add(body.audience)


def find_subject_name(fact: object) -> str:
    match fact:
        case CharacterEnrolled(name=name) | SceneOpened(title=name) | SeatTaken(name=name):
            return name
    return ""
