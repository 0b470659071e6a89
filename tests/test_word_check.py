"""The check of words: docstrings that say "Return" of what is yielded, and the other way round."""

from __future__ import annotations

import ast

import pytest

from scripts.words import find_false_verb


@pytest.mark.parametrize(
    ("code", "is_false"),
    [
        ("def f(): 'Return them.'; yield 1", True),
        ("def f() -> Iterator[int]: 'Return them.'; yield from g()", True),
        ("def f() -> Asking[bool]: 'Return the answer.'; return (yield 1)", False),
        ("def f(): 'Yield them.'; yield 1", False),
        ("def f() -> list[int]: 'Yield them.'; return g()", True),
        ("def f() -> list[int]:\n 'Return them.'\n def g(): yield 1\n return [*g()]", False),
        ("def f() -> Iterator[int]: 'Yield them.'; return g()", False),
        ("def f() -> list[int]: 'Return them.'; return g()", False),
        ("async def f() -> None: 'Return them.'; yield 1", True),
        ("def f(): yield 1", False),
    ],
)
def test_a_docstring_says_return_or_yield_as_the_function_does(code: str, is_false: bool) -> None:
    (function,) = ast.parse(code).body
    assert isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
    assert bool(find_false_verb(function)) == is_false
