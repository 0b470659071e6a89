"""The command line tells how things stand, in sentences; as JSON exactly what the service tells."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from tests.api.table import Table
from tests.api.test_cli import data, quarrel, run

__all__ = ["quarrel", "run"]  # fixtures


def test_characters_and_scenes(run: Any, quarrel: Table) -> None:
    quarrel.gm.does("/scenes", {"title": "The bridge", "cast": ["1", "2"]})
    assert data(run("character", quarrel.id, 1, "--json")) == quarrel.gm.look("/characters/1")
    then = run("character", quarrel.id, 1, "--at", 2, "--as", "recorded", "--seat", "s3", "--json")
    assert data(then) == quarrel.cleo.look("/characters/1", at=2, **{"as": "recorded"})
    shown = run("character", quarrel.id, 1).stdout
    assert shown.startswith("Bruno (1), played by Ben\n") and "  5 coin in character:1/coin\n" in shown
    assert data(run("scene", quarrel.id, 7, "--json")) == quarrel.gm.look("/scenes/7")
    assert run("scene", quarrel.id, 7).stdout.startswith("The bridge (7), open, with Bruno, Celia\n")
    assert run("character", quarrel.id, 77, ends=3).stderr == "campaign-ledger: There is no character '77'.\n"


def test_everything_at_once(run: Any, quarrel: Table) -> None:
    quarrel.ben.declare("hit", status=202, char="1", target="2")
    assert data(run("state", quarrel.id, "--seat", "s2", "--json")) == quarrel.ben.look("/state")
    assert data(run("state", quarrel.id, "--at", 5, "--seat", "s2", "--json")) == quarrel.ben.look("/state", at=5)
    told = run("state", quarrel.id).stdout
    assert told.startswith(f"A table ({quarrel.id}), toy, in session The bridge\n")
    assert "is waiting: Bruno hits Celia. Cleo has to answer: " in told and "Celia (2), played by Cleo\n" in told
    assert "is waiting" not in run("state", quarrel.id, "--at", 5).stdout


def test_what_is_otherwise(run: Any, quarrel: Table) -> None:
    told = run("diff", quarrel.id, "--from", 3, "--to", 5, "--seat", "s2", "--json")
    assert data(told) == quarrel.ben.look("/diff", **{"from": 3, "to": 5})
    assert data(run("diff", quarrel.id, "--at", 5, "--json")) == quarrel.gm.look("/diff", at=5)
    lines = run("diff", quarrel.id, "--from", 1, "--as", "recorded").stdout
    assert "[ruling " in lines and "  ruling " in lines
    assert run("diff", quarrel.id, "--from", 5, "--to", 5).stdout == "There are no differences.\n"
    for wrong in ((), ("--at", 1, "--from", 2), ("--to", 2)):
        assert "enter two points" in run("diff", quarrel.id, *wrong, ends=2).stderr


def test_seats(run: Any, quarrel: Table) -> None:
    quarrel.gm.send("PATCH", f"/seats/{quarrel.dora.id}", json={"removed": True})
    assert data(run("seats", quarrel.id, "--json")) == quarrel.gm.look()["seats"]
    lines = [line.split() for line in run("seats", quarrel.id).stdout.splitlines()]
    assert ["s2", "Ben", "player", "Bruno"] in lines and ["s4", "Dora", "removed"] in lines


def test_rulings(run: Any, quarrel: Table) -> None:
    assert data(run("rulings", quarrel.id, "--json")) == quarrel.gm.look("/rulings", limit=500)["rulings"]
    for option, name, value in (
        ("--status", "status", "overturned"),
        ("--by", "seat", "s2"),
        ("--kind", "kind", "hit"),
    ):
        found = data(run("rulings", quarrel.id, option, value, "--seat", "s3", "--json"))
        assert found == quarrel.cleo.look("/rulings", **{name: value})["rulings"] != []
    assert "Bruno hits Celia" in run("rulings", quarrel.id).stdout
    first = json.loads(run("rulings", quarrel.id, "--limit", 4, "--json").stdout)
    rest = data(run("rulings", quarrel.id, "--after", first["next"], "--json"))
    assert [one["number"] for one in (*first["data"], *rest)] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("rulings", "--kind", "hitt"), "Did you mean 'hit'?"),
        (("rulings", "--character", "Celia"), "Did you mean '2'?"),
        (("timeline", "--kind", "hurt"), "Did you mean 'toy.hurt'?"),
        (("timeline", "--ruling", "99"), "The last ruling is 6."),
    ],
)
def test_filters_that_nothing_fits_are_refused(run: Any, quarrel: Table, words: tuple[str, ...], said: str) -> None:
    command, *rest = words
    result = run(command, quarrel.id, *rest, ends=3)
    assert result.stdout == "" and result.stderr.rstrip().endswith(said)


def test_findings(run: Any, table: Table) -> None:
    table.fighters()
    assert run("findings", table.id).stdout == ""
    table.gm.declare("mint", to="1", coins=5)
    table.ben.declare("give", char="1", to="2", coins=3)
    table.gm.does("/rulings/3/overturn", {"reason": "no"}, 200)
    found = data(run("findings", table.id, "--json", ends=1))
    assert found == table.gm.look("/findings")["findings"] != []
    assert run("findings", table.id, ends=1).stdout.splitlines() == [f"{one['id']}: {one['text']}" for one in found]


def test_moves(run: Any, quarrel: Table) -> None:
    told = data(run("moves", quarrel.id, "--seat", "s2", "--blocked", "--json"))
    assert told == quarrel.ben.look("/moves", blocked=True)
    assert data(run("moves", quarrel.id, "--json")) == quarrel.gm.look("/moves")
    quarrel.ben.declare("give", char="1", to="2", coins=5)
    shown = run("moves", quarrel.id, "--seat", "s2", "--blocked").stdout
    assert shown.startswith("Ben can declare:\n  ") and "[hit]" in shown
    assert "  not now: Give. [give] the reason is hidden.\n" in shown


def test_why(run: Any, quarrel: Table) -> None:
    told = data(run("why", quarrel.id, "character:1", "balances/character:1/coin", "--json"))
    assert told == quarrel.gm.look("/characters/1/why/balances/character:1/coin", full=True)
    shown = run("why", quarrel.id, "character:2", "state/harm").stdout
    assert shown.splitlines()[0].startswith("Celia: state/harm is ") and "(struck)" in shown and "ruling 5, " in shown
    run("why", quarrel.id, "Bruno", "name", ends=2)
    run("why", quarrel.id, "character:1", "nothing", ends=3)


def test_a_seal_is_kept_and_held_against_the_record_later(run: Any, quarrel: Table, tmp_path: Path) -> None:
    assert data(run("seal", quarrel.id, "--json")) == quarrel.gm.look("/seal")
    seal, export = tmp_path / "winter.seal", tmp_path / "winter.jsonl"
    seal.write_text(run("seal", quarrel.id).stdout, encoding="utf-8")
    quarrel.ben.enrol("Late")
    quarrel.gm.look("/timeline")
    run("export", quarrel.id, "-o", export)
    run("verify", export, "--against", seal)
    seal.write_text(seal.read_text(encoding="utf-8").replace("\n", "\nx", 1), encoding="utf-8")
    run("verify", export, "--against", seal, ends=1)


def test_the_operator_gets_a_seat_back_in(run: Any, quarrel: Table, tmp_path: Path) -> None:
    """The old token is dead at once, also in a service that runs; the record stays whole."""
    position = quarrel.position
    token = run("token", quarrel.id, "s1").stdout.strip()
    assert token.startswith(f"{quarrel.id}.s1.") and token != quarrel.gm.token
    for method, path in (("GET", ""), ("POST", "/sessions/3/close")):
        assert quarrel.gm.send(method, path).status_code == 401
    quarrel.gm.token = token
    assert quarrel.position == position + 1 and quarrel.gm.does("/sessions/3/close", {})["number"] == 7
    again = data(run("token", quarrel.id, "s1", "--json"))
    assert again["token"] != token and quarrel.gm.get().status_code == 401
    quarrel.gm.token = again["token"]
    assert quarrel.gm.look("/audit")["differences"] == []
    run("export", quarrel.id, "-o", tmp_path / "all.jsonl")
    run("verify", tmp_path / "all.jsonl")
    assert token not in (tmp_path / "all.jsonl").read_text(encoding="utf-8")


def test_a_fork_by_the_operator(run: Any, quarrel: Table, tmp_path: Path) -> None:
    """The game master's token is printed, and what is written of the fork is held against the first one's seal."""
    seal, export, position = tmp_path / "first.seal", tmp_path / "fork.jsonl", quarrel.position
    quarrel.gm.look("/timeline")
    seal.write_text(run("seal", quarrel.id).stdout, encoding="utf-8")
    last = quarrel.gm.look()["rulings"]
    made = data(run("fork", quarrel.id, "--at", last, "--name", "Otherwise", "--json"))
    assert (made["name"], made["seat"]["id"], made["origin"]["unclaimed"]) == ("Otherwise", "s1", ["s2", "s3", "s4"])
    run("export", made["id"], "-o", export)
    told = run("verify", export, "--against", seal).stdout
    assert f"The campaign continues A table ({quarrel.id}) from ruling {last}" in told
    told = json.loads(run("verify", export, "--json").stdout)["data"]
    assert [one["root"] for one in told["origins"]] == [made["origin"]["root"]]
    again = run("fork", quarrel.id, "--at", 2)
    assert again.stdout.partition(".")[0] not in (quarrel.id, made["id"]) and "from ruling 2" in again.stderr
    assert run("fork", quarrel.id, "--at", 99, ends=3).stderr == (
        f"campaign-ledger: There is no ruling 99: the last ruling is {last}.\n"
    )
    run("fork", "nosuchcampaign", "--at", 1, ends=3)
    assert quarrel.position == position


def test_nobody_gets_a_token_for_a_seat_there_is_not(run: Any, quarrel: Table) -> None:
    quarrel.gm.send("PATCH", "/seats/s3", json={"removed": True})
    before = quarrel.position
    for campaign, seat in ((quarrel.id, "s9"), (quarrel.id, "s3"), ("nosuchcampaign", "s1")):
        result = run("token", campaign, seat, ends=3)
        assert result.stdout == "" and len(result.stderr.splitlines()) == 1
    assert quarrel.position == before


def test_which_version_it_is(run: Any) -> None:
    assert run("--version").stdout == f"campaign-ledger {version('campaign-ledger')}\n"


def test_rulings_searched_and_backwards(run: Any, quarrel: Table) -> None:
    quarrel.cleo.does("/rulings/1/dispute", {"reason": "Zounds, that is no name"}, 200)
    assert data(run("rulings", quarrel.id, "--search", "zounds", "--json")) == [quarrel.gm.look("/rulings/1")]
    assert run("rulings", quarrel.id, "--search", "zounds").stdout.count("Bruno") == 1
    newest = data(run("rulings", quarrel.id, "--order", "desc", "--limit", 2, "--json"), "next")
    assert [one["number"] for one in newest] == [6, 5]
    facts = data(run("timeline", quarrel.id, "--order", "desc", "--search", "zounds", "--json"))
    assert facts == quarrel.gm.look("/timeline", order="desc", q="zounds")["facts"] != []
    assert "enter at least one word" in run("rulings", quarrel.id, "--search", "?", ends=2).stderr
    assert "disputed by Cleo: Zounds" in run("state", quarrel.id).stdout


def test_bookmarks(run: Any, quarrel: Table) -> None:
    assert run("bookmarks", quarrel.id).stderr == "There are no bookmarks.\n"
    quarrel.gm.does("/bookmarks", {"ruling": 1, "note": "for all"})
    quarrel.ben.does("/bookmarks", {"ruling": 2, "note": "for me", "mine": True})
    assert data(run("bookmarks", quarrel.id, "--seat", "s2", "--json")) == quarrel.ben.look("/bookmarks")["bookmarks"]
    assert "for all" in run("bookmarks", quarrel.id).stdout and "for me" not in run("bookmarks", quarrel.id).stdout
