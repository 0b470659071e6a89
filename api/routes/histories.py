"""The history of a character or a scene."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from api.http import filters
from api.http.answers import LINK, describe_reading_answers
from api.http.clocks import As, At, make_moment_finder
from api.http.listing import choose_order
from api.http.parameters import Order, Words
from api.http.queries import Asked
from api.http.request import Viewing
from api.routes.timeline import After, Kind, Limit, Previous, Ruling, parse_cursor
from ledger.rules.kernel.subjects import Subject, character, scene
from projections.documents import timelines
from projections.documents.timelines import History

router = APIRouter(prefix="/campaigns/{campaign}", route_class=Asked)


@router.get(
    "/characters/{character}/history",
    operation_id="get_character_history",
    tags=["characters"],
    response_model=History,
    responses=describe_reading_answers(History, "Facts about the character.", LINK),
)
async def get_character_history(  # noqa: PLR0913, PLR0917
    request: Request,
    caller: Viewing,
    id: Annotated[str, Path(alias="character")],
    kind: Kind = None,
    ruling: Ruling = None,
    q: Words = None,
    at: At = None,
    as_: As = "corrected",
    after: After = None,
    before: Previous = None,
    limit: Limit = 50,
    order: Order = "asc",
) -> Response:
    """List every fact about the character or its accounts, with the ruling behind each."""
    selection = timelines.Selection(
        None, kind, ruling, None, None, parse_cursor(before or after), limit, choose_order(order, before), q
    )
    return await _read_history(request, caller, character(id), selection, at, as_)


@router.get(
    "/scenes/{scene}/history",
    operation_id="get_scene_history",
    tags=["scenes"],
    response_model=History,
    responses=describe_reading_answers(History, "Facts about the scene.", LINK),
)
async def get_scene_history(  # noqa: PLR0913, PLR0917
    request: Request,
    caller: Viewing,
    id: Annotated[str, Path(alias="scene")],
    kind: Kind = None,
    ruling: Ruling = None,
    q: Words = None,
    at: At = None,
    as_: As = "corrected",
    after: After = None,
    before: Previous = None,
    limit: Limit = 50,
    order: Order = "asc",
) -> Response:
    """List every fact about the scene or its accounts, with the ruling behind each."""
    selection = timelines.Selection(
        None, kind, ruling, None, None, parse_cursor(before or after), limit, choose_order(order, before), q
    )
    return await _read_history(request, caller, scene(id), selection, at, as_)


async def _read_history(
    request: Request, caller: Viewing, subject: Subject, selection: timelines.Selection, at: At, as_: str
) -> Response:
    find_moment = make_moment_finder(at, as_)
    return await caller.read_page(
        lambda lens, reader: timelines.list_history(lens, reader, subject, selection, find_moment(reader)),
        request.url,
        filters.make_filter_check(fact=selection.kind, ruling=selection.ruling),
    )
