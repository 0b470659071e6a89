"""What whoever has the service's own login writes beside the journal opens nothing: tokens, answers, hooks."""

from __future__ import annotations

import json
import uuid
from typing import Any

from ledger.application.keys import hash_token, make_receipt_id
from tests.api.conftest import SCHEMA
from tests.api.table import Json, Player, Table
from tests.kernel.tampering import Tampering


def written(body: Json) -> bytes:
    return json.dumps(body, separators=(",", ":")).encode()


def test_a_token_issued_past_the_service_opens_nothing_and_shuts_nobody_out(table: Table, service_url: str) -> None:
    record = Tampering(service_url, SCHEMA, table.id)
    *_, (_, _, version, topic, state) = record.stream("access/s1")
    mine = f"{table.id}.s1.{uuid.uuid4().hex}"
    issued = json.loads(state)
    issued["fact"]["hash"], issued["position"] = hash_token(mine), table.position
    record.add("access/s1", version + 1, topic, written(issued))
    answer = Player(table, "s1", mine).get("/seats/s1")
    assert (answer.status_code, answer.json()["code"]) == (401, "token-unknown")
    assert table.gm.look("/seats/s1")["name"] == "Ann"


def test_an_answer_written_past_the_service_shows_no_token(table: Table, service_url: str) -> None:
    """A repeated request is answered as it was, with the token that it showed; Ben writes such an answer himself."""
    table.fighters()
    record = Tampering(service_url, SCHEMA, table.id)
    route, body = "POST /campaigns/{campaign}/bookmarks", {"ruling": 1, "note": "so"}

    def asks(key: str) -> Any:
        headers = {**table.ben.bearer, "Idempotency-Key": key}
        return table.service.client.post(route[5:].format(campaign=table.id), json=body, headers=headers)

    assert asks("first").status_code == 201
    ((_, _, _, topic, state),) = record.stream(f"receipt/{make_receipt_id('s2', route, 'first')}")
    forged = json.loads(state)
    forged["fact"] |= {"body": json.dumps({"token": hash_token(table.gm.token)}), "token_of": "s1", "generation": 1}
    record.add(f"receipt/{make_receipt_id('s2', route, 'second')}", 1, topic, written(forged))
    answer = asks("second")
    assert answer.status_code == 409 and answer.json()["code"] == "token-not-shown"
    assert table.gm.token not in answer.text


def test_an_answer_of_somebody_else_is_not_moved_to_ones_own_request(table: Table, service_url: str) -> None:
    record = Tampering(service_url, SCHEMA, table.id)
    body: Json = {"name": "Eva", "role": "player"}
    headers = {"Idempotency-Key": "first"}
    made = table.gm.post("/seats", body, headers)
    assert table.gm.post("/seats", body, headers).content == made.content, "with its token"
    route = "POST /campaigns/{campaign}/seats"
    ((_, _, _, topic, state),) = record.stream(f"receipt/{make_receipt_id('s1', route, 'first')}")
    assert made.json()["token"] not in state.decode()
    record.add(f"receipt/{make_receipt_id('s2', route, 'first')}", 1, topic, state)
    moved = table.ben.post("/seats", body, headers)
    assert made.json()["token"] not in moved.text
