"""A campaign as a file: whole for who may see all, hashes for the rest; into another ledger, with the same seal."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from psycopg.conninfo import make_conninfo

from api.app import create_app
from api.run import demo
from ledger.application import Ledger, make_environment
from ledger.application.reading.export_reader import read_export
from ledger.events.database_check import PROJECTOR_ROLE
from projections.views.projector import Projector
from tests.api.conftest import OPERATOR, PLAYED, serving
from tests.api.table import Json, Player, Service, Table, described
from tests.levels import sampled
from tests.schemas import made_anew

ELSEWHERE = "api_tests_elsewhere"
LINES = {"Content-Type": "application/jsonl"}
FILE = {"Content-Type": "application/octet-stream"}


@pytest.fixture(scope="module")
def elsewhere(postgres: Any, service_url: str) -> Iterator[Service]:
    """Another service, with another key, on an empty schema; its views are kept as they are asked for."""
    made_anew(postgres.owner_url, ELSEWHERE, shelves=3)
    with Ledger(make_environment(service_url, schema=ELSEWHERE), b"the key of another service") as ledger:
        app = create_app(ledger, operator_token=OPERATOR)
        with serving(app) as address, httpx.Client(base_url=address, timeout=120) as client:
            yield Service(client, OPERATOR, described(app.openapi))


def keep_views(postgres: Any) -> None:
    url = make_conninfo(postgres.owner_url, user=PROJECTOR_ROLE, password="for-tests")
    with Projector(url, ELSEWHERE) as projector:
        projector.catch_up()


@pytest.fixture
def played(table: Table) -> Table:
    """Sessions, scenes, ledger dice, an overturning, a revision, something that waits, something secret."""
    ada, _ = table.fighters()
    table.gm.does("/sessions", {"title": "The bridge"})
    table.hit(6)
    table.hit(5)
    table.gm.declare("mint", to=ada, coins=3)
    table.gm.does("/rulings/5/overturn", {"reason": "out of reach"}, 200)
    table.ben.does("/seats/s2/entropy", {"value": "Bruno's lucky number"})
    table.gm.does("/sessions/3/close")
    table.ben.does("/rulings", {"declare": {"kind": "hit", "char": "1", "target": "2"}, "dice": "table"}, 202)
    return table


def exported(player: Player) -> bytes:
    response = player.get("/export")
    assert response.status_code == 200, response.text
    assert response.headers["content-disposition"] == f'attachment; filename="{player.table.id}.jsonl"'
    return response.content


def bring(service: Service, file: bytes, headers: Json | None = None, query: Json | None = None) -> httpx.Response:
    sent = {**service.operator, **LINES, **(headers or {})}
    return service.send("POST", "/campaigns/import", sent, content=file, params=query)


def test_an_export_is_complete_sealed_and_without_tokens(played: Table) -> None:
    file = exported(played.gm)
    export = read_export(io.BytesIO(file))
    seal = played.gm.look("/seal")
    assert (export.header.campaign, export.header.position) == (played.id, played.position)
    assert (export.trailer.count, export.trailer.root) == (seal["count"], seal["root"])
    assert export.trailer.checkpoint == seal["checkpoint"]
    assert export.is_complete
    for one in (played.gm, played.ben, played.cleo):
        assert one.token.encode() not in file
    assert b"/access/" not in file
    assert b"token" not in file.replace(b'"did":"token"', b"")


def test_lines_as_a_file(played: Table, elsewhere: Service) -> None:
    """The same bytes, under a name that every client can keep and send."""
    for path in ("/export", "/sessions/3/replay"):
        lines, file = (
            played.gm.send("GET", path, {"Accept": one}) for one in ("application/jsonl", FILE["Content-Type"])
        )
        assert (lines.headers["Content-Type"], file.headers["Content-Type"]) == (*LINES.values(), *FILE.values())
        both = played.gm.send("GET", path, {"Accept": "application/octet-stream, application/jsonl"})
        assert both.headers["Content-Type"] == "application/jsonl"
        assert lines.content == file.content == both.content
    assert bring(elsewhere, exported(played.gm), FILE, {"dry-run": "true"}).status_code == 200


def test_it_is_the_same_elsewhere(played: Table, elsewhere: Service, postgres: Any) -> None:
    file = exported(played.gm)
    trial = bring(elsewhere, file, query={"dry-run": "true"})
    assert trial.status_code == 200, trial.text
    assert trial.json() == {
        "id": played.id,
        "name": "A table",
        "system": "toy",
        "position": played.position,
        "events": len(file.splitlines()) - 2,
        "rulings": 7,
        "older": [],
        "origins": [],
    }
    assert elsewhere.client.get(f"/campaigns/{played.id}", headers=played.gm.bearer).status_code == 404
    headers = {"Idempotency-Key": "9d3d5a3c-2f7e-4a7c-8a55-4f1d1d0b6c21"}
    made = bring(elsewhere, file, headers)
    assert made.status_code == 201, made.text
    again = bring(elsewhere, file, headers)
    assert (again.status_code, again.content) == (201, made.content)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert bring(elsewhere, file).json()["code"] == "campaign-exists"
    assert bring(elsewhere, file, {"Idempotency-Key": "no-uuid"}).status_code == 422
    keep_views(postgres)
    assert elsewhere.client.get(f"/campaigns/{played.id}", headers=played.gm.bearer).status_code == 401
    there = object.__new__(Table)
    there.service, there.id = elsewhere, played.id
    gm = Player(there, "s1", made.json()["seat"]["token"])
    for path in ("", "/rulings", "/timeline", "/characters/1", "/characters/2", "/waiting", "/accounts"):
        assert gm.look(path) == played.gm.look(path), path
    seal, before = gm.look("/seal"), played.gm.look("/seal")
    assert (seal["count"], seal["root"]) == (before["count"], before["root"])
    assert seal["public_key"] != before["public_key"]
    assert gm.look("/audit")["differences"] == []
    ben = Player(there, "s2", gm.does("/seats/s2/token", status=200)["token"])
    rolled = ben.does("/rulings", {"declare": {"kind": "hit", "char": "1", "target": "1"}, "dice": "ledger"}, 202)
    assert rolled["id"]
    gm.does("/sessions", {"title": "Elsewhere"})
    keep_views(postgres)
    assert gm.look("/audit")["differences"] == []
    back = gm.get("/export").content
    assert (
        read_export(io.BytesIO(back))
        .check_against_seal(before["checkpoint"], bytes.fromhex(before["public_key"]))
        .count
    )


def test_a_seat_exports_what_it_may_see_and_the_hashes_of_the_rest(played: Table) -> None:
    played.gm.declare("mint", to="1", coins=87, hidden=True)
    number = played.gm.look("/rulings", limit=500)["rulings"][-1]["number"]
    whole, mine = read_export(io.BytesIO(exported(played.gm))), read_export(io.BytesIO(exported(played.cleo)))
    assert (mine.header.seat, mine.leaves, mine.trailer.root) == ("s3", whole.leaves, whole.trailer.root)
    told = {(stream, version) for stream, version, _, _ in mine.rows}
    withheld = [row for row in whole.rows if (row[0], row[1]) not in told]
    assert f"{played.id}/ruling/{number}" in {stream for stream, _, _, _ in withheld}
    assert not any(b'"coins":87' in state for _, _, _, state in mine.rows)
    assert any(b'"coins":87' in state for _, _, _, state in whole.rows)
    response = bring(played.service, exported(played.cleo))
    assert (response.status_code, response.json()["code"]) == (422, "incomplete-export")


def test_the_operator_exports_everything(played: Table) -> None:
    played.gm.declare("mint", to="1", coins=87, hidden=True)
    response = played.service.send(
        "GET", f"/campaigns/{played.id}/export", {"Authorization": f"Bearer {played.service.operator_token}"}
    )
    assert response.status_code == 200
    assert read_export(io.BytesIO(response.content)).is_complete
    unknown = played.service.send(
        "GET", "/campaigns/k3v7q2mzt5a4c/export", {"Authorization": f"Bearer {played.service.operator_token}"}
    )
    assert unknown.status_code == 404


def test_who_may_not_gets_nothing(played: Table) -> None:
    assert played.service.client.get(f"/campaigns/{played.id}/export").status_code == 401
    file = exported(played.gm)
    response = played.service.send("POST", "/campaigns/import", LINES, content=file)
    assert response.status_code == 401
    assert bring(played.service, file, {"Content-Type": "application/json"}).status_code == 415


def resealed(file: bytes, change: Any) -> bytes:
    """The export of somebody who changed a line and made every hash and the seal anew, with a key of their own."""
    from ledger.application import Sealer
    from ledger.application.reading.exports import write_export

    export = read_export(io.BytesIO(file))
    rows = [row for row in map(change, export.rows) if row is not None]
    return b"".join(write_export(export.header, ((row, True) for row in rows), Sealer(bytes(32))))


def test_what_was_sealed_anew_is_still_told_again(played: Table, elsewhere: Service) -> None:
    file = exported(played.gm)

    def richer(row: Any) -> Any:
        stream, version, topic, state = row
        return stream, version, topic, state.replace(b'"amount":3', b'"amount":9').replace(b'"coins":3', b'"coins":4')

    def other_dice(row: Any) -> Any:
        stream, version, topic, state = row
        return stream, version, topic, state.replace(b'"faces":[6]', b'"faces":[5]')

    def no_such_fact(row: Any) -> Any:
        stream, version, topic, state = row
        return stream, version, topic.replace("toy.coins-moved@1", "toy.coins-removed@1"), state

    for change in (richer, other_dice, no_such_fact):
        response = bring(elsewhere, resealed(file, change))
        assert response.status_code == 422, response.text
        assert response.json()["code"] in ("inconsistent-export", "unreadable-export"), response.text


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "bad-export"),
        (b"\n", "bad-export"),
        (b"{}\n", "bad-export"),
        (b"\xff\xfe\n{}\n", "bad-export"),
        (b'{"format":"campaign-ledger/export"}\n', "bad-export"),
        (b"[" * 100_000 + b"\n", "bad-export"),
    ],
)
def test_what_is_no_export_is_a_problem(service: Service, body: bytes, code: str) -> None:
    response = bring(service, body)
    assert (response.status_code, response.json()["code"]) == (422, code)


def test_large_files_are_taken(service: Service) -> None:
    """Beyond what any other request may have."""
    response = bring(service, b'{"format":"' + b"x" * 3_000_000 + b'"}\n')
    assert (response.status_code, response.json()["code"]) == (422, "bad-export")


@pytest.mark.parametrize("system", sampled(PLAYED, 1, salt="export"))
def test_every_system_comes_back_as_it_was(service: Service, elsewhere: Service, postgres: Any, system: str) -> None:
    """The demonstration campaign: told again from the file, taken in elsewhere, all states and the seal the same."""
    (one,) = demo.play_demonstrations(
        str(service.client.base_url), service.operator_token, with_examples=True, only_system=system
    )
    operator = {"Authorization": f"Bearer {service.operator_token}"}
    here = {"Authorization": f"Bearer {one.token_by_person['Ann, game master']}"}
    file = service.send("GET", f"/campaigns/{one.campaign}/export", operator).content
    made = bring(elsewhere, file)
    assert made.status_code == 201, made.text
    there = {"Authorization": f"Bearer {made.json()['seat']['token']}"}
    keep_views(postgres)
    pages = ["", "/rulings?limit=500", "/seal/since/1", "/accounts?limit=500"]
    pages += [
        f"/characters/{who['id']}"
        for who in service.send("GET", f"/campaigns/{one.campaign}", here).json()["characters"]
    ]
    for page in pages:
        url = f"/campaigns/{one.campaign}{page}"
        assert elsewhere.send("GET", url, there).json() == service.send("GET", url, here).json(), url
    assert elsewhere.send("GET", f"/campaigns/{one.campaign}/audit", there).json()["differences"] == []
