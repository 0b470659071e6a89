"""What one seat may not see is in no answer to it, and not between the lines."""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import Any

import pytest

from ledger.rules.kernel.contract import Verdict
from ledger.rules.kernel.refusals import Refused
from tests.api.table import HIT, STAND, Player, Service, Table


@pytest.fixture
def secret(table: Table) -> Table:
    """3: 4100417 coins for Ben's character, hidden from everybody but him and the game master."""
    table.fighters()
    table.gm.declare("mint", to="1", coins=4100417, hidden=True)
    return table


def seen_by(player: Player, *paths: str) -> str:
    answers = [player.get(path) for path in paths]
    assert all(answer.status_code in (200, 404) for answer in answers)
    return " ".join(answer.text for answer in answers)


RESTS = "rests on what is hidden from you"
LOOKS = (
    "/rulings",
    "/rulings/3",
    "/characters/1",
    "/accounts",
    "/what-if?without=3",
    "/what-if?without=1",
    "/findings",
    "",
)


def test_who_may_see_it_does(secret: Table) -> None:
    for player in (secret.gm, secret.ben):
        assert player.look("/rulings/3")["facts"][0]["fact"] == {"coins": 4100417}
        assert player.look("/characters/1")["balances"][0]["balance"] == 4100417
        assert player.look("/what-if", without="3")["subjects"][0]["fields"][0]["before"] == 4100417


def test_nobody_else_sees_any_of_it(secret: Table) -> None:
    for player in (secret.cleo, secret.dora):
        ruling = player.look("/rulings/3")
        assert ruling["declared"] == {"kind": "mint"}, "that there is a ruling is public"
        assert (ruling["facts"], ruling["because"], ruling["answers"]) == ([], [], [])
        assert player.look("/characters/1")["balances"] == []
        assert player.look("/accounts")["accounts"] == []
        assert player.look("/what-if", without="3")["subjects"] == []
        assert player.look("/rulings", character="1")["rulings"][-1]["number"] == 1
        assert player.look("/rulings", rule="toy.coins")["rulings"] == []
        assert "4100417" not in seen_by(player, *LOOKS)
        assert "coin" not in seen_by(player, *LOOKS)


def test_spending_it_openly_does_not_tell_how_much_is_left(secret: Table) -> None:
    secret.ben.declare("give", char="1", to="2", coins=300300)
    assert secret.cleo.look("/accounts")["accounts"] == [
        {"account": "character:2/coin", "unit": "coin", "balance": 300300, "owner": "character:2", "name": "Celia"}
    ]
    assert secret.ben.look("/characters/1")["balances"][0]["balance"] == 3800117
    assert "3800117" not in seen_by(secret.cleo, *LOOKS)


def test_overturning_it_stays_between_those_who_knew(secret: Table) -> None:
    secret.ben.declare("give", char="1", to="2", coins=300300)
    preview = {"reason": "no", "preview": True}
    told = secret.gm.does("/rulings/3/overturn", preview, 200)
    assert {one["kind"] for one in told["findings"]} == {"loses support", "overdrawn"}
    secret.gm.does("/rulings/3/overturn", {"reason": "no"}, 200)
    assert {one["kind"] for one in secret.ben.look("/findings")["findings"]} == {"loses support", "overdrawn"}
    for player in (secret.cleo, secret.dora):
        assert player.look("/findings")["findings"] == [], "whether she could give them rests on how many there are"
        assert "character:1/coin" not in player.get("/findings").text
        assert "-300300" not in seen_by(player, "/findings", "/accounts", "", "/characters/1")
    secret.gm.does("/rulings/3/reinstate", {"reason": "yes"}, 200)
    assert "4100417" not in seen_by(secret.cleo, *LOOKS)


def test_a_hidden_difference_is_none_for_who_may_not_see_it(table: Table) -> None:
    """Without the enrolment the hidden ruling loses its support; who may not know it is told that he may not."""
    table.fighters()
    table.gm.declare("mint", to="1", coins=4100417, hidden=True)
    rows = table.cleo.look("/what-if", without="1", stands="true")["rulings"]
    assert [(row["number"], row["standpoint"]) for row in rows] == [(2, "stands"), (3, RESTS)]
    assert rows[1]["now"] is rows[1]["then"] is None


