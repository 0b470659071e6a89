"""Who sits at the page: a cookie of one seat of one campaign, which opens the page and nothing of the API.

It is made of the server's key over campaign, seat and the generation of the seat's token, so it ends with that token.
Nothing is stored: the token itself is made anew of the same for every request. It is sent with every address of its
campaign, so that a view's link leads whoever sits there to their own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastapi import Request, Response

from ledger.application.keys import Keys, same_hash
from ledger.events.shelves import ID

KEPT = 90 * 24 * 3600  # seconds
MOST = 20  # seats of a campaign, at one browser
SEAT = re.compile(r"s[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody who may sit down: the seat, and the generation of its token."""

    campaign: str
    seat: str
    generation: int

    @property
    def path(self) -> str:
        return f"/table/{self.campaign}/{self.seat}"


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who sits there. `cookie`: what the browser holds; `token`: the seat's own, which it never sees."""

    campaign: str
    seat: str
    cookie: str
    token: str

    @property
    def path(self) -> str:
        return f"/table/{self.campaign}/{self.seat}"


def session_of(keys: Keys, cookies: dict[str, str], campaign: str, seat: str) -> Session | None:
    """Whose cookie it is. Whether the token of that generation still opens anything the API says."""
    if not (ID.fullmatch(campaign) and SEAT.fullmatch(seat)):
        return None
    cookie = cookies.get(_name(campaign, seat), "")
    generation, _, mac = cookie.partition(".")
    if not (generation.isascii() and generation.isdecimal() and len(generation) < 10):
        return None
    if not same_hash(mac, keys.page_session(campaign, seat, int(generation))):
        return None
    return Session(campaign, seat, cookie, keys.token(campaign, seat, int(generation)))


def held(keys: Keys, cookies: dict[str, str], campaign: str) -> list[Session]:
    """All seats of the campaign that the browser sits at."""
    seats = [name.removeprefix(_name(campaign, "")) for name in cookies if name.startswith(_name(campaign, ""))]
    sessions = (session_of(keys, cookies, campaign, seat) for seat in seats[:MOST])
    return [session for session in sessions if session is not None]


def sit_down(answer: Response, request: Request, keys: Keys, seated: Seated) -> None:
    value = f"{seated.generation}.{keys.page_session(seated.campaign, seated.seat, seated.generation)}"
    answer.set_cookie(
        _name(seated.campaign, seated.seat),
        value,
        max_age=KEPT,
        path=f"/table/{seated.campaign}",
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def stand_up(answer: Response, session: Session) -> None:
    """Also a cookie of before, which was sent to its own seat's addresses alone."""
    for path in (f"/table/{session.campaign}", session.path):
        answer.delete_cookie(_name(session.campaign, session.seat), path=path, httponly=True, samesite="lax")


def _name(campaign: str, seat: str) -> str:
    return f"ledger-{campaign}-{seat}"
