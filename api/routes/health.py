"""Whether the service is well: alive, ready, and its figures."""

from __future__ import annotations

import hmac
from typing import Annotated, Literal, NotRequired

from fastapi import APIRouter, Request, Response, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from api.http.answers import answering, answers_of
from api.http.described import Described
from api.http.problem_kinds import DENIED, UNAVAILABLE
from api.http.problems import problem
from api.service.metrics import Metrics
from api.service.readiness import Readiness
from ledger.errors import Denied
from projections.documents.shape import Document, like
from projections.redaction import text

router = APIRouter(tags=["service"], route_class=Described)
metrics_token = HTTPBearer(
    scheme_name="metrics", description="Only where the service was given LEDGER_METRICS_TOKEN.", auto_error=False
)
MetricsToken = Annotated[HTTPAuthorizationCredentials | None, Security(metrics_token)]
PLAIN = "text/plain"


@like(status="ok")
class Health(Document):
    status: Literal["ok"]


@like(status="ready")
class Ready(Document):
    """`games_not_offered`: how many games are here and at fault, if any: `GET /systems` says what is wrong with them.

    `stopped_campaigns`: of how many the views go no further, since their record is not as it must be; if of any.

    `standby_bytes_behind`: of the database's log, what the standby has not yet; if there is one, and it answers.
    """

    status: Literal["ready"]
    games_not_offered: NotRequired[int | None]
    stopped_campaigns: NotRequired[int | None]
    standby_bytes_behind: NotRequired[int | None]


@router.get(
    "/healthz",
    operation_id="check_health",
    response_model=Health,
    responses={200: answering(Health, "It runs.")},
)
async def check_health() -> Response:
    """Whether the service runs. Nothing else is looked at."""
    return Response(text({"status": "ok"}), media_type="application/json")


@router.get(
    "/readyz",
    operation_id="check_readiness",
    response_model=Ready,
    responses=answers_of((UNAVAILABLE,), {200: answering(Ready, "It can serve.")}),
)
async def check_readiness(request: Request) -> Response:
    """Whether it can serve: the database answers soon and is as this version needs it, and the views are kept.

    A campaign whose record is not as it must be is not served, and keeps nobody else from anything: it is counted.
    """
    readiness: Readiness = request.app.state.readiness
    failures = await readiness.failures()
    for error in failures.values():
        return problem(UNAVAILABLE, error.code, error.detail, context={"failed": sorted(failures)})
    return Response(text({"status": "ready", **readiness.figures}), media_type="application/json")


@router.get(
    "/metrics",
    operation_id="read_metrics",
    response_class=Response,
    responses=answers_of(
        (DENIED,), {200: {"description": "The figures.", "content": {PLAIN: {"schema": {"type": "string"}}}}}
    ),
)
def read_metrics(request: Request, token: MetricsToken) -> Response:
    """Figures about the service, in Prometheus' text format. They name no campaign, no seat, and nobody."""
    wanted: str | None = request.app.state.metrics_token
    if wanted is not None and (token is None or not hmac.compare_digest(token.credentials.encode(), wanted.encode())):
        raise Denied("The figures need the metrics token: Authorization: Bearer <token>.")
    metrics: Metrics = request.app.state.metrics
    return Response(generate_latest(metrics.registry), headers={"Content-Type": CONTENT_TYPE_LATEST})
