"""The page about a system, for people: HTML in a browser, Markdown for who asks for it."""

from __future__ import annotations

from html import escape

from fastapi import APIRouter, Request, Response
from markdown_it import MarkdownIt

from api.http.answers import ANYWHERE, answers_of
from api.routes.systems import system_named
from projections.documents.guide import guide

router = APIRouter()
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; color: #222; }}
table {{ border-collapse: collapse; width: 100%; margin: 1rem 0; }} h1, h2 {{ line-height: 1.2; }}
th, td {{ border-top: 1px solid #ccc; padding: .4rem .6rem; text-align: left; vertical-align: top; }}
code {{ font-size: .9em; overflow-wrap: anywhere; }}
</style><body>{body}</body></html>"""


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
    text = guide(ruleset)
    if "text/markdown" in request.headers.get("accept", ""):
        return Response(text, media_type="text/markdown")
    body = MarkdownIt("commonmark").enable("table").render(text)
    return Response(PAGE.format(title=escape(ruleset.title), body=body), media_type="text/html")
