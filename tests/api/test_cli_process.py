"""The command line as a process of its own: what goes to stdout, what to stderr, and with which code it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from tests.api.conftest import KEY, SCHEMA
from tests.api.process import PATIENCE, PROGRAM, ROOT
from tests.api.table import Table
from tests.levels import examples, sampled


@pytest.fixture
def start(postgres: Any, service_url: str) -> Iterator[Any]:
    """Begins a command. Ctrl-C reaches it, also where whoever began the tests in the background had it passed over."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    colours = ("COLUMNS", "FORCE_", "PY_COLORS", "GITHUB_ACTIONS")  # Typer takes each for a terminal
    kept = {name: one for name, one in os.environ.items() if not name.startswith(("LEDGER_", *colours))}
    settings = {
        "LEDGER_OWNER_URL": postgres.owner_url,
        "LEDGER_DATABASE_URL": service_url,
        "LEDGER_PROJECTOR_URL": service_url.replace("ledger_service", "ledger_projector"),
        "LEDGER_SCHEMA": SCHEMA,
        "LEDGER_SERVER_KEY": KEY.decode(),
    }

    @contextmanager
    def begin(*words: object, **other: str) -> Iterator[subprocess.Popen[str]]:
        line = [sys.executable, "-c", PROGRAM, *map(str, words)]
        environment = {**kept, **settings, **other}
        with subprocess.Popen(
            line, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as begun:
            try:
                yield begun
            finally:
                begun.kill()

    yield begin
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def run(start: Any) -> Any:
    def finish(*words: object, ends: int = 0, **other: str) -> tuple[str, str]:
        with start(*words, **other) as begun:
            said, errors = begun.communicate(timeout=PATIENCE)
        assert begun.returncode == ends, errors
        assert "Traceback" not in errors
        assert "\x1b" not in said + errors, "no terminal, no escape codes"
        return said, errors

    return finish


@pytest.fixture
def played(table: Table) -> Table:
    table.fighters()
    table.gm.does("/sessions", {"title": "The bridge"})
    table.hit(6)
    table.gm.look("/timeline")
    return table


def test_documents_are_all_there_is_on_stdout(run: Any, played: Table) -> None:
    of_one = (("timeline", played.id), ("ruling", played.id, 3), ("audit", played.id))
    for words in (("campaigns",), *of_one, ("rebuild", "timeline"))[:: examples(5, 5, 1)]:
        said, errors = run(*words, "--json")
        assert json.loads(said)["command"] == words[0]
        assert [line for line in errors.splitlines() if "have stopped" not in line] == []  # others' campaigns
    assert "Healthy" in run("audit", played.id)[0]
    said, errors = run("timeline", played.id, "--limit", 1)
    assert max(map(len, said.splitlines())) > 0 and "--after" in errors


@pytest.mark.nightly
def test_codes_of_the_end(run: Any, played: Table) -> None:
    assert run("ruling", played.id, 999, ends=3) == ("", "campaign-ledger: There is no ruling 999.\n")
    assert run("timeline", played.id, "--at", "noon", ends=2)[0] == ""
    nowhere = "postgresql://ann:the-password@127.0.0.1:1/ledger"
    said, errors = run("campaigns", ends=3, LEDGER_DATABASE_URL=nowhere)
    assert said == "" and "the-password" not in errors and len(errors.splitlines()) == 1
    played.gm.does("/rulings/1/overturn", {"reason": "no"}, 200)
    played.gm.look("/timeline")
    said, errors = run("audit", played.id, "--json", ends=1)
    assert json.loads(said)["data"]["findings"] and errors == ""


@pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes are POSIX")
def test_whoever_stops_reading_or_waiting_is_not_told_off(start: Any, played: Table) -> None:
    with start("timeline", played.id, "--json") as begun:
        begun.stdout.close()
        assert begun.stderr.read() == ""
        assert begun.wait(PATIENCE) == 141
    with start("replay", played.id, 3, "--follow", "--json") as begun:
        assert begun.stdout.readline()
        errors = broken_off(begun)
        assert "Traceback" not in errors and begun.returncode != 0


def broken_off(begun: subprocess.Popen[str]) -> str:
    """What it said on stderr until Ctrl-C ended it: pressed again where Python lost it (in a destructor, say)."""
    for _ in range(6):
        begun.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            return begun.communicate(timeout=PATIENCE / 3)[1]
    raise AssertionError("Ctrl-C does not end it")


def test_completion_for_shells(run: Any) -> None:
    assert "_COMPLETE" in run("--show-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")[0]


@pytest.mark.parametrize("token", sampled(["", "fifteen-letters"], 1))
def test_an_operators_token_that_could_be_guessed_is_refused(run: Any, token: str) -> None:
    _, errors = run("serve", "--port", "0", ends=3, LEDGER_OPERATOR_TOKEN=token)
    assert errors.strip() == "campaign-ledger: LEDGER_OPERATOR_TOKEN must be a secret of at least 16 characters."
