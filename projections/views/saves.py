"""Events as followers read them: save by save, each with its journal entry at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from eventsourcing.persistence import Notification

from ledger.errors import Fault
from ledger.events.codec import Codec
from ledger.events.envelope import Body, Event
from ledger.events.leaves import sealed
from ledger.events.records import Entry, Restored, Ruled, Struck
from ledger.rules.contract import SUBJECT_KINDS
from ledger.rules.housekeeping import Leg

ENTRY = "ledger.entry@1"


@dataclass(frozen=True, slots=True)
class Saved:
    """One save of a campaign. `at`: when, UTC, RFC 3339. `events`: in stored order, without receipts and tokens.

    `stored`: the same as they are stored, the journal's entry at their end: what is sealed.
    """

    campaign: str
    position: int
    at: str
    entry: Entry
    events: tuple[Event, ...]
    stored: tuple[Notification, ...]

    def facts(self) -> Iterator[tuple[str, Body[Any]]]:
        """What became true, with the subject (`character:12`): legs repeat it and are left out."""
        for event in self.events:
            _, kind, id = event.originator_id.split("/", 2)
            if kind in SUBJECT_KINDS and not isinstance(event.body.fact, Struck | Restored | Leg):
                yield (kind if kind == "campaign" else f"{kind}:{id}"), event.body

    def marks(self) -> dict[int, int | None]:
        """The rulings of which another telling stands from now on, and which (None: none)."""
        turned: dict[int, int | None] = {}
        for event in self.events:
            match event.body.fact:
                case Struck(ruling=number):
                    turned.setdefault(number, None)
                case Restored(ruling=number, revision=revision):
                    turned[number] = revision
                case _:
                    pass
        return turned

    def rulings(self) -> dict[int, Ruled | None]:
        """The numbers of the rulings made or decided about; the ruling itself where it was made in this save."""
        found: dict[int, Ruled | None] = {}
        for event in self.events:
            _, kind, id = event.originator_id.split("/", 2)
            if kind == "ruling":
                fact = event.body.fact
                found[int(id)] = fact if isinstance(fact, Ruled) else found.get(int(id))
        return found


def whole_saves(codec: Codec, notifications: Sequence[Notification]) -> tuple[list[Saved], int | None]:
    """The saves that are complete among these notifications, and the id of the last one's entry (None: no save is).

    Fault with its place for an event that cannot be read.
    """
    saves: list[Saved] = []
    last: int | None = None
    events: list[Event] = []
    stored: list[Notification] = []
    for one in notifications:
        if not sealed(str(one.originator_id)):
            continue
        stored.append(one)
        event = Event(str(one.originator_id), one.originator_version, _decoded(codec, one))
        if one.topic == ENTRY:
            campaign, told = event.originator_id.split("/", 1)[0], tuple(events)
            saves.append(Saved(campaign, one.originator_version, event.body.at, event.body.fact, told, tuple(stored)))
            last, events, stored = int(one.id), [], []
        else:
            events.append(event)
    return saves, last


def _decoded(codec: Codec, one: Notification) -> Body[Any]:
    try:
        return codec.decode(one.topic, one.state)
    except Fault as problem:
        place = f"{one.originator_id} version {one.originator_version}, notification {one.id}"
        raise Fault(f"{problem.detail} It stands at {place}.", code="unreadable-event", place=place) from problem
