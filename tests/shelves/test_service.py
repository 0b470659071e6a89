"""The service on four shelves: what is asked of all campaigns together, and what leads to one without its id."""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from psycopg.conninfo import make_conninfo
from typer.testing import CliRunner

from api.app import create_app
from api.cli.main import app as program
from ledger.application import Ledger
from ledger.events.database_check import PROJECTOR_ROLE
from ledger.events.shelves import find_shelf_number
from projections.views.projector import Projector
from tests.api.conftest import OPERATOR, serving
from tests.api.process import process
from tests.api.table import Service, Table, described
from tests.api.test_feed import listening
from tests.kernel.conftest import KEY, service_url
from tests.schemas import PASSWORD
from tests.shelves.conftest import SCHEMA, SHELVES


@pytest.fixture(scope="module")
def service(ledger: Ledger, database: str) -> Iterator[Service]:
    stop = threading.Event()
    app = create_app(ledger, operator_token=OPERATOR)
    with Projector(make_conninfo(database, user=PROJECTOR_ROLE, password=PASSWORD), SCHEMA) as projector:
        projector.make_tables()
        following = threading.Thread(target=projector.follow, args=(stop,), daemon=True)
        following.start()
        with serving(app) as address, httpx.Client(base_url=address, timeout=120) as client:
            yield Service(client, OPERATOR, described(app.openapi), app)
        stop.set()
        following.join(120)


@pytest.fixture(scope="module")
def tables(service: Service) -> list[Table]:
    """Campaigns in the order in which they were opened, some on each shelf, by chance of their keys."""
    tables = [Table(service) for _ in range(6)]
    while len({find_shelf_number(one.id, SHELVES) for one in tables}) < SHELVES:
        tables.append(Table(service))
    for one in tables:
        one.fighters()
    return tables


def listed(service: Service, **query: Any) -> list[str]:
    """Page by page."""
    found, path = list[str](), httpx.URL("/campaigns", params=query)
    while True:
        answer = service.send("GET", str(path), {"Authorization": f"Bearer {OPERATOR}"})
        assert answer.status_code == 200, answer.text
        found += [one["id"] for one in answer.json()["campaigns"]]
        following = answer.links.get("next")
        if following is None:
            return found
        path = httpx.URL(following["url"])


@pytest.mark.parametrize("limit", [1, 2, 50])
def test_campaigns_are_listed_in_one_order_whatever_shelf_they_stand_on(
    service: Service, tables: list[Table], limit: int
) -> None:
    ours = {one.id for one in tables}
    for order, wanted in (("asc", tables), ("desc", tables[::-1])):
        found = [one for one in listed(service, limit=limit, order=order) if one in ours]
        assert found == [one.id for one in wanted]


def test_a_code_leads_to_its_campaign_on_whatever_shelf(service: Service, tables: list[Table]) -> None:
    for one in tables[:SHELVES]:
        made = one.gm.does("/invites", {"name": "Eva", "role": "player"})
        for said in ({"code": made["code"]}, {"code": made["code"]}):
            answer = service.send("POST", "/invites/use", {"Idempotency-Key": f"the-same-{one.id}"}, json=said)
            assert answer.status_code == 201 and answer.json()["campaign"] == one.id, answer.text
        linked = one.gm.does("/invites", {"name": "Ida", "role": "player"})
        answer = service.send(
            "POST",
            "/invites/use",
            {"Idempotency-Key": str(uuid.uuid4())},
            json={"secret": linked["link"].rpartition("#")[2]},
        )
        assert answer.status_code == 201 and answer.json()["campaign"] == one.id
    nothing = service.send("POST", "/invites/use", {"Idempotency-Key": str(uuid.uuid4())}, json={"code": "0000-0000"})
    assert nothing.status_code == 404


def test_a_listener_hears_of_its_own_campaign(tables: list[Table]) -> None:
    for one in tables[:SHELVES]:
        with listening(one.dora) as feed:
            one.gm.declare("mint", to="1", coins=7)
            told = feed.until_it_says(lambda data: data.get("kind") == "toy.coins-moved")
        assert told


def test_a_fork_and_its_origin_may_stand_apart(service: Service, tables: list[Table]) -> None:
    while True:
        made = tables[0].gm.does("/fork", {"at": 1})
        token = made["seat"]["token"]
        answer = service.send("GET", f"/campaigns/{made['id']}", {"Authorization": f"Bearer {token}"})
        assert answer.status_code == 200 and answer.json()["id"] == made["id"]
        if find_shelf_number(made["id"], SHELVES) != find_shelf_number(tables[0].id, SHELVES):
            break


def test_readiness_asks_all(service: Service, tables: list[Table]) -> None:
    assert service.client.get("/readyz").status_code == 200


@pytest.fixture
def environment(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (
        ("OWNER_URL", database),
        ("DATABASE_URL", service_url(database)),
        ("SCHEMA", SCHEMA),
        ("SERVER_KEY", KEY.decode()),
        ("PROJECTOR_URL", make_conninfo(database, user=PROJECTOR_ROLE, password=PASSWORD)),
    ):
        monkeypatch.setenv(f"LEDGER_{name}", value)


@pytest.mark.usefixtures("environment")
def test_the_operator_sees_where_what_stands(tables: list[Table]) -> None:
    said = CliRunner().invoke(program, ["shelves", "--json"])
    rows = json.loads(said.stdout)["data"]
    assert said.exit_code == 0 and [row["number"] for row in rows] == list(range(SHELVES))
    assert [row["schema"] for row in rows] == [SCHEMA, *(f"{SCHEMA}_{shelf}" for shelf in range(1, SHELVES))]
    assert sum(row["campaigns"] for row in rows) >= len(tables)
    assert all(row["status"] == "here" and row["events"] and row["bytes"] > 10_000 and row["server"] for row in rows)
    shown = CliRunner().invoke(program, ["shelves"])
    assert shown.exit_code == 0 and f"{SCHEMA}_2" in shown.stdout


@pytest.mark.usefixtures("environment")
def test_views_of_one_shelf_are_built_anew(tables: list[Table]) -> None:
    assert CliRunner().invoke(program, ["rebuild", "--shelf", "1"]).exit_code == 0
    wrong = CliRunner().invoke(program, ["rebuild", "--shelf", str(SHELVES)])
    assert wrong.exit_code == 2 and f"0 to {SHELVES - 1}" in wrong.stderr


@pytest.mark.nightly
def test_a_service_that_is_told_another_number_does_not_start(database: str, tmp_path: Any) -> None:
    with (
        pytest.raises(AssertionError, match="has 4 shelves, not 5"),
        process(tmp_path, service_url(database), SCHEMA, KEY, OPERATOR, SHELVES="5"),
    ):
        pass
    with process(tmp_path, service_url(database), SCHEMA, KEY, OPERATOR, SHELVES="4") as running:
        assert running.popen.poll() is None
