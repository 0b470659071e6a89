"""Every document is of one moment: a save between any two statements of a read comes before all of it or after it.

A request is repeated until it was interrupted after each of its round trips to the database. In the midst of it another
process saves, and the views follow. The answer must be the one before or the one after.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute

from api.app import ROUTE_MODULES
from api.http import reading
from tests.api.between import Pair, paired
from tests.api.table import HIT, Player, Table
from tests.levels import sampled

SCHEMA = "one_moment_tests"
MOST_TRIPS = 100  # of a request to the database
URL = "https://1.1.1.1/"
CAMPAIGN = "/campaigns/{campaign}"
ROUTES = [
    route.path
    for part in ROUTE_MODULES
    for route in part.router.routes
    if isinstance(route, APIRoute) and "GET" in (route.methods or ()) and route.path.startswith(CAMPAIGN)
]
#: What stands in the paths. The evening begins with the rulings 1 to 8.
NAMES = {
    "campaign": "{campaign}",
    "hook": "{hook}",
    "waiting": "{waiting}",
    "number": "5",
    "character": "1",
    "scene": "4",
    "session": "3",
    "seat": "s2",
    "account": "character:1%2Fcoin",
    "field:path": "name",
    "account:path": "character:1%2Fcoin",
    "index": "30",
    "count": "3",
}
#: Of routes whose document takes another form, or more statements, with these.
QUERIES = (
    "/accounts?at=9&as=recorded",
    "/accounts?at=9",
    "/accounts/character:1%2Fcoin?line=4&order=desc",
    "/accounts/character:1%2Fcoin?at=9&as=corrected",
    "/timeline?order=desc",
    "/timeline?ruling=9",
    "/timeline?at=2030-01-01T00:00:00Z&as=recorded",
    "/rulings?order=desc",
    "/rulings?view=brief&order=desc",
    "/rulings?status=overturned",
    "/characters/1/history?order=desc",
    "/characters/1?at=9",
    "/state?at=5",
    "/diff?from=3",
    "/what-if?without=5",
    "/findings?settled=true",
    "/bookmarks?mine=true",
    "/moves?blocked=true",
    "/sessions/3/replay?as=recorded",
)
#: Who listens to the feed hears a row at a time. These two are told what to compare, below.
LEFT_OUT = ("/feed", "/diff", "/what-if")
PATHS = [re.sub(r"\{([\w:]+)\}", lambda found: NAMES[found[1]], path) for path in ROUTES if not path.endswith(LEFT_OUT)]
EVERY = [*PATHS, *(f"{CAMPAIGN}{path}" for path in QUERIES), "/me", "/campaigns?order=desc&limit=1"]
#: A game master is shown more of these.
FOR_MASTERS = ("/invites", "/hooks", "/hooks/{hook}", "/export", "/findings", "/landmarks")


@pytest.fixture(scope="module")
def pair(postgres: Any) -> Iterator[Pair]:
    with paired(postgres.owner_url, SCHEMA) as pair:
        yield pair


class Evening:
    """A campaign that goes on and on, while somebody asks for `path`."""

    def __init__(self, pair: Pair, path: str) -> None:
        self.pair = pair
        self.path = path
        self.round = 0
        self.table = table = Table(pair.writing)
        table.fighters()
        table.gm.does("/sessions", {"title": "The bridge"})
        table.gm.does("/scenes", {"title": "At the gate", "cast": ["1", "2"]})
        table.gm.declare("mint", to="1", coins=5)
        table.gm.declare("mint", to="1", coins=2, hidden=True)
        table.gm.declare("give", char="1", to="2", coins=7)
        table.gm.declare("mint", to="1", coins=1)
        self.waiting = table.ben.does("/rulings", {"declare": HIT, "dice": "table"}, 202)["id"]
        table.gm.does("/rulings/5/dispute", {"reason": "no"}, 200)
        self.prepare()

    def url(self) -> str:
        there = {"campaign": self.table.id, "waiting": self.waiting, "hook": getattr(self, "hook", "")}
        return self.path.format(**there)

    def prepare(self) -> None:
        """What the next round puts an end to."""
        table = self.table
        if "hooks" in self.path:
            for one in table.gm.look("/hooks")["hooks"]:
                table.gm.send("DELETE", f"/hooks/{one['id']}")
            self.hook = table.gm.does("/hooks", {"url": URL, "events": ["fact"], "seat": "s3"})["id"]
            table.cleo.does(f"/hooks/{self.hook}/agree", {}, 200)
        if "invites" in self.path:
            self.invite = table.gm.does("/invites", {"name": "Eve", "role": "player"})["code"]
        self.pair.catch_up()

    def goes_on(self) -> None:
        """Of everything something, in several saves."""
        table, self.round = self.table, self.round + 1
        odd = self.round % 2
        assert table.gm.send("PATCH", "/seats/s2", json={"name": f"Ben {self.round}"}).status_code == 200
        table.gm.declare("mint", to="1", coins=3)
        table.gm.does("/characters/1/hand-over", {"seat": "s3" if odd else "s2"})
        table.gm.does(f"/rulings/5/{'overturn' if odd else 'reinstate'}", {"reason": "so"}, 200)
        for one in table.gm.look("/findings")["findings"][:1]:
            table.gm.does(f"/findings/{one['id']}/settle", {"how": "let-stand", "reason": "so"}, 200)
        if "bookmarks" in self.path or "export" in self.path:
            table.ben.does("/bookmarks", {"ruling": 8, "note": f"here {self.round}"})
            table.ben.does("/bookmarks", {"ruling": 8, "note": f"mine {self.round}", "mine": True})
        if "hooks" in self.path:
            table.cleo.token = table.gm.does("/seats/s3/token", {}, 200)["token"]
        if "invites" in self.path:
            assert self.pair.writing.send("POST", "/invites/use", json={"code": self.invite}).status_code == 201


def said(answer: httpx.Response) -> tuple[object, ...]:
    headers = [answer.headers.get(name) for name in ("Ledger-Position", "ETag", "Link")]
    return answer.status_code, headers, answer.content


def torn(pair: Pair, path: str, who: str) -> list[str]:
    """The answers that are of no one moment, each with the one before and the one after."""
    evening = Evening(pair, path)
    player: Player = getattr(evening.table, who)
    found, changed = [], 0
    for trips in range(1, MOST_TRIPS):
        url = evening.url()
        before = pair.read(url, player.bearer)
        between = pair.read_interrupted(url, player.bearer, trips, evening.goes_on)
        if between is None:
            break
        after = pair.read(url, player.bearer)
        changed += said(before) != said(after)
        if said(between) not in (said(before), said(after)):
            found.append(f"After {trips} round trips:\n" + "\n".join(map(_told, (before, between, after))))
        evening.prepare()
    assert trips > 1 and (changed or said(before)[0] != 200)
    return found


def _told(answer: httpx.Response) -> str:
    return f"{answer.status_code} at {answer.headers.get('Ledger-Position')}: {answer.text[:5000]}"


@pytest.mark.parametrize("path", sampled(EVERY, 3, salt="one moment"))
def test_a_save_amid_a_read_comes_before_or_after_all_of_it(pair: Pair, path: str) -> None:
    found = torn(pair, path, "ben")
    assert not found, found[0]


@pytest.mark.parametrize("path", sampled([path for path in PATHS if path.removeprefix(CAMPAIGN) in FOR_MASTERS], 2))
def test_nor_is_what_a_game_master_reads_torn(pair: Pair, path: str) -> None:
    found = torn(pair, path, "gm")
    assert not found, found[0]


@pytest.mark.parametrize("path", ["/accounts", "/timeline", "/rulings", "/landmarks", "/rulings/5/dossier"])
def test_views_that_stay_behind_answer_as_of_where_they_are(
    pair: Pair, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """Also who sits where, and what was settled, which the record knows better by now."""
    monkeypatch.setattr(reading, "MOST_LAG", 0.0)
    evening = Evening(pair, f"{CAMPAIGN}{path}")
    for player in (evening.table.gm, evening.table.ben):
        before = pair.read(evening.url(), player.bearer)
        evening.goes_on()
        behind = pair.read(evening.url(), player.bearer)
        evening.prepare()
        after = pair.read(evening.url(), player.bearer)
        assert said(behind) == said(before) != said(after)


@pytest.mark.nightly  # by default: a save amid the audit's document, above
def test_an_audit_amid_saves_finds_nothing(pair: Pair) -> None:
    """A record that goes on is no difference."""
    evening = Evening(pair, f"{CAMPAIGN}/audit")
    for trips in range(1, MOST_TRIPS):
        answer = pair.read_interrupted(evening.url(), evening.table.gm.bearer, trips, evening.goes_on)
        if answer is None:
            break
        assert answer.json()["differences"] == []
    assert trips > 10


def test_a_balance_is_that_of_the_position_told(pair: Pair) -> None:
    """As worked out from the answers to those who saved."""
    evening = Evening(pair, f"{CAMPAIGN}/accounts/character:1%2Fcoin?line=3")
    balances = {evening.table.position: 5 + 2 - 7 + 1}

    def mint() -> None:
        coins = 10 + len(balances)
        made = evening.table.gm.post("/rulings", {"declare": {"kind": "mint", "to": "1", "coins": coins}})
        assert made.status_code == 201
        balances[int(made.headers["Ledger-Position"])] = balances[max(balances)] + coins

    for trips in range(1, MOST_TRIPS):
        answer = pair.read_interrupted(evening.url(), evening.table.gm.bearer, trips, mint)
        if answer is None:
            break
        statement, balance = answer.json(), balances[int(answer.headers["Ledger-Position"])]
        assert statement["balance"] == balance, f"after {trips} round trips"
        assert statement["entries"][-1]["balance"] == statement["line"][-1]["balance"] == balance
    assert trips > 4
