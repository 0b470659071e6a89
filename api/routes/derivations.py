"""Why a value is what it is."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response

from api.http.answers import reading
from api.http.clocks import As, At, clock
from api.http.queries import Asked
from api.http.request import Asking
from ledger.rules.kernel.subjects import character, scene
from projections.documents.derivations import Derivation, why

router = APIRouter(prefix="/campaigns/{campaign}", route_class=Asked)
Field = Annotated[
    str,
    Path(
        description="A field of the state (`traits/0/base`), of the card (`name`), or `balances/<account>`.",
        examples=["name"],
        max_length=1000,
    ),
]


@router.get(
    "/characters/{character}/why/{field:path}",
    operation_id="explain_character",
    tags=["characters"],
    response_model=Derivation,
    responses=reading(Derivation, "How the value came to be."),
)
def explain_character(
    caller: Asking, id: Annotated[str, Path(alias="character")], field: Field, at: At = None, as_: As = "corrected"
) -> Response:
    """The chain behind a value: facts, rulings, rules and dice, those that were struck in their place."""
    looked = clock(at, as_)
    return caller.read(lambda lens: why(lens, character(id), field, looked))


@router.get(
    "/scenes/{scene}/why/{field:path}",
    operation_id="explain_scene",
    tags=["scenes"],
    response_model=Derivation,
    responses=reading(Derivation, "How the value came to be."),
)
def explain_scene(
    caller: Asking, id: Annotated[str, Path(alias="scene")], field: Field, at: At = None, as_: As = "corrected"
) -> Response:
    """The chain behind a value: facts, rulings, rules and dice, those that were struck in their place."""
    looked = clock(at, as_)
    return caller.read(lambda lens: why(lens, scene(id), field, looked))
