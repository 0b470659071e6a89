"""Write the examples of an edition of a game beside its rules: `python -m tests.versions.keep_edition GAME`.

A file that is there already is left alone: what an edition stored does not change once somebody has played it.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import tests
from ledger.rules import EDITIONS
from ledger.rules.kernel.kept_examples import make_examples, write_examples


def keep_edition(game: str) -> Path:
    """Return the file. FileExistsError where this edition has one."""
    assert tests.TOY
    package = importlib.import_module(f"ledger.rules.{game}")
    ruleset = package.RULESET
    file = Path(package.__path__[0]) / EDITIONS / f"{ruleset.edition}.json"
    file.parent.mkdir(exist_ok=True)
    with file.open("x", encoding="utf-8") as opened:
        opened.write(write_examples(ruleset.edition, make_examples(ruleset)))
    return file


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(keep_edition(name))
