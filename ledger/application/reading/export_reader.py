"""Read an export, and check everything in it before it is used."""

from __future__ import annotations

import dataclasses
import hashlib
import re
from dataclasses import dataclass
from typing import IO, NoReturn, TypeVar

import msgspec
from msgspec.json import Decoder

from ledger.application.reading.exports import JOURNAL, BadExport, Header, SealedEvent, Trailer, Withheld
from ledger.application.reading.seals import BadSeal, Seal, verify_seal
from ledger.application.reading.stored import JOURNALLED, STAMP
from ledger.events.codec import encode
from ledger.events.decoders import build_decoder
from ledger.events.lineage import Lineage, find_home, name_stream_here, name_streams_here
from ledger.events.merkle import Frontier, compute_root, hash_leaf
from ledger.events.recorder import Row
from ledger.events.records_of_journal import UNSAID
from ledger.events.sealing import encode_leaf

KINDS = frozenset(
    {"bookmarks", "campaign", "character", "journal", "randomness", "rewinds", "ruling", "scene", "seat", "waiting"}
)
MOST_LINE = 64_000_000  # bytes
OWN = "campaign/campaign"  # the stream of the campaign itself
FORKED = "ledger.campaign-forked@"
HASH = re.compile("[0-9a-f]{64}")
P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Export:
    """A verified export. `rows`: the visible events; the names of their streams begin with the campaign's id. `leaves`:
    the leaf hashes of all entries.

    `origins`: what a fork records about each campaign that it continues, oldest first. The first leaves have the
    recorded roots.
    """

    header: Header
    rows: list[Row]
    leaves: list[bytes]
    trailer: Trailer
    origins: list[Forked] = dataclasses.field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        return self.header.seat is None

    def check_against_seal(self, checkpoint: str, public_key: bytes) -> Seal:
        """Compare the export with a seal of the campaign, or of an ancestor up to the fork. Return the seal.

        Raise BadExport if the export differs from what was sealed, or if the seal is newer than the export.
        """
        try:
            seal = verify_seal(checkpoint, public_key)
        except BadSeal as problem:
            raise BadExport(f"The seal you supplied is not valid: {problem}.", code="bad-seal") from None
        counts_by_campaign = {self.header.campaign: len(self.leaves)}
        for origin, ancestor in zip(self.origins, self.header.ancestors or (), strict=True):
            counts_by_campaign |= {origin.campaign: origin.events, ancestor.campaign: origin.events}
        if seal.campaign not in counts_by_campaign:
            raise BadExport(f"The seal belongs to another campaign, {seal.campaign}.", code="other-campaign")
        if seal.campaign != self.header.campaign and seal.count > counts_by_campaign[seal.campaign]:
            raise BadExport(
                f"The seal of {seal.campaign} covers {seal.count} events, but this fork took over only the first"
                f" {counts_by_campaign[seal.campaign]}. Use an earlier seal.",
                code="later-seal",
            )
        if seal.count > len(self.leaves):
            raise BadExport(f"The seal covers {seal.count} events, but the export has {len(self.leaves)}.")
        tree = Frontier()
        for leaf in self.leaves[: seal.count]:
            tree.append(leaf)
        if tree.compute_root() != seal.root:
            raise BadExport(f"The first {seal.count} events differ from the sealed events.", code="not-as-sealed")
        return seal


def read_export(file: IO[bytes]) -> Export:
    """Return the export in the file. Raise BadExport at the first line that is not valid."""
    return _Reader(file).read_export()


class _Opened(msgspec.Struct):
    name: str
    system: str


class _Opening(msgspec.Struct):
    fact: _Opened


class Forked(msgspec.Struct):
    """What a fork records about its origin (`ledger.rules.kernel.facts.CampaignForked`)."""

    name: str
    campaign: str
    campaign_name: str
    at: int
    position: int
    events: int
    root: str
    checkpoint: str
    public_key: str


class _Forking(msgspec.Struct):
    fact: Forked


HEADER, TRAILER = build_decoder(Header), build_decoder(Trailer)
SEALED, WITHHELD = build_decoder(SealedEvent), build_decoder(Withheld)
OPENING, FORKING = build_decoder(_Opening), build_decoder(_Forking)


