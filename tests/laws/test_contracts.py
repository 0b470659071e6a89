"""The contracts of imports hold something: whatever they forbid, planted, breaks each of them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from ledger.rules import systems

ROOT = Path(__file__).parents[2]
LINT = "import sys; from importlinter.cli import lint_imports_command; sys.argv = ['lint-imports', '--no-cache']; "


def told(root: Path) -> dict[str, str]:
    """Each contract of the project below this folder, and how it ended: KEPT or BROKEN."""
    ended = subprocess.run(
        [sys.executable, "-c", f"{LINT}lint_imports_command()"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    return dict(re.findall(r"^(\S.*) (KEPT|BROKEN)(?: \(.*\))?$", ended.stdout, re.MULTILINE))


def test_every_contract_is_broken_by_what_it_forbids(tmp_path: Path) -> None:
    for folder in ("ledger", "projections", "api", "scripts"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    one = next(name for name in sorted(systems()) if (ROOT / "ledger" / "rules" / name).exists())
    shutil.copytree(ROOT / "tests" / "systems" / "toy", tmp_path / "ledger" / "rules" / "toy")  # of one file only
    planted = {
        "ledger/events/envelope.py": "import ledger.application.ledger",
        f"ledger/rules/{one}/__init__.py": "import time\nimport ledger.rules.toy",
        "projections/__init__.py": "import ledger.aggregates.campaign",
        "api/service/database.py": "import api.cli.main",
        "ledger/application/reading/rights.py": "import ledger.application.commands.recording",
    }
    for path, lines in planted.items():
        with (tmp_path / path).open("a", encoding="utf-8") as file:
            file.write(f"\n{lines}\n")
    contracts = told(tmp_path)
    assert len(contracts) == (ROOT / "pyproject.toml").read_text(encoding="utf-8").count(
        "[[tool.importlinter.contracts]]"
    )
    assert set(contracts.values()) == {"BROKEN"}, contracts
