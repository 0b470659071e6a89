"""Whoever has a token finds out where they sit; the operator finds every campaign."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import httpx
import pytest

from api.app import create_app
from ledger.application import Ledger
from projections.views.projector import Projector
from tests.api.conftest import serving
from tests.api.table import Json, Player, Service, Table, described


def me(player: Player) -> Json:
    answer = player.table.service.send("GET", "/me", player.bearer)
    assert answer.status_code == 200 and int(answer.headers["Ledger-Position"]) == player.table.position
    told: Json = answer.json()
    return told


def listed(service: Service, headers: dict[str, str], **query: object) -> list[Json]:
    answer = service.send("GET", "/campaigns", headers, params=query)
    assert answer.status_code == 200, answer.text
    found: list[Json] = answer.json()["campaigns"]
    return found


def test_a_token_says_whose_it_is(table: Table) -> None:
    table.fighters()
    table.gm.does("/characters/2/retire", {"reason": "He goes home."})
    assert me(table.ben) == {
        "campaign": table.id,
        "campaign_name": "A table",
        "system": "toy",
        "seat": "s2",
        "name": "Ben",
        "role": "player",
        "characters": [{"id": "1", "name": "Bruno", "seat": "s2", "retired": False}],
    }
    assert [one["retired"] for one in me(table.cleo)["characters"]] == [True]
    assert (me(table.gm)["role"], me(table.gm)["characters"]) == ("gm", [])
    assert (me(table.dora)["role"], me(table.dora)["seat"]) == ("observer", table.dora.id)
    table.gm.does("/characters/1/hand-over", {"seat": table.cleo.id})
    assert me(table.ben)["characters"] == [] and len(me(table.cleo)["characters"]) == 2
    table.gm.send("PATCH", "/seats/s2", json={"name": "Benjamin"})
    assert me(table.ben)["name"] == "Benjamin"


def test_what_opens_nothing_is_nobodys(service: Service, table: Table) -> None:
    """Alike whether there is such a campaign or not."""
    dead = table.cleo.bearer
    table.gm.does("/seats/s3/token", None, 200)
    nobodys = [dead, *({"Authorization": f"Bearer {one}"} for one in (f"{table.id}.s9.x", "nowhere.s1.x"))]
    for path in ("/me", "/campaigns"):
        assert service.send("GET", path).status_code == 401
        assert service.send("GET", path, {"Authorization": "Bearer nonsense"}).status_code == 401
        told = {service.send("GET", path, headers).text for headers in nobodys}
        assert len(told) == 1 and "token-unknown" in told.pop()
        assert service.send("GET", f"{path}?x=1", nobodys[1]).status_code == 401, "before any mistake"
        assert service.send("GET", f"{path}?x=1", table.gm.bearer).status_code == 422
    assert service.send("GET", "/me", service.operator).status_code == 401, "the operator sits nowhere"


def test_a_seat_finds_its_own_campaign_and_the_operator_every_one(service: Service, table: Table) -> None:
    other = Table(service)
    other.fighters()
    (mine,) = listed(service, table.ben.bearer)
    assert (mine["id"], mine["name"], mine["system"], mine["edition"]) == (table.id, "A table", "toy", 1)
    assert (mine["rulings"], mine["position"]) == (0, table.position)
    every = list(pages(service, service.operator, 500))
    assert mine in every and len({one["id"] for one in every}) == len(every)
    (last,) = [one for one in every if one["id"] == other.id]
    assert (last["rulings"], last["position"]) == (2, other.position) and last["at"] > last["opened_at"]


def pages(service: Service, bearer: dict[str, str], limit: int, more: str = "") -> Iterator[Json]:
    """All of them, by following the links: other tests' campaigns, too."""
    path = f"/campaigns?limit={limit}{more}"
    while path is not None:
        answer = service.send("GET", path, bearer)
        yield from answer.json()["campaigns"]
        path = answer.json()["next"]
        assert path is None or answer.headers["Link"].startswith(f'<{path}>; rel="next"')


def test_campaigns_come_in_pages(service: Service, table: Table) -> None:
    Table(service), Table(service)
    few = [one["id"] for one, _ in zip(pages(service, service.operator, 2), range(9), strict=False)]
    every = [one["id"] for one in pages(service, service.operator, 500)]
    assert few == every[: len(few)] and len(few) > 2
    newest = pages(service, service.operator, 2, "&order=desc")
    assert [one["id"] for one, _ in zip(newest, range(9), strict=False)] == every[: -len(few) - 1 : -1]


@pytest.fixture
def runs_open(ledger: Ledger, views: Projector) -> Iterator[Service]:
    app = create_app(ledger, operator_token=None)
    with serving(app) as address, httpx.Client(base_url=address, timeout=120) as client:
        yield Service(client, str(uuid.uuid4()), described(app.openapi))


def test_where_the_service_runs_open_anybody_finds_every_campaign(runs_open: Service, table: Table) -> None:
    assert table.id in [one["id"] for one in pages(runs_open, {}, 500)]
    assert [one["id"] for one in listed(runs_open, table.ben.bearer)] == [table.id]
    assert runs_open.send("GET", "/campaigns", {"Authorization": "Bearer nonsense"}).status_code == 401
    assert runs_open.send("GET", "/campaigns?x=1").status_code == 422
