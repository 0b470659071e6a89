"""The timeline of a campaign: its facts, in order."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from api.http import filters
from api.http.answers import LINK, describe_reading_answers
from api.http.clocks import As, At, Since, Until, make_moment_finder, make_span_finder
from api.http.listing import choose_order
from api.http.moments import MOST
from api.http.parameters import Order, Words
from api.http.queries import Asked
from api.http.request import Viewing
from projections.documents import decision_list, landmarks, timelines
from projections.documents import sessions as session_list
from projections.documents.decision_list import Decisions, Made
from projections.documents.landmarks import Landmarks
from projections.documents.sessions import Sessions
from projections.documents.timelines import Timeline
from projections.redaction import LiveLens
from projections.views.pages import MOST as MOST_ROWS

router = APIRouter(prefix="/campaigns/{campaign}", route_class=Asked)
After = Annotated[
    str | None,
    Query(pattern=r"^(0|[1-9][0-9]{0,15})\.(0|[1-9][0-9]{0,8})$", description="Only facts after this `id`."),
]
Previous = Annotated[
    str | None,
    Query(pattern=r"^[1-9][0-9]{0,15}\.(0|[1-9][0-9]{0,8})$", description="Return the page before this `id`."),
]
Limit = Annotated[int, Query(ge=1, le=MOST_ROWS, description="The maximum number of items.")]
Ruling = Annotated[int | None, Query(ge=1, le=MOST, description="Only facts of this ruling.")]
Kind = Annotated[str | None, Query(description="Only facts of this kind.", examples=["ledger.character-enrolled"])]


@router.get(
    "/timeline",
    operation_id="get_timeline",
    tags=["timeline"],
    response_model=Timeline,
    responses=describe_reading_answers(Timeline, "Facts in order.", LINK),
)
async def get_timeline(  # noqa: PLR0913, PLR0917  (one parameter for each filter)
    request: Request,
    caller: Viewing,
    subject: Annotated[
        str | None,
        Query(description="Only facts about this subject or its accounts.", examples=["character:1", "campaign"]),
    ] = None,
    kind: Kind = None,
    ruling: Ruling = None,
    session: Annotated[str | None, Query(description="Only facts recorded in this session.")] = None,
    scene: Annotated[str | None, Query(description="Only facts of rulings in this scene.")] = None,
    unit: Annotated[
        str | None, Query(description="Only facts that change balances of this unit.", examples=["coin"])
    ] = None,
    since: Since = None,
    until: Until = None,
    q: Words = None,
    at: At = None,
    as_: As = "corrected",
    after: After = None,
    before: Previous = None,
    limit: Limit = 50,
    order: Order = "asc",
) -> Response:
    """List facts in the order they were recorded. Overturned facts are marked. A fact must match every filter."""
    selection = timelines.Selection(
        subject,
        kind,
        ruling,
        session,
        scene,
        parse_cursor(before or after),
        limit,
        choose_order(order, before),
        q,
        unit,
    )
    find_moment, find_span = make_moment_finder(at, as_), make_span_finder(since, until)
    check_filters = filters.make_filter_check(
        subject=subject, session=session, scene=scene, fact=kind, ruling=ruling, unit=unit
    )
    return await caller.read_page(
        lambda lens, reader: timelines.list_timeline(
            lens, reader, replace(selection, span=find_span(reader)), find_moment(reader)
        ),
        request.url,
        check_filters,
    )


@router.get(
    "/landmarks",
    operation_id="list_landmarks",
    tags=["timeline"],
    response_model=Landmarks,
    responses=describe_reading_answers(Landmarks, "Sessions, scenes, decisions and resolved findings, in order."),
)
async def list_landmarks(
    caller: Viewing, most: Annotated[int, Query(ge=1, le=500, description="The maximum number of each kind.")] = 100
) -> Response:
    """List the landmarks of the campaign. Sessions and scenes are at the ruling that opened them. Decisions and
    resolved findings are at the ruling before them.
    """
    return await caller.read_page_beside(
        landmarks.list_settlements,
        lambda lens, reader, settlements: landmarks.list_landmarks(lens, reader, most, settlements),
    )


@router.get(
    "/decisions",
    operation_id="list_decisions",
    tags=["decisions"],
    response_model=Decisions,
    responses=describe_reading_answers(Decisions, "Decisions in order.", LINK),
)
async def list_decisions(  # noqa: PLR0913, PLR0917  (one parameter for each filter)
    request: Request,
    caller: Viewing,
    decision: Annotated[Made | None, Query(description="Only decisions of this kind.")] = None,
    ruling: Ruling = None,
    seat: Annotated[str | None, Query(description="Only decisions that this seat made.")] = None,
    session: Annotated[str | None, Query(description="Only decisions made in this session.")] = None,
    since: Since = None,
    until: Until = None,
    after: After = None,
    before: Previous = None,
    limit: Limit = 50,
    order: Order = "asc",
) -> Response:
    """List all decisions: who made each one, about which ruling, when and why. Includes resolved findings."""
    selection = decision_list.Selection(
        decision, ruling, seat, session, parse_cursor(before or after), limit, choose_order(order, before)
    )
    check_filters, find_settlements, find_span = (
        filters.make_filter_check(ruling=ruling, seat=seat, session=session),
        decision_list.make_settlement_finder(selection),
        make_span_finder(since, until),
    )

    def check_and_find_settlements(lens: LiveLens) -> list[decision_list.MadeDecision]:
        check_filters(lens)
        return find_settlements(lens)

    return await caller.read_page_beside(
        check_and_find_settlements,
        lambda lens, reader, settlements: decision_list.list_decisions(
            lens, reader, replace(selection, span=find_span(reader)), settlements
        ),
        request.url,
    )


@router.get(
    "/sessions",
    operation_id="list_sessions",
    tags=["sessions"],
    response_model=Sessions,
    responses=describe_reading_answers(Sessions, "Sessions in order.", LINK),
)
async def list_sessions(
    request: Request,
    caller: Viewing,
    since: Since = None,
    until: Until = None,
    after: Annotated[int, Query(ge=0, le=MOST, description="Only sessions after this one.")] = 0,
    before: Annotated[int | None, Query(ge=1, le=MOST, description="Return the page before this session.")] = None,
    limit: Limit = 50,
    order: Order = "asc",
) -> Response:
    """List the sessions with number, title, start, end, number of rulings, and the changes for every character."""
    selection, find_span = (
        session_list.Selection(before or after, limit, choose_order(order, before)),
        make_span_finder(since, until),
    )
    return await caller.read_page(
        lambda lens, reader: session_list.list_sessions(lens, reader, replace(selection, span=find_span(reader))),
        request.url,
    )


def parse_cursor(cursor: str | None) -> tuple[int, int]:
    position, _, place = (cursor or "0.0").partition(".")
    return int(position), int(place)
