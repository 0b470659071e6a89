"""What becomes of what waits stands in the timeline, the same whenever the views are built."""

from __future__ import annotations

import json

from ledger.rules.kernel.subjects import Viewer
from projections.documents.feeds import BEGINNING, list_news, render_row
from projections.redaction import ViewLens
from projections.views.pages import Views
from projections.views.projector import Projector
from tests.desk import Desk, present
from tests.views.conftest import ViewDatabase, look
from tests.views.test_views import everything

STAND = {"choice": {"kind": "stand"}}
LENS = ViewLens(Viewer("s1", "gm"), {"s1": "Ann"})


def waits_told(desk: Desk, views: Views) -> list[str]:
    _, rows = look(views, desk.campaign, lambda reader: list_news(reader, BEGINNING, 500))
    waits = [row for row in rows if row.what not in ("ruling", "fact", "decision")]
    return [f"{row.what} {json.loads(render_row(LENS, row) or '')['status']}" for row in waits]


def quarrel(desk: Desk) -> None:
    """Asked and answered, taken back, and what lapsed declared again."""
    ada, bo = desk.enrol("Ada"), desk.enrol("Bo", health=5)
    waiting = json.loads(desk.declare("hit", dice="table", char=ada, target=ada).body)["waiting"]
    desk.ledger.answer_waiting_declaration(desk.call(), waiting, desk.answers(STAND)[0], present)
    die = {"dice": {"sides": 6, "faces": [3]}}
    desk.ledger.answer_waiting_declaration(desk.call(), waiting, desk.answers(die)[0], present)
    desk.ledger.withdraw(desk.call(), desk("hit", char=bo, target=ada), "no", present)
    for _ in range(2):
        desk("hit", char=ada, target=bo)
        desk("amend", subject=f"character:{bo}", field="harm", value=5, reason="a fall")
        desk("amend", subject=f"character:{bo}", field="harm", value=0, reason="no fall")
    desk("sneak", {"dice": {"sides": 6, "faces": [2]}}, char=ada)


def test_rows_of_what_waits_are_the_same_when_they_are_built_anew(
    desk: Desk, projector: Projector, database: ViewDatabase, views: Views
) -> None:
    projector.prepare()
    quarrel(desk)
    projector.catch_up()
    expected = [
        "waiting waiting",
        "answered waiting",
        "waiting waiting",
        "answered standing",
        "waiting waiting",
        "withdrawn withdrawn",
        *["waiting waiting", "withdrawn lapsed"] * 2,
    ]
    assert waits_told(desk, views) == expected
    before = everything(database)
    projector.rebuild()
    assert everything(database) == before and waits_told(desk, views) == expected
