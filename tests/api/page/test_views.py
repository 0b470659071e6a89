"""Every view of every game, as one sees it: nothing keeps anybody out, nothing is cut off, nothing complains."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ledger.rules import systems
from tests.api.page.conftest import Sits
from tests.api.page.devices import LAPTOP, Device
from tests.api.table import Service, Table
from tests.levels import LEVEL, sampled

FORMS = 5  # of all there are, spread
ALL = pytest.mark.parametrize("name", sampled(sorted(systems()), 1, salt="views"))


def views(device: Device, table: Table) -> list[tuple[str, str]]:
    """A name and an address of each: of every kind of move one, and some rulings."""
    device.look("/")
    moves = device.page.locator('a[href*="/declare/"]').evaluate_all("all => all.map(one => one.getAttribute('href'))")
    kinds = {
        one.partition("/declare/")[2].partition("?")[0]: "/declare/" + one.partition("/declare/")[2] for one in moves
    }
    rulings = table.gm.look("/rulings", limit=500)["rulings"]
    by_status = {one["status"]: one["number"] for one in rulings}
    return [
        ("now", "/"),
        ("timeline", "/timeline"),
        *((f"ruling-{status}", f"/rulings/{number}") for status, number in by_status.items()),
        *deciding(table, by_status),
        *((f"declare-{kind}", path) for kind, path in list(kinds.items())[:: max(1, len(kinds) // FORMS)]),
    ]


def deciding(table: Table, by_status: dict[str, int]) -> list[tuple[str, str]]:
    """What is decided, and what tells why: what looks alike in every game in one of them only."""
    disputed = by_status.get("disputed", by_status.get("standing", 1))
    values = "/why/character/2/name" if "overturned" in by_status else "/why/character/1/name"
    found = [
        ("overturn", f"/rulings/{disputed}/overturn"),
        ("correct", f"/rulings/{disputed}/revise"),
        ("dossier", f"/rulings/{disputed}/dossier"),
        ("ways", f"/rulings/{disputed}/decide"),
        ("sheet", values.replace("why", "sheet").rpartition("/")[0]),
        ("why", values),
    ]
    if table.gm.look()["system"] == min(systems()):
        struck = by_status["overturned"]
        found += [
            ("decide", "/decide"),
            ("findings", "/findings"),
            ("sheets", "/sheets"),
            ("put-back", f"/rulings/{struck}/reinstate"),
            ("uphold", f"/rulings/{disputed}/uphold"),
        ]
    return found


@ALL
def test_every_view(service: Service, campaign: Callable[[str], Table], sits: Sits, name: str) -> None:
    """By default, each of the two devices looks at every other view."""
    table = campaign(name)
    devices = (("phone", sits(table.gm.token)), ("laptop", sits(table.gm.token, LAPTOP, "dark")))
    for first, (size, device) in enumerate(devices):
        for view, path in views(device, table)[slice(None) if LEVEL == "all" else slice(first, None, 2)]:
            device.look(path)
            device.picture(f"{name}-{view}-{size}")
            device.fits()
            device.accessible()
