"""Links of invites, and their QR codes.

The secret is after the `#`. Browsers never send that part, so it is in no log, proxy or referrer.
"""

from __future__ import annotations

import io
import re

import segno
from fastapi import Request

HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[\w.-]+)(:[0-9]{1,5})?", re.ASCII)


def find_address(request: Request) -> str:
    """Return the address at which the caller reaches the service: LEDGER_PUBLIC_URL, else the scheme and host of the
    request.

    The scheme comes from a trusted proxy (FORWARDED_ALLOW_IPS); the host comes from the browser. A caller who forges
    either only gets a wrong link in their own answer.
    """
    public_url: str | None = request.app.state.public_url
    if public_url is not None:
        return public_url
    host = request.headers.get("host", "")
    return f"{request.url.scheme}://{host}" if HOST.fullmatch(host) else ""


def make_link(address: str, secret: str) -> str:
    return f"{address}/join#{secret}"


def draw_qr_svg(text: str) -> str:
    """Return a QR code as SVG: black on white, even on a dark page. The page sets its size."""
    return segno.make(text, micro=False).svg_inline(omitsize=True, light="white")


def draw_qr_text(text: str) -> str:
    """Return a QR code as text: light on dark as in most terminals, with two rows in each line."""
    output = io.StringIO()
    segno.make(text, micro=False).terminal(out=output, compact=True)
    return output.getvalue()
