"""Events as followers read them: save by save, each with its journal entry at the end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from ledger.application import name_journal_stream
from ledger.errors import Fault, Newer, Unsound
from ledger.events.codec import Codec
from ledger.events.envelope import Body, Event
from ledger.events.journal_check import Misfit, StoredSave, make_gap_error, make_unreadable_error
from ledger.events.lineage import name_streams_here
from ledger.events.recorder import Numbered, Row
from ledger.events.records import MARKS, Restored, Rewind, Ruled, Struck
from ledger.events.records_of_journal import Entry
from ledger.rules.kernel.facts import Leg
from ledger.rules.kernel.subjects import SUBJECT_KINDS


@dataclass(frozen=True)
class Saved:
    """One save of a campaign. `at`: the time, in UTC (RFC 3339). `events`: the events in stored order, without receipts
    and tokens.

    `stored_rows`: the same events as stored rows, with the journal entry at the end. These rows are sealed.
    """

    campaign: str
    position: int
    at: str
    entry: Entry
    events: tuple[Event, ...]
    stored_rows: tuple[Row, ...]

    @cached_property
    def facts(self) -> list[tuple[str, Body[object]]]:
        """Return the facts with their subjects (`character:12`), without legs, because a leg repeats another fact."""
        fact_bodies: list[tuple[str, Body[object]]] = []
        for event in self.events:
            _, kind, id = event.originator_id.split("/", 2)
            if kind in SUBJECT_KINDS and not isinstance(event.body.fact, (*MARKS, Leg)):
                fact_bodies.append((kind if kind == "campaign" else f"{kind}:{id}", event.body))
        return fact_bodies

    @cached_property
    def rewound_numbers(self) -> range:
        """Return the range of rulings that a rewind in this save, or its reinstatement, may change."""
        rewinds = (event.body.fact for event in self.events if isinstance(event.body.fact, Rewind))
        return next((range(rewind.first, rewind.last + 1) for rewind in rewinds), range(0))

    @cached_property
    def single_changes(self) -> dict[int, int | None]:
        """Return the new standing revision, or None, of each ruling that this save changes without a rewind."""
        revisions: dict[int, int | None] = {}
        for event in self.events:
            match event.body.fact:
                case Struck(ruling=number):
                    revisions.setdefault(number, None)
                case Restored(ruling=number, revision=revision):
                    revisions[number] = revision
                case _:
                    pass
        return revisions

    @cached_property
    def rulings(self) -> dict[int, Ruled | None]:
        """Return the rulings that this save makes or decides about, by number. None stands for an earlier ruling."""
        rulings: dict[int, Ruled | None] = {}
        for event in self.events:
            _, kind, id = event.originator_id.split("/", 2)
            if kind == "ruling":
                fact = event.body.fact
                rulings[int(id)] = fact if isinstance(fact, Ruled) else rulings.get(int(id))
        return rulings


@dataclass(frozen=True, slots=True)
class Stop:
    """Why the views of a campaign have stopped. `detail`: one sentence that says where, without any stored text."""

    campaign: str
    code: str
    detail: str


@dataclass(slots=True)
class Gathered:
    """The saves from a batch of notifications, in order, and the campaigns that stop. `last_id`: the last notification
    that was handled, or None.

    For a campaign that stops, the saves before the stop are included.
    """

    saves: list[Saved] = field(default_factory=list)
    stops: dict[str, Stop] = field(default_factory=dict)
    last_id: int | None = None


#: A function that returns the events of a campaign's saves between two positions, in the order of the journal.
SelectMissing: TypeAlias = Callable[[str, int, int], Iterable[Numbered]]


class Gathering:
    """Collects sealed events, in order, into saves. A save is stored in one piece, without events of another campaign
    in between.

    `stopped_campaigns`: campaigns to skip. `positions`: the positions of the previous saves, if known.
    `select_missing`: reads saves that are stored after a later save of their campaign.
    """

    def __init__(
        self, codec: Codec, stopped_campaigns: Collection[str], positions: dict[str, int], select_missing: SelectMissing
    ) -> None:
        self.gathered = Gathered()
        self._codec = codec
        self._stopped_campaigns = stopped_campaigns
        self._select_missing = select_missing
        self.positions = positions
        self._campaign = ""
        self._start_campaign("")

    def _start_campaign(self, campaign: str) -> None:
        self._campaign, self._save = campaign, StoredSave()
        self._events: list[Event] = []
        self._stored_rows: list[Row] = []
        self._last_id = 0

    def gather(self, rows: Iterable[Numbered], *, is_end: bool) -> Gathered:
        """Take sealed events, and return the saves so far. `is_end`: whether the record ends with these events."""
        for id, stream, version, topic, state in rows:
            self._take_event(id, stream, version, topic, state)
        if is_end:
            self._drop_unclosed()
        return self.gathered

    def _take_event(self, id: int, stream: str, version: int, topic: str, state: bytes) -> None:
        campaign = stream.partition("/")[0]
        if campaign != self._campaign:
            self._drop_unclosed()
            self._start_campaign(campaign)
        if campaign not in self._stopped_campaigns and campaign not in self.gathered.stops:
            try:
                self._last_id = id
                self._stored_rows.append((stream, version, topic, state))
                self._add_event(Event(stream, version, _decode_body(self._codec, stream, version, topic, state)))
            except Newer:  # not a fault of the campaign: it waits for a later version of the ledger
                raise
            except Unsound as problem:
                self._stop_campaign(problem)
        if not self._stored_rows:
            self.gathered.last_id = id

    def _add_event(self, event: Event) -> None:
        stream, version, body = event.originator_id, event.originator_version, event.body
        if stream != name_journal_stream(self._campaign):
            self._save.add_event(stream, version, body.position)
            self._events.append(event)
            return
        if not isinstance(body.fact, Entry) or body.position != version:
            raise Misfit(version, "unnamed", body.position).make_unsound(stream)
        position_before = self.positions.get(self._campaign, version - 1)
        if version <= position_before:  # it was processed together with the next one
            self._start_campaign(self._campaign)
            return
        if version > position_before + 1:
            self._take_missing_saves(position_before, version)
        problem = self._save.find_problem_with_entry(
            version, name_streams_here(self._campaign, body.fact.streams), body.fact.events
        )
        if problem is not None:
            raise problem
        self.positions[self._campaign] = version
        contents = tuple(self._events), tuple(self._stored_rows)
        self.gathered.saves.append(Saved(self._campaign, version, body.at, body.fact, *contents))
        self._start_campaign(self._campaign)

    def _take_missing_saves(self, position_before: int, version: int) -> None:
        """Take the saves that were skipped. Raise Unsound if one is missing or invalid."""
        gathering = Gathering(self._codec, (), self.positions, self._select_missing)
        missing_saves = gathering.gather(self._select_missing(self._campaign, position_before, version), is_end=True)
        self.gathered.saves += missing_saves.saves
        for stop in missing_saves.stops.values():
            raise Unsound(stop.detail, stop.code)
        if self.positions[self._campaign] != version - 1:
            raise make_gap_error(self.positions[self._campaign], version)

    def _drop_unclosed(self) -> None:
        """Drop events that belong to no save, and stop their campaign."""
        problem = self._save.find_unclosed_problem()
        if problem is not None:
            self.gathered.last_id = self._last_id
            self._stop_campaign(problem)

    def _stop_campaign(self, problem: Unsound) -> None:
        self.gathered.stops[self._campaign] = Stop(self._campaign, problem.code, problem.detail)
        self._start_campaign(self._campaign)


def _decode_body(codec: Codec, stream: str, version: int, topic: str, state: bytes) -> Body[object]:
    try:
        return codec.decode(topic, state)
    except Fault as problem:
        raise make_unreadable_error(stream, version, problem) from problem
