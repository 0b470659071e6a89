"""Security headers, which keep browsers from sniffing, framing, storing or leaking answers."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
#: For the page at /docs/api/try: allow our own scripts, one inline script, and requests to this service.
DOCS = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
#: For pages about games and the API: allow only inline styles.
PAGES = f"{NOTHING}; style-src 'unsafe-inline'"
#: For a page to print: allow only its style sheet.
PRINTED = f"{NOTHING}; style-src 'self'"
#: For a game's rulebook: allow our own style sheet and pictures, and a search form.
BOOK = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
#: For the page at the table: allow our own scripts, styles and requests, and nothing inline.
TABLE = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
#: For the documentation: allow our own files, and its inline scripts by their hashes.
DOCUMENTATION = (
    "default-src 'none'; script-src 'self' {scripts}; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
TABLES = ("/table/", "/join", "/start", "/design")
LASTING = ("/docs", "/openapi.json", "/swagger/", "/systems", "/static/")
ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Headers:
    """Middleware that adds the headers. `hsts`: for how many seconds browsers must insist on TLS, or 0 to send no such
    header. The header is sent only over TLS.
    """

    def __init__(self, app: ASGIApp, hsts: int = 0) -> None:
        self.app = app
        self.hsts = hsts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._add_headers(MutableHeaders(scope=message), scope, message["status"])
            await send(message)

        await self.app(scope, receive, send_with_headers)

    def _add_headers(self, headers: MutableHeaders, scope: Scope, status: int) -> None:
        path: str = scope["path"]
        headers.update(ALWAYS)
        is_page = headers.get("content-type", "").startswith("text/html")
        if status == 304:  # a browser would apply its policy to the page that it already has
            del headers["Content-Security-Policy"]
        elif not is_page:
            headers["Content-Security-Policy"] = NOTHING
        else:
            headers.setdefault("Content-Security-Policy", _choose_policy(path))
        if is_page and _is_at_the_table(path):
            headers["Referrer-Policy"] = (
                "same-origin"  # without a referrer policy, a browser sends the origin `null` with forms
            )
        if not path.startswith(LASTING):
            headers.setdefault("Cache-Control", "no-store")
        if self.hsts and scope["scheme"] == "https":
            headers["Strict-Transport-Security"] = f"max-age={self.hsts}"


def _is_at_the_table(path: str) -> bool:
    return path == "/" or path.startswith(TABLES)


def _choose_policy(path: str) -> str:
    """Return the content security policy of a page."""
    if _is_at_the_table(path):
        return TABLE
    if path.endswith("/dossier"):
        return PRINTED
    if path.startswith("/systems/"):
        return BOOK
    return DOCS if path == "/docs/api/try" else PAGES
