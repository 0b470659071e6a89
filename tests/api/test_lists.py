"""Sessions, decisions and their filters: who has what since when, who decided what, for each seat what it may know."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.api.table import Json, Player, Table
from tests.api.test_cli import data, run

__all__ = ["run"]


@pytest.fixture
def evenings(table: Table) -> Table:
    """Two sessions: 1 and 2 enrol, 3 opens the first, 4 and 5 mint, 6 is a hit, 7 closes; 8 opens the second, 9 gives,
    10 mints in secret."""
    table.fighters()
    table.gm.does("/sessions", {"title": "The bridge"})
    table.gm.declare("mint", to="1", coins=5)
    table.gm.declare("mint", to="2", coins=3)
    table.hit(6)
    table.gm.does("/sessions/3/close")
    table.gm.does("/sessions", {"title": "The tower"})
    table.gm.declare("give", char="1", to="2", coins=2)
    table.gm.declare("mint", to="2", coins=77, hidden=True)
    return table


def totals(player: Player) -> list[dict[str, int]]:
    """By session: what changed, by owner."""
    return [
        {one["owner"]: one["change"] for one in session["totals"]} for session in player.look("/sessions")["sessions"]
    ]


def test_sessions_have_number_title_bounds_and_totals(evenings: Table) -> None:
    first, second = evenings.gm.look("/sessions")["sessions"]
    assert (first["id"], first["number"], first["title"], first["rulings"]) == ("3", 1, "The bridge", 5)
    assert (first["first"], first["last"], second["first"], second["last"]) == (3, 7, 8, 10)
    assert first["from"] < first["to"] < second["from"] and second["to"] is None
    assert first["totals"] == [
        {"owner": "character:1", "name": "Bruno", "unit": "coin", "change": 5},
        {"owner": "character:2", "name": "Celia", "unit": "coin", "change": 3},
    ]
    assert totals(evenings.gm)[1] == {"character:1": -2, "character:2": 79}
    page = evenings.gm.look("/sessions", limit=1, order="desc")
    assert [one["number"] for one in page["sessions"]] == [2] and page["next"]
    assert [one["number"] for one in evenings.gm.look("/sessions", after=3)["sessions"]] == [2]


def test_a_total_holds_nothing_that_is_hidden(evenings: Table) -> None:
    assert (
        totals(evenings.ben)
        == totals(evenings.dora)
        == [
            {"character:1": 5, "character:2": 3},
            {"character:1": -2, "character:2": 2},
        ]
    )
    assert totals(evenings.cleo)[1] == {"character:1": -2, "character:2": 79}


def test_totals_are_of_what_stands(evenings: Table) -> None:
    evenings.gm.does("/rulings/4/overturn", {"reason": "Nobody paid."}, 200)
    assert totals(evenings.gm)[0] == {"character:2": 3}
    evenings.gm.does("/rulings/4/reinstate", {"reason": "They did."}, 200)
    assert totals(evenings.gm)[0] == {"character:1": 5, "character:2": 3}


def test_a_session_whose_opening_was_overturned_is_marked(evenings: Table) -> None:
    evenings.gm.does("/rulings/8/overturn", {"reason": "We stopped."}, 200)
    assert [one["struck"] for one in evenings.gm.look("/sessions")["sessions"]] == [False, True]


def test_every_decision_is_listed_with_who_made_it(evenings: Table) -> None:
    evenings.ben.does("/rulings/6/dispute", {"reason": "I ducked."}, 200)
    evenings.gm.does("/rulings/6/uphold", {"reason": "You did not."}, 200)
    evenings.gm.does("/rulings/4/overturn", {"reason": "Nobody paid."}, 200)
    (finding, *_) = evenings.gm.look("/findings")["findings"]
    evenings.gm.does(f"/findings/{finding['id']}/settle", {"how": "let-stand", "reason": "So be it."}, 200)
    told = evenings.gm.look("/decisions")["decisions"]
    assert [(one["decision"], one["ruling"], one["by"]["name"], one["how"]) for one in told] == [
        ("disputed", 6, "Ben", None),
        ("upheld", 6, "Ann", None),
        ("overturned", 4, "Ann", None),
        ("settled", finding["ruling"], "Ann", "let-stand"),
    ]
    assert [one["reason"] for one in told][-1] == "So be it." and {one["session"] for one in told} == {"8"}

    def kinds(**query: Any) -> list[str]:
        return [one["decision"] for one in evenings.gm.look("/decisions", **query)["decisions"]]

    assert kinds(decision="disputed") == kinds(seat="s2") == ["disputed"]
    assert kinds(decision="settled") == ["settled"]
    assert kinds(ruling=6) == ["disputed", "upheld"]
    assert kinds(session="3") == []
    assert len(kinds(session="8")) == 4
    pages: list[Json] = []
    path = "/decisions?limit=1"
    while path:
        page = evenings.gm.look(path.removeprefix(f"/campaigns/{evenings.id}"))
        pages += page["decisions"]
        path = page["next"]
    assert pages == told
    assert evenings.gm.look("/decisions", order="desc")["decisions"] == told[::-1]


def test_each_seat_is_listed_the_decisions_that_it_sees_on_their_rulings(evenings: Table) -> None:
    evenings.gm.does("/rulings/10/overturn", {"reason": "No treasure."}, 200)
    evenings.gm.does("/rulings/4/overturn", {"reason": "Nobody paid.", "settle": "rerule"}, 200)
    for player in (evenings.gm, evenings.ben, evenings.cleo, evenings.dora):
        seen = [
            (ruling["number"], one["decision"], one["text"])
            for ruling in player.look("/rulings")["rulings"]
            for one in ruling["decisions"]
        ]
        told = player.look("/decisions")["decisions"]
        assert sorted((one["ruling"], one["decision"], one["text"]) for one in told) == sorted(seen)


def numbers(player: Player, **query: Any) -> list[int]:
    return [one["number"] for one in player.look("/rulings", **query)["rulings"]]


def test_rulings_by_target_and_by_unit(evenings: Table) -> None:
    assert numbers(evenings.gm, target="2", kind="hit") == [6]
    assert numbers(evenings.gm, target="2", unit="coin") == [5, 9, 10]
    assert numbers(evenings.ben, target="2", unit="coin") == [5, 9]
    assert numbers(evenings.gm, target="1", kind="give") == []
    assert numbers(evenings.gm, character="1", target="2") == [6, 9]
    assert evenings.gm.get("/rulings", target="9").status_code == 422
    assert evenings.gm.get("/rulings", unit="gold").json()["errors"][0]["allowed"]


def test_facts_accounts_and_entries_by_unit_and_session(evenings: Table) -> None:
    assert {one["ruling"] for one in evenings.gm.look("/timeline", unit="coin")["facts"]} == {4, 5, 9, 10}
    assert {one["ruling"] for one in evenings.ben.look("/timeline", unit="coin")["facts"]} == {4, 5, 9}
    assert evenings.gm.look("/accounts", unit="coin")["accounts"] == evenings.gm.look("/accounts")["accounts"]
    account = "/accounts/character:1/coin"
    assert [(one["session"], one["amount"]) for one in evenings.ben.look(account)["entries"]] == [("3", 5), ("8", -2)]
    assert [one["ruling"] for one in evenings.ben.look(account, session="8")["entries"]] == [9]
    assert evenings.ben.get(account, session="9").status_code == 422


def test_a_narrowed_statement_tells_of_no_hidden_account(evenings: Table) -> None:
    evenings.gm.declare("mint", to="1", coins=1)
    hidden = evenings.cleo.enrol("Cato")
    evenings.gm.declare("mint", to=hidden, coins=9, hidden=True)
    for query in ({}, {"session": "3"}, {"since": "1"}, {"until": "2"}):
        assert evenings.ben.get(f"/accounts/character:{hidden}/coin", **query).status_code == 404


def test_since_and_until_take_rulings_times_and_dates(evenings: Table) -> None:
    assert numbers(evenings.gm, since="4", until="6") == [4, 5, 6]
    began = evenings.gm.look("/rulings/5")["at"]
    assert numbers(evenings.gm, since=began, until=began) == [5]
    today = datetime.now(UTC).date()
    for day, found in ((today, 10), (today + timedelta(2), 0), (today - timedelta(2), 10)):
        assert len(numbers(evenings.gm, since=str(day))) == found
    assert len(numbers(evenings.gm, until=str(today + timedelta(1)))) == 10
    assert numbers(evenings.gm, until=str(today - timedelta(2))) == []
    assert {one["ruling"] for one in evenings.gm.look("/timeline", since="9")["facts"]} == {9, 10}
    assert [one["ruling"] for one in evenings.gm.look("/accounts/character:1/coin", until="8")["entries"]] == [4]
    assert [one["id"] for one in evenings.gm.look("/sessions", since="8")["sessions"]] == ["8"]
    evenings.ben.does("/rulings/6/dispute", {"reason": "I ducked."}, 200)
    assert len(evenings.gm.look("/decisions", since="10")["decisions"]) == 1
    assert evenings.gm.look("/decisions", until="10")["decisions"] == []
    for wrong in ("2026-02-30", "yesterday", "0"):
        assert evenings.gm.get("/rulings", since=wrong).status_code == 422
    assert evenings.gm.get("/rulings", since="99").status_code == 404


@pytest.mark.slow
def test_the_command_line_lists_the_same(evenings: Table, run: Any) -> None:
    evenings.ben.does("/rulings/6/dispute", {"reason": "I ducked."}, 200)
    sessions, decisions = evenings.gm.look("/sessions"), evenings.gm.look("/decisions")  # the views have followed then
    assert data(run("sessions", evenings.id, "--json")) == sessions["sessions"]
    assert data(run("decisions", evenings.id, "--json")) == decisions["decisions"]
    assert "Bruno +5 coin" in run("sessions", evenings.id).stdout
    assert "I ducked." in run("decisions", evenings.id, "--kind", "disputed", "--by", "s2").stdout
    run("decisions", evenings.id, "--kind", "guessed", ends=2)
    found = data(run("rulings", evenings.id, "--target", 2, "--unit", "coin", "--since", 6, "--json"))
    assert [one["number"] for one in found] == [9, 10]
    found = data(run("timeline", evenings.id, "--unit", "coin", "--until", 4, "--json"))
    assert [one["ruling"] for one in found] == [4]
    run("rulings", evenings.id, "--since", "yesterday", ends=2)


#: What a game master asks, and the requests that answer it.
QUESTIONS: dict[str, list[str]] = {
    "who has the most": ["/accounts?unit=coin"],
    "wealth over sessions": ["/sessions"],
    "who hurt whom": ["/rulings?target=2&kind=hit&view=brief"],
    "use of a rule": ["/rulings?rule=toy.hit&view=brief"],
    "luck per person": ["/dice/faces"],
    "state last Tuesday": ["/state?at=2026-11-24T23:59:59Z"],
    "everything about a person": ["/characters/1", "/characters/1/history?limit=500"],
    "totals per session": ["/sessions"],
    "two points in time compared": ["/diff?from=4&to=9"],
    "disputes and by whom": ["/decisions?decision=disputed"],
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_each_of_ten_questions_takes_a_request_or_two(evenings: Table, question: str) -> None:
    """None pages through all rulings: a list of rulings is narrowed by what is asked, and has no next page."""
    evenings.ben.does("/rulings/6/dispute", {"reason": "I ducked."}, 200)
    paths = QUESTIONS[question]
    if question == "state last Tuesday":
        paths = [f"/state?at={evenings.gm.look('/rulings/6')['at']}"]
    told = [evenings.gm.look(path) for path in paths]
    assert len(told) <= 2 and not any(one.get("next") for one in told)
    assert all(path.partition("?")[2] for path in paths if path.startswith("/rulings"))
    answer = told[-1]
    match question:
        case "who has the most":
            assert max(answer["accounts"], key=lambda one: one["balance"])["name"] == "Celia"
        case "wealth over sessions" | "totals per session":
            assert [len(one["totals"]) for one in answer["sessions"]] == [2, 2]
        case "who hurt whom":
            assert [one["text"] for one in answer["rulings"]] == ["Bruno hits Celia: Celia is hurt for 6."]
        case "use of a rule":
            assert [one["number"] for one in answer["rulings"]] == [6]
        case "luck per person":
            assert [(one["name"], one["dice"]) for one in answer["faces"]] == [("Ben", 1)]
        case "state last Tuesday":
            assert [one["name"] for one in answer["characters"]] == ["Bruno", "Celia"]
        case "everything about a person":
            assert {one["ruling"] for one in answer["facts"]} >= {1, 4, 9}
        case "two points in time compared":
            assert {one["number"] for one in answer["rulings"]} >= {6, 9}
        case _:
            assert [one["by"]["name"] for one in answer["decisions"]] == ["Ben"]
