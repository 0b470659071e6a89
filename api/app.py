"""The service: routes, errors and description put together over one ledger."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi_swagger import patch_fastapi

from api import campaigns, guide, history, problems, rulings
from api import systems as playing
from api.bodies import Bodies
from api.cards import Problem
from api.documents import Told, examples_of
from api.forms import LATER, REF, Words
from api.hosts import OwnMachineOnly
from ledger.application import Ledger
from ledger.rules import systems

VERSION = "1"
ABOUT = """Every roll, ruling and posting of a tabletop campaign, kept as immutable events.

A token belongs to one seat of one campaign. Every POST can be repeated under its `Idempotency-Key`: the same answer.
Problems are RFC 9457 documents; a refusal by the rules names the rule."""


def create_app(ledger: Ledger, *, operator_token: str | None) -> FastAPI:
    """The application. No operator's token: anybody may open campaigns, which is for loopback only."""
    app = FastAPI(
        title="Campaign Ledger",
        version=VERSION,
        description=ABOUT,
        redirect_slashes=False,
        docs_url=None,
        redoc_url=None,
        swagger_ui_oauth2_redirect_url=None,
    )
    app.state.ledger = ledger
    app.state.operator_token = operator_token
    app.state.systems = {}
    for part in (playing, guide, campaigns, rulings, history):
        app.include_router(part.router)
    problems.handle(app)
    app.add_middleware(Bodies)
    if operator_token is None:
        app.add_middleware(OwnMachineOnly)
    patch_fastapi(app)  # the page at /docs, with everything it needs; / leads there
    _describe(app)
    return app


def _refer(node: Any) -> None:
    """Put the references that were left for later."""
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        if isinstance(inner, dict) and LATER in inner:
            component = inner[LATER]
            inner.clear()
            inner["$ref"] = REF.format(model=component)
        _refer(inner)


def _describe(app: FastAPI) -> None:
    """Let the description name every input of every system, and the shape of problems."""
    told: dict[str, Any] = {}
    words = Words()

    def openapi() -> dict[str, Any]:
        if not told:
            told.update(get_openapi(title=app.title, version=app.version, description=ABOUT, routes=app.routes))
            schemas = told.setdefault("components", {}).setdefault("schemas", {})
            for name in ("HTTPValidationError", "ValidationError"):
                schemas.pop(name, None)
            schemas |= words.schemas
            for name, examples in examples_of(Told):
                if name in schemas:
                    schemas[name]["examples"] = examples
            problem = Problem.model_json_schema(ref_template=REF)
            schemas |= problem.pop("$defs")
            schemas["Problem"] = problem
            _refer(told)
            if systems_here := sorted(systems()):
                schemas["OpenCampaign"]["properties"]["system"]["enum"] = systems_here
                schemas["OpenCampaign"]["examples"][0]["system"] = systems_here[0]
        return told

    app.openapi = openapi  # type: ignore[method-assign]
