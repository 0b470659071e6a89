"""A migrated schema of its own, and a ledger that serves on it as the unprivileged role."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from psycopg.conninfo import conninfo_to_dict

from ledger.application import Ledger, make_environment
from ledger.events.database_check import SERVICE_ROLE
from tests.desk import Desk
from tests.schemas import made_anew

SCHEMA = "kernel_tests"
KEY = b"a key for the tests only"


def service_url(owner_url: str) -> str:
    given = conninfo_to_dict(owner_url)
    return f"postgresql://{SERVICE_ROLE}:for-tests@{given['host']}:{given.get('port', 5432)}/{given['dbname']}"


@pytest.fixture(scope="session")
def database(postgres: Any) -> Iterator[str]:
    """The owner's URL of a database with a freshly migrated schema."""
    made_anew(postgres.owner_url, SCHEMA)
    yield postgres.owner_url


@pytest.fixture(scope="session")
def ledger(database: str) -> Iterator[Ledger]:
    with Ledger(make_environment(service_url(database), schema=SCHEMA, pool_size=4), KEY) as ledger:
        ledger.check()
        yield ledger


@pytest.fixture
def another(database: str) -> Iterator[Ledger]:
    """A second process' ledger on the same record: nothing shared but Postgres."""
    with Ledger(make_environment(service_url(database), schema=SCHEMA, pool_size=2), KEY) as ledger:
        yield ledger


@pytest.fixture
def desk(ledger: Ledger) -> Desk:
    return Desk(ledger)
