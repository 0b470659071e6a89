"""Hooks as whoever runs the service has them: delivered by it, listed, stopped, switched off, not brought along."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from typer.testing import CliRunner

from api.cli.main import app
from api.service.environment import ServiceSettings
from api.service.options import read_options
from ledger.application import Ledger
from ledger.errors import Fault
from tests.api.conftest import KEY, OPERATOR, SCHEMA
from tests.api.hooks.conftest import Delivery, caught_up
from tests.api.hooks.receiver import Receiver
from tests.api.hooks.test_deliveries import coins, hook, mint
from tests.api.process import process
from tests.api.table import Service, Table
from tests.api.test_export import bring, elsewhere, exported, keep_views
from tests.settings import settings_of

__all__ = ["elsewhere"]  # the fixture: another service, on an empty schema


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, postgres: Any, service_url: str) -> Any:
    monkeypatch.setenv("LEDGER_OWNER_URL", postgres.owner_url)
    monkeypatch.setenv("LEDGER_DATABASE_URL", service_url)
    monkeypatch.setenv("LEDGER_SCHEMA", SCHEMA)
    monkeypatch.setenv("LEDGER_SERVER_KEY", KEY.decode())

    def invoke(*words: str, ends: int = 0) -> Any:
        result = CliRunner().invoke(app, ["hooks", *words])
        assert result.exit_code == ends, result.output
        return result

    return invoke


def test_the_operator_lists_hooks_and_of_their_addresses_the_host(
    run: Any, table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger
) -> None:
    table.fighters()
    made = hook(table.gm, receiver)
    other = hook(Table(table.service).gm, receiver)
    receiver.answers = [500]
    mint(table, 1)
    caught_up(table, ledger)
    delivery.turn()
    rows = json.loads(run("--json").stdout)["data"]
    assert {row["id"] for row in rows} == {made["id"], other["id"]}
    (row,) = json.loads(run(table.id, "--json").stdout)["data"]
    assert (row["id"], row["campaign"], row["status"], row["seat"]) == (made["id"], table.id, "on", None)
    assert row["to"] == f"http://127.0.0.1:{receiver.port}/…" and row["last_problem"] == "The address returned 500."
    shown = run().stdout
    assert (
        made["id"] in shown
        and "The address returned 500." in shown
        and "/hook" not in shown.replace("campaign-ledger", "")
    )
    assert made["secret"] not in shown


def test_the_operator_stops_one(run: Any, table: Table, receiver: Receiver, delivery: Delivery, ledger: Ledger) -> None:
    table.fighters()
    made, other = hook(table.gm, receiver), hook(table.gm, receiver, seat="s1")
    mint(table, 1)
    caught_up(table, ledger)
    run("--stop", made["id"])
    delivery.turn()
    assert coins(receiver) == [1], "the other one's"
    told = {one["id"]: (one["status"], one["text"]) for one in table.gm.look("/hooks")["hooks"]}
    assert told[made["id"]] == ("stopped", "Stopped: The operator of the service stopped it.")
    assert told[other["id"]][0] == "on"
    assert "is already " in run("--stop", made["id"], ends=3).stderr
    assert "lists them" in run("--stop", "nothing", ends=3).stderr
    assert "lists them" in run("another-campaign", "--stop", other["id"], ends=3).stderr


def test_a_service_delivers(
    tmp_path: Path, table: Table, receiver: Receiver, delivery: Delivery, service_url: str
) -> None:
    """The whole of it: a process of its own, with what the operator allows."""
    with process(tmp_path, service_url, SCHEMA, KEY, OPERATOR, HOOK_ALLOW="127.0.0.1") as running:
        url = f"{running.address}/campaigns/{table.id}/hooks"
        body = {"url": receiver.url, "events": ["fact"]}
        made = httpx.post(url, json=body, headers=table.gm.bearer)
        assert made.status_code == 201, made.text
        table.fighters()
        mint(table, 7)
        while coins(receiver) != [7]:
            receiver.next()
        figures = httpx.get(f"{running.address}/metrics").text
        assert 'ledger_hook_deliveries_total{outcome="delivered"}' in figures
        assert running.stop() == 0
        log = running.said
    secret = made.json()["secret"].removeprefix("whsec_")
    assert secret not in log and receiver.url not in log


def test_what_may_be_said_of_hooks() -> None:
    usual = read_options(settings_of(ServiceSettings, {}), runs_open=True)
    assert usual.may_send_hooks and not usual.hook_allow.hosts and not usual.hook_allow.networks
    said = {"LEDGER_HOOKS": "OFF", "LEDGER_HOOK_ALLOW": "bot.lan, 10.0.0.0/8"}
    chosen = read_options(settings_of(ServiceSettings, said), runs_open=True)
    assert not chosen.may_send_hooks and chosen.hook_allow.hosts == {"bot.lan"} and len(chosen.hook_allow.networks) == 1
    with pytest.raises(Fault, match=r"LEDGER_HOOKS must be on or off.\nLEDGER_HOOK_ALLOW must be hosts and networks"):
        settings_of(ServiceSettings, {"LEDGER_HOOKS": "perhaps", "LEDGER_HOOK_ALLOW": "*"})


def test_a_campaign_that_is_imported_has_no_hooks(
    table: Table,
    receiver: Receiver,
    delivery: Delivery,
    elsewhere: Service,
    postgres: Any,
) -> None:
    table.fighters()
    hook(table.gm, receiver)
    mint(table, 1)
    brought = bring(elsewhere, exported(table.gm))
    assert brought.status_code == 201, brought.text
    keep_views(postgres)
    headers = {"Authorization": f"Bearer {brought.json()['seat']['token']}"}
    assert elsewhere.send("GET", f"/campaigns/{table.id}/hooks", headers).json() == {"hooks": []}
    with psycopg.connect(postgres.owner_url) as owner:
        assert owner.execute("SELECT count(*) FROM api_tests_elsewhere.hooks").fetchall() == [(0,)]
