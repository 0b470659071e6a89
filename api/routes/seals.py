"""The seal: what the record of a campaign is, signed; and proofs that it holds an event, and that it only grew."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from pydantic import BeforeValidator

from api.http.answers import ANYWHERE, reading, told, told_of
from api.http.documents import Told, like
from api.http.request import Viewing, ledger_of, plain
from ledger.application import Seal, Sealer
from ledger.events.merkle import leaf_hash, node_hash
from projections.documents import seals
from projections.redaction import text

router = APIRouter()
LEAVES = [leaf_hash(b"one"), leaf_hash(b"another")]
ROOT = node_hash(*LEAVES)
SEALER = Sealer(bytes(32))
EXAMPLE = SEALER.sign(Seal("k3v7q2mzt5a4c", 2, ROOT))
Index = Annotated[int, BeforeValidator(plain), Path(ge=0, le=2**53 - 1, description="The entry's index, from 0.")]
Count = Annotated[
    int, BeforeValidator(plain), Path(ge=0, le=2**53 - 1, description="How many events an earlier seal counted.")
]


class SealKey(Told):
    """With which every seal of this service is verified: 32 bytes, hexadecimal."""

    model_config = like(**seals.key(SEALER))
    algorithm: str
    public_key: str


class CampaignSeal(Told):
    """All events of the campaign, sealed. Hashes, key and signature are hexadecimal.

    `root`: of the Merkle tree of RFC 9162 (SHA-256) over every event in stored order, but receipts and tokens. A leaf's
    bytes are the event's stream (`<campaign>/<kind>/<id>`), its version in decimal, its topic and its state as stored,
    each after its length as eight big-endian bytes. `checkpoint`: a signed note as of C2SP's tlog-checkpoint; its
    first three lines, each with its line feed, are what `signature` is of (Ed25519). Keep it: it is what later
    records can be held against. `position`: of the last save sealed.
    """

    model_config = like(
        campaign="k3v7q2mzt5a4c", count=2, root=ROOT.hex(), public_key=SEALER.public_key.hex(),
        signature=EXAMPLE.signature.hex(), checkpoint=EXAMPLE.checkpoint, position=1,
    )  # fmt: skip
    campaign: str
    count: int
    root: str
    public_key: str
    signature: str
    checkpoint: str
    position: int


class SealedEntry(Told):
    """That one event is among those sealed: RFC 9162, section 2.1.3. `leaf`: its leaf hash.

    `stream` (without the campaign), `version`, `topic`: null where this seat may not see all of it.
    """

    model_config = like(
        index=1, leaf=LEAVES[1].hex(), stream="journal/journal", version=1, topic="ledger.entry@2", count=2,
        root=ROOT.hex(), proof=[LEAVES[0].hex()],
    )  # fmt: skip
    index: int
    leaf: str
    stream: str | None
    version: int | None
    topic: str | None
    count: int
    root: str
    proof: list[str]


class SealGrowth(Told):
    """That the record of `second` events begins with that of `first`: RFC 9162, section 2.1.4.

    `first_root` must be that of the earlier seal. The proof is empty from 0, and when nothing was added.
    """

    model_config = like(
        first=1, second=2, first_root=LEAVES[0].hex(), second_root=ROOT.hex(), proof=[LEAVES[1].hex()]
    )  # fmt: skip
    first: int
    second: int
    first_root: str
    second_root: str
    proof: list[str]


@router.get(
    "/seal/key",
    operation_id="get_seal_key",
    tags=["seal"],
    response_model=SealKey,
    responses=told_of(ANYWHERE, {200: told(SealKey, "The public key.")}),
)
def get_seal_key(request: Request) -> Response:
    """The key under every seal of this service. Anybody may know it."""
    return Response(text(seals.key(ledger_of(request).sealer)), media_type="application/json")


@router.get(
    "/campaigns/{campaign}/seal",
    operation_id="get_seal",
    tags=["seal"],
    response_model=CampaignSeal,
    responses=reading(CampaignSeal, "The seal."),
)
async def get_seal(caller: Viewing) -> Response:
    """What the whole record is, in one hash, and signed: nothing of it can be changed, left out or put elsewhere."""
    return await caller.page(lambda _, reader: seals.seal(reader, caller.campaign, caller.ledger.sealer))


@router.get(
    "/campaigns/{campaign}/seal/entries/{index}",
    operation_id="prove_entry",
    tags=["seal"],
    response_model=SealedEntry,
    responses=reading(SealedEntry, "The proof."),
)
async def prove_entry(caller: Viewing, index: Index) -> Response:
    """That an event is among those sealed, without the others. What this seat may not see is its hash only."""
    return await caller.page(lambda eyes, reader: seals.entry(eyes, reader, caller.campaign, index))


@router.get(
    "/campaigns/{campaign}/seal/since/{count}",
    operation_id="prove_growth",
    tags=["seal"],
    response_model=SealGrowth,
    responses=reading(SealGrowth, "The proof."),
)
async def prove_growth(caller: Viewing, count: Count) -> Response:
    """That nothing was changed since an earlier seal, which counted so many events: the record only grew."""
    return await caller.page(lambda _, reader: seals.since(reader, caller.campaign, count))
