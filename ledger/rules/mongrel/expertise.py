"""Expertise by its four steps, and the options of the Power. Headings: Expertise; Powers. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.mongrel.tables import AREA_OF, AREAS, CATEGORIES, GOVERNED_BY, OPTIONS, POWERS
from ledger.rules.mongrel.terms import Identity, Number, naturals

Picks = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
PER_STEP = 2
STEPS = ("plus_three", "plus_two", "plus_one")
RISES = (3, 2, 1)


def picks_faults(primary: Identity, picks: Picks) -> list[tuple[str, str, tuple[str | int, ...]]]:
    """The faults of the six picks: the rule, the code, the place on the sheet; by code, in the order of the rules."""
    found: list[tuple[str, str, tuple[str | int, ...]]] = [
        ("mongrel.expertise.step2", "expertise-two-per-step", (field,))
        for field, step in zip(STEPS, picks, strict=True)
        if len(step) != PER_STEP
    ]
    six = [(name, (field, place)) for field, step in zip(STEPS, picks, strict=True) for place, name in enumerate(step)]
    stack = "mongrel.expertise.stack"
    found += [(stack, "expertise-unknown", at) for name, at in six if name not in GOVERNED_BY]
    found += [(stack, "power-not-primary", at) for name, at in six if name in OPTIONS and name != POWERS[primary]]
    names = [name for name, _ in six]
    again = [at for number, (name, at) in enumerate(six) if name in names[:number]]
    return found + [("mongrel.expertise.step3", "expertise-repeated", at) for at in again]


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


def power_faults(primary: Identity, level: int | None, allocated: Mapping[str, Number]) -> list[str]:
    """`mongrel.power.allocate`: every fault of the allocation. `level`: None, where it is not known."""
    faults = []
    if any(option not in OPTIONS[POWERS[primary]] for option in allocated):
        faults.append("power-option-unknown")
    points = naturals(allocated, allocated)
    if points is None:
        faults.append("power-not-natural")
    elif level is not None and sum(points.values()) > level:
        faults.append("power-overspent")
    return faults