def test_a_past_that_hides_less_tells_no_more(monkeypatch: pytest.MonkeyPatch, table: Table) -> None:
    """3: a dial that hides, here the toy's die. Without it the mint would have been public, but in play it was not."""
    toy: Any = importlib.import_module("ledger.rules.toy")
    move = toy.move

    def hiding_by_dial(game: Any, do: Any) -> Any:
        verdict = move(game, do)
        hidden = ("gm",) if game.dials.die == 8 else None
        return Verdict(tuple(replace(fact, audience=hidden) for fact in verdict.facts), verdict.because)

    monkeypatch.setattr(toy, "move", hiding_by_dial)
    table.fighters()
    table.gm.does("/dials", {"die": 8, "reason": "secrets"})
    table.gm.declare("mint", to="1", coins=4100417)
    assert table.gm.look("/what-if", without="3", stands="true")["rulings"][0]["number"] == 4
    for without in ("3", "1", "1,3"):
        assert "4100417" not in table.cleo.get("/what-if", without=without).text


@pytest.mark.parametrize("refused", [False, True])
def test_whether_a_secret_would_be_another_tells_nothing(
    monkeypatch: pytest.MonkeyPatch, table: Table, refused: bool
) -> None:
    """3: a dial on which the secret of 4 depends. That it would come out otherwise would tell what it was."""
    toy: Any = importlib.import_module("ledger.rules.toy")
    move = toy.move

    def by_dial(game: Any, do: Any) -> Any:
        if refused and game.dials.die == 6:
            raise Refused("toy.coins", "too-many", audience=("gm",), coins=do.coins)
        facts = tuple(replace(one, fact=toy.CoinsMoved(do.coins * game.dials.die)) for one in move(game, do).facts)
        return Verdict(facts)

    monkeypatch.setattr(toy, "move", by_dial)
    table.fighters()
    table.gm.does("/dials", {"die": 8, "reason": "more"})
    table.gm.declare("mint", to="1", coins=2, hidden=True)
    kind = "loses support" if refused else "changes"

    def tells(player: Player) -> tuple[list[int], list[str], list[str]]:
        compared = player.look("/what-if", without="3")
        standpoints = [row["standpoint"] for row in compared["rulings"]]
        leaning = player.look("/rulings/3?leaning=true")["leaning"]
        return leaning, standpoints, [one["kind"] for one in compared["findings"]]

    assert tells(table.gm) == tells(table.ben) == ([4], [kind], [kind])
    for player in (table.cleo, table.dora):
        assert tells(player) == ([], [RESTS], [])
    table.gm.does("/rulings/3/overturn", {"reason": "as before"}, 200)
    assert [one["kind"] for one in table.gm.look("/findings")["findings"]] == [kind]
    if not refused:
        assert table.cleo.look("/findings")["findings"] == table.cleo.look()["findings"] == []


def test_who_takes_the_character_over_sees_what_its_player_sees(secret: Table) -> None:
    secret.ben.does("/characters/1/hand-over", {"seat": "s3"})
    assert secret.cleo.look("/characters/1")["balances"][0]["balance"] == 4100417
    assert secret.ben.look("/characters/1")["balances"] == []


def test_no_problem_echoes_what_was_sent(table: Table) -> None:
    """Tokens end up in wrong places; answers do not carry them further."""
    token = table.gm.token
    table.fighters()
    for body in (
        {"declare": {"kind": "mint", "to": "1", "coins": token}},
        {"declare": {"kind": "mint", "to": "1", "coins": 1, token: 1}},
        {"declare": {"kind": token}},
        {"declare": {"kind": "amend", "subject": "character:1", "field": "harm", "value": token, "reason": "x"}},
        {"declare": {"kind": "set-dial", "name": "die", "value": token, "reason": "x"}},
        {"declare": {"kind": "hit", "char": "1", "target": "2"}, "answers": [{token: 1}]},
        {"declare": {"kind": "hit", "char": "1", "target": "2"}, "dice": token},
        {token: 1},
        token,
    ):
        answer = table.ben.post("/rulings", body)
        assert answer.status_code in (403, 422)
        assert token not in answer.text
        answer = table.gm.post("/rulings", body)
        assert answer.status_code in (403, 422)


