"""The tree behind the seal: known vectors, a second way of computing it, and proofs that are not any."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.events import merkle
from ledger.events.sealing import encode_leaf, is_sealed_stream

# The test vectors of Certificate Transparency: eight leaves, and the root of each tree over the first of them.
DATA = [
    bytes.fromhex(text)
    for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
LEAVES = [merkle.hash_leaf(data) for data in DATA]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
A = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e"
B = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"
C = "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"
INCLUSIONS = [
    (0, 8, ["96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7", A, B]),
    (5, 8, [C, "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0", ROOTS[4]]),
]
CONSISTENCIES = [(1, 1, []), (2, 5, [A, C]), (2, 8, [A, B])]

trees = st.lists(st.binary(max_size=3).map(merkle.hash_leaf), max_size=70)


def naive(leaves: list[bytes]) -> bytes:
    """The definition of the RFC's section 2.1.1, as it stands there."""
    if len(leaves) < 2:
        return leaves[0] if leaves else hashlib.sha256().digest()
    split = max(power for exponent in range(10) if (power := 2**exponent) < len(leaves))
    return hashlib.sha256(b"\x01" + naive(leaves[:split]) + naive(leaves[split:])).digest()


def naive_path(index: int, leaves: list[bytes]) -> list[bytes]:
    """PATH of section 2.1.3.1."""
    if len(leaves) == 1:
        return []
    split = max(power for exponent in range(10) if (power := 2**exponent) < len(leaves))
    left, right = leaves[:split], leaves[split:]
    if index < split:
        return [*naive_path(index, left), naive(right)]
    return [*naive_path(index - split, right), naive(left)]


def naive_subproof(first: int, leaves: list[bytes], whole: bool = True) -> list[bytes]:
    """SUBPROOF of section 2.1.4.1."""
    if first == len(leaves):
        return [] if whole else [naive(leaves)]
    split = max(power for exponent in range(10) if (power := 2**exponent) < len(leaves))
    left, right = leaves[:split], leaves[split:]
    if first <= split:
        return [*naive_subproof(first, left, whole), naive(right)]
    return [*naive_subproof(first - split, right, False), naive(left)]


@pytest.mark.parametrize("count", range(9))
def test_roots_known_to_everybody(count: int):
    assert merkle.compute_root(LEAVES[:count]).hex() == ROOTS[count]


@pytest.mark.parametrize(("index", "count", "proof"), INCLUSIONS)
def test_inclusions_known_to_everybody(index: int, count: int, proof: list[str]):
    hashes = [bytes.fromhex(one) for one in proof]
    assert merkle.make_inclusion_proof(index, LEAVES[:count]) == hashes
    assert merkle.verify_inclusion(LEAVES[index], index, count, hashes, bytes.fromhex(ROOTS[count]))


@pytest.mark.parametrize(("first", "second", "proof"), CONSISTENCIES)
def test_consistencies_known_to_everybody(first: int, second: int, proof: list[str]):
    hashes = [bytes.fromhex(one) for one in proof]
    assert merkle.make_consistency_proof(first, LEAVES[:second]) == hashes
    roots = bytes.fromhex(ROOTS[first]), bytes.fromhex(ROOTS[second])
    assert merkle.verify_consistency(first, second, hashes, *roots)


@given(trees)
def test_roots_are_those_of_the_definition(leaves: list[bytes]):
    assert merkle.compute_root(leaves) == naive(leaves)


@given(trees.filter(bool), st.data())
def test_proofs_are_those_of_the_definition_and_verify(leaves: list[bytes], data: st.DataObject):
    count, root = len(leaves), naive(leaves)
    index = data.draw(st.integers(0, count - 1))
    proof = merkle.make_inclusion_proof(index, leaves)
    assert proof == naive_path(index, leaves)
    assert merkle.verify_inclusion(leaves[index], index, count, proof, root)
    first = data.draw(st.integers(1, count))
    growth = merkle.make_consistency_proof(first, leaves)
    assert growth == naive_subproof(first, leaves)
    assert merkle.verify_consistency(first, count, growth, naive(leaves[:first]), root)


@given(trees)
def test_every_tree_grew_from_the_empty_one_and_from_itself(leaves: list[bytes]):
    root = merkle.compute_root(leaves)
    assert merkle.make_consistency_proof(0, leaves) == merkle.make_consistency_proof(len(leaves), leaves) == []
    assert merkle.verify_consistency(0, len(leaves), [], merkle.EMPTY, root)
    assert merkle.verify_consistency(len(leaves), len(leaves), [], root, root)
    assert not merkle.verify_consistency(0, len(leaves), [], merkle.hash_leaf(b"?"), root)
    assert not merkle.verify_consistency(len(leaves), len(leaves), [root], root, root)


