"""What the games say: pure rules over the standard library, one folder a system, discovered at import."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from ledger.rules.kernel.contract import AnyRuleset


@cache
def systems() -> dict[str, AnyRuleset]:
    """Every rule system: name -> ruleset. A folder below this one, but the kernel's, is a system; no other edit."""
    found: dict[str, AnyRuleset] = {}
    for module in pkgutil.iter_modules(__path__):
        if module.ispkg and module.name != "kernel":
            ruleset = importlib.import_module(f"{__name__}.{module.name}").RULESET
            assert ruleset.name == module.name, f"{module.name} calls itself {ruleset.name}"
            found[ruleset.name] = ruleset
    return found
