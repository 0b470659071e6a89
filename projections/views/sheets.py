"""The current state of every subject: the game's state, the kernel's entry, and its balances."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import ClassVar, TypeAlias

from ledger.application import SubjectStream
from ledger.events.envelope import Event
from ledger.events.journal_check import Misfit
from ledger.rules.kernel.register import SceneEntry
from ledger.rules.kernel.subjects import SUBJECT_KINDS, Subject
from projections.redaction import to_text
from projections.views.saves import Saved
from projections.views.view import View, ViewTransaction, Written, index_last_saves

SheetKey: TypeAlias = tuple[str, Subject]
MOST_STREAMS = 5000


class Sheets(View):
    name = "sheets"
    tables: ClassVar[Mapping[str, str]] = {
        "sheets": """
            campaign text COLLATE "C" NOT NULL,
            subject text COLLATE "C" NOT NULL,
            version bigint NOT NULL,
            position bigint NOT NULL,
            called text NOT NULL,
            card json,
            state json NOT NULL,
            purse json NOT NULL,
            adrift json NOT NULL,
            PRIMARY KEY (campaign, subject)""",
    }

    def __init__(self) -> None:
        self._streams: dict[SheetKey, SubjectStream] = {}

    def apply_saves(self, transaction: ViewTransaction, saves: Sequence[Saved]) -> None:
        events_by_key: dict[SheetKey, list[Event]] = defaultdict(list)
        for save in saves:
            for event in save.events:
                _, kind, id = event.originator_id.split("/", 2)
                if kind in SUBJECT_KINDS:
                    events_by_key[save.campaign, Subject(kind, id)].append(event)
        last_saves = index_last_saves(saves)
        known_keys = [key for key, events in events_by_key.items() if events[0].originator_version > 1]
        transaction.delete_rows(
            "sheets",
            {
                "campaign": ("text", [campaign for campaign, _ in known_keys]),
                "subject": ("text", [str(subject) for _, subject in known_keys]),
            },
        )
        transaction.copy_rows(
            "sheets",
            ("campaign", "subject", "version", "position", "called", "card", "state", "purse", "adrift"),
            (
                _make_row(
                    key,
                    self._advance_stream(transaction, key, events, last_saves[key[0]].position),
                    events[-1].body.position,
                )
                for key, events in events_by_key.items()
            ),
        )

    def _advance_stream(
        self, transaction: ViewTransaction, key: SheetKey, events: list[Event], position: int
    ) -> SubjectStream:
        """Return the subject's stream after these events."""
        campaign, subject = key
        stream_of_subject = self._streams.pop(key, None)
        if stream_of_subject is None and events[0].originator_version == 1:
            stream_of_subject = SubjectStream(transaction.find_system(campaign), subject)
        if stream_of_subject is not None:
            for event in events:
                stream_of_subject.apply_event(event.originator_version, event.body)
        if stream_of_subject is None or stream_of_subject.is_outdated:
            stream = f"{campaign}/{subject.kind}/{subject.id}"
            bodies = transaction.codec.decode_bodies(transaction.recorder.select_stream(stream))
            bodies_then = [body for body in bodies if body.position <= position]
            stream_of_subject = SubjectStream.build(transaction.find_system(campaign), subject, lambda: bodies_then)
            if stream_of_subject.version != events[-1].originator_version:
                raise Misfit(events[-1].originator_version, "missing", position).make_unsound(stream)
        self._streams[key] = stream_of_subject
        if len(self._streams) > MOST_STREAMS:
            del self._streams[next(iter(self._streams))]
        return stream_of_subject


def _make_row(key: SheetKey, stream: SubjectStream, position: int) -> Written:
    folded = stream.folded
    pieces = (folded.entry, folded.state, folded.purse, folded.adrift)
    campaign, subject = key
    entry = folded.entry
    name = (entry.title if isinstance(entry, SceneEntry) else entry.name) if entry is not None else stream.name
    return (campaign, str(subject), stream.version, position, name, *map(to_text, pieces))
