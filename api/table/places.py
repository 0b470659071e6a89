"""Addresses for everybody at the table: each reader is redirected to the same view of their own seat.

Such an address contains no seat (`/table/{campaign}/rulings/52`), or the seat of the reader who copied it. The address
never gives access to another seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from api.table.client import Client, Rejection
from api.table.sessions import SEAT, SeatAccess, list_sessions
from api.table.views import SHARED


@dataclass(frozen=True, slots=True)
class SeatLink:
    """A seat of the browser, and the address of the view for that seat."""

    name: str
    href: str


class SeatsFound(Exception):
    """The browser has other seats of the campaign. `seat_links`: a link to the same view for each of these seats."""

    def __init__(self, seat_links: list[SeatLink]) -> None:
        super().__init__()
        self.seat_links = seat_links

    @property
    def single_redirect(self) -> Response | None:
        """Return a redirect if there is only one seat, else None."""
        return RedirectResponse(self.seat_links[0].href, 303) if len(self.seat_links) == 1 else None


def strip_seat(path: str) -> str:
    """Return the path below the campaign, without the seat: `rulings/52` for `/table/{campaign}/s2/rulings/52`."""
    _, _, _, *parts = path.split("/")
    return quote("/".join(parts[1:] if parts and SEAT.fullmatch(parts[0]) else parts).rstrip("/"), safe="/:@,")


def find_shared_address(request: Request, campaign: str) -> str | None:
    """Return this view's address for everybody at the table, or None if the view cannot be shared."""
    inner_path = strip_seat(request.url.path)
    if request.method != "GET" or inner_path.partition("/")[0] not in SHARED:
        return None
    return f"/table/{campaign}/{inner_path}{_format_query(request)}"


def find_wanted_address(request: Request) -> str:
    """Return the address to open after joining: the requested address if it needs a seat, else ""."""
    path = request.url.path
    return f"{path}{_format_query(request)}" if request.method == "GET" and path.startswith("/table/") else ""


def find_onward_address(address: str, seat_access: SeatAccess) -> str:
    """Return the address of the wanted view for this seat, or of the first view if the wanted view belongs to another
    table.
    """
    url = urlsplit(address)
    if url.netloc or url.scheme or not url.path.startswith(f"/table/{seat_access.campaign}/"):
        return f"{seat_access.path}/"
    return f"{seat_access.path}/{strip_seat(url.path)}{f'?{url.query}' if url.query else ''}"


def _format_query(request: Request) -> str:
    return f"?{request.url.query}" if request.url.query else ""


async def redirect_to_own_seat(request: Request, campaign: str) -> None:
    """Raise SeatsFound if the browser has a seat of the campaign. Only whole pages are redirected."""
    partial_headers = {"hx-request", "hx-request-type"} & set(request.headers)
    if request.method != "GET" or partial_headers or "text/event-stream" in request.headers.get("accept", ""):
        return
    seat_links = []
    for session in list_sessions(request.app.state.ledger.keys, request.cookies, campaign):
        try:
            me = await Client(request, campaign, session.seat, session.token).get_service_document("/me")
        except Rejection as rejection:
            if rejection.status != 401:
                raise
            continue  # its token was replaced
        seat_links.append(
            SeatLink(me["name"], f"{session.path}/{strip_seat(request.url.path)}{_format_query(request)}")
        )
    if seat_links:
        raise SeatsFound(seat_links)
