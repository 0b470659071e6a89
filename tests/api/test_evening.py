"""Whole evenings played over HTTP by a program that knows no game: nothing that is offered or asked for is refused."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import httpx
import pytest
from typer.testing import CliRunner

from api.cli.main import app
from api.cli.playing.evening import Evening
from api.cli.playing.report import never_of, occurred, report
from api.cli.playing.table import Record, Table
from ledger.rules import systems
from ledger.rules.kernel.moves import Move
from ledger.rules.kernel.seen import Seen
from tests.api.conftest import OPERATOR
from tests.api.table import Service
from tests.laws.test_moves import widened

WITH_MOVES = sorted(name for name, one in systems().items() if one.moves is not None)
LISTED = ("intensity", "mnemonic", "moc", "mongrel", "scattershot")
with_moves = pytest.mark.parametrize("name", WITH_MOVES)


@pytest.fixture
def client(service: Service) -> Iterator[httpx.Client]:
    """As the program's own; every answer it gets is held against the service's description."""

    def judge(response: httpx.Response) -> None:
        response.read()
        assert response.status_code < 500, response.text
        if response.url.path != "/openapi.json":
            service.description.judge(response)

    with httpx.Client(base_url=service.client.base_url, timeout=60, event_hooks={"response": [judge]}) as client:
        yield client


def played(client: httpx.Client, name: str, seed: int, rulings: int, sentences: list[str] | None = None) -> Record:
    """All dice are typed in: so that a seed plays the same evening every time."""
    table = Table(client, OPERATOR, name, Random(seed), 3)
    return Evening(table, sentences.append if sentences is not None else (lambda _: None), ("table",)).play(rulings)


@with_moves
def test_an_evening_is_played_and_nothing_is_refused(client: httpx.Client, name: str) -> None:
    """Another one of each game is played in `test_evening_told`."""
    sentences: list[str] = []
    record = played(client, name, 2, 40, sentences)
    assert not record.faults, "\n".join(map(str, record.faults))
    assert len(sentences) == record.rulings >= 40
    assert len(record.kinds) >= 6, record.kinds


@with_moves
def test_a_move_that_is_too_wide_is_found(monkeypatch: pytest.MonkeyPatch, client: httpx.Client, name: str) -> None:
    """It offers what names nobody there is."""
    own = systems()[name].moves
    assert own is not None

    def too_wide(seen: Seen) -> Iterator[Move]:
        yield from widened(seen, iter(own(seen)))

    monkeypatch.setitem(systems(), name, replace(systems()[name], moves=too_wide))
    record = Record()
    for seed in range(4):
        record.add(played(client, name, seed, 40))
        if any(one.what.startswith("declare ") for one in record.faults):
            return
    pytest.fail("no refusal was met")


def test_the_command_prints_each_ruling_and_ends_with_one_where_something_was_refused(
    monkeypatch: pytest.MonkeyPatch, service: Service
) -> None:
    monkeypatch.setenv("LEDGER_OPERATOR_TOKEN", OPERATOR)
    monkeypatch.setenv("COLUMNS", "200")
    words = ["play", "--random", "toy", "--rulings", "30", "--address", str(service.client.base_url)]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, (result.output, result.exception)
    assert "    1  " in result.stdout and " joins, played by Ann." in result.stdout
    assert result.stdout.endswith("Refusals: 0.\n")
    several = CliRunner().invoke(app, [*words, "--evenings", "2"])
    assert several.exit_code == 0 and " joins, " not in several.stdout and "choices: " in several.stdout

    own = systems()["toy"].moves
    assert own is not None
    wide = replace(systems()["toy"], moves=lambda seen: widened(seen, iter(own(seen))))
    monkeypatch.setitem(systems(), "toy", wide)
    refused = CliRunner().invoke(app, [*words, "--evenings", "4"])
    assert refused.exit_code == 1, refused.output
    assert CliRunner().invoke(app, [*words, "--random", "chess"]).exit_code == 3


def test_a_game_without_moves_is_tried_and_stops_nothing(monkeypatch: pytest.MonkeyPatch, client: httpx.Client) -> None:
    """All is offered by its form alone there, so much is refused."""
    monkeypatch.setitem(systems(), "toy", replace(systems()["toy"], moves=None))
    record = played(client, "toy", 1, 10)
    assert record.rulings >= 10 and record.faults


def test_where_nobody_is_ready_people_are_made_by_their_form(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(systems(), "toy", replace(systems()["toy"], people={}))
    record = played(client, "toy", 1, 12)
    assert record.rulings >= 12 and record.kinds["enrol"] >= 2 and not record.faults


def test_the_report_tells_what_never_occurred(client: httpx.Client) -> None:
    record = played(client, "toy", 1, 30)
    system = client.get("/systems/toy").json()
    lines = list(occurred(record, system))
    never = never_of(record.kinds, [one["kind"] for one in system["inputs"]])
    assert lines[0] == f"inputs: {len(system['inputs']) - len(never)} of {len(system['inputs'])}."
    told = list(report(record, 2.0))
    assert told[0] == f"{record.rulings} rulings in 2 seconds, {record.rulings / 2:.1f} a second."
    assert told[-1] == "Refusals: 0."


@pytest.mark.parametrize("name", LISTED)
def test_what_never_occurs_is_listed_by_words_of_the_game(client: httpx.Client, name: str) -> None:
    system = client.get(f"/systems/{name}").json()
    words = {one["kind"] for what in ("inputs", "choices", "facts") for one in system[what]}
    unmet = importlib.import_module(f"tests.rules.{name}.unmet").UNMET
    assert unmet.keys() <= words
