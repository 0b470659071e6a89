"""Make a service without an operator's token refuse requests to other host names than its own machine's.

Otherwise a website could point its own name to 127.0.0.1 and start campaigns from a visitor's browser.
"""

from __future__ import annotations

import ipaddress

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from api.http.problem_kinds import NOT_YOURS
from api.http.problems import make_problem


def is_loopback(host: str) -> bool:
    """Return whether the name or address, without a port, can only mean this machine."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class OwnMachineOnly:
    """Middleware that answers 403 if the request names another host."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app: ASGIApp = self.app
        if scope["type"] == "http" and not is_loopback(_strip_port(Headers(scope=scope).get("host", "").lower())):
            app = make_problem(
                NOT_YOURS,
                "host-not-local",
                "This service runs without an operator token, so it can only be used from its own machine.",
            )
        await app(scope, receive, send)


def _strip_port(header: str) -> str:
    """Return for example `[::1]:8765` or `localhost:8765` without the port."""
    name, bracket, _ = header.removeprefix("[").partition("]")
    return name if bracket else header.partition(":")[0]
