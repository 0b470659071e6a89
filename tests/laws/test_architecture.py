"""Architecture and style as tests: where names may occur, how long things may be, what is public."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OWN = [path for package in ("ledger", "projections", "api") for path in sorted((ROOT / package).rglob("*.py"))]
FOLDERS = [path for path in (ROOT / "ledger" / "rules").iterdir() if (path / "__init__.py").exists()]
GAMES = sorted(path.name for path in FOLDERS if path.name != "kernel")
LONGEST_FUNCTION, LONGEST_FILE = 70, 480  # of a file, without docstrings: who explains more need not divide it


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


DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def count_lines(node: ast.stmt) -> int:
    return (node.end_lineno or 0) - node.lineno + 1


def test_functions_and_files_are_short_enough_to_live_in() -> None:
    long = []
    for path in OWN:
        nodes = list(ast.walk(ast.parse(path.read_text())))
        documented = (node for node in nodes if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None)
        count = len(path.read_text().splitlines()) - sum(count_lines(node.body[0]) for node in documented)
        if count > LONGEST_FILE:
            long.append(f"{path.relative_to(ROOT)}: {count} lines")
        for node in nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = count_lines(node)
                if length > LONGEST_FUNCTION:
                    long.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}: {length} lines")
    assert not long


def list_kernel_imports(path: Path) -> set[str]:
    """The modules of the kernel that a file imports from, but for the kit."""
    kernel = "ledger.rules.kernel"
    imported = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom))
    return {node.module for node in imported if node.module and node.module.startswith(kernel)} - {f"{kernel}.kit"}


@pytest.mark.parametrize("game", GAMES)
def test_chapters_import_the_kernel_from_its_kit(game: str) -> None:
    folder = ROOT / "ledger" / "rules" / game
    found = {path.name: names for path in folder.rglob("*.py") if (names := list_kernel_imports(path))}
    assert not found


def test_an_import_from_elsewhere_in_the_kernel_is_found(tmp_path: Path) -> None:
    chapter = tmp_path / "chapter.py"
    chapter.write_text("from ledger.rules.kernel.kit import rule\nfrom ledger.rules.kernel.chapters import fact\n")
    assert list_kernel_imports(chapter) == {"ledger.rules.kernel.chapters"}


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
        "__future__",
        "abc",
        "array",
        "bisect",
        "collections",
        "contextlib",
        "copy",
        "dataclasses",
        "decimal",
        "enum",
        "fractions",
        "functools",
        "heapq",
        "importlib",
        "itertools",
        "keyword",
        "json",
        "ledger",
        "math",
        "operator",
        "pkgutil",
        "re",
        "string",
        "tomllib",
        "types",
        "typing",
        "unicodedata",
    }
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


#: What may be used of msgspec anywhere: nothing that has it describe a type (`ledger.events.decoders` says why).
WITHOUT_DESCRIPTIONS = {
    "msgspec.MsgspecError",
    "msgspec.Meta",
    "msgspec.Raw",
    "msgspec.Struct",
    "msgspec.UNSET",
    "msgspec.UnsetType",
    "msgspec.json.Encoder",
    "msgspec.json.encode",
    "msgspec.structs.replace",
}


def uses_of_msgspec(tree: ast.AST) -> Iterator[str]:
    """What the file uses of msgspec, by its full name, but for `Decoder[...]` as a type."""
    names: dict[str, str] = {}
    parts: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.asname: alias.name for alias in node.names if alias.asname}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Attribute | ast.Subscript):
            parts.add(node.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Subscript):
            parts.discard(node.func.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name) and node not in parts:
            first, dot, rest = ast.unparse(node).partition(".")
            name = f"{names.get(first, first)}{dot}{rest}"
            if re.fullmatch(r"msgspec[\w.]*", name):
                yield name


def mentioning(word: str) -> Iterator[tuple[str, ast.Module]]:
    """The files in which the word stands, by path."""
    for path in (*OWN, *sorted((ROOT / "scripts").glob("*.py"))):
        if word in (text := path.read_text()):
            yield path.relative_to(ROOT).as_posix(), ast.parse(text)


def test_msgspec_describes_types_in_one_place() -> None:
    found = {(path, name) for path, tree in mentioning("msgspec") for name in uses_of_msgspec(tree)}
    assert {(path, name) for path, name in found if name not in WITHOUT_DESCRIPTIONS} == {
        ("ledger/events/decoders.py", "msgspec.json.Decoder")
    }


def test_decoders_are_built_before_anybody_reads() -> None:
    """At import, or when a codec is made: never while somebody waits for what they asked for."""
    late = {
        path
        for path, tree in mentioning("build_decoder")
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("build_decoder")
    }
    assert late == {"ledger/events/codec.py"}


@pytest.mark.parametrize(
    "source",
    [
        "import msgspec\nmsgspec.json.decode(text, type=Form)",
        "import msgspec\nread = msgspec.json.Decoder(Form).decode",
        "import msgspec as m\nm.convert(value, Form)",
        "import msgspec.json\nread = partial(msgspec.json.decode, type=Form)",
        "import msgspec.json as forms\nforms.decode(text, type=Form)",
        "from msgspec import json\njson.decode(text, type=Form)",
        "from msgspec import convert as to\nto(value, Form)",
        "from msgspec.json import Decoder\nDecoder(Form)",
        "from msgspec.json import Decoder\nDecoder[int](Form)",
        "from msgspec.json import Decoder\nreaders = map(Decoder, forms)",
        "def late():\n    from msgspec import msgpack\n    msgpack.decode(text, type=Form)",
    ],
)
def test_whatever_has_msgspec_describe_a_type_is_found(source: str) -> None:
    assert set(uses_of_msgspec(ast.parse(source))) - WITHOUT_DESCRIPTIONS
