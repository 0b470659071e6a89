"""A ruling's dossier: JSON to verify, or a page to print."""

from __future__ import annotations

from importlib import resources
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from api.http.answers import POSITION, READING, describe_answer, describe_answers
from api.http.dossier_pages import render_dossier
from api.http.parameters import Number
from api.http.queries import Asked
from api.http.request import Viewing
from projections.documents import dossiers
from projections.documents.dossiers import Dossier
from projections.redaction import to_text

router = APIRouter(route_class=Asked)
STYLE = resources.files("api.routes").joinpath("dossier.css").read_text(encoding="utf-8")

_JSON = describe_answer(Dossier, "The dossier.", POSITION)


@router.get(
    "/campaigns/{campaign}/rulings/{number}/dossier",
    operation_id="get_dossier",
    tags=["rulings"],
    response_model=Dossier,
    responses=describe_answers(READING, {200: {**_JSON, "content": {"text/html": {"schema": {"type": "string"}}}}}),
)
async def get_dossier(
    request: Request,
    caller: Viewing,
    number: Number,
    form: Annotated[
        Literal["json", "html"] | None,
        Query(
            alias="format",
            description="`json` to verify, or `html` to print. Default: what the `Accept` header asks for.",
        ),
    ] = None,
) -> Response:
    """Return everything about a ruling: declaration, answers, dice, how it was worked out, disputes and decisions.

    As JSON, it is signed and can be checked offline (`campaign-ledger verify-dossier FILE`), with proofs that its
    stored rows are sealed. As a page (`Accept: text/html`), it prints on two sheets.
    """
    sealer = caller.ledger.sealer
    document, position = await caller.read_record_and_views(
        lambda lens, reader: dossiers.make_dossier(lens, reader, number, sealer)
    )
    is_page = form == "html" or (form is None and "text/html" in request.headers.get("accept", ""))
    body = render_dossier(document) if is_page else to_text(document)
    answer = Response(body, media_type="text/html" if is_page else "application/json")
    answer.headers["Ledger-Position"] = str(position)
    answer.headers["Vary"] = "Accept"
    return answer


@router.get("/dossier.css", include_in_schema=False)
def get_style() -> Response:
    """Return the style sheet of dossiers, for screen and print."""
    return Response(STYLE, media_type="text/css", headers={"Cache-Control": "max-age=3600"})
