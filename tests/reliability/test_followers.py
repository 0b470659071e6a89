"""Who follows the record by its notifications misses nothing of eight writers: every event, in order, exactly once."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Event, Thread

import psycopg
import pytest

from ledger.application import Ledger, make_environment
from ledger.events.database_check import SCHEMA
from tests.desk import Desk
from tests.reliability.checks import require
from tests.reliability.postgres import Server
from tests.reliability.system import KEY, PATIENCE, Unreliable, database_on

WRITERS, FOLLOWERS = 8, 2

# Commits take their time, as on a busy disk, some longer than others: a later save may be through before an earlier.
SLOW_DISK = f"""
CREATE FUNCTION {SCHEMA}.commit_slowly() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_sleep(random() * 0.004); RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER commit_slowly AFTER INSERT ON {SCHEMA}.ledger_events
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION {SCHEMA}.commit_slowly();
"""


class Follower(Thread):
    """`seen`: the events' ids and addresses in the order they came, asked for from behind the last one seen."""

    def __init__(self, url: str, stop: Event) -> None:
        super().__init__(daemon=True)
        self.url, self.stop = url, stop
        self.seen: list[tuple[int, str, int]] = []

    def run(self) -> None:
        with Ledger(make_environment(self.url), KEY) as ledger:
            while True:
                ending = self.stop.is_set()
                last = self.seen[-1][0] if self.seen else 0
                found = ledger.store.select_notifications(last + 1, 25)  # of the first shelf
                self.seen += [(one.id, str(one.originator_id), one.originator_version) for one in found]
                if ending and not found:
                    return


@contextmanager
def followed(url: str) -> Iterator[list[Follower]]:
    stop = Event()
    followers = [Follower(url, stop) for _ in range(FOLLOWERS)]
    for one in followers:
        one.start()
    try:
        yield followers
    finally:
        stop.set()
        for one in followers:
            one.join(PATIENCE)


def misses_nothing(owner_url: str, service_url: str, seconds: float) -> None:
    """Eight processes' worth of writers, each with a ledger and a campaign of its own, beside two followers."""
    with ExitStack() as stack:
        ledgers = [stack.enter_context(Ledger(make_environment(service_url, pool_size=1), KEY)) for _ in range(WRITERS)]
        with followed(service_url) as followers:
            desks = [Desk(ledger) for ledger in ledgers]
            until = time.monotonic() + seconds
            writers = [Thread(target=_write, args=(desk, until)) for desk in desks]
            for writer in writers:
                writer.start()
            for writer in writers:
                writer.join(PATIENCE)
    with psycopg.connect(owner_url) as connection:
        query = "SELECT notification_id, originator_id, originator_version FROM {}.ledger_events ORDER BY 1"
        recorded = connection.execute(query.format(SCHEMA).encode()).fetchall()
    assert len(recorded) > 20 * WRITERS, "too little was written to try anything"
    require([problem for one in followers for problem in _differences(one.seen, recorded)])


def _write(desk: Desk, until: float) -> None:
    desk.enrol("A")
    while time.monotonic() < until:
        desk("mint", to="1", coins=1)


def _differences(seen: list[tuple[int, str, int]], recorded: list[tuple[int, str, int]]) -> list[str]:
    missed = sorted(set(recorded) - set(seen))
    problems = [f"missed {len(missed)} events: {missed[:3]}"] if missed else []
    if seen != sorted(set(seen)):
        problems.append("events came twice or out of order")
    return problems


@pytest.fixture
def database(server: Server) -> tuple[str, str, str]:
    """A database with slow commits: its name, its owner's URL and the service's."""
    name, found = database_on(server, shelves=1)
    server.execute(SLOW_DISK, name)
    return name, found.owner_url, found.service_url


def test_followers_miss_nothing(database: tuple[str, str, str], rounds: int) -> None:
    _, owner_url, service_url = database
    misses_nothing(owner_url, service_url, 1.0 * rounds)


def test_a_recorder_whose_ids_come_without_a_lock_is_found_out(server: Server, database: tuple[str, str, str]) -> None:
    name, owner_url, service_url = database
    with psycopg.connect(owner_url) as connection:
        (source,) = connection.execute(f"SELECT pg_get_functiondef('{SCHEMA}.append'::regproc)").fetchone() or ("",)
    asked = re.compile(r"UPDATE \S+\.counter .* INTO STRICT before;")
    without = asked.sub(f"SELECT nextval('{SCHEMA}.unlocked') * 100 INTO STRICT before;", source)
    assert without != source
    server.execute(f"CREATE SEQUENCE {SCHEMA}.unlocked; GRANT USAGE ON SEQUENCE {SCHEMA}.unlocked TO PUBLIC", name)
    server.execute(without, name)
    with pytest.raises(Unreliable, match="missed"):
        misses_nothing(owner_url, service_url, 2.0)
