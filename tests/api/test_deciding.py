"""Disputes, overturning and what follows from it."""

from __future__ import annotations

import json

import pytest

from projections.documents import comparisons
from tests.api.table import Json, Table


@pytest.fixture
def quarrel(table: Table) -> Table:
    """1, 2: enrolled with 10 health. 3: mint 5 to 1. 4: 1 gives 4 to 2. 5: 2 is hit for 6. 6: 2 gives 1 to 1."""
    table.fighters(health=10)
    table.gm.declare("mint", to="1", coins=5)
    table.ben.declare("give", char="1", to="2", coins=4)
    table.hit(6)
    table.cleo.declare("give", char="2", to="1", coins=1)
    return table


def test_a_dispute_is_upheld_and_appealed(quarrel: Table) -> None:
    disputed = quarrel.dora.post("/rulings/5/dispute", {"reason": "I saw a 5"})
    assert disputed.headers["ETag"] == '"2"'
    assert (disputed.json()["status"], disputed.json()["changed"]) == ("disputed", None)
    assert quarrel.gm.does("/rulings/5/uphold", {"reason": "it was a 6"}, 200)["status"] == "upheld"
    quarrel.cleo.does("/rulings/5/dispute", {"reason": "I appeal"}, 200)
    history = quarrel.cleo.look("/rulings/5")["decisions"]
    assert [(one["decision"], one["by"]["name"], one["reason"]) for one in history] == [
        ("disputed", "Dora", "I saw a 5"),
        ("upheld", "Ann", "it was a 6"),
        ("disputed", "Cleo", "I appeal"),
    ]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("5/uphold", 409),
        ("5/reinstate", 409),
        ("4/dispute", 409),
        ("99/dispute", 404),
        ("0/dispute", 422),
        ("x/dispute", 422),
    ],
)
def test_a_decision_needs_its_status(quarrel: Table, path: str, status: int) -> None:
    quarrel.gm.does("/rulings/4/overturn", {"reason": "out"}, 200)
    before = quarrel.position
    refused = quarrel.gm.post(f"/rulings/{path}", {"reason": "because"})
    assert refused.status_code == status
    assert quarrel.position == before


@pytest.mark.parametrize(
    "body", [{}, {"reason": "  "}, {"reason": None}, {"reason": "x", "more": 1}, {"reason": "x" * 4001}]
)
@pytest.mark.parametrize("command", ["dispute", "overturn"])
def test_a_decision_needs_a_reason(quarrel: Table, command: str, body: Json) -> None:
    before = quarrel.position
    assert quarrel.gm.post(f"/rulings/5/{command}", body).status_code == 422
    assert quarrel.position == before


def test_a_preview_tells_what_overturning_then_does(quarrel: Table) -> None:
    before = quarrel.position
    previewed = quarrel.gm.does("/rulings/4/overturn", {"reason": "never happened", "preview": True}, 200)
    assert quarrel.position == before, "nothing was saved"
    assert previewed == quarrel.dora.look("/what-if", without="4"), "what any seat can see"
    assert [(row["number"], row["standpoint"]) for row in previewed["rulings"]] == [(6, "loses support")]
    assert previewed["counts"] == {
        "stands": 1,
        "changes": 0,
        "loses support": 1,
        "needs dice": 0,
        "rests on what is hidden from you": 0,
    }
    row = previewed["rulings"][0]
    assert row["now"]["facts"][0]["postings"][0]["amount"] == 1
    assert row["then"]["refusal"]["code"] == "coins-short"
    assert row["then"]["refusal"]["statement"] == "Nobody gives coins not held."
    assert [(one["name"], one["fields"]) for one in previewed["subjects"]] == [
        ("Bruno", [{"field": "balances/character:1~1coin", "before": 2, "after": 6}]),
        ("Celia", [{"field": "balances/character:2~1coin", "before": 3, "after": -1}]),
    ]
    overturned = quarrel.gm.does("/rulings/4/overturn", {"reason": "never happened"}, 200)
    assert overturned["changed"] == previewed
    assert (overturned["status"], overturned["facts"][0]["struck"]) == ("overturned", True)
    assert quarrel.dora.look("/findings")["findings"] == previewed["findings"]
    assert {(one["kind"], one["ruling"], one["account"]) for one in previewed["findings"]} == {
        ("loses support", 6, None),
        ("overdrawn", None, "character:2/coin"),
    }
    debt = next(one["text"] for one in previewed["findings"] if one["kind"] == "overdrawn")
    assert debt == "Now that ruling 4 has changed, Celia is 1 short: coin."
    assert quarrel.dora.look()["findings"] == previewed["findings"]
    balances = {one["account"]: one["balance"] for one in quarrel.dora.look("/accounts")["accounts"]}
    assert balances == {"character:1/coin": 6, "character:2/coin": -1}


