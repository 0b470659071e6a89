"""Audits: the whole record checked against the rules."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Response

from api.http.answers import describe_reading_answers
from api.http.queries import Asked
from api.http.reading import respond
from api.http.request import Caller, Viewing
from ledger.events.read_transaction import ReadTransaction
from projections.documents.audits import Audit, audit_record
from projections.redaction import LiveLens
from projections.views.pages import Reader

router = APIRouter(prefix="/campaigns/{campaign}", route_class=Asked)


@router.get(
    "/audit",
    operation_id="audit_campaign",
    tags=["audit"],
    response_model=Audit,
    responses=describe_reading_answers(Audit, "The result of the audit."),
)
async def audit_campaign(caller: Viewing) -> Response:
    """Check every ruling again with its recorded answers, and compare the record, the balances and the views.

    `healthy` means that there are no differences and nothing needs attention. `judged` counts the rulings that the
    installed rules could check, by edition. They can't check rulings of another edition. If no rules are installed
    (`rules_installed`), no ruling is checked. Any seat can run an audit; hidden information is left out. 2,000 rulings
    take about a second.
    """
    return await caller.read_when_caught_up(partial(_run_audit, caller))


def _run_audit(caller: Caller, transaction: ReadTransaction) -> Response:
    with caller.ledger.open_for_audit(caller.call, transaction=transaction) as (book, viewer):
        document = audit_record(LiveLens(book, viewer), Reader(transaction, caller.campaign))
    return respond(document, document["position"])
