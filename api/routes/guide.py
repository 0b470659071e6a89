"""The page about a system, for people: HTML in a browser, Markdown for who asks for it."""

from __future__ import annotations

import re

from fastapi import APIRouter, Request, Response
from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup
from mdit_py_plugins.anchors import anchors_plugin

from api.http.answers import ANYWHERE, answers_of
from api.http.forms import schemas_of
from api.http.queries import Asked
from api.routes.systems import system_named
from api.run.examples import shown
from projections.documents.guide import guide

router = APIRouter(route_class=Asked)


def slug(heading: str) -> str:
    """Where a heading is found in the page: `#open-scene`, `#ledger.dice`, `#what-you-can-declare`."""
    return re.sub(r"[^\w.-]+", "-", heading.lower()).strip("-")


pages = Environment(loader=PackageLoader("api", "routes"), autoescape=True, undefined=StrictUndefined)
#: Of no HTML but its own: a tag in the text is text.
markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
markdown.use(anchors_plugin, max_level=3, slug_func=slug)


@router.get(
    "/systems/{system}/guide",
    operation_id="read_guide",
    tags=["systems"],
    response_class=Response,
    responses=answers_of(
        ANYWHERE,
        {200: {"description": "The page.", "content": {kind: {"schema": {"type": "string"}} for kind in
                                                       ("text/html", "text/markdown")}}},
    ),
)  # fmt: skip
def read_guide(system: str, request: Request) -> Response:
    """What you can declare in the system, who may, and what it records. `Accept: text/markdown` for the plain text."""
    ruleset = system_named(system)
    text = guide(ruleset, schemas_of(system), shown(system))
    if "text/markdown" in request.headers.get("accept", ""):
        return Response(text, media_type="text/markdown")
    page = pages.get_template("guide.html.jinja").render(title=ruleset.title, body=Markup(markdown.render(text)))
    return Response(page, media_type="text/html")
