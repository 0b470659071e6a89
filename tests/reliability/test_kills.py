"""kill -9 under eight writers: what was answered is in the record, what was asked for again is there once."""

from __future__ import annotations

import pytest

from tests.levels import sampled
from tests.reliability.checks import survives
from tests.reliability.planted import LATE_COMMIT_OF_ROLE, LATE_COMMITS
from tests.reliability.postgres import Server
from tests.reliability.system import Unreliable, running


@pytest.mark.parametrize("struck", sampled(["kill_service", "kill_database", "kill_both"], 1))
def test_nothing_answered_is_lost_and_nothing_is_done_twice(server: Server, rounds: int, struck: str) -> None:
    with running(server) as system:
        writers = survives(system, getattr(system, struck), rounds)
        assert writers.answered > 10 * rounds
        assert any(deed.tries > 1 for deed in writers.deeds), "nobody noticed: nothing was tried"


@pytest.mark.nightly
def test_a_service_that_answers_before_it_saves_is_found_out(server: Server) -> None:
    with running(server, "hasty") as system, pytest.raises(Unreliable, match="answered and not recorded"):
        survives(system, system.kill_service, 2)


@pytest.mark.nightly
def test_a_service_that_crashes_is_found_out(server: Server) -> None:
    """Though it is started again, and nothing is lost."""
    with pytest.raises(Unreliable, match="ended by SIGSEGV"), running(server, "crashing") as system:
        survives(system, system.kill_service, 2)


@pytest.mark.nightly
def test_a_database_that_commits_late_is_found_out() -> None:
    server = Server()
    try:
        for statement in LATE_COMMITS:
            server.execute(statement)
        with (
            running(server, "careless", LATE_COMMIT_OF_ROLE) as system,
            pytest.raises(Unreliable, match="answered and not recorded"),
        ):
            survives(system, system.kill_database, 2)
    finally:
        server.close()
