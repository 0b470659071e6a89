"""An audit finds nothing in a healthy campaign, whatever was decided in it; and whatever was tampered with."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from ledger.application import Ledger
from ledger.rules.kernel.contract import step
from projections.views.projector import Projector
from tests.api.conftest import SCHEMA
from tests.api.table import Json, Table, rolled


@pytest.fixture
def quarrel(table: Table) -> Table:
    """Everything that can be decided: overturned, reinstated, revised, ruled again; a secret; a seat removed."""
    ada, bo = table.fighters()
    table.gm.declare("mint", to=ada, coins=5)
    table.hit(6)
    table.hit(5)
    table.ben.declare("give", char=ada, to=bo, coins=3)
    table.gm.declare("mint", to=bo, coins=100, hidden=True)
    table.gm.does("/rulings/5/overturn", {"reason": "no"}, 200)
    table.gm.does("/rulings/5/reinstate", {"reason": "yes"}, 200)
    table.gm.does("/rulings/4/revise", {"reason": "a typo", "code": "entry", "answers": [None, rolled(2)]}, 200)
    table.gm.does("/rulings/3/overturn", {"reason": "no", "settle": "rerule"}, 200)
    table.gm.declare("amend", subject=f"character:{bo}", field="harm", value=0, reason="so")
    table.gm.does("/rulings/3/dispute", {"reason": "so"}, 409)
    assert table.gm.send("PATCH", "/seats/s4", json={"removed": True}).status_code == 200
    table.hit(3)
    return table


def audit(table: Table) -> Json:
    return table.gm.look("/audit")


def test_a_healthy_campaign_has_no_difference_whatever_was_decided(quarrel: Table) -> None:
    found = audit(quarrel)
    assert found["differences"] == []
    assert (found["rulings"], found["position"]) == (9, quarrel.position)
    assert found["readjudicated"] >= 11
    assert found["healthy"] is (not found["findings"])
    assert quarrel.cleo.look("/audit")["differences"] == []


def test_open_findings_are_told(table: Table) -> None:
    ada, bo = table.fighters()
    table.gm.declare("mint", to=ada, coins=5)
    table.ben.declare("give", char=ada, to=bo, coins=3)
    table.gm.does("/rulings/3/overturn", {"reason": "no"}, 200)
    found = audit(table)
    assert (found["healthy"], found["differences"]) == (False, [])
    assert found["findings"] == table.gm.look("/findings")["findings"] != []


FACT = "topic LIKE 'toy.coins-moved%%' AND originator_id = %(campaign)s || '/character/1'"
CHANGE = "UPDATE {{s}}.ledger_events SET state = replace(convert_from(state, 'utf8'), '{}', '{}')::bytea WHERE "
RULED = "originator_id = %(campaign)s || '/ruling/4' AND originator_version = 1"
MINE = " WHERE campaign = %(campaign)s AND "
TAMPERING: dict[str, tuple[str, str, int | None]] = {
    "another amount": (CHANGE.format('"coins":5', '"coins":6') + FACT, "ruling", 3),
    "another posting": (CHANGE.format('"amount":5', '"amount":9') + FACT, "ruling", 3),
    "another die": (CHANGE.format('"faces":[6]', '"faces":[5]') + RULED, "ruling", 4),
    "another number in a step": (CHANGE.format('"given":{{"die":', '"given":{{"die":1') + RULED, "because", 4),
    "a field nobody knows": (CHANGE.format('"coins":5', '"coins":5,"more":1') + FACT, "journal", None),
    "an event missing": ("DELETE FROM {s}.ledger_events WHERE " + FACT, "journal", None),
    "a salt": (CHANGE.format('"salt":"', '"salt":"x') + FACT, "seal", None),
    "a row of the seal": ("UPDATE {s}_views.seal SET nodes = sha256(nodes)" + MINE + "number = 0", "seal", None),
    "a balance": ("UPDATE {s}_views.accounts SET balance = balance + 1" + MINE + "owner = 'bank'", "view", None),
    "a sheet": ("UPDATE {s}_views.sheets SET purse = '{{}}'" + MINE + "subject = 'character:1'", "view", None),
    "a view": (
        "UPDATE {s}_views.rulings SET document = replace(document, 'standing', 'upheld')" + MINE + "number = 3",
        "view",
        3,
    ),
}


@pytest.mark.parametrize("how", TAMPERING)
def test_whatever_was_tampered_with_is_found(table: Table, postgres: Any, views: Projector, how: str) -> None:
    ada, _ = table.fighters()
    table.gm.declare("mint", to=ada, coins=5)
    table.hit(6)
    assert audit(table)["healthy"]
    query, what, ruling = TAMPERING[how]
    with tampered(postgres.owner_url, query, table.id):
        found = audit(table)
    assert not found["healthy"]
    assert (what, ruling) in [(one["what"], one["ruling"]) for one in found["differences"]], found["differences"]


@contextmanager
def tampered(owner_url: str, query: str, campaign: str) -> Iterator[None]:
    """One row is changed behind the ledger's back, and put back at the end."""
    events = f"{SCHEMA}.ledger_events"
    mine = f"originator_id LIKE '{campaign}/%%'"
    with psycopg.connect(owner_url, autocommit=True) as connection:

        def run(statement: str) -> int:
            return connection.execute(statement.format(s=SCHEMA).encode(), {"campaign": campaign}).rowcount

        run(f"ALTER TABLE {events} DISABLE TRIGGER append_only")
        run(f"CREATE TEMPORARY TABLE kept AS SELECT * FROM {events} WHERE {mine}")
        assert run(query) == 1
        yield
        run(f"DELETE FROM {events} WHERE {mine}")
        run(f"INSERT INTO {events} OVERRIDING SYSTEM VALUE SELECT * FROM kept")
        run(f"ALTER TABLE {events} ENABLE ALWAYS TRIGGER append_only")


