"""Links of invites, and their QR codes.

The secret is after the `#`. Browsers never send that part, so no log, proxy or referrer contains it.
"""

from __future__ import annotations

import io
import re

import segno
from fastapi import Request

HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[\w.-]+)(:[0-9]{1,5})?", re.ASCII)


def find_address(request: Request) -> str:
    """Return LEDGER_PUBLIC_URL, or the scheme and host of the request.

    The scheme comes from a trusted proxy (FORWARDED_ALLOW_IPS), the host from the browser. A forged value only changes
    the link in the forger's own answer.
    """
    public_url: str | None = request.app.state.public_url
    if public_url is not None:
        return public_url
    host = request.headers.get("host", "")
    return f"{request.url.scheme}://{host}" if HOST.fullmatch(host) else ""


def make_link(address: str, secret: str) -> str:
    return f"{address}/join#{secret}"


def draw_qr_svg(text: str) -> str:
    """Return a QR code as SVG: black on white, even on a dark page."""
    return segno.make(text, micro=False).svg_inline(omitsize=True, light="white")


def draw_qr_text(text: str) -> str:
    """Return a QR code as text, for a dark terminal."""
    output = io.StringIO()
    segno.make(text, micro=False).terminal(out=output, compact=True)
    return output.getvalue()
