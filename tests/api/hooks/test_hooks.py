"""Making, listing, agreeing to and deleting hooks: who may, what is shown to whom, and what is refused how."""

from __future__ import annotations

import json
import uuid
from typing import Any

import psycopg
import pytest

from api.app import create_app
from api.service.options import Options
from ledger.application import Ledger
from projections.documents.feeds import EVENTS
from tests.api.conftest import OPERATOR, SCHEMA, serving
from tests.api.table import Json, Player, Service, Table

URL = "https://1.1.1.1/a-secret-path?x=y"  # public, and no name to be looked up


@pytest.fixture
def table(service: Service) -> Table:
    """At a service whose operator allows nothing besides public addresses."""
    return Table(service)


def hook(player: Player, *events: str, seat: str | None = None, status: int = 201, url: str = URL) -> Json:
    body: Json = {"url": url, "events": list(events) or ["fact"]}
    return player.does("/hooks", body if seat is None else {**body, "seat": seat}, status)


def listed(player: Player) -> list[Json]:
    found: list[Json] = player.look("/hooks")["hooks"]
    return found


def test_a_hook_is_made_and_its_secret_shown_once(table: Table) -> None:
    before = table.position
    made = table.gm.post("/hooks", {"url": URL, "events": ["fact", "decision"]})
    document = made.json()
    assert made.status_code == 201 and made.headers["Location"] == f"/campaigns/{table.id}/hooks/{document['id']}"
    assert document.pop("secret").startswith("whsec_")
    assert (document["status"], document["seat"], document["by"]["name"]) == ("on", None, "Ann")
    assert (document["url"], document["events"]) == (URL, ["fact", "decision"])
    assert listed(table.gm) == [document] == [table.gm.look(f"/hooks/{document['id']}")]
    assert table.position == before, "nothing of it is in the record"


def test_a_repeated_request_makes_one_hook_and_gets_the_same_answer(table: Table) -> None:
    key = {"Idempotency-Key": str(uuid.uuid4())}
    body = {"url": URL, "events": ["fact"], "seat": "s1"}
    first = table.gm.post("/hooks", body, key)
    table.gm.send("PATCH", "/seats/s1", json={"name": "Anna"})
    again = table.gm.post("/hooks", body, key)
    assert (again.status_code, again.content) == (201, first.content)
    assert "Idempotency-Replayed" not in first.headers and again.headers["Idempotency-Replayed"] == "true"
    assert len(listed(table.gm)) == 1
    other = table.gm.post("/hooks", {**body, "events": ["decision"]}, key)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-key-reused")
    table.gm.send("DELETE", f"/hooks/{first.json()['id']}")
    assert table.gm.post("/hooks", body, key).content == first.content
    assert not listed(table.gm), "what was deleted is not made again"


def test_only_game_masters_make_hooks(table: Table) -> None:
    for player in (table.ben, table.dora):
        refused = player.post("/hooks", {"url": URL, "events": ["fact"]})
        assert (refused.status_code, refused.json()["code"]) == (403, "not-yours")
        bad = player.post("/hooks", {"url": "http://10.0.0.1/", "events": ["x"]})
        assert bad.status_code == 403, "who may not is told that before any mistake"
    assert not listed(table.gm)


def test_every_mistake_is_told_at_once_with_what_there_is(table: Table) -> None:
    refused = table.gm.post("/hooks", {"url": "http://bot.example/", "events": ["facts", "fact"], "seat": "s9"})
    problem = refused.json()
    assert refused.status_code == 422
    url, event, seat = problem["errors"]
    assert (url["pointer"], event["pointer"], seat["pointer"]) == ("/url", "/events/0", "/seat")
    assert "https://" in url["message"]
    assert (event["allowed"], event["did_you_mean"], event["given"]) == (list(EVENTS), "fact", "facts")
    assert seat["allowed"] == ["s1", "s2", "s3", "s4"] and "'s9'" in seat["message"]
    assert not listed(table.gm)


