"""Campaigns, seats, tokens: what the operator, the game master and the others can do."""

from __future__ import annotations

import uuid

import pytest

from tests.api.table import Player, Service, Table


def test_a_campaign_is_opened_with_its_game_masters_token(service: Service) -> None:
    made = service.open(name="The Long Winter", dials={"die": 8})
    document = made.json()
    assert made.status_code == 201
    assert made.headers["Location"] == f"/campaigns/{document['id']}"
    assert made.headers["Ledger-Position"] == "1"
    assert document["system"] == "toy"
    assert document["seat"]["role"] == "gm"
    bearer = {"Authorization": f"Bearer {document['seat']['token']}"}
    found = service.send("GET", made.headers["Location"], bearer)
    assert found.headers["ETag"].startswith('"1.')
    assert found.json()["name"] == "The Long Winter"
    turned = {
        "die": 8,
        "alert": 5,
        "open": False,
        "deciders": "gm",
        "dice": "ledger",
        "consent": "none",
        "consent_hours": 48,
        "forced_steps": "by_hand",
    }
    assert found.json()["dials"] == turned


def test_only_the_operator_opens_campaigns(service: Service, table: Table) -> None:
    key = {"Idempotency-Key": str(uuid.uuid4())}
    for headers in (key, {**key, "Authorization": "Bearer wrong"}, {**key, **table.gm.bearer}):
        refused = service.open(headers)
        assert refused.status_code == 401
        assert refused.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"system": "no-such-game"}, "unknown-system"),
        ({"name": "  "}, "name-blank"),
        ({"gm": {"name": ""}}, "name-blank"),
        ({"dials": {"die": 7}}, "dial-value"),
        ({"dials": {"no-such-dial": 1}}, "unknown-dial"),
        ({"dials": {"deciders": ["gm"]}}, "dial-value"),
        ({"gm": "Ann"}, "malformed"),
        ({"more": 1}, "malformed"),
        ({"name": 7}, "malformed"),
    ],
)
def test_a_campaign_that_cannot_be_is_not_opened(service: Service, change: dict[str, object], code: str) -> None:
    headers = service.operator
    refused = service.open(headers, **change)
    assert (refused.status_code, refused.json()["code"]) == (422, code)
    assert service.open(headers).status_code == 201, "the key is still free"


@pytest.mark.parametrize("key", ["", "no-uuid", "urn:uuid:7f8de6b4-5c1a-4b7e-9a51-0d8a6c7e2f10"])
def test_a_key_that_is_given_for_a_campaign_is_a_uuid(service: Service, key: str) -> None:
    headers = {"Authorization": f"Bearer {service.operator_token}", "Idempotency-Key": key}
    refused = service.open(headers)
    assert refused.status_code == 422
    assert "Idempotency-Key" in refused.json()["errors"][0]["pointer"]


def test_a_key_that_is_missing_is_made_and_returned(service: Service) -> None:
    bearer = {"Authorization": f"Bearer {service.operator_token}"}
    made, other = service.open(bearer), service.open(bearer)
    assert made.status_code == other.status_code == 201 and made.json()["id"] != other.json()["id"]
    key = made.headers["Idempotency-Key"]
    assert str(uuid.UUID(key)) == key
    again = service.open({**bearer, "Idempotency-Key": key})
    assert (again.status_code, again.content) == (201, made.content)
    assert again.headers["Idempotency-Replayed"] == "true"


def test_everybody_is_listed_with_what_they_play(table: Table) -> None:
    bruno, celia = table.fighters()
    table.gm.does("/sessions", {"title": "One"})
    scene = table.gm.does("/scenes", {"title": "The bridge", "cast": [bruno]})["scene"]
    found = table.dora.look()
    assert [(seat["name"], seat["role"]) for seat in found["seats"]] == [
        ("Ann", "gm"),
        ("Ben", "player"),
        ("Cleo", "player"),
        ("Dora", "observer"),
    ]
    assert [(one["id"], one["name"], one["seat"]) for one in found["characters"]] == [
        (bruno, "Bruno", "s2"),
        (celia, "Celia", "s3"),
    ]
    assert found["session"] == "3"
    assert found["sessions"] == [{"id": "3", "title": "One", "open": True}]
    assert found["scenes"] == [{"id": scene, "title": "The bridge", "cast": [bruno], "open": True}]
    assert found["findings"] == []
    assert "token" not in str(found)


