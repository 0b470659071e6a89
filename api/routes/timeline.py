"""What became true, in order: a campaign's timeline, and the history of a character or scene."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from api.http.answers import LINK, reading
from api.http.clocks import As, At, looking
from api.http.moments import MOST
from api.http.request import Viewing
from ledger.rules.kernel.subjects import Subject, character, scene
from projections.documents import timelines
from projections.documents.timelines import History, Timeline
from projections.views.pages import MOST as MOST_ROWS

router = APIRouter(prefix="/campaigns/{campaign}")
After = Annotated[
    str | None,
    Query(pattern=r"^(0|[1-9][0-9]{0,15})\.(0|[1-9][0-9]{0,8})$", description="Only later ones than this `id`."),
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
    at: At = None,
    as_: As = "corrected",
    after: After = None,
    limit: Limit = 50,
) -> Response:
    """Facts in the order in which they were recorded, those that were struck marked; every filter given must fit."""
    wanted = timelines.Wanted(subject, kind, ruling, session, scene, _place(after), limit)
    clock = looking(at, as_)
    return await caller.page(
        lambda lens, reader: timelines.timeline(lens, reader, caller.campaign, wanted, clock(reader, caller.campaign)),
        request.url,
    )


@router.get(
    "/characters/{character}/history",
    operation_id="get_character_history",
    tags=["characters"],
    response_model=History,
    responses=reading(History, "Facts about the character.", LINK),
)
async def get_character_history(  # noqa: PLR0913, PLR0917
    request: Request,
    caller: Viewing,
    id: Annotated[str, Path(alias="character")],
    kind: Kind = None,
    ruling: Ruling = None,
    at: At = None,
    as_: As = "corrected",
    after: After = None,
    limit: Limit = 50,
) -> Response:
    """Every fact about the character or that moves what it has, with the ruling behind each."""
    wanted = timelines.Wanted(None, kind, ruling, None, None, _place(after), limit)
    return await _history(request, caller, character(id), wanted, at, as_)


@router.get(
    "/scenes/{scene}/history",
    operation_id="get_scene_history",
    tags=["scenes"],
    response_model=History,
    responses=reading(History, "Facts about the scene.", LINK),
)
async def get_scene_history(  # noqa: PLR0913, PLR0917
    request: Request,
    caller: Viewing,
    id: Annotated[str, Path(alias="scene")],
    kind: Kind = None,
    ruling: Ruling = None,
    at: At = None,
    as_: As = "corrected",
    after: After = None,
    limit: Limit = 50,
) -> Response:
    """Every fact about the scene or that moves what it has, with the ruling behind each."""
    wanted = timelines.Wanted(None, kind, ruling, None, None, _place(after), limit)
    return await _history(request, caller, scene(id), wanted, at, as_)


async def _history(
    request: Request, caller: Viewing, subject: Subject, wanted: timelines.Wanted, at: At, as_: str
) -> Response:
    clock = looking(at, as_)
    return await caller.page(
        lambda lens, reader: timelines.history(
            lens,
            reader,
            caller.campaign,
            subject,
            wanted,
            clock(reader, caller.campaign),
        ),
        request.url,
    )


def _place(after: str | None) -> tuple[int, int]:
    position, _, place = (after or "0.0").partition(".")
    return int(position), int(place)
