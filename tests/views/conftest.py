"""A record with its views, and the logins of both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from ledger.application import Ledger, make_environment
from ledger.events.database_check import PROJECTOR_ROLE, SERVICE_ROLE
from projections.views.pages import Reader, Views
from projections.views.projector import Projector
from tests.desk import Desk
from tests.schemas import made_anew

SCHEMA = "view_tests"
KEY = b"a key for the tests only"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ViewDatabase:
    """Who may do what with one database."""

    owner_url: str
    service_url: str
    projector_url: str

    def rows(self, table: str, schema: str = f"{SCHEMA}_views", campaign: str | None = None) -> list[tuple[Any, ...]]:
        """All of a view's table, in one order."""
        with psycopg.connect(self.owner_url) as connection:
            where = "" if campaign is None else f"WHERE campaign = '{campaign}'"
            found = connection.execute(f"SELECT one::text FROM {schema}.{table} AS one {where}".encode())
            return sorted(found.fetchall())


@pytest.fixture
def database(postgres: Any) -> ViewDatabase:
    """Freshly migrated, for one test."""
    made_anew(postgres.owner_url, SCHEMA)
    service, projector = (
        make_conninfo(postgres.owner_url, user=role, password="for-tests") for role in (SERVICE_ROLE, PROJECTOR_ROLE)
    )
    return ViewDatabase(postgres.owner_url, service, projector)


@pytest.fixture
def ledger(database: ViewDatabase) -> Iterator[Ledger]:
    with Ledger(make_environment(database.service_url, schema=SCHEMA, pool_size=2), KEY) as ledger:
        yield ledger


@pytest.fixture
def projector(database: ViewDatabase) -> Iterator[Projector]:
    with Projector(database.projector_url, SCHEMA) as projector:
        yield projector


@pytest.fixture
def views(ledger: Ledger) -> Views:
    return Views(ledger.shelves.get_shelf(0))


def look(views: Views, campaign: str, tell: Callable[[Reader], T]) -> T:
    """What is told of a campaign's views as they are now."""
    with views.open_reader(campaign) as reader:
        return tell(reader)


@pytest.fixture
def desk(ledger: Ledger) -> Desk:
    return Desk(ledger)
