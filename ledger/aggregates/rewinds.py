"""Rewinds. A rewind overturns a ruling and every later one in one decision. Another decision can reinstate them
together.

Each rewind has one record in `<campaign>/rewinds/rewinds`, and one mark in the stream of each subject.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ledger.events.envelope import Event
from ledger.events.records import Restored, RestoredRange, Rewind, Struck, StruckRange
from ledger.rules.kernel.standing import Standing

Mark: TypeAlias = Struck | Restored | StruckRange | RestoredRange


@dataclass(frozen=True, slots=True)
class RecordedRewind:
    """A recorded rewind, or the reinstatement of one. `version`: its version in the stream."""

    rewind: Rewind
    by: str
    at: str
    position: int
    version: int

    def covers(self, number: int) -> bool:
        """Return whether the rewind includes this ruling as a later ruling. Only the first ruling's own stream has the
        decision.
        """
        return self.rewind.first < number <= self.rewind.last


def list_rewinds(events: Iterable[Event]) -> tuple[RecordedRewind, ...]:
    """Return the rewinds of a stream, in order."""
    return tuple(
        RecordedRewind(event.body.fact, event.body.by, event.body.at, event.body.position, event.originator_version)
        for event in events
        if isinstance(event.body.fact, Rewind)
    )


def name_rewinds_stream(campaign: str) -> str:
    return f"{campaign}/rewinds/rewinds"


class StandingRevisions:
    """The standing revisions, updated mark by mark.

    `revisions`: the standing revision of each ruling that a mark named. `struck_ranges`: for each range that is struck
    now, by its first ruling, the revisions that stood before.
    """

    def __init__(self) -> None:
        self.revisions: dict[int, int | None] = {}
        self.struck_ranges: dict[int, dict[int, int | None]] = {}

    def apply_mark(self, mark: Mark, numbers: Iterable[int]) -> Mapping[int, int | None]:
        """Apply a mark. Return the new standing revision of each ruling that it changes. `numbers`: the rulings that a
        range can contain.
        """
        match mark:
            case Struck(ruling=number):
                changes: dict[int, int | None] = {number: None}
            case Restored(ruling=number, revision=revision):
                changes = {number: revision}
            case StruckRange(first=first):
                struck_revisions = find_struck_revisions(mark, numbers, self.revisions)
                self.struck_ranges[first] = struck_revisions
                changes = dict.fromkeys(struck_revisions)
            case RestoredRange(first=first):
                changes = self.struck_ranges.pop(first, {first: 0})
        self.revisions |= changes
        return changes


def find_struck_revisions(mark: StruckRange, numbers: Iterable[int], standing: Standing) -> dict[int, int | None]:
    """Return the rulings that a rewind strikes, each with the revision that stood. `mark`: the rewind's mark.

    The first ruling is included even if it is not in `numbers`.
    """
    struck_numbers = {mark.first: None, **{number: None for number in numbers if mark.first <= number <= mark.last}}
    revisions = {number: standing.get(number, 0) for number in struck_numbers}
    return {number: revision for number, revision in revisions.items() if revision is not None}
