"""Seals: the state of a campaign's record, signed by the service.

A seal is a C2SP checkpoint (c2sp.org/tlog-checkpoint): a signed note (c2sp.org/signed-note) of three lines: the origin
`campaign-ledger/<campaign>`, the number of sealed events, and the root of their tree in base64. The signature is
Ed25519, under a key with the name of the origin.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from ledger.aggregates.campaign import name_journal_stream
from ledger.application.book import Book
from ledger.events.lineage import name_stream_here
from ledger.events.merkle import hash_leaf
from ledger.events.sealing import encode_leaf, is_sealed_stream

ORIGIN = "campaign-ledger/"
ED25519 = b"\x01"  # the byte for this type of signature in key ids
MOST_SIGNATURES = 100
BODY = re.compile(r"campaign-ledger/([^\s+]+)\n(0|[1-9][0-9]{0,17})\n([A-Za-z0-9+/]{43}=)\n", re.ASCII)
LINE = re.compile(r"— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})")


class BadSeal(ValueError):
    """The text is not a seal, or another key signed it."""


@dataclass(frozen=True, slots=True)
class Seal:
    """What a seal covers. `count`: the number of sealed events. `root`: the root of their tree, 32 bytes."""

    campaign: str
    count: int
    root: bytes

    @property
    def body(self) -> str:
        """The text that is signed."""
        return f"{ORIGIN}{self.campaign}\n{self.count}\n{base64.b64encode(self.root).decode()}\n"


@dataclass(frozen=True, slots=True)
class SignedSeal:
    """A signed seal. `signature`: 64 bytes over the body's UTF-8. `checkpoint`: the whole note, which can be verified
    by itself.
    """

    seal: Seal
    signature: bytes
    checkpoint: str


class Sealer:
    """Signs seals. `seed`: the 32 bytes of the private key, which never leave the service."""

    def __init__(self, seed: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public_key = self._key.public_key().public_bytes_raw()

    def __repr__(self) -> str:
        return "Sealer(...)"

    def sign(self, seal: Seal) -> SignedSeal:
        """Sign a seal. The same seal always gets the same signature."""
        name = f"{ORIGIN}{seal.campaign}"
        signature = self._key.sign(seal.body.encode())
        signature_text = base64.b64encode(make_key_id(name, self.public_key) + signature).decode()
        return SignedSeal(seal, signature, f"{seal.body}\n— {name} {signature_text}\n")

    def sign_content(self, content: bytes) -> bytes:
        """Return a signature of 64 bytes. The content must begin with its type, so that it cannot be used as anything
        else.
        """
        return self._key.sign(content)


def verify_content(content: bytes, signature: bytes, public_key: bytes) -> bool:
    """Return whether this key signed the content (`Sealer.sign_content`)."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, content)
    except (InvalidSignature, ValueError):
        return False
    return True


def make_key_id(name: str, public_key: bytes) -> bytes:
    """Return the 4 bytes that identify the key in a note's signature."""
    return hashlib.sha256(name.encode() + b"\n" + ED25519 + public_key).digest()[:4]


def verify_seal(checkpoint_text: str, public_key: bytes) -> Seal:
    """Return the seal in the checkpoint. Raise BadSeal unless this key (32 bytes) signed it. Signatures by other keys
    are ignored.
    """
    text, separator, signatures = checkpoint_text.rpartition("\n\n")
    parts = BODY.fullmatch(f"{text}\n")
    lines = signatures.split("\n")
    if not separator or parts is None or lines.pop() or not 0 < len(lines) <= MOST_SIGNATURES:
        raise BadSeal("this is not a checkpoint of a campaign ledger")
    seal = Seal(parts[1], int(parts[2]), base64.b64decode(parts[3]))
    if seal.body != f"{text}\n":
        raise BadSeal("the root is not valid base64")
    name = f"{ORIGIN}{seal.campaign}"
    signed_keys = [key_and_signature for signer, key_and_signature in map(_parse_signature, lines) if signer == name]
    key_id = make_key_id(name, public_key)
    own_signatures = [key_and_signature[4:] for key_and_signature in signed_keys if key_and_signature[:4] == key_id]
    if not own_signatures:
        raise BadSeal("this key did not sign it")
    try:
        for signature in own_signatures:
            Ed25519PublicKey.from_public_bytes(public_key).verify(signature, seal.body.encode())
    except (InvalidSignature, ValueError):
        raise BadSeal("the signature does not match this text and key") from None
    return seal


def _parse_signature(line: str) -> tuple[str, bytes]:
    """Return the name of the signature's key, and the key's id followed by the signature."""
    parts = LINE.fullmatch(line)
    try:
        if parts is not None:
            return parts[1], base64.b64decode(parts[2], validate=True)
    except binascii.Error:
        pass
    raise BadSeal("a signature line has the wrong format")


def list_sealed_leaves(book: Book, position: int) -> Iterator[tuple[str, int, bytes]]:
    """Yield the current stream, version and leaf hash of each sealed event up to a position."""
    journal_stream, lineage, save_number = name_journal_stream(book.id), book.campaign.lineage, 1
    for stream, version, topic, state in book.recorder.select_range(f"{book.id}/", f"{book.id}0"):
        if is_sealed_stream(stream):
            original_stream = name_stream_here(lineage.find_home(save_number), stream)
            yield stream, version, hash_leaf(encode_leaf(original_stream, version, topic, bytes(state)))
        if stream == journal_stream:
            if version == position:
                break
            save_number = version + 1
