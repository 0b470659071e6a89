"""The subjects of one campaign that a process has read. Some are folded, others are still in the form of a snapshot.

A subject is read when it is first needed, and again when it has new events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from ledger.aggregates.subject_stream import SubjectStream
from ledger.application.snapshots import Frozen, freeze_stream, is_worth_keeping, thaw_value
from ledger.events.envelope import Body
from ledger.events.journal_check import NOTHING
from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.subjects import Subject

MOST_STREAMS = 5000
#: A function that takes a version and a digest. It returns a function that yields the subject's later events.
ReaderMaker: TypeAlias = Callable[[int, int], Callable[[], Iterable[Body[object]]]]


class KnownSubjects:
    """The known subjects. `streams`: the streams in memory. `digests_behind`: the subjects with unread events, each
    with the digest of the events that were read.
    """

    __slots__ = ("_frozen", "_frozen_in_use", "digests_behind", "streams")

    def __init__(
        self,
        frozen_subjects: Mapping[Subject, Frozen] | None = None,
        digests_behind: Mapping[Subject, int] | None = None,
    ):
        self.streams: dict[Subject, SubjectStream] = {}
        self.digests_behind: dict[Subject, int] = dict(digests_behind or {})
        self._frozen: dict[Subject, Frozen] = dict(frozen_subjects or {})  # from a snapshot, not used yet
        self._frozen_in_use: dict[Subject, Frozen] = {}  # subjects in the last snapshot

    def note_news(self, subject: Subject, digest_before: int) -> None:
        """Note that the subject has new events in the journal, after those with this digest."""
        self.digests_behind.setdefault(subject, digest_before)

    def find_current_stream(self, subject: Subject) -> SubjectStream | None:
        """Return the subject's stream, or None if it is not in memory or has unread events."""
        stream = self.streams.get(subject)
        if stream is None and subject in self._frozen:
            frozen_subject = self._frozen_in_use[subject] = self._frozen.pop(subject)
            stream = self.streams[subject] = thaw_value(frozen_subject.state)
        return stream if subject not in self.digests_behind else None

    def read_on(self, subject: Subject, ruleset: AnyRuleset, make_reader: ReaderMaker) -> SubjectStream:
        """Read the subject's new events, or all its events if it is not in memory, and return its stream."""
        stream = self.streams.pop(subject, None)
        if stream is not None and not stream.is_outdated:
            for body in make_reader(stream.version, self.digests_behind[subject])():
                stream.apply_event(stream.version + 1, body)
        if stream is None or stream.is_outdated:
            stream = SubjectStream.build(ruleset, subject, make_reader(0, NOTHING))
        self._keep_stream(subject, stream)
        return stream

    def _keep_stream(self, subject: Subject, stream: SubjectStream) -> None:
        self.streams[subject] = stream
        self.digests_behind.pop(subject, None)
        if len(self.streams) > MOST_STREAMS:
            oldest_subject = next(iter(self.streams))
            del self.streams[oldest_subject]
            self._frozen_in_use.pop(oldest_subject, None)

    def apply_saved_event(self, subject: Subject, version: int, body: Body[object], ruleset: AnyRuleset) -> None:
        """Update the subject's stream with an event that was just saved."""
        stream = self.streams.get(subject)
        if stream is None and version == 1:
            stream = SubjectStream(ruleset, subject)
            self._keep_stream(subject, stream)
        if stream is not None and subject not in self.digests_behind:
            stream.apply_event(version, body)
            if stream.is_outdated:
                self.digests_behind[subject] = NOTHING  # the subject will be read again from its first event

    def forget_lookaheads(self, subjects: Iterable[Subject]) -> None:
        """Forget the states that were folded ahead for these subjects, because their events are saved now."""
        for subject in subjects:
            if (stream := self.streams.get(subject)) is not None:
                stream.folded.forget_states_ahead()

    def freeze_subjects(self) -> tuple[dict[Subject, Frozen], dict[Subject, int]]:
        """Return the subjects for a snapshot, and the digests of those with unread events."""
        streams_to_freeze = {subject: stream for subject, stream in self.streams.items() if is_worth_keeping(stream)}
        for subject, stream in streams_to_freeze.items():
            frozen_subject = self._frozen_in_use.get(subject)
            if frozen_subject is None or frozen_subject.version != stream.version:
                self._frozen_in_use[subject] = freeze_stream(stream)
        frozen_subjects = {**self._frozen, **{subject: self._frozen_in_use[subject] for subject in streams_to_freeze}}
        return frozen_subjects, {
            subject: digest for subject, digest in self.digests_behind.items() if subject in frozen_subjects
        }

    def forget_snapshot(self) -> None:
        """Forget the snapshot, so that the next one contains only the subjects in memory."""
        self._frozen_in_use.clear()