def test_reinstating_puts_everything_back(quarrel: Table) -> None:
    before = [quarrel.dora.look(path) for path in ("/accounts", "/characters/1", "/findings")]
    quarrel.gm.does("/rulings/4/overturn", {"reason": "never happened"}, 200)
    position = quarrel.position
    previewed = quarrel.gm.does("/rulings/4/reinstate", {"reason": "?", "preview": True}, 200)
    assert quarrel.position == position, "nothing was saved"
    back = quarrel.gm.does("/rulings/4/reinstate", {"reason": "it did"}, 200)
    assert back["changed"] == previewed
    assert back["status"] == "standing"
    assert back["changed"]["restored"] == [4]
    assert back["facts"][0]["struck"] is False
    after = [quarrel.dora.look(path) for path in ("/accounts", "/characters/1", "/findings")]
    before[1]["version"] = after[1]["version"]
    assert after == before


def test_several_are_overturned_at_once(quarrel: Table) -> None:
    overturned = quarrel.gm.does("/rulings/4/overturn", {"reason": "no gifts", "also": [6]}, 200)
    assert overturned["decisions"][0]["also"] == [6]
    assert quarrel.dora.look("/rulings/6")["status"] == "overturned"
    assert quarrel.dora.look("/findings")["findings"] == []
    assert [one["number"] for one in quarrel.dora.look("/rulings", status="overturned")["rulings"]] == [4, 6]


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"also": [4]}, 422),
        ({"also": [6, 6]}, 422),
        ({"also": [99]}, 404),
        ({"also": ["6"]}, 422),
        ({"also": [True]}, 422),
        ({"settle": "anew"}, 422),
        ({"preview": "yes"}, 422),
        ({"preview": 1}, 422),
    ],
)
def test_an_overturning_that_cannot_be(quarrel: Table, more: Json, status: int) -> None:
    before = quarrel.position
    assert quarrel.gm.post("/rulings/4/overturn", {"reason": "no", **more}).status_code == status
    assert quarrel.position == before


def test_leaning_names_what_rests_on_a_ruling(quarrel: Table) -> None:
    assert quarrel.dora.look("/rulings/4?leaning=true")["leaning"] == [6]
    assert quarrel.dora.look("/rulings/1?leaning=true")["leaning"] == [3, 4, 5, 6]
    assert quarrel.dora.look("/rulings/5?leaning=true")["leaning"] == []
    assert quarrel.dora.look("/rulings", kind="hit")["rulings"][0]["leaning"] is None, "lists do not work it out"


@pytest.mark.parametrize("without", ["", "4,", "x", "0", "99", "-1", "4,,6", "9" * 40])
def test_a_what_if_about_nothing(quarrel: Table, without: str) -> None:
    assert quarrel.dora.get("/what-if", without=without).status_code in (404, 422)


def test_a_what_if_takes_several(quarrel: Table) -> None:
    seen = quarrel.dora.look("/what-if", without="6,4,6")
    assert seen["without"] == [4, 6]
    assert (seen["rulings"], seen["counts"]["stands"]) == ([], 1)


