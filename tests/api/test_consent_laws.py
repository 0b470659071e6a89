"""Laws of consent, of every system on random play: nothing of a seat's own changes that it did not agree to."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import httpx
import pytest

from api.cli.playing.evening import Evening
from api.cli.playing.filling import Json
from api.cli.playing.table import Seat, Table
from ledger.application.commands import consenting
from ledger.application.save import Save
from ledger.rules import systems
from tests.api.conftest import OPERATOR
from tests.api.table import Service
from tests.levels import sampled

RULINGS, DECISIONS = 14, 8
every_system = pytest.mark.parametrize("name", sampled(sorted(systems()), 2, salt="consent"))
AGREE = {"consent": True, "reason": "so it was"}


@pytest.fixture
def client(service: Service) -> Iterator[httpx.Client]:
    def judge(response: httpx.Response) -> None:
        response.read()
        assert response.status_code < 500, response.text
        if response.url.path != "/openapi.json":
            service.description.judge(response)

    with httpx.Client(base_url=service.client.base_url, timeout=120, event_hooks={"response": [judge]}) as client:
        yield client


def played(client: httpx.Client, name: str, seed: int) -> Table:
    """A game in which decisions wait from now on."""
    table = Table(client, OPERATOR, name, Random(seed), 3)
    Evening(table, lambda _: None, ("table",)).play(RULINGS)
    for waiting in table.gm.get("/waiting")["waiting"]:
        table.gm.post(f"/waiting/{waiting['id']}/withdraw", {"reason": "it is late"})
    told = table.gm.post(
        "/rulings",
        {"declare": {"kind": "set-dial", "name": "consent", "value": "affected", "reason": "we ask each other"}},
    )
    assert told.status_code == 201, told.text
    return table


def own(table: Table) -> dict[str, Json]:
    """What each player sees of the characters that are theirs."""
    found: dict[str, Json] = {}
    for seat in table.seats[1:]:
        theirs = [one["id"] for one in seat.get()["characters"] if one["seat"] == seat.id]
        seen = {id: seat.get(f"/characters/{id}") for id in theirs}
        for one in seen.values():
            one.pop("version")
            one.pop("adrift")  # facts that change nothing
        found[seat.id] = seen
    return found


def changed(before: dict[str, Json], after: dict[str, Json]) -> set[str]:
    return {seat for seat in before if before[seat] != after[seat]}


def decide(table: Table, rng: Random) -> httpx.Response | None:
    """Something about the past, as the game master likes; None where there is nothing to decide about."""
    told = table.gm.get("/rulings", limit="500")["rulings"]
    struck = [one for one in told if one["status"] == "overturned"]
    there = [one for one in told if one["status"] != "overturned" and one["declared"]["kind"] != "set-dial"]
    body: Json = {"reason": "look again", "settle": rng.choice(("flag", "rerule"))}
    if struck and rng.random() < 0.4:
        return table.gm.post(f"/rulings/{rng.choice(struck)['number']}/reinstate", body)
    if not there:
        return None
    one = rng.choice(there)
    if rng.random() < 0.2:
        return table.gm.post(f"/rulings/{one['number']}/revise", {**body, "code": "entry"})
    return table.gm.post(f"/rulings/{one['number']}/overturn", body)


def asked(table: Table, id: str) -> list[Seat]:
    return [seat for seat in table.seats if id in [one["id"] for one in seat.get("/waiting", mine="true")["decisions"]]]


def followed(table: Table, rng: Random) -> tuple[int, int]:
    """How many decisions waited, and how many took effect at once; each held against the law."""
    waited = at_once = 0
    for _ in range(DECISIONS):
        before = own(table)
        answer = decide(table, rng)
        if answer is None or answer.status_code >= 400:
            assert answer is None or changed(before, own(table)) == set(), answer.text
            continue
        assert changed(before, own(table)) == set(), "it took effect, and somebody was not asked"
        if answer.status_code == 200:
            at_once += 1
            continue
        waited += 1
        id, agreed = answer.json()["id"], set[str]()
        while answer.json()["status"] == "waiting" and (left := [s for s in asked(table, id) if s.id not in agreed]):
            assert changed(before, own(table)) == set(), "it took effect before all had agreed"
            agreed.add(left[0].id)
            answer = left[0].post(f"/waiting/{id}/consent", AGREE)
            assert answer.status_code == 200, answer.text
        if answer.json()["status"] == "waiting":  # it can take effect no more
            assert changed(before, own(table)) == set()
            table.gm.post(f"/waiting/{id}/withdraw", {"reason": "never mind"})
        assert changed(before, own(table)) <= agreed
    found = table.gm.get("/audit")["differences"]
    assert found == [], found
    return waited, at_once


@every_system
def test_nothing_of_anybodys_changes_without_their_consent(client: httpx.Client, name: str) -> None:
    followed(played(client, name, 1), Random(1))


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["mongrel", "moc"])
def test_that_somebody_is_not_asked_is_found(monkeypatch: pytest.MonkeyPatch, client: httpx.Client, name: str) -> None:
    """Planted: the seat that comes first is never asked."""
    right = consenting.find_concerned_seats

    def forgetful(save: Save, made: consenting.DecisionResult) -> dict[str, bool]:
        found = right(save, made)
        return {seat: openly for seat, openly in found.items() if seat != min(found)}

    monkeypatch.setattr(consenting, "find_concerned_seats", forgetful)
    for seed in range(1, 6):
        table = played(client, name, seed)
        try:
            followed(table, Random(seed))
        except AssertionError:
            return
    pytest.fail("nobody noticed")
