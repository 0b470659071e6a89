"""How a value came about."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from api.http.answers import describe_reading_answers
from api.http.clocks import As, At, make_clock
from api.http.queries import Asked
from api.http.request import Asking
from ledger.rules.kernel.subjects import CAMPAIGN, Subject, character, scene
from projections.documents.derivations import Derivation, explain_field
from projections.documents.subjects import Clock

router = APIRouter(prefix="/campaigns/{campaign}", route_class=Asked)
Field = Annotated[
    str,
    Path(
        description="A path in the document (`state/traits/0/base`, `name`) or `balances/<account>`. If there is no"
        " such path, the 404 lists the paths that exist.",
        examples=["name"],
        max_length=1000,
    ),
]
Full = Annotated[
    bool, Query(description="Return every change with its dice, derivation and decisions. Default: the last 20.")
]


@router.get(
    "/characters/{character}/why/{field:path}",
    operation_id="explain_character",
    tags=["characters"],
    response_model=Derivation,
    responses=describe_reading_answers(Derivation, "How the value came about."),
)
def explain_character(
    caller: Asking,
    id: Annotated[str, Path(alias="character")],
    field: Field,
    at: At = None,
    as_: As = "corrected",
    full: Full = False,
) -> Response:
    """Return how a value came about: facts, rulings, rules and dice, including overturned ones."""
    return _explain(caller, character(id), field, make_clock(at, as_), full=full)


@router.get(
    "/scenes/{scene}/why/{field:path}",
    operation_id="explain_scene",
    tags=["scenes"],
    response_model=Derivation,
    responses=describe_reading_answers(Derivation, "How the value came about."),
)
def explain_scene(
    caller: Asking,
    id: Annotated[str, Path(alias="scene")],
    field: Field,
    at: At = None,
    as_: As = "corrected",
    full: Full = False,
) -> Response:
    """Return how a value came about: facts, rulings, rules and dice, including overturned ones."""
    return _explain(caller, scene(id), field, make_clock(at, as_), full=full)


@router.get(
    "/why/{field:path}",
    operation_id="explain_campaign",
    tags=["campaigns"],
    response_model=Derivation,
    responses=describe_reading_answers(Derivation, "How the value came about."),
)
def explain_campaign(
    caller: Asking, field: Field, at: At = None, as_: As = "corrected", full: Full = False
) -> Response:
    """Return how the campaign's name, or a value in its state or accounts, came about."""
    return _explain(caller, CAMPAIGN, field, make_clock(at, as_), full=full)


def _explain(caller: Asking, subject: Subject, field: str, clock: Clock, *, full: bool) -> Response:
    return caller.read(lambda lens: explain_field(lens, subject, field, clock, full=full))
