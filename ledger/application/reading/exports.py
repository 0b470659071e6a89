"""An export: a campaign's sealed events as JSON Lines, and its reading, which believes nothing that is not proved.

The first line is a header, the last a trailer with the seal; between them stands every sealed event in stored order
with its leaf hash, or, where the export is one seat's and the event is not for it, the leaf hash alone. Each line is
written in one way only, so there is no byte that could be another.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Literal, NoReturn, TypeAlias, TypeVar

import msgspec

from ledger.application.reading.seals import BadSeal, Seal, Sealer, verify_seal
from ledger.application.reading.stored import Journalled, Stamp
from ledger.errors import Malformed
from ledger.events.codec import encode
from ledger.events.merkle import Frontier, leaf_hash
from ledger.events.recorder import Row
from ledger.events.records import UNSAID
from ledger.events.sealing import leaf_bytes

KINDS = frozenset({"bookmarks", "campaign", "character", "journal", "randomness", "ruling", "scene", "seat", "waiting"})
MOST_LINE = 64_000_000  # bytes
HASH = re.compile("[0-9a-f]{64}")
P = TypeVar("P")
#: An event, and whether it is told. Its stream begins with the campaign.
Entry: TypeAlias = tuple[Row, bool]


class BadExport(Malformed):
    """It is not what a ledger wrote. `line`: where that shows, from 1; 0: nowhere in particular."""

    code = "bad-export"

    def __init__(self, detail: str, line: int = 0, code: str | None = None) -> None:
        super().__init__(f"Line {line}: {detail}" if line else detail, code, line=line)
        self.line = line


class OwnBookmark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the seat has marked for itself: no part of the record."""

    id: str
    ruling: int
    note: str
    at: str


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`position`: of the last save in it. `seat`: whose export it is; None: it is complete.

    `bookmarks`: those that the seat which asked for it keeps for itself, if there are any.
    """

    format: Literal["campaign-ledger/export"] = "campaign-ledger/export"
    version: Literal[1] = 1
    campaign: str
    name: str
    system: str
    position: int
    seat: str | None
    bookmarks: tuple[OwnBookmark, ...] | msgspec.UnsetType = msgspec.UNSET


class SealedEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event. `stream`: without the campaign. `state`: exactly as it is stored."""

    leaf: str
    stream: str
    version: int
    topic: str
    state: msgspec.Raw


