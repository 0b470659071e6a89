"""Failing over under Patroni, under eight writers: nothing answered is lost, and the same process serves on.

Twenty times are a quarter of an hour, and need programs that few machines have: `scripts/reliability --failover`.
"""

from __future__ import annotations

import os

import psutil
import pytest

from ledger.events.database_check import SCHEMA, name_views_schema
from ledger.events.shelves import name_schemas
from tests.reliability.checks import SHORT, require, require_all, views_as_built_anew
from tests.reliability.failing_over import KINDS, fail_over, taken_over, told
from tests.reliability.patroni import Node, cluster, missing
from tests.reliability.planted import LOCAL_COMMITS
from tests.reliability.postgres import Server
from tests.reliability.system import SHELVES, Unreliable, running
from tests.reliability.writers import writing

TIMES = int(os.environ.get("LEDGER_FAILOVERS") or 0)
wanted = pytest.mark.skipif(
    not TIMES or missing() is not None,
    reason="takes a quarter of an hour: scripts/reliability --failover" if not TIMES else f"{missing()}",
)
pytestmark = pytest.mark.timeout(600 + 120 * TIMES)


@wanted
def test_nothing_answered_is_lost_and_nobody_restarts_the_service() -> None:
    with cluster() as servers, running(servers) as system:
        before = system.service.popen.pid
        with writing(system) as writers:
            blows = fail_over(servers, writers, TIMES)
        print(told(blows, writers))
        require(writers.complaints)
        require_all(system, writers)
        require(views_as_built_anew(system))
        assert len(blows) == TIMES
        assert len(KINDS) > TIMES or any(deed.tries > 1 for deed in writers.deeds), "nobody noticed: nothing was tried"
        assert (system.service.popen.pid, system.service.popen.poll()) == (before, None)
        with system.client() as client:
            assert client.get("/readyz").json() == {"status": "ready"}
        assert "may lose saved rulings" not in system.service.said


def _walreceiver(node: Node) -> psutil.Process:
    """Of a standby: what takes the log."""
    return next(one for one in node.family() if "walreceiver" in " ".join(one.cmdline()))


@wanted
def test_a_service_that_waits_for_no_standby_is_found_out() -> None:
    """The standby hears nothing for a moment, and then the primary is gone."""
    with cluster() as servers, running(servers, "careless", LOCAL_COMMITS) as system:
        assert "may lose saved rulings" in system.service.said
        with writing(system) as writers, pytest.raises(Unreliable, match="answered and not recorded"):
            writers.wait(SHORT)
            node = servers.primary()
            deaf = _walreceiver(servers.other(node))
            deaf.suspend()
            writers.wait(SHORT)
            assert not writers.complaints
            node.kill_patroni()
            node.kill_server()
            deaf.kill()  # and what was on the way to it is gone
            taken_over(servers, node)
            require_all(system, writers)


@wanted
def test_views_that_are_not_what_is_built_anew_are_found_out(server: Server) -> None:
    with running(server) as system:
        with writing(system) as writers:
            writers.wait(SHORT)
        require(views_as_built_anew(system))
        for schema in name_schemas(SCHEMA, SHELVES):
            server.execute(f"UPDATE {name_views_schema(schema)}.accounts SET balance = balance + 1", system.database)
        assert views_as_built_anew(system) == ["accounts was kept otherwise than it is built anew"]
