"""What the games say: pure rules over the standard library, one folder a system, discovered at import.

A game that is not fit to be played is not offered, and keeps no other game from it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache
from types import ModuleType

from ledger.rules.kernel.contract import AnyRuleset, Ruleset
from ledger.rules.kernel.failures import failure
from ledger.rules.kernel.fitness import faults_of

_unfit: dict[str, tuple[str, ...]] = {}


@cache
def systems() -> dict[str, AnyRuleset]:
    """Every rule system: name -> ruleset. A folder below this one, but the kernel's, is a system; no other edit."""
    found: dict[str, AnyRuleset] = {}
    for module in pkgutil.iter_modules(__path__):
        if module.ispkg and module.name != "kernel":
            try:
                ruleset = getattr(importlib.import_module(f"{__name__}.{module.name}"), "RULESET", None)
            except Exception as problem:  # noqa: BLE001  (whatever the game raises: the others are played)
                _unfit[module.name] = (f"It cannot be imported: {failure(problem)}.",)
                continue
            if faults := _faults_of(module.name, ruleset):
                _unfit[module.name] = faults
            elif isinstance(ruleset, Ruleset):
                found[ruleset.name] = ruleset
    return found


def unfit_systems() -> dict[str, tuple[str, ...]]:
    """The games that are here and not offered: name -> what is missing, a sentence for each fault."""
    systems()
    return dict(_unfit)


def not_offered(name: str, faults: Iterable[str]) -> None:
    """Take a system out of those that are offered: something else than its ruleset makes it unfit."""
    if systems().pop(name, None) is not None:
        _unfit[name] = tuple(faults)


def package_of(system: str) -> ModuleType:
    """The package that a system's `RULESET` was loaded from."""
    return importlib.import_module(f"{__name__}.{system}")


def _faults_of(folder: str, ruleset: object) -> tuple[str, ...]:
    if not isinstance(ruleset, Ruleset):
        return ("Its package has no `RULESET`.",)
    if ruleset.name != folder:
        return (f"Its folder is called {folder!r} and its `RULESET` {ruleset.name!r}: they must have one name.",)
    return tuple(faults_of(ruleset))
