"""Check a dossier from the file alone. A dossier has one ruling, its stored rows, and the seal that covers them.

The service signs every byte. Merkle proofs place the rows under the seal of the whole record. Everything the dossier
says about the ruling must be in its rows, and dice with a revealed seed must follow from that seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import msgspec

from ledger.application.reading.seals import BadSeal, Sealer, verify_content, verify_seal
from ledger.errors import Malformed
from ledger.events.codec import encode, plain
from ledger.events.decoders import build_decoder
from ledger.events.dice_proofs import draw_numbers, draw_outcome, hash_seed, parse_proof
from ledger.events.merkle import hash_leaf, verify_inclusion
from ledger.events.sealing import encode_leaf

FORMAT, VERSION = "campaign-ledger/dossier", 1
DOMAIN = b"campaign-ledger dossier\n"  # so that the signed text can't be taken for a checkpoint
#: For each kind of answer: the field that contains its faces, cards or coins.
RESULT_FIELDS = {"dice": "faces", "cards": "cards", "order": "cards", "coins": "coins"}
Json: TypeAlias = Mapping[str, Any]


class BadDossier(Malformed):
    """The file is not a dossier that a ledger wrote."""

    code = "bad-dossier"


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stored row, or only its leaf hash. `state`: exactly as stored."""

    index: int
    leaf: str
    proof: tuple[str, ...]
    stream: str | None
    version: int | None
    topic: str | None
    state: str | None


