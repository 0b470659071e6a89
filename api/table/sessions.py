"""Sessions: a cookie for one seat of one campaign. It gives access to the page, and no access to the API.

The cookie is derived from the server's key, the campaign, the seat, and the generation of the seat's token, so it stops
working when the token does. Nothing is stored: the token is derived again for every request. The cookie is sent to
every address of its campaign, so that a shared link leads readers to their own seat.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastapi import Request, Response

from ledger.application.keys import Keys, is_same_hash
from ledger.events.shelves import ID

KEPT = 90 * 24 * 3600  # seconds
MOST = 20  # the most seats of a campaign in one browser
SEAT = re.compile(r"s[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class SeatAccess:
    """A seat that the reader may use, and the generation of its token."""

    campaign: str
    seat: str
    generation: int

    @property
    def path(self) -> str:
        return f"/table/{self.campaign}/{self.seat}"


@dataclass(frozen=True, slots=True)
class Session:
    """A session of the browser for a seat. `cookie`: the cookie that the browser has. `token`: the seat's token, which
    the browser never gets.
    """

    campaign: str
    seat: str
    cookie: str
    token: str

    @property
    def path(self) -> str:
        return f"/table/{self.campaign}/{self.seat}"


def find_session(keys: Keys, cookies: dict[str, str], campaign: str, seat: str) -> Session | None:
    """Return the session of the cookie, or None. This does not check whether the seat's token is still valid."""
    if not (ID.fullmatch(campaign) and SEAT.fullmatch(seat)):
        return None
    cookie = cookies.get(_name_cookie(campaign, seat), "")
    generation, _, mac = cookie.partition(".")
    if not (generation.isascii() and generation.isdecimal() and len(generation) < 10):
        return None
    if not is_same_hash(mac, keys.make_page_session(campaign, seat, int(generation))):
        return None
    return Session(campaign, seat, cookie, keys.make_token(campaign, seat, int(generation)))


def list_sessions(keys: Keys, cookies: dict[str, str], campaign: str) -> list[Session]:
    """Return all sessions that the browser has in the campaign."""
    seat_ids = [
        name.removeprefix(_name_cookie(campaign, "")) for name in cookies if name.startswith(_name_cookie(campaign, ""))
    ]
    sessions = (find_session(keys, cookies, campaign, seat_id) for seat_id in seat_ids[:MOST])
    return [session for session in sessions if session is not None]


def sign_in(response: Response, request: Request, keys: Keys, seat_access: SeatAccess) -> None:
    proof = keys.make_page_session(seat_access.campaign, seat_access.seat, seat_access.generation)
    response.set_cookie(
        _name_cookie(seat_access.campaign, seat_access.seat),
        f"{seat_access.generation}.{proof}",
        max_age=KEPT,
        path=f"/table/{seat_access.campaign}",
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def sign_out(response: Response, session: Session) -> None:
    """Delete the session's cookie, and also the cookie that an earlier version set."""
    for path in (f"/table/{session.campaign}", session.path):
        response.delete_cookie(_name_cookie(session.campaign, session.seat), path=path, httponly=True, samesite="lax")


def _name_cookie(campaign: str, seat: str) -> str:
    return f"ledger-{campaign}-{seat}"
