"""An audit: the whole record held against the rules."""

from __future__ import annotations

from fastapi import APIRouter, Response
from fastapi.concurrency import run_in_threadpool

from api.answers import reading
from api.reports import Audit
from api.wiring import Caller, Viewing
from projections.audits import audited
from projections.exit import Sight, text

router = APIRouter(prefix="/campaigns/{campaign}")


@router.get(
    "/audit",
    operation_id="audit_campaign",
    tags=["audit"],
    response_model=Audit,
    responses=reading(Audit, "What was found."),
)
async def audit_campaign(caller: Viewing) -> Response:
    """Adjudicates every ruling anew on its recorded answers, and holds record, balances and views against each other.

    Any seat may; what it may not know is left out. It takes about a second for two thousand rulings.
    """
    await caller.caught_up()
    return await run_in_threadpool(_audit, caller)


def _audit(caller: Caller) -> Response:
    with caller.ledger.aside(caller.call) as (book, viewer):
        document = audited(Sight(book, viewer), caller.reader)
    answer = Response(text(document), media_type="application/json")
    answer.headers["Ledger-Position"] = str(document["position"])
    return answer
