"""What the rules of a game can refuse, read off their source: for tests that say what random play never comes to."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

RULES = Path(__file__).parents[2] / "ledger" / "rules"
REFUSALS = ("Refused", "Unfit")


def codes(game: str) -> set[str]:
    """Every code that is written where something is refused."""
    return {code.value for code in _codes(game) if isinstance(code, ast.Constant) and isinstance(code.value, str)}


def reckoned(game: str) -> set[str]:
    """What stands in place of a code where it is not written there but reckoned, or handed on."""
    return {ast.unparse(code) for code in _codes(game) if not isinstance(code, ast.Constant)}


def handed(game: str, function: str, place: int) -> set[str]:
    """The codes that are given, at this place, to a function of the game's which refuses with them."""
    calls = (node for path in _sources(game) for node in ast.walk(_parsed(path)) if isinstance(node, ast.Call))
    given = (
        node.args[place]
        for node in calls
        if getattr(node.func, "attr", getattr(node.func, "id", "")) == function and len(node.args) > place
    )
    return {
        part.value
        for code in given
        for part in ast.walk(code)
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and _is_code(part.value)
    }


def words(game: str, *modules: str) -> set[str]:
    """Every hyphenated word these modules say: codes, where faults are told in lists."""
    return {
        node.value
        for module in modules
        for node in ast.walk(_parsed(RULES / game / f"{module}.py"))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_code(node.value)
    }


def told(game: str, *own: str) -> Iterator[tuple[str, set[str]]]:
    """Each place that refuses: its code, and the names of what it gives. Where these are handed on it is left out.

    `own`: functions of the game's that make a refusal, as `Refused` is made.
    """
    for path in _sources(game):
        for node in ast.walk(_parsed(path)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in (*REFUSALS, *own):
                names, code = [one.arg for one in node.keywords], node.args[1]
                if isinstance(code, ast.Constant) and isinstance(code.value, str) and None not in names:
                    yield code.value, {one for one in names if one is not None}


def _is_code(word: str) -> bool:
    return "-" in word and all(part.isalnum() and part == part.lower() for part in word.split("-"))


def _codes(game: str) -> Iterator[ast.expr]:
    for path in _sources(game):
        for node in ast.walk(_parsed(path)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in REFUSALS:
                yield node.args[1]


def _sources(game: str) -> list[Path]:
    return sorted((RULES / game).glob("*.py"))


def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))
