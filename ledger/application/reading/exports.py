"""An export: a campaign's sealed events as JSON Lines. `export_reader` reads it.

The first line is a header, and the last a trailer with the seal. Between them is every sealed event in stored order,
with its leaf hash. In one seat's export, an event that the seat may not see has only its leaf hash. Each line can be
written in only one way, so no byte is ambiguous.

The header of a fork names the campaigns whose saves it took over. Those saves keep their hashes. So the fork's first
hashes must have the roots that the fork recorded.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, TypeAlias

import msgspec

from ledger.application.reading.seals import Seal, Sealer
from ledger.errors import Malformed
from ledger.events.codec import encode
from ledger.events.lineage import Lineage, name_stream_here
from ledger.events.merkle import Frontier, hash_leaf
from ledger.events.recorder import Row
from ledger.events.sealing import encode_leaf

JOURNAL = "journal/journal"
#: An event, and whether it is shown. The name of its stream begins with the campaign's id.
Entry: TypeAlias = tuple[Row, bool]


class BadExport(Malformed):
    """The file is not an export that a ledger wrote. `line`: the line with the error, from 1, or 0 if the error is not
    in a single line.
    """

    code = "bad-export"

    def __init__(self, detail: str, line: int = 0, code: str | None = None) -> None:
        super().__init__(f"Line {line}: {detail}" if line else detail, code, line=line)
        self.line = line


class Ancestor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An ancestor of a fork: the campaign that was forked, or an earlier one. `position`: the position of the last save
    that the fork took over from it.
    """

    campaign: str
    position: int


class OwnBookmark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A private bookmark of the seat. It is not part of the record."""

    id: str
    ruling: int
    note: str
    at: str


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The header. `position`: the position of the last save. `seat`: the seat whose export it is, or None for a
    complete one.

    `ancestors`: the ancestors of a fork, the oldest first. `bookmarks`: the private bookmarks of the requesting seat.
    """

    format: Literal["campaign-ledger/export"] = "campaign-ledger/export"
    version: Literal[1] = 1
    campaign: str
    name: str
    system: str
    position: int
    seat: str | None
    ancestors: Annotated[tuple[Ancestor, ...], msgspec.Meta(min_length=1)] | msgspec.UnsetType = msgspec.UNSET
    bookmarks: tuple[OwnBookmark, ...] | msgspec.UnsetType = msgspec.UNSET

    @property
    def lineage(self) -> Lineage:
        return Lineage(self.campaign, ((ancestor.campaign, ancestor.position) for ancestor in self.ancestors or ()))


class SealedEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event. `stream`: its stream, without the campaign. `state`: exactly as stored."""

    leaf: str
    stream: str
    version: int
    topic: str
    state: msgspec.Raw


class Withheld(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event that the seat may not see."""

    leaf: str


class Trailer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The trailer. `count`, `root`: the number of all entries, and the root of the tree over them. `digest`: the
    SHA-256 of all bytes of the file before the digest.
    """

    count: int
    root: str
    public_key: str
    checkpoint: str
    digest: str = ""

    @property
    def bytes_before_digest(self) -> bytes:
        """Return the line up to the digest."""
        return encode(msgspec.structs.replace(self, digest="")).removesuffix(b'"}')


def write_export(header: Header, entries: Iterable[Entry], sealer: Sealer) -> Iterator[bytes]:
    """Yield the lines of the export."""
    digest, tree = hashlib.sha256(), Frontier()

    def encode_line(piece: Header | SealedEvent | Withheld) -> bytes:
        line = encode(piece) + b"\n"
        digest.update(line)
        return line

    yield encode_line(header)
    lineage, save_number = header.lineage, 1
    for (stream, version, topic, state), is_shown in entries:
        leaf = hash_leaf(encode_leaf(name_stream_here(lineage.find_home(save_number), stream), version, topic, state))
        tree.append(leaf)
        name = stream.partition("/")[2]
        save_number += name == JOURNAL
        yield encode_line(
            SealedEvent(leaf.hex(), name, version, topic, msgspec.Raw(state)) if is_shown else Withheld(leaf.hex())
        )
    root = tree.compute_root()
    signed_seal = sealer.sign(Seal(header.campaign, tree.count, root))
    trailer = Trailer(tree.count, root.hex(), sealer.public_key.hex(), signed_seal.checkpoint)
    digest.update(trailer.bytes_before_digest)
    yield encode(msgspec.structs.replace(trailer, digest=digest.hexdigest())) + b"\n"