# --- rulings nobody may know of, questions nobody else may hear ---


@pytest.fixture
def whispers(monkeypatch: pytest.MonkeyPatch, table: Table) -> Table:
    """The toy with three more secrets: a hidden mint is a hidden ruling (3), what is asked of who is hit is between
    the two and the game master, and that somebody is broke only a game master is told."""
    toy: Any = importlib.import_module("ledger.rules.toy")
    move, ask = toy.move, toy.ask

    def secretly(game: Any, do: Any) -> Any:
        if do.coins == 666:
            raise Refused("toy.coins", "cursed", audience=("gm",), coins=do.coins)
        verdict = move(game, do)
        hidden = ("gm", f"character:{do.to}") if getattr(do, "hidden", False) else None
        return Verdict(tuple(replace(fact, audience=None) for fact in verdict.facts), verdict.because, hidden)

    monkeypatch.setattr(toy, "move", secretly)
    monkeypatch.setattr(toy, "ask", lambda seat, *kinds, slot: ask(seat, *kinds, slot=slot, audience=(seat, "gm")))
    table.fighters()
    table.gm.declare("mint", to="1", coins=4100417, hidden=True)
    table.ben.declare("give", char="1", to="2", coins=300300)
    return table


def test_a_bookmark_on_a_hidden_ruling_is_for_those_who_know_of_it(whispers: Table) -> None:
    made = whispers.ben.does("/bookmarks", {"ruling": 3, "note": "Our bribe."})
    for player in (whispers.gm, whispers.ben):
        assert [one["note"] for one in player.look("/bookmarks")["bookmarks"]] == ["Our bribe."]
    for player in (whispers.cleo, whispers.dora):
        assert player.look("/bookmarks")["bookmarks"] == []
        assert "Our bribe" not in player.get("/export").text
        assert "Our bribe" not in seen_by(player, "/export", *LOOKS)
        assert player.post("/bookmarks", {"ruling": 3, "note": "?"}).status_code == 404
    assert whispers.cleo.send("DELETE", f"/bookmarks/{made['id']}").status_code == 404


def test_a_hidden_ruling_is_not_there_for_the_others(whispers: Table) -> None:
    for player in (whispers.gm, whispers.ben):
        assert player.look("/rulings/3")["number"] == 3
        assert player.look("/rulings/1?leaning=true")["leaning"] == [3, 4]
        assert 3 in [row["number"] for row in player.look("/what-if", without="1")["rulings"]]
    for player in (whispers.cleo, whispers.dora):
        assert [one["number"] for one in player.look("/rulings")["rulings"]] == [1, 2, 4]
        assert player.look("/rulings/1?leaning=true")["leaning"] == [], "4 spends what is hidden"
        assert [row["number"] for row in player.look("/what-if", without="1", stands="true")["rulings"]] == [2, 4]
        for path in ("/rulings/3", "/what-if?without=3", "/what-if?without=1,3"):
            hidden, absent = player.get(path), player.get(path.replace("3", "9"))
            assert hidden.status_code == absent.status_code == 404
            assert hidden.text.replace("3", "9") == absent.text
        assert player.post("/rulings/3/dispute", {"reason": "what is it?"}).status_code == 404
        assert "4100417" not in seen_by(player, *LOOKS)
        assert player.look("/characters/1")["balances"] == [], "its facts are as secret as it is"


def test_findings_of_a_hidden_ruling_are_hidden_too(whispers: Table) -> None:
    whispers.gm.does("/rulings/3/overturn", {"reason": "no"}, 200)
    assert {one["kind"] for one in whispers.ben.look("/findings")["findings"]} == {"loses support", "overdrawn"}
    assert whispers.cleo.look("/findings")["findings"] == []
    assert whispers.cleo.look()["findings"] == []


