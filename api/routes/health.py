"""The health of the service: whether it is running, whether it is ready, and its metrics."""

from __future__ import annotations

import hmac
from typing import Annotated, Literal, NotRequired

from fastapi import APIRouter, Request, Response, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from api.http.answers import describe_answer, describe_answers
from api.http.described import Described
from api.http.problem_kinds import DENIED, UNAVAILABLE
from api.http.problems import make_problem
from api.service.metrics import Metrics
from api.service.readiness import Readiness
from ledger.errors import Denied
from projections.documents.shape import Document, give_example
from projections.redaction import to_text

router = APIRouter(tags=["service"], route_class=Described)
metrics_token = HTTPBearer(
    scheme_name="metrics", description="Needed only if the operator set LEDGER_METRICS_TOKEN.", auto_error=False
)
MetricsToken = Annotated[HTTPAuthorizationCredentials | None, Security(metrics_token)]
PLAIN = "text/plain"


@give_example(status="ok")
class Health(Document):
    status: Literal["ok"]


@give_example(status="ready")
class Ready(Document):
    """Readiness. `games_not_offered`: how many games have errors and can't be played; `GET /systems` lists the errors.

    `stopped_campaigns`: the number of campaigns whose views have stopped because the record is invalid.

    `standby_bytes_behind`: how far the standby is behind the database's log, if there is a standby that responds.
    """

    status: Literal["ready"]
    games_not_offered: NotRequired[int | None]
    stopped_campaigns: NotRequired[int | None]
    standby_bytes_behind: NotRequired[int | None]


@router.get(
    "/healthz",
    operation_id="check_health",
    response_model=Health,
    responses={200: describe_answer(Health, "The service is running.")},
)
async def check_health() -> Response:
    """Check that the service is running. Nothing else is checked."""
    return Response(to_text({"status": "ok"}), media_type="application/json")


@router.get(
    "/readyz",
    operation_id="check_readiness",
    response_model=Ready,
    responses=describe_answers((UNAVAILABLE,), {200: describe_answer(Ready, "The service is ready.")}),
)
async def check_readiness(request: Request) -> Response:
    """Check that the service is ready: the database responds and fits this version, and the views are updated.

    Campaigns with an invalid record are not available, but all others are. `stopped_campaigns` counts the unavailable
    ones.
    """
    readiness: Readiness = request.app.state.readiness
    failures = await readiness.find_failures()
    for error in failures.values():
        return make_problem(UNAVAILABLE, error.code, error.detail, context={"failed": sorted(failures)})
    return Response(to_text({"status": "ready", **readiness.figures}), media_type="application/json")


@router.get(
    "/metrics",
    operation_id="read_metrics",
    response_class=Response,
    responses=describe_answers(
        (DENIED,), {200: {"description": "The metrics.", "content": {PLAIN: {"schema": {"type": "string"}}}}}
    ),
)
def read_metrics(request: Request, token: MetricsToken) -> Response:
    """Return metrics of the service in the Prometheus text format. They contain no campaigns, seats or names."""
    valid_token: str | None = request.app.state.metrics_token
    if valid_token is not None and (
        token is None or not hmac.compare_digest(token.credentials.encode(), valid_token.encode())
    ):
        raise Denied("Send the metrics token: Authorization: Bearer <token>.")
    metrics: Metrics = request.app.state.metrics
    return Response(generate_latest(metrics.registry), headers={"Content-Type": CONTENT_TYPE_LATEST})