def test_what_stands_is_told_where_it_is_asked_for_a_page_at_a_time(quarrel: Table) -> None:
    whole = quarrel.dora.look("/what-if", without="2", stands="true")
    numbers = [row["number"] for row in whole["rulings"]]
    assert (numbers, whole["more"]) == ([3, 4, 5, 6], None)
    assert {row["standpoint"] for row in whole["rulings"]} > {"stands"}
    first = quarrel.dora.look("/what-if", without="2", stands="true", limit="3")
    until = [one for one in whole["findings"] if one["ruling"] is None or one["ruling"] <= 5]
    assert first == {**whole, "rulings": whole["rulings"][:3], "more": 5, "findings": until}
    rest = quarrel.dora.look("/what-if", without="2", stands="true", limit="3", after=str(first["more"]))
    after = [one for one in whole["findings"] if one["ruling"] is None or one["ruling"] > 5]
    assert rest == {**whole, "rulings": whole["rulings"][3:], "findings": after}
    brief = quarrel.dora.look("/what-if", without="2")
    assert brief == {**whole, "rulings": [row for row in whole["rulings"] if row["standpoint"] != "stands"]}


def test_a_long_answer_is_told_a_page_at_a_time(monkeypatch: pytest.MonkeyPatch, quarrel: Table) -> None:
    """As much as fits, at least one ruling and one subject; what was left out can be asked for."""
    whole = quarrel.dora.look("/what-if", without="2")
    assert len(whole["rulings"]) > 2 and len(whole["findings"]) > 2 and whole["more_subjects"] == 0
    monkeypatch.setattr(comparisons, "ROOM", len(json.dumps(whole["rulings"][:2])))
    monkeypatch.setattr(comparisons, "ROOM_OF_SUBJECTS", 1)
    found: list[Json] = []
    more: int | None = 0
    while more is not None:
        page = quarrel.dora.look("/what-if", without="2", after=str(more))
        assert 0 < len(page["rulings"]) <= 2 and page["counts"] == whole["counts"]
        assert (page["subjects"], page["more_subjects"]) == (whole["subjects"][:1], len(whole["subjects"]) - 1)
        found.append(page)
        more = page["more"]
    assert [row for page in found for row in page["rulings"]] == whole["rulings"]
    assert {one["id"] for page in found for one in page["findings"]} == {one["id"] for one in whole["findings"]}
    assert len(found[0]["findings"]) < len(whole["findings"])
    assert quarrel.dora.look("/what-if", without="2", limit="200") == whole
    decided = quarrel.gm.does("/rulings/2/overturn", {"reason": "no"}, 200)["changed"]
    assert decided["rulings"] == found[0]["rulings"]


def test_findings_are_settled(quarrel: Table) -> None:
    quarrel.gm.does("/rulings/4/overturn", {"reason": "never happened"}, 200)
    first, second = quarrel.gm.look("/findings")["findings"]
    path = f"/findings/{first['id']}/settle"
    before = quarrel.position
    assert quarrel.cleo.post(path, {"how": "let-stand", "reason": "fine"}).status_code == 403
    for body in ({"how": "let-stand"}, {"how": "ignored", "reason": "x"}, {"how": "let-stand", "reason": " "}):
        assert quarrel.gm.post(path, body).status_code == 422
    assert quarrel.gm.post("/findings/99-1/settle", {"how": "let-stand", "reason": "x"}).status_code == 404
    assert quarrel.position == before
    settled = quarrel.gm.does(path, {"how": "let-stand", "reason": "fine"}, 200)
    made = {"settled": "let-stand", "reason": "fine", "by": {"seat": "s1", "name": "Ann"}}
    assert settled == {**first, **made, "at": settled["at"]}
    assert quarrel.gm.look("/findings")["findings"] == [second]
    assert quarrel.gm.post(path, {"how": "let-stand", "reason": "fine"}).status_code == 404
    for ruling in filter(None, (first["ruling"], first["cause"])):
        assert quarrel.cleo.look("/findings", settled="true", ruling=str(ruling))["findings"] == [settled]
    assert quarrel.cleo.look("/findings", ruling=str(second["cause"]))["findings"] == [second]
    assert quarrel.cleo.look("/findings", settled="true", ruling="1")["findings"] == []
    assert quarrel.cleo.get("/findings", ruling="99").status_code == 422
