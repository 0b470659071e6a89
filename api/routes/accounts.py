"""Balances, and the statements behind them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from api.http import filters
from api.http.answers import LINK, describe_reading_answers
from api.http.clocks import As, At, Since, Until, make_moment_finder, make_span_finder
from api.http.listing import Before, choose_order
from api.http.moments import MOST
from api.http.parameters import Order
from api.http.queries import Asked
from api.http.request import Viewing
from api.routes.timeline import Limit
from projections.documents import accounts
from projections.documents.accounts import Accounts, Statement

router = APIRouter(prefix="/campaigns/{campaign}", route_class=Asked)


@router.get(
    "/accounts",
    operation_id="list_accounts",
    tags=["accounts"],
    response_model=Accounts,
    responses=describe_reading_answers(Accounts, "Balances by account.", LINK),
)
async def list_accounts(  # noqa: PLR0913, PLR0917  (one parameter for each filter)
    request: Request,
    caller: Viewing,
    unit: Annotated[str | None, Query(description="Only accounts in this unit.", examples=["coin"])] = None,
    at: At = None,
    as_: As = "corrected",
    after: Annotated[str, Query(description="Only accounts whose names come after this one.", max_length=1000)] = "",
    before: Before = None,
    limit: Limit = 500,
    order: Order = "asc",
) -> Response:
    """List all balances that this seat can see, with the trial balance."""
    find_moment = make_moment_finder(at, as_)
    return await caller.read_page(
        lambda lens, reader: accounts.list_accounts(
            lens, reader, find_moment(reader), before or after, limit, choose_order(order, before), unit
        ),
        request.url,
        filters.make_filter_check(unit=unit),
    )


@router.get(
    "/accounts/{account:path}",
    operation_id="get_statement",
    tags=["accounts"],
    response_model=Statement,
    responses=describe_reading_answers(Statement, "The account's entries.", LINK),
)
async def get_statement(  # noqa: PLR0913, PLR0917  (one parameter for each filter)
    request: Request,
    caller: Viewing,
    account: Annotated[str, Path(description="The account.", examples=["character:1/credit:nuin"])],
    session: Annotated[str | None, Query(description="Only entries of rulings in this session.")] = None,
    since: Since = None,
    until: Until = None,
    at: At = None,
    as_: As = "corrected",
    after: Annotated[int, Query(ge=0, le=MOST, description="Only entries after this number.")] = 0,
    before: Annotated[int | None, Query(ge=1, le=MOST, description="Return the page before this number.")] = None,
    limit: Limit = 50,
    order: Order = "asc",
    line: Annotated[
        int, Query(ge=0, le=500, description="Also return the balance over time, as this many points.")
    ] = 0,
) -> Response:
    """Return an account statement: every entry with the balance after it. An overturned entry is reversed by another
    entry.
    """
    find_moment, find_span = make_moment_finder(at, as_), make_span_finder(since, until)
    return await caller.read_page(
        lambda lens, reader: accounts.write_statement(
            lens,
            reader,
            account,
            find_moment(reader),
            before or after,
            limit,
            choose_order(order, before),
            line,
            session,
            find_span(reader),
        ),
        request.url,
        filters.make_filter_check(session=session),
    )
