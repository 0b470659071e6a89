"""A no of which nothing comes: it is kept, ends the wait, is told to whom it concerns, and is said once."""

from __future__ import annotations

import pytest

from tests.api.table import Json, Player, Service, Table
from tests.api.test_feed import listening
from tests.api.test_told import waits

DODGE: Json = {"what": "skill", "name": "Dodge", "level": 2}
NO: Json = {"choice": {"kind": "veto"}}
WHY = "Ann declines: this needs the game master's approval (a purchase for 3 points: skill, Dodge)."


class Deal(Table):
    """Ben's Harry would buy, of which Ann is asked."""

    def __init__(self, service: Service) -> None:
        self.service = service
        opened = service.open(name="Helios", system="moc", dials={"power_level": "heroic"})
        self.id = opened.json()["id"]
        self.gm = Player(self, "s1", opened.json()["seat"]["token"])
        self.ben = self.seat("Ben", "player")
        self.cleo = self.seat("Cleo", "player")
        self.dora = self.seat("Dora", "observer")
        self.ben.does("/characters", {"name": "Harry", "seat": self.ben.id, "sheet": {"archetype": "hero"}})

    def asks(self) -> str:
        buys = {"declare": {"kind": "buy", "character": "1", "purchase": DODGE}}
        return str(self.ben.does("/rulings", buys, 202)["id"])


@pytest.fixture
def deal(service: Service) -> Deal:
    return Deal(service)


def test_it_ends_the_wait_and_says_who_declined(deal: Deal) -> None:
    waiting = deal.asks()
    gone = deal.gm.does(f"/waiting/{waiting}/answers", {"answer": NO}, 200)
    assert (gone["id"], gone["status"], gone["question"], gone["ruling"]) == (waiting, "withdrawn", None, None)
    assert gone["reason"] == WHY
    (given,) = gone["answers"]
    assert (given["answer"], given["by"]["name"], given["set_aside"]) == (NO, "Ann", False)
    for player in (deal.gm, deal.ben, deal.cleo, deal.dora):
        found = player.look(f"/waiting/{waiting}")
        assert (found["status"], found["reason"], found["answers"]) == ("withdrawn", WHY, gone["answers"])
        assert player.look("/waiting")["waiting"] == []
    late = deal.gm.post(f"/waiting/{waiting}/answers", {"answer": {"choice": {"kind": "approve"}}})
    assert (late.status_code, late.json()["status"]) == (409, 409), late.text
    assert not deal.ben.look("/characters/1")["state"]["skills"]
    deal.asks()  # anew: nothing of the same waits


def test_it_is_said_once(deal: Deal) -> None:
    waiting = deal.asks()
    path, key = f"/waiting/{waiting}/answers", {"Idempotency-Key": "no"}
    first = deal.gm.post(path, {"answer": NO}, key)
    there = deal.position
    again = deal.gm.post(path, {"answer": NO}, key)
    assert (again.status_code, again.json()) == (200, first.json()) and deal.position == there


def test_it_is_told(deal: Deal) -> None:
    with listening(deal.dora) as feed:
        deal.gm.does(f"/waiting/{deal.asks()}/answers", {"answer": NO}, 200)
        told = waits(feed.until_it_says(lambda data: data.get("status") == "withdrawn"))
    assert [event for event, _ in told] == ["waiting", "withdrawn"]
    gone = told[-1][1]
    assert (gone["reason"], gone["by"]["name"]) == (WHY, "Ann")
    assert gone["text"].endswith(f" {WHY}") and [one["answer"] for one in gone["answers"]] == [NO]


def test_who_is_not_asked_cannot_say_it(deal: Deal) -> None:
    waiting = deal.asks()
    assert deal.cleo.post(f"/waiting/{waiting}/answers", {"answer": NO}).status_code == 403
    assert deal.gm.look(f"/waiting/{waiting}")["status"] == "waiting"


def test_what_is_said_with_the_declaration_leaves_no_trace(deal: Deal) -> None:
    refused = deal.ben.tries("buy", character="1", purchase=DODGE, approved=False)
    assert (refused.status_code, refused.json()["code"]) == (422, "gm-approval-needed")
    assert deal.gm.look("/waiting")["waiting"] == []


def test_the_record_of_it_is_sound(deal: Deal) -> None:
    deal.gm.does(f"/waiting/{deal.asks()}/answers", {"answer": NO}, 200)
    found = deal.gm.look("/audit")
    assert found["healthy"] and found["events"] and not found["differences"], found
