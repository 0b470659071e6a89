"""The seal of a campaign and what is proved by it, from the view of its tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.application import Book, Difference, Seal, Sealer, sealed_leaves
from ledger.errors import NotFound
from ledger.events import merkle
from ledger.events.merkle import Node, Range
from ledger.rules.kernel.subjects import SUBJECT_KINDS
from projections.redaction import Json, Onlooker
from projections.views.pages import Page, Query, Reader, decode
from projections.views.seal import completing, hash_in

OPEN = frozenset({*SUBJECT_KINDS, "journal", "randomness"})  # kinds of streams whose events say who may see them
MARKS = frozenset({"ledger.struck@1", "ledger.restored@1"})  # they name rulings that may be secret
CHUNK = 5000
COUNT = "(SELECT coalesce(max(s.number) + 1, 0) FROM {views}.seal s WHERE s.campaign = %(campaign)s)"


def key(sealer: Sealer) -> Json:
    """With which every seal of this service is verified."""
    return {"algorithm": "Ed25519", "public_key": sealer.public_key.hex()}


def seal(reader: Reader, campaign: str, sealer: Sealer) -> Page:
    """How many events are sealed, the root over them, and the service's signature."""
    count, position = reached(reader, campaign)
    signed = sealer.sign(Seal(campaign, count, root(reader, campaign, count)))
    document = {
        "campaign": campaign,
        "count": count,
        "root": signed.seal.root.hex(),
        "public_key": sealer.public_key.hex(),
        "signature": signed.signature.hex(),
        "checkpoint": signed.checkpoint,
        "position": position,
    }
    return Page(document, position)


def entry(eyes: Onlooker, reader: Reader, campaign: str, index: int) -> Page:
    """That an event is among those sealed. Which one, only where the viewer may see all of it. NotFound: no such."""
    count, position = reached(reader, campaign)
    if index >= count:
        raise NotFound(f"Only {count} events are sealed.", code="entry-not-found", count=count)
    ranges = [(index, index + 1), (0, count), *merkle.inclusion_ranges(index, count)]
    leaf, whole, *proof = _hashes(reader, campaign, ranges)
    known = _stored(eyes, reader, campaign, index)
    document = {
        "index": index,
        "leaf": leaf.hex(),
        **(known or {"stream": None, "version": None, "topic": None}),
        "count": count,
        "root": whole.hex(),
        "proof": [one.hex() for one in proof],
    }
    return Page(document, position)


def since(reader: Reader, campaign: str, first: int) -> Page:
    """That what was sealed when there were `first` events still begins the record. NotFound: there are not so many."""
    count, position = reached(reader, campaign)
    if first > count:
        raise NotFound(f"Only {count} events are sealed.", code="seal-not-found", count=count)
    earlier, later, *proof = _hashes(
        reader, campaign, [(0, first), (0, count), *merkle.consistency_ranges(first, count)]
    )
    document = {
        "first": first,
        "second": count,
        "first_root": earlier.hex(),
        "second_root": later.hex(),
        "proof": [one.hex() for one in proof],
    }
    return Page(document, position)


def reached(reader: Reader, campaign: str) -> tuple[int, int | None]:
    """How many events the view has sealed, and the position that is; of one moment."""
    position, rows = reader.page(campaign, f"{COUNT} AS count", "", Query())
    return (int(rows[0][0]) if rows else 0), position


def root(reader: Reader, campaign: str, count: int) -> bytes:
    """Of the tree over the first events."""
    return _hashes(reader, campaign, [(0, count)])[0]


def _hashes(reader: Reader, campaign: str, ranges: Iterable[Range]) -> list[bytes]:
    """The roots of these subtrees. Rows are never changed, so it matters not when they are read."""
    wanted = list(ranges)
    nodes = {node for one in wanted for node in merkle.nodes_of(one)}
    kept: dict[int, bytes] = dict(
        reader.ask(
            "SELECT number, nodes FROM {views}.seal WHERE campaign = %(campaign)s AND number = ANY(%(numbers)s)",
            {"campaign": campaign, "numbers": sorted({completing(node) for node in nodes})},
        )
    )

    def known(node: Node) -> bytes:
        return hash_in(kept[completing(node)], node)

    return [merkle.hash_of(one, known) for one in wanted]


def _stored(eyes: Onlooker, reader: Reader, campaign: str, index: int) -> Json | None:
    """Which event it is, where the viewer may see it.

    What is kept of rulings and of what waits may be secret in part or as a whole: nobody is told which entry that is.
    """
    found = reader.ask(
        "SELECT s.stream, s.version, e.topic, e.state FROM {views}.seal s JOIN {events} e"
        " ON e.originator_id = s.campaign || '/' || s.stream AND e.originator_version = s.version"
        " WHERE s.campaign = %(campaign)s AND s.number = %(index)s",
        {"campaign": campaign, "index": index},
    )
    for stream, version, topic, state in found:
        if stream.partition("/")[0] in OPEN and topic not in MARKS and eyes.sees(decode(bytes(state))):
            return {"stream": stream, "version": version, "topic": topic}
    return None


def differences(book: Book, reader: Reader, position: int) -> Iterator[Difference]:
    """The first place where what the view sealed is not what stands in the record. `position`: that of both."""
    count, reflected = reached(reader, book.id)
    if reflected != position:
        yield Difference("seal", "The views went on meanwhile; the seal was not compared.")
        return
    tree, kept = merkle.Frontier(), _kept(reader, book.id, count)
    for stream, version, leaf in sealed_leaves(book, position):
        index, nodes = tree.count, b"".join(tree.append(leaf))
        if next(kept, None) != (stream.partition("/")[2], version, nodes):
            yield Difference("seal", f"The entry {index} of the record is not what was sealed there.")
            return
    if tree.count != count:
        yield Difference("seal", f"{count} events were sealed; the record has {tree.count}.")


def _kept(reader: Reader, campaign: str, count: int) -> Iterator[tuple[str, int, bytes]]:
    """The tree as the view has it, leaf by leaf: stream and version, and the subtrees it completes."""
    for first in range(0, count, CHUNK):
        for stream, version, nodes in reader.ask(
            "SELECT stream, version, nodes FROM {views}.seal WHERE campaign = %(campaign)s"
            " AND number >= %(first)s AND number < %(end)s ORDER BY number",
            {"campaign": campaign, "first": first, "end": min(first + CHUNK, count)},
        ):
            yield stream, version, bytes(nodes)
