"""A game is released anew while a campaign is played: the record stays readable, and the table goes on."""

from __future__ import annotations

import io
import json
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from api.cli.main import app
from api.service.database import Database
from ledger.application import Call, Ledger, json_form, make_environment
from ledger.application.commands.importing import replay_export
from ledger.application.reading.export_reader import read_export
from ledger.events.codec import load_codec
from ledger.rules.kernel.contract import AnyRuleset
from tests.api.table import Json, Player
from tests.desk import present
from tests.versions.database import KEY, Place, new_database, running
from tests.versions.toy_editions import TOY, UPCASTERS, released, second_edition

PATIENCE = 60  # seconds
LATER = "A newer edition of Toy than the installed edition 1"
STAND, FIRMLY = {"choice": {"kind": "stand"}}, {"choice": {"kind": "stand", "firmly": False}}


def rolled(face: int, sides: int = 6) -> Json:
    return {"dice": {"sides": sides, "faces": [face]}}


@pytest.fixture
def logins(postgres: Any) -> Iterator[Database]:
    with new_database(postgres.owner_url, "released") as made:
        yield replace(made, shelf_count=1)


class Played:
    """A campaign of the first edition: A and B are enrolled (1, 2), coins minted (3) and given (4), B hit (5, 6), and
    one more hit waits for B to dodge or stand.
    """

    def __init__(self, place: Place) -> None:
        opened = place.service.send(
            "POST",
            "/campaigns",
            place.service.operator,
            json={"name": "A table", "system": "toy", "gm": {"name": "Ann"}, "dials": {"die": 6}},
        ).json()
        self.id, self.token = opened["id"], opened["seat"]["token"]
        gm = self.at(place)
        self.a, self.b = gm.enrol("A"), gm.enrol("B")
        gm.declare("mint", to=self.a, coins=5)
        gm.declare("give", char=self.a, to=self.b, coins=4)
        for face in (6, 2):
            gm.declare("hit", STAND, rolled(face), char=self.a, target=self.b)
        hit = {"kind": "hit", "char": self.a, "target": self.b}
        self.waits = gm.does("/rulings", {"declare": hit, "dice": "table"}, 202)["id"]
        self.rulings = gm.look("/rulings", limit=100)["rulings"]
        self.export = gm.get("/export").content

    def at(self, place: Place) -> Player:
        return place.sitting(self.id, "s1", self.token)


@contextmanager
def serving(logins: Database, game: AnyRuleset | None = TOY) -> Iterator[Place]:
    """The service with this edition of the toy, and views that it has made."""
    with released(game), running(logins) as place:
        if place.projector.problem is None:
            place.projector.rebuild(processes=1)  # another process would have the toy as it is
            place.views_are_whole()
        yield place


@pytest.fixture
def played(logins: Database) -> Played:
    with serving(logins) as place:
        return Played(place)


def test_the_table_goes_on_under_the_second_edition(played: Played, logins: Database) -> None:
    with serving(logins, second_edition()) as place:
        gm = played.at(place)
        assert place.service.client.get("/readyz").json() == {"status": "ready"}
        as_recorded(played, gm)
        what_if = gm.look("/what-if", without="3")
        (row,) = what_if["rulings"]
        assert (row["number"], row["standpoint"], row["older_edition"]) == (4, "loses support", True)
        gm.does("/rulings/3/overturn", {"reason": "no mint", "settle": "rerule"}, 200)
        assert gm.look("/rulings/4")["status"] == "standing", "a ruling of an older edition is not ruled again"
        assert [(one["kind"], one["ruling"]) for one in gm.look("/findings")["findings"]][:1] == [("loses support", 4)]
        gm.does("/rulings/3/reinstate", {"reason": "it was minted"}, 200)
        assert gm.look("/findings")["findings"] == []
        revised = gm.does("/rulings/5/revise", {"reason": "a typo", "code": "entry", "answers": [None, rolled(5)]}, 200)
        assert (revised["edition"], revised["declared"]["witness"]) == (2, "nobody")
        assert revised["answers"][0]["answer"] == {"choice": {"kind": "stand", "firmly": True}}
        assert gm.look(f"/characters/{played.b}")["state"]["harm"] == 7
        new = gm.declare("hit", FIRMLY, rolled(1), char=played.a, target=played.b, witness="Cleo")
        assert new["facts"][0]["fact"]["witness"] == "Cleo"
        audited(gm, place, played)


def as_recorded(played: Played, gm: Player, *, texts: bool = True) -> None:
    """What was declared and answered is shown as it was; and the sentences about it, where today's rules have some."""
    for then, now in zip(played.rulings, gm.look("/rulings", limit=100)["rulings"], strict=True):
        for name in ("number", "declared", "answers", "edition", "because", "dials", *(("text",) if texts else ())):
            assert then[name] == now[name], (then["number"], name)


