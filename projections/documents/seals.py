"""The seal of a campaign and its proofs, from the view of its tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from ledger.application import Book, Difference, Seal, Sealer, list_sealed_leaves
from ledger.errors import NotFound
from ledger.events import merkle
from ledger.events.codec import plain
from ledger.events.merkle import Node, Range, hash_leaf, hash_node
from ledger.rules.kernel.subjects import SUBJECT_KINDS
from projections.documents.shape import Document, give_example
from projections.redaction import ViewLens
from projections.views.pages import Page, Reader
from projections.views.seal import find_completing_leaf, find_hash_in

#: Kinds of streams whose events have audiences.
OPEN = frozenset({*SUBJECT_KINDS, "bookmarks", "journal", "randomness", "rewinds"})
# marks that may name secret rulings
MARKS = frozenset({"ledger.struck@1", "ledger.restored@1", "ledger.struck-range@1", "ledger.restored-range@1"})
CHUNK = 5000
COUNT = "(SELECT coalesce(max(s.number) + 1, 0) FROM {views}.seal s WHERE s.campaign = %(campaign)s)"


LEAVES = [hash_leaf(b"one"), hash_leaf(b"another")]
ROOT = hash_node(*LEAVES)
SEALER = Sealer(bytes(32))
EXAMPLE = SEALER.sign(Seal("k3v7q2mzt5a4c", 2, ROOT))


@give_example(algorithm="Ed25519", public_key=SEALER.public_key.hex())
class SealKey(Document):
    """The public key of this service's seals: 32 bytes, hexadecimal."""

    algorithm: str
    public_key: str


@give_example(
    campaign="k3v7q2mzt5a4c",
    count=2,
    root=ROOT.hex(),
    public_key=SEALER.public_key.hex(),
    signature=EXAMPLE.signature.hex(),
    checkpoint=EXAMPLE.checkpoint,
    position=1,
)
class CampaignSeal(Document):
    """All events of the campaign, sealed. Hashes, key and signature are hexadecimal.

    `root`: the root of the Merkle tree of RFC 9162 (SHA-256) over every event in stored order, except receipts and
    tokens. A leaf's bytes are the event's stream (`<campaign>/<kind>/<id>`), its version in decimal, its topic and its
    state as stored, each preceded by its length as eight big-endian bytes. An event that a fork took over keeps the
    stream of the campaign where it was written. `checkpoint`: a signed note in the format of C2SP's tlog-checkpoint.
    `signature` (Ed25519) covers its first three lines, each with its line feed. Keep the checkpoint: you can check
    later records against it. `position`: the number of the last save that is sealed.
    """

    campaign: str
    count: int
    root: str
    public_key: str
    signature: str
    checkpoint: str
    position: int


@give_example(
    index=1,
    leaf=LEAVES[1].hex(),
    stream="journal/journal",
    version=1,
    topic="ledger.entry@3",
    count=2,
    root=ROOT.hex(),
    proof=[LEAVES[0].hex()],
)
class SealedEntry(Document):
    """A proof that one event is sealed: RFC 9162, section 2.1.3. `leaf`: its leaf hash.

    `stream` (without the campaign), `version`, `topic`: null if this seat can't see the whole event.
    """

    index: int
    leaf: str
    stream: str | None
    version: int | None
    topic: str | None
    count: int
    root: str
    proof: list[str]


@give_example(first=1, second=2, first_root=LEAVES[0].hex(), second_root=ROOT.hex(), proof=[LEAVES[1].hex()])
class SealGrowth(Document):
    """A proof that the record of `second` events begins with the record of `first` events: RFC 9162, section 2.1.4.

    `first_root` must be the root of the earlier seal. The proof is empty if `first` is 0 or nothing was added.
    """

    first: int
    second: int
    first_root: str
    second_root: str
    proof: list[str]


def describe_key(sealer: Sealer) -> SealKey:
    """Return the public key that verifies every seal of this service."""
    return {"algorithm": "Ed25519", "public_key": sealer.public_key.hex()}


