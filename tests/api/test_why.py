"""Why a value is what it is: the chain down to rulings, rules and dice."""

from __future__ import annotations

import json

import pytest

from projections.documents.subjects import flatten
from tests.api.table import Json, Player, Table, rolled


@pytest.fixture
def quarrel(table: Table) -> Table:
    """Ruling 3 and 4 hit Celia for 6 and 5, 5 sets her harm to 1, 6 hits for 2; 3 is overturned, 6 revised to 4."""
    table.fighters()
    table.hit(6)
    table.hit(5)
    table.gm.declare("amend", subject="character:2", field="harm", value=1, reason="a salve")
    table.hit(2)
    table.gm.does("/rulings/3/overturn", {"reason": "out of reach"}, 200)
    table.gm.does("/rulings/6/revise", {"reason": "a typo", "code": "entry", "answers": [None, rolled(4)]}, 200)
    return table


def why(player: Player, field: str, **query: object) -> Json:
    return player.look(f"/characters/2/why/{field}", **({"full": True} | query))


def test_down_to_the_dice_and_who_entered_them(quarrel: Table) -> None:
    told = why(quarrel.dora, "harm")
    assert (told["value"], quarrel.dora.look("/characters/2")["state"]["harm"]) == (5, 5)
    steps = [(one["ruling"]["number"], one["before"], one["after"], one["struck"]) for one in told["chain"]]
    assert steps == [
        (2, None, 0, False),
        (3, 0, 6, True),
        (4, 0, 5, False),
        (5, 5, 1, False),
        (6, 1, 3, True),
        (6, 1, 5, False),
    ]
    hit = told["chain"][2]
    assert hit["fact"]["fact"] == {"amount": 5}
    (rule,) = hit["ruling"]["because"]
    assert (rule["rule"], rule["statement"], rule["out"]) == ("toy.hit", "A hit does what the die shows.", 5)
    (dice,) = [one for one in hit["ruling"]["answers"] if "dice" in one["answer"]]
    assert (dice["answer"]["dice"]["faces"], dice["answer"]["dice"]["source"], dice["by"]["name"]) == (
        [5],
        "table",
        "Ben",
    )
    overturned = told["chain"][1]["ruling"]
    assert (overturned["status"], overturned["decisions"][0]["reason"]) == ("overturned", "out of reach")
    amended = told["chain"][3]
    assert (amended["fact"]["kind"], amended["fact"]["fact"]["reason"]) == ("ledger.amended", "a salve")


def test_as_it_was_known_then(quarrel: Table) -> None:
    told = why(quarrel.dora, "harm", at=4, **{"as": "recorded"})
    assert (told["value"], [one["struck"] for one in told["chain"]]) == (11, [False, False, False])
    assert why(quarrel.dora, "harm", at=4)["value"] == 5


@pytest.mark.parametrize("field", ["state/harm", "name", "seat", "health", "retired"])
def test_every_field_has_a_chain_that_ends_with_its_value(quarrel: Table, field: str) -> None:
    told = why(quarrel.ben, field)
    assert told["chain"] or field == "retired"
    assert not told["chain"] or told["chain"][-1]["after"] == told["value"]


def test_balances_have_one_too(table: Table) -> None:
    table.fighters()
    table.gm.declare("mint", to="1", coins=5)
    table.ben.declare("give", char="1", to="2", coins=2)
    told = why(table.dora, "balances/character:2/coin")
    assert told["value"] == 2
    assert [one["fact"]["kind"] for one in told["chain"]] == ["ledger.leg"]
    assert told["chain"][0]["ruling"]["declared"]["kind"] == "give"
    assert told == {**why(table.dora, "balances/character:2~1coin"), "field": "balances/character:2/coin"}


def test_what_is_secret_explains_nothing(table: Table) -> None:
    table.fighters()
    table.gm.declare("mint", to="2", coins=77, hidden=True)
    assert table.dora.get("/characters/2/why/balances/character:2/coin").status_code == 404
    assert why(table.cleo, "balances/character:2/coin")["value"] == 77
    assert "77" not in json.dumps(table.ben.look("/characters/2/why/name")["chain"][0]["fact"])


def test_brief_unless_everything_is_asked_for(quarrel: Table) -> None:
    brief, full = why(quarrel.dora, "harm", full=False), why(quarrel.dora, "harm")
    told = ("declared", "answers", "because", "dials", "decisions")
    for short, long in zip(brief["chain"], full["chain"], strict=True):
        assert short == {**long, "ruling": {**long["ruling"], **dict.fromkeys(told)}}
    assert (brief["earlier"], full["earlier"]) == (0, 0)