class SealOver(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    count: int
    root: str
    public_key: str
    checkpoint: str


class Dossier(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A dossier as it is sent. Its document about the ruling is plain JSON."""

    format: Literal["campaign-ledger/dossier"]
    version: Literal[1]
    campaign: str
    name: str
    system: str
    number: int
    seat: dict[str, Any]
    position: int
    claims: list[Any]
    ruling: dict[str, Any]
    dice: list[dict[str, Any]]
    findings: list[Any]
    seal: SealOver
    entries: list[Entry]
    signature: str


DOSSIER = build_decoder(Dossier)


@dataclass(frozen=True, slots=True)
class Verified:
    """The result of a verification. `withheld_count`: the number of rows given only as hashes. `recomputed_count`: the
    number of rolls that were calculated again from their seeds.
    """

    dossier: Dossier
    withheld_count: int
    recomputed_count: int


def sign_dossier(document: Mapping[str, object], sealer: Sealer) -> str:
    """Return the service's signature of a dossier, in hexadecimal."""
    return sealer.sign_content(_make_signed_part(encode(document))).hex()


def _make_signed_part(line: bytes) -> bytes:
    return DOMAIN + hashlib.sha256(line).digest()


def verify_dossier(file: bytes, key: str | None = None) -> Verified:
    """Verify the dossier and return the result. Raise BadDossier at the first error. `key`: the public key that must
    have signed the dossier.
    """
    line = file.removesuffix(b"\n")
    try:
        dossier = DOSSIER.decode(line)
        body = {name: value for name, value in plain(line).items() if name != "signature"}
        encoded_line = encode({**body, "signature": dossier.signature})
    except (msgspec.MsgspecError, ValueError) as problem:
        raise BadDossier(f"This is not a dossier: {problem}.") from None
    if encoded_line != line:
        raise BadDossier("The file is not in the ledger's format.")
    public_key = dossier.seal.public_key
    if key is not None and key.lower() != public_key:
        raise BadDossier("The file was signed with a different key than the one you gave.", code="other-key")
    if not verify_content(
        _make_signed_part(encode(body)), _parse_hex(dossier.signature, 64), _parse_hex(public_key, 32)
    ):
        raise BadDossier("The file was changed: the signature does not match its text.")
    _check_seal(dossier)
    _check_ruling_in_rows(dossier)
    recomputed_count = sum(_check_roll(dossier, roll) for roll in dossier.dice)
    return Verified(dossier, sum(entry.state is None for entry in dossier.entries), recomputed_count)


def _parse_hex(text: str, size: int) -> bytes:
    """Return the bytes. Raise BadDossier unless the text is `size` bytes in lower-case hexadecimal."""
    try:
        raw_bytes = bytes.fromhex(text)
    except ValueError:
        raw_bytes = b""
    if len(raw_bytes) != size or raw_bytes.hex() != text:
        raise BadDossier(f"{text[:80]!r} is not {size} bytes in hexadecimal.")
    return raw_bytes


def _check_seal(dossier: Dossier) -> None:
    """Check that the service's seal covers every row."""
    try:
        seal = verify_seal(dossier.seal.checkpoint, _parse_hex(dossier.seal.public_key, 32))
    except BadSeal as problem:
        raise BadDossier(f"The seal is not valid: {problem}.") from None
    claimed_seal = (dossier.campaign, dossier.seal.count, _parse_hex(dossier.seal.root, 32))
    if (seal.campaign, seal.count, seal.root) != claimed_seal:
        raise BadDossier("The seal belongs to a different record from the one that the dossier names.")
    for entry in dossier.entries:
        leaf = _parse_hex(entry.leaf, 32)
        if entry.state is not None:
            if entry.stream is None or entry.version is None or entry.topic is None:
                raise BadDossier(f"Entry {entry.index} has no description.")
            stream = f"{dossier.campaign}/{entry.stream}"
            if hash_leaf(encode_leaf(stream, entry.version, entry.topic, entry.state.encode())) != leaf:
                raise BadDossier(f"{entry.stream} version {entry.version} differs from its sealed version.")
        if not verify_inclusion(
            leaf, entry.index, seal.count, [_parse_hex(node, 32) for node in entry.proof], seal.root
        ):
            raise BadDossier(f"Entry {entry.index} is not covered by the seal.")


def _check_ruling_in_rows(dossier: Dossier) -> None:
    """Check that everything the dossier says about the ruling is in its rows. Skip this if a row is withheld."""
    stream = f"ruling/{dossier.number}"
    if dossier.ruling.get("number") != dossier.number:
        raise BadDossier("The dossier contains a different ruling from the one that it names.")
    if any(entry.state is None for entry in dossier.entries):
        return
    if not any((entry.stream, entry.version) == (stream, 1) for entry in dossier.entries):
        raise BadDossier(f"The row of ruling {dossier.number} is missing.")
    states = [plain(entry.state) for entry in dossier.entries if entry.state is not None]
    recorded_pieces = {encode(piece) for state in states for piece in _list_pieces(state)}
    pieces = [*_list_recorded_parts(dossier.ruling, {entry.topic for entry in dossier.entries})]
    pieces += [["disputed", claim["reason"], claim["at"]] for claim in dossier.claims]
    pieces += [roll["answer"]["answer"] for roll in dossier.dice]
    pieces += [
        ["settled", finding["settled"], finding["reason"], finding["at"]]
        for finding in dossier.findings
        if _is_settled_by_hand(finding)
    ]
    for piece in pieces:
        if encode(piece) not in recorded_pieces:
            raise BadDossier(f"This is not in the record: {encode(piece)[:200].decode()}")


def _is_settled_by_hand(finding: Json) -> bool:
    """Return whether somebody settled the finding directly, rather than through a decision about a ruling."""
    return finding.get("settled") in ("let-stand", "amended") and finding.get("at") is not None


def _list_pieces(node: object) -> Iterator[object]:
    """Yield every part of a row, and steps and decisions also in the form of `_list_recorded_parts`."""
    yield node
    parts: Sequence[object] = ()
    if isinstance(node, dict):
        parts = [*node.values()]
        if "rule" in node and "given" in node:
            yield [node["rule"], node["given"], node.get("out")]
        if "at" in node and isinstance(decision := node.get("fact"), dict) and "decision" in decision:
            yield [decision["decision"], decision["reason"], node["at"]]
        if "at" in node and isinstance(entry := node.get("fact"), dict) and "settled" in entry:
            yield from (
                ["settled", settlement["how"], settlement["reason"], node["at"]] for settlement in entry["settled"]
            )
    elif isinstance(node, list):
        parts = node
    for part in parts:
        yield from _list_pieces(part)


def _list_recorded_parts(ruling: Json, stored_topics: Container[str | None]) -> Iterator[object]:
    """Yield the parts that the rows must contain: declarations, answers, steps, decisions, and facts (unless an earlier
    version stored them in a different form). A step is yielded as [rule, given, out], a decision as [decision, reason,
    at].
    """
    for verdict in (ruling, *ruling["tellings"]):
        yield verdict["declared"]
        for answer in verdict["answers"]:
            yield answer["answer"]
        for step in verdict["because"]:
            yield [step["rule"], step["given"], step["out"]]
        for fact in verdict["facts"]:
            if f"{fact['kind']}@{fact['version']}" in stored_topics:
                yield fact["fact"]
    for decision in ruling["decisions"]:
        yield [decision["decision"], decision["reason"], decision["at"]]


def _check_roll(dossier: Dossier, roll: Json) -> bool:
    """Return whether the roll could be calculated again from its seed. Raise BadDossier if its dice do not follow from
    the seed.
    """
    if roll["seed"] is None:
        return False
    record, proof_text = roll["answer"], roll["proof"]
    ((kind, fields),) = record["answer"].items()
    proof = parse_proof(str(proof_text))
    seed = _parse_hex(roll["seed"], 32)
    if proof is None or proof_text != fields.get("proof") or hash_seed(seed) != roll["commitment"]:
        raise BadDossier("The seed of a roll does not match its commitment.")
    question = record["question"]
    if question["ask"] in ("draw", "shuffle") and "cards" not in question:
        return False  # the drawing seat does not see the remaining cards
    outcome = draw_outcome(question, draw_numbers(seed, dossier.campaign, proof, roll["entropy"]))
    if list(outcome) != fields.get(RESULT_FIELDS[kind]):
        raise BadDossier(f"Roll {proof.roll} does not follow from its seed.")
    return True
