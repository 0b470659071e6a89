"""The tables where this device has a seat, for the list on `/`. A cookie lists the tables. It gives access to nothing.

The seats' own cookies are limited to their campaigns, so browsers do not send them to `/`. The list shows only the
names in its cookie, and no campaign is read for it. So neither a forged cookie nor a removed seat's cookie can reveal
anything new.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass

from fastapi import Request, Response

from api.table.sessions import KEPT, SEAT
from ledger.events.shelves import ID

NAME = "ledger-tables"
MOST = 12  # tables; the oldest is dropped
MOST_BYTES = 3_500  # bytes; browsers keep 4,096 with the name
LONGEST = 60  # characters of a name


@dataclass(frozen=True, slots=True)
class YourTable:
    """A seat of this device, with the last known names of the campaign, the game and the seat."""

    campaign: str
    seat: str
    name: str
    game: str
    called: str

    @property
    def path(self) -> str:
        return f"/table/{self.campaign}/{self.seat}/"

    def has(self, campaign: str, seat: str) -> bool:
        return (self.campaign, self.seat) == (campaign, seat)


def read_tables(cookies: Mapping[str, str]) -> list[YourTable]:
    """Return the tables that the cookie lists, most recent first. Invalid entries are ignored."""
    try:
        rows = json.loads(base64.urlsafe_b64decode(cookies.get(NAME, "")))
    except (ValueError, binascii.Error, RecursionError):
        return []
    tables = [YourTable(*row) for row in rows[:MOST] if _has_our_form(row)] if isinstance(rows, list) else []
    return list({(table.campaign, table.seat): table for table in tables}.values())


def _has_our_form(row: object) -> bool:
    if not (isinstance(row, list) and len(row) == 5 and all(isinstance(text, str) for text in row)):
        return False
    names_fit = all(len(text) <= LONGEST for text in row[2:])
    return bool(names_fit and ID.fullmatch(row[0]) and SEAT.fullmatch(row[1]))


def remember_table(response: Response, request: Request, table: YourTable) -> None:
    """Put the table at the top of the list, with its current names."""
    shortened_table = YourTable(
        table.campaign, table.seat, *(_shorten(text) for text in (table.name, table.game, table.called))
    )
    old_tables = read_tables(request.cookies)
    tables = [
        shortened_table,
        *(other for other in old_tables if not other.has(shortened_table.campaign, shortened_table.seat)),
    ]
    if tables != old_tables:
        _write_cookie(response, request, tables)


def forget_table(response: Response, request: Request, campaign: str, seat: str) -> None:
    """Remove the table from the list, if it is there."""
    old_tables = read_tables(request.cookies)
    tables = [table for table in old_tables if not table.has(campaign, seat)]
    if tables != old_tables:
        _write_cookie(response, request, tables)


def _shorten(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _write_cookie(response: Response, request: Request, tables: Sequence[YourTable]) -> None:
    if not tables:
        response.delete_cookie(NAME, path="/", httponly=True, samesite="lax")
        return
    tables_kept = list(tables[:MOST])
    while len(value := _encode_tables(tables_kept)) > MOST_BYTES:
        tables_kept.pop()
    secure = request.url.scheme == "https"
    response.set_cookie(NAME, value, max_age=KEPT, path="/", httponly=True, samesite="lax", secure=secure)


def _encode_tables(tables: Sequence[YourTable]) -> str:
    text = json.dumps([astuple(table) for table in tables], ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode()
