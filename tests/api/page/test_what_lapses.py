"""What somebody was asked about and comes about no more: it is said before it is so, and after."""

from __future__ import annotations

import re

import pytest

from api.table.declaring import name_answering_seats
from tests.api.page.campaigns import begun
from tests.api.page.sitting import at_the_page
from tests.api.table import Service, Table


@pytest.fixture
def fight(service: Service) -> Table:
    """An attack waits for who is attacked."""
    table = begun(service, "mongrel")
    table.gm.declare("open-conflict", participants=["1", "2"])
    first = next(one["character"] for one in table.gm.look("/waiting")["awaited"])
    attack = {
        "kind": "attack",
        "actor": first,
        "target": {"1": "2", "2": "1"}[first],
        "expertise": "rend",
        "attribute": "physique",
    }
    table.gm.does("/rulings", {"declare": attack, "answers": []}, 202)
    return table


def test_what_ends_what_waits_says_so_before_and_after(fight: Table) -> None:
    waits = fight.gm.look("/waiting")["waiting"][0]
    actor = waits["declared"]["actor"]
    told = fight.gm.does("/rulings", {"declare": {"kind": "pass", "character": actor}, "preview": True}, 200)
    assert told["ends"] == [{"waiting": waits["id"], "text": waits["text"]}]
    sitter = at_the_page(fight.gm)
    path = next(one for one in sitter.moves() if "/pass?" in one)
    page = sitter.get(path).text
    whose = waits["question"]["asked"]["name"]
    assert whose in ("Ben", "Cleo")
    assert f"This cancels a question that {whose} has to answer:</b> {waits['text']}" in page
    assert ">Pass anyway</button>" in page
    assert sitter.send(sitter.form(path, path.partition("?")[0]), {}).status_code == 303
    assert fight.gm.look("/waiting")["waiting"] == []
    for player in (fight.gm, fight.ben, fight.cleo):
        log = re.findall(r'<ol class="log">.*?</ol>', at_the_page(player).page("/"), re.DOTALL)[0]
        assert "no longer possible" in log
        assert waits["text"].rstrip(".") in log


def test_whose_question_it_is_is_said_as_far_as_the_reader_may_know() -> None:
    asked = {"asked": {"seat": "s3", "name": "Cleo"}}
    state = {"waiting": [{"id": "w1", "question": asked}, {"id": "w2", "question": None}]}
    assert name_answering_seats(state, "s2") == {"w1": "Cleo"}
    assert name_answering_seats(state, "s3") == {"w1": "you"}


def test_where_nothing_ends_nothing_is_said(fight: Table) -> None:
    note = {"kind": "describe", "character": "1", "text": "Tall."}
    told = fight.gm.does("/rulings", {"declare": note, "preview": True}, 200)
    assert told["ends"] == []
