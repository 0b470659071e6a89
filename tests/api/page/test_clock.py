"""A clock of the game that people are asked about is told on Now, and its field begins with it."""

from __future__ import annotations

import re

from api.table import forms
from api.table.nodes import Number, Record, RecordField
from tests.api.page.campaigns import begun
from tests.api.page.sitting import at_the_page
from tests.api.table import Json, Service


def test_a_number_that_is_likely_stands_there_already() -> None:
    def said(*, required: bool) -> forms.Form:
        return forms.fill_form(Record((RecordField("minute", "Minute", "", Number(0, None, 12), required),)), "")

    assert said(required=True) == {"/minute": ["12"]}
    assert said(required=False) == {"/minute": []}


def test_the_minute_in_which_somebody_recovered_is_where_the_next_begins(service: Service) -> None:
    table = begun(service, "mongrel")
    for id in ("1", "2"):
        tired: Json = {
            "source": f"character:{id}/ap",
            "target": "world/ap",
            "unit": "ap",
            "amount": 1,
            "reason": "Tired.",
        }
        table.gm.declare("adjust", **tired)
    table.gm.declare("recover", character="1", minute=12)
    sitter = at_the_page(table.gm)
    sheet = sitter.page("/sheet/character/1")
    assert re.search(r"Minute of the last recovery.{,200}>12<", sheet, re.DOTALL)
    path = next(one for one in sitter.moves() if "/recover?" in one)
    assert sitter.form(path, path.partition("?")[0]).fields["/declare/minute"] == ["12"]
