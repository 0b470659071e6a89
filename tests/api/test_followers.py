"""Every ruling reaches timeline, feed and hooks, whatever the service's own login does to the ids of events."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import httpx
import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from api.app import create_app
from api.hooks.sending import Sender
from api.run.views import keep_views, make_views_check
from api.service.options import Options
from ledger.application import Ledger, make_environment
from ledger.errors import Fault, Unavailable
from ledger.events.database_check import PROJECTOR_ROLE, SERVICE_ROLE
from ledger.events.migration import migrate
from projections.views.projector import Projector
from tests.api.conftest import KEY, OPERATOR, serving
from tests.api.hooks.conftest import HERE, Clock, Delivery, caught_up
from tests.api.hooks.receiver import receiving
from tests.api.table import Json, Player, Service, Table, described
from tests.api.test_feed import listening
from tests.schemas import PASSWORD, as_version_9, made_anew

SCHEMA = "follower_tests"
PATIENCE = 20  # seconds; only what never comes takes as long
EVENTS = f"{SCHEMA}.ledger_events"
COUNTER = f"{SCHEMA}.counter"
FORWARD, BACK = (f"UPDATE {COUNTER} SET last = last {by} 1000000" for by in "+-")
STRANGER = (
    f"INSERT INTO {EVENTS} (originator_id, originator_version, topic, state, notification_id)"
    " VALUES ('stranger/character/1', 1, 'none', '{}', 9000000)"
)


@dataclass(frozen=True, slots=True)
class Place:
    """A service on a schema of its own, which keeps its views."""

    ledger: Ledger
    projector: Projector
    service: Service

    def timeline_is_whole(self, table: Table) -> None:
        """Return once the timeline holds every ruling."""
        with self.ledger.open_for_service(table.id) as book:
            wanted = list(range(1, book.campaign.rulings + 1))
        until(lambda: rulings(table.gm) == wanted)

    def ready(self) -> httpx.Response:
        return self.service.send("GET", "/readyz")


def rulings(player: Player) -> list[int]:
    """Those of which the timeline has facts, in its order; none while it is not there yet."""
    answer = player.get("/timeline", limit=500)
    facts: list[Json] = answer.json()["facts"] if answer.status_code == 200 else []
    return list(dict.fromkeys(fact["ruling"] for fact in facts if fact["ruling"] is not None))


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def owner(postgres: Any) -> Iterator[psycopg.Connection[Any]]:
    """Of a freshly migrated schema."""
    made_anew(postgres.owner_url, SCHEMA)
    with psycopg.connect(postgres.owner_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def login(owner: psycopg.Connection[Any], postgres: Any) -> Iterator[psycopg.Connection[Any]]:
    """The service's own."""
    with psycopg.connect(login_of(postgres.owner_url, SERVICE_ROLE), autocommit=True) as connection:
        yield connection


def login_of(owner_url: str, role: str) -> str:
    return make_conninfo(owner_url, user=role, password=PASSWORD)


@contextmanager
def running(owner_url: str) -> Iterator[Place]:
    with (
        Ledger(make_environment(login_of(owner_url, SERVICE_ROLE), schema=SCHEMA), KEY) as ledger,
        keep_views(login_of(owner_url, PROJECTOR_ROLE), SCHEMA) as projector,
    ):
        app = create_app(ledger, operator_token=OPERATOR, options=Options(hook_allow=HERE))
        app.state.readiness.checks.append(make_views_check(ledger, projector))
        with serving(app) as address, httpx.Client(base_url=address, timeout=30) as client:
            yield Place(ledger, projector, Service(client, OPERATOR, described(app.openapi), app))


def seated(place: Place, table: Table) -> Table:
    """The same table, at another service."""
    again = object.__new__(Table)
    again.service, again.id = place.service, table.id
    for name in ("gm", "ben", "cleo", "dora"):
        player: Player = getattr(table, name)
        setattr(again, name, Player(again, player.id, player.token))
    return again


def attempt(login: psycopg.Connection[Any], statement: str) -> None:
    """Whether it is let or not."""
    with suppress(psycopg.errors.InsufficientPrivilege):
        login.execute(statement.encode())


@pytest.mark.parametrize(("before", "after"), [(FORWARD, BACK), (STRANGER, "SELECT 1")], ids=["counter", "insert"])
def test_the_services_own_login_hides_no_ruling(
    login: psycopg.Connection[Any], postgres: Any, before: str, after: str
) -> None:
    with running(postgres.owner_url) as place:
        table = Table(place.service)
        table.fighters()
        place.timeline_is_whole(table)
        attempt(login, before)
        table.gm.declare("mint", to="1", coins=1)
        place.timeline_is_whole(table)
        attempt(login, after)
        for _ in range(3):
            table.gm.declare("mint", to="1", coins=1)
        place.timeline_is_whole(table)
        assert place.ready().json() == {"status": "ready"}


