"""The campaign according to its journal: position, number of rulings, subjects, waiting declarations, open findings."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ledger.aggregates.named_streams import NamedStreams
from ledger.events.envelope import Body
from ledger.events.journal_check import NOTHING, Misfit, Run, extend_digest, make_gap_error
from ledger.events.lineage import Lineage, name_streams_here
from ledger.events.records_of_journal import UNSAID, Entry, Finding, LateEntry, RewoundEntry
from ledger.rules.kernel.places import place_of, place_of_end
from ledger.rules.kernel.subjects import CAMPAIGN, SUBJECT_KINDS, Subject
from ledger.rules.kernel.upcasting import FIRST

#: Acts that decide about a ruling.
DECIDED = frozenset(
    {"disputed", "upheld", "witnessed", "overturned", "reinstated", "revised", "set-aside", "taken-back", "rewound"}
)


class SettledThen(NamedTuple):
    """The settlement of a finding: how, why, by whom and when. `alone`: whether the save did nothing else."""

    finding: Finding
    how: str
    reason: str
    by: str
    at: str
    position: int
    alone: bool


#: Acts that end a dispute about their ruling.
DECIDING = ("upheld", "overturned", "reinstated", "revised", "set-aside", "taken-back", "rewound")
#: Acts about something else that can end a waiting declaration.
ENDING = frozenset({"ruled", "overturned", "taken-back", "rewound"})


class DecidedThen(NamedTuple):
    """A save with a decision about a ruling. `session`: the open session, if any. `after`: the latest ruling at that
    time.
    """

    position: int
    did: str
    ruling: int
    session: str
    after: int


#: Acts after which a decision waits for consent.
ASKING = ("consent-asked", "consented", "refused-consent")


class Misnamed(Exception):
    """A stream does not match the journal. The caller then searches for the first difference."""


class Campaign:
    """A campaign, folded from `<campaign>/journal/journal`, which has one entry for each save.

    - named_streams: for each stream, a digest of the versions that the entries named (`ledger.events.journal_check`).
    - last_unversioned: the position of the last entry that names streams without versions.
    - has_named_versions: whether an entry has named versions. From then on, every entry must.
    - position, rulings: the number of the latest entry, and the number of the latest ruling.
    - seats: in the order of their first events.
    - waiting_ids: the waiting declarations, in order.
    - lapsed_ids: the declarations that lapsed after the ledger had rolled for them.
    - proposal_ids: the decisions that wait for consent.
    - disputed_rulings: the rulings that may be disputed. A decision about another ruling can also end a dispute: the
      ruling's status says so.
    - open_findings, settled_findings: by the finding's id.
    - rolls: how often the ledger has rolled.
    - rulings_by_session: for each session, the first and last ruling of each unbroken series. The empty session stands
      for the times when no session was open.
    - followers: for each ruling, the rulings that followed from it automatically.
    - bases: for each ruling entered late, the ruling that it follows in play.
    - decisions: the decisions about rulings, in order.
    - ruling_positions: the position of each ruling's save, beginning with ruling 1.
    - roll_counts: for each save with rolls, the number of all rolls so far, and the ruling or declaration that needed
      them.
    - editions: the editions of the game's rules, each with the position of its first save.
    - lineage: the campaigns that wrote the saves.
    - fork_versions: for each save that made a fork, by position, the version of its event in the campaign's own stream.
    """

    __slots__ = (
        "bases",
        "decisions",
        "disputed_rulings",
        "editions",
        "followers",
        "fork_versions",
        "has_named_versions",
        "id",
        "lapsed_ids",
        "last_unversioned",
        "lineage",
        "named_streams",
        "open_findings",
        "position",
        "proposal_ids",
        "roll_counts",
        "rolls",
        "ruling_positions",
        "rulings",
        "rulings_by_session",
        "seats",
        "settled_findings",
        "subjects",
        "waiting_ids",
    )

    def __init__(self, id: str) -> None:
        self.id = id
        self.position = 0
        self.rulings = 0
        self.rolls = 0
        self.has_named_versions = False
        self.last_unversioned = 0
        self.named_streams = NamedStreams(id)
        self.rulings_by_session: dict[str, list[tuple[int, int]]] = {}
        self.decisions: list[DecidedThen] = []
        self.followers: dict[int, list[int]] = {}
        self.bases: dict[int, int] = {}
        self.ruling_positions = array("q")
        self.roll_counts: list[tuple[int, int | str]] = []
        self.subjects: dict[Subject, int] = {}
        self.seats: dict[str, None] = {}
        self.waiting_ids: dict[str, None] = {}
        self.lapsed_ids: dict[str, None] = {}
        self.disputed_rulings: dict[int, None] = {}
        self.proposal_ids: dict[str, None] = {}
        self.open_findings: dict[str, Finding] = {}
        self.settled_findings: dict[str, SettledThen] = {}
        self.lineage = Lineage(id)
        self.fork_versions: dict[int, int] = {}
        self.editions: list[tuple[int, int]] = []

    def apply_entry(self, version: int, body: Body[object]) -> dict[str, int]:
        """Apply the next entry. For each stream that it changed, return the digest from before the entry.

        Raise Unsound if this is not the next entry.
        """
        if version != self.position + 1:
            raise make_gap_error(self.position, version)
        if not isinstance(body.fact, Entry) or body.position != version:
            raise Misfit(version, "unnamed", body.position).make_unsound(name_journal_stream(self.id))
        entry: Entry = body.fact
        digests_before = self._note_named_streams(version, entry)
        self.position = version
        if entry.edition not in (UNSAID, self.edition):
            self.editions.append((version, entry.edition))
        if entry.did == "ruled" and entry.ruling is not None:
            self.rulings = max(self.rulings, entry.ruling)
            self.ruling_positions.extend([version] * (self.rulings - len(self.ruling_positions)))
            self._note_ruling_in_session(body.session, entry.ruling)
            if isinstance(entry, LateEntry):
                self.bases[entry.ruling] = entry.after
            if entry.follows is not None:
                self.followers.setdefault(entry.follows, []).append(entry.ruling)
        elif entry.did in DECIDED and entry.ruling is not None:
            self.decisions.append(DecidedThen(version, entry.did, entry.ruling, body.session, self.rulings))
        elif entry.did == "forked":
            self.fork_versions[version] = entry.streams.get(
                name_subject_stream(self.lineage.find_home(version), CAMPAIGN), 0
            )
        if entry.waiting is not None:
            self._note_waiting(entry)
        if entry.ruling is not None:
            self._note_dispute(entry, entry.ruling)
        if self.waiting_ids and entry.did in ENDING:
            self._drop_touched_waiting(entry)
        if self.proposal_ids and entry.did not in ASKING:
            for stream in entry.streams:  # any other save that changes a proposal's stream ends the proposal
                self.proposal_ids.pop(stream.rpartition("/")[2] if "/waiting/" in stream else "", None)
        if body.rolls > self.rolls:
            self.rolls = body.rolls
            self.roll_counts.append((body.rolls, entry.ruling or entry.waiting or 0))
        for finding in entry.findings:
            self.open_findings[finding.id] = finding
        for settlement in entry.settled:
            if settlement.finding in self.open_findings:
                finding = self.open_findings.pop(settlement.finding)
                if settlement.how != "cleared":
                    how, reason, is_on_its_own = settlement.how, settlement.reason, entry.did == "settled"
                    self.settled_findings[finding.id] = SettledThen(
                        finding, how, reason, body.by, body.at, version, is_on_its_own
                    )
        return digests_before

    @property
    def edition(self) -> int:
        """Return the edition of the rules at the latest save."""
        return self.editions[-1][1] if self.editions else UNSAID

    def find_edition(self, position: int) -> int:
        """Return the edition of the rules at this position, or `FIRST` if no save up to this position names one."""
        earlier_editions = [edition for first_position, edition in self.editions if first_position <= position]
        return earlier_editions[-1] if earlier_editions else FIRST

    def find_place(self, number: int) -> int:
        """Return a ruling's place in play."""
        return place_of(number, self.bases.get(number, 0))

    def find_end(self, number: int) -> int:
        """Return the last place that belongs to the ruling, including rulings entered late after it."""
        return place_of_end(number, self.bases.get(number, 0))

    def is_last_in_play(self, number: int) -> bool:
        """Return whether the ruling is the latest one and was not entered late."""
        return number == self.rulings and number not in self.bases

    def list_late_after(self, number: int) -> list[int]:
        """Return the rulings entered late after this one, in order."""
        return [late_number for late_number, base in self.bases.items() if base == number]

    def sort_in_play(self, numbers: Iterable[int]) -> list[int]:
        """Return the rulings in order of play."""
        return sorted(numbers, key=self.find_place) if self.bases else sorted(numbers)

    def _note_ruling_in_session(self, session: str, ruling_number: int) -> None:
        stretches = self.rulings_by_session.setdefault(session, [])
        if stretches and stretches[-1][1] == ruling_number - 1:
            stretches[-1] = (stretches[-1][0], ruling_number)
        else:
            stretches.append((ruling_number, ruling_number))

    def _note_named_streams(self, position: int, entry: Entry) -> dict[str, int]:
        digests, digests_before = self.named_streams, {}
        self.lineage.note_entry(position, entry.streams)
        for stream, latest in name_streams_here(self.id, entry.streams).items():
            if latest != UNSAID:
                self.has_named_versions = True
            elif self.has_named_versions:
                raise Misfit(position, "unnamed", position).make_unsound(name_journal_stream(self.id))
            else:
                self.last_unversioned = position
            digests_before[stream] = digest = digests[stream]
            digests[stream] = extend_digest(digest, latest, position)
            self._note_touched_subject(stream, position)
        return digests_before

    def _note_dispute(self, entry: Entry, ruling_number: int) -> None:
        if entry.did == "disputed":
            self.disputed_rulings[ruling_number] = None
        elif entry.did in DECIDING:
            last = entry.through if isinstance(entry, RewoundEntry) else ruling_number
            for number in [number for number in self.disputed_rulings if ruling_number <= number <= last]:
                del self.disputed_rulings[number]

    def _note_waiting(self, entry: Entry) -> None:
        assert entry.waiting is not None
        self.lapsed_ids.pop(entry.waiting, None)
        if entry.did in ("declared", "answered"):
            self.waiting_ids[entry.waiting] = None
        elif entry.did in ASKING:
            self.proposal_ids[entry.waiting] = None
        else:
            self.waiting_ids.pop(entry.waiting, None)

    def _drop_touched_waiting(self, entry: Entry) -> None:
        """Remove other waiting declarations that this save ended."""
        for stream in entry.streams:
            _, kind, id = stream.split("/", 2)
            if kind == "waiting" and id != entry.waiting:
                self.waiting_ids.pop(id, None)
                if entry.did == "ruled" and any(purpose == id for _, purpose in self.roll_counts):
                    self.lapsed_ids[id] = None

    def _note_touched_subject(self, stream: str, position: int) -> None:
        _, kind, id = stream.split("/", 2)
        if kind in SUBJECT_KINDS:
            if kind == "seat":
                self.seats.setdefault(id)
            self.subjects[Subject(kind, id)] = position

    def yield_named_bodies(
        self, stream: str, bodies: Iterable[Body[object]], first_version: int = 0, digest: int = NOTHING
    ) -> Iterator[Body[object]]:
        """Yield the events of a stream, up to the campaign's position. Raise Misnamed if the journal names other
        events, sometimes only after the last event.

        `bodies`: the events after `first_version`, in order. `digest`: the digest of the named versions up to
        `first_version`.
        """
        current_position, last_position, last_unversioned = 0, self.position, self.last_unversioned
        version, run = first_version, Run()
        for body in bodies:
            position = body.position
            if position != current_position:
                if position > last_position:
                    break
                if position < current_position:
                    raise Misnamed
                if current_position:  # as in `extend_digest`; calling it would double the cost
                    digest = hash(
                        (digest, version if current_position > last_unversioned else UNSAID, current_position)
                    )
                current_position = position
                if current_position <= last_unversioned:
                    run = Run()
            version += 1
            if current_position <= last_unversioned and run.note_and_detect_copy(body):
                raise Misnamed
            yield body
        if current_position:
            digest = extend_digest(digest, version if current_position > last_unversioned else UNSAID, current_position)
        if digest != self.named_streams[stream]:
            raise Misnamed


def name_journal_stream(campaign: str) -> str:
    return f"{campaign}/journal/journal"


def name_subject_stream(campaign: str, subject: Subject) -> str:
    return f"{campaign}/{subject.kind}/{subject.id}"


def parse_subject(stream: str) -> Subject:
    """Return the subject whose stream has this name (`name_subject_stream`)."""
    _, kind, id = stream.split("/", 2)
    return Subject(kind, id)  # type: ignore[arg-type]