def test_a_secret_question_is_heard_by_who_is_asked(whispers: Table) -> None:
    waiting = whispers.ben.declare("hit", status=202, char="1", target="2")
    assert waiting["declared"]["target"] == "2"
    assert waiting["question"] is None, "he knows what he declared, not what she is asked"
    assert whispers.cleo.look("/waiting")["waiting"][0]["question"]["asked"]["name"] == "Cleo"
    assert whispers.gm.look("/waiting")["waiting"][0]["question"]["choices"][0]["kind"] == "dodge"
    (seen,) = whispers.dora.look("/waiting")["waiting"]
    assert (seen["declared"], seen["question"], seen["by"]["name"]) == ({"kind": "hit"}, None, "Ben")
    number = whispers.cleo.does(f"/waiting/{waiting['id']}/answers", {"answer": STAND})["number"]
    heard = {
        name: len(getattr(whispers, name).look(f"/rulings/{number}")["answers"]) for name in ("cleo", "gm", "dora")
    }
    assert heard == {"cleo": 2, "gm": 2, "dora": 1}


def test_the_numbers_of_a_secret_refusal_are_for_some(whispers: Table) -> None:
    told = whispers.gm.tries("mint", to="1", coins=666).json()
    assert (told["code"], told["context"]) == ("cursed", {"coins": 666})
    refused = whispers.ben.tries("give", char="1", to="2", coins=666)
    assert (refused.json()["code"], refused.json()["context"]) == ("cursed", {})


def test_the_entries_of_a_statement_are_counted_by_who_reads_it(secret: Table) -> None:
    """3: in secret; 4, 5: openly. Two saves later the second is still the second."""
    for coins in (5, 6):
        secret.gm.declare("mint", to="1", coins=coins)

    def numbers(player: Player, **query: Any) -> list[tuple[int, int]]:
        told = player.look("/accounts/character:1/coin", **query)["entries"]
        return [(one["number"], one["ruling"]) for one in told]

    clocks: tuple[dict[str, Any], ...] = ({}, {"at": 5, "as": "recorded"}, {"at": 5, "as": "corrected"})
    for clock in clocks:
        assert numbers(secret.ben, **clock) == [(1, 3), (2, 4), (3, 5)]
        assert numbers(secret.cleo, **clock) == [(1, 4), (2, 5)]
        assert numbers(secret.cleo, **clock, after=1) == [(2, 5)]
    following = secret.cleo.get("/accounts/character:1/coin", limit=1).headers["Link"]
    assert "after=1" in following


def test_dials_that_hide_are_held_otherwise_by_who_decides_only(secret: Table) -> None:
    for player in (secret.ben, secret.dora):
        answer = player.get("/what-if", dial="open:true")
        assert (answer.status_code, answer.json()["code"]) == (403, "dial-hides")
        assert player.get("/what-if", dial="die:8").status_code == 200
    assert secret.gm.look("/what-if", dial="open:true")["dials"] == {"open": True}


def test_nobody_corrects_what_rests_on_what_is_hidden_from_them(service: Service) -> None:
    """Where all players decide: whether so many coins could be given would tell how many there are."""
    table = Table(service, deciders="all_players")
    table.fighters()
    table.gm.declare("mint", to="1", coins=7, hidden=True)
    number = table.ben.declare("give", char="1", to="2", coins=3)["number"]
    for coins in (4, 400):
        for preview in (True, False):
            body = {
                "reason": "?",
                "code": "entry",
                "preview": preview,
                "declare": {"kind": "give", "char": "1", "to": "2", "coins": coins},
            }
            answer = table.cleo.post(f"/rulings/{number}/revise", body)
            assert (answer.status_code, answer.json()["code"]) == (403, "rests-on-hidden")
    body = {**body, "preview": True, "declare": {"kind": "give", "char": "1", "to": "2", "coins": 4}}
    assert table.gm.does(f"/rulings/{number}/revise", body, 200)["revised"] == [number]


def test_what_waits_has_no_new_version_for_who_may_not_hear_the_answer(whispers: Table) -> None:
    declare = {"declare": {"kind": "hit", "char": "1", "target": "2"}, "dice": "table"}
    waiting = whispers.ben.does("/rulings", declare, 202)["id"]
    whispers.cleo.does(f"/waiting/{waiting}/answers", {"answer": STAND}, 202)

    def version(player: Player) -> int:
        return int(player.look("/waiting")["waiting"][0]["version"])

    assert {name: version(getattr(whispers, name)) for name in ("gm", "ben", "cleo", "dora")} == {
        "gm": 2,
        "ben": 2,
        "cleo": 2,
        "dora": 1,
    }


