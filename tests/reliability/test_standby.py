"""A streaming standby that is promoted: who named both servers finds it, and nobody restarts anything."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from api.service.database import Database
from ledger.application import Ledger, make_environment
from ledger.errors import Fault, Unavailable
from tests.api.process import process, service_of
from tests.api.table import Table
from tests.api.test_feed import listening
from tests.api.test_outage import must_heal_and_be_told
from tests.desk import Desk
from tests.reliability.postgres import Server, standby_of
from tests.reliability.system import KEY, OPERATOR, database_on


@dataclass(frozen=True, slots=True)
class Pair:
    """`database`: its logins name both servers, the standby first."""

    name: str
    database: Database
    first: Server
    second: Server

    def change_places(self) -> None:
        """As a cluster's manager does it: the first ends, the second is promoted, the first comes back behind it."""
        self.first.stop()
        self.second.promote()
        self.first.follow(self.second)
        self.first.start()


@pytest.fixture
def pair() -> Iterator[Pair]:
    first = Server()
    try:
        name, found = database_on(first)
        second = standby_of(first)
        try:
            first.wait_for_standby()
            yield Pair(name, _of_both(found, name, first, second), first, second)
        finally:
            second.close()
    finally:
        first.close()


def _of_both(found: Database, name: str, first: Server, second: Server) -> Database:
    place = f"127.0.0.1:{second.proxy.port},127.0.0.1:{first.proxy.port}/{name}"
    logins = [conninfo_to_dict(url) for url in (found.service_url, found.projector_url)]
    service, projector = (f"postgresql://{one['user']}:{one['password']}@{place}" for one in logins)
    return Database(first.owner_of(name), service, projector)


def test_the_service_goes_over_to_the_standby_that_was_promoted(pair: Pair, tmp_path: Path) -> None:
    """And its feed, its views and its hooks, which connect for themselves."""
    url = pair.database.service_url
    how = {"PROJECTOR_URL": pair.database.projector_url, "DIRECT_URL": url, "RATE_LIMIT": "off"}
    with (
        process(tmp_path, url, pair.database.schema, KEY, OPERATOR, **how) as one,
        service_of(one, OPERATOR) as service,
    ):
        table = Table(service)
        table.fighters()
        table.gm.declare("mint", to="1", coins=7)
        with listening(table.ben) as feed:
            before = table.position
            pair.change_places()
            must_heal_and_be_told(table, before)
            assert feed.until(1)
        assert table.gm.look("/characters/1")["balances"][0]["balance"] == 8
        assert one.popen.poll() is None


@pytest.mark.nightly  # by default: a standby that was promoted, above
def test_a_connection_that_can_only_read_is_not_kept(pair: Pair) -> None:
    """The server lives on and answers whoever asks whether it is there: nothing breaks that would be noticed."""
    with Ledger(make_environment(pair.database.service_url), KEY) as ledger:
        desk = Desk(ledger)
        desk.enrol("A")
        with ThreadPoolExecutor(8) as pool:  # so that there are connections to be kept
            list(pool.map(lambda _: ledger.store.select_notifications(1, 1), range(64)))
        pair.first.execute("ALTER SYSTEM SET default_transaction_read_only = on")
        pair.first.execute("SELECT pg_reload_conf()")
        coins, deadline = 0, time.monotonic() + 5
        with suppress(Unavailable):
            while time.monotonic() < deadline:
                desk("mint", to="1", coins=1)
                coins += 1
        pair.second.promote()
        desk("mint", to="1", coins=1)
        assert desk.coins("1") == coins + 1


@pytest.mark.nightly
def test_a_role_that_does_not_wait_for_the_standby_is_refused(pair: Pair) -> None:
    url = pair.database.service_url
    with Ledger(make_environment(url), KEY) as ledger:
        ledger.check()
        assert ledger.waits_for_standby()
    role = conninfo_to_dict(url)["user"]
    pair.first.execute(f"ALTER ROLE {role} IN DATABASE {pair.name} SET synchronous_commit = local")
    with Ledger(make_environment(url), KEY) as ledger:
        assert not ledger.waits_for_standby()
        with pytest.raises(Fault, match="synchronous_commit is local"):
            ledger.check()
