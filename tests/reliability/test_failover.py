"""Failing over under Patroni, under eight writers: nothing answered is lost, and the same process serves on.

Twenty times are a quarter of an hour, and need programs that few machines have: `scripts/reliability --failover`.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress

import psutil
import pytest

from ledger.events.database_check import SCHEMA, views_of
from tests.reliability.checks import SHORT, Unreliable, require, require_all, views_as_built_anew
from tests.reliability.failing_over import KINDS, fail_over, killed, told
from tests.reliability.patroni import Cluster, cluster, missing
from tests.reliability.planted import LOCAL_COMMIT_OF_ROLE
from tests.reliability.postgres import Server
from tests.reliability.system import running
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
        assert "may lose what was answered" not in system.service.said


def _silence(servers: Cluster) -> None:
    """What sends the log to the standby stands still, so that it has nothing of what is written from now on."""
    for one in servers.primary().family():
        with suppress(psutil.NoSuchProcess):
            if "walsender" in " ".join(one.cmdline()):
                one.send_signal(signal.SIGSTOP)


@wanted
def test_a_service_that_waits_for_no_standby_is_found_out() -> None:
    with cluster() as servers, running(servers, "careless", LOCAL_COMMIT_OF_ROLE) as system:
        assert "may lose what was answered" in system.service.said
        with writing(system) as writers, pytest.raises(Unreliable, match="answered and not recorded"):
            writers.wait(SHORT)
            _silence(servers)
            writers.wait(SHORT)
            killed(servers, servers.primary())
            writers.wait(SHORT)
            require_all(system, writers)


def test_views_that_are_not_what_is_built_anew_are_found_out(server: Server) -> None:
    with running(server) as system:
        with writing(system) as writers:
            writers.wait(SHORT)
        require(views_as_built_anew(system))
        server.execute(f"UPDATE {views_of(SCHEMA)}.accounts SET balance = balance + 1", system.database)
        assert views_as_built_anew(system) == ["accounts was kept otherwise than it is built anew"]
