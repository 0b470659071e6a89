"""The two clocks of the record: a moment is a place in play, with or without later corrections."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from ledger.aggregates.campaign import name_journal_stream, name_subject_stream
from ledger.application.book import Book
from ledger.errors import NotFound
from ledger.events.envelope import Body, format_time
from ledger.events.records import MARKS
from ledger.events.records_of_journal import Entry
from ledger.rules.kernel.places import find_base, place_of, place_of_end
from ledger.rules.kernel.subjects import Subject


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment: the campaign up to this place in play. `recorded`: whether only what was recorded up to `position`
    counts.

    Without `recorded`, later corrections and late entries up to this place count, and the moment of a late entry is its
    place in play. With `recorded`, the moment of a late entry includes everything known when it was entered.
    """

    place: int
    position: int
    recorded: bool

    @property
    def ruling(self) -> int:
        """Return the last ruling up to this moment that was not entered late."""
        return find_base(self.place)


def find_moment(book: Book, at: int | datetime | None, *, recorded: bool) -> Moment:
    """Return the moment. `at`: a ruling's number, a time (the last save by then), or None (now). Raise NotFound if
    there is no such ruling.
    """
    if at is None:
        return Moment(place_of_end(book.campaign.rulings), book.campaign.position, recorded)
    if isinstance(at, int):
        if not 0 < at <= len(book.campaign.ruling_positions):
            raise NotFound(f"There is no ruling {at}.", code="ruling-not-found", ruling=at)
        campaign = book.campaign
        if recorded:
            return Moment(place_of_end(at), campaign.ruling_positions[at - 1], recorded)
        base_number = campaign.bases.get(at, at)  # the seats are those of its place in play
        return Moment(campaign.find_end(at), campaign.ruling_positions[base_number - 1], recorded)
    time_text = format_time(at)
    journal = name_journal_stream(book.id)

    def is_saved_by_then(position: int) -> bool:
        (_, _, topic, state), *_ = book.recorder.select_at([(journal, position)])
        return book.codec.decode(topic, state).at <= time_text

    position = _find_last_number(book.campaign.position, is_saved_by_then)
    return Moment(place_of_end(bisect_right(book.campaign.ruling_positions, position)), position, recorded)


def load_journal_entries(book: Book, positions: Iterable[int]) -> dict[int, Entry]:
    """Return the journal entries of these positions, read in one round trip."""
    rows = book.recorder.select_at([(name_journal_stream(book.id), position) for position in positions])
    return {event.originator_version: event.body.fact for event in map(book.read_event, rows)}


def _find_last_number(count: int, does_hold: Callable[[int], bool]) -> int:
    """Return the last number from 1 to `count` that meets the condition, or 0. All smaller numbers must
    meet it, too.
    """
    low, high = 0, count
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if does_hold(middle) else (low, middle - 1)
    return low


def list_bodies_up_to(book: Book, subject: Subject, moment: Moment) -> list[Body[object]]:
    """Return the events about the subject up to that moment, including marks and struck facts."""
    bodies = [event.body for event in book.read(name_subject_stream(book.id, subject))]
    if moment.recorded:
        bodies = [body for body in bodies if body.position <= moment.position]
    return [body for body in bodies if is_in_play(body, moment)]


def is_in_play(body: Body[object], moment: Moment) -> bool:
    if isinstance(body.fact, MARKS):
        return True
    return place_of(body.ruling, body.after) <= moment.place if body.ruling else body.position <= moment.position
