"""A host vanishes without a word: its locks are let go, its work is taken over, and who waited for it goes on."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any, TypeVar

import httpx
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from api.embedded.server import SETTINGS
from api.service.database import Database
from ledger.application import Ledger, make_environment
from ledger.errors import Unavailable
from ledger.events.database_check import SCHEMA, SERVICE_ROLE
from projections.views.projector import Projector
from tests.api.process import ROOT, process
from tests.desk import Desk
from tests.reliability.hosts import DATABASE, DOOR, Host, why_none
from tests.reliability.postgres import Server
from tests.reliability.system import KEY, OPERATOR, PATIENCE, database_on
from tests.reliability.writers import Deed, Table, table

T = TypeVar("T")
pytestmark = pytest.mark.skipif((why := why_none()) is not None, reason=why or "")


@dataclass(frozen=True, slots=True)
class Place:
    """A database with one shelf, another host, and a service there, which `client` asks. `logins`: of this host."""

    host: Host
    logins: Database
    client: httpx.Client
    desk: Desk

    def from_there(self, url: str) -> str:
        """The same login, from the other host."""
        server = conninfo_to_dict(self.logins.owner_url)
        return make_conninfo(url, host=self.host.here[DATABASE], port=server["port"])

    @contextmanager
    def owner(self) -> Iterator[psycopg.Connection[Any]]:
        with psycopg.connect(self.logins.owner_url) as connection:
            yield connection

    def wait_until_a_service_waits_for_a_lock(self) -> None:
        query = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND usename = %s"
        with psycopg.connect(self.logins.owner_url, autocommit=True) as connection:
            until(lambda: connection.execute(query, (SERVICE_ROLE,)).fetchone())


def until(found: Callable[[], T | None]) -> T:
    deadline = time.monotonic() + PATIENCE
    while (result := found()) is None:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return result


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with ExitStack() as stack:
        host = Host()
        stack.callback(host.close)
        with pytest.MonkeyPatch.context() as patched:
            patched.setitem(SETTINGS, "listen_addresses", f"127.0.0.1,{host.here[DATABASE]}")
            server = Server()
        stack.callback(server.close)
        server.let_in(host.network)
        _, logins = database_on(server, shelves=1)
        port = conninfo_to_dict(logins.owner_url)["port"]
        url, projector = (
            make_conninfo(one, host=host.here[DATABASE], port=port)
            for one in (logins.service_url, logins.projector_url)
        )
        service = stack.enter_context(
            process(
                tmp_path_factory.mktemp("service"),
                url,
                SCHEMA,
                KEY,
                OPERATOR,
                run_by=host.run_by,
                address=host.there[DOOR],
                RATE_LIMIT="off",
                ADDRESS_RATE_LIMIT="off",
                PROJECTOR_URL=projector,
            )
        )
        client = stack.enter_context(httpx.Client(base_url=service.address, timeout=2 * PATIENCE))
        desk = Desk(stack.enter_context(Ledger(make_environment(logins.service_url), KEY)))
        desk.enrol("Ann")
        yield Place(host, logins, client, desk)


@pytest.fixture(autouse=True)
def healed(place: Place) -> Iterator[None]:
    """Afterwards every line is whole, and the server has forgotten what it still believed of the host."""
    yield
    for line in (DATABASE, DOOR):
        place.host.is_back(line)
        place.host.find(line)
    with place.owner() as owner:
        query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE client_addr = %s"
        owner.execute(query, (place.host.there[DATABASE],))
    until(lambda: True if place.client.get("/readyz").status_code == 200 else None)


@pytest.mark.nightly
def test_a_host_that_vanishes_while_somebody_sits_down_holds_up_no_save(place: Place) -> None:
    seated = table(place.client)
    asked = {"name": "Celia", "role": "player"}
    made = place.client.post(f"/campaigns/{seated.id}/invites", headers=seated.bearer, json=asked).json()

    def sit_down() -> httpx.Response:
        key = {"Idempotency-Key": "celia-sits-down-with-this"}
        return place.client.post("/invites/use", json={"secret": made["link"]}, headers=key)

    with ThreadPoolExecutor(1) as pool:
        with place.owner() as owner:
            owner.execute(f"LOCK TABLE {SCHEMA}.ledger_events IN SHARE MODE".encode())  # the save comes as far as this
            answer = pool.submit(sit_down)
            place.wait_until_a_service_waits_for_a_lock()
            place.host.vanish(DATABASE)
        place.desk("mint", to="1", coins=1)
        place.host.is_back(DATABASE)
        assert answer.result().status_code in (201, 503)
    assert sit_down().status_code == 201
    seats = place.client.get(f"/campaigns/{seated.id}", headers=seated.bearer).json()["seats"]
    assert [seat["name"] for seat in seats] == ["Ann", "Celia"]


HOLDS_THE_COUNTER = f"""
import sys, psycopg
connection = psycopg.connect(sys.argv[1])
connection.execute("SELECT {SCHEMA}.append('{{nobody/unsealed/1}}', '{{1}}', '{{t}}', '{{x}}')")
print("holds", flush=True)
sys.stdin.read()
"""


@pytest.mark.nightly
def test_a_transaction_of_a_host_that_vanished_ends(place: Place) -> None:
    """Whichever it is, and whatever it has locked."""
    url = place.from_there(place.logins.service_url)
    command = [*place.host.run_by, sys.executable, "-c", HOLDS_THE_COUNTER, url]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holding:
        assert holding.stdout is not None and holding.stdout.readline() == "holds\n"
        place.host.vanish(DATABASE)
        until(lambda: saved(place.desk))
        holding.kill()


def saved(desk: Desk) -> bool | None:
    try:
        desk("mint", to="1", coins=1)
    except Unavailable:
        return None
    return True


@pytest.mark.nightly
def test_another_keeps_the_views_when_the_host_of_the_first_vanishes(place: Place) -> None:
    """It holds a lock as long as its connection lasts, and hears of news that it does not acknowledge."""
    with Projector(place.logins.projector_url, SCHEMA) as keeper:
        until(lambda: keeper.is_led() or None)
        stop = Event()
        following = Thread(target=keeper.follow, args=(stop,), daemon=True)
        following.start()
        try:
            place.desk("mint", to="1", coins=1)
            assert not keeper.is_leading
            place.host.vanish(DATABASE)
            place.desk("mint", to="1", coins=1)
            until(lambda: keeper.is_leading or None)
        finally:
            stop.set()
            following.join(PATIENCE)


@pytest.mark.nightly
def test_a_service_whose_database_vanishes_says_so_and_recovers(place: Place) -> None:
    played = table(place.client)
    deed = Deed(played, 1, "1")
    with ThreadPoolExecutor(1) as pool:
        with place.owner() as owner:
            owner.execute(f"SELECT last FROM {SCHEMA}.counter FOR UPDATE".encode())
            answer = pool.submit(deed.ask, place.client)
            place.wait_until_a_service_waits_for_a_lock()
            place.host.lose(DATABASE)
        away = answer.result()
        assert (away.status_code, away.json()["code"]) == (503, "database-away")
    assert deed.ask(place.client).status_code == 503
    place.host.find(DATABASE)
    until(lambda: True if deed.ask(place.client).status_code == 201 else None)
    wanted = {"kind": "give", "wait": deed.ask(place.client).headers["Ledger-Position"]}
    given = until(lambda: listed(place.client, played, wanted))
    assert [ruling["number"] for ruling in given] == [deed.ask(place.client).json()["number"]]


def listed(client: httpx.Client, played: Table, wanted: dict[str, str]) -> Any:
    answer = client.get(f"/campaigns/{played.id}/rulings", headers=played.bearer, params=wanted)
    return answer.json()["rulings"] if answer.status_code == 200 else None