class _Reader:
    """Reads the lines in order. `line_number`: the number of the current line."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.digest = hashlib.sha256()
        self.line_number = 0
        self.rows: list[Row] = []
        self.leaves: list[bytes] = []
        self.versions: dict[str, int] = {}
        self.lineage = Lineage("")
        self.origins: list[Forked] = []
        self.event_counts: dict[int, int] = {}  # the number of events at the end of each complete save
        self.position = 0  # the position of the last complete save
        self.touched_versions: dict[str, int] = {}

    def read_export(self) -> Export:
        first_line = self._read_line()
        if first_line is None:
            raise BadExport("The file is empty.")
        header = self._parse_line(first_line, HEADER)
        self.lineage = header.lineage
        line = self._read_line()
        while line is not None and (next_line := self._read_line(ahead=1)) is not None:
            self.digest.update(line)
            self._take_entry(header, line)
            line = next_line
            self.line_number += 1
        if line is None:
            raise BadExport("The file contains only a header.")
        return self._read_end(header, self._parse_line(line, TRAILER))

    def _fail(self, detail: str) -> NoReturn:
        raise BadExport(detail, self.line_number)

    def _read_line(self, ahead: int = 0) -> bytes | None:
        """Return the next line. `ahead`: 1 to look ahead, so that the line before it stays the current one."""
        line = self.file.readline(MOST_LINE)
        self.line_number += 1 - ahead
        if line and not line.endswith(b"\n"):
            self.line_number += ahead
            self._fail("the file is incomplete: its end is missing.")
        if self.line_number == 1 and line:
            self.digest.update(line)
        return line or None

    def _parse_line(self, line: bytes, decoder: Decoder[P]) -> P:
        try:
            piece = decoder.decode(line)
        except (msgspec.MsgspecError, ValueError) as problem:
            self._fail(f"it is not a valid {decoder.type.__name__.lower()} of an export ({problem}).")
        if encode(piece) + b"\n" != line:
            self._fail("it is not in the ledger's format.")
        return piece

    def _take_entry(self, header: Header, line: bytes) -> None:
        if not line.startswith(b'{"leaf":"') or b'","' not in line[:80]:
            self._take_withheld(header, line)
            return
        event = self._parse_line(line, SEALED)
        stream = f"{header.campaign}/{event.stream}"
        state = bytes(event.state)
        save_number = self._parse_state(event, STAMP).position if header.ancestors else 0
        leaf = hash_leaf(
            encode_leaf(
                name_stream_here(self.lineage.find_home(save_number), stream), event.version, event.topic, state
            )
        )
        if leaf.hex() != event.leaf:
            self._fail(f"{event.stream} version {event.version} differs from its sealed version.")
        self.leaves.append(leaf)
        self.rows.append((stream, event.version, event.topic, state))
        self._check_order(header, event)
        if header.seat is None:
            self._check_save(stream, event)
        if event.stream == OWN and event.version == 1:
            opening_fact = self._parse_state(event, OPENING).fact
            name = opening_fact.name if header.ancestors else header.name  # a fork's first event names the origin
            if (name, opening_fact.system) != (opening_fact.name, header.system):
                self._fail("the header and the first event name different campaigns.")
        if event.stream == OWN and event.topic.startswith(FORKED):
            self._check_fork(header, event, save_number)

    def _check_fork(self, header: Header, event: SealedEvent, save_number: int) -> None:
        """Check the recorded origin against the header and the lines read so far."""
        fork_fact = self._parse_state(event, FORKING).fact
        self.origins.append(fork_fact)
        fork_positions = [ancestor.position for ancestor in header.ancestors or ()]
        if (
            fork_positions[: len(self.origins)] != [origin.position for origin in self.origins]
            or save_number != fork_fact.position + 1
        ):
            self._fail("the header and the fork name different rulings.")
        try:
            seal = verify_seal(fork_fact.checkpoint, bytes.fromhex(fork_fact.public_key))
        except ValueError as problem:
            self._fail(f"the seal of the original campaign is not valid: {problem}.")
        if (seal.campaign, seal.count, seal.root.hex()) != (fork_fact.campaign, fork_fact.events, fork_fact.root):
            self._fail("the seal of the original campaign does not match the fork.")
        if header.seat is None and self.event_counts.get(fork_fact.position) != fork_fact.events:
            taken_count = self.event_counts.get(fork_fact.position, 0)
            self._fail(f"the fork took {taken_count} events from the original campaign, not {fork_fact.events}.")
        if compute_root(self.leaves[: fork_fact.events]).hex() != fork_fact.root:
            self._fail(
                f"the fork's first {fork_fact.events} events differ from those of the original campaign,"
                f" {fork_fact.campaign}."
            )

    def _take_withheld(self, header: Header, line: bytes) -> None:
        leaf = self._parse_line(line, WITHHELD).leaf
        if HASH.fullmatch(leaf) is None:
            self._fail("the hash of a hidden event is not valid.")
        if header.seat is None:
            self._fail("an event is hidden, although the export claims to be complete.")
        self.leaves.append(bytes.fromhex(leaf))

    def _check_order(self, header: Header, event: SealedEvent) -> None:
        """Check that each stream's versions have no gaps, except where one seat's export withholds events."""
        kind, _, id = event.stream.partition("/")
        if kind not in KINDS or not id:
            self._fail(f"{event.stream} is not a stream of a campaign.")
        latest_version = self.versions.get(event.stream, 0)
        if event.version <= latest_version:
            self._fail(f"{event.stream} version {event.version} comes after version {latest_version}.")
        if header.seat is None and event.version != latest_version + 1:
            self._fail(
                f"{event.stream} version {latest_version + 1} is missing; the next one is version {event.version}."
            )
        self.versions[event.stream] = event.version

    def _check_save(self, stream: str, event: SealedEvent) -> None:
        """Check that the event belongs to the save of the next journal entry, and that this entry names the event."""
        save_number = self.position + 1
        position = self._parse_state(event, STAMP).position
        if position != save_number:
            self._fail(f"{event.stream} version {event.version} belongs to save {position}, not to save {save_number}.")
        if event.stream != JOURNAL:
            self.touched_versions[stream] = event.version
            return
        streams = self._parse_state(event, JOURNALLED).fact.named_versions
        home_campaign = find_home(streams)
        if home_campaign not in (None, self.lineage.find_home(save_number)):
            self._fail(f"save {save_number} was written in another campaign, {home_campaign}.")
        named_versions = dict(name_streams_here(stream.partition("/")[0], streams))
        if UNSAID in named_versions.values():
            self.touched_versions = dict.fromkeys(self.touched_versions, UNSAID)
        for named_stream, latest_version in named_versions.items():
            if self.touched_versions.get(named_stream, latest_version) < latest_version:
                missing_event = f"{named_stream.partition('/')[2]} version {latest_version}"
                self._fail(f"{missing_event} is missing, although the journal lists it.")
        if event.version != save_number or list(named_versions.items()) != list(self.touched_versions.items()):
            differences = named_versions.items() ^ self.touched_versions.items()
            difference_text = " ".join(
                sorted({differing_stream.partition("/")[2] for differing_stream, _ in differences})
            )
            self._fail(
                f"the journal lists different changes for save {save_number}: {difference_text or 'the order differs'}."
            )
        self.position, self.touched_versions = save_number, {}
        self.event_counts[save_number] = len(self.leaves)

    def _parse_state(self, event: SealedEvent, decoder: Decoder[P]) -> P:
        try:
            return decoder.decode(event.state)
        except msgspec.MsgspecError as problem:
            self._fail(f"{event.stream} version {event.version} is not a stored event ({problem}).")

    def _read_end(self, header: Header, trailer: Trailer) -> Export:
        tree = Frontier()
        for leaf in self.leaves:
            tree.append(leaf)
        if header.seat is None and (self.touched_versions or self.position != header.position):
            self._fail(f"the export ends with save {self.position}, but its header says {header.position}.")
        if len(self.origins) != len(header.ancestors or ()):
            self._fail("the header names an original campaign, but the fork does not.")
        if self.origins and self.origins[-1].name != header.name:
            self._fail("the header and the fork name different original campaigns.")
        if (trailer.count, trailer.root) != (tree.count, tree.compute_root().hex()):
            self._fail(f"the {tree.count} events in the file differ from the {trailer.count} events that were sealed.")
        try:
            seal = verify_seal(trailer.checkpoint, bytes.fromhex(trailer.public_key))
        except ValueError as problem:
            self._fail(f"the seal is not valid: {problem}.")
        if (seal.campaign, seal.count, seal.root) != (header.campaign, tree.count, tree.compute_root()):
            self._fail("the seal does not match these events.")
        self.digest.update(trailer.bytes_before_digest)
        if HASH.fullmatch(trailer.public_key) is None or trailer.digest != self.digest.hexdigest():
            self._fail("the file was changed: its digest does not match.")
        return Export(header, self.rows, self.leaves, trailer, self.origins)
