"""The seal, which signs the state of a campaign's record, and two kinds of proof: that the record contains an event,
and that it has only grown.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from pydantic import BeforeValidator

from api.http.admission import get_ledger
from api.http.answers import ANYWHERE, describe_answer, describe_answers, describe_reading_answers
from api.http.parameters import check_plain_number
from api.http.queries import Asked
from api.http.request import Viewing
from projections.documents import seals
from projections.documents.seals import CampaignSeal, SealedEntry, SealGrowth, SealKey
from projections.redaction import to_text

router = APIRouter(route_class=Asked)
Index = Annotated[
    int, BeforeValidator(check_plain_number), Path(ge=0, le=2**53 - 1, description="The entry's index, from 0.")
]
Count = Annotated[
    int,
    BeforeValidator(check_plain_number),
    Path(ge=0, le=2**53 - 1, description="The number of events in an earlier seal."),
]


@router.get(
    "/seal/key",
    operation_id="get_seal_key",
    tags=["seal"],
    response_model=SealKey,
    responses=describe_answers(ANYWHERE, {200: describe_answer(SealKey, "The public key.")}),
)
def get_seal_key(request: Request) -> Response:
    """Return the public key of this service's seals."""
    return Response(to_text(seals.describe_key(get_ledger(request).sealer)), media_type="application/json")


@router.get(
    "/campaigns/{campaign}/seal",
    operation_id="get_seal",
    tags=["seal"],
    response_model=CampaignSeal,
    responses=describe_reading_answers(CampaignSeal, "The seal."),
)
async def get_seal(caller: Viewing) -> Response:
    """Return the seal: one signed hash of the whole record. It detects any change, omission or reordering."""
    return await caller.read_page(lambda _, reader: seals.describe_seal(reader, caller.ledger.sealer))


@router.get(
    "/campaigns/{campaign}/seal/entries/{index}",
    operation_id="prove_entry",
    tags=["seal"],
    response_model=SealedEntry,
    responses=describe_reading_answers(SealedEntry, "The proof."),
)
async def prove_entry(caller: Viewing, index: Index) -> Response:
    """Prove that an event is sealed, without the other events. An event hidden from this seat is only shown as its
    hash.
    """
    return await caller.read_page(lambda lens, reader: seals.prove_entry(lens, reader, index))


@router.get(
    "/campaigns/{campaign}/seal/since/{count}",
    operation_id="prove_growth",
    tags=["seal"],
    response_model=SealGrowth,
    responses=describe_reading_answers(SealGrowth, "The proof."),
)
async def prove_growth(caller: Viewing, count: Count) -> Response:
    """Prove that the record has only grown since an earlier seal of `count` events."""
    return await caller.read_page(lambda _, reader: seals.prove_growth(reader, count))