# --- seats and tokens ---


def test_a_token_opens_its_own_campaign_only(table: Table, service: Service) -> None:
    other = Table(service)
    before = other.position
    intruder = Player(other, "s1", table.gm.token)
    assert intruder.get().status_code == 404
    assert intruder.get("/rulings/1").json()["code"] == "campaign-not-found"
    assert intruder.post("/sessions", {}).status_code == 404
    assert Player(table, "s1", table.ben.token.replace(".s2.", ".s1.")).get().status_code == 401
    nowhere = service.send("GET", "/campaigns/aaaaaaaaaaaaa", {"Authorization": "Bearer aaaaaaaaaaaaa.s1.x"})
    assert nowhere.status_code == 404
    assert other.position == before


@pytest.mark.parametrize("said", [None, "", "Basic QTpC", "Bearer", "Bearer x", "Bearer é.s1.x", "Bearer ..."])
def test_no_token_or_no_real_one_opens_nothing(table: Table, service: Service, said: str | None) -> None:
    headers = [] if said is None else [(b"Authorization", said.encode("latin-1"))]
    answer = service.client.get(f"/campaigns/{table.id}", headers=headers)
    service.description.judge(answer)
    assert answer.status_code in (401, 404)
    assert answer.status_code == 404 or answer.headers["WWW-Authenticate"] == "Bearer"


def test_without_a_token_a_mistake_in_the_body_is_not_discussed(table: Table, service: Service) -> None:
    body = {"declare": {"kind": "no-such-kind"}}
    assert service.send("POST", f"/campaigns/{table.id}/rulings", {}, json=body).status_code == 401
    forged = Player(table, "s1", f"{table.id}.s1.{'x' * 43}")
    assert forged.post("/rulings", body).status_code == 401
    assert forged.post("/rulings", {"declare": {"kind": "mint", "coins": "1"}}).status_code == 401


def test_what_was_made_is_found_where_the_answer_says(table: Table, service: Service) -> None:
    made = [
        table.gm.post("/seats", {"name": "Eve", "role": "player"}),
        table.gm.post("/characters", {"name": "Bruno", "seat": "s2", "sheet": {"health": 3}}),
        table.gm.post("/sessions", {}),
        table.gm.post("/scenes", {"title": "The bridge"}),
        table.gm.post("/rulings", {"declare": {"kind": "mint", "to": "1", "coins": 1}}),
    ]
    for answer in made:
        assert service.send("GET", answer.headers["Location"], table.dora.bearer).status_code == 200
    assert table.dora.look("/seats/s5") == {
        "id": "s5",
        "name": "Eve",
        "role": "player",
        "removed": False,
        "holds": False,
    }
    assert table.gm.get("/seats/s9").json()["code"] == "seat-not-found"
    assert service.send("GET", f"/campaigns/{table.id}/seats/s5").status_code == 401


@pytest.mark.parametrize("number", ["+1", "01", "1.0", "1_0", "%201", "-1", "0", "\u0661", "1e0", str(2**31), "one"])
def test_a_ruling_has_one_number_written_in_one_way(table: Table, number: str) -> None:
    table.fighters()
    assert table.gm.get(f"/rulings/{number}").status_code == 422
    assert table.gm.post(f"/rulings/{number}/dispute", {"reason": "no"}).status_code == 422
    assert table.gm.get("/characters/1", at=number).status_code == 422
    assert table.gm.get("/rulings/1").status_code == 200


def test_a_new_token_kills_the_old_one(table: Table) -> None:
    old = table.ben.token
    made = table.ben.does("/seats/s2/token", status=200)
    assert made["token"] != old
    assert table.ben.get().status_code == 401
    table.ben.token = made["token"]
    assert table.ben.get().status_code == 200
    again = table.gm.does("/seats/s2/token", {}, status=200)
    assert table.ben.get().status_code == 401
    assert Player(table, "s2", again["token"]).get().status_code == 200


