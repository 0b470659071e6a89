"""Timeline, histories, accounts and statements over HTTP: filters, pages, both clocks, secrets, one's own writes."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest

from api.http import reading
from tests.api.table import STAND, Json, Player, Table, rolled
from tests.levels import sampled


@pytest.fixture
def quarrel(table: Table) -> Table:
    """Rulings 1, 2 enrol; 3 opens a session, 4 a scene; 5 to 8 mint and give; 6 is overturned; 9 is secret."""
    ada, bo = table.fighters()
    table.gm.does("/sessions", {"title": "One"})
    table.gm.does("/scenes", {"title": "The bridge", "cast": [ada, bo]})
    table.gm.declare("mint", to=ada, coins=5)
    table.gm.declare("mint", to=bo, coins=7)
    table.ben.declare("give", char=ada, to=bo, coins=2)
    table.gm.declare("mint", to=ada, coins=1)
    table.gm.declare("mint", to=bo, coins=100, hidden=True)
    table.gm.does("/rulings/6/overturn", {"reason": "never found"}, 200)
    return table


def facts(player: Player, path: str = "/timeline", **query: Any) -> list[Json]:
    found: list[Json] = player.look(path, **query)["facts"]
    return found


def pages(player: Player, path: str, what: str, **query: Any) -> Iterator[Json]:
    """Everything, by following the links."""
    response = player.get(path, **query)
    while True:
        assert response.status_code == 200, response.text
        yield from response.json()[what]
        following = response.json()["next"]
        assert following == response.links.get("next", {}).get("url")
        if following is None:
            return
        assert following.startswith(f"/campaigns/{player.table.id}")
        response = player.table.service.send("GET", following, player.bearer)


def test_the_timeline_tells_every_fact_in_order(quarrel: Table) -> None:
    told = facts(quarrel.gm)
    places = [tuple(map(int, one["id"].split("."))) for one in told]
    assert places == sorted(set(places))
    assert [one["kind"] for one in told[:3]] == ["ledger.campaign-opened", "ledger.seat-taken", "ledger.seat-taken"]
    by_ruling = {n: [f["kind"] for f in told if f["ruling"] == n] for n in range(1, 10)}
    assert by_ruling[5] == ["toy.coins-moved"]
    assert by_ruling[4] == ["ledger.scene-opened", "ledger.scene-begun"]
    six = next(one for one in told if one["ruling"] == 6)
    assert (six["struck"], six["by"], six["session"], six["scene"]) == (True, {"seat": "s1", "name": "Ann"}, "3", "4")
    assert [one["ruling"] for one in told if one["struck"]] == [6]
    assert six["postings"] == [{"from": "bank/coin", "to": "character:2/coin", "unit": "coin", "amount": 7}]


LISTS: dict[str, tuple[str, list[Json]]] = {
    "/timeline": ("facts", [{}, {"subject": "character:2"}, {"kind": "toy.coins-moved"}, {"at": 8, "as": "recorded"}]),
    "/rulings": ("rulings", [{}, {"character": "2"}, {"kind": "mint"}, {"status": "overturned"}]),
    "/characters/{character}/history": ("facts", [{}, {"kind": "toy.coins-moved"}]),
    "/scenes/{scene}/history": ("facts", [{}]),
    "/accounts": ("accounts", [{}, {"at": 7}]),
    "/accounts/{account}": ("entries", [{}, {"at": 7}, {"at": 7, "as": "recorded"}]),
    "/dice": ("rolls", [{}]),
    "/sessions": ("sessions", [{}]),
    "/decisions": ("decisions", [{}, {"decision": "overturned"}]),
}
#: Pages of something else: the rulings of a comparison, also of a decision that waits; every campaign (`test_me`).
NO_LISTS = {"/what-if", "/waiting/{waiting}", ""}


def test_every_list_is_told_backwards_too(quarrel: Table) -> None:
    for _ in range(3):
        quarrel.ben.declare("sneak", char="1")
    for template, (what, queries) in LISTS.items():
        path = template.format(character="2", scene="4", account="character:2/coin")
        for query, player in itertools.product(queries, (quarrel.gm, quarrel.ben)):
            forwards = list(pages(player, path, what, limit=2, **query))
            assert forwards or query, path
            assert list(pages(player, path, what, limit=2, order="desc", **query)) == forwards[::-1], path
            assert player.look(path, order="desc", limit=500, **query)[what] == forwards[::-1]


def test_every_list_that_pages_has_an_order(table: Table) -> None:
    paged = {
        path.removeprefix("/campaigns").removeprefix("/{campaign}"): names
        for path, acts in table.service.description.document["paths"].items()
        if {"after", "limit"} <= (names := {one["name"] for one in acts.get("get", {}).get("parameters", ())})
    }
    assert paged.keys() == LISTS.keys() | NO_LISTS
    assert {path for path, names in paged.items() if "order" in names} == LISTS.keys() | {""}
    wrong = table.gm.get("/timeline", order="backwards")
    assert wrong.status_code == 422 and wrong.json()["errors"][0]["allowed"] == ["asc", "desc"]


@pytest.mark.parametrize(
    ("query", "rulings"),
    [
        ({"kind": "toy.coins-moved"}, [5, 6, 7, 8, 9]),
        ({"ruling": 7}, [7]),
        ({"subject": "character:1"}, [1, 1, 5, 7, 8]),
        ({"subject": "character:2"}, [2, 2, 6, 7, 9]),
        ({"subject": "character:2", "kind": "toy.coins-moved"}, [6, 7, 9]),
        ({"session": "3", "kind": "ledger.scene-opened"}, [4]),
        ({"session": "3", "ruling": 1}, []),
        ({"scene": "4", "kind": "toy.coins-moved"}, [5, 6, 7, 8, 9]),
    ],
)
def test_filters(quarrel: Table, query: Json, rulings: list[int]) -> None:
    assert [one["ruling"] for one in facts(quarrel.gm, **query)] == rulings
    assert [one["ruling"] for one in pages(quarrel.gm, "/timeline", "facts", limit=1, **query)] == rulings


@pytest.mark.parametrize("limit", sampled([1, 2, 7, 500], 2))
@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("/timeline", "facts"),
        ("/characters/2/history", "facts"),
        ("/scenes/4/history", "facts"),
        ("/rulings", "rulings"),
        ("/accounts", "accounts"),
        ("/accounts/character:2/coin", "entries"),
    ],
)
def test_pages_hold_everything_once(quarrel: Table, path: str, what: str, limit: int) -> None:
    whole = quarrel.gm.look(path, limit=500)[what]
    assert whole
    assert list(pages(quarrel.gm, path, what, limit=limit)) == whole


def test_a_history_tells_the_ruling_behind_each_fact(quarrel: Table) -> None:
    told = facts(quarrel.ben, "/characters/2/history")
    assert [(one["ruling"], one["struck"]) for one in told] == [(2, False), (2, False), (6, True), (7, False)]
    assert told[2]["behind"] == {
        "number": 6,
        "kind": "mint",
        "by": {"seat": "s1", "name": "Ann"},
        "status": "overturned",
        "reason": "never found",
        "text": "7 coins are minted for Celia.",
    }
    assert told[3]["behind"]["by"]["name"] == "Ben"
    assert quarrel.ben.get("/characters/77/history").status_code == 404
    assert [one["kind"] for one in facts(quarrel.ben, "/scenes/4/history")] == ["ledger.scene-opened"]


def test_what_is_secret_is_in_no_page_of_who_may_not_see_it(quarrel: Table) -> None:
    paths = ["/timeline", "/characters/2/history", "/accounts", "/rulings", "/timeline?subject=character:2"]
    for player, path in itertools.product((quarrel.ben, quarrel.dora), paths):
        assert "100" not in json.dumps([_without_numbers(one) for one in player.look(path).values()]), path
    assert quarrel.ben.get("/accounts/character:2/coin").json()["balance"] is None
    assert [one["balance"] for one in quarrel.ben.look("/accounts/character:2/coin")["entries"]] == [None] * 3
    assert quarrel.cleo.look("/accounts/character:2/coin")["balance"] == 102
    assert [one["ruling"] for one in facts(quarrel.cleo, kind="toy.coins-moved")] == [5, 6, 7, 8, 9]
    assert [one["ruling"] for one in facts(quarrel.dora, kind="toy.coins-moved")] == [5, 6, 7, 8]
    assert [one["account"] for one in quarrel.dora.look("/accounts")["accounts"]] == ["character:1/coin"]
    assert [one["number"] for one in quarrel.dora.look("/rulings", character="2")["rulings"]] == [2, 4, 6, 7]


def _without_numbers(told: Any) -> Any:
    """Times and ids have digits, too."""
    if isinstance(told, dict):
        return {name: _without_numbers(value) for name, value in told.items() if name not in ("at", "id", "position")}
    return [_without_numbers(one) for one in told] if isinstance(told, list) else told


def test_a_statement_and_the_trial_balance(quarrel: Table) -> None:
    told = quarrel.gm.look("/accounts/character:1/coin")
    assert [(one["number"], one["amount"], one["balance"], one["contra"]) for one in told["entries"]] == [
        (1, 5, 5, "bank/coin"),
        (2, -2, 3, "character:2/coin"),
        (3, 1, 4, "bank/coin"),
    ]
    assert (told["name"], told["balance"], told["unit"]) == ("Bruno", 4, "coin")
    assert quarrel.gm.look("/accounts") == {
        "accounts": [
            {"account": "character:1/coin", "unit": "coin", "balance": 4, "owner": "character:1", "name": "Bruno"},
            {"account": "character:2/coin", "unit": "coin", "balance": 102, "owner": "character:2", "name": "Celia"},
        ],
        "trial": {"coin": 0},
        "next": None,
        "previous": None,
    }
    assert quarrel.gm.look("/accounts/bank/coin")["balance"] == -106
    for unknown in ("character:9/coin", "bank", "x", "character:1/gold"):
        assert quarrel.gm.get(f"/accounts/{unknown}").status_code == 404, unknown


def test_both_clocks(quarrel: Table) -> None:
    def balances(**query: Any) -> dict[str, int]:
        return {one["account"]: one["balance"] for one in quarrel.gm.look("/accounts", **query)["accounts"]}

    one, two = "character:1/coin", "character:2/coin"
    assert balances(at=7, **{"as": "recorded"}) == {one: 3, two: 9}
    assert balances(at=7) == {one: 3, two: 2}
    assert balances(at=5) == {one: 5}
    struck = {
        as_: [fact["ruling"] for fact in facts(quarrel.gm, at=8, **{"as": as_}) if fact["struck"]]
        for as_ in ("recorded", "corrected")
    }
    assert struck == {"recorded": [], "corrected": [6]}
    assert max(fact["ruling"] or 0 for fact in facts(quarrel.gm, at=6)) == 6
    assert quarrel.gm.get("/timeline", at=77).status_code == 404


def test_a_statement_on_both_clocks(quarrel: Table) -> None:
    def told(**query: Any) -> list[tuple[int, int]]:
        page = quarrel.gm.look("/accounts/character:2/coin", **query)
        assert not page["entries"] or page["balance"] == page["entries"][-1]["balance"]
        return [(one["amount"], one["balance"]) for one in page["entries"]]

    assert told() == [(7, 7), (2, 9), (100, 109), (-7, 102)]
    assert told(at=7, **{"as": "recorded"}) == [(7, 7), (2, 9)]
    assert told(at=7) == [(2, 2)]
    assert told(at=9) == [(2, 2), (100, 102)]


def test_a_time_is_as_good_as_a_ruling(quarrel: Table) -> None:
    told = facts(quarrel.gm)
    seven = next(one for one in told if one["ruling"] == 7)
    at_seven = {"at": seven["at"], "as": "recorded"}
    assert facts(quarrel.gm, **at_seven) == facts(quarrel.gm, at=7, **{"as": "recorded"})
    assert facts(quarrel.gm, at="2001-01-01T00:00:00Z", **{"as": "recorded"}) == []
    assert facts(quarrel.gm, at="2999-01-01T00:00:00+02:00") == told
    for bad in ("yesterday", "2026-13-01T00:00:00Z", "0", "-1", "2026-01-01", "1.5"):
        assert quarrel.gm.get("/timeline", at=bad).status_code == 422, bad


def test_whoever_writes_finds_it_at_once(table: Table) -> None:
    ada, _ = table.fighters()
    for coins in range(1, 15):
        table.gm.declare("mint", to=ada, coins=coins)
        found = table.gm.get("/accounts")
        assert found.json()["accounts"][0]["balance"] == sum(range(coins + 1))
        assert int(found.headers["Ledger-Position"]) == table.position


def test_waiting_for_what_is_not_there_yet_ends(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.fighters()
    monkeypatch.setattr(reading, "MOST_WAIT", 0.2)
    response = table.gm.get("/timeline", wait=table.position + 1)
    assert response.status_code == 200
    assert int(response.headers["Ledger-Position"]) == table.position


@pytest.mark.parametrize("after", ["x", "1", "1.", "-1.0", "1.1.1"])
def test_cursors_that_are_none(table: Table, after: str) -> None:
    assert table.gm.get("/timeline", after=after).status_code == 422


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "2026-02-30T00:00:00Z"])
@pytest.mark.parametrize(
    "path", ["/timeline", "/accounts", "/characters/1", "/characters/1/history", "/characters/1/why/name"]
)
def test_times_that_are_none(table: Table, path: str, at: str) -> None:
    table.fighters()
    assert table.gm.get(path, at=at).status_code == 422


@pytest.mark.parametrize("path", ["/timeline", "/accounts", "/accounts/bank/coin", "/characters/1/history"])
def test_only_who_sits_at_the_table(quarrel: Table, path: str) -> None:
    url = f"/campaigns/{quarrel.id}{path}"
    assert quarrel.service.send("GET", url).status_code == 401
    other = Table(quarrel.service)
    assert quarrel.service.send("GET", url, other.gm.bearer).status_code == 404


def test_a_list_says_of_each_ruling_what_the_ruling_says_itself(table: Table) -> None:
    """Also those kept ready to be sent: after a seat's new name, an overturning, a revision; with any text in them."""
    table.fighters()
    table.gm.declare("mint", to="1", coins=5)
    number = table.hit(6)["number"]
    table.gm.declare("mint", to="1", coins=7, hidden=True)
    table.hit(5)
    for path, body in (
        (
            f"/rulings/{number}/dispute",
            {"reason": '"name":"\\u0000s1" is no name, "statement":"\\\\u0000toy.hit" neither'},
        ),
        (f"/rulings/{number}/overturn", {"reason": "out of reach"}),
    ):
        table.gm.does(path, body, 200)
    table.gm.does("/rulings/6/revise", {"reason": "a typo", "code": "entry", "answers": [STAND, rolled(2)]}, 200)
    table.gm.send("PATCH", "/seats/s2", json={"name": 'Ben "the \\ Brave" \u2014 "name":"x'})
    for player in (table.gm, table.ben, table.cleo, table.dora):
        listed = player.look("/rulings")["rulings"]
        assert [one["number"] for one in listed] == [1, 2, 3, 4, 5, 6]
        for one in listed:
            assert player.look(f"/rulings/{one['number']}") == one
