"""An evening and a dispute from the command line alone: `tests/transcripts/command_line.md`.

`python -m pytest` with LEDGER_TRANSCRIPTS=write writes it anew.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from pathlib import Path
from typing import Any

from api.cli.main import app
from tests.api.table import Service
from tests.api.test_cli import run
from tests.api.test_cli_playing import RUNNER, at

__all__ = ["at", "run"]
GOLDEN = Path(__file__).parents[1] / "transcripts" / "command_line.md"


def sheet(*traits: tuple[str, int]) -> str:
    return json.dumps({"kind": "main", "traits": [{"name": name, "base": base} for name, base in traits]})


SARAH = sheet(("Smooth Talker", 10), ("Gladiator", 8), ("Loyal", 8))
STEVE = sheet(("Stubborn", 10), ("Bad Temper", 8), ("Social Manipulator", 8))
ROLLED = '[{"char": "2", "intensity": 8, "trait": 2}, {"char": "1", "intensity": 6, "trait": 3}]'
DEFENDED = '[{"die": "trait", "face": 2}]'


class Shell:
    """Commands as they are typed, and what they print. `hidden`: what stands for ids and tokens."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.hidden: dict[str, str] = {}

    def types(self, *words: object, says: str | None = None) -> str:
        """Run the command for somebody who answers its question."""
        given = [str(word) for word in words]
        result = RUNNER.invoke(app, given, input=f"{says}\n" if says is not None else "")
        assert result.exit_code == 0, (given, result.output, result.exception)
        self.lines += [
            f"$ campaign-ledger {shlex.join(given)}",
            *result.output.replace("[y/N] ", f"[y/N] {says}\n").splitlines(),
            "",
        ]
        return result.stdout

    def comment(self, text: str) -> None:
        self.lines += [f"# {text}", ""]

    @property
    def text(self) -> str:
        found = "\n".join(self.lines)
        for value, name in self.hidden.items():
            found = found.replace(value, name)
        found = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+Z)?)?", "TIME", found)
        found = re.sub(r"http://127.0.0.1:\d+", "http://127.0.0.1:8765", found)
        return "\n".join(line.rstrip() for line in found.splitlines()).strip() + "\n"


def test_an_evening_and_a_dispute(at: Any, service: Service, monkeypatch: Any) -> None:
    shell = Shell()
    shell.comment("Ann opens a campaign and invites Ben and Cleo.")
    ann = shell.types("open", "The reception", "--system", "intensity", "--gm", "Ann").strip()
    campaign = ann.partition(".")[0]
    shell.hidden |= {ann: "$ANN"}
    tokens = {}
    for name in ("Ben", "Cleo"):
        code = at("invite", campaign, "--name", name).stdout.splitlines()[-1]  # the QR code is left out
        tokens[name] = shell.types("join", code).strip()
        shell.hidden |= {tokens[name]: f"${name.upper()}", code: f"{name.upper()}S-CODE"}
    shell.hidden[campaign] = "$CAMPAIGN"
    monkeypatch.setenv("LEDGER_TOKEN", ann)

    def declares(kind: str, *fields: str, **more: str | None) -> str:
        return shell.types("declare", campaign, kind, *fields, says=more.get("says", "y"))

    shell.comment("LEDGER_TOKEN is Ann's. Each declaration shows what comes of it, and asks.")
    declares("enrol", "name=Sarah", "seat=s2", f"sheet={SARAH}")
    declares("enrol", "name=Steve", "seat=s3", f"sheet={STEVE}")
    declares("open-session", "title=The first evening")
    declares("open-scene", "title=A reception", 'cast=["1", "2"]')
    declares("open-round", 'participants=["1", "2"]')
    declares("declare", "char=2", "target=1", "level=invested", "trait=Social Manipulator", "text=spreads a rumour")
    declares("declare", "char=1", "target=2", "level=calm", "trait=Smooth Talker", "text=admires the host's nose")
    declares("roll", f"faces={ROLLED}")
    declares("attack", "char=2")
    declares("defend", f"dice={DEFENDED}")
    declares("resolve")
    declares("choose-impact", "impact=damage")
    last = int(re.findall(r"^Ruling (\d+) standing", "\n".join(shell.lines), re.MULTILINE)[-1])
    shell.comment("Ben, on his own machine, is not happy with that.")
    shell.types("dispute", campaign, last, "--reason", "The host had left.", "--token", tokens["Ben"], says="y")
    shell.comment("Ann looks at what it rests on, and at what overturning it would change.")
    shell.types("ruling", campaign, last)
    shell.types("overturn", campaign, last, "--reason", "Ben is right.", "--preview")
    shell.types("overturn", campaign, last, "--reason", "Ben is right.", says="y")
    shell.types("reinstate", campaign, last, "--reason", "The host came back.", says="y")
    shell.comment("What was decided, and what changed in the session.")
    shell.types("decisions", campaign)
    shell.types("sessions", campaign)
    assert "\x1b" not in shell.text and ann not in shell.text
    told = f"# An evening and a dispute from the command line\n\n```console\n{shell.text}```\n"
    if os.environ.get("LEDGER_TRANSCRIPTS") == "write":
        GOLDEN.write_text(told, encoding="utf-8")
    assert GOLDEN.read_text(encoding="utf-8") == told
