"""The documentation at /docs/: the files that `scripts/docs` builds. An installed package does not contain them.

The pages may run only script files of the build, and inline scripts with a hash that the build lists.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse
from markdown_it import MarkdownIt
from starlette.staticfiles import StaticFiles

from api.http.problem_kinds import KINDS, NOT_FOUND
from api.http.problem_pages import HELP, write_page
from api.http.problems import make_problem
from api.middleware.security_headers import DOCUMENTATION
from api.service.options import BUILT_DOCS
from api.table.files import LONG

PLACE = "/docs/"
#: Files whose names change with their contents, so a browser can keep them.
DIGESTED = re.compile(r"assets/.*\.[0-9a-f]{8}\.min\.\w+")
#: The page shown if the documentation is not built.
PAGE = """<!doctype html>
<html lang="en"><title>{title}</title>
{body}
<p>Without the documentation you can read <a href="/docs/api">the description of the API</a>, the rulebook of each
game (on the <a href="/">start page</a>), what each error means (follow its <code>type</code>), and
<code>campaign-ledger --help</code>.</p>
</html>
"""
NOT_BUILT = """<h1>The documentation is not built yet</h1>
<p><code>scripts/up</code> builds it after its first start: try again in a few minutes. To build it now, run
<code>scripts/docs</code> in the checkout. If the documentation is built in another folder, set
<code>LEDGER_DOCS</code> to that folder.</p>"""
NOT_INSTALLED = """<h1>The documentation is not installed</h1>
<p>It is in the folder <code>docs</code> of the source, and not in the package that is installed here. To serve it,
run <code>scripts/docs</code> in a checkout of the source. Then set <code>LEDGER_DOCS</code> to the folder
<code>.site</code> in that checkout.</p>"""
#: Whether the service runs from a checkout. Only a checkout can build the documentation.
IN_CHECKOUT = (BUILT_DOCS.parent / "mkdocs.yml").is_file()
_markdown = MarkdownIt("commonmark", {"html": False})


def answer_without_documentation(path: str, *, is_in_checkout: bool) -> Response:
    """Return the answer if no documentation is built: the text about a problem, or how to get the documentation."""
    page_path = Path(path)
    if page_path.parent == Path("problems") and page_path.name in HELP:
        kind = next(kind for kind in KINDS if kind.name == page_path.name)
        # links to other pages of the documentation are removed, because those pages do not exist
        text = re.sub(r"\[([^]]+)\]\(\.\./[^)]*\)", r"\1", write_page(kind))
        return HTMLResponse(PAGE.format(title=kind.title, body=_markdown.render(text)))
    if is_in_checkout:
        return HTMLResponse(PAGE.format(title="Documentation", body=NOT_BUILT), 503, {"Retry-After": "60"})
    return HTMLResponse(PAGE.format(title="Documentation", body=NOT_INSTALLED), 404)


def add_documentation(app: FastAPI, folder: Path) -> None:
    """Serve the folder's files, even if they are built later. Redirect each type of problem to its page."""
    files = StaticFiles(directory=folder, html=True, check_dir=False)

    async def read_page(path: str, request: Request) -> Response:
        script_hashes = await run_in_threadpool(_read_script_hashes, folder)
        if script_hashes is None:
            return answer_without_documentation(path, is_in_checkout=IN_CHECKOUT)
        answer = await files.get_response(os.path.normpath(path), request.scope)
        answer.headers["Content-Security-Policy"] = DOCUMENTATION.format(scripts=script_hashes)
        answer.headers["Cache-Control"] = LONG if DIGESTED.fullmatch(path) else "no-cache"
        return answer

    def redirect_to_start() -> Response:
        return RedirectResponse(PLACE, 308)

    def explain_problem(name: str) -> Response:
        if name not in {kind.name for kind in KINDS}:
            return make_problem(NOT_FOUND, NOT_FOUND.name, "This type of problem is unknown.")
        return RedirectResponse(f"{PLACE}problems/{name}/", 307)

    app.add_api_route("/problems/{name}", explain_problem, include_in_schema=False)
    app.add_api_route("/docs", redirect_to_start, include_in_schema=False)
    app.add_api_route("/docs/{path:path}", read_page, include_in_schema=False)


def _read_script_hashes(folder: Path) -> str | None:
    """Return the hashes of the scripts in the documentation's pages, or None if it is not built."""
    try:
        return " ".join(json.loads((folder / "scripts.json").read_bytes()))
    except FileNotFoundError:
        return None