class Withheld(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event that is not for the seat."""

    leaf: str


class Trailer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`count`, `root`: of the tree over all entries. `digest`: SHA-256 of every byte of the file before it."""

    count: int
    root: str
    public_key: str
    checkpoint: str
    digest: str = ""

    @property
    def head(self) -> bytes:
        """The line up to the digest."""
        return encode(msgspec.structs.replace(self, digest="")).removesuffix(b'"}')


def written(header: Header, entries: Iterable[Entry], sealer: Sealer) -> Iterator[bytes]:
    """The lines."""
    digest, tree = hashlib.sha256(), Frontier()

    def line(piece: Header | SealedEvent | Withheld) -> bytes:
        text = encode(piece) + b"\n"
        digest.update(text)
        return text

    yield line(header)
    for (stream, version, topic, state), told in entries:
        leaf = leaf_hash(leaf_bytes(stream, version, topic, state))
        tree.append(leaf)
        name = stream.partition("/")[2]
        yield line(SealedEvent(leaf.hex(), name, version, topic, msgspec.Raw(state)) if told else Withheld(leaf.hex()))
    root = tree.root()
    signed = sealer.sign(Seal(header.campaign, tree.count, root))
    trailer = Trailer(tree.count, root.hex(), sealer.public_key.hex(), signed.checkpoint)
    digest.update(trailer.head)
    yield encode(msgspec.structs.replace(trailer, digest=digest.hexdigest())) + b"\n"


@dataclass(frozen=True, slots=True)
class Export:
    """What was read and found in order. `rows`: those told, streams with the campaign. `leaves`: of all entries."""

    header: Header
    rows: list[Row]
    leaves: list[bytes]
    trailer: Trailer

    @property
    def complete(self) -> bool:
        return self.header.seat is None

    def held_against(self, checkpoint: str, public_key: bytes) -> Seal:
        """An earlier (or the same) seal of the campaign. BadExport when this is not what was sealed then."""
        try:
            seal = verify_seal(checkpoint, public_key)
        except BadSeal as problem:
            raise BadExport(f"The seal to hold it against is none: {problem}.", code="bad-seal") from None
        if seal.campaign != self.header.campaign:
            raise BadExport(f"The seal is of another campaign, {seal.campaign}.", code="other-campaign")
        if seal.count > len(self.leaves):
            raise BadExport(f"The seal counts {seal.count} events, the export has {len(self.leaves)}.")
        tree = Frontier()
        for leaf in self.leaves[: seal.count]:
            tree.append(leaf)
        if tree.root() != seal.root:
            raise BadExport(f"Its first {seal.count} events are not those that were sealed.", code="not-as-sealed")
        return seal


def read(file: IO[bytes]) -> Export:
    """The export in the file. BadExport at the first line that shows it is not as it was written."""
    return _Reader(file).read()


class _Opened(msgspec.Struct):
    name: str
    system: str


class _Opening(msgspec.Struct):
    fact: _Opened


class _Reader:
    """Takes the lines in order; the line at hand is `number`."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file
        self.digest = hashlib.sha256()
        self.number = 0
        self.rows: list[Row] = []
        self.leaves: list[bytes] = []
        self.versions: dict[str, int] = {}
        self.position = 0  # of the last save that is complete
        self.touched: dict[str, int] = {}

    def read(self) -> Export:
        first = self._line()
        if first is None:
            raise BadExport("The file is empty.")
        header = self._parsed(first, Header)
        line = self._line()
        while line is not None and (following := self._line(ahead=1)) is not None:
            self.digest.update(line)
            self._entry(header, line)
            line = following
            self.number += 1
        if line is None:
            raise BadExport("There is nothing but a header.")
        return self._end(header, self._parsed(line, Trailer))

    def _bad(self, detail: str) -> NoReturn:
        raise BadExport(detail, self.number)

    def _line(self, ahead: int = 0) -> bytes | None:
        """The next line. `ahead`: it is only looked at, while another is at hand."""
        line = self.file.readline(MOST_LINE)
        self.number += 1 - ahead
        if line and not line.endswith(b"\n"):
            self.number += ahead
            self._bad("it does not end: something is missing here.")
        if self.number == 1 and line:
            self.digest.update(line)
        return line or None

    def _parsed(self, line: bytes, shape: type[P]) -> P:
        try:
            piece = msgspec.json.decode(line, type=shape)
        except (msgspec.MsgspecError, ValueError) as problem:
            self._bad(f"it is no {shape.__name__.lower()} of an export ({problem}).")
        if encode(piece) + b"\n" != line:
            self._bad("it is not written as a ledger writes it.")
        return piece

    def _entry(self, header: Header, line: bytes) -> None:
        if not line.startswith(b'{"leaf":"') or b'","' not in line[:80]:
            self._withheld(header, line)
            return
        told = self._parsed(line, SealedEvent)
        stream = f"{header.campaign}/{told.stream}"
        state = bytes(told.state)
        leaf = leaf_hash(leaf_bytes(stream, told.version, told.topic, state))
        if leaf.hex() != told.leaf:
            self._bad(f"{told.stream} version {told.version} is not what was sealed.")
        self.leaves.append(leaf)
        self.rows.append((stream, told.version, told.topic, state))
        self._in_order(header, told)
        if header.seat is None:
            self._in_its_save(stream, told)
        if told.stream == "campaign/campaign" and told.version == 1:
            opened = self._state(told, _Opening).fact
            if (opened.name, opened.system) != (header.name, header.system):
                self._bad("the header names another campaign than the one that was opened.")

    def _withheld(self, header: Header, line: bytes) -> None:
        leaf = self._parsed(line, Withheld).leaf
        if HASH.fullmatch(leaf) is None:
            self._bad("it is no hash.")
        if header.seat is None:
            self._bad("it withholds an event, and the export claims to be complete.")
        self.leaves.append(bytes.fromhex(leaf))

    def _in_order(self, header: Header, told: SealedEvent) -> None:
        """The versions of each stream follow each other; in one seat's export some may be withheld."""
        kind, _, id = told.stream.partition("/")
        if kind not in KINDS or not id:
            self._bad(f"{told.stream} is no stream of a campaign.")
        known = self.versions.get(told.stream, 0)
        if told.version <= known:
            self._bad(f"{told.stream} version {told.version} stands after version {known}.")
        if header.seat is None and told.version != known + 1:
            self._bad(f"{told.stream} version {known + 1} is missing: here is version {told.version}.")
        self.versions[told.stream] = told.version

    def _in_its_save(self, stream: str, told: SealedEvent) -> None:
        """Every event belongs to the save that the next entry of the journal closes, which names what it touched."""
        save = self.position + 1
        position = self._state(told, Stamp).position
        if position != save:
            self._bad(f"{told.stream} version {told.version} is of save {position}, where save {save} belongs.")
        if told.stream != "journal/journal":
            self.touched[stream] = told.version
            return
        named = self._state(told, Journalled).fact.named
        if UNSAID in named.values():
            self.touched = dict.fromkeys(self.touched, UNSAID)
        for name, latest in named.items():
            if self.touched.get(name, latest) < latest:
                self._bad(f"{name.partition('/')[2]} version {latest} is missing, which the journal names.")
        if told.version != save or list(named.items()) != list(self.touched.items()):
            said = " ".join(sorted({one.partition("/")[2] for one, _ in named.items() ^ self.touched.items()}))
            self._bad(f"the journal says otherwise what save {save} touched: {said or 'the order is another'}.")
        self.position, self.touched = save, {}

    def _state(self, told: SealedEvent, shape: type[P]) -> P:
        try:
            return msgspec.json.decode(told.state, type=shape)
        except msgspec.MsgspecError as problem:
            self._bad(f"{told.stream} version {told.version} is no stored event ({problem}).")

    def _end(self, header: Header, trailer: Trailer) -> Export:
        tree = Frontier()
        for leaf in self.leaves:
            tree.append(leaf)
        if header.seat is None and (self.touched or self.position != header.position):
            self._bad(f"the export ends with save {self.position}, its header says {header.position}.")
        if (trailer.count, trailer.root) != (tree.count, tree.root().hex()):
            self._bad(f"{trailer.count} events were sealed; here are {tree.count}, or others, or in another order.")
        try:
            seal = verify_seal(trailer.checkpoint, bytes.fromhex(trailer.public_key))
        except ValueError as problem:
            self._bad(f"the seal does not hold: {problem}.")
        if (seal.campaign, seal.count, seal.root) != (header.campaign, tree.count, tree.root()):
            self._bad("the seal is not of these events.")
        self.digest.update(trailer.head)
        if HASH.fullmatch(trailer.public_key) is None or trailer.digest != self.digest.hexdigest():
            self._bad("something in the file was changed: its digest is another.")
        return Export(header, self.rows, self.leaves, trailer)