def test_a_seat_is_renamed_and_removed(table: Table) -> None:
    assert table.gm.send("PATCH", "/seats/s3", json={"name": "Clio"}).json()["name"] == "Clio"
    assert table.gm.look()["seats"][2]["name"] == "Clio"
    assert table.gm.send("PATCH", "/seats/s3", json={"removed": True}).json()["removed"] is True
    assert table.cleo.get().status_code == 401
    assert table.gm.send("PATCH", "/seats/s3", json={"name": "Cleo"}).status_code == 404
    assert table.gm.look()["seats"][2] == {
        "id": "s3",
        "name": "Clio",
        "role": "player",
        "removed": True,
        "holds": False,
    }


@pytest.mark.parametrize(
    ("seat", "body", "status", "code"),
    [
        ("s1", {"removed": True}, 409, "last-gm"),
        ("s2", {}, 422, "nothing-changes"),
        ("s2", {"removed": False}, 422, "malformed"),
        ("s2", {"name": " "}, 422, "name-blank"),
        ("s2", {"name": None}, 422, "nothing-changes"),
        ("s9", {"name": "X"}, 404, "seat-not-found"),
        ("s2", {"role": "gm"}, 422, "malformed"),
    ],
)
def test_a_seat_is_not_changed_into_nonsense(
    table: Table, seat: str, body: dict[str, object], status: int, code: str
) -> None:
    before = table.position
    refused = table.gm.send("PATCH", f"/seats/{seat}", json=body)
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert table.position == before


RIGHTS = [
    # what                                         gm   player observer
    ("/seats", {"name": "Eve", "role": "player"}, 201, 403, 403),
    ("/seats/s3/token", {}, 200, 403, 403),
    ("/dials", {"die": 8, "reason": "bigger"}, 201, 403, 403),
    ("/sessions", {}, 201, 403, 403),
    ("/scenes", {"title": "A scene"}, 201, 403, 403),
    ("/characters", {"name": "X", "seat": "s1", "sheet": {"health": 3}}, 201, 403, 403),
    ("/characters", {"name": "X", "seat": "s2", "sheet": {"health": 3}}, 201, 201, 403),
    ("/characters/2/retire", {"reason": "tired"}, 201, 403, 403),
    ("/characters/1/hand-over", {"seat": "s3"}, 201, 201, 403),
    ("/rulings", {"declare": {"kind": "mint", "to": "1", "coins": 1}}, 201, 403, 403),
    ("/rulings", {"declare": {"kind": "hit", "char": "1", "target": "2"}}, 403, 202, 403),
    ("/rulings", {"declare": {"kind": "hit", "char": "2", "target": "1"}}, 403, 403, 403),
    ("/rulings/2/dispute", {"reason": "no"}, 409, 409, 409),
    ("/rulings/2/uphold", {"reason": "yes"}, 200, 403, 403),
    ("/rulings/1/overturn", {"reason": "no"}, 200, 403, 403),
    ("/rulings/1/overturn", {"reason": "no", "preview": True}, 200, 403, 403),
]


@pytest.mark.parametrize(("path", "body", "gm", "player", "observer"), RIGHTS)
def test_rights(table: Table, path: str, body: dict[str, object], gm: int, player: int, observer: int) -> None:
    """Ben plays 1, Cleo plays 2; ruling 2 is disputed."""
    table.fighters()
    table.cleo.does("/rulings/2/dispute", {"reason": "hm"}, 200)
    assert table.dora.post(path, body).status_code == observer
    before = table.position
    answer = table.ben.post(path, body)
    assert answer.status_code == player, answer.text
    if player == 403:
        assert table.position == before
        assert answer.headers["Ledger-Position"] == str(before)
        assert table.gm.post(path, body).status_code == gm


@pytest.mark.parametrize("path", ["", "/rulings", "/rulings/1", "/waiting", "/findings", "/accounts", "/characters/1"])
def test_an_observer_sees_what_everybody_sees(table: Table, path: str) -> None:
    table.fighters()
    assert table.dora.look(path) == table.gm.look(path)
    assert table.dora.look("/what-if", without="1") == table.gm.look("/what-if", without="1")
