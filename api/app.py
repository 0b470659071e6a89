"""The service: the application with its routes, error handlers and OpenAPI document for one ledger."""

from __future__ import annotations

from functools import cache, partial
from threading import Event
from uuid import uuid4

from asgi_correlation_id import CorrelationIdMiddleware
from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

from api.hooks.sending import Sender
from api.http import problems
from api.http.admission import is_token_valid
from api.http.bodies import Bodies
from api.http.description import describe_api
from api.inviting.letting_in import Guesses
from api.middleware.access_log import HEADER, SANE, Observing
from api.middleware.closing import Closing
from api.middleware.compression import Compressed
from api.middleware.hosts import OwnMachineOnly
from api.middleware.rate_limit import Rates
from api.middleware.security_headers import Headers
from api.routes import (
    accounts,
    audits,
    bookmarks,
    campaigns,
    derivations,
    dice,
    differences,
    dossiers,
    export,
    feed,
    forks,
    guide,
    health,
    histories,
    hooks,
    invites,
    me,
    moves,
    replays,
    rulings,
    seals,
    subjects,
    timeline,
)
from api.routes import systems as playing
from api.routes.docs import add_api_docs
from api.routes.documentation import add_documentation
from api.service.feed_hub import FeedHub
from api.service.metrics import Metrics
from api.service.options import Options
from api.service.readiness import Check, Readiness
from api.service.standby import Standby
from api.table.parts import add_table_routes
from ledger.application import Ledger
from ledger.events.rate_limit import Permits
from ledger.rules import list_unfit_systems

VERSION = "1"
ABOUT = """Every roll, every ruling and every change of a balance in a tabletop campaign, kept as immutable events.

A token belongs to one seat of one campaign. You can repeat any POST with the same `Idempotency-Key` and get the same
answer. Errors are problem documents (RFC 9457). If the rules of a game refuse a request, the problem names the rule.
Every answer has an `X-Request-ID`: the one you
sent, or a new one. The service's log uses it too."""

#: The headers that a page of an allowed origin may send, then those that it may read.
SENT = ("Authorization", "Content-Type", "Idempotency-Key", "If-Match", "Last-Event-ID", HEADER)
TOLD = (
    "ETag",
    "Idempotency-Key",
    "Idempotency-Replayed",
    "Ledger-Position",
    "Link",
    "Location",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    HEADER,
)
DEFAULT = Options()
ROUTE_MODULES = (
    health,
    playing,
    guide,
    me,
    campaigns,
    rulings,
    moves,
    subjects,
    timeline,
    histories,
    accounts,
    bookmarks,
    feed,
    hooks,
    invites,
    forks,
    audits,
    derivations,
    differences,
    dossiers,
    replays,
    dice,
    seals,
    export,
)


def create_app(ledger: Ledger, *, operator_token: str | None, options: Options = DEFAULT) -> FastAPI:
    """Return the application. Without an operator's token, anybody may start campaigns, so such a service must listen
    only on loopback.

    `state.stopping` is set when the service is about to stop. Callers may add checks to `state.readiness.checks`, and
    may set `state.metrics.view_lag`.
    """
    app = FastAPI(
        title="Campaign Ledger",
        version=VERSION,
        description=ABOUT,
        redirect_slashes=False,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        swagger_ui_oauth2_redirect_url=None,
    )
    app.state.ledger = ledger
    app.state.operator_token = operator_token
    app.state.systems = {}
    app.state.metrics = Metrics(ledger)
    app.state.metrics_token = options.metrics_token
    app.state.readiness = Readiness([Check("database", ledger.check_ready), Check("games", _report_unfit_games)])
    app.state.feed_hub = FeedHub(ledger, app.state.metrics.open_feeds.set, options.direct_url)
    app.state.standby = None
    app.state.hook_sender = Sender(options.hook_allow) if options.may_send_hooks else None
    app.state.guesses = Guesses(Permits(ledger.store.datastore))
    app.state.public_url = options.public_url
    app.state.stopping = Event()
    # The routes already have their full paths. `include_router` would build each route again at its first request.
    for route_module in ROUTE_MODULES:
        app.router.routes.extend(route_module.router.routes)
    add_table_routes(app)
    app.router.routes.extend((*forks.claims.routes, *invites.joining.routes))
    problems.add_error_handlers(app)
    _add_middleware(app, options)
    make_description = cache(partial(describe_api, app, ABOUT))
    app.openapi = make_description  # type: ignore[method-assign]
    add_api_docs(app, make_description)
    add_documentation(app, options.docs)
    return app


def _report_unfit_games() -> dict[str, int]:
    """Return how many installed games have errors and can't be played. Return an empty dict if there are none."""
    unfit_games = list_unfit_systems()
    return {"games_not_offered": len(unfit_games)} if unfit_games else {}


def use_standby(app: FastAPI, standby: Standby) -> None:
    """Read views from the standby when it is recent enough, and report its lag at /readyz."""
    app.state.standby = app.state.feed_hub.standby = standby
    app.state.readiness.checks.append(Check("standby", standby.measure_lag))


def _add_middleware(app: FastAPI, options: Options) -> None:
    """Add the middleware, from the innermost to the outermost."""
    app.add_middleware(Bodies)
    if options.seat_rate is not None or options.address_rate is not None:
        permits = Permits(app.state.ledger.store.datastore)
        is_valid = partial(is_token_valid, app.state.ledger, app.state.operator_token)
        app.add_middleware(
            Rates, permits=permits, is_valid=is_valid, seat_rate=options.seat_rate, address_rate=options.address_rate
        )
    if app.state.operator_token is None:
        app.add_middleware(OwnMachineOnly)
    if options.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=options.cors_origins,
            allow_methods=("GET", "POST", "PATCH", "DELETE"),
            allow_headers=SENT,
            expose_headers=TOLD,
        )
    app.add_middleware(Compressed)
    app.add_middleware(Headers, hsts=options.hsts)
    app.add_middleware(Observing, metrics=app.state.metrics)
    app.add_middleware(
        CorrelationIdMiddleware,
        header_name=HEADER,
        update_request_header=False,
        generator=lambda: str(uuid4()),
        validator=lambda value: SANE.fullmatch(value) is not None,
    )
    app.add_middleware(Closing, stopping=app.state.stopping)
