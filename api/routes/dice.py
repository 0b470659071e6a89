"""The ledger's dice: what they rest on, every roll, and what seats mix into them."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from api.http import schemas
from api.http.answers import LINK, POSITION, RECEIPT, acting, reading, told
from api.http.bodies import Bodied
from api.http.documents import AT, RULING, Given, Told, like
from api.http.request import Acting, Asking
from projections.documents import dice
from projections.documents.presenting import present
from projections.redaction import Json, Sight

router = APIRouter(prefix="/campaigns/{campaign}", route_class=Bodied)
MOST = 2**31 - 1
ENTROPY = {"number": 1, "seat": "s2", "name": "Ben", "value": "3 6 1 1 5 2, and it rains", "at": AT}
PROOF = "epoch=0 roll=1 ruling=7 entropies=1 seed=open"


class Entropy(Told):
    """What a seat mixed into the dice, from the next save on. `number`: among all of the campaign's, from 1."""

    model_config = like(**ENTROPY)
    number: int
    seat: str
    name: str
    value: str
    at: str


class Epoch(Told):
    """A time whose rolls rest on the same seeds. `session`: null before, between and after sessions.

    `commitment`, `hidden_commitment`: the SHA-256 of its two seeds, published when it began. `seed`: the open one,
    once it is over (null then only where the server's key was changed in between). The hidden one, for questions that
    not everybody may see, is never told.
    """

    epoch: int
    session: str | None
    at: str
    commitment: str
    hidden_commitment: str
    over: bool
    seed: str | None


class Rolled(Told):
    """A roll. `answer`: as the ruling, or what waits, has it, its proof among it; null for what is not for this seat.

    `seed`: which of the epoch's seeds it rests on.
    """

    roll: int
    epoch: int | None
    seed: Literal["open", "hidden"] | None
    ruling: int | None
    waiting: str | None
    answer: Given | None


class Dice(Told):
    """What the ledger's dice rest on, and a page of the rolls, without gaps. `count`: of all rolls.

    Scheme `campaign-ledger/dice/1`. A roll's numbers are blocks b = 0, 1, ... of HMAC-SHA256 under the seed (32 bytes,
    here hexadecimal) of six lines joined by a line feed: the scheme, the campaign, roll, ruling (both as in the
    proof), the mixed entropies, b; each block being four big-endian numbers of 64 bits. Mixed entropies: the SHA-256,
    hexadecimal, of lines `seat:SHA-256 of the value`, each ended by a line feed, sorted by seat, with every seat's last
    value among as many entropies as the proof says. A choice below m takes the next number less than
    2^64 - (2^64 mod m), modulo m. A die: 1 + a choice below its sides; where a question names the face that `opens`,
    another die for each that shows it. A coin: below 2, heads is 0; k cards drawn of n (an order: all n):
    for i = 0 .. k-1 exchange those at i and i + (a choice below n - i), as the question orders them.
    """

    model_config = like(
        scheme="campaign-ledger/dice/1", campaign="k3v7q2mzt5a4c", count=1,
        epochs=[{"epoch": 0, "session": None, "at": AT, "commitment": "b7" * 32, "hidden_commitment": "0c" * 32,
                 "over": False, "seed": None}],
        entropies=[ENTROPY],
        rolls=[{"roll": 1, "epoch": 0, "seed": "open", "ruling": 7, "waiting": None, "answer": {
            **RULING["answers"][0],
            "answer": {"dice": {"sides": 6, "faces": [4], "source": "ledger", "proof": PROOF}},
        }}],
    )  # fmt: skip
    scheme: str
    campaign: str
    count: int
    epochs: list[Epoch]
    entropies: list[Entropy]
    rolls: list[Rolled]


@router.get(
    "/dice",
    operation_id="check_dice",
    tags=["dice"],
    response_model=Dice,
    responses=reading(Dice, "The dice.", LINK),
)
def check_dice(
    request: Request,
    caller: Asking,
    after: Annotated[int, Query(ge=0, le=MOST, description="Only rolls with later numbers.")] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> Response:
    """All it takes to recompute the rolls: commitments, seeds revealed, entropies, every roll with its proof."""
    count = 0

    def tell(sight: Sight) -> Json:
        nonlocal count
        count = sight.book.campaign.rolls
        return dice.dice(sight, after, limit)

    answer = caller.read(tell)
    if count > after + limit:
        following = request.url.remove_query_params("wait").include_query_params(after=after + limit)
        answer.headers["Link"] = f'<{following.path}?{following.query}>; rel="next"'
    return answer


@router.post(
    "/seats/{seat}/entropy",
    operation_id="give_entropy",
    tags=["dice"],
    status_code=201,
    response_model=Entropy,
    responses=acting({201: told(Entropy, "Mixed in.", POSITION, RECEIPT)}),
)
def give_entropy(seat: str, body: schemas.GiveEntropy, caller: Acting) -> Response:
    """Mix something of your own into the ledger's dice from now on, in place of what you gave before. The seat itself.

    Given after an epoch's commitment was published, it keeps even who runs the service from choosing what will fall.
    """
    return caller.answer(caller.ledger.give_entropy(caller.call, seat, body.value, present))
