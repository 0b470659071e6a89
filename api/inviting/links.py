"""Links that open a seat, and their QR codes.

The secret stands behind the `#`: browsers never send that part, so no log, proxy or referrer has it.
"""

from __future__ import annotations

import io
import re

import segno
from fastapi import Request

HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[\w.-]+)(:[0-9]{1,5})?", re.ASCII)


def find_address(request: Request) -> str:
    """Return the address under which the caller reaches the service: LEDGER_PUBLIC_URL, else scheme and host of the
    request.

    The scheme comes from a trusted proxy (FORWARDED_ALLOW_IPS); the host is what the browser names. A caller who lies
    about either only gets the lie in their own answer.
    """
    public_url: str | None = request.app.state.public_url
    if public_url is not None:
        return public_url
    host = request.headers.get("host", "")
    return f"{request.url.scheme}://{host}" if HOST.fullmatch(host) else ""


def make_link(address: str, secret: str) -> str:
    return f"{address}/join#{secret}"


def draw_qr_svg(text: str) -> str:
    """Return a QR code for a page: black on white, even on a dark page. The page decides its size."""
    return segno.make(text, micro=False).svg_inline(omitsize=True, light="white")


def draw_qr_text(text: str) -> str:
    """Return a QR code for a terminal: light on dark as in most terminals, two rows in a line."""
    output = io.StringIO()
    segno.make(text, micro=False).terminal(out=output, compact=True)
    return output.getvalue()
