"""Find the events that count: those that the journal entry of their save names.

An entry names each stream that its save changed, with the latest version that the save wrote. Versions have no gaps, so
the entry names all versions since the stream's previous entry. Early entries name the streams without versions. The
save of such an entry wrote at least one event to each of its streams.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from ledger.errors import Fault, Newer, Unsound
from ledger.events.envelope import Body
from ledger.events.records_of_journal import UNSAID

#: The digest of a stream that no entry has named.
NOTHING = 0
GAP = "journal-gap"  # the error code of a missing entry


def extend_digest(digest: int, latest: int, position: int) -> int:
    """Return the digest of a stream's named versions after one more entry."""
    return hash((digest, latest, position))


class Misfit(NamedTuple):
    """A version of a stream that exists although no entry names it, or is named but missing. `position`: the position
    of its save.
    """

    version: int
    what: Literal["unnamed", "missing"]
    position: int

    def make_unsound(self, stream: str) -> Unsound:
        """Return the error about this version. `stream`: the name of the stream, with the campaign."""
        local_stream = stream.partition("/")[2]
        if self.what == "missing":
            detail = f"{local_stream} version {self.version} is missing, although the journal lists it."
        else:
            detail = f"The journal's entry {self.position} does not list {local_stream} version {self.version}."
        return Unsound(detail, f"event-{self.what}", stream=local_stream, version=self.version)


class Run:
    """The events of one save in one stream, for an entry without versions. No event may occur twice."""

    __slots__ = ("_seen_marks",)

    def __init__(self) -> None:
        self._seen_marks: set[Hashable] = set()

    def note_and_detect_copy(self, body: Body[object]) -> bool:
        """Note an event, and return whether it is a copy of an earlier one."""
        marks: list[Hashable] = [body.salt]
        if body.ruling:
            marks.append((body.ruling, body.step, body.revision, type(body.fact)))
        is_copy = not self._seen_marks.isdisjoint(marks)
        self._seen_marks.update(marks)
        return is_copy


def list_misfits(named_versions: Sequence[tuple[int, int]], bodies: Mapping[int, Body[object]]) -> Iterator[Misfit]:
    """Yield the differences between a stream and the journal.

    `named_versions`: for every entry that names the stream, its position and the latest version. `bodies`: the events
    by version.
    """
    version = 1
    for position, latest in named_versions:
        run = Run()
        first_version, last_version = version, latest
        while version <= last_version or (
            latest == UNSAID and (version == first_version or _is_of_save(bodies.get(version), position))
        ):
            body = bodies.get(version)
            if body is None:
                yield Misfit(version, "missing", position)
            elif body.position != position or (latest == UNSAID and run.note_and_detect_copy(body)):
                yield Misfit(version, "unnamed", body.position)
            version += 1
    for version_after in sorted(bodies):
        if version_after >= version:
            yield Misfit(version_after, "unnamed", bodies[version_after].position)


def _is_of_save(body: Body[object] | None, position: int) -> bool:
    return body is not None and body.position == position


class StoredSave:
    """The sealed events of one campaign's next save, collected in stored order."""

    __slots__ = ("events_by_stream",)

    def __init__(self) -> None:
        self.events_by_stream: dict[str, list[tuple[int, int]]] = {}

    def add_event(self, stream: str, version: int, position: int) -> None:
        """Add the next event. `position`: the position of the save, according to the event."""
        self.events_by_stream.setdefault(stream, []).append((version, position))

    def find_problem_with_entry(self, position: int, streams: Mapping[str, int], event_count: int) -> Unsound | None:
        """Return the error if the entry at this position does not match the save, else None.

        `streams`: the streams that the entry names. `event_count`: the number of events according to the entry.
        """
        for stream, events in self.events_by_stream.items():
            for version, stated_position in events:
                if stated_position != position or stream not in streams:
                    return Misfit(version, "unnamed", stated_position).make_unsound(stream)
            latest = streams[stream] or events[-1][0]
            first_version = latest - len(events) + 1
            for expected_version, (version, _) in enumerate(events, first_version):
                if version != expected_version:
                    return Misfit(version, "unnamed", position).make_unsound(stream)
        for stream, latest in streams.items():
            if stream not in self.events_by_stream:
                return Misfit(latest, "missing", position).make_unsound(stream)
        present_count = sum(map(len, self.events_by_stream.values()))
        if event_count not in (UNSAID, present_count):
            return Unsound(
                f"The journal's entry {position} lists {event_count} events, but {present_count} exist.",
                "event-missing",
                stream="journal/journal",
                version=position,
            )
        return None

    def find_unclosed_problem(self) -> Unsound | None:
        """Return the error about the first event that belongs to no entry, or None."""
        for stream, events in self.events_by_stream.items():
            version, position = events[0]
            return Misfit(version, "unnamed", position).make_unsound(stream)
        return None


def make_gap_error(position: int, next_position: int) -> Unsound:
    """Return the error for an entry missing from the journal after this position."""
    return Unsound(
        f"The journal's entry {position + 1} is missing: {next_position} follows {position}.",
        GAP,
        stream="journal/journal",
        version=position + 1,
    )


def make_unreadable_error(stream: str, version: int, problem: Fault) -> Unsound:
    """Return the error for an event that the codec cannot read, with its place."""
    if isinstance(problem, Newer):
        return problem
    local_stream = stream.partition("/")[2]
    return Unsound(
        f"{problem.detail} This is {local_stream} version {version}.",
        "unreadable-event",
        stream=local_stream,
        version=version,
    )


def group_by_stream(rows: Iterable[tuple[str, int, str, bytes]]) -> Iterator[tuple[str, list[tuple[int, str, bytes]]]]:
    """Yield each stream with its rows. `rows`: ordered by stream."""
    current_stream, group = "", list[tuple[int, str, bytes]]()
    for stream, version, topic, state in rows:
        if stream != current_stream:
            if group:
                yield current_stream, group
            current_stream, group = stream, []
        group.append((version, topic, state))
    if group:
        yield current_stream, group
