"""Show the accounts with their balances, and one account's statement with a chart."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Response

from api.table import charts
from api.table.client import Json
from api.table.pages import PageRoute, Sitting
from api.table.words import Words, to_plain_words

router = APIRouter(prefix="/table/{campaign}/{seat}/accounts", include_in_schema=False, route_class=PageRoute)
POINTS = 120


@router.get("")
async def show_accounts(desk: Sitting, after: str = "") -> Response:
    """Show every account by owner: the reader's own characters first, then other characters, scenes and the
    campaign.
    """
    answer = await desk.client.read("/accounts", limit=500, after=after)
    state = await desk.client.get("/state")
    document = answer.json
    all_accounts: list[Json] = document["accounts"]
    largest_by_unit: dict[str, int] = {}
    accounts_by_owner: dict[str, list[Json]] = {}
    for account in all_accounts:
        largest_by_unit[account["unit"]] = max(largest_by_unit.get(account["unit"], 1), account["balance"])
        accounts_by_owner.setdefault(account["owner"], []).append(account)
    own_subjects = {
        f"character:{character['id']}" for character in state["characters"] if character["seat"] == desk.session.seat
    }
    retired_subjects = {f"character:{character['id']}" for character in state["characters"] if character["retired"]}
    ordered_owners = sorted(
        accounts_by_owner,
        key=lambda owner: (owner in retired_subjects, owner not in own_subjects, not owner.startswith("character:")),
    )
    words = desk.make_words(state)
    return desk.render_page(
        "accounts/accounts.html.jinja",
        name=state["campaign"]["name"],
        words=words,
        most=largest_by_unit,
        mine=own_subjects,
        owners=[
            (owner, find_owner_name(accounts_by_owner[owner][0], words), accounts_by_owner[owner])
            for owner in ordered_owners
        ],
        off={unit: total for unit, total in document["trial"].items() if total},
        units=len(document["trial"]),
        next=all_accounts[-1]["account"] if 'rel="next"' in answer.headers.get("link", "") else None,
    )


@router.get("/{account:path}")
async def show_statement(desk: Sitting, account: str, after: int = 0) -> Response:
    """Show one account, its newest entries first."""
    line_query = {"line": POINTS} if not after else {}
    answer = await desk.client.read(f"/accounts/{account}", order="desc", limit=50, after=after, **line_query)
    state = await desk.client.get("/state")
    document, words = answer.json, desk.make_words(state)
    line = charts.draw_line(document["line"], partial(words.write_amount, account)) if document["line"] else None
    return desk.render_page(
        "accounts/statement.html.jinja",
        name=state["campaign"]["name"],
        words=words,
        statement=document,
        line=line,
        after=after,
        owner=find_owner_name(document, words),
        of=find_contra_name,
        earlier=document["entries"][-1]["number"] if 'rel="next"' in answer.headers.get("link", "") else None,
    )


def find_owner_name(account: Json, words: Words) -> str:
    return str(account["name"]) or words.names["subject"].get(account["owner"]) or to_plain_words(account["owner"])


def find_contra_name(account: str, words: Words) -> str:
    """Return the name of the owner of an account: a character, a scene, "The campaign", or a word such as "Bank"."""
    owner = account.partition("/")[0]
    return words.names["subject"].get(owner) or words.name_value(owner)
