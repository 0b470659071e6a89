"""A campaign's history out of the record, told far enough to compare two pasts from some ruling on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ledger.aggregates.ruling import Ruling, fold_ruling
from ledger.application import wire
from ledger.application.book import Book
from ledger.events.envelope import Body, Event
from ledger.events.records import Restored, Struck
from ledger.rules.comparison import Comparison, Past, PastRuling, compare
from ledger.rules.contract import Subject, Viewer, scene
from ledger.rules.replay import Recorded

#: A campaign's subjects and rulings lie in these ranges of streams; access, journal, receipts and waiting outside them.
RANGES = (("campaign", "journal"), ("ruling", "waiting"))


@dataclass(slots=True)
class History:
    """Every recorded fact by ruling (0: the opening, and seats before the first), every ruling, what stands now.

    `since`: what no ruling made (seats) and came after the last one; what came between two stands with the later one.
    `recorded`: the same rulings as people see them, for those who present this.
    """

    facts: dict[int, list[tuple[Subject, Recorded]]] = field(default_factory=lambda: defaultdict(list))
    since: list[tuple[Subject, Body[Any]]] = field(default_factory=list)
    rulings: dict[int, PastRuling] = field(default_factory=dict)
    standing: dict[int, int | None] = field(default_factory=dict)
    recorded: dict[int, Ruling] = field(default_factory=dict)


def history_of(book: Book) -> History:
    """All of it; kept for as long as nothing is saved, so that looking from several sides costs one reading."""
    position, history = book.memory
    if history is None or position != book.campaign.position:
        history = _read(book)
        book.memory = (book.campaign.position, history)
    assert isinstance(history, History)
    return history


def _read(book: Book) -> History:
    """In one pass over the record."""
    history = History()
    streams: dict[int, list[Event]] = defaultdict(list)
    for first, end in RANGES:
        for stream, version, topic, state in book.recorder.select_range(f"{book.id}/{first}", f"{book.id}/{end}"):
            event = Event(stream, version, book.codec.decode(topic, bytes(state)))
            if event.body.position > book.campaign.position:  # saved while this is being read
                continue
            _, kind, id = stream.split("/", 2)
            if kind == "ruling":
                streams[int(id)].append(event)
            elif not isinstance(event.body.fact, Struck | Restored):
                told = (Subject(kind, id), event.body)  # type: ignore[arg-type]
                if event.body.ruling:
                    history.facts[event.body.ruling].append(told)
                else:
                    history.since.append(told)
    history.since.sort(key=lambda told: told[1].position)
    for number in sorted(streams):
        _add_ruling(book, history, number, streams[number])
    return history


def _add_ruling(book: Book, history: History, number: int, events: list[Event]) -> None:
    ruling = fold_ruling(number, events)
    assert ruling is not None
    before = [told for told in history.since if told[1].position < ruling.position]
    del history.since[: len(before)]
    if number == 1:
        history.facts[0], before = list(before), []
    ruled = ruling.ruled
    history.recorded[number] = ruling
    if not ruling.stands:
        history.standing[number] = None
    elif ruling.revision:
        history.standing[number] = ruling.revision
    facts = sorted(history.facts[number], key=lambda told: told[1].step)
    history.rulings[number] = PastRuling(
        number=number,
        declared=wire.input_from(book.ruleset, ruled.declared),
        by=Viewer(ruled.seat, ruled.role, frozenset(ruled.plays)),
        scene=scene(ruled.scene) if ruled.scene is not None else None,
        answers=tuple(wire.answer_from(book.ruleset, one.answer) for one in ruled.answers if not one.set_aside),
        facts=tuple(facts),
        reads=frozenset(ruled.reads),
        edition=ruled.edition,
        before=tuple(before),
    )


def compare_pasts(book: Book, history: History, changed: Iterable[int], then: dict[int, int | None]) -> Comparison:
    """What stands now beside what would stand `then`; they differ in the rulings `changed`."""
    first = min(changed)
    start = Past(book.ruleset, history.standing)
    start.tell(history.facts[0])
    for number, ruling in history.rulings.items():
        if number < first:
            start.tell((*ruling.before, *ruling.facts))
    later: list[Any] = [ruling for number, ruling in history.rulings.items() if number >= first]
    comparison = compare(start, later, history.standing, then)
    comparison.now.tell(history.since)
    comparison.then.tell(history.since)
    return comparison
