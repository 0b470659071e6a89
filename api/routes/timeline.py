"""What became true in a campaign, in order: its timeline."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from api.http import filters
from api.http.answers import LINK, reading
from api.http.clocks import As, At, looking
from api.http.listing import turned
from api.http.moments import MOST
from api.http.parameters import Order, Words
from api.http.queries import Asked
from api.http.request import Viewing
from projections.documents import landmarks, timelines
from projections.documents.landmarks import Landmarks
from projections.documents.timelines import Timeline
from projections.views.pages import MOST as MOST_ROWS

router = APIRouter(prefix="/campaigns/{campaign}", route_class=Asked)
After = Annotated[
    str | None,
    Query(pattern=r"^(0|[1-9][0-9]{0,15})\.(0|[1-9][0-9]{0,8})$", description="Only those after this `id`."),
]
Previous = Annotated[
    str | None,
    Query(pattern=r"^[1-9][0-9]{0,15}\.(0|[1-9][0-9]{0,8})$", description="The page before this `id`."),
]
Limit = Annotated[int, Query(ge=1, le=MOST_ROWS, description="At most so many.")]
Ruling = Annotated[int | None, Query(ge=1, le=MOST, description="Of this ruling.")]
Kind = Annotated[str | None, Query(description="Of this kind of fact.", examples=["ledger.character-enrolled"])]


@router.get(
    "/timeline",
    operation_id="get_timeline",
    tags=["timeline"],
    response_model=Timeline,
    responses=reading(Timeline, "Facts in order.", LINK),
)
async def get_timeline(  # noqa: PLR0913, PLR0917  (one parameter a filter)
    request: Request,
    caller: Viewing,
    subject: Annotated[
        str | None, Query(description="It is about this, or moves what it has.", examples=["character:1", "campaign"])
    ] = None,
    kind: Kind = None,
    ruling: Ruling = None,
    session: Annotated[str | None, Query(description="Recorded in this session.")] = None,
    scene: Annotated[str | None, Query(description="Of rulings in this scene.")] = None,
    q: Words = None,
    at: At = None,
    as_: As = "corrected",
    after: After = None,
    before: Previous = None,
    limit: Limit = 50,
    order: Order = "asc",
) -> Response:
    """Facts in the order in which they were recorded, those that were struck marked; every filter given must fit."""
    wanted = timelines.Wanted(
        subject, kind, ruling, session, scene, place(before or after), limit, turned(order, before), q
    )
    clock = looking(at, as_)
    known = filters.check(subject=subject, session=session, scene=scene, fact=kind, ruling=ruling)
    return await caller.page(
        lambda lens, reader: timelines.timeline(lens, reader, wanted, clock(reader)),
        request.url,
        known,
    )


@router.get(
    "/landmarks",
    operation_id="list_landmarks",
    tags=["timeline"],
    response_model=Landmarks,
    responses=reading(Landmarks, "Sessions, scenes, decisions and settlements, in order."),
)
async def list_landmarks(
    caller: Viewing, most: Annotated[int, Query(ge=1, le=500, description="At most so many of each kind.")] = 100
) -> Response:
    """Where one finds one's way: sessions and scenes by the ruling that opened them, decisions and what was settled by
    the last before.
    """
    return await caller.page_beside(
        landmarks.settlements, lambda lens, reader, settled: landmarks.landmarks(lens, reader, most, settled)
    )


def place(after: str | None) -> tuple[int, int]:
    position, _, place = (after or "0.0").partition(".")
    return int(position), int(place)