@given(trees.filter(bool))
def test_a_frontier_completes_every_subtree_once_and_goes_on_from_anywhere(leaves: list[bytes]):
    nodes: dict[merkle.Node, bytes] = {}
    frontier = merkle.Frontier()
    for index, leaf in enumerate(leaves):
        for level, hashed in enumerate(frontier.append(leaf)):
            node = (level, index >> level)
            assert node not in nodes
            nodes[node] = hashed
        assert frontier.count == index + 1
        assert frontier.compute_root() == naive(leaves[: index + 1])
        peaks = [nodes[node] for node in merkle.list_nodes((0, index + 1))]
        assert merkle.Frontier(index + 1, peaks).compute_root() == frontier.compute_root()
        assert merkle.hash_subtree((0, index + 1), nodes.__getitem__) == frontier.compute_root()


@given(trees.filter(lambda leaves: len(leaves) > 1), st.data())
def test_a_proof_with_anything_changed_verifies_nothing(leaves: list[bytes], data: st.DataObject):
    count, root = len(leaves), naive(leaves)
    index = data.draw(st.integers(0, count - 1))
    proof = merkle.make_inclusion_proof(index, leaves)
    for bad in broken(proof, data):
        assert not merkle.verify_inclusion(leaves[index], index, count, bad, root)
    other = merkle.hash_leaf(b"something else")
    assert not merkle.verify_inclusion(other, index, count, proof, root)
    assert not merkle.verify_inclusion(leaves[index], index, count, proof, other)
    assert not merkle.verify_inclusion(leaves[index], count, count, proof, root)
    assert not merkle.verify_inclusion(leaves[index], -1, count, proof, root)
    first = data.draw(st.integers(1, count))
    growth, earlier = merkle.make_consistency_proof(first, leaves), naive(leaves[:first])
    for bad in broken(growth, data):
        assert not merkle.verify_consistency(first, count, bad, earlier, root)
    assert not merkle.verify_consistency(first, count, growth, other, root)
    assert not merkle.verify_consistency(first, count, growth, earlier, other)
    assert not merkle.verify_consistency(count + 1, count, growth, earlier, root)
    assert not merkle.verify_consistency(-1, count, growth, earlier, root)


def broken(proof: list[bytes], data: st.DataObject) -> list[list[bytes]]:
    """The proof with a hash too many, too few, cut, lengthened, or with one bit turned."""
    found = [[*proof, merkle.EMPTY], [merkle.EMPTY, *proof]]
    if proof:
        place = data.draw(st.integers(0, len(proof) - 1))
        bit = data.draw(st.integers(0, 255))
        turned = (int.from_bytes(proof[place], "big") ^ (1 << bit)).to_bytes(32, "big")
        for piece in ([], [proof[place][:-1]], [proof[place] + b"\x00"], [turned], [b""]):
            found.append([*proof[:place], *piece, *proof[place + 1 :]])
    return found


@pytest.mark.parametrize(("index", "count"), [(0, 0), (3, 3), (-1, 3)])
def test_there_is_no_proof_of_a_leaf_that_is_not_there(index: int, count: int):
    with pytest.raises(ValueError, match="has no leaf"):
        merkle.list_inclusion_ranges(index, count)


@pytest.mark.parametrize(("first", "second"), [(-1, 3), (4, 3)])
def test_no_tree_shrinks(first: int, second: int):
    with pytest.raises(ValueError, match="did not grow"):
        merkle.list_consistency_ranges(first, second)


def test_a_frontier_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match="complete subtrees"):
        merkle.Frontier(3, [merkle.EMPTY])


texts = st.text(max_size=6)
events = st.tuples(texts, st.integers(1, 10**12), texts, st.binary(max_size=6))


@given(events, events)
def test_different_events_are_different_leaves(one: tuple[str, int, str, bytes], other: tuple[str, int, str, bytes]):
    assert (encode_leaf(*one) == encode_leaf(*other)) == (one == other)


def test_what_a_leaf_is_made_of():
    told = encode_leaf("c/seat/gm", 12, "ledger.x@1", b"{}")
    assert told == b"".join(
        (
            b"\0\0\0\0\0\0\0\x09c/seat/gm",
            b"\0\0\0\0\0\0\0\x0212",
            b"\0\0\0\0\0\0\0\x0aledger.x@1",
            b"\0\0\0\0\0\0\0\x02{}",
        )
    )


@pytest.mark.parametrize(
    ("stream", "is_sealed"),
    [
        ("c/journal/journal", True),
        ("c/ruling/1", True),
        ("c/randomness/randomness", True),
        ("c/waiting/x", True),
        ("c/character/1/receipt", True),
        ("c/receipt/abc", False),
        ("c/access/gm", False),
    ],
)
def test_what_is_sealed(stream: str, is_sealed: bool):
    assert is_sealed_stream(stream) is is_sealed
