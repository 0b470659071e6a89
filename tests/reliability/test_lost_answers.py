"""Answers that never arrive, from the database and from the service; and one key, thirty-two times at once."""

from __future__ import annotations

import pytest

from tests.reliability.checks import answers_once, survives_lost_answers
from tests.reliability.postgres import Server
from tests.reliability.system import Unreliable, running


def test_an_answer_that_is_lost_is_given_again(server: Server, rounds: int) -> None:
    with running(server) as system:
        survives_lost_answers(system, rounds)


@pytest.mark.nightly
def test_a_service_that_does_it_again_instead_is_found_out(server: Server) -> None:
    with running(server, "forgetful") as system, pytest.raises(Unreliable, match=r"done \d times"):
        survives_lost_answers(system, 1)


def test_one_key_is_one_ruling_however_many_ask_at_once(server: Server, rounds: int) -> None:
    with running(server) as system:
        answers_once(system, rounds)


@pytest.mark.nightly
def test_a_service_that_answers_each_for_itself_is_found_out(server: Server) -> None:
    with running(server, "forgetful") as system, pytest.raises(Unreliable, match="different answers to one key"):
        answers_once(system, 1)
