"""Every value of every sheet of every game leads to why it is so, in sentences; without a browser."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from html import unescape

import pytest

from ledger.rules import systems
from tests.api.page.sitting import Sitter, at_the_page
from tests.api.table import Table

ALL = pytest.mark.parametrize("name", sorted(systems()))


def sheets(table: Table) -> list[str]:
    """Of the campaign, everybody who ever was in it and all its scenes."""
    campaign = table.gm.look()
    people = [one["id"] for one in table.gm.look("/characters")["characters"]]
    return ["campaign", *(f"character/{one}" for one in people), *(f"scene/{one['id']}" for one in campaign["scenes"])]


def values(sitter: Sitter, sheet: str) -> list[str]:
    page = sitter.page(f"/sheet/{sheet}")
    return [unescape(one) for one in re.findall(r'href="([^"]+/why/[^"]+)"', page)]


@ALL
def test_every_value_answers_why(campaign: Callable[[str], Table], name: str) -> None:
    table = campaign(name)
    gm = at_the_page(table.gm)
    told = 0
    t0 = time.process_time()
    for sheet in sheets(table):
        found = values(gm, sheet)
        assert found, sheet
        for path in found:
            answer = gm.get(path)
            assert answer.status_code == 200, (path, answer.text[-600:])
            assert re.search(r"<h1>[^<]+: [^<]+</h1>", answer.text), path
            assert "<p>" in answer.text.partition("</h1>")[2], path
            told += 1
    print(name, told, time.process_time() - t0)
