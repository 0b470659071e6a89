"""Rulings with their facts, from the record."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from ledger.aggregates.rewinds import list_rewinds, name_rewinds_stream
from ledger.aggregates.ruling import Pending, Ruling, fold_ruling
from ledger.application.book import Book
from ledger.application.reading.shown import ShownRuling
from ledger.application.reading.veiling import may_know
from ledger.errors import Fault, NotFound
from ledger.events.codec import Codec
from ledger.events.envelope import Event
from ledger.events.lineage import name_stream_here
from ledger.events.recorder import LedgerRecorder
from ledger.rules.kernel.facts import Leg
from ledger.rules.kernel.subjects import Viewer

#: Events by their stream and version.
AtHand: TypeAlias = Mapping[tuple[str, int], Event]
NOTHING_AT_HAND: AtHand = MappingProxyType({})
#: Stands for the stream of rewinds in place of a ruling's number.
REWINDS = 0


def load_visible_ruling(book: Book, number: int, viewer: Viewer) -> ShownRuling:
    """Return a ruling with its facts. Raise NotFound if the seat may not know of it."""
    ruling = book.load_ruling(number)
    if not may_know(viewer, ruling):
        raise NotFound(f"There is no ruling {number}.", code="ruling-not-found", ruling=number)
    return attach_facts(book, [ruling])[0]


def attach_facts(book: Book, rulings: Sequence[Ruling]) -> list[ShownRuling]:
    """Return the rulings with their facts as stored, without facts of the class `Leg`. All are read in one
    round trip.
    """
    return _attach_facts(book.recorder, book.codec, book.id, rulings)


def load_shown_rulings(
    recorder: LedgerRecorder,
    codec: Codec,
    campaign: str,
    numbers: Iterable[int],
    position: int,
    events_at_hand: AtHand = NOTHING_AT_HAND,
    *,
    may_be_rewound: bool = True,
) -> list[ShownRuling]:
    """Return rulings of a campaign with their facts as of a position, in the given order.

    `events_at_hand`: events that the caller has already read. `may_be_rewound`: whether a rewind may concern the
    rulings with all events at hand.
    """
    rulings = load_bare_rulings(
        recorder, codec, campaign, numbers, position, events_at_hand, may_be_rewound=may_be_rewound
    )
    return _attach_facts(recorder, codec, campaign, rulings, events_at_hand)


def load_bare_rulings(
    recorder: LedgerRecorder,
    codec: Codec,
    campaign: str,
    numbers: Iterable[int],
    position: int,
    events_at_hand: AtHand = NOTHING_AT_HAND,
    *,
    may_be_rewound: bool = True,
) -> list[Ruling]:
    """Return rulings without their facts. The arguments are those of `load_shown_rulings`."""
    numbers_by_stream = {f"{campaign}/ruling/{number}": number for number in numbers}
    events_by_number: dict[int, list[Event]] = {
        number: _list_events_at_hand(events_at_hand, stream) for stream, number in numbers_by_stream.items()
    }
    unread_streams = [(stream, 0) for stream, number in numbers_by_stream.items() if not events_by_number[number]]
    if unread_streams or may_be_rewound:
        unread_streams.append((name_rewinds_stream(campaign), 0))
        numbers_by_stream[name_rewinds_stream(campaign)] = REWINDS
    rewind_events = list[Event]()
    for stream, version, topic, state in recorder.select_streams(unread_streams) if unread_streams else ():
        event = Event(stream, version, codec.decode(topic, state))
        if event.body.position <= position:
            events_by_number.get(numbers_by_stream[stream], rewind_events).append(event)
    rewinds = list_rewinds(rewind_events)
    rulings = (fold_ruling(number, stream_events, rewinds) for number, stream_events in events_by_number.items())
    return [ruling for ruling in rulings if ruling is not None]


def _list_events_at_hand(events_at_hand: AtHand, stream: str) -> list[Event]:
    """Return the stream's events at hand, from the first version up to the first gap."""
    events: list[Event] = []
    while (event := events_at_hand.get((stream, len(events) + 1))) is not None:
        events.append(event)
    return events


def load_rulings_at(book: Book, places: Sequence[tuple[int, int]]) -> list[ShownRuling]:
    """Return, for each (number, position), the ruling as it was at that position."""
    numbers_by_stream = {f"{book.id}/ruling/{number}": number for number, _ in places}
    events_by_number: dict[int, list[Event]] = {number: [] for number in numbers_by_stream.values()}
    for event in map(book.read_event, book.recorder.select_streams([(stream, 0) for stream in numbers_by_stream])):
        events_by_number[numbers_by_stream[event.originator_id]].append(event)
    rewinds = book.list_rewinds()
    folded_rulings = [
        fold_ruling(
            number,
            [event for event in events_by_number[number] if event.body.position <= position],
            [recorded_rewind for recorded_rewind in rewinds if recorded_rewind.position <= position],
        )
        for number, position in places
    ]
    rulings = [ruling for ruling in folded_rulings if ruling is not None]
    if len(rulings) < len(folded_rulings):
        raise Fault("The record is missing rulings that the journal lists.", code="event-missing")
    return attach_facts(book, rulings)


def _attach_facts(
    recorder: LedgerRecorder,
    codec: Codec,
    campaign: str,
    rulings: Sequence[Ruling],
    events_at_hand: AtHand = NOTHING_AT_HAND,
) -> list[ShownRuling]:
    address_lists = [[*(revision.ruled.facts for revision in ruling.earlier), ruling.ruled.facts] for ruling in rulings]
    addresses = [
        (name_stream_here(campaign, address.stream), address.version)
        for revisions in address_lists
        for facts in revisions
        for address in facts
    ]
    unread_addresses = [address for address in addresses if address not in events_at_hand]
    rows = recorder.select_at(unread_addresses) if unread_addresses else []
    if len(rows) < len(unread_addresses):
        raise Fault("The record is missing facts that a ruling lists.", code="event-missing")
    events_read = iter([Event(stream, version, codec.decode(topic, state)) for stream, version, topic, state in rows])
    events = iter([events_at_hand.get(address) or next(events_read) for address in addresses])
    shown_rulings = []
    for ruling, revisions in zip(rulings, address_lists, strict=True):
        *earlier_facts, facts = [drop_legs([next(events) for _ in places]) for places in revisions]
        shown_rulings.append(ShownRuling(ruling, facts, earlier_facts))
    return shown_rulings


def drop_legs(events: Iterable[Event]) -> list[Event]:
    return [event for event in events if not isinstance(event.body.fact, Leg)]


def list_followers(book: Book, numbers: Collection[int]) -> list[int]:
    """Return the standing rulings that followed automatically from these rulings."""
    followers: set[int] = set()
    for first_number, chain in book.campaign.followers.items():
        overturned_numbers = [number for number in (first_number, *chain) if number in numbers]
        if overturned_numbers:
            followers.update(number for number in chain if number > min(overturned_numbers) and number not in numbers)
    return [ruling.number for ruling in book.load_rulings(sorted(followers)) if ruling.stands]


def list_waiting_steps(book: Book, numbers: Collection[int]) -> list[Pending]:
    """Return the steps that followed automatically from these rulings and wait for an answer."""
    chains = book.campaign.followers
    return [
        pending
        for pending in book.list_waiting()
        if pending.follows and not {pending.follows, *chains.get(pending.follows, ())}.isdisjoint(numbers)
    ]
