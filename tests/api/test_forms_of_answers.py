"""What a client has is not sent again, what it cannot take is refused, and mistakes are told in our own words."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest

from api.http.conditional import is_accepted
from tests.api.table import Json, Table
from tests.levels import sampled

GETS = [
    "",
    "/rulings",
    "/rulings/1",
    "/characters/1",
    "/timeline",
    "/accounts",
    "/dice",
    "/dice/faces",
    "/waiting",
    "/state",
    "/moves",
    "/seal",
]


@pytest.mark.parametrize("path", GETS)
def test_what_a_client_has_is_not_sent_again(table: Table, path: str) -> None:
    table.fighters()
    first = table.gm.get(path)
    tag = first.headers["ETag"]
    ask = {**table.gm.bearer, "If-None-Match": f'"other", {tag}'}
    again = table.service.client.get(f"/campaigns/{table.id}{path}", headers=ask)
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
    assert again.headers.get("Ledger-Position") == first.headers.get("Ledger-Position")
    other = table.service.client.get(f"/campaigns/{table.id}{path}", headers={**ask, "If-None-Match": '"other"'})
    assert (other.status_code, other.content) == (200, first.content)


def test_who_was_renamed_is_sent_again_though_the_ruling_has_its_version(table: Table) -> None:
    table.fighters()
    tag = table.gm.get("/rulings/1").headers["ETag"]
    table.gm.send("PATCH", "/seats/s2", {}, json={"name": "Benjamin"})
    ask = {**table.gm.bearer, "If-None-Match": tag}
    answer = table.service.client.get(f"/campaigns/{table.id}/rulings/1", headers=ask)
    assert answer.status_code == 200 and answer.json()["by"]["name"] == "Benjamin"
    revised = {"reason": "?", "code": "entry"}
    assert table.gm.send("POST", "/rulings/1/dispute", {"If-Match": tag}, json={"reason": "?"}).status_code == 200
    assert table.gm.send("POST", "/rulings/1/revise", {"If-Match": tag}, json=revised).status_code == 412


def test_what_is_somebody_elses_is_not_taken_for_ones_own(table: Table) -> None:
    assert "Authorization" in table.gm.get("/state").headers["Vary"]


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        ("application/json", 200),
        ("*/*", 200),
        ("application/*", 200),
        ("text/html, application/json;q=0.1", 200),
        ("", 200),
        ("nonsense", 200),
        ("text/csv", 406),
        ("application/json;q=0, text/csv", 406),
        ("application/json;q=0, */*", 406),
        ("application/xml", 406),
    ],
)
def test_an_accept_that_cannot_be_served_is_refused(table: Table, accept: str, status: int) -> None:
    answer = table.gm.send("GET", "/rulings", {"Accept": accept})
    assert answer.status_code == status
    if status == 406:
        assert (answer.json()["code"], answer.headers["Content-Type"]) == (
            "not-acceptable",
            "application/problem+json",
        )


def test_nothing_is_done_for_who_cannot_take_the_answer(table: Table) -> None:
    before = table.position
    answer = table.gm.send("POST", "/sessions", {"Accept": "text/csv"}, json={"title": "One"})
    assert answer.status_code == 406 and table.position == before


def test_the_most_exact_range_decides() -> None:
    assert is_accepted("text/*, application/jsonl;q=0.5", "application/jsonl")
    assert not is_accepted("application/jsonl;q=0, application/*", "application/jsonl")
    assert is_accepted("application/jsonl;q=x", "application/jsonl; charset=utf-8")


WRONG: list[tuple[str, str, Json, dict[str, str]]] = [
    ("GET", "/rulings?after=-1", {}, {}),
    ("GET", "/rulings?limit=0", {}, {}),
    ("GET", "/rulings?limit=many", {}, {}),
    ("GET", "/rulings?q=?", {}, {}),
    ("GET", "/rulings?q=", {}, {}),
    ("GET", "/rulings/01", {}, {}),
    ("GET", "/timeline?after=x", {}, {}),
    ("GET", "/state?at=yesterday", {}, {}),
    ("GET", "/feed?after=x", {}, {}),
    ("GET", "/what-if?without=x", {}, {}),
    ("GET", "/what-if?without=1&dial=x", {}, {}),
    ("POST", "/sessions", {"title": 7}, {}),
    ("POST", "/sessions", {"title": "x"}, {"Idempotency-Key": "a key"}),
    ("POST", "/sessions", {"title": "x"}, {"If-Match": "1"}),
    ("POST", "/sessions", {"title": "x"}, {"Ledger-Position": "-1"}),
    ("POST", "/scenes", {"title": "x", "cast": "1"}, {}),
    ("POST", "/rulings", {}, {}),
    ("POST", "/rulings", {"declare": 7}, {}),
    ("POST", "/rulings", {"declare": {"kind": "hit"}, "answers": 7}, {}),
    ("POST", "/rulings/1/overturn", {"reason": None, "also": ["x"], "preview": 7}, {}),
    ("POST", "/seats", {"name": "x", "role": 3}, {}),
]


@pytest.mark.parametrize(("method", "path", "body", "headers"), WRONG)
def test_mistakes_are_told_in_our_own_words(
    table: Table, method: str, path: str, body: Json, headers: dict[str, str]
) -> None:
    more: dict[str, Any] = {"json": body} if method == "POST" else {}
    answer = table.service.client.request(
        method, f"/campaigns/{table.id}{path}", headers={**table.gm.bearer, **headers}, **more
    )
    told = answer.json()
    assert answer.status_code == 422, answer.text
    for said in (told["detail"], *(one["message"] for one in told["errors"])):
        assert not re.search(r"Value error|pattern|\^|Input should|String should|valid (string|integer)|\\\\x", said), (
            said
        )
        assert said[0].isupper() or ":" in said, said


def test_a_key_that_is_no_uuid_is_told_so(service: Any) -> None:
    answer = service.open({**service.operator, "Idempotency-Key": f"urn:{uuid.uuid4()}"})
    assert answer.json()["errors"][0]["message"].endswith("it must be a UUID.")


LISTS = [
    ("/rulings", "rulings"),
    ("/rulings?view=brief", "rulings"),
    ("/timeline", "facts"),
    ("/characters/1/history", "facts"),
    ("/accounts", "accounts"),
    ("/accounts/character%3A1%2Fcoin", "entries"),
    ("/dice", "rolls"),
    ("/campaigns", "campaigns"),
]


@pytest.fixture
def full(table: Table) -> Table:
    table.fighters()
    table.cleo.enrol("Cato")
    table.gm.declare("mint", to="3", coins=4)
    for coins in (5, 2, 1):
        table.gm.declare("mint", to="1", coins=coins)
        table.gm.declare("mint", to="2", coins=coins)
        table.ben.declare("sneak", char="1")
    return table


@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("name", sampled(LISTS, len(LISTS), 3), ids=lambda name: name[0])
def test_a_list_says_in_its_body_where_its_pages_are(full: Table, name: tuple[str, str], order: str) -> None:
    """Forward to the end and back to the beginning, everything once each way, as the `Link` header says."""
    path, listed = name
    if path == "/campaigns":
        where = path
        for _ in range(2):
            full.service.open()
        bearer = {"Authorization": f"Bearer {full.service.operator_token}"}
    else:
        where, bearer = f"/campaigns/{full.id}{path}", full.gm.bearer
    mark = "&" if "?" in where else "?"
    first = f"{where}{mark}order={order}"
    whole = [entry for page in pages_of(full, f"{first}&limit=500", bearer) for entry in page[listed]]
    assert len(whole) > 2
    pages = pages_of(full, f"{first}&limit={max(2, len(whole) // 10)}", bearer)
    assert [entry for page in pages for entry in page[listed]] == whole
    assert pages[0]["previous"] is None and len(pages) > 1
    back, preceding = [pages[-1]], pages[-1]["previous"]
    while preceding:
        back.append(full.service.send("GET", preceding, bearer).json())
        preceding = back[-1]["previous"]
    assert [entry for page in back[::-1] for entry in page[listed]] == whole
    assert full.service.send("GET", back[1]["next"], bearer).json()[listed] == pages[-1][listed]


def pages_of(table: Table, first: str, bearer: dict[str, str]) -> list[Json]:
    """Every page from the first on. Each must say in its body what its `Link` header says."""
    pages: list[Json] = []
    following: str | None = first
    while following:
        answer = table.service.send("GET", following, bearer)
        pages.append(answer.json())
        assert links(answer.headers.get("Link", "")) == (pages[-1]["next"], pages[-1]["previous"])
        following = pages[-1]["next"]
    return pages


def links(header: str) -> tuple[str | None, str | None]:
    found = {rel: place for place, rel in re.findall(r'<([^>]+)>; rel="(\w+)"', header)}
    return found.get("next"), found.get("prev")
