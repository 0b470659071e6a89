"""The command line over the database of the tests: what it prints, for people and for programs, and how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.text import Text
from typer.main import get_command
from typer.testing import CliRunner, Result

from api.cli.main import app
from api.run.terminal import complete_campaign_ids
from projections.views.store import VIEWS
from tests.api.conftest import SCHEMA
from tests.api.table import Json, Table

RUNNER = CliRunner()
ROOT = Path(__file__).parents[2]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, postgres: Any, service_url: str) -> Any:
    monkeypatch.setenv("LEDGER_OWNER_URL", postgres.owner_url)
    monkeypatch.setenv("LEDGER_DATABASE_URL", service_url)
    monkeypatch.setenv("LEDGER_PROJECTOR_URL", service_url.replace("ledger_service", "ledger_projector"))
    monkeypatch.setenv("LEDGER_SCHEMA", SCHEMA)
    monkeypatch.setenv("LEDGER_SERVER_KEY", "a key for the tests only")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr("api.run.terminal.out.width", 200)  # it was settled when the module was first imported

    def invoke(*words: object, ends: int = 0) -> Result:
        result = RUNNER.invoke(app, [str(word) for word in words])
        assert result.exit_code == ends, (result.output, result.exception)
        return result

    return invoke


@pytest.fixture
def quarrel(table: Table) -> Table:
    table.fighters()
    table.gm.does("/sessions", {"title": "The bridge"})
    table.gm.declare("mint", to="1", coins=5)
    table.hit(6)
    table.gm.declare("mint", to="2", coins=77, hidden=True)
    table.gm.does("/rulings/5/overturn", {"reason": "out of reach"}, 200)
    table.gm.look("/timeline")  # the views are there
    return table


def data(result: Result, *also: str) -> Any:
    """What a document of one campaign tells; `also`: what else stands around it."""
    told: Json = json.loads(result.stdout)
    assert set(told) == {"command", "campaign", "position", "data", *also}
    return told["data"]


def data_of_none(result: Result) -> Any:
    """What a document tells that is not about a single campaign."""
    told: Json = json.loads(result.stdout)
    assert set(told) == {"command", "data"}
    return told["data"]


def test_campaigns(run: Any, quarrel: Table) -> None:
    (mine,) = [one for one in data_of_none(run("campaigns", "--json")) if one["campaign"] == quarrel.id]
    assert (mine["name"], mine["system"], mine["rulings"], mine["position"]) == ("A table", "toy", 6, quarrel.position)
    assert quarrel.id in run("campaigns").stdout


def test_timeline(run: Any, quarrel: Table) -> None:
    told = data(run("timeline", quarrel.id, "--json"))
    assert told == quarrel.gm.look("/timeline", limit=500)["facts"]
    assert data(run("timeline", quarrel.id, "--ruling", 5, "--json"))[0]["struck"] is True
    assert [
        one["ruling"]
        for one in data(run("timeline", quarrel.id, "--kind", "toy.coins-moved", "--seat", "s2", "--json"))
    ] == [4]
    assert "Celia is hurt for 6." in run("timeline", quarrel.id).stdout
    assert run("timeline", quarrel.id, "--session", 3, "--ruling", 1).stdout == ""


def test_what_a_limit_cut_is_said_and_can_be_had(run: Any, quarrel: Table) -> None:
    def pages(*words: object, of: str | None = None) -> list[Json]:
        """The rows, got two at a time."""
        found: list[Json] = []
        after: tuple[object, ...] = ()
        while True:
            line = run(*words, "--limit", 2, *after, "--json").stdout
            told = json.loads(line)
            found += told["data"] if of is None else told["data"][of]
            if "next" not in told:
                return found
            assert f"--after {told['next']}" in run(*words, "--limit", 2, *after).stderr
            after = ("--after", told["next"])

    account = "character:2/coin"
    assert pages("timeline", quarrel.id) == quarrel.gm.look("/timeline", limit=500)["facts"]
    assert pages("accounts", quarrel.id, of="accounts") == quarrel.gm.look("/accounts")["accounts"]
    assert pages("statement", quarrel.id, account, of="entries") == quarrel.gm.look(f"/accounts/{account}")["entries"]
    assert run("timeline", quarrel.id).stderr == ""
    for words in (("timeline", quarrel.id, "--after", "noon"), ("statement", quarrel.id, account, "--after", "x")):
        run(*words, ends=2)


def test_a_ruling(run: Any, quarrel: Table) -> None:
    assert data(run("ruling", quarrel.id, 5, "--json")) == quarrel.gm.look("/rulings/5")
    shown = run("ruling", quarrel.id, 5).stdout
    for word in ("overturned", "Ben", "toy.hit = ", " of die ", "A hit does what the die shows.", "out of reach"):
        assert word in shown
    assert "77" not in run("ruling", quarrel.id, 6, "--seat", "s2").stdout.partition("by")[2]


def test_accounts_and_a_statement(run: Any, quarrel: Table) -> None:
    assert data(run("accounts", quarrel.id, "--json")) == quarrel.gm.look("/accounts")
    account = "character:2/coin"
    assert data(run("statement", quarrel.id, account, "--json")) == quarrel.gm.look(f"/accounts/{account}")
    assert "77" in run("statement", quarrel.id, account).stdout
    run("statement", quarrel.id, account, "--seat", "s2", ends=3)


def test_a_replay(run: Any, quarrel: Table) -> None:
    told = data(run("replay", quarrel.id, 3, "--json"))
    assert [one["ruling"]["number"] for one in told["frames"]] == [3, 4, 5, 6]
    shown = run("replay", quarrel.id, 3, "--from", 4, "--to", 4).stdout
    assert "balances/character:1/coin none -> " in shown
    assert "none -> none" not in run("replay", quarrel.id, 3).stdout
    assert "Ruling 5" not in shown


def test_what_if(run: Any, quarrel: Table) -> None:
    assert data(run("what-if", quarrel.id, "--without", 4, "--json")) == quarrel.gm.look("/what-if", without="4")
    assert "Bruno" in run("what-if", quarrel.id, "--without", 4).stdout
    assert data(run("what-if", quarrel.id, "--dial", "die:8", "--json")) == quarrel.gm.look("/what-if", dial="die:8")
    for dial in ("nothing:1", "die:7"):
        assert run("what-if", quarrel.id, "--dial", dial, ends=3).stderr.startswith("campaign-ledger: Option ")
    run("what-if", quarrel.id, ends=2)


def test_an_audit_ends_with_one_when_something_is_to_be_settled(run: Any, table: Table) -> None:
    ada, bo = table.fighters()
    table.gm.declare("mint", to=ada, coins=5)
    table.ben.declare("give", char=ada, to=bo, coins=3)
    table.gm.look("/timeline")
    assert "Healthy" in run("audit", table.id).stdout
    table.gm.does("/rulings/3/overturn", {"reason": "no"}, 200)
    table.gm.look("/timeline")
    found = data(run("audit", table.id, "--json", ends=1))["findings"]
    assert run("audit", table.id, ends=1).stdout.startswith(f"{len(found)} open finding")


def test_views_built_anew(run: Any, quarrel: Table) -> None:
    before = quarrel.gm.look("/timeline")
    built = data_of_none(run("rebuild", "timeline", "balances", "--json"))
    assert built == {"views": ["timeline", "balances"], "behind": 0}
    assert quarrel.gm.look("/timeline") == before
    run("rebuild", "no-such-view", ends=2)


@pytest.mark.parametrize(
    "words",
    [
        ("timeline", "nosuchcampaign"),
        ("ruling", "{id}", "999"),
        ("statement", "{id}", "x"),
        ("replay", "{id}", "77"),
        ("timeline", "{id}", "--seat", "s99"),
        ("what-if", "{id}", "--without", "999"),
        ("timeline", "{id}", "--at", "999"),
    ],
)
def test_what_is_not_there_is_said_in_one_sentence(run: Any, quarrel: Table, words: tuple[str, ...]) -> None:
    result = run(*(word.format(id=quarrel.id) for word in words), ends=3)
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1, result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("timeline",),
        ("ruling", "x", "y"),
        ("timeline", "x", "--as", "dreamt"),
        ("timeline", "x", "--at", "noon"),
        ("sing",),
    ],
)
def test_usage(run: Any, words: tuple[str, ...]) -> None:
    run(*words, ends=2)


def test_no_database(run: Any, monkeypatch: pytest.MonkeyPatch, data_folder: Any) -> None:
    for name in ("LEDGER_OWNER_URL", "LEDGER_DATABASE_URL", "LEDGER_PROJECTOR_URL"):
        monkeypatch.delenv(name)
    assert "campaign-ledger up" in run("campaigns", "--data", data_folder, ends=3).stderr


def test_help_is_where_a_newcomer_can_start(run: Any) -> None:
    shown = run("--help").stdout
    for command in (
        "up",
        "serve",
        "demo",
        "migrate",
        "projector",
        "campaigns",
        "timeline",
        "ruling",
        "statement",
        "rebuild",
    ):
        assert command in shown
        assert run(command, "--help").stdout


HELP = """
import sys
from typer.testing import CliRunner
from api.cli.main import app
from api.run.terminal import complete_campaign_ids
result = CliRunner().invoke(app, sys.argv[1:] + ["--help"])
assert result.exit_code == 0 and "Usage" in result.output, result.output
heavy = {"fastapi", "eventsourcing", "psycopg", "uvicorn", "httpx", "msgspec", "cryptography"}
print(*sorted(heavy & set(sys.modules)))
"""


@pytest.mark.parametrize("words", [(), ("timeline",), ("up",), ("verify",)])
def test_help_does_not_wait_for_what_it_does_not_need(words: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", HELP, *words], cwd=ROOT, check=True, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.split() == []


def test_views_are_named_in_the_help_as_they_are_called(run: Any) -> None:
    example = (
        Text.from_ansi(run("rebuild", "--help").stdout).plain.partition("campaign-ledger rebuild ")[2].split("\n")[0]
    )
    assert set(example.split()) <= {kind.name for kind in VIEWS}


def test_every_command_has_an_example(run: Any) -> None:
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        assert f"Example: campaign-ledger {name}" in (command.help or ""), name
    assert "To begin, start the service" in run("--help").stdout


def test_ids_are_completed(run: Any, quarrel: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    context = typer.Context(get_command(app))
    assert (quarrel.id, "A table") in complete_campaign_ids(context)
    monkeypatch.setenv("LEDGER_DATABASE_URL", "nonsense")
    assert complete_campaign_ids(context) == []