def describe_seal(reader: Reader, sealer: Sealer) -> Page[CampaignSeal]:
    """Return the number of sealed events, their root, and the service's signature."""
    count = count_sealed_events(reader)
    signed_seal = sealer.sign(Seal(reader.campaign, count, compute_root(reader, count)))
    document: CampaignSeal = {
        "campaign": reader.campaign,
        "count": count,
        "root": signed_seal.seal.root.hex(),
        "public_key": sealer.public_key.hex(),
        "signature": signed_seal.signature.hex(),
        "checkpoint": signed_seal.checkpoint,
        "position": reader.position,
    }
    return Page(document, reader.position)


def prove_entry(lens: ViewLens, reader: Reader, index: int) -> Page[SealedEntry]:
    """Return the proof that an event is sealed. Include its content only if the viewer may see all of it. Raise
    NotFound if there is no such event.
    """
    count = count_sealed_events(reader)
    if index >= count:
        raise NotFound(f"Only {count} events are sealed.", code="entry-not-found", count=count)
    ranges = [(index, index + 1), (0, count), *merkle.list_inclusion_ranges(index, count)]
    leaf, root, *proof = _read_hashes(reader, ranges)
    stream, version, topic = _find_visible_event(lens, reader, index) or (None, None, None)
    document: SealedEntry = {
        "index": index,
        "leaf": leaf.hex(),
        "stream": stream,
        "version": version,
        "topic": topic,
        "count": count,
        "root": root.hex(),
        "proof": [digest.hex() for digest in proof],
    }
    return Page(document, reader.position)


def prove_growth(reader: Reader, first_count: int) -> Page[SealGrowth]:
    """Return the proof that the record still begins with its first `first_count` events. Raise NotFound if it has
    fewer.
    """
    count = count_sealed_events(reader)
    if first_count > count:
        raise NotFound(f"Only {count} events are sealed.", code="seal-not-found", count=count)
    first_root, second_root, *proof = _read_hashes(
        reader, [(0, first_count), (0, count), *merkle.list_consistency_ranges(first_count, count)]
    )
    document: SealGrowth = {
        "first": first_count,
        "second": count,
        "first_root": first_root.hex(),
        "second_root": second_root.hex(),
        "proof": [digest.hex() for digest in proof],
    }
    return Page(document, reader.position)


def count_sealed_events(reader: Reader) -> int:
    """Return how many events the view has sealed."""
    return int(reader.ask(f"SELECT {COUNT}", {})[0][0])


def compute_root(reader: Reader, count: int) -> bytes:
    """Return the root of the tree over the first `count` events."""
    return _read_hashes(reader, [(0, count)])[0]


def prove_leaves(reader: Reader, indices: Iterable[int], count: int) -> dict[int, list[str]]:
    """Return, for each leaf, the proof that it is in the tree over the first `count` leaves."""
    ranges_by_index = {index: list(merkle.list_inclusion_ranges(index, count)) for index in indices}
    hashes = iter(_read_hashes(reader, chain.from_iterable(ranges_by_index.values())))
    return {
        index: [digest.hex() for digest in islice(hashes, len(proof_ranges))]
        for index, proof_ranges in ranges_by_index.items()
    }


def find_leaf_indexes(reader: Reader, addresses: Sequence[tuple[str, int]]) -> list[int | None]:
    """Return the leaf index of each event, or None if the view does not have the event yet. `addresses`: the stream
    (without the campaign) and version of each event.
    """
    rows = reader.ask(
        "SELECT s.stream, s.version, s.number FROM {views}.seal s"
        " JOIN unnest(%(streams)s::text[], %(versions)s::bigint[]) AS w(stream, version) USING (stream, version)"
        " WHERE s.campaign = %(campaign)s",
        {"streams": [stream for stream, _ in addresses], "versions": [version for _, version in addresses]},
    )
    index_by_address = {(stream, version): int(number) for stream, version, number in rows}
    return [index_by_address.get(address) for address in addresses]


