"""Architecture and style as tests: where names may occur, how long things may be, what is public."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OWN = [path for package in ("ledger", "projections", "api") for path in sorted((ROOT / package).rglob("*.py"))]
FOLDERS = [path for path in (ROOT / "ledger" / "rules").iterdir() if (path / "__init__.py").exists()]
GAMES = sorted(path.name for path in FOLDERS if path.name != "kernel")
LONGEST_FUNCTION, LONGEST_FILE = 70, 500


def of_no_game(path: Path) -> bool:
    return not any(parent.name in GAMES for parent in path.parents)


@pytest.mark.parametrize("game", GAMES)
def test_no_games_name_occurs_outside_its_folder(game: str) -> None:
    places = [ROOT / "api", ROOT / "projections", ROOT / "ledger"]
    files = [
        path
        for place in places
        for path in place.rglob("*")
        if path.suffix in (".py", ".toml", ".sql", ".html", ".jinja")
    ]
    found = [
        str(path.relative_to(ROOT))
        for path in files
        if of_no_game(path) and re.search(rf"\b{game}\b", path.read_text(), re.IGNORECASE)
    ]
    assert not found


def test_functions_and_files_are_short_enough_to_live_in() -> None:
    long = [
        f"{path.relative_to(ROOT)}: {count} lines"
        for path in OWN
        if (count := len(path.read_text().splitlines())) > LONGEST_FILE
    ]
    for path in OWN:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or 0) - node.lineno + 1
                if length > LONGEST_FUNCTION:
                    long.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}: {length} lines")
    assert not long


def test_every_module_says_what_it_is_for() -> None:
    silent = [str(path.relative_to(ROOT)) for path in OWN if not ast.get_docstring(ast.parse(path.read_text()))]
    assert not silent


def test_public_names_are_said_in_one_place() -> None:
    """What a package offers is in its `__all__`, and each of these names is there."""
    import ledger.application

    assert sorted(ledger.application.__all__) == sorted(set(ledger.application.__all__))
    assert all(hasattr(ledger.application, name) for name in ledger.application.__all__)


def test_rules_reach_nothing_but_the_standard_library_without_clock_or_chance() -> None:
    """Beside import-linter: every import below ledger/rules, wherever in a file it stands."""
    allowed = {
        "__future__", "abc", "array", "bisect", "collections", "contextlib", "copy", "dataclasses", "decimal", "enum",
        "fractions", "functools", "heapq", "importlib", "itertools", "ledger", "math", "operator", "pkgutil", "re",
        "string", "tomllib", "types", "typing", "unicodedata",
    }  # fmt: skip
    for path in sorted((ROOT / "ledger" / "rules").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [one.name for one in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                assert name.split(".")[0] in allowed, f"{path.name} imports {name}"
                assert not name.startswith("ledger.") or name.startswith("ledger.rules"), f"{path.name} imports {name}"
