"""What the games say: pure rules over the standard library, one folder a system, discovered at import.

A game that is not fit to be played is not offered, and keeps no other game from it.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from contextlib import suppress
from functools import cache

from ledger.rules.kernel.contract import AnyRuleset
from ledger.rules.kernel.kept_examples import Examples, faults_of_examples

EDITIONS = "editions"  # the folder beside a game's rules with examples of what each edition stores
_unfit: dict[str, tuple[str, ...]] = {}


@cache
def systems() -> dict[str, AnyRuleset]:
    """Every rule system: name -> ruleset. A folder below this one, but the kernel's, is a system; no other edit."""
    found: dict[str, AnyRuleset] = {}
    for module in pkgutil.iter_modules(__path__):
        if module.ispkg and module.name != "kernel":
            ruleset = importlib.import_module(f"{__name__}.{module.name}").RULESET
            assert ruleset.name == module.name, f"{module.name} calls itself {ruleset.name}"
            if faults := faults_of_examples(ruleset, kept_examples(ruleset)):
                _unfit[ruleset.name] = tuple(faults)
                continue
            found[ruleset.name] = ruleset
    return found


def unfit_systems() -> dict[str, tuple[str, ...]]:
    """Return the games that are here and not offered: name -> what is wrong, a sentence for each fault."""
    systems()
    return dict(_unfit)


def kept_examples(ruleset: AnyRuleset) -> dict[int, Examples]:
    """Return the examples kept with a game, by edition."""
    found: dict[int, Examples] = {}
    for edition in range(1, ruleset.edition + 1):
        with suppress(FileNotFoundError):
            text = pkgutil.get_data(f"{__name__}.{ruleset.name}", f"{EDITIONS}/{edition}.json") or b"{}"
            found[edition] = {group: kinds for group, kinds in json.loads(text).items() if group != "edition"}
    return found
