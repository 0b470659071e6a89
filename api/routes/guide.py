"""A game's rulebook: HTML in a browser, Markdown on request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Query, Request, Response
from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup
from mdit_py_plugins.anchors import anchors_plugin

from api.http.answers import ANYWHERE, describe_answers
from api.http.examples import list_examples_by_kind
from api.http.forms import list_schemas
from api.http.queries import Asked
from api.routes.systems import find_system
from api.table import files
from ledger.rules import systems as installed
from projections.documents.guide import write_guide

router = APIRouter(route_class=Asked)


def make_slug(heading: str) -> str:
    """Return the anchor of a heading: `#open-scene`, `#ledger.dice`, `#what-you-can-declare`."""
    return re.sub(r"[^\w.-]+", "-", heading.lower()).strip("-")


pages = Environment(loader=PackageLoader("api", "routes"), autoescape=True, undefined=StrictUndefined)
pages.globals.update(file=files.find_file_address)
#: The pages of the table that the rulebook can link back to.
TABLE = re.compile(r"/table/[a-z2-7]{13}([a-z2-7]{2})?/s[0-9]{1,9}(/[\w./:%~-]*)?(\?[\w.=&%+-]*)?", re.ASCII)
MOST_FOUND = 40  # places
EXAMPLE = re.compile(r'<pre><code class="language-json">.*?</code></pre>', re.DOTALL)
#: Raw HTML is off: a tag in the Markdown is shown as text.
markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
markdown.use(anchors_plugin, max_level=3, slug_func=make_slug)


@router.get(
    "/systems/{system}/guide",
    operation_id="read_guide",
    tags=["systems"],
    response_class=Response,
    responses=describe_answers(
        ANYWHERE,
        {
            200: {
                "description": "The rulebook.",
                "content": {
                    media_type: {"schema": {"type": "string"}} for media_type in ("text/html", "text/markdown")
                },
            }
        },
    ),
)
def read_guide(
    system: str,
    request: Request,
    q: Annotated[str, Query(max_length=200, description="Only sections that contain all of these words.")] = "",
    back: Annotated[
        str, Query(max_length=500, description="The address that the page links back to. Programs don't need it.")
    ] = "",
) -> Response:
    """Return the game's rulebook: what you can declare, who may, and what it records. `Accept: text/markdown` returns
    plain text.
    """
    if system not in installed() and "text/html" in request.headers.get("accept", ""):
        missing_page = pages.get_template("no_guide.html.jinja").render(system=system, systems=installed().values())
        return Response(missing_page, 404, media_type="text/html", headers={"Vary": "Accept"})
    ruleset = find_system(system)
    sections = list(_find_sections(_make_guide_text(system), q)) if q.strip() else []
    if "text/markdown" in request.headers.get("accept", ""):
        text = "\n\n".join(section for _, section in sections) if q.strip() else _make_guide_text(system)
        return Response(text, media_type="text/markdown")
    page = pages.get_template("guide.html.jinja").render(
        title=ruleset.title,
        body=_make_guide_body(system),
        q=q.strip(),
        back=_find_way_back(request, back),
        found=[(anchor, _render(section)) for anchor, section in sections[:MOST_FOUND]],
        more=max(0, len(sections) - MOST_FOUND),
    )
    return Response(page, media_type="text/html", headers={"Vary": "Accept, Referer"})


@cache
def _make_guide_text(system: str) -> str:
    return write_guide(find_system(system), list_schemas(system), list_examples_by_kind(system))


@cache
def _make_guide_body(system: str) -> Markup:
    return _render(_make_guide_text(system))


def _render(text: str) -> Markup:
    """Return the HTML, with the parts for programs folded away."""
    return Markup(EXAMPLE.sub(r"<details><summary>In JSON</summary>\g<0></details>", markdown.render(text)))


def _find_sections(text: str, words: str) -> Iterator[tuple[str, str]]:
    """Yield the sections that contain every word, each with its anchor."""
    wanted_words = words.lower().split()
    for section in re.split(r"\n(?=##+ )", text)[1:]:
        heading = section.partition("\n")[0].lstrip("#").strip()
        if heading != "Contents" and all(word in section.lower() for word in wanted_words):
            yield make_slug(heading), section


def _find_way_back(request: Request, address: str) -> str:
    """Return the address of the table's page to go back to, or "" if there is none."""
    referrer = urlsplit(request.headers.get("referer", ""))
    if referrer.netloc == request.headers.get("host", ""):
        address = address or f"{referrer.path}?{referrer.query}".rstrip("?")
    return address if TABLE.fullmatch(address) else ""
