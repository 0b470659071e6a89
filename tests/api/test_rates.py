"""Limits on how often somebody may ask: over several processes, exact, cheap, and in nobody's way."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from api.app import create_app
from api.middleware.rate_limit import Meter
from api.run import demo
from api.service.options import Options, Rate
from ledger.application import Ledger, make_environment
from ledger.events.rate_limit import Grant, Permits
from tests.api.conftest import KEY, OPERATOR, SCHEMA, serving
from tests.api.process import process
from tests.api.table import Service, Table, described


@contextmanager
def limited(ledger: Ledger, seat: Rate | None = None, address: Rate | None = None) -> Iterator[Service]:
    app = create_app(ledger, operator_token=OPERATOR, options=Options(seat_rate=seat, address_rate=address))
    with serving(app) as url, httpx.Client(base_url=url, timeout=120) as client:
        yield Service(client, OPERATOR, described(app.openapi))


@pytest.fixture
def permits(ledger: Ledger) -> Permits:
    return Permits(ledger.store.datastore)


@pytest.fixture(autouse=True)
def nobody_asked_yet(postgres: Any, service_url: str) -> None:
    assert service_url
    with psycopg.connect(postgres.owner_url, autocommit=True) as owner:
        owner.execute(f"TRUNCATE {SCHEMA}_common.permits")


# --- the buckets ---


@pytest.fixture
def later(postgres: Any) -> Callable[[int], None]:
    """So many seconds go by for every bucket. No test waits for them, and none is late for them on a busy machine."""

    def go_by(seconds: int) -> None:
        with psycopg.connect(postgres.owner_url, autocommit=True) as owner:
            owner.execute(
                f"UPDATE {SCHEMA}_common.permits SET whole_at = whole_at - make_interval(secs => %s)", [seconds]
            )

    return go_by


def test_a_bucket_gives_what_it_has_and_refills_steadily(permits: Permits, later: Callable[[int], None]) -> None:
    """Ten in twenty hours: while this runs nothing comes back by itself."""
    hours = 3600
    first = permits.take_permits("a", 7, 10, 20 * hours)
    assert first.count == 7 and first.missing == pytest.approx(14 * hours, rel=0.01)
    assert permits.take_permits("a", 7, 10, 20 * hours).count == 3
    none = permits.take_permits("a", 1, 10, 20 * hours)
    assert none.count == 0 and none.missing == pytest.approx(20 * hours, rel=0.01)
    assert permits.take_permits("b", 1, 10, 20 * hours).count == 1, "another holder's is whole"
    later(5 * hours)
    assert permits.take_permits("a", 9, 10, 20 * hours).count == 2
    later(21 * hours)
    assert permits.take_permits("a", 99, 10, 20 * hours).count == 10, "never more than it holds"


def test_buckets_that_are_whole_are_forgotten(permits: Permits, postgres: Any, later: Callable[[int], None]) -> None:
    permits.take_permits("short", 1, 10, 3600)
    permits.take_permits("long", 1, 1, 3600)
    later(400)
    permits.delete_full_buckets()
    with psycopg.connect(postgres.owner_url) as owner:
        assert owner.execute(f"SELECT holder FROM {SCHEMA}_common.permits").fetchall() == [("long",)]


def test_those_who_take_at_once_get_no_more_together(permits: Permits, service_url: str) -> None:
    with Ledger(make_environment(service_url, schema=SCHEMA), KEY) as other, ThreadPoolExecutor(8) as pool:
        elsewhere = Permits(other.store.datastore)
        grants = pool.map(lambda n: (permits, elsewhere)[n % 2].take_permits("a", 3, 100, 3600), range(80))
        assert sum(one.count for one in grants) == 100


# --- what a process lends ---


class Counting(Permits):
    """The real ones, and how often they were asked."""

    asked = 0

    def take_permits(self, holder: str, wanted: int, most: int, seconds: int) -> Grant:
        self.asked += 1
        return super().take_permits(holder, wanted, most, seconds)


def test_who_asks_often_costs_the_database_little(ledger: Ledger) -> None:
    counting = Counting(ledger.store.datastore)

    async def ask() -> int:
        meter = Meter(counting, "seat", Rate(600, 3600))
        standings = [await meter.take_permit("a") for _ in range(700)]
        return sum(one is not None and one.may_pass for one in standings)

    assert asyncio.run(ask()) == 600, "exactly as many as the rate allows"
    assert counting.asked < 40


def test_who_asks_seldom_loses_nothing_to_loans(ledger: Ledger) -> None:
    """Nine a second of ten allowed, through two processes in turn."""
    meters = [Meter(Permits(ledger.store.datastore), "seat", Rate(20, 2)) for _ in range(2)]

    async def ask() -> list[bool]:
        passed = []
        for place in range(45):
            standing = await meters[place % 2].take_permit("a")
            assert standing is not None
            passed.append(standing.may_pass)
            await asyncio.sleep(0.11)
        return passed

    assert all(asyncio.run(ask()))


# --- over HTTP ---


def test_a_seat_that_asks_too_often_is_told_when_to_come_back(ledger: Ledger, later: Callable[[int], None]) -> None:
    with limited(ledger, seat=Rate(10, 600)) as service:
        table = Table(service)
        answers = [table.ben.get() for _ in range(12)]
        assert [one.status_code for one in answers] == [200] * 10 + [429] * 2, "the first counts as well"
        assert answers[0].headers["RateLimit-Policy"] == '"seat";q=10;w=600'
        assert answers[0].headers["RateLimit"].startswith('"seat";r=9;t=')
        refused = answers[-1]
        assert refused.json()["code"] == "too-many-requests"
        assert refused.headers["RateLimit"].startswith('"seat";r=0;')
        assert "Ledger-Position" not in refused.headers
        assert table.cleo.get().status_code == 200, "others at the table are not in the way"
        assert 0 < int(refused.headers["Retry-After"]) <= 60
        later(120)
        deadline = time.monotonic() + 30  # the process that refused asks again within a second
        while table.ben.get().status_code == 429:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_a_new_token_is_no_new_count(ledger: Ledger) -> None:
    with limited(ledger, seat=Rate(5, 3600)) as service:
        table = Table(service)
        table.ben.get()
        table.ben.token = table.ben.does("/seats/s2/token", status=200)["token"]
        assert [table.ben.get().status_code for _ in range(5)] == [200] * 3 + [429] * 2


def test_made_up_tokens_share_what_their_address_has_and_leave_the_seat_alone(ledger: Ledger) -> None:
    with limited(ledger, seat=Rate(1000, 60), address=Rate(20, 3600)) as service:
        table = Table(service)
        for player in (table.gm, table.ben):
            assert player.get().status_code == 200
        made_up = [f"{table.id}.s2.{uuid.uuid4().hex}" for _ in range(40)]
        path = f"/campaigns/{table.id}"
        statuses = [service.send("GET", path, {"Authorization": f"Bearer {one}"}).status_code for one in made_up]
        assert set(statuses) == {401, 429} and statuses[-1] == 429
        assert service.client.get("/systems").status_code == 429
        assert {table.ben.get().status_code for _ in range(50)} == {200}
        assert {service.client.get(probe).status_code for probe in ("/healthz", "/readyz", "/metrics")} == {200}


def test_a_token_that_died_is_known_no_longer(ledger: Ledger) -> None:
    with limited(ledger, seat=Rate(1000, 60), address=Rate(30, 3600)) as service:
        table = Table(service)
        assert table.ben.get().status_code == 200
        assert table.gm.send("PATCH", "/seats/s2", json={"removed": True}).status_code == 200
        statuses = [table.ben.get().status_code for _ in range(40)]
        assert statuses[0] == 401 and statuses[-1] == 429


def test_an_address_is_its_network_where_there_are_many_addresses(ledger: Ledger) -> None:
    with limited(ledger, address=Rate(3, 3600)) as service:

        def ask(address: str) -> int:
            return service.client.get("/systems", headers={"X-Forwarded-For": address}).status_code  # by our own proxy

        assert [ask(f"2001:db8:1:2::{n}") for n in range(4)] == [200, 200, 200, 429]
        assert ask("2001:db8:1:3::1") == 200
        assert [ask("192.0.2.1") for _ in range(3)] == [200, 200, 200]
        assert ask("::ffff:192.0.2.1") == 429
        assert ask("::ffff:192.0.2.3") == 200
        assert ask("192.0.2.2") == 200


@pytest.mark.nightly
def test_the_limit_holds_over_processes(service_url: str, ledger: Ledger, tmp_path: Path) -> None:
    """Two processes, eight clients in turn: together no more pass than of one."""
    with limited(ledger) as service:
        table = Table(service)
    settings = {"RATE_LIMIT": "300/hour", "ADDRESS_RATE_LIMIT": "off", "LOG_LEVEL": "warning"}
    with (
        process(tmp_path, service_url, SCHEMA, KEY, OPERATOR, **settings) as one,
        process(tmp_path, service_url, SCHEMA, KEY, OPERATOR, **settings) as other,
        httpx.Client(headers=table.ben.bearer, timeout=120) as client,
        ThreadPoolExecutor(8) as pool,
    ):
        urls = [f"{running.address}/campaigns/{table.id}" for running in (one, other)]
        for url in urls:
            assert client.get(url).status_code == 200  # now both know the token
        statuses = list(pool.map(lambda n: client.get(urls[n % 2]).status_code, range(500)))
    assert set(statuses) == {200, 429}
    assert 200 <= statuses.count(200) <= 300  # what a busy machine borrowed and did not use in time is lost


@pytest.mark.nightly
def test_a_token_no_process_knows_yet_has_no_more_than_any(service_url: str, ledger: Ledger, tmp_path: Path) -> None:
    """Two processes fresh from their start, sixteen at once: not one passes before the token is counted."""
    with limited(ledger) as service:
        tables = [Table(service) for _ in range(3)]
    settings = {"RATE_LIMIT": "60/hour", "ADDRESS_RATE_LIMIT": "off", "LOG_LEVEL": "warning"}
    with (
        process(tmp_path, service_url, SCHEMA, KEY, OPERATOR, **settings) as one,
        process(tmp_path, service_url, SCHEMA, KEY, OPERATOR, **settings) as other,
        httpx.Client(timeout=120) as client,
        ThreadPoolExecutor(16) as pool,
    ):
        for table in tables:
            urls = [f"{running.address}/campaigns/{table.id}" for running in (one, other)]
            asked = pool.map(lambda n, u=urls, t=table: client.get(u[n % 2], headers=t.ben.bearer), range(150))
            statuses = [answer.status_code for answer in asked]
            assert set(statuses) == {200, 429}
            assert statuses.count(200) <= 60


def test_a_known_token_counts_where_it_is_used_for_something_else(ledger: Ledger) -> None:
    """Whose it is does not depend on what it is sent to: also of routes that need none."""
    with limited(ledger, seat=Rate(5, 3600), address=Rate(1000, 60)) as service:
        table = Table(service)
        statuses = [service.client.get("/systems", headers=table.ben.bearer).status_code for _ in range(7)]
        assert statuses == [200] * 5 + [429] * 2


def test_whoever_is_let_in_was_counted_by_the_address_first(ledger: Ledger) -> None:
    """Else made-up tokens would each cost a look into the record."""
    with limited(ledger, seat=Rate(1000, 60), address=Rate(6, 3600)) as service:
        table = Table(service)  # five requests, and four of them with the game master's token, of which one is new
        assert [service.client.get("/systems").status_code for _ in range(6)].count(200) == 4
        assert table.gm.get().status_code == 200, "what is known does not need the address"
        assert table.ben.get().status_code == 429


def test_the_operator_has_a_count_of_their_own(ledger: Ledger) -> None:
    with limited(ledger, seat=Rate(3, 3600), address=Rate(1000, 60)) as service:
        statuses = [service.open().status_code for _ in range(5)]
        assert statuses == [201] * 3 + [429] * 2


@pytest.mark.nightly
def test_the_demonstration_takes_the_time_it_is_given(ledger: Ledger) -> None:
    once = Rate(1, 4)  # slower than any machine asks
    with limited(ledger, seat=once, address=once) as service:
        table = demo._Table(service.client, {"name": "toy", "title": "Toy"}, OPERATOR)
        opened = table.post(f"campaign {uuid.uuid4()}", "/campaigns", table._make_opening())
        table.token = opened["seat"]["token"]
        assert {table.get(f"/campaigns/{opened['id']}")["position"] for _ in range(3)} == {1}
        metrics = service.client.get("/metrics").text
    assert 'ledger_refusals_total{code="too-many-requests"}' in metrics


def test_without_limits_nobody_counts(service: Service, table: Table) -> None:
    answer = table.gm.get()
    assert "RateLimit" not in answer.headers and "RateLimit-Policy" not in answer.headers


def test_a_database_that_does_not_count_lets_everybody_pass(postgres: Any, ledger: Ledger) -> None:
    rate = Rate(5, 3600)
    with limited(ledger, rate, rate) as service, psycopg.connect(postgres.owner_url, autocommit=True) as owner:
        owner.execute(f"ALTER TABLE {SCHEMA}_common.permits RENAME TO elsewhere")
        try:
            assert [service.send("GET", "/systems").status_code for _ in range(9)] == [200] * 9
        finally:
            owner.execute(f"ALTER TABLE {SCHEMA}_common.elsewhere RENAME TO permits")
