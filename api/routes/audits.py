"""An audit: the whole record held against the rules."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Response

from api.http.answers import reading
from api.http.queries import Asked
from api.http.reading import respond
from api.http.request import Caller, Viewing
from ledger.events.read_transaction import ReadTransaction
from projections.documents.audits import Audit, audited
from projections.redaction import LiveLens
from projections.views.pages import Reader

router = APIRouter(prefix="/campaigns/{campaign}", route_class=Asked)


@router.get(
    "/audit",
    operation_id="audit_campaign",
    tags=["audit"],
    response_model=Audit,
    responses=reading(Audit, "What was found."),
)
async def audit_campaign(caller: Viewing) -> Response:
    """Adjudicates every ruling anew on its recorded answers, and holds record, balances and views against each other.

    Healthy is what shows no difference and has nothing to be settled. Separately, `judged` says how many rulings
    today's rules could judge, by edition: none of another one, and none without the rules (`rules_installed`).
    Any seat may; what it may not know is left out. It takes about a second for two thousand rulings.
    """
    return await caller.once_level(partial(_audit, caller))


def _audit(caller: Caller, moment: ReadTransaction) -> Response:
    with caller.ledger.auditing(caller.call, moment=moment) as (book, viewer):
        document = audited(LiveLens(book, viewer), Reader(moment, caller.campaign))
    return respond(document, document["position"])
