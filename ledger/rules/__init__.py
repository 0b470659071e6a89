"""What the games say: pure rules over the standard library, one folder a system, discovered at import.

A game that is not fit to be played is not offered, and keeps no other game from it.
"""

from __future__ import annotations

import importlib
import json
import logging
import pkgutil
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.kept_examples import Examples, faults_of_examples

EDITIONS = "editions"  # the folder beside a game's rules with examples of what each edition stores
log = logging.getLogger("ledger.rules")
_unfit: dict[str, tuple[str, ...]] = {}


@cache
def systems() -> dict[str, AnyRuleset]:
    """Every rule system: name -> ruleset. A folder below this one, but the kernel's, is a system; no other edit."""
    found: dict[str, AnyRuleset] = {}
    for module in pkgutil.iter_modules(__path__):
        if module.ispkg and module.name != "kernel":
            package = importlib.import_module(f"{__name__}.{module.name}")
            ruleset = package.RULESET
            assert ruleset.name == module.name, f"{module.name} calls itself {ruleset.name}"
            if faults := faults_of_examples(ruleset, kept_examples(package.__path__)):
                _unfit[ruleset.name] = tuple(faults)
                log.error("The system %r is not offered. %s", ruleset.name, " ".join(faults))
                continue
            found[ruleset.name] = ruleset
    return found


def unfit_systems() -> dict[str, tuple[str, ...]]:
    """Return the games that are here and not offered: name -> what is wrong, a sentence for each fault."""
    systems()
    return dict(_unfit)


def kept_examples(folders: Iterable[str]) -> dict[int, Examples]:
    """Return the examples kept with a game, by edition."""
    files = (file for folder in folders for file in (Path(folder) / EDITIONS).glob("*.json"))
    read = (json.loads(file.read_text(encoding="utf-8")) for file in files)
    return {one.pop("edition"): one for one in read}
