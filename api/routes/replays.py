"""A past session, ruling by ruling."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from api.http.answers import POSITION, READING, describe_answers
from api.http.lines import choose_media_type, describe_lines
from api.http.moments import MOST
from api.http.queries import Asked
from api.http.request import Asking, Caller
from projections.documents import replays
from projections.documents.replays import Selection
from projections.redaction import LiveLens, to_text

router = APIRouter(prefix="/campaigns/{campaign}", route_class=Asked)
EXAMPLE = (
    '{"format":"campaign-ledger/replay","version":1,"campaign":"k3v7q2mzt5a4c","name":"The Long Winter",'
    '"system":"toy","session":"3","title":"The bridge","as":"corrected","position":12}\n{"frames":0}\n'
)


@router.get(
    "/sessions/{session}/replay",
    operation_id="replay_session",
    tags=["sessions"],
    response_class=Response,
    responses=describe_answers(
        READING,
        {
            200: {
                "description": "JSON Lines: a header, a line for each frame, and the number of frames.",
                "headers": POSITION,
                "content": describe_lines(EXAMPLE),
            }
        },
    ),
)
async def replay_session(
    request: Request,
    caller: Asking,
    session: Annotated[str, Path(description="The session's id.", examples=["3"])],
    first: Annotated[int, Query(alias="from", ge=1, le=MOST, description="Only rulings from this one on.")] = 1,
    last: Annotated[int | None, Query(alias="to", ge=1, le=MOST, description="Only rulings up to this one.")] = None,
    as_: Annotated[
        Literal["recorded", "corrected"],
        Query(alias="as", description="As the session was played, or with all later corrections."),
    ] = "corrected",
) -> Response:
    """Replay a session ruling by ruling: declaration, dice, results, and every changed value before and after.

    `corrected` shows the session as it is today; overturned rulings appear but change nothing. `recorded` shows each
    ruling as it was made at the time, and each decision in the session as a frame of its own.
    """
    selection = Selection(first, last, as_ == "recorded")
    return await run_in_threadpool(_respond_with_replay, caller, choose_media_type(request), session, selection)


def _respond_with_replay(caller: Caller, media_type: str, session: str, selection: Selection) -> Response:
    with caller.ledger.open_for_seat(caller.call) as (book, viewer):
        if replays.is_short_replay(LiveLens(book, viewer), session, selection):
            return _make_response(LiveLens(book, viewer), media_type, session, selection)
    with caller.ledger.open_on_own_book(caller.call) as (book, viewer):
        return _make_response(LiveLens(book, viewer), media_type, session, selection)


def _make_response(lens: LiveLens, media_type: str, session: str, selection: Selection) -> Response:
    lines = "".join(f"{to_text(line)}\n" for line in replays.make_replay(lens, session, selection).list_lines())
    return Response(lines, media_type=media_type, headers={"Ledger-Position": str(lens.book.campaign.position)})
