"""A campaign whose record is not as its journal says answers a clear problem; others go on, and /readyz counts it."""

from __future__ import annotations

from typing import Any

import pytest

from api.run.views import make_views_check
from api.service.readiness import Readiness
from ledger.application import Ledger
from projections.views.projector import Projector
from tests.api.conftest import OPERATOR, SCHEMA
from tests.api.table import Service, Table
from tests.kernel.tampering import Tampering
from tests.waiting import wait_until


@pytest.mark.anyio
async def test_only_its_own_pages_are_problems(
    table: Table, service: Service, ledger: Ledger, service_url: str, views: Projector, caplog: pytest.LogCaptureFixture
) -> None:
    ada, _ = table.fighters()
    table.gm.declare("mint", to=ada, coins=5)
    other = Table(service)
    record = Tampering(service_url, SCHEMA, table.id)
    last = record.copy(f"character/{ada}", 3)
    wait_until(lambda: table.id in views.list_stopped_campaigns())

    def get(path: str, token: str) -> Any:
        headers = {"Authorization": f"Bearer {token}"}
        return service.client.get(f"/campaigns/{table.id}{path}", headers=headers)

    for path in ("/timeline", "/accounts", "/feed", "/seal", "/rulings"):
        answer = get(path, table.gm.token)
        assert (answer.status_code, answer.json()["code"]) == (500, "views-stopped"), path
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert "character/" not in answer.text
    for token in (table.gm.token, OPERATOR):
        answer = get("/export", token)
        assert (answer.status_code, answer.json()["code"]) == (500, "event-unnamed")
    assert f"does not list character/{ada} version {last}." in caplog.text
    found = table.gm.look("/audit")
    assert not found["healthy"] and {one["what"] for one in found["differences"]} == {"journal", "view"}
    other.fighters()
    assert other.gm.look("/timeline")["facts"]
    readiness = Readiness([make_views_check(ledger, views)])
    assert await readiness.find_failures() == {}
    assert readiness.figures["stopped_campaigns"] >= 1