def _read_hashes(reader: Reader, ranges: Iterable[Range]) -> list[bytes]:
    """Return the roots of these subtrees."""
    subtree_ranges = list(ranges)
    nodes = {node for range_ in subtree_ranges for node in merkle.list_nodes(range_)}
    nodes_by_leaf: dict[int, bytes] = dict(
        reader.ask(
            "SELECT number, nodes FROM {views}.seal WHERE campaign = %(campaign)s AND number = ANY(%(numbers)s)",
            {"numbers": sorted({find_completing_leaf(node) for node in nodes})},
        )
    )

    def get_hash(node: Node) -> bytes:
        return find_hash_in(nodes_by_leaf[find_completing_leaf(node)], node)

    return [merkle.hash_subtree(range_, get_hash) for range_ in subtree_ranges]


def _find_visible_event(lens: ViewLens, reader: Reader, index: int) -> tuple[str, int, str] | None:
    """Return the stream, version and topic of the event if the viewer may see it, else None.

    Records of rulings and waiting declarations are always withheld, so that nobody learns which of them are secret.
    """
    addresses = reader.ask(
        "SELECT stream, version FROM {views}.seal WHERE campaign = %(campaign)s AND number = %(index)s",
        {"index": index},
    )
    for stream, version in addresses:
        rows = reader.ask(  # a separate query, because the views and the record may be on two machines
            "SELECT topic, state FROM {events} WHERE originator_id = %(stream)s AND originator_version = %(version)s",
            {"stream": f"{reader.campaign}/{stream}", "version": version},
        )
        topic, state = rows[0] if rows else ("", b"")
        if (
            rows
            and stream.partition("/")[0] in OPEN
            and topic not in MARKS
            and lens.may_see_stored(plain(bytes(state)))
        ):
            return stream, version, topic
    return None


def compare_with_origins(book: Book, reader: Reader) -> Iterator[Difference]:
    """Yield a difference for each origin that does not match the events that the fork took over."""
    leaves = list_sealed_leaves(book, book.campaign.position) if book.forks else iter(())
    tree = merkle.Frontier()
    for fork in book.forks:
        for _, _, leaf in islice(leaves, fork.events - tree.count):
            tree.append(leaf)
        origin = Reader(reader.transaction, fork.campaign)
        if (tree.count, tree.compute_root().hex()) != (fork.events, fork.root):
            yield Difference(
                "seal",
                f"The first {fork.events} events differ from those that the fork took over from the original campaign.",
            )
        elif fork.events <= count_sealed_events(origin) and compute_root(origin, fork.events) != tree.compute_root():
            yield Difference(
                "seal", f"The first {fork.events} events differ from the sealed events of the original campaign."
            )


def compare_with_record(book: Book, reader: Reader, position: int) -> Iterator[Difference]:
    """Yield the first place where the view differs from the record. `position`: the position of both."""
    count = count_sealed_events(reader)
    tree, stored_leaves = merkle.Frontier(), _read_stored_leaves(reader, count)
    for stream, version, leaf in list_sealed_leaves(book, position):
        index, nodes = tree.count, b"".join(tree.append(leaf))
        if next(stored_leaves, None) != (stream.partition("/")[2], version, nodes):
            yield Difference("seal", f"Entry {index} of the record differs from the sealed entry.")
            return
    if tree.count != count:
        yield Difference("seal", f"{count} events were sealed, but the record has {tree.count}.")


def _read_stored_leaves(reader: Reader, count: int) -> Iterator[tuple[str, int, bytes]]:
    """Yield each leaf in the view: its stream, its version, and the roots of the subtrees that it completes."""
    for start in range(0, count, CHUNK):
        for stream, version, nodes in reader.ask(
            "SELECT stream, version, nodes FROM {views}.seal WHERE campaign = %(campaign)s"
            " AND number >= %(first)s AND number < %(end)s ORDER BY number",
            {"first": start, "end": min(start + CHUNK, count)},
        ):
            yield stream, version, bytes(nodes)
