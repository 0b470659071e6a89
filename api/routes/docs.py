"""The API's description for people: a page without scripts, and Swagger UI to try requests.

The page opens at once. Swagger UI takes seconds for a description of this size.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI
from fastapi.responses import RedirectResponse
from fastapi_swagger import patch_fastapi
from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from api.http.kept import Kept
from api.routes.guide import markdown
from ledger.rules import systems
from ledger.rules.kernel.domains import MOST_WHOLE

DESCRIPTION, READING, TRYING = "/openapi.json", "/docs/api", "/docs/api/try"
EARLIER = "/docs/try"  # its earlier address
#: Settings of Swagger UI: it lists operations without details, and shows schemas only on request.
SETTINGS = {
    "docExpansion": "none",
    "defaultModelsExpandDepth": -1,
    "defaultModelExpandDepth": 0,
    "syntaxHighlight": False,
    "tryItOutEnabled": True,
    "persistAuthorization": True,
    "filter": True,
    "displayRequestDuration": True,
}
pages = Environment(loader=PackageLoader("api", "routes"), autoescape=True, trim_blocks=True)
pages.globals["whole"] = (-MOST_WHOLE, MOST_WHOLE)  # limits that every number has, so they are not shown
pages.filters["json"] = lambda value: json.dumps(value, ensure_ascii=False, indent=1)
pages.filters["prose"] = lambda text: Markup(markdown.render(text))
pages.filters["line"] = lambda text: Markup(markdown.renderInline(text))


def add_api_docs(app: FastAPI, make_description: Callable[[], dict[str, Any]]) -> None:
    """Add the description at /openapi.json, and the pages about it."""
    description = Kept(
        lambda: json.dumps(make_description(), ensure_ascii=False, separators=(",", ":")).encode(), "application/json"
    )
    page = Kept(lambda: _render_page(make_description()).encode(), "text/html")
    app.state.kept = (description, page)
    app.openapi_url = DESCRIPTION
    app.add_api_route(DESCRIPTION, description.answer, include_in_schema=False)
    app.add_api_route(READING, page.answer, include_in_schema=False)
    app.add_api_route(EARLIER, lambda: RedirectResponse(TRYING, 308), include_in_schema=False)
    patch_fastapi(app, TRYING, redirect_from_root_to_docs=False, swagger_ui_parameters=SETTINGS)


def render_api_docs(app: FastAPI) -> None:
    """Render the pages in advance, so that nobody has to wait for them."""
    for document in app.state.kept:
        document.prepare()


def _render_page(document: dict[str, Any]) -> str:
    operations_by_tag: dict[str, list[tuple[str, str, Any]]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            operations_by_tag.setdefault(operation["tags"][0], []).append((method.upper(), path, operation))
    fields = {"info": document["info"], "openapi": document["openapi"], "schemas": document["components"]["schemas"]}
    links = {"description": DESCRIPTION, "trying": TRYING, "systems": sorted(systems())}
    return pages.get_template("docs.html.jinja").render(tags=operations_by_tag, **fields, **links)