def audited(gm: Player, place: Place, played: Played) -> None:
    place.views_are_whole()
    audit = gm.look("/audit")
    assert (audit["healthy"], audit["differences"], audit["findings"]) == (True, [], [])
    assert audit["judged"] == [{"edition": 1, "judged": 0, "of": 5}, {"edition": 2, "judged": 2, "of": 2}]
    assert (
        audit["summary"] == "Healthy. The ledger checked 2 of 7 rulings (0 of 5 from edition 1, 2 of 2 from edition 2)."
    )
    for export in (played.export, gm.get("/export").content):
        _, found = replay_export(read_export(io.BytesIO(export)), load_codec())
        assert found.differences == []


@pytest.mark.nightly
def test_an_export_of_the_first_edition_is_verified_by_the_command_and_the_service(
    played: Played, logins: Database, tmp_path: Path
) -> None:
    file = tmp_path / "first.jsonl"
    file.write_bytes(played.export)
    with serving(logins, second_edition()) as place:
        ran = CliRunner().invoke(app, ["verify", str(file)])
        assert (
            ran.exit_code == 0 and "Healthy. The ledger checked 0 of 6 rulings (0 of 6 from edition 1)." in ran.stdout
        )
        headers = {**place.service.operator, "Content-Type": "application/jsonl"}
        found = place.service.send("POST", "/campaigns/verify", headers, content=played.export).json()
        assert (found["sound"], found["judged"]) == (True, [{"edition": 1, "judged": 0, "of": 6}])


@pytest.mark.nightly
def test_a_question_that_waits_is_asked_again_in_todays_form(played: Played, logins: Database) -> None:
    with serving(logins, second_edition()) as place:
        gm = played.at(place)
        waiting = gm.look(f"/waiting/{played.waits}")
        assert waiting["declared"]["witness"] == "nobody"
        again = gm.does(f"/waiting/{played.waits}/answers", {"answer": FIRMLY}, 202)
        assert (again["id"], again["question"]["ask"]) == (played.waits, "roll")
    with serving(logins, second_edition()) as place:
        gm = played.at(place)
        made = gm.does(f"/waiting/{played.waits}/answers", {"answer": rolled(4)}, 201)
        assert (made["number"], made["edition"], made["facts"][0]["fact"]["witness"]) == (7, 2, "nobody")
        assert gm.look("/audit")["healthy"]


def test_a_decision_that_waits_for_consent_is_carried_out_in_todays_form(played: Played, logins: Database) -> None:
    with serving(logins) as place:
        gm = played.at(place)
        ben = place.sitting(played.id, "s2", gm.does("/seats", {"name": "Ben", "role": "player"})["token"])
        gm.does(f"/characters/{played.b}/hand-over", {"seat": "s2"})
        gm.does("/dials", {"consent": "affected", "reason": "We agreed."}, 201)
        declare = {"kind": "hit", "char": played.a, "target": played.b}
        correction = {"reason": "a six", "code": "entry", "declare": declare, "answers": [STAND, rolled(5)]}
        waits = gm.does("/rulings/5/revise", correction, 202)["id"]
    with serving(logins, second_edition()) as place:
        gm, ben = played.at(place), place.sitting(played.id, "s2", ben.token)
        assert gm.look("/rulings/5")["revision"] == 0
        ben.does(f"/waiting/{waits}/consent", {"consent": True, "reason": "so it was"}, 200)
        revised = gm.look("/rulings/5")
        assert (revised["revision"], revised["edition"], revised["declared"]["witness"]) == (1, 2, "nobody")
        assert gm.look(f"/characters/{played.b}")["state"]["harm"] == 7
        place.views_are_whole()
        assert gm.look("/audit")["healthy"]


@pytest.mark.nightly
def test_a_question_that_todays_rules_refuse_or_cannot_read_lapses_with_a_reason(
    played: Played, logins: Database
) -> None:
    unread = second_edition(tuple(one for one in UPCASTERS if one.kind != "hit"))
    with serving(logins, unread) as place:
        gm = played.at(place)
        gone = gm.does(f"/waiting/{played.waits}/answers", {"answer": FIRMLY}, 200)
        assert (gone["status"], gone["question"]) == ("lapsed", None)
        assert "Today's rules can't read" in gone["reason"]
        assert gm.look("/waiting")["waiting"] == []
        assert gm.look("/audit")["healthy"]


