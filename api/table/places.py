"""Addresses that can be sent to anybody at the table: whoever opens one is led to the same view of their own seat.

They hold no seat (`/table/{campaign}/rulings/52`), or somebody else's, as an address has that was copied. What is seen
there is the reader's own: an address says where to look, and nobody becomes somebody else by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from api.table.client import Client, Turned
from api.table.sessions import SEAT, Seated, held
from api.table.views import SHARED


@dataclass(frozen=True, slots=True)
class Way:
    """A seat that the browser sits at, and the view there."""

    name: str
    href: str


class Led(Exception):
    """Whoever asks sits elsewhere. `ways`: the same view of each seat of theirs, at least one."""

    def __init__(self, ways: list[Way]) -> None:
        super().__init__()
        self.ways = ways

    @property
    def only(self) -> Response | None:
        """On to it, where there is one alone."""
        return RedirectResponse(self.ways[0].href, 303) if len(self.ways) == 1 else None


def without_seat(path: str) -> str:
    """`/table/{campaign}/s2/rulings/52` is `rulings/52` of the campaign, whoever looks; as part of an address."""
    _, _, _, *within = path.split("/")
    return quote("/".join(within[1:] if within and SEAT.fullmatch(within[0]) else within).rstrip("/"), safe="/:@,")


def shared(request: Request, campaign: str) -> str | None:
    """The address of what is looked at, for anybody at the table; None for what nobody else would want to see."""
    within = without_seat(request.url.path)
    if request.method != "GET" or within.partition("/")[0] not in SHARED:
        return None
    return f"/table/{campaign}/{within}{_query(request)}"


def wanted(request: Request) -> str:
    """The address of a view at which somebody sits nowhere, so that they find it once they do; of all else nothing."""
    path = request.url.path
    return f"{path}{_query(request)}" if request.method == "GET" and path.startswith("/table/") else ""


def onwards(address: str, seated: Seated) -> str:
    """From sitting down to the view that was wanted, as one's own; to the first where none of this table was."""
    url = urlsplit(address)
    if url.netloc or url.scheme or not url.path.startswith(f"/table/{seated.campaign}/"):
        return f"{seated.path}/"
    return f"{seated.path}/{without_seat(url.path)}{f'?{url.query}' if url.query else ''}"


def _query(request: Request) -> str:
    return f"?{request.url.query}" if request.url.query else ""


async def lead(request: Request, campaign: str) -> None:
    """Led, where the browser sits at the table. Nobody is who is asked for a part of a page, or sends something."""
    parts = {"hx-request", "hx-request-type"} & set(request.headers)
    if request.method != "GET" or parts or "text/event-stream" in request.headers.get("accept", ""):
        return
    ways = []
    for session in held(request.app.state.ledger.keys, request.cookies, campaign):
        try:
            me = await Client(request, campaign, session.seat, session.token).whole("/me")
        except Turned as turned:
            if turned.status != 401:
                raise
            continue  # its token was replaced
        ways.append(Way(me["name"], f"{session.path}/{without_seat(request.url.path)}{_query(request)}"))
    if ways:
        raise Led(ways)