@pytest.mark.parametrize(
    "body",
    [
        {"url": URL},
        {"events": ["fact"]},
        {"url": URL, "events": []},
        {"url": URL, "events": "fact"},
        {"url": URL, "events": ["fact"], "more": 1},
        {"url": "", "events": ["fact"]},
        {"url": 1, "events": ["fact"]},
        {"url": URL + "x" * 2000, "events": ["fact"]},
        [],
        None,
    ],
)
def test_what_is_no_hook_is_malformed(table: Table, body: Any) -> None:
    assert table.gm.post("/hooks", body).status_code == 422


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/",
        "https://localhost/",
        "https://169.254.169.254/latest",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://2130706433/",
        "https://10.0.0.1/",
        "https://no-such-name.invalid/",
        "https://ann:secret@1.1.1.1/",
        "https://1.1.1.1:22/",
        "http://1.1.1.1/",
        "gopher://1.1.1.1/",
        "\x00",
    ],
)
def test_no_hook_leads_inside(table: Table, url: str) -> None:
    refused = table.gm.post("/hooks", {"url": url, "events": ["fact"]})
    assert refused.status_code == 422, refused.text
    assert "secret" not in refused.text and not listed(table.gm)


def test_a_campaign_has_ten_hooks(table: Table) -> None:
    made = [hook(table.gm)["id"] for _ in range(10)]
    refused = table.gm.post("/hooks", {"url": URL, "events": ["fact"]})
    assert (refused.status_code, refused.json()["code"]) == (409, "too-many-hooks")
    assert refused.json()["context"] == {"most": 10, "hooks": made}
    table.gm.send("DELETE", f"/hooks/{made[3]}")
    hook(table.gm)
    assert len(listed(table.gm)) == 10


# --- whose sight it has ---


def test_another_seats_sight_waits_for_that_seats_own_token(table: Table) -> None:
    made = hook(table.gm, seat="s2")
    assert (made["status"], made["text"]) == ("waiting", "Waiting for Ben to agree to share what Ben sees.")
    for player, status in ((table.gm, 403), (table.cleo, 404), (table.dora, 404)):
        assert player.post(f"/hooks/{made['id']}/agree").status_code == status
    assert listed(table.gm)[0]["status"] == "waiting"
    open_to_all = hook(table.gm)["id"]
    assert table.gm.post(f"/hooks/{open_to_all}/agree").json()["detail"] == "This webhook needs no agreement."
    agreed = table.ben.does(f"/hooks/{made['id']}/agree", {}, 200)
    assert (agreed["status"], agreed["seat"]["name"]) == ("on", "Ben")
    assert table.ben.does(f"/hooks/{made['id']}/agree", {}, 200) == agreed
    assert listed(table.gm)[0]["status"] == "on"


def test_a_game_masters_own_seat_agrees_at_once(table: Table) -> None:
    assert hook(table.gm, seat="s1")["status"] == "on"
    other = table.seat("Eve", "gm")
    assert hook(other, seat="s1")["status"] == "waiting", "not another game master's"


def test_a_seat_sees_where_its_sight_goes_but_not_the_rest_of_the_address(table: Table) -> None:
    hook(table.gm)
    made = hook(table.gm, seat="s2")
    (seen,) = listed(table.ben)
    assert seen["id"] == made["id"] and seen["url"] == "https://1.1.1.1/…" and "secret" not in json.dumps(seen)
    assert not listed(table.cleo) and table.cleo.get(f"/hooks/{made['id']}").status_code == 404
    assert "a-secret-path" not in table.ben.send("DELETE", f"/hooks/{made['id']}").text
    assert [one["seat"] for one in listed(table.gm)] == [None], "whose sight it is may end it"


def test_who_may_not_know_of_a_hook_finds_none(table: Table) -> None:
    made = hook(table.gm, seat="s2")["id"]
    there = table.cleo.send("DELETE", f"/hooks/{made}")
    nowhere = table.cleo.send("DELETE", f"/hooks/{'a' * 13}")
    assert there.status_code == nowhere.status_code == 404
    assert there.json()["detail"].replace(made, "x") == nowhere.json()["detail"].replace("a" * 13, "x")
    known = table.gm.get("/hooks/nothing")
    assert (known.status_code, known.json()["context"]) == (404, {"hooks": [made]})
    assert made in known.json()["detail"] and "'nothing'" in known.json()["detail"]


