"""The campaign as its journal tells it: position, ruling numbers, what exists, what waits, what must be settled."""

from __future__ import annotations

from ledger.events.envelope import Body
from ledger.events.records import Entry, Finding
from ledger.rules.contract import SUBJECT_KINDS, Subject


class Campaign:
    """Folded from `<campaign>/journal/journal`, one entry per save.

    position: the number of the latest entry. rulings: the number of the latest ruling. seats: in order.
    waiting: ids of what waits, in order. findings: the open ones by id. rolls: how often the ledger has rolled.
    rolled: for every save with rolls, their number by its end, and the ruling or what waits that they were made for.
    """

    __slots__ = ("findings", "id", "position", "rolled", "rolls", "rulings", "seats", "subjects", "waiting")

    def __init__(self, id: str) -> None:
        self.id = id
        self.position = 0
        self.rulings = 0
        self.rolls = 0
        self.rolled: list[tuple[int, int | str]] = []
        self.subjects: dict[Subject, int] = {}
        self.seats: dict[str, None] = {}
        self.waiting: dict[str, None] = {}
        self.findings: dict[str, Finding] = {}

    def take(self, version: int, body: Body[Entry]) -> list[str]:
        """The next entry; the streams it touched."""
        assert version == self.position + 1, f"{self.id}: entry {version} after {self.position}"
        entry = body.fact
        self.position = version
        if entry.did == "ruled" and entry.ruling is not None:
            self.rulings = max(self.rulings, entry.ruling)
        if entry.waiting is not None:
            self._wait(entry)
        if body.rolls > self.rolls:
            self.rolls = body.rolls
            self.rolled.append((body.rolls, entry.ruling or entry.waiting or 0))
        for finding in entry.findings:
            self.findings[finding.id] = finding
        for settlement in entry.settled:
            self.findings.pop(settlement.finding, None)
        for stream in entry.streams:
            self._touched(stream)
        return list(entry.streams)

    def _wait(self, entry: Entry) -> None:
        assert entry.waiting is not None
        if entry.did in ("declared", "answered"):
            self.waiting[entry.waiting] = None
        else:
            self.waiting.pop(entry.waiting, None)

    def _touched(self, stream: str) -> None:
        _, kind, id = stream.split("/", 2)
        if kind == "seat":
            self.seats.setdefault(id)
        for known in SUBJECT_KINDS:
            if known == kind:
                self.subjects[Subject(known, id)] = self.position


def journal_of(campaign: str) -> str:
    return f"{campaign}/journal/journal"


def stream_of(campaign: str, subject: Subject) -> str:
    return f"{campaign}/{subject.kind}/{subject.id}"