@pytest.mark.nightly
def test_what_cannot_be_read_today_is_in_nobodys_way(played: Played, logins: Database) -> None:
    """An upcaster is missing, which the check at load would say: other rulings are decided about all the same."""
    unread = second_edition(tuple(one for one in UPCASTERS if one.kind != "hit"))
    with serving(logins, unread) as place:
        gm = played.at(place)
        as_recorded(played, gm, texts=False)
        gm.does("/rulings/3/overturn", {"reason": "no mint"}, 200)
        gm.does("/rulings/3/reinstate", {"reason": "it was minted"}, 200)
        gm.does("/rulings/5/overturn", {"reason": "nobody was hit"}, 200)
        assert gm.look(f"/characters/{played.b}")["state"]["harm"] == 2
        gm.does("/rulings/5/reinstate", {"reason": "he was"}, 200)
        refused = gm.post("/rulings/5/revise", {"reason": "a typo", "code": "entry", "answers": [None, rolled(5)]})
        assert (refused.status_code, refused.json()["code"]) == (422, "unreadable-today")
        gm.declare("give", char=played.b, to=played.a, coins=1)
        assert gm.look("/waiting")["waiting"] == [], "what waited and cannot be read lapsed by that ruling"
        place.views_are_whole()
        audit = gm.look("/audit")
        assert (audit["healthy"], audit["differences"]) == (True, [])


@pytest.mark.nightly
def test_going_back_one_release_changes_nothing_and_says_so(played: Played, logins: Database) -> None:
    with serving(logins, second_edition()) as place:
        played.at(place).declare("hit", FIRMLY, rolled(1), char=played.a, target=played.b, witness="Cleo")
        place.views_are_whole()
        end, rows = place.ledger.store.max_notification_id(), place.rows()
    with released(TOY), running(logins) as place:
        gm, sentence = played.at(place), "played with edition 2 of Toy, but edition 1 is installed"
        ready = place.service.client.get("/readyz")
        assert ready.status_code == 503
        assert LATER in ready.json()["detail"] or sentence in ready.json()["detail"]
        for refused in (
            gm.tries("give", char=played.a, to=played.b, coins=1),
            gm.post("/rulings/3/overturn", {"reason": "no"}),
            gm.post("/seats", {"name": "Ben", "role": "player"}),
            gm.get("/rulings"),
            gm.get("/audit"),
        ):
            said(refused, sentence)
        assert (place.ledger.store.max_notification_id(), place.rows()) == (end, rows)
        fresh = place.service.send(
            "POST",
            "/campaigns",
            place.service.operator,
            json={"name": "Another", "system": "toy", "gm": {"name": "Ann"}},
        )
        assert fresh.status_code == 201, "a campaign that nothing newer was saved of is served"
    with serving(logins, second_edition()) as place:
        played.at(place).declare("hit", FIRMLY, rolled(1), char=played.a, target=played.b, witness="Cleo")
        assert played.at(place).look("/audit")["healthy"]


def said(response: httpx.Response, sentence: str) -> None:
    document = response.json()
    assert (response.status_code, document["code"]) == (503, "newer-records"), response.text
    assert sentence in document["detail"] and document["detail"].endswith(" Nothing was changed.")


@pytest.mark.nightly
def test_a_newer_service_beside_an_older_one_stops_its_views_and_not_the_campaign(
    played: Played, logins: Database
) -> None:
    """Both serve one database: the older one neither takes what the newer one saves into views nor goes on from it."""
    with released(TOY), running(logins) as older:
        gm = played.at(older)
        gm.look()
        second = second_edition()
        with released(second), Ledger(make_environment(logins.service_url), KEY) as newer:
            hit = {"kind": "hit", "char": played.a, "target": played.b, "witness": "Cleo"}
            answers = [json_form.answer_from_json(second, one) for one in (FIRMLY, rolled(1))]
            call = Call(played.id, played.token, "POST /rulings", uuid.uuid4().hex, "a hit")
            newer.declare(call, json_form.declaration_from_json(second, hit), present, answers=answers)
        deadline = time.monotonic() + PATIENCE
        while older.projector.problem is None:
            assert time.monotonic() < deadline, "the older service did not stop its views"
            time.sleep(0.01)
        assert "A newer edition of Toy" in older.projector.problem or "edition 2 of Toy" in older.projector.problem
        assert older.service.client.get("/readyz").status_code == 503
        said(gm.tries("give", char=played.a, to=played.b, coins=1), "edition 2 of Toy")
    with serving(logins, second_edition()) as place:
        assert place.projector.list_stopped_campaigns() == set()
        assert played.at(place).look("/audit")["healthy"]


@pytest.mark.nightly
def test_without_its_rules_a_campaign_says_so_and_is_audited_and_exported(played: Played, logins: Database) -> None:
    with released(None), running(logins) as place:
        gm = played.at(place)
        missing = place.service.client.get(f"/campaigns/{played.id}/rulings", headers=gm.bearer)
        assert (missing.status_code, missing.json()["code"]) == (500, "system-missing")
        audit = gm.look("/audit")
        assert not audit["rules_installed"]
        assert {one["what"] for one in audit["differences"]} <= {"view"}, "views are not made without the rules"
        assert audit["summary"].endswith(". The ledger checked 0 of 6 rulings (0 of 6 from edition 1).")
        export = place.service.send("GET", f"/campaigns/{played.id}/export", place.service.operator).content
        then = [json.loads(line).get("leaf") for line in played.export.splitlines()]
        assert [json.loads(line).get("leaf") for line in export.splitlines()] == then
