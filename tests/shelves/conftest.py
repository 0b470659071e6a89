"""A ledger of four shelves, with campaigns on every one of them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from ledger.application import Ledger, make_environment
from ledger.events.shelves import find_shelf_number
from tests.desk import Desk
from tests.kernel.conftest import KEY, service_url
from tests.schemas import made_anew

SCHEMA, SHELVES = "shelf_tests", 4


@pytest.fixture(scope="module")
def database(postgres: Any) -> str:
    """The owner's URL."""
    made_anew(postgres.owner_url, SCHEMA, SHELVES)
    return str(postgres.owner_url)


@pytest.fixture(scope="module")
def ledger(database: str) -> Iterator[Ledger]:
    with Ledger(make_environment(service_url(database), schema=SCHEMA), KEY) as ledger:
        ledger.check()
        yield ledger


def key_on(ledger: Ledger, shelf: int) -> str:
    """An idempotency key, new, under which a campaign comes to stand there."""
    while True:
        key = str(uuid.uuid4())
        if find_shelf_number(ledger.keys.make_campaign_id(key), SHELVES) == shelf:
            return key


@pytest.fixture
def desks(ledger: Ledger) -> list[Desk]:
    """A new campaign on each shelf, by their numbers."""
    return [Desk(ledger, key=key_on(ledger, shelf)) for shelf in range(SHELVES)]
