"""Expertise by its four steps, and the options of the Power. Headings: Expertise; Powers. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.mongrel.tables import AREA_OF, AREAS, CATEGORIES, GOVERNED_BY, OPTIONS, POWERS
from ledger.rules.mongrel.terms import Identity, Number, naturals

Picks = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
PER_STEP = 2
RISES = (3, 2, 1)


def picks_fault(primary: Identity, picks: Picks) -> tuple[str, str] | None:
    """The first fault of the six picks: the rule and the code."""
    if any(len(step) != PER_STEP for step in picks):
        return "mongrel.expertise.step2", "expertise-two-per-step"
    six = [name for step in picks for name in step]
    if any(name not in GOVERNED_BY for name in six):
        return "mongrel.expertise.stack", "expertise-unknown"
    if any(name in OPTIONS and name != POWERS[primary] for name in six):
        return "mongrel.expertise.stack", "power-not-primary"
    if len(set(six)) != len(six):
        return "mongrel.expertise.step3", "expertise-repeated"
    return None


def levels(primary: Identity, picks: Picks) -> dict[str, int]:
    """Every Expertise above 0: `mongrel.expertise.step1` to `step4`, added up."""
    found = dict.fromkeys(CATEGORIES[primary], 1)
    areas = dict.fromkeys(AREA_OF[name] for name in picks[0] if name in AREA_OF)
    for area in areas:
        for name in AREAS[area]:
            if name not in picks[0]:
                found[name] = found.get(name, 0) + 1
    for step, rise in zip(picks, RISES, strict=True):
        for name in step:
            if name in GOVERNED_BY:
                found[name] = found.get(name, 0) + rise
    return found


def power_faults(primary: Identity, level: int, allocated: Mapping[str, Number]) -> list[str]:
    """`mongrel.power.allocate`: every fault of the allocation."""
    faults = []
    if any(option not in OPTIONS[POWERS[primary]] for option in allocated):
        faults.append("power-option-unknown")
    points = naturals(allocated, allocated)
    if points is None:
        faults.append("power-not-natural")
    elif sum(points.values()) > level:
        faults.append("power-overspent")
    return faults
