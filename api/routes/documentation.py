"""The documentation at /docs/: the files that `scripts/docs` builds. Problems lead into it.

Its pages run their own scripts only: those in files, and those written into them, which the build lists by hash.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.staticfiles import StaticFiles

from api.http.problem_kinds import KINDS, NOT_FOUND
from api.http.problems import problem
from api.middleware.security_headers import DOCUMENTATION
from api.table.files import LONG

PLACE = "/docs/"
#: Named after their content: a browser can keep them.
DIGESTED = re.compile(r"assets/.*\.[0-9a-f]{8}\.min\.\w+")
MISSING = """<!doctype html>
<html lang="en"><title>No documentation yet</title>
<h1>There is no documentation here yet</h1>
<p>Perhaps it is being built: try again in a minute. To build it, run <code>scripts/docs</code> in the checkout.
If it is somewhere else, set <code>LEDGER_DOCS</code> to its folder.</p>
<p>The description of <a href="/docs/api">the API</a> is there without it.</p>
</html>
"""


def add_documentation(app: FastAPI, folder: Path) -> None:
    """Serve what is in the folder, now or later, and lead each type of problem to its page."""
    files = StaticFiles(directory=folder, html=True, check_dir=False)

    async def read_page(path: str, request: Request) -> Response:
        scripts = await run_in_threadpool(_scripts, folder)
        if scripts is None:
            return HTMLResponse(MISSING, 503, {"Retry-After": "60"})
        answer = await files.get_response(os.path.normpath(path), request.scope)
        answer.headers["Content-Security-Policy"] = DOCUMENTATION.format(scripts=scripts)
        answer.headers["Cache-Control"] = LONG if DIGESTED.fullmatch(path) else "no-cache"
        return answer

    def read_start() -> Response:
        return RedirectResponse(PLACE, 308)

    def explain_problem(name: str) -> Response:
        if name not in {kind.name for kind in KINDS}:
            return problem(NOT_FOUND, NOT_FOUND.name, "There is no such type of problem.")
        return RedirectResponse(f"{PLACE}problems/{name}/", 307)

    app.add_api_route("/problems/{name}", explain_problem, include_in_schema=False)
    app.add_api_route("/docs", read_start, include_in_schema=False)
    app.add_api_route("/docs/{path:path}", read_page, include_in_schema=False)


def _scripts(folder: Path) -> str | None:
    """Return the hashes of the scripts in its pages, or None if it is not built."""
    try:
        return " ".join(json.loads((folder / "scripts.json").read_bytes()))
    except FileNotFoundError:
        return None
