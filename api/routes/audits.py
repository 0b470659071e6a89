"""An audit: the whole record held against the rules."""

from __future__ import annotations

from contextlib import suppress

from fastapi import APIRouter, Response
from fastapi.concurrency import run_in_threadpool

from api.http.answers import reading
from api.http.queries import Asked
from api.http.request import Caller, Viewing
from ledger.errors import Fault
from projections.documents.audits import Audit, audited
from projections.redaction import LiveLens, text

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

    Healthy is what shows no difference, has nothing to be settled, and was told again as a whole: `not_told_again`
    counts the rulings that were not: of another edition, or of a system that is not installed (`rules_installed`).
    Any seat may; what it may not know is left out. It takes about a second for two thousand rulings.
    """
    with suppress(Fault):  # whatever is wrong with it, an audit looks all the same
        await caller.caught_up()
    return await run_in_threadpool(_audit, caller)


def _audit(caller: Caller) -> Response:
    with caller.ledger.auditing(caller.call) as (book, viewer):
        document = audited(LiveLens(book, viewer), caller.reader)
    answer = Response(text(document), media_type="application/json")
    answer.headers["Ledger-Position"] = str(document["position"])
    return answer
