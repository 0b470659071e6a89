"""The page at the table, without script: sitting down, doing a thing once, and what is sent from elsewhere."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from random import Random
from typing import TypeAlias

import pytest

from ledger.rules import systems
from tests.api.at_table.tapping import Form, Phone, fill
from tests.api.table import Service, Table

GAMES = [name for name, game in sorted(systems().items()) if name != "toy" and game.inputs]
SCRIPT = "<script>alert(1)</script>"
RULINGS = 10  # made by tapping, ...
ROUNDS = 80  # ... by two who know nothing of the game, in so many turns of both


#: Sits somebody down with a token, by the seed of what they tap.
Sit: TypeAlias = Callable[..., Phone]


@pytest.fixture
def sit(service: Service) -> Iterator[Sit]:
    with ExitStack() as open_phones:

        def down(token: str, seed: int = 5) -> Phone:
            phone = Phone.sits_down(str(service.client.base_url).rstrip("/"), token, Random(seed))
            open_phones.callback(phone.client.close)
            return phone

        yield down


def test_a_wrong_token_and_none_that_ever_was_are_answered_alike(service: Service, table: Table) -> None:
    origin = {"Origin": str(service.client.base_url).rstrip("/")}
    tries = (f"{table.id}.s2.{'x' * 43}", f"{'a' * 13}.s2.{'x' * 43}", "ABCD-2345")
    told = [service.client.post("/join", data={"secret": one}, headers=origin) for one in tries]
    assert {one.status_code for one in told} == {422}
    assert all("This opens nothing here" in one.text for one in told)


def test_a_form_sent_twice_is_one_ruling_and_answers_the_same(service: Service, table: Table, sit: Sit) -> None:
    ann = sit(table.gm.token)
    link = next(one for one in Form(ann.look()).links if "/declare/open-session" in one)
    ((action, fields),) = Form(ann.look(link)).forms.items()
    said = fill(fields, ann.rng)
    first, second = ann.client.post(action, data=said), ann.client.post(action, data=said)
    assert first.status_code == second.status_code == 303
    assert first.headers["location"] == second.headers["location"]


def test_what_is_not_sent_from_here_does_nothing(service: Service, table: Table, sit: Sit) -> None:
    ann = sit(table.gm.token)
    link = next(one for one in Form(ann.look()).links if "/declare/open-session" in one)
    ((action, fields),) = Form(ann.look(link)).forms.items()
    said, before = fill(fields, ann.rng), table.position
    elsewhere = ann.client.post(action, data=said, headers={"Origin": "https://elsewhere.example"})
    assert elsewhere.status_code == 403 and "not sent from this page" in elsewhere.text
    old = ann.client.post(action, data={**said, "token": "salt.old"})
    assert old.status_code == 403 and table.position == before
    other = Table(service)
    strange = ann.client.get(ann.at.replace(table.id, other.id))
    assert strange.status_code == 401 and "You do not sit here" in strange.text


def test_the_cookie_opens_nothing_of_the_api(service: Service, table: Table, sit: Sit) -> None:
    ann = sit(table.gm.token)
    cookie = "; ".join(f"{name}={value}" for name, value in ann.client.cookies.items())
    assert cookie
    assert service.client.get(f"/campaigns/{table.id}/state", headers={"Cookie": cookie}).status_code == 401


def test_script_that_somebody_writes_is_text(service: Service, table: Table, sit: Sit) -> None:
    ann = sit(table.gm.token)
    table.gm.does("/scenes", {"title": SCRIPT, "cast": []})
    for path in ("", "timeline", "rulings/1"):
        page = ann.look(path)
        assert SCRIPT not in page
    assert "&lt;script&gt;" in ann.look("rulings/1")


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_played_from_its_page_alone(service: Service, sit: Sit, name: str) -> None:
    opened = service.open(system=name).json()
    ann = sit(opened["seat"]["token"])
    bearer = {"Authorization": f"Bearer {opened['seat']['token']}", "Idempotency-Key": str(uuid.uuid4())}
    made = service.send("POST", f"/campaigns/{opened['id']}/seats", bearer, json={"name": "Ben", "role": "player"})
    phones = [ann, sit(made.json()["token"], 6)]
    for _ in range(ROUNDS):
        if sum(one.rulings for one in phones) >= RULINGS:
            break
        for one in phones:
            one.tap()
    assert sum(one.rulings for one in phones) >= RULINGS