def pass_over(place: Place, table: Table, login: psycopg.Connection[Any]) -> Table:
    """As the login could before version 0011: two rulings of the table, and another table, are given lower ids.

    Return the other table.
    """
    table.fighters()
    place.timeline_is_whole(table)
    login.execute(FORWARD.encode())
    table.gm.declare("mint", to="1", coins=1)
    place.timeline_is_whole(table)
    login.execute(BACK.encode())
    for coins in (2, 3):
        table.gm.declare("mint", to="1", coins=coins)
    other = Table(place.service)
    other.fighters()
    return other


def minted(documents: list[Json]) -> list[int]:
    return [one["fact"]["coins"] for one in documents if one.get("kind") == "toy.coins-moved"]


@pytest.mark.nightly
def test_what_was_passed_over_before_reaches_everybody_after_the_migration(
    owner: psycopg.Connection[Any], login: psycopg.Connection[Any], postgres: Any
) -> None:
    with receiving() as receiver:
        with running(postgres.owner_url) as place:
            table = Table(place.service)
            made = table.gm.does("/hooks", {"url": receiver.url, "events": ["fact"]})
            owner.execute(as_version_9(SCHEMA))
            other = pass_over(place, table, login)
            last = table.gm.look("/timeline", limit=500)["facts"][-1]["id"]
            until(lambda: place.projector.count_behind() <= 0)
            assert rulings(table.gm) == [1, 2, 3] and other.gm.get("/timeline").status_code == 503
            answer = place.ready()
            assert answer.status_code == 503 and answer.json()["context"] == {"failed": ["database", "views"]}
            with pytest.raises(
                Fault, match=r"is at \d\d, but there is already an event 10000\d\d\. .*migrate"
            ) as wrong:
                make_views_check(place.ledger, place.projector).run()
            assert wrong.value.code == "ids-ahead"
        migrate(postgres.owner_url, schema=SCHEMA)
        with (
            Ledger(make_environment(login_of(postgres.owner_url, SERVICE_ROLE), schema=SCHEMA), KEY) as ledger,
            pytest.raises(Unavailable, match=r"is missing saves of 2 campaigns.*rebuild"),
        ):
            make_views_check(ledger).run()
        with running(postgres.owner_url) as place:
            table, other = seated(place, table), seated(place, other)
            for each in (table, other):
                place.timeline_is_whole(each)
                audit = each.gm.look("/audit")
                assert (audit["healthy"], audit["differences"]) == (True, [])
                export = each.gm.get("/export")
                headers = {**each.gm.bearer, "Content-Type": "application/jsonl"}
                proved = place.service.send("POST", "/campaigns/verify", headers, content=export.content)
                assert proved.json()["sound"], proved.text
            until(lambda: place.ready().json() == {"status": "ready"})
            with listening(table.gm, last) as feed:
                table.gm.declare("mint", to="1", coins=4)
                assert minted([data for _, _, data in feed.until_facts(3)]) == [2, 3, 4]
            delivery = Delivery(place.ledger, Sender(HERE), Clock())
            caught_up(table, place.ledger)
            delivery.turn()
            assert table.gm.look(f"/hooks/{made['id']}")["status"] == "on"
            assert minted([one.said["data"] for one in receiver.received]) == [1, 2, 3, 4]


def test_the_next_save_of_a_campaign_makes_up_for_what_was_passed_over(
    owner: psycopg.Connection[Any], login: psycopg.Connection[Any], postgres: Any
) -> None:
    owner.execute(as_version_9(SCHEMA))
    with running(postgres.owner_url) as place:
        table = Table(place.service)
        pass_over(place, table, login)
        login.execute(FORWARD.encode())
        table.gm.declare("mint", to="1", coins=4)
        place.timeline_is_whole(table)
        before = table.gm.look("/timeline", limit=500)
        place.projector.rebuild()
        assert table.gm.look("/timeline", limit=500) == before
        assert table.gm.look("/audit")["healthy"]


def test_views_that_nobody_keeps_are_not_ready(login: psycopg.Connection[Any], postgres: Any) -> None:
    """The login can take the lock by which one process keeps them."""
    now = [0.0]
    login.execute("SELECT pg_advisory_lock(%s)", [zlib.crc32(f"{SCHEMA} views".encode()) + 1])
    with running(postgres.owner_url) as place:
        place.projector.make_tables()
        table = Table(place.service)
        check = make_views_check(place.ledger, place.projector, lambda: now[0])
        for now[0] in (0, 60):
            assert check.run() == {}
        now[0] = 61
        with pytest.raises(
            Unavailable, match=r"has made no progress for 61 seconds, and [0-9]+ events are waiting. No process"
        ):
            check.run()
        login.execute("SELECT pg_advisory_unlock_all()")
        table.fighters()
        place.timeline_is_whole(table)
        assert check.run() == {}
