"""Addresses for everybody at the table: each reader is redirected to the same view of their own seat.

They contain no seat (`/table/{campaign}/rulings/52`), or somebody else's, if the address was copied. An address only
says where to look; nobody gets another seat by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from api.table.client import Client, Turned
from api.table.sessions import SEAT, Seated, list_sessions
from api.table.views import SHARED


@dataclass(frozen=True, slots=True)
class SeatLink:
    """A seat of the browser, and the address of the view there."""

    name: str
    href: str


class SeatsFound(Exception):
    """The browser has other seats of the campaign. `ways`: the same view of each of them, at least one."""

    def __init__(self, ways: list[SeatLink]) -> None:
        super().__init__()
        self.ways = ways

    @property
    def only(self) -> Response | None:
        """Return a redirect if there is only one seat, else None."""
        return RedirectResponse(self.ways[0].href, 303) if len(self.ways) == 1 else None


def strip_seat(path: str) -> str:
    """Return the address below the campaign: `rulings/52` for `/table/{campaign}/s2/rulings/52`."""
    _, _, _, *within = path.split("/")
    return quote("/".join(within[1:] if within and SEAT.fullmatch(within[0]) else within).rstrip("/"), safe="/:@,")


def find_shared_address(request: Request, campaign: str) -> str | None:
    """Return the address of this view for everybody at the table; None for views that only concern the reader."""
    within = strip_seat(request.url.path)
    if request.method != "GET" or within.partition("/")[0] not in SHARED:
        return None
    return f"/table/{campaign}/{within}{_read_query(request)}"


def find_wanted_address(request: Request) -> str:
    """Return the address of a view that needs a seat, to return to after joining; else ""."""
    path = request.url.path
    return f"{path}{_read_query(request)}" if request.method == "GET" and path.startswith("/table/") else ""


def find_onward_address(address: str, seated: Seated) -> str:
    """Return the address of the wanted view for this seat, or of the first view if it is of another table."""
    url = urlsplit(address)
    if url.netloc or url.scheme or not url.path.startswith(f"/table/{seated.campaign}/"):
        return f"{seated.path}/"
    return f"{seated.path}/{strip_seat(url.path)}{f'?{url.query}' if url.query else ''}"


def _read_query(request: Request) -> str:
    return f"?{request.url.query}" if request.url.query else ""


async def redirect_to_own_seat(request: Request, campaign: str) -> None:
    """Raise Led if the browser has a seat of the campaign. Only whole pages are redirected."""
    parts = {"hx-request", "hx-request-type"} & set(request.headers)
    if request.method != "GET" or parts or "text/event-stream" in request.headers.get("accept", ""):
        return
    ways = []
    for session in list_sessions(request.app.state.ledger.keys, request.cookies, campaign):
        try:
            me = await Client(request, campaign, session.seat, session.token).get_whole("/me")
        except Turned as turned:
            if turned.status != 401:
                raise
            continue  # its token was replaced
        ways.append(SeatLink(me["name"], f"{session.path}/{strip_seat(request.url.path)}{_read_query(request)}"))
    if ways:
        raise SeatsFound(ways)
