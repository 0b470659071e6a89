"""The games. Their rules are pure and use only the standard library.

A game with a fault is not offered. It does not affect other games.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from types import ModuleType

from ledger.rules.kernel.contract import AnyRuleset, Ruleset
from ledger.rules.kernel.failures import describe_failure
from ledger.rules.kernel.fitness import list_faults
from ledger.rules.kernel.kept_examples import Examples, list_faults_of_examples

EDITIONS = "editions"  # the folder in a game's package with examples of what each edition stores
_unfit: dict[str, tuple[str, ...]] = {}


@cache
def systems() -> dict[str, AnyRuleset]:
    """Return the games that are offered, by name. Every folder here except `kernel` is a game."""
    offered_systems: dict[str, AnyRuleset] = {}
    for module in pkgutil.iter_modules(__path__):
        if module.ispkg and module.name != "kernel":
            try:
                ruleset = getattr(importlib.import_module(f"{__name__}.{module.name}"), "RULESET", None)
                faults = _list_faults(module.name, ruleset)
            except Exception as problem:  # noqa: BLE001  (a game can raise anything; other games are still offered)
                faults = [f"It cannot be loaded: {describe_failure(problem)}."]
            if faults:
                _unfit[module.name] = tuple(faults)
            elif isinstance(ruleset, Ruleset):
                offered_systems[module.name] = ruleset
    return offered_systems


def list_unfit_systems() -> dict[str, tuple[str, ...]]:
    """Return the installed games that are not offered, by name, each with a sentence for each fault."""
    systems()
    return dict(_unfit)


def load_kept_examples(ruleset: AnyRuleset) -> dict[int, Examples]:
    """Return the examples kept with a game, by edition."""
    examples_by_edition: dict[int, Examples] = {}
    for edition in range(1, ruleset.edition + 1):
        with suppress(FileNotFoundError):
            text = pkgutil.get_data(f"{__name__}.{ruleset.name}", f"{EDITIONS}/{edition}.json") or b"{}"
            examples_by_edition[edition] = {
                group: kinds for group, kinds in json.loads(text).items() if group != "edition"
            }
    return examples_by_edition


def withdraw_system(name: str, faults: Iterable[str]) -> None:
    """Stop offering a game because of faults that are not in its ruleset."""
    if systems().pop(name, None) is not None:
        _unfit[name] = tuple(faults)


def find_package(system: str) -> ModuleType:
    """Return the package from which a game's `RULESET` was loaded."""
    return importlib.import_module(f"{__name__}.{system}")


def _list_faults(folder: str, ruleset: object) -> list[str]:
    if not isinstance(ruleset, Ruleset):
        return ["Its package has no `RULESET`."]
    if ruleset.name != folder:
        return [f"Its folder is called {folder!r}, but its `RULESET` is called {ruleset.name!r}. Use the same name."]
    return list_faults(ruleset) or list_faults_of_examples(ruleset, load_kept_examples(ruleset))
