"""The campaign according to its journal: position, number of rulings, subjects, what waits, open findings."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ledger.aggregates.named_streams import NamedStreams
from ledger.events.envelope import Body
from ledger.events.journal_check import NOTHING, Misfit, Run, extend_digest, make_gap_error
from ledger.events.lineage import Lineage, name_streams_here
from ledger.events.records_of_journal import UNSAID, Entry, Finding
from ledger.rules.kernel.subjects import CAMPAIGN, SUBJECT_KINDS, Subject
from ledger.rules.kernel.upcasting import FIRST

#: Acts that are decisions about a ruling.
DECIDED = frozenset({"disputed", "upheld", "witnessed", "overturned", "reinstated", "revised", "set-aside"})


class SettledThen(NamedTuple):
    """How somebody settled a finding: how, why, who, when. `alone`: by a save that did nothing else."""

    finding: Finding
    how: str
    reason: str
    by: str
    at: str
    position: int
    alone: bool


#: Acts that end a dispute about their ruling.
DECIDING = ("upheld", "overturned", "reinstated", "revised", "set-aside")


class DecidedThen(NamedTuple):
    """A save that decided about a ruling. `after`: the latest ruling then; `session`: the one open then, or none."""

    position: int
    did: str
    ruling: int
    session: str
    after: int


#: Acts after which a decision waits for consent.
ASKING = ("consent-asked", "consented", "refused-consent")


class Misnamed(Exception):
    """A stream as read is not what the journal names. (Which event differs is looked for afterwards.)"""


class Campaign:
    """Folded from `<campaign>/journal/journal`, one entry for each save.

    - named: by stream, a digest of what the entries name of it (`ledger.events.journal_check`).
    - unsaid: the position of the last entry that names streams without versions; none does after one that `said` them.
    - position: the number of the latest entry. rulings: the number of the latest ruling. seats: in order.
    - waiting: ids of waiting declarations, in order. lapsed: those that lapsed although the ledger rolled for them.
    - proposals: ids of decisions that wait for consent.
    - disputed: rulings disputed and not decided about since on their own. (The ruling itself knows whether it still
      is.)
    - findings: the open ones by id. settled: those that somebody settled, with how.
    - rolls: how often the ledger has rolled.
    - played: by session (empty: none) the rulings declared while it was open, first and last of each stretch.
    - decided: the decisions about rulings, in order. ruled: for each ruling, from 1, the position of its save.
    - rolled: for every save with rolls, their number by its end, and the ruling or declaration they were made for.
    - editions: of the game's rules under which its saves were made, each with the position of the first.
    - lineage: where its saves were written. forked: by position, the version in the campaign's own stream that says so.
    """

    __slots__ = (
        "decided",
        "disputed",
        "editions",
        "findings",
        "forked",
        "id",
        "lapsed",
        "lineage",
        "named",
        "played",
        "position",
        "proposals",
        "rolled",
        "rolls",
        "ruled",
        "rulings",
        "said",
        "seats",
        "settled",
        "subjects",
        "unsaid",
        "waiting",
    )

    def __init__(self, id: str) -> None:
        self.id = id
        self.position = 0
        self.rulings = 0
        self.rolls = 0
        self.said = False
        self.unsaid = 0
        self.named = NamedStreams(id)
        self.played: dict[str, list[tuple[int, int]]] = {}
        self.decided: list[DecidedThen] = []
        self.ruled = array("q")
        self.rolled: list[tuple[int, int | str]] = []
        self.subjects: dict[Subject, int] = {}
        self.seats: dict[str, None] = {}
        self.waiting: dict[str, None] = {}
        self.lapsed: dict[str, None] = {}
        self.disputed: dict[int, None] = {}
        self.proposals: dict[str, None] = {}
        self.findings: dict[str, Finding] = {}
        self.settled: dict[str, SettledThen] = {}
        self.lineage = Lineage(id)
        self.forked: dict[int, int] = {}
        self.editions: list[tuple[int, int]] = []

    def apply_entry(self, version: int, body: Body[object]) -> dict[str, int]:
        """Apply the next entry. Return the streams it touched, each with the digest of what was named of it before.

        Unsound, without applying it, if it is not the next entry.
        """
        if version != self.position + 1:
            raise make_gap_error(self.position, version)
        if not isinstance(body.fact, Entry) or body.position != version:
            raise Misfit(version, "unnamed", body.position).make_unsound(name_journal_stream(self.id))
        entry: Entry = body.fact
        touched = self._note_named_streams(version, entry)
        self.position = version
        if entry.edition not in (UNSAID, self.edition):
            self.editions.append((version, entry.edition))
        if entry.did == "ruled" and entry.ruling is not None:
            self.rulings = max(self.rulings, entry.ruling)
            self.ruled.extend([version] * (self.rulings - len(self.ruled)))
            self._note_played(body.session, entry.ruling)
        elif entry.did in DECIDED and entry.ruling is not None:
            self.decided.append(DecidedThen(version, entry.did, entry.ruling, body.session, self.rulings))
        elif entry.did == "forked":
            self.forked[version] = entry.streams.get(name_subject_stream(self.lineage.find_home(version), CAMPAIGN), 0)
        if entry.waiting is not None:
            self._note_waiting(entry)
        if entry.did == "disputed" and entry.ruling is not None:
            self.disputed[entry.ruling] = None
        elif entry.did in DECIDING and entry.ruling is not None:
            self.disputed.pop(entry.ruling, None)
        if self.waiting and entry.did == "ruled":
            self._note_lapsed(entry)
        if self.proposals and entry.did not in ASKING:
            for stream in entry.streams:  # a save about something else carried it out
                self.proposals.pop(stream.rpartition("/")[2] if "/waiting/" in stream else "", None)
        if body.rolls > self.rolls:
            self.rolls = body.rolls
            self.rolled.append((body.rolls, entry.ruling or entry.waiting or 0))
        for finding in entry.findings:
            self.findings[finding.id] = finding
        for settlement in entry.settled:
            if settlement.finding in self.findings:
                finding = self.findings.pop(settlement.finding)
                if settlement.how != "cleared":
                    how, reason, alone = settlement.how, settlement.reason, entry.did == "settled"
                    self.settled[finding.id] = SettledThen(finding, how, reason, body.by, body.at, version, alone)
        return touched

    @property
    def edition(self) -> int:
        """The edition of the rules for the latest save, if saves say so."""
        return self.editions[-1][1] if self.editions else UNSAID

    def find_edition(self, position: int) -> int:
        """Return the edition of the rules for the save at this position: the first, if it does not say."""
        earlier = [edition for first, edition in self.editions if first <= position]
        return earlier[-1] if earlier else FIRST

    def _note_played(self, session: str, ruling: int) -> None:
        stretches = self.played.setdefault(session, [])
        if stretches and stretches[-1][1] == ruling - 1:
            stretches[-1] = (stretches[-1][0], ruling)
        else:
            stretches.append((ruling, ruling))

    def _note_named_streams(self, position: int, entry: Entry) -> dict[str, int]:
        named, touched = self.named, {}
        self.lineage.note_entry(position, entry.streams)
        for stream, latest in name_streams_here(self.id, entry.streams).items():
            if latest != UNSAID:
                self.said = True
            elif self.said:
                raise Misfit(position, "unnamed", position).make_unsound(name_journal_stream(self.id))
            else:
                self.unsaid = position
            touched[stream] = before = named[stream]
            named[stream] = extend_digest(before, latest, position)
            self._note_touched(stream, position)
        return touched

    def _note_waiting(self, entry: Entry) -> None:
        assert entry.waiting is not None
        self.lapsed.pop(entry.waiting, None)
        if entry.did in ("declared", "answered"):
            self.waiting[entry.waiting] = None
        elif entry.did in ASKING:
            self.proposals[entry.waiting] = None
        else:
            self.waiting.pop(entry.waiting, None)

    def _note_lapsed(self, entry: Entry) -> None:
        """Remove what waited and was touched by a save about something else."""
        for stream in entry.streams:
            _, kind, id = stream.split("/", 2)
            if kind == "waiting" and id != entry.waiting:
                self.waiting.pop(id, None)
                if any(made_for == id for _, made_for in self.rolled):
                    self.lapsed[id] = None

    def _note_touched(self, stream: str, position: int) -> None:
        _, kind, id = stream.split("/", 2)
        if kind in SUBJECT_KINDS:
            if kind == "seat":
                self.seats.setdefault(id)
            self.subjects[Subject(kind, id)] = position

    def yield_named(
        self, stream: str, bodies: Iterable[Body[object]], after: int = 0, digest: int = NOTHING
    ) -> Iterator[Body[object]]:
        """Yield the events of a stream that count; later saves are skipped. Misnamed, at the end at the latest.

        `bodies`: in order, after a version. `digest`: of what the journal named of it up to there.
        """
        at, limit, unsaid = 0, self.position, self.unsaid
        version, run = after, Run()
        for body in bodies:
            position = body.position
            if position != at:
                if position > limit:
                    break
                if position < at:
                    raise Misnamed
                if at:  # as `extend_digest`, whose call would cost as much again
                    digest = hash((digest, version if at > unsaid else UNSAID, at))
                at = position
                if at <= unsaid:
                    run = Run()
            version += 1
            if at <= unsaid and run.note_and_detect_copy(body):
                raise Misnamed
            yield body
        if at:
            digest = extend_digest(digest, version if at > unsaid else UNSAID, at)
        if digest != self.named[stream]:
            raise Misnamed


def name_journal_stream(campaign: str) -> str:
    return f"{campaign}/journal/journal"


def name_subject_stream(campaign: str, subject: Subject) -> str:
    return f"{campaign}/{subject.kind}/{subject.id}"


def parse_subject(stream: str) -> Subject:
    """Return the subject of a stream, as `name_subject_stream` names it."""
    _, kind, id = stream.split("/", 2)
    return Subject(kind, id)  # type: ignore[arg-type]