@pytest.mark.parametrize("seen", [0, 3])
def test_adjusting_tells_no_balance(service: Service, seen: int) -> None:
    """Where all players decide: whether there is enough would tell how much there is, or that there is anything."""

    def told(hidden: int) -> list[tuple[int, str]]:
        table = Table(service, deciders="all_players")
        table.fighters()
        if seen:
            table.gm.declare("mint", to="1", coins=seen)
        if hidden:
            table.gm.declare("mint", to="1", coins=hidden, hidden=True)
        mint = table.gm.declare("adjust", **moved(1, source="bank/coin", target="character:2/coin"))["number"]
        answers = [table.cleo.tries("adjust", **moved(coins)) for coins in (1, 4, 41, 10_000)]
        for coins in (1, 4, 10_000):
            body = {"reason": "?", "code": "entry", "declare": {"kind": "adjust", **moved(coins)}}
            answers.append(table.cleo.post(f"/rulings/{mint}/revise", body))
        if hidden:
            assert table.ben.tries("adjust", **moved(hidden + seen + 1)).json()["context"]["short"] == 1
            table.gm.declare("adjust", **moved(hidden + seen))
        return [(answer.status_code, answer.text) for answer in answers]

    def moved(coins: int, source: str = "character:1/coin", target: str = "bank/coin") -> dict[str, Any]:
        return {"source": source, "target": target, "unit": "coin", "amount": coins, "reason": "?"}

    one, *others = (told(hidden) for hidden in ((1, 40, 9_000) if seen else (0, 1, 40, 9_000)))
    assert all(other == one for other in others)
    assert {status for status, _ in one} == ({403} if seen else {422})


def test_no_finding_is_settled_by_who_may_not_know_of_it(service: Service) -> None:
    """Its id follows from what it is about, debts and all: it could be guessed until one is there."""
    table = Table(service, deciders="all_players")
    table.fighters()
    table.gm.declare("mint", to="1", coins=7, hidden=True)
    table.ben.declare("give", char="1", to="2", coins=5)
    table.gm.does("/rulings/3/overturn", {"reason": "no"}, 200)
    ids = [one["id"] for one in table.gm.look("/findings")["findings"]]
    assert len(ids) == 2
    for id in ids:
        for reason, status in (("?", 404), (" ", 422)):
            body = {"how": "let-stand", "reason": reason}
            there, absent = (table.cleo.post(f"/findings/{one}/settle", body) for one in (id, id[:-1]))
            assert (there.status_code, there.text) == (status, absent.text.replace(id[:-1], id))
        assert table.ben.post(f"/findings/{id}/settle", {"how": "let-stand", "reason": "so be it"}).status_code == 200
    settled = {one: len(one.look("/findings", settled="true")["findings"]) for one in (table.gm, table.ben, table.cleo)}
    assert settled == {table.gm: 2, table.ben: 2, table.cleo: 0}


def test_who_is_not_asked_is_told_so_whatever_the_rules_would_say(
    monkeypatch: pytest.MonkeyPatch, table: Table
) -> None:
    """What waits may have become impossible by what is hidden: that is told to who is asked."""
    toy: Any = importlib.import_module("ledger.rules.toy")
    hit = toy.hit

    def for_money(game: Any, do: Any) -> Any:
        if game.balance(toy.coins_of(do.char)) < 1:
            raise Refused("toy.coins", "coins-short", coins=1)
        return (yield from hit(game, do))

    monkeypatch.setattr(toy, "hit", for_money)
    table.fighters()
    table.gm.declare("mint", to="1", coins=7, hidden=True)
    waiting = table.ben.does("/rulings", {"declare": HIT, "dice": "table"}, 202)["id"]
    path, body = f"/waiting/{waiting}/answers", {"answer": STAND}
    before = table.dora.post(path, body)
    table.gm.does("/rulings/3/overturn", {"reason": "no"}, 200)
    after = table.dora.post(path, body)
    assert (after.status_code, after.text) == (before.status_code, before.text) == (403, before.text)
    assert table.cleo.post(path, body).json()["code"] == "coins-short"