def test_what_a_seat_may_not_know_is_left_out(quarrel: Table) -> None:
    response = quarrel.cleo.get("/audit")
    assert "100" not in str(response.json()["differences"])


OLDER = CHANGE.format('"edition":1', '"edition":0')


def test_rulings_of_another_edition_are_counted_and_are_no_difference(table: Table, postgres: Any) -> None:
    table.fighters()
    table.hit(6)
    before = audit(table)
    assert (before["healthy"], before["not_told_again"], before["rules_installed"]) == (True, 0, True)
    query = OLDER + "originator_id = %(campaign)s || '/ruling/3' AND originator_version = 1"
    with tampered(postgres.owner_url, query, table.id):
        found = audit(table)
    assert (found["not_told_again"], found["older_edition"]) == (1, [3])
    assert {one["what"] for one in found["differences"]} == {"view", "seal"}, "of what was changed in the record"
    assert found["readjudicated"] == before["readjudicated"] - 1
    assert before["judged"] == [{"edition": 1, "judged": 3, "of": 3}]
    assert found["judged"] == [{"edition": 0, "judged": 0, "of": 1}, {"edition": 1, "judged": 2, "of": 2}]
    assert before["summary"] == "Healthy. The ledger checked 3 of 3 rulings."
    assert found["summary"].endswith(
        ". The ledger checked 2 of 3 rulings (0 of 1 from edition 0, 2 of 2 from edition 1)."
    )


def test_rules_that_give_other_reasons_for_the_same_facts_are_found(
    table: Table, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Told of the telling that stands and of earlier ones; nothing of it says what the reasons are."""
    table.fighters()
    table.hit(6)
    table.gm.does("/rulings/3/revise", {"reason": "a typo", "code": "entry", "answers": [None, rolled(2)]}, 200)
    assert audit(table)["healthy"]
    rules = sys.modules["ledger.rules.toy"]
    monkeypatch.setattr(rules, "step", lambda rule, out, /, *more, **given: step(rule, out, *more, **given, luck=7))
    found = audit(table)
    of_the_hit = [one for one in found["differences"] if one["ruling"] == 3]
    assert [one["what"] for one in of_the_hit] == ["because", "because"]
    assert not found["healthy"] and "luck" not in str(found["differences"])


def test_an_audit_without_the_rules_says_what_it_can(
    table: Table, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, _ = table.fighters()
    table.gm.declare("mint", to=ada, coins=5)
    table.hit(6)
    whole = audit(table)
    monkeypatch.setattr("ledger.application.rulesets.systems", dict)
    codec = ledger.codec
    for topic in [topic for topic in codec._readers if topic.startswith("toy.")]:
        monkeypatch.delitem(codec._readers, topic)
    monkeypatch.setattr("ledger.events.codec.systems", dict)
    ledger.get_book(table.id).reset()
    answer = table.service.client.get(f"/campaigns/{table.id}/characters/{ada}", headers=table.gm.bearer)
    assert (answer.status_code, answer.json()["code"]) == (500, "system-missing")
    found = audit(table)
    assert (found["healthy"], found["rules_installed"]) == (True, False)
    assert found["summary"] == "Healthy. The ledger checked 0 of 4 rulings (0 of 4 from edition 1)."
    assert (found["rulings"], found["not_told_again"], found["readjudicated"]) == (4, 4, 0)
    assert [one for one in found["differences"] if one["what"] not in ("view", "seal")] == []
    assert found["events"] == whole["events"]
