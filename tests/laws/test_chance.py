"""No test fails because a machine is busy, or because dice fall alike."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

TESTS = Path(__file__).parents[1]


def test_a_slow_draw_is_no_fault_in_any_test() -> None:
    assert settings().deadline is None
    assert HealthCheck.too_slow in settings().suppress_health_check


def _settings(path: Path) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "settings":
            yield node


@pytest.mark.slow
def test_no_test_takes_that_back() -> None:
    """What a test suppresses of its own stands in place of what is suppressed for all: then it names slowness too."""
    found = []
    for path in sorted(TESTS.rglob("*.py")):
        for call in _settings(path):
            said = {word.arg: ast.unparse(word.value) for word in call.keywords}
            checks = said.get("suppress_health_check", "too_slow")
            if said.get("deadline", "None") != "None" or not any(
                one in checks for one in ("too_slow", "list(", "SLOW")
            ):
                found.append(f"{path.relative_to(TESTS)}:{call.lineno}")
    assert found == []
