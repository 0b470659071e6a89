"""Explain a value by the changes that led to it, newest first, with their dice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Response
from markupsafe import Markup

from api.table.client import Json, Rejection
from api.table.foreseeing import label_field, word_value
from api.table.pages import Desk, PageRoute, Sitting
from api.table.presentations import Presenter
from api.table.scenes import add_newcomers
from api.table.words import Words, to_plain_words
from ledger.rules.kernel.json_types import join_pointer, split_pointer

router = APIRouter(prefix="/table/{campaign}/{seat}", include_in_schema=False, route_class=PageRoute)
LINKS = 20  # how many changes of a longer chain are shown with their full rulings
ENTRY = ("name", "title", "seat", "retired", "open", "cast")


@dataclass(frozen=True, slots=True)
class Place:
    """A place on both clocks. None means now."""

    at: str | None
    as_: str | None

    @property
    def query(self) -> str:
        params = {name: moment for name, moment in (("at", self.at), ("as", self.as_)) if moment}
        return f"?{urlencode(params)}" if params else ""

    @property
    def clock_query(self) -> dict[str, object]:
        return {"at": self.at or None, "as": self.as_ or None}


@dataclass(frozen=True, slots=True)
class Owner:
    """A character, a scene or the campaign: its document, and its paths on the page and in the API."""

    path: str
    api: str
    name: str
    document: Json


async def _find_owner(desk: Desk, kind: str, id: str, place: Place, state: Json) -> Owner:
    if kind == "campaign":
        past_state = state if place.at is None else await desk.client.get("/state", **place.clock_query)
        campaign = past_state["campaign"]
        return Owner("campaign", "", campaign["name"], {name: campaign[name] for name in ("name", "state", "balances")})
    document = await desk.client.get(f"/{kind}s/{id}", **place.clock_query)
    return Owner(
        f"{kind}/{id}",
        f"/{kind}s/{id}",
        document.get("name") or document.get("title") or to_plain_words(kind),
        document,
    )


# --- sheets ---


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value with its name. `path`: the path of the page that explains the value."""

    name: str
    text: str
    path: str
    is_empty: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Values that belong together: a record, a list, or the balances."""

    name: str
    leaves: list[Leaf]


def list_groups(document: Json, words: Words) -> Iterator[Group]:
    """Yield all values in groups: single values first, then the balances, then each record or list."""
    state = document["state"]
    plain_values = {name: value for name, value in state.items() if not (isinstance(value, dict | list) and value)}
    yield Group(
        "",
        [
            *_list_entry_leaves(document, words),
            *(_make_leaf(("state", name), value, words) for name, value in plain_values.items()),
        ],
    )
    if document["balances"]:
        yield Group("Balances", [_make_balance_leaf(balance, words) for balance in document["balances"]])
    for name, value in state.items():
        if name not in plain_values:
            yield from _list_nested_groups(("state", name), value, words.label(name), words)


def _list_entry_leaves(document: Json, words: Words) -> Iterator[Leaf]:
    for name in ENTRY:
        if name in document:
            yield _make_leaf((name,), document[name], words)


def _make_leaf(parts: tuple[str, ...], content: object, words: Words, name: str | None = None) -> Leaf:
    pointer = join_pointer(parts).removeprefix("/")
    text = word_value(pointer, content, words)
    label = name if name is not None else words.label(parts[-1], _find_container(parts[:-1]))
    return Leaf(label, text, quote(pointer), content is None or content is False or content in ("", [], {}))


def _make_balance_leaf(balance: Json, words: Words) -> Leaf:
    account = str(balance["account"])
    return Leaf(
        words.name_account(account),
        words.write_amount(account, balance["balance"]),
        quote(f"balances/{account}"),
        False,
    )


def _list_nested_groups(parts: tuple[str, ...], content: Any, name: str, words: Words) -> Iterator[Group]:
    """Yield a group for the single values of a record or list, then groups for the records and lists inside it."""
    pairs = (
        list(content.items())
        if isinstance(content, Mapping)
        else [(str(index), value) for index, value in enumerate(content)]
    )
    own_values: list[tuple[str, Any]] = []
    records: list[tuple[str, Any]] = []
    for key, value in pairs:
        (records if isinstance(value, dict | list) and value else own_values).append((str(key), value))
    if own_values:
        is_list = not isinstance(content, Mapping)
        labels = [str(int(key) + 1) if is_list else words.label(key, _find_container(parts)) for key, _ in own_values]
        yield Group(
            name,
            [
                _make_leaf((*parts, key), value, words, title)
                for (key, value), title in zip(own_values, labels, strict=True)
            ],
        )
    for key, value in records:
        yield from _list_nested_groups(
            (*parts, key), value, f"{name}: {_name_record(key, value, parts, content, words)}", words
        )


def _find_container(parts: tuple[str, ...]) -> str:
    """Return the name of the innermost field that contains the value. List indexes are skipped."""
    return next((part for part in reversed(parts) if not part.isdecimal()), "")


def _name_record(key: str, value: Any, parts: tuple[str, ...], container: Any, words: Words) -> str:
    own_name = (value.get("name") or value.get("title")) if isinstance(value, Mapping) else None
    if own_name:
        return str(own_name)
    return str(int(key) + 1) if isinstance(container, list) else words.label(key, _find_container(parts))


@router.get("/sheets")
async def show_sheets(desk: Sitting) -> Response:
    """Show all characters and scenes."""
    campaign, people = (reply.json for reply in await desk.client.read_together("", "/characters"))
    return desk.render_page("sheets.html.jinja", campaign=campaign, people=people["characters"], name=campaign["name"])


@router.get("/sheet/campaign")
async def show_campaign_sheet(desk: Sitting, at: str | None = None) -> Response:
    """Show the values of the campaign."""
    return await _show_sheet(desk, "campaign", "", at)


@router.get("/sheet/{kind}/{id}")
async def show_sheet(desk: Sitting, kind: str, id: str, at: str | None = None) -> Response:
    """Show the values of a character or a scene. Each value links to its explanation."""
    if kind not in ("character", "scene"):
        raise Rejection(404, {"title": "Page not found", "detail": "There is no page at this address."})
    return await _show_sheet(desk, kind, id, at)


async def _show_sheet(desk: Desk, kind: str, id: str, at: str | None) -> Response:
    place = Place(at, desk.request.query_params.get("as"))
    state = await desk.client.get("/state")
    owner = await _find_owner(desk, kind, id, place, state)
    return desk.render_page(
        "sheet.html.jinja",
        owner=owner,
        drawn=await _lay_out_by_game(desk, kind, owner.document, place, state),
        groups=list(list_groups(owner.document, desk.make_words(state))),
        place=place,
        kind=kind,
        name=state["campaign"]["name"],
    )


async def _lay_out_by_game(desk: Desk, kind: str, document: Json, place: Place, state: Json) -> Markup | None:
    """Return a character or a scene as its game lays it out, or None if the game has no template for it."""
    if kind == "campaign":
        return None
    past_state = state if place.at is None else await desk.client.get("/state", **place.clock_query)
    presenter = make_past_presenter(desk, past_state, place)
    return presenter.sheet(document) if kind == "character" else presenter.board(document)


def make_past_presenter(desk: Desk, state: Json, place: Place) -> Presenter:
    """Return a presenter for a past state. It offers no moves."""
    system, session = state["campaign"]["system"], desk.session
    present_state, words = add_newcomers(state), desk.make_words(state)
    return Presenter(system, session.path, present_state, words, (), session.seat, query=place.query)


# --- why ---


@router.get("/why/campaign/{field:path}")
async def explain_campaign_value(desk: Sitting, field: str, at: str | None = None, more: bool = False) -> Response:
    return await _show_why(desk, "campaign", "", field, at, whole_chain=more)


@router.get("/why/{kind}/{id}/{field:path}")
async def explain_value(
    desk: Sitting, kind: str, id: str, field: str, at: str | None = None, more: bool = False
) -> Response:
    """Show the chain of changes that led to a value. `more`: show the whole chain."""
    if kind not in ("character", "scene"):
        raise Rejection(404, {"title": "Page not found", "detail": "There is no page at this address."})
    return await _show_why(desk, kind, id, field, at, whole_chain=more)


async def _show_why(desk: Desk, kind: str, id: str, path: str, at: str | None, *, whole_chain: bool) -> Response:
    place = Place(at, desk.request.query_params.get("as"))
    state = await desk.client.get("/state")
    words = desk.make_words(state)
    owner = await _find_owner(desk, kind, id, place, state)
    chain_document = await _load_chain(desk, owner, path, place, whole_chain=whole_chain)
    links = _list_links(chain_document["chain"], path, words)
    meaning = await _find_meaning(desk, path, state)
    return desk.render_page(
        "why.html.jinja",
        owner=owner,
        place=place,
        links=links,
        earlier=chain_document["earlier"],
        path=quote(path),
        meaning=meaning,
        value_name=name_explained_value(path, owner.document, words),
        text=word_value(path, chain_document["value"], words),
        system=state["campaign"]["system"],
        headings=await desk.load_headings(state["campaign"]["system"]),
        name=state["campaign"]["name"],
    )


async def _load_chain(desk: Desk, owner: Owner, path: str, place: Place, *, whole_chain: bool) -> Json:
    """Return the chain with the full ruling of each link. Without `whole_chain`, a long chain has only its last
    links.
    """
    address = f"{owner.api}/why/{path}"
    short_chain = await desk.client.get(address, **place.clock_query)
    if whole_chain or not short_chain["earlier"]:
        return await desk.client.get(address, **place.clock_query, full="true")
    numbers = list(dict.fromkeys(link["ruling"]["number"] for link in short_chain["chain"] if link["ruling"]))
    rulings_by_number = {
        reply.json["number"]: reply.json
        for reply in await desk.client.read_together(*(f"/rulings/{n}" for n in numbers))
    }
    for link in short_chain["chain"]:
        if link["ruling"]:
            link["ruling"] = {**rulings_by_number[link["ruling"]["number"]], "status": link["ruling"]["status"]}
    return short_chain


@dataclass(frozen=True, slots=True)
class Link:
    """A link of the chain. `step`: the link as the API returns it. `is_repeated`: whether the same ruling was already
    shown.
    """

    before: str
    after: str
    step: Json
    is_repeated: bool

    @property
    def ruling(self) -> Json | None:
        ruling: Json | None = self.step["ruling"]
        return ruling


def _list_links(chain: list[Json], path: str, words: Words) -> list[Link]:
    """Return the links, newest first."""
    links: list[Link] = []
    seen_numbers: set[int] = set()
    for step in reversed(chain):
        number = step["ruling"]["number"] if step["ruling"] else 0
        before, after = word_value(path, step["before"], words), word_value(path, step["after"], words)
        links.append(Link(before, after, step, number in seen_numbers))
        seen_numbers.add(number)
    return links


async def _find_meaning(desk: Desk, path: str, state: Json) -> str:
    """Return the game's description of a balance, or ""."""
    first_part, *account_parts = split_pointer(path)
    if first_part != "balances":
        return ""
    unit = "/".join(account_parts).rpartition("/")[2].partition(":")[0]
    accounts = desk.get_game(state["campaign"]["system"])["accounts"]
    return next((str(account["meaning"]) for account in accounts if account["unit"] == unit), "")


def name_explained_value(path: str, document: Json, words: Words) -> str:
    """Return the name of the value. A list item has its own name, or else its number."""
    first_part, *parts = split_pointer(path)
    if first_part != "state":
        return label_field(path, words)
    names: list[str] = []
    value: Any = document["state"]
    for depth, part in enumerate(parts):
        item_name = None
        if isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
            item_name = (value.get("name") or value.get("title")) if isinstance(value, Mapping) else None
            item_name = item_name or str(int(part) + 1)
        elif isinstance(value, Mapping):
            value = value.get(part)
        names.append(str(item_name) if item_name else words.label(part, _find_container(tuple(parts[:depth]))))
    return ", ".join(names)
