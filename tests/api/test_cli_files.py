"""Exports on the command line: written, verified without a database, taken in."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from api.cli.main import app
from tests.api.conftest import KEY, SCHEMA
from tests.api.table import Table


@pytest.fixture
def run(postgres: Any, service_url: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    for name, value in (
        ("LEDGER_OWNER_URL", postgres.owner_url),
        ("LEDGER_DATABASE_URL", service_url),
        ("LEDGER_SCHEMA", SCHEMA),
        ("LEDGER_PROJECTOR_URL", service_url.replace("ledger_service", "ledger_projector")),
        ("LEDGER_SERVER_KEY", KEY.decode()),
    ):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("api.run.terminal.out.width", 10_000)  # as for a file, whatever was there when it was imported
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def file(run: Any, table: Table, tmp_path: Path) -> Path:
    table.fighters()
    table.hit(6)
    table.gm.declare("mint", to="1", coins=77, hidden=True)
    written = tmp_path / "table.jsonl"
    done = run("export", table.id, "--output", written)
    assert (done.exit_code, done.stdout) == (0, ""), done.output
    return written


def test_what_was_exported_is_verified_without_a_database(
    run: Any, table: Table, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seal = tmp_path / "seal.json"
    seal.write_text(table.gm.get("/seal").text)
    checkpoint = tmp_path / "seal.txt"
    checkpoint.write_text(table.gm.look("/seal")["checkpoint"])
    for name in ("LEDGER_OWNER_URL", "LEDGER_DATABASE_URL", "LEDGER_SERVER_KEY"):
        monkeypatch.delenv(name)
    key = table.gm.look("/seal")["public_key"]
    for words in ((), ("--against", seal), ("--against", checkpoint), ("--key", key)):
        done = run("verify", file, "--json", *words)
        assert done.exit_code == 0, done.output
        told = json.loads(done.stdout)["data"]
        assert (told["sound"], told["campaign"], told["rulings"], told["withheld"]) == (True, table.id, 4, 0)
    assert "Healthy. The ledger checked 4 of 4 rulings." in run("verify", file).stdout


def test_what_was_changed_is_named(run: Any, table: Table, file: Path, tmp_path: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    changed = tmp_path / "changed.jsonl"
    at = next(place for place, line in enumerate(lines) if b'"coins":77' in line and b"/" in line)
    changed.write_bytes(b"".join([*lines[:at], lines[at].replace(b'"coins":77', b'"coins":78'), *lines[at + 1 :]]))
    done = run("verify", changed, "--json")
    told = json.loads(done.stdout)["data"]
    assert (done.exit_code, told["sound"], told["line"]) == (1, False, at + 1)
    assert "differs from its sealed version" in run("verify", changed).stderr
    other = run("verify", file, "--key", "00" * 32)
    assert (other.exit_code, "different key" in other.stderr) == (1, True)
    no_seal = tmp_path / "no-seal"
    no_seal.write_text("{}")
    assert run("verify", file, "--against", no_seal).exit_code == 1
    assert run("verify", tmp_path / "nothing-here").exit_code == 3


def test_a_seats_export(run: Any, table: Table, tmp_path: Path, file: Path) -> None:
    done = run("export", table.id, "--seat", "s3")
    assert done.exit_code == 0
    assert '"coins":77' not in done.stdout
    mine = tmp_path / "mine.jsonl"
    mine.write_text(done.stdout)
    told = json.loads(run("verify", mine, "--json").stdout)["data"]
    assert told["sound"]
    assert told["withheld"] > 0
    refused = run("import", mine, "--dry-run")
    assert (refused.exit_code, "are hidden" in refused.stderr) == (1, True)


def test_the_first_line_says_what_was_not_checked(run: Any, table: Table, file: Path) -> None:
    key = table.gm.look("/seal")["public_key"]
    first = run("verify", file).stdout.splitlines()[0]
    assert first.startswith("Not checked: The signer") and "--key" in first
    assert "Not checked" not in run("verify", file, "--key", key).stdout
    assert json.loads(run("verify", file, "--key", key, "--json").stdout)["data"]["not_checked"] == []


def test_a_game_masters_export_says_what_it_withholds(run: Any, table: Table, tmp_path: Path, file: Path) -> None:
    table.cleo.declare("sneak", char="2", dice=1)
    table.gm.declare("mint", to="1", coins=1)
    mine = tmp_path / "mine.jsonl"
    said = " ".join(run("export", table.id, "--seat", "s3", "-o", mine).stderr.split())
    assert "events are withheld from the seat s3" in said
    assert "Rulings 1 to 6 were not checked against the rules" in said
    assert "Withheld: 4." in said
    key = table.gm.look("/seal")["public_key"]
    first = run("verify", mine, "--key", key).stdout.splitlines()[0]
    assert "events are withheld from the seat s3" in first and "Who signed" not in first
    whole = tmp_path / "whole.jsonl"
    assert "nobody can check" not in run("export", table.id, "--seat", "s1", "-o", whole).stderr


def test_nothing_is_written_over(run: Any, table: Table, file: Path) -> None:
    before = file.read_bytes()
    assert run("export", table.id, "-o", file).exit_code == 2
    assert file.read_bytes() == before


def test_an_export_is_its_owners_alone(file: Path) -> None:
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_where_nothing_can_be_written_one_sentence_says_so(run: Any, table: Table, file: Path) -> None:
    done = run("export", table.id, "-o", file / "further.jsonl")
    assert done.exit_code == 3
    assert done.stderr.startswith(f"campaign-ledger: {file}/further.jsonl")


def test_what_is_here_is_not_taken_in(run: Any, table: Table, file: Path) -> None:
    for words in ((), ("--dry-run",)):
        done = run("import", file, *words)
        assert done.exit_code == 3
        assert "already exists" in done.stderr
