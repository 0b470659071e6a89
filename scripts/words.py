"""Check words: phrases that stop a reader, placeholder names in code, docstrings that say "Return" although the
function yields, and commit subjects that are too long.

`scripts/words.toml` sets a budget for each of the first two. A budget only goes down: lower it when the count is lower.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUDGETS = ROOT / "scripts" / "words.toml"
PACKAGES = ("ledger", "projections", "api")
GAMES = ROOT / "ledger" / "rules"
#: Names that do not say what they hold.
PLACEHOLDERS = frozenset({"one", "said", "told", "found", "there", "those", "some", "done", "was"})
#: The files that people read: templates, scripts of the page, documentation.
PROSE = ("api/**/*.jinja", "api/**/*.js", "docs/**/*.md", "README.md", "CONTRIBUTING.md", "SECURITY.md")
PHRASES = re.compile(
    r"that very one|as far as|at the most|\bis told\b|\bare told\b|\bcomes to\b|\bcame to\b|\banew\b|\botherwise then\b"
    r"|\bis none\b|\bit is for you\b|\bwhoever\b|\bin the place of\b|\bis to be\b|\bare to be\b|\bnobody has anything\b"
    r"|\bto settle\b|\bby itself alone\b|\bthere is nothing to look\b",
    re.IGNORECASE,
)
LONGEST_SUBJECT = 72
#: Types of results whose values come one by one.
YIELDING = ("Iterator[", "Generator[", "AsyncIterator[", "AsyncGenerator[")


def main() -> None:
    settings = tomllib.loads(BUDGETS.read_text(encoding="utf-8"))
    problems = [
        *report_over_budget("placeholder names", list(list_placeholders()), settings["placeholders"]),
        *report_over_budget("phrases", list(list_phrases()), settings["phrases"]),
        *list_false_docstrings(),
        *list_long_subjects(settings["subjects-since"]),
    ]
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


def report_over_budget(what: str, places: list[str], budget: int) -> Iterator[str]:
    """Yield an error if the count is over the budget, or if it is lower and the budget must be lowered, too."""
    if len(places) > budget:
        yield from places
        yield f"{len(places)} {what}, and {BUDGETS.name} allows {budget}."
    elif len(places) < budget:
        yield f"Only {len(places)} {what} are left: lower the budget from {budget} to {len(places)} in {BUDGETS.name}."


def list_placeholders() -> Iterator[str]:
    """Yield the places where a placeholder is used as a name, outside the games."""
    for path, tree in list_modules():
        if not is_of_a_game(path):
            for node in ast.walk(tree):
                name = node.id if isinstance(node, ast.Name) else node.arg if isinstance(node, ast.arg) else ""
                if name in PLACEHOLDERS:
                    yield f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}: {name}"


def list_phrases() -> Iterator[str]:
    """Yield the places where a text for people contains one of the phrases."""
    for path, tree in list_modules():
        docstrings = {id(text) for node in ast.walk(tree) if (text := find_docstring(node)) is not None}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                yield from find_phrases(path, node.value, node.lineno)
    for pattern in PROSE:
        for path in sorted(ROOT.glob(pattern)):
            for line_number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                yield from find_phrases(path, line, line_number)


def find_phrases(path: Path, text: str, line_number: int) -> Iterator[str]:
    for match in PHRASES.finditer(text):
        yield f"{path.relative_to(ROOT)}:{line_number}: {match[0]}"


def list_false_docstrings() -> Iterator[str]:
    """Yield the functions whose docstring says "Return" where values are yielded, or "Yield" where they are not."""
    for path, tree in list_modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (problem := find_false_verb(node)):
                yield f"{path.relative_to(ROOT)}:{node.lineno}: {node.name}: {problem}"


def find_false_verb(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Return what is wrong with the docstring's first word, or "".

    A rule that asks a question is a generator, but its docstring describes what it returns at the end.
    """
    verb = (ast.get_docstring(function) or "").partition(" ")[0]
    result_type = ast.unparse(function.returns) if function.returns is not None else ""
    if is_generator(function):
        is_wrong = verb == "Return" and not result_type.startswith("Asking[")
        return "its docstring says Return, but it yields." if is_wrong else ""
    is_wrong = verb == "Yield" and not result_type.startswith(YIELDING)
    return "its docstring says Yield, but it returns no iterator." if is_wrong else ""


def is_generator(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether the function itself yields, not only a function within it."""
    nodes = list(ast.iter_child_nodes(function))
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            nodes += ast.iter_child_nodes(node)
    return False


def list_long_subjects(since: str) -> Iterator[str]:
    """Yield the commits after `since` whose subject is too long. There are none if the repository has no history."""
    result = subprocess.run(
        ["git", "log", "--format=%h %s", f"{since}..HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    for line in result.stdout.splitlines():
        commit, _, subject = line.partition(" ")
        if len(subject) > LONGEST_SUBJECT:
            yield f"{commit}: the subject has {len(subject)} characters, and {LONGEST_SUBJECT} are allowed: {subject}"


def list_modules() -> Iterator[tuple[Path, ast.Module]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def is_of_a_game(path: Path) -> bool:
    return GAMES in path.parents and path.relative_to(GAMES).parts[0] != "kernel"


def find_docstring(node: ast.AST) -> ast.Constant | None:
    """Return the docstring of a module, class or function, or None if it has none."""
    body = getattr(node, "body", None)
    if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) or not body:
        return None
    first_statement = body[0]
    is_text = isinstance(first_statement, ast.Expr) and isinstance(first_statement.value, ast.Constant)
    return first_statement.value if is_text else None


if __name__ == "__main__":
    main()
