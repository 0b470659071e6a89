"""Kept states: a subject's state at some places of its stream, kept in memory so that past states are found quickly."""

from __future__ import annotations

from bisect import bisect_right, insort
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from ledger.events.envelope import Body
from ledger.rules.kernel.fold import Folded
from ledger.rules.kernel.standing import Standing

#: The number of facts folded between two kept states.
EVERY = 64
#: The maximum number of kept states of one stream. When there are more, every second one is dropped.
MOST = 128
RULING = attrgetter("ruling")


@dataclass(frozen=True, slots=True)
class Kept:
    """The state folded from the standing facts of all rulings up to `ruling`. Copy it before you fold more facts.

    - version: the version of the last event of these rulings' first revisions.
    - opening_count: how many facts outside rulings the state includes.
    - standing: for each ruling whose first revision does not stand, the revision that stands, or None.
    """

    ruling: int
    version: int
    opening_count: int
    standing: Standing
    folded: Folded[Any]


@dataclass(frozen=True, slots=True)
class StandingChange:
    """A mark in the stream. From this position on, this revision of the ruling stands, or no revision if it is None."""

    position: int
    version: int
    ruling: int
    revision: int | None


@dataclass(frozen=True, slots=True)
class LaterFact:
    """The place of a fact of a later revision, or of a ruling entered late. `after`: as in `Body`."""

    ruling: int
    position: int
    version: int
    after: int = 0


class KeptStates:
    """The kept states of one stream, and the events in it that are not in order of play.

    `openings`: the position and version of each fact outside rulings. `is_orderly`: whether the first revisions are in
    the order of their rulings. If they are not, no state is kept.
    """

    __slots__ = ("_kept_states", "_latest", "is_orderly", "later_facts", "openings", "standing_changes")

    def __init__(self) -> None:
        self._kept_states: list[Kept] = []
        self._latest = 0
        self.openings: list[tuple[int, int]] = []
        self.later_facts: list[LaterFact] = []
        self.standing_changes: list[StandingChange] = []
        self.is_orderly = True

    def __len__(self) -> int:
        return len(self._kept_states)

    def __getstate__(self) -> tuple[object, ...]:
        """Return the state to pickle, without the kept states."""
        return self._latest, self.openings, self.later_facts, self.standing_changes, self.is_orderly

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self._kept_states = []
        self._latest, self.openings, self.later_facts, self.standing_changes, self.is_orderly = state

    def note_event(self, version: int, body: Body[Any]) -> None:
        """Note a fact. If it is not in order of play, note its place."""
        if body.revision or body.after:
            self.later_facts.append(LaterFact(body.ruling, body.position, version, body.after))
            if body.after:
                self._stop_keeping()
        elif not body.ruling:
            self.openings.append((body.position, version))
        elif body.ruling < self._latest:
            self._stop_keeping()
        else:
            self._latest = body.ruling

    def _stop_keeping(self) -> None:
        self.is_orderly = False
        self._kept_states.clear()

    def note_changes(self, version: int, position: int, changes: Standing) -> None:
        """Note which revisions a mark in the stream changes."""
        self.standing_changes += [
            StandingChange(position, version, ruling, revision) for ruling, revision in changes.items()
        ]

    def keep_state(self, kept_state: Kept) -> None:
        if self.is_orderly:
            insort(self._kept_states, kept_state, key=RULING)
            if len(self._kept_states) > MOST:
                del self._kept_states[-2::-2]  # every second kept state, but not the last

    def find_standing_revisions(self, position: int | None = None) -> dict[int, int | None]:
        """Return the standing revision, or None, of each ruling whose first revision does not stand. Ignore events
        after `position`.
        """
        revisions: dict[int, int | None] = {}
        for change in self.standing_changes:
            if position is None or change.position <= position:
                revisions[change.ruling] = change.revision
        return {ruling: revision for ruling, revision in revisions.items() if revision != 0}

    def find_kept_state_before(self, ruling_number: int, opening_count: int, standing: Standing) -> Kept | None:
        """Return the last kept state up to the ruling that has the same openings and standing revisions, or None."""
        for index in range(bisect_right(self._kept_states, ruling_number, key=RULING) - 1, -1, -1):
            kept_state = self._kept_states[index]
            if kept_state.opening_count == opening_count and kept_state.standing == limit_standing_to(
                standing, kept_state.ruling
            ):
                return kept_state
        return None

    def find_last_version(self, ruling_number: int) -> int | None:
        """Return a version after which the stream has no first revision of this ruling or an earlier one. None means
        the last version.
        """
        index = bisect_right(self._kept_states, ruling_number, key=RULING)
        index -= index > 0 and self._kept_states[index - 1].ruling == ruling_number
        return self._kept_states[index].version if index < len(self._kept_states) else None


def limit_standing_to(standing: Standing, last_number: int) -> dict[int, int | None]:
    return {number: revision for number, revision in standing.items() if number <= last_number}


class Keeping:
    """A fold in order of play that keeps states along the way. `kept_state`: the state from which the fold starts."""

    def __init__(
        self, states: KeptStates, folded: Folded[Any], standing: Standing, kept_state: Kept | None = None
    ) -> None:
        self.states = states
        self.folded = folded
        self.standing = standing
        self.ruling = kept_state.ruling if kept_state is not None else 0
        self.opening_count = kept_state.opening_count if kept_state is not None else 0
        self._version = kept_state.version if kept_state is not None else 0
        self._folded_count = 0
        self._interval_start = self.ruling

    def apply_event(self, version: int, body: Body[Any]) -> None:
        """Apply the next fact in order of play. It is folded only if it stands."""
        ruling = body.ruling
        if ruling != self.ruling:
            if self._folded_count >= EVERY:
                self._keep_state()
            self.ruling = ruling
        if not ruling:
            self.opening_count += 1
        elif not body.revision:
            self._version = max(self._version, version)
        if self.standing.get(ruling, 0) == body.revision:
            self.folded.apply_fact(body)
            self._folded_count += 1

    def _keep_state(self) -> None:
        """Keep the current state, unless the current interval already has a kept state."""
        standing = limit_standing_to(self.standing, self.ruling)
        nearest_state = self.states.find_kept_state_before(self.ruling, self.opening_count, standing)
        if nearest_state is None or nearest_state.ruling <= self._interval_start:
            self.states.keep_state(Kept(self.ruling, self._version, self.opening_count, standing, self.folded.copy()))
        self._folded_count, self._interval_start = 0, self.ruling
