"""Who sits at the page: a cookie of one seat of one campaign, which opens the page and nothing of the API.

It is made of the server's key over campaign, seat and the generation of the seat's token, so it ends with that token.
Nothing is stored: the token itself is made anew of the same for every request.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastapi import Request, Response

from ledger.application.keys import Keys, same_hash

KEPT = 90 * 24 * 3600  # seconds
CAMPAIGN, SEAT = re.compile(r"[a-z2-7]{13}", re.ASCII), re.compile(r"s[0-9]{1,9}", re.ASCII)


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
    if not (CAMPAIGN.fullmatch(campaign) and SEAT.fullmatch(seat)):
        return None
    cookie = cookies.get(_name(campaign, seat), "")
    said, _, mac = cookie.partition(".")
    if not (said.isascii() and said.isdecimal() and len(said) < 10):
        return None
    if not same_hash(mac, keys.page_session(campaign, seat, int(said))):
        return None
    return Session(campaign, seat, cookie, keys.token(campaign, seat, int(said)))


def sit_down(answer: Response, request: Request, keys: Keys, seated: Seated) -> None:
    value = f"{seated.generation}.{keys.page_session(seated.campaign, seated.seat, seated.generation)}"
    answer.set_cookie(
        _name(seated.campaign, seated.seat), value, max_age=KEPT, path=seated.path, httponly=True, samesite="lax",
        secure=request.url.scheme == "https",
    )  # fmt: skip


def stand_up(answer: Response, session: Session) -> None:
    answer.delete_cookie(_name(session.campaign, session.seat), path=session.path, httponly=True, samesite="lax")


def _name(campaign: str, seat: str) -> str:
    return f"ledger-{campaign}-{seat}"