def test_a_hook_ends_with_its_seat(table: Table) -> None:
    waiting, on, own = hook(table.gm, seat="s3"), hook(table.gm, seat="s2"), hook(table.gm)
    table.ben.does(f"/hooks/{on['id']}/agree", {}, 200)
    for seat in ("s2", "s3"):
        table.gm.send("PATCH", f"/seats/{seat}", json={"removed": True})
    told = {one["id"]: (one["status"], one["text"]) for one in listed(table.gm)}
    assert told[on["id"]] == ("ended", "Stopped: The seat s2 was removed.")
    assert told[waiting["id"]] == ("ended", "Stopped: The seat s3 was removed.")
    assert told[own["id"]][0] == "on"


def test_a_hook_ends_with_the_token_that_agreed(table: Table) -> None:
    on, waiting, own = hook(table.gm, seat="s2"), hook(table.gm, seat="s2"), hook(table.gm, seat="s1")
    table.ben.does(f"/hooks/{on['id']}/agree", {}, 200)
    token = table.gm.does("/seats/s2/token", {}, 200)["token"]
    told = {one["id"]: one["status"] for one in listed(table.gm)}
    assert told == {on["id"]: "ended", waiting["id"]: "waiting", own["id"]: "on"}
    ben = Player(table, "s2", token)
    refused = ben.post(f"/hooks/{on['id']}/agree")
    assert (refused.status_code, refused.json()["code"]) == (409, "hook-ended"), "for good"
    assert ben.does(f"/hooks/{waiting['id']}/agree", {}, 200)["status"] == "on"
    renewed = table.gm.does("/seats/s1/token", {}, 200)["token"]
    assert listed(Player(table, "s1", renewed))[2]["status"] == "ended"


def test_what_a_removed_game_master_made_tells_nobody_any_more(table: Table) -> None:
    """He has the secret and the address; his token would open nothing any more."""
    eve = table.seat("Eve", "gm")
    hook(eve)
    table.gm.send("PATCH", f"/seats/{eve.id}", json={"removed": True})
    assert [one["status"] for one in listed(table.gm)] == ["ended"]


def test_a_deleted_hook_is_gone_and_deleting_it_again_changes_nothing(table: Table) -> None:
    made = hook(table.gm)["id"]
    gone = table.gm.send("DELETE", f"/hooks/{made}")
    assert (gone.status_code, gone.json()["status"], gone.json()["text"]) == (200, "deleted", "It was deleted.")
    assert table.gm.send("DELETE", f"/hooks/{made}").json() == gone.json()
    assert not listed(table.gm) and table.gm.get(f"/hooks/{made}").status_code == 404


def test_a_hook_is_of_its_campaign(service: Service, table: Table) -> None:
    made = hook(table.gm, seat="s2")["id"]
    other = Table(service)
    assert not listed(other.gm)
    for method, path in (("GET", ""), ("DELETE", ""), ("POST", "/agree")):
        assert other.ben.send(method, f"/hooks/{made}{path}").status_code == 404
        assert other.gm.send(method, f"/hooks/{made}{path}").status_code == 404
    assert len(listed(table.gm)) == 1


# --- the secret ---


def test_the_secret_is_stored_nowhere_and_in_no_export(table: Table, postgres: Any) -> None:
    made = hook(table.gm, seat="s1")
    with psycopg.connect(postgres.owner_url) as owner:
        rows = owner.execute(f"SELECT h::text FROM {SCHEMA}.hooks h WHERE id = %s", [made["id"]]).fetchall()
        events = owner.execute(
            f"SELECT count(*) FROM {SCHEMA}.ledger_events WHERE position(%s in state) > 0", [made["id"].encode()]
        ).fetchall()
    secret = made["secret"].removeprefix("whsec_")
    assert len(rows) == 1 and secret not in str(rows) and events == [(0,)]
    export = table.gm.get("/export").text
    assert secret not in export and made["id"] not in export and "1.1.1.1" not in export


def test_where_hooks_are_off_none_is_taken(ledger: Ledger, table: Table) -> None:
    with serving(create_app(ledger, operator_token=OPERATOR, options=Options(may_send_hooks=False))) as address:
        url = f"{address}/campaigns/{table.id}/hooks"
        refused = table.service.client.post(url, json={"url": URL, "events": ["fact"]}, headers=table.gm.bearer)
        nobody = table.service.client.post(url, json={"url": URL, "events": ["fact"]})
        assert (refused.status_code, refused.json()["code"], nobody.status_code) == (409, "hooks-off", 401)
        assert table.service.client.get(url, headers=table.gm.bearer).json() == {"hooks": []}
