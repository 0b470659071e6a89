"""A hook tells what the service itself wrote in its row, and nothing to whoever can write to the table alone."""

from __future__ import annotations

import uuid
from typing import Any

import psycopg
import pytest

from ledger.application import Ledger
from tests.api.conftest import SCHEMA
from tests.api.hooks.conftest import Delivery, caught_up
from tests.api.hooks.receiver import Receiver
from tests.api.hooks.test_deliveries import as_it_is, coins, hook, mint
from tests.api.table import Table

NOT_SIGNED = "not signed by this service"
FORGED = f"""INSERT INTO {SCHEMA}.hooks SELECT %(new)s, campaign, url, events, 's1', 1, made_by, made_at, request,
    answered, 'on', NULL, position, place FROM {SCHEMA}.hooks WHERE id = %(id)s"""


@pytest.mark.parametrize(
    "change",
    [
        "seat = 's1', generation = 1",
        "seat = 's2', generation = 1",
        "url = url || '/elsewhere'",
        "events = '{fact,decision,waiting}'",
        "made_by = 's4'",
        "signature = NULL",
    ],
)
def test_a_hook_that_something_else_has_changed_is_told_nothing_more(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger, service_url: str, change: str
) -> None:
    table.fighters()
    made = hook(table.gm, receiver)
    with psycopg.connect(service_url, autocommit=True) as login:
        login.execute(f"UPDATE {SCHEMA}.hooks SET {change} WHERE id = %s".encode(), [made["id"]])
    mint(table, 1, hidden=True)
    mint(table, 2)
    caught_up(table, ledger)
    delivery.turn()
    assert receiver.received == []
    ended = as_it_is(table, made["id"])
    assert ended["status"] == "ended" and NOT_SIGNED in ended["text"]


def test_a_hook_that_something_else_has_made_is_told_nothing(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger, service_url: str
) -> None:
    table.fighters()
    made, new = hook(table.gm, receiver), uuid.uuid4().hex[:13]
    with psycopg.connect(service_url, autocommit=True) as login:
        login.execute(FORGED.encode(), {"new": new, "id": made["id"]})
    mint(table, 1, hidden=True)
    mint(table, 2)
    caught_up(table, ledger)
    delivery.turn()
    assert coins(receiver) == [2], "as everybody at the table sees it, once"
    assert as_it_is(table, new)["status"] == "ended"


def test_a_hook_is_on_for_a_seat_only_once_that_has_agreed(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger, service_url: str
) -> None:
    table.fighters()
    made = hook(table.gm, receiver, seat="s2")
    with psycopg.connect(service_url, autocommit=True) as login:
        login.execute(f"UPDATE {SCHEMA}.hooks SET status = 'on' WHERE id = %s".encode(), [made["id"]])
    mint(table, 1)
    caught_up(table, ledger)
    delivery.turn()
    assert receiver.received == [] and as_it_is(table, made["id"])["status"] == "ended"


def test_nobody_agrees_to_a_hook_that_something_else_has_changed(
    table: Table, receiver: Receiver, service_url: str
) -> None:
    made = hook(table.gm, receiver, seat="s2")
    with psycopg.connect(service_url, autocommit=True) as login:
        update = f"UPDATE {SCHEMA}.hooks SET url = url || '/elsewhere' WHERE id = %s"
        login.execute(update.encode(), [made["id"]])
    for seen in (as_it_is(table, made["id"]), table.gm.look("/hooks")["hooks"][-1]):
        assert seen["status"] == "ended" and NOT_SIGNED in seen["text"]
    answer = table.ben.post(f"/hooks/{made['id']}/agree", {})
    assert (answer.status_code, answer.json()["code"]) == (409, "hook-ended")


def test_hooks_of_before_there_were_signatures_tell_what_they_told(
    table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger, service_url: str, postgres: Any
) -> None:
    table.fighters()
    kept, changed = (hook(table.gm, receiver) for _ in range(2))
    values = "id, jsonb_build_array(campaign, url, events, seat, generation, made_by)"
    with psycopg.connect(postgres.owner_url, autocommit=True) as owner:
        owner.execute(f"UPDATE {SCHEMA}.hooks SET signature = NULL".encode())
        owner.execute(f"INSERT INTO {SCHEMA}.hooks_of_before SELECT {values} FROM {SCHEMA}.hooks".encode())
    with psycopg.connect(service_url, autocommit=True) as login:
        update = f"UPDATE {SCHEMA}.hooks SET seat = 's1', generation = 1 WHERE id = %s"
        login.execute(update.encode(), [changed["id"]])
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            login.execute(f"UPDATE {SCHEMA}.hooks_of_before SET id = id".encode())
    mint(table, 1)
    caught_up(table, ledger)
    delivery.turn()
    assert coins(receiver) == [1]
    assert as_it_is(table, kept["id"])["status"] == "on" and as_it_is(table, changed["id"])["status"] == "ended"