def test_the_last_of_a_long_chain(table: Table) -> None:
    table.fighters()
    for value in range(1, 31):
        table.gm.declare("amend", subject="character:2", field="harm", value=value, reason="again")
    brief, full = why(table.ben, "harm", full=False), why(table.ben, "harm")
    assert (brief["earlier"], len(brief["chain"]), len(full["chain"])) == (11, 20, 31)
    assert [one["after"] for one in brief["chain"]] == [one["after"] for one in full["chain"]][11:]


def test_every_field_that_is_shown_can_be_asked_for_by_its_pointer(table: Table) -> None:
    """Also a balance, by its place in the document; and the campaign's own."""
    table.fighters()
    table.gm.declare("mint", to="2", coins=5)
    shown = table.ben.look("/characters/2")
    for pointer, value in flatten({part: shown[part] for part in ("name", "seat", "state", "balances")}).items():
        if not pointer.endswith(("/account", "/unit")) and pointer != "balances":
            assert why(table.ben, pointer)["value"] == value, pointer
    assert table.ben.look("/why/name")["value"] == table.ben.look("")["name"]


def test_what_there_is_where_a_field_is_not(table: Table) -> None:
    table.fighters()
    table.gm.declare("mint", to="2", coins=77, hidden=True)
    told = {seat: seat.get("/characters/2/why/state/harn") for seat in (table.ben, table.cleo)}
    for answer in told.values():
        assert answer.status_code == 404
        problem = answer.json()
        assert (problem["code"], problem["context"]["did_you_mean"]) == ("field-not-found", "state/harm")
        for field in problem["context"]["allowed"]:
            assert table.cleo.get(f"/characters/2/why/{field}").status_code == 200, field
    accounts = [seat.get("/characters/2/why/nothing").json()["context"]["allowed"] for seat in told]
    assert ["balances/character:2/coin" in there for there in accounts] == [False, True]


@pytest.mark.parametrize("field", ["no", "harm/0", "traits/0", "balances", "state", "balances/x", "~", "0"])
def test_a_field_that_never_was(quarrel: Table, field: str) -> None:
    assert quarrel.ben.get(f"/characters/2/why/{field}").status_code == 404


def test_who_there_is_none_of(quarrel: Table) -> None:
    assert quarrel.ben.get("/characters/99/why/harm").status_code == 404


def test_recorded_before_an_overturning_is_what_was_answered_then(table: Table) -> None:
    table.fighters()
    table.hit(6)
    then = table.dora.look("/characters/2")
    saved = table.gm.look("/timeline")["facts"][-1]["at"]
    table.gm.does("/rulings/3/overturn", {"reason": "no"}, 200)
    for at in (3, saved):
        now = table.dora.look("/characters/2", at=at, **{"as": "recorded"})
        assert json.dumps([now[part] for part in ("name", "state", "balances", "adrift")]) == json.dumps(
            [then[part] for part in ("name", "state", "balances", "adrift")]
        )
    assert table.dora.look("/characters/2", at=saved)["state"]["harm"] == 0
    assert table.dora.get("/characters/2", at="2001-01-01T00:00:00Z").status_code == 404


def test_as_it_was_recorded_no_later_decision_shows(table: Table) -> None:
    """Histories and derivations, too, answer as they did then: byte for byte, whatever was decided since."""
    table.fighters()
    table.hit(6)
    paths = ("/characters/2/history", "/characters/2/why/harm", "/characters/2", "/accounts", "/timeline")

    def told() -> dict[str, bytes]:
        return {path: table.dora.get(path, at=3, **{"as": "recorded"}).content for path in paths}

    before = told()
    assert b"standing" in before["/characters/2/history"] and b"standing" in before["/characters/2/why/harm"]
    table.ben.does("/rulings/3/dispute", {"reason": "out of reach"}, 200)
    assert told() == before
    table.gm.does("/rulings/3/overturn", {"reason": "so it was"}, 200)
    assert told() == before
    table.gm.does("/rulings/3/reinstate", {"reason": "it was not"}, 200)
    told_again = [{"choice": {"kind": "stand"}}, {"dice": {"sides": 6, "faces": [1]}}]
    table.gm.does("/rulings/3/revise", {"reason": "a typo", "code": "entry", "answers": told_again}, 200)
    assert told() == before
    history = table.dora.look("/characters/2/history")["facts"]
    assert {one["behind"]["status"] for one in history if one["ruling"] == 3} == {"revised"}
