"""Merkle trees as in RFC 9162, section 2.1, over SHA-256: roots, proofs, and their verification.

A tree of n leaves is divided at the largest power of two below n. A range `(first, end)` of leaves stands for the
subtree over them. Every hash has 32 bytes; leaves are given as leaf hashes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

SIZE = 32
EMPTY = hashlib.sha256(b"").digest()
Range: TypeAlias = tuple[int, int]
#: A complete subtree: its level (0 for a leaf), and its index in that level.
Node: TypeAlias = tuple[int, int]


def hash_leaf(data: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + data).digest()


def hash_node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def compute_root(leaves: Sequence[bytes]) -> bytes:
    """Return the root of the leaf hashes. Without leaves, it is the SHA-256 of an empty text."""
    frontier = Frontier()
    for leaf in leaves:
        frontier.append(leaf)
    return frontier.compute_root()


class Frontier:
    """A tree that grows leaf by leaf. It keeps only the roots of its complete subtrees, the largest first.

    `count`, `peaks`: the number of leaves and the roots, which can be those of an earlier tree. Raise ValueError if
    they do not match.
    """

    __slots__ = ("count", "peaks")

    def __init__(self, count: int = 0, peaks: Sequence[bytes] = ()) -> None:
        if len(peaks) != count.bit_count():
            raise ValueError(f"a tree of {count} leaves has {count.bit_count()} complete subtrees, not {len(peaks)}")
        self.count = count
        self.peaks = list(peaks)

    def append(self, leaf: bytes) -> list[bytes]:
        """Add a leaf hash. Return the roots of the subtrees that it completes, beginning with the leaf itself."""
        subtree_roots = [leaf]
        remaining_count = self.count
        while remaining_count & 1:
            subtree_roots.append(hash_node(self.peaks.pop(), subtree_roots[-1]))
            remaining_count >>= 1
        self.peaks.append(subtree_roots[-1])
        self.count += 1
        return subtree_roots

    def compute_root(self) -> bytes:
        return _join_peaks(self.peaks)


def _join_peaks(peaks: Sequence[bytes]) -> bytes:
    """Return the root of a tree from the roots of its complete subtrees, left to right."""
    if not peaks:
        return EMPTY
    root = peaks[-1]
    for peak in reversed(peaks[:-1]):
        root = hash_node(peak, root)
    return root


# --- the subtrees of a proof ---


def list_nodes(leaves: Range) -> list[Node]:
    """Return the complete subtrees, left to right, that make up the subtree over these leaves."""
    first, end = leaves
    nodes: list[Node] = []
    while first < end:
        level = (end - first).bit_length() - 1
        nodes.append((level, first >> level))
        first += 1 << level
    return nodes


def hash_subtree(leaves: Range, get_hash: Callable[[Node], bytes]) -> bytes:
    """Return the root of a subtree. `get_hash`: returns the hash of a complete subtree."""
    return _join_peaks([get_hash(node) for node in list_nodes(leaves)])


def list_inclusion_ranges(index: int, count: int) -> list[Range]:
    """Return the subtrees of an inclusion proof, in order (section 2.1.3.1). Raise ValueError if the leaf does not
    exist.
    """
    if not 0 <= index < count:
        raise ValueError(f"a tree of {count} leaves has no leaf {index}")
    return [sibling for _, sibling in _walk_down(index, count)][::-1]


def list_consistency_ranges(first: int, second: int) -> list[Range]:
    """Return the subtrees of a consistency proof, in order (section 2.1.4.1). There are none if `first` is 0 or equal
    to `second`.

    Raise ValueError unless 0 <= first <= second.
    """
    if not 0 <= first <= second:
        raise ValueError(f"a tree of {second} leaves did not grow from one of {first}")
    if first in (0, second):
        return []
    ranges: list[Range] = []
    for (start, end), sibling in _walk_down(first - 1, second):
        if end == first:  # a complete subtree of both trees
            return [*([(start, end)] if start else []), *reversed(ranges)]
        ranges.append(sibling)
    return [*([(first - 1, first)] if first > 1 else []), *reversed(ranges)]


def _walk_down(index: int, count: int) -> Iterator[tuple[Range, Range]]:
    """Walk from the root down to the leaf. Yield each subtree on the way, and its child that is not on the way."""
    start, end = 0, count
    while end - start > 1:
        middle = start + (1 << ((end - start - 1).bit_length() - 1))
        if index < middle:
            yield (start, end), (middle, end)
            end = middle
        else:
            yield (start, end), (start, middle)
            start = middle


def make_inclusion_proof(index: int, leaves: Sequence[bytes]) -> list[bytes]:
    """Return a proof that the leaf is in the tree over all of these leaf hashes."""
    return [compute_root(leaves[first:end]) for first, end in list_inclusion_ranges(index, len(leaves))]


def make_consistency_proof(first: int, leaves: Sequence[bytes]) -> list[bytes]:
    """Return a proof that the tree over these leaf hashes begins with a smaller tree. `first`: the number of leaves of
    the smaller tree.
    """
    return [compute_root(leaves[start:end]) for start, end in list_consistency_ranges(first, len(leaves))]


# --- verification ---


def verify_inclusion(leaf: bytes, index: int, count: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Return whether the tree with this root has the leaf hash at the index (section 2.1.3.2)."""
    if not 0 <= index < count or not _are_hashes(leaf, root, *proof):
        return False
    place, last_place, node_hash = index, count - 1, leaf
    for sibling in proof:
        if last_place == 0:
            return False
        if place & 1 or place == last_place:
            node_hash = hash_node(sibling, node_hash)
            while not place & 1 and place:
                place, last_place = place >> 1, last_place >> 1
        else:
            node_hash = hash_node(node_hash, sibling)
        place, last_place = place >> 1, last_place >> 1
    return last_place == 0 and node_hash == root


def verify_consistency(first: int, second: int, proof: Sequence[bytes], first_root: bytes, second_root: bytes) -> bool:
    """Return whether the second tree begins with the first (section 2.1.4.2). Every tree begins with the empty one."""
    if not 0 <= first <= second or not _are_hashes(first_root, second_root, *proof):
        return False
    if first == 0:
        return not proof and first_root == EMPTY and (second > 0 or second_root == EMPTY)
    if first == second:
        return not proof and first_root == second_root
    path = [first_root, *proof] if first & (first - 1) == 0 else list(proof)
    if len(path) < 2:
        return False
    place, last_place = first - 1, second - 1
    while place & 1:
        place, last_place = place >> 1, last_place >> 1
    earlier_root = later_root = path[0]
    for sibling in path[1:]:
        if last_place == 0:
            return False
        if place & 1 or place == last_place:
            earlier_root, later_root = hash_node(sibling, earlier_root), hash_node(sibling, later_root)
            while not place & 1 and place:
                place, last_place = place >> 1, last_place >> 1
        else:
            later_root = hash_node(later_root, sibling)
        place, last_place = place >> 1, last_place >> 1
    return last_place == 0 and earlier_root == first_root and later_root == second_root


def _are_hashes(*values: bytes) -> bool:
    return all(len(value) == SIZE for value in values)
