"""Playing and deciding from the command line: shown first, asked, done once, and told to people and programs."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from api.cli.main import app
from tests.api.table import Service, Table
from tests.api.test_cli import data, quarrel, run  # noqa: F401  (fixtures)

RUNNER = CliRunner()


@pytest.fixture
def at(run: Any, service: Service, monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: F811
    """`run`, at the running service."""
    monkeypatch.setenv("LEDGER_ADDRESS", str(service.client.base_url))
    monkeypatch.setenv("LEDGER_OPERATOR_TOKEN", service.operator_token)
    return run


def typed(*words: object, keys: str, ends: int = 0) -> Any:
    """Run a command for somebody who types these keys."""
    result = RUNNER.invoke(app, [str(word) for word in words], input=keys)
    assert result.exit_code == ends, (result.output, result.exception)
    return result


@pytest.fixture
def fight(table: Table) -> Table:
    table.fighters()
    table.gm.declare("mint", to="1", coins=5)
    return table


def test_nothing_is_saved_until_somebody_says_yes(at: Any, fight: Table) -> None:
    words = ("dispute", fight.id, 3, "--reason", "Too much.", "--token", fight.ben.token)
    assert "Nothing was saved." in typed(*words, keys="n\n", ends=1).stderr
    assert "--yes" in typed(*words, keys="", ends=1).stderr
    assert fight.gm.look("/rulings/3")["status"] == "standing"
    shown = typed(*words, keys="y\n").stdout
    assert "Ruling 3 (standing)" in shown and "No balances change." in shown and "Ruling 3 disputed" in shown
    assert fight.gm.look("/rulings/3")["status"] == "disputed"


def test_a_preview_shows_what_would_change_and_saves_nothing(at: Any, fight: Table) -> None:
    words = ("overturn", fight.id, 3, "--reason", "Nobody paid.", "--token", fight.gm.token)
    shown = at(*words, "--preview").stdout
    assert "Bruno" in shown and "5" in shown
    assert data(at(*words, "--preview", "--json"))["without"] == [3]
    assert fight.gm.look("/rulings/3")["status"] == "standing"
    assert data(at(*words, "--yes", "--json"))["status"] == "overturned"
    at("reinstate", fight.id, 3, "--reason", "They did.", "--yes")
    assert fight.gm.look("/rulings/3")["status"] == "standing"


def test_a_slip_is_taken_back_and_an_evening_rewound(at: Any, fight: Table) -> None:
    fight.ben.declare("give", char="1", to="2", coins=2)
    words = ("take-back", fight.id, 4, "--token", fight.ben.token)
    assert "5" in at(*words, "--preview").stdout and fight.gm.look("/rulings/4")["status"] == "standing"
    assert "Take back ruling 4?" in typed(*words, keys="y\n").output
    assert fight.gm.look("/rulings/4")["status"] == "overturned"
    assert "dispute ruling 3" in at("take-back", fight.id, 3, "--yes", "--token", fight.gm.token, ends=3).stderr
    fight.ben.declare("give", char="1", to="2", coins=1)
    words = ("rewind", fight.id, 3, "-r", "Again.")
    assert "Rulings 3 to 5 would no longer count." in at(*words, "--preview").stdout
    assert data(at(*words, "--yes", "--json"))["changed"]["through"] == 5
    at("reinstate", fight.id, 3, "-r", "It counts.", "--yes")
    assert [fight.gm.look(f"/rulings/{number}")["status"] for number in (3, 5)] == ["standing"] * 2


def test_a_forgotten_ruling_is_entered_at_its_place(at: Any, fight: Table) -> None:
    fight.ben.declare("give", char="1", to="2", coins=4)
    words = ("declare", fight.id, "give", "char=1", "to=2", "coins=3", "--after", 3, "--token", fight.gm.token)
    assert data(at(*words, "--preview", "--json"))["entered"]["place"] == "3a"
    assert "4" in at(*words, "--preview").stdout and fight.gm.look("")["rulings"] == 4
    assert data(at(*words, "--settle", "rerule", "--yes", "--json"))["place"] == "3a"
    assert "entered late: its number in order of play is 3a" in at("ruling", fight.id, 5).stdout
    assert fight.gm.look("/rulings/4")["refusal"]["code"] == "coins-short"


def test_a_program_is_never_asked(at: Any, fight: Table) -> None:
    at("dispute", fight.id, 3, "--reason", "Too much.", "--json", ends=2)
    at("dispute", fight.id, 3, "--reason", "Too much.", "--yes", "--preview", ends=2)


def test_upholding_revising_and_settling(at: Any, fight: Table) -> None:
    at("dispute", fight.id, 3, "-r", "Too much.", "--yes", "--token", fight.ben.token)
    assert data(at("uphold", fight.id, 3, "-r", "It was five.", "--yes", "--json"))["status"] == "upheld"
    words = ("revise", fight.id, 3, "coins=3", "--code", "entry", "-r", "It was three.")
    assert "5 -> 3" in at(*words, "--preview").stdout
    at(*words, "--yes")
    assert fight.gm.look("/accounts/character:1/coin")["balance"] == 3
    fight.gm.declare("give", char="1", to="2", coins=3)
    at("overturn", fight.id, 3, "-r", "It was nothing.", "--yes")
    finding, *others = fight.gm.look("/findings")["findings"]
    settling = ("settle", fight.id, finding["id"], "let-stand", "-r", "So be it.")
    assert finding["text"] in at(*settling, "--preview").stdout
    at(*settling, "--yes")
    assert fight.gm.look("/findings")["findings"] == others


def test_an_evening_and_a_dispute_from_the_command_line_alone(at: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = json.loads(at("open", "The bridge", "--system", "toy", "--gm", "Ann", "--json").stdout)
    id, ann = opened["campaign"], opened["data"]["seat"]["token"]
    tokens = {}
    for name in ("Ben", "Cleo"):
        invited = data(at("invite", id, "--name", name, "--json"))
        tokens[name] = at("join", invited["code"]).stdout.strip()
    monkeypatch.setenv("LEDGER_TOKEN", ann)
    for seat, name in (("s2", "Bruno"), ("s3", "Celia")):
        at("declare", id, "enrol", f"name={name}", f"seat={seat}", 'sheet={"health": 12}', "--yes")
    shown = typed("declare", id, "open-scene", "title=The bridge", 'cast=["1","2"]', keys="y\n").stdout
    assert "The bridge" in shown
    asked = at("declare", id, "hit", "char=1", "target=2", "--dice", "table", "--yes", "--token", tokens["Ben"])
    assert "Cleo has to answer: Do you dodge or stand?" in asked.stdout and "dodge|stand" in asked.stderr
    waiting = asked.stdout.partition(":")[0].strip()
    assert "Ben has to answer" in at("answer", id, waiting, "stand", "--yes", "--token", tokens["Cleo"]).stdout
    done = at("answer", id, waiting, 6, "--yes", "--token", tokens["Ben"]).stdout
    assert "Celia is hurt for 6." in done
    number = int(done.split()[1])
    at("dispute", id, number, "-r", "She had dodged.", "--yes", "--token", tokens["Cleo"])
    assert "harm 6 -> 0" in at("overturn", id, number, "-r", "True.", "--preview").stdout
    at("overturn", id, number, "-r", "True.", "--yes")
    assert "overturned" in at("ruling", id, number).stdout


def test_the_same_key_acts_once(at: Any, fight: Table) -> None:
    words = ("declare", fight.id, "mint", "to=2", "coins=7", "--yes", "--json", "--key", "once")
    assert data(at(*words)) == data(at(*words))
    assert fight.gm.look("/accounts/character:2/coin")["balance"] == 7


def test_without_a_token_the_first_game_master_acts_and_it_is_said(at: Any, fight: Table) -> None:
    said = at("declare", fight.id, "mint", "to=2", "coins=7", "--yes")
    assert "Acting as Ann (s1), game master." in said.stderr
    assert fight.gm.look("/rulings/4")["by"]["name"] == "Ann"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("dispute", 99, "-r", "No.", "--yes"), "There is no ruling 99"),
        (("declare", "mint", "to=9", "coins=1", "--yes"), "9"),
        (("declare", "nothing", "--yes"), "nothing"),
        (("answer", "w99", "dodge", "--yes"), "w99"),
    ],
)
def test_a_refusal_is_a_sentence(at: Any, fight: Table, words: tuple[object, ...], sentence: str) -> None:
    name, *rest = words
    said = at(name, fight.id, *rest, ends=3).stderr
    assert sentence in said and "Traceback" not in said


def test_without_a_service_the_command_says_how_to_repeat_it(run: Any, fight: Table) -> None:  # noqa: F811
    words = ("dispute", fight.id, 3, "-r", "No.", "--yes", "--address", "http://127.0.0.1:9")
    assert "campaign-ledger up" in run(*words, "--token", fight.ben.token, ends=3).stderr


def test_a_dossier_is_written_and_verified(run: Any, fight: Table, tmp_path: Any) -> None:  # noqa: F811
    fight.gm.look("/timeline")
    file = tmp_path / "ruling-3.json"
    run("dossier", fight.id, 3, "-o", file)
    assert "Ruling 3" in run("verify-dossier", file).stdout
    assert "<html" in run("dossier", fight.id, 3, "--html").stdout
    run("dossier", fight.id, 3, "-o", file, ends=2)
    assert data(run("dossier", fight.id, 3, "--json"))["number"] == 3


@pytest.mark.nightly  # by default in test_playing and test_evening
def test_an_evening_at_random_names_its_games_and_prints_links(at: Any, service: Service) -> None:
    """Exit 2 with the games there are; and after an evening a link for everybody, which opens the page once."""
    address = str(service.client.base_url)
    for words in ((), ("--random", "chess")):
        said = at("play", "--address", address, *words, ends=2).output
        assert "mongrel (Mongrel)" in said and "toy" in said
    shown = RUNNER.invoke(
        app, ["play", "--address", address, "--random", "toy", "--rulings", "8", "--seats", "1"]
    ).stdout
    links = [line.split()[-1] for line in shown.splitlines() if "/join#" in line]
    assert len(links) == 2 and ": an evening: campaign " in shown
    used = at("join", links[1], "--json").stdout
    assert json.loads(used)["data"]["seat"]["name"] == "Ben"
