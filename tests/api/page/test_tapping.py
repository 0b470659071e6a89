"""Every game without a browser and without script: two who know nothing of it tap what the page offers them."""

from __future__ import annotations

import uuid
from contextlib import ExitStack
from random import Random

import pytest

from ledger.rules import systems
from tests.api.page.tapping import Phone
from tests.api.table import Service
from tests.levels import sampled

RULINGS = 10  # made by tapping, ...
ROUNDS = 80  # ... in so many turns of both


@pytest.mark.parametrize("name", sampled(sorted(systems()), 2, salt="tapping"))
def test_every_game_is_played_from_its_page_alone(service: Service, name: str) -> None:
    opened = service.open(system=name).json()
    token = opened["seat"]["token"]
    bearer = {"Authorization": f"Bearer {token}", "Idempotency-Key": str(uuid.uuid4())}
    made = service.send("POST", f"/campaigns/{opened['id']}/seats", bearer, json={"name": "Ben", "role": "player"})
    address = str(service.client.base_url).rstrip("/")
    with ExitStack() as stack:
        phones = [
            Phone.sits_down(address, said, Random(seed)) for said, seed in ((token, 5), (made.json()["token"], 6))
        ]
        for one in phones:
            stack.callback(one.client.close)
        for _ in range(ROUNDS):
            if sum(one.rulings for one in phones) >= RULINGS:
                return
            for one in phones:
                one.tap()
    raise AssertionError([one.refused[-1:] for one in phones])
