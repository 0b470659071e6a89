"""`scripts/clients`: an empty service, its description, a client made from it in each language, and what they play.

Exit 1 where a client cannot be made without a warning, compiled or played. A language whose tools cannot be had here is
said, and left out.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.api.clients import making
from tests.api.table import Json

ROOT = Path(__file__).parents[3]
GAMES = 5
Maker = Callable[[Json, Path, str], None]


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="clients-") as name:
        place = Path(name)
        with serving(place / "data") as address:
            document = described(address)
            file = place / "openapi.json"
            file.write_text(json.dumps(document), encoding="utf-8")
            failed = [one.__name__ for one in (python, typescript) if not tried(one, document, file, address)]
    if failed:
        sys.exit(f"Failed: {', '.join(failed)}.")


@contextmanager
def serving(data: Path) -> Iterator[str]:
    """The address of a service of its own, as `scripts/up` starts it."""
    command = [sys.executable, "-P", "-m", "api.run.up", "--no-demo", "--port", "0", "--data", str(data)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if found := re.search(r"running at (http://\S+?) ", line):
                    yield found[1]
                    return
            sys.exit("The service did not start; its output is above.")
        finally:
            process.terminate()


def described(address: str) -> Json:
    """The document, with what asking for it costs."""
    with httpx.Client(base_url=address, timeout=120) as client:
        times, size = [], 0
        for _ in range(10):
            began = time.perf_counter()
            with client.stream("GET", "/openapi.json", headers={"Accept-Encoding": "gzip"}) as answer:
                size = sum(map(len, answer.iter_raw()))
            times.append(1000 * (time.perf_counter() - began))
        answer = client.get("/openapi.json")
        print(
            f"== description: {len(answer.content):,} bytes, {size:,} compressed; {times[0]:.0f} ms at first,"
            f" {sorted(times)[5]:.1f} ms later",
            flush=True,
        )
        document: Json = answer.json()
        return document


def tried(make: Maker, document: Json, file: Path, address: str) -> bool:
    print(f"== {make.__name__}", flush=True)
    try:
        make(document, file, address)
    except making.Unmade as problem:
        print(problem, flush=True)
        return False
    return True


def python(document: Json, file: Path, address: str) -> None:
    began = time.monotonic()
    package = making.make_python(file, file.parent)
    _nothing_left_out(making.left_out_of_python(document, package))
    making.compile_python(file.parent)
    modules = sum(1 for _ in package.rglob("*.py"))
    print(f"made and compiled in {time.monotonic() - began:.0f} s: {modules} modules, no warning", flush=True)
    _played(making.play_python(file.parent, address, "nobody"))


def typescript(document: Json, file: Path, address: str) -> None:
    place = file.parent / "typescript"
    lacking = making.lacks_for_typescript()
    try:
        if not lacking:
            making.install_typescript(place)
    except making.Unmade as problem:
        lacking = f"npm could not install what its lock file lists. {problem}"
    if lacking:
        print(f"NOT TRIED: {lacking}", flush=True)
        return
    began = time.monotonic()
    making.make_typescript(file, place)
    _nothing_left_out(making.left_out_of_typescript(document, place))
    making.compile_typescript(place)
    print(f"made and compiled in {time.monotonic() - began:.0f} s, no warning", flush=True)
    _played(making.play_typescript(place, address, "nobody"))


def _nothing_left_out(names: list[str]) -> None:
    if names:
        raise making.Unmade(f"Left out without a warning: {', '.join(names)}.")


def _played(told: str) -> None:
    print(told, end="", flush=True)
    if len(told.splitlines()) != GAMES:
        raise making.Unmade(f"Not every one of {GAMES} games was played.")


if __name__ == "__main__":
    main()
