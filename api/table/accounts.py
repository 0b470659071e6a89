"""Accounts: what everybody has at a glance, and of each the statement with its line over time."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Response

from api.table import charts
from api.table.client import Json
from api.table.pages import Paged, Sitting
from api.table.words import Words, plain

router = APIRouter(prefix="/table/{campaign}/{seat}/accounts", include_in_schema=False, route_class=Paged)
POINTS = 120


@router.get("")
async def accounts(desk: Sitting, after: str = "") -> Response:
    """By owner: one's own people first, then the others, then scenes and the campaign."""
    answer = await desk.client.read("/accounts", limit=500, after=after)
    state = await desk.client.get("/state")
    found = answer.json
    listed: list[Json] = found["accounts"]
    most: dict[str, int] = {}
    owners: dict[str, list[Json]] = {}
    for one in listed:
        most[one["unit"]] = max(most.get(one["unit"], 1), one["balance"])
        owners.setdefault(one["owner"], []).append(one)
    mine = {f"character:{one['id']}" for one in state["characters"] if one["seat"] == desk.session.seat}
    gone = {f"character:{one['id']}" for one in state["characters"] if one["retired"]}
    order = sorted(owners, key=lambda one: (one in gone, one not in mine, not one.startswith("character:")))
    words = desk.words(state)
    return desk.page(
        "accounts/accounts.html.jinja", name=state["campaign"]["name"], words=words, most=most, mine=mine,
        owners=[(owner, owner_name(owners[owner][0], words), owners[owner]) for owner in order],
        off={unit: sum_ for unit, sum_ in found["trial"].items() if sum_}, units=len(found["trial"]),
        next=listed[-1]["account"] if 'rel="next"' in answer.headers.get("link", "") else None,
    )  # fmt: skip


@router.get("/{account:path}")
async def statement(desk: Sitting, account: str, after: int = 0) -> Response:
    """An account, its newest entries first."""
    more = {"line": POINTS} if not after else {}
    answer = await desk.client.read(f"/accounts/{account}", order="desc", limit=50, after=after, **more)
    state = await desk.client.get("/state")
    told, words = answer.json, desk.words(state)
    line = charts.line(told["line"], partial(words.amount, account)) if told["line"] else None
    return desk.page(
        "accounts/statement.html.jinja", name=state["campaign"]["name"], words=words, told=told, line=line, after=after,
        owner=owner_name(told, words), of=contra,
        earlier=told["entries"][-1]["number"] if 'rel="next"' in answer.headers.get("link", "") else None,
    )  # fmt: skip


def owner_name(one: Json, words: Words) -> str:
    return str(one["name"]) or words.names["subject"].get(one["owner"]) or plain(one["owner"])


def contra(account: str, words: Words) -> str:
    """Whose the other account is: "the bank", or somebody's name."""
    owner = account.partition("/")[0]
    return words.names["subject"].get(owner) or words.of(owner)
