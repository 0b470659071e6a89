"""The campaign and the seat that a token belongs to, and the list of campaigns."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from api.http.admission import get_ledger, is_for_operator, must_have_seat_token
from api.http.answers import LINK, READING, describe_answer, describe_answers, describe_reading_answers
from api.http.listing import Before, add_page_links, choose_order
from api.http.parameters import OperatorToken, Order, SeatToken
from api.http.queries import Asked
from api.http.reading import MOST_LAG
from api.http.request import Sitting
from api.routes.timeline import Limit
from api.service.standby import Standby
from projections.documents import me as documents
from projections.documents.me import Campaigns, Me
from projections.redaction import to_text
from projections.views.everywhere import Everywhere
from projections.views.pages import Views

router = APIRouter(route_class=Asked)
After = Annotated[str, Query(description="Only campaigns after this one.", max_length=60)]


@router.get(
    "/me", operation_id="get_me", tags=["seats"], response_model=Me, responses=describe_reading_answers(Me, "The seat.")
)
def get_me(caller: Sitting) -> Response:
    """Return the token's campaign and seat, with the seat's role, name and characters."""
    return caller.read(documents.describe_me)


@router.get(
    "/campaigns",
    operation_id="list_campaigns",
    tags=["campaigns"],
    response_model=Campaigns,
    responses=describe_answers(READING, {200: describe_answer(Campaigns, "The campaigns.", LINK)}),
)
async def list_campaigns(
    request: Request,
    operator_token: OperatorToken,
    seat_token: SeatToken,
    after: After = "",
    before: Before = None,
    limit: Limit = 50,
    order: Order = "asc",
) -> Response:
    """List all campaigns for the operator, or a seat's own campaign. If the service has no operator token, anybody can
    list all campaigns.
    """
    only_campaign: str | None = None
    if not is_for_operator(request, operator_token):
        await must_have_seat_token(request)
        only_campaign = operator_token.credentials.partition(".")[0] if operator_token is not None else None
    views = Everywhere(get_ledger(request).shelves)
    await _wait_for_views(await run_in_threadpool(views.list_views, only_campaign))
    list_page = partial(
        documents.list_campaigns,
        campaign=only_campaign,
        after=before or after,
        limit=limit,
        order=choose_order(order, before),
    )
    standby: Standby | None = request.app.state.standby

    def read_page() -> tuple[Campaigns, str | None]:
        if standby is not None:
            return standby.ask_everywhere(only_campaign, list_page)
        with views.open_reader() as reader:
            return list_page(reader)

    document, next_cursor = await run_in_threadpool(read_page)
    first_id = document["campaigns"][0]["id"] if document["campaigns"] else None
    page_document, link_header = add_page_links(document, "campaigns", first_id, next_cursor, request.url)
    answer = Response(to_text(page_document), media_type="application/json")
    if link_header is not None:
        answer.headers["Link"] = link_header
    return answer


async def _wait_for_views(all_views: Sequence[Views]) -> None:
    """Wait until the views include everything saved before the request, or for a few seconds."""
    ids_by_views = {views: await run_in_threadpool(views.find_newest_and_taken) for views in all_views}
    deadline, pause = time.monotonic() + MOST_LAG, 0.002
    for views, (newest_id, first_taken_id) in ids_by_views.items():
        taken_id = first_taken_id
        while taken_id < newest_id and time.monotonic() < deadline:
            await asyncio.sleep(pause)
            pause = min(2 * pause, 0.1)
            _, taken_id = await run_in_threadpool(views.find_newest_and_taken)
