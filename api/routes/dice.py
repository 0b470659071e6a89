"""The ledger's dice: their commitments, every roll, and the seats' contributions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from api.http import filters, schemas
from api.http.answers import LINK, POSITION, RECEIPT, describe_acting_answers, describe_answer, describe_reading_answers
from api.http.bodies import Bodied
from api.http.listing import add_page_links, choose_order
from api.http.parameters import Order
from api.http.request import Acting, Asking, Viewing
from projections.documents import dice, dice_faces
from projections.documents.dice import Dice, Entropy
from projections.documents.dice_faces import DiceFaces
from projections.documents.presenting import present
from projections.redaction import LiveLens

router = APIRouter(prefix="/campaigns/{campaign}", route_class=Bodied)
MOST = 2**31 - 1


@router.get(
    "/dice",
    operation_id="check_dice",
    tags=["dice"],
    response_model=Dice,
    responses=describe_reading_answers(Dice, "The dice.", LINK),
)
def check_dice(
    request: Request,
    caller: Asking,
    after: Annotated[int, Query(ge=0, le=MOST, description="Only rolls after this number.")] = 0,
    before: Annotated[int | None, Query(ge=1, le=MOST, description="Return the page before this roll.")] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    order: Order = "asc",
) -> Response:
    """Return everything you need to calculate the rolls yourself: commitments, revealed seeds, added randomness, and
    every roll with its proof.
    """
    link_header: str | None = None
    reading_order = choose_order(order, before)

    def describe(lens: LiveLens) -> dict[str, object]:
        nonlocal link_header
        document = dice.describe_dice(lens, before or after, limit, reading_order)
        roll_numbers = [roll["roll"] for roll in document["rolls"]]
        last_number = document["count"] if reading_order == "asc" else 1
        next_cursor = str(roll_numbers[-1]) if roll_numbers and roll_numbers[-1] != last_number else None
        page_document, link_header = add_page_links(
            document, "rolls", str(roll_numbers[0]) if roll_numbers else None, next_cursor, request.url
        )
        return page_document

    answer = caller.read(describe)
    if link_header is not None:
        answer.headers["Link"] = link_header
    return answer


@router.get(
    "/dice/faces",
    operation_id="count_faces",
    tags=["dice"],
    response_model=DiceFaces,
    responses=describe_reading_answers(DiceFaces, "How often each face came up."),
)
async def count_faces(
    caller: Viewing,
    seat: Annotated[str | None, Query(max_length=20, description="Only the dice of this seat.")] = None,
    session: Annotated[str | None, Query(max_length=20, description="Only the dice of this session.")] = None,
) -> Response:
    """Return how often each face came up, by seat, session, kind of die and source, compared with fair dice.

    A die counts for the seat that rolled it, not for the seat that entered it.
    """
    check = filters.make_filter_check(seat=seat, session=session)
    return await caller.read_page(
        lambda lens, reader: dice_faces.count_dice_faces(lens, reader, seat, session), check=check
    )


@router.post(
    "/seats/{seat}/entropy",
    operation_id="give_entropy",
    tags=["dice"],
    status_code=201,
    response_model=Entropy,
    responses=describe_acting_answers({201: describe_answer(Entropy, "The randomness was added.", POSITION, RECEIPT)}),
)
def give_entropy(seat: str, body: schemas.GiveEntropy, caller: Acting) -> Response:
    """Add your own randomness to the ledger's dice. It replaces what you added before. Only for your own seat.

    Each session's rolls depend on a secret seed whose hash is published first. If you add randomness after that, not
    even the operator can choose the results.
    """
    return caller.answer(caller.ledger.give_entropy(caller.call, seat, body.value, present))
