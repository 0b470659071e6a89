"""A page of a list, with its next and previous pages in its body and in its `Link` header."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from fastapi import Query
from starlette.datastructures import URL

from projections.views.pages import Order

C = TypeVar("C")
#: The value of `after` that means the beginning of the list.
BEGINNING = frozenset({"", "0", "0.0"})
Before = Annotated[
    str | None, Query(max_length=1000, description="Return the page before this cursor, instead of `after`.")
]


def choose_order(order: Order, before: object) -> Order:
    """Return the order for reading the list: a page `before` a cursor is read backwards."""
    if before is None:
        return order
    return "desc" if order == "asc" else "asc"


def add_page_links(
    document: Mapping[str, Any], list_name: str, first_cursor: str | None, more_cursor: str | None, url: URL
) -> tuple[dict[str, object], str | None]:
    """Return the document with `next` and `previous`, and the `Link` header if there are other pages.

    `list_name`: the field with the list. `first_cursor`: the cursor of the first item read. `more_cursor`: the cursor
    of the last item read, if there are more items. `url`: the address of the request.
    """
    query = dict(part.partition("=")[::2] for part in url.query.split("&"))
    items = document[list_name]
    if "before" in query:
        items, after_cursor, before_cursor = items[::-1], first_cursor, more_cursor
    else:
        after_cursor, before_cursor = more_cursor, first_cursor if query.get("after", "") not in BEGINNING else None
    list_url = url.remove_query_params(["wait", "after", "before"])
    page_links = {
        "next": _make_page_link(list_url, after=after_cursor),
        "previous": _make_page_link(list_url, before=before_cursor),
    }
    links = {"next": page_links["next"], "prev": page_links["previous"]}
    header = ", ".join(f'<{link}>; rel="{rel}"' for rel, link in links.items() if link is not None)
    return {**document, list_name: items, **page_links}, header or None


def _make_page_link(list_url: URL, **cursor: str | None) -> str | None:
    if None in cursor.values():
        return None
    page_url = list_url.include_query_params(**cursor)
    return f"{page_url.path}?{page_url.query}"
