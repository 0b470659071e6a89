"""The differences between two points of a campaign."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from pydantic import AfterValidator

from api.http.answers import describe_reading_answers
from api.http.clocks import At
from api.http.mistakes import Mistake
from api.http.moments import check_moment, read_moment
from api.http.problems import make_bad_request
from api.http.queries import Asked
from api.http.request import Asking
from projections.documents.differences import Diff, Interval, describe_differences
from projections.documents.subjects import Clock
from projections.redaction import LiveLens

router = APIRouter(prefix="/campaigns/{campaign}", route_class=Asked)
Place = Annotated[str | None, AfterValidator(lambda value: value if value is None else check_moment(value))]


@router.get(
    "/diff",
    operation_id="get_diff",
    tags=["campaigns"],
    response_model=Diff,
    responses=describe_reading_answers(Diff, "The differences."),
)
def get_diff(
    caller: Asking,
    start: Annotated[
        Place,
        Query(alias="from", description="The first point: a ruling's number or a time (RFC 3339).", examples=["12"]),
    ] = None,
    end: Annotated[
        Place,
        Query(
            alias="to",
            description="The second point, in the same form as `from`. Default: now.",
            examples=["2026-11-21T19:30:00Z"],
        ),
    ] = None,
    at: At = None,
    as_: Annotated[
        Literal["recorded", "corrected"] | None,
        Query(
            alias="as",
            description="`from` and `to` as known at the time, or with all later corrections. Default: corrected.",
        ),
    ] = None,
) -> Response:
    """Compare two points in play field by field. Each difference names the rulings that caused it.

    `?from=&to=&as=` compares two points. `?at=` compares one point as known at the time and as corrected. The answer
    is the difference between the two `/state` documents.
    """

    def compare(lens: LiveLens) -> Diff:
        if mistakes := _list_mistakes(start, end, at, as_):
            raise make_bad_request(mistakes)
        if at is not None:
            point = read_moment(at)
            return describe_differences(lens, Interval(Clock(point, recorded=True), Clock(point, recorded=False)))
        clocks = (Clock(read_moment(text), recorded=as_ == "recorded") for text in (start, end))
        return describe_differences(lens, Interval(*clocks))

    return caller.read(compare)


def _list_mistakes(start: str | None, end: str | None, at: str | None, as_: str | None) -> list[Mistake]:
    if at is None:
        message = "Enter a start (from), or one point to compare (at)."
        return [{"pointer": "/query/from", "message": message, "type": "missing"}] if start is None else []
    return [
        {
            "pointer": f"/query/{name}",
            "message": "Leave this out when you use `at`.",
            "type": "extra_forbidden",
            "given": value,
        }
        for name, value in (("from", start), ("to", end), ("as", as_))
        if value is not None
    ]
