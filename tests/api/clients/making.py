"""Clients made from a description, and what is wrong with them: nothing skipped, nothing that a maker complains of."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from scripts import environment

HERE = Path(__file__).parent
PACKAGE = "campaign_ledger_client"
SLOW = 300  # seconds, for one step on a busy machine


class Unmade(AssertionError):
    """A client that could not be made, compiled or played, in the words of the program that said so."""


def said(command: Sequence[object], place: Path, **settings: str) -> str:
    """What a program prints. Unmade where it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=place,
        env={**os.environ, **settings},
        timeout=SLOW,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        stdin=subprocess.DEVNULL,
    )
    if done.returncode != 0:
        raise Unmade(f"{' '.join(map(str, command))}:\n{done.stdout[-6000:]}")
    return done.stdout


def python() -> Path:
    """Of the environment with openapi-python-client and what its clients need."""
    return Path(environment.prepare(environment.CLIENTS))


def make_python(document: Path, place: Path) -> Path:
    """Return the package's folder in `place`. Unmade on any warning, because the maker skips what it cannot read.

    A package is made once for each document and each release of the maker, and kept in the clients' environment.
    """
    programs = python().parent
    made = place / PACKAGE
    kept = programs.parent / "made" / _digest(document, Path(environment.ROOT) / environment.CLIENTS)
    if kept.exists():
        return Path(shutil.copytree(kept, made))
    searched = os.pathsep.join((str(programs), os.environ.get("PATH", "")))  # it calls ruff by its name
    command = [programs / "openapi-python-client", "generate", "--path", document, "--output-path", made]
    printed = said([*command, "--meta", "none", "--overwrite", "--fail-on-warning"], place, PATH=searched)
    if "WARNING" in printed or "Skipping" in printed:
        raise Unmade(printed)
    copy = Path(tempfile.mkdtemp(dir=programs.parent))  # renamed when complete: two processes may make it at once
    shutil.copytree(made, copy, dirs_exist_ok=True)
    kept.parent.mkdir(exist_ok=True)
    with suppress(OSError):
        copy.rename(kept)
    return made


def _digest(*files: Path) -> str:
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def left_out_of_python(document: dict[str, Any], package: Path) -> list[str]:
    """What the description names and the package lacks: operations, and components that are objects."""
    modules = {file.stem for file in (package / "api").glob("*/*.py")}
    operations = {one["operationId"] for methods in document["paths"].values() for one in methods.values()}
    classes = {name.lower() for name in re.findall(r"^from \.\w+ import (\w+)", _models(package), re.MULTILINE)}
    objects = {name for name, one in document["components"]["schemas"].items() if one.get("properties")}
    lost = {name for name in objects if re.sub("[_-]", "", name).lower() not in classes}
    return sorted((operations - modules) | lost)


def _models(package: Path) -> str:
    return (package / "models" / "__init__.py").read_text(encoding="utf-8")


def compile_python(place: Path) -> None:
    """Every module, and the names of all of them."""
    said([python(), "-Im", "compileall", "-q", place / PACKAGE], place)


def play_python(place: Path, address: str, operator: str) -> str:
    """A line for each game."""
    return said([python(), HERE / "play.py", address, operator], place, PYTHONPATH=str(place), PYTHONWARNINGS="error")


# --- TypeScript ---


def lacks_for_typescript() -> str:
    """What is missing to make a client in TypeScript, in a sentence; nothing where all is there."""
    lacking = [name for name in ("node", "npm") if shutil.which(name) is None]
    return f"there is no {' and no '.join(lacking)} on this machine" if lacking else ""


def install_typescript(place: Path) -> None:
    """The compiler and the maker, as their lock file says. Unmade where they cannot be had."""
    shutil.copytree(HERE / "typescript", place, dirs_exist_ok=True)
    said([shutil.which("npm"), "ci", "--no-audit", "--no-fund"], place)


def make_typescript(document: Path, place: Path) -> None:
    """Unmade on any warning."""
    told = said([*_tool("openapi-typescript/bin/cli.js"), document, "-o", "schema.ts"], place, NO_COLOR="1")
    if "warn" in told.lower():
        raise Unmade(told)


def compile_typescript(place: Path) -> None:
    """With no flag besides `strict`; then for Node, as the program is."""
    said([*_tool("typescript/bin/tsc"), "--noEmit", "--strict"], place)
    said(_tool("typescript/bin/tsc"), place)


def left_out_of_typescript(document: dict[str, Any], place: Path) -> list[str]:
    """Operations and components that the description names and the types lack."""
    text = (place / "schema.ts").read_text(encoding="utf-8")
    told = set(re.findall(r'^ {4,8}"?([\w-]+)"?: ', text, re.MULTILINE))
    operations = {one["operationId"] for methods in document["paths"].values() for one in methods.values()}
    return sorted((operations | set(document["components"]["schemas"])) - told)


def play_typescript(place: Path, address: str, operator: str) -> str:
    """A line for each game."""
    return said([shutil.which("node"), "out/play.js", address, operator], place)


def _tool(program: str) -> list[object]:
    return [shutil.which("node"), f"node_modules/{program}"]
