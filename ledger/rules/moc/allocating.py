"""How the beads of a scene can be laid: as many in each Element as can be paid for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import islice, product
from typing import TypeAlias

from ledger.rules.kernel.moves import Between, Domain, Entries
from ledger.rules.moc import numbers
from ledger.rules.moc.dials import Dials, bead_rate
from ledger.rules.moc.effects import prices_of
from ledger.rules.moc.state import Character
from ledger.rules.moc.terms import ELEMENTS, PRIMARIES

STEPS = 16  # in which very many beads are laid
LOTS = 4  # in which a Wildcard lays its beads
#: A way to lay beads: the most of each Element.
Box: TypeAlias = tuple[tuple[str, int], ...]
Boxes: TypeAlias = tuple[Box, ...]


def allocation(box: Box) -> Domain:
    return Entries({element: Between(0, n) for element, n in box})


def boxes(dials: Dials, who: Character) -> Boxes:
    """moc.bead.allocate: the most of each Element but the primary one, in every way that can be paid; or less of it.

    None where a bought bead has no Element to go to.
    """
    allowed = numbers.allowance(bead_rate(dials), *(who.ratings[primary] for primary in PRIMARIES))
    if not dials.trumped_beads_regenerate:
        allowed = max(0, allowed - who.used.get("trumped-beads:session", 0))
    if who.primaries:
        return _paid(allowed, who.primaries, who.secondaries, prices_of(who))
    return () if who.counts.get("extra-bead-scene", 0) else _wild(allowed, dials.wildcard_allocation == "free")


@lru_cache(maxsize=1000)
def _paid(
    allowed: int, primaries: tuple[str, ...], secondaries: tuple[str, ...], prices: tuple[tuple[str, int], ...]
) -> Boxes:
    """Of very many beads not in every way: in steps, and each Element alone."""
    others = tuple(element for element in ELEMENTS if element != primaries[0])
    step = max(1, allowed // STEPS)

    def fits(laid: tuple[int, ...]) -> bool:
        return cost_of(primaries, secondaries, dict(zip(others, laid, strict=True)), allowed, prices) <= allowed

    paid = {laid for laid in product(range(0, allowed + 1, step), repeat=len(others)) if fits(laid)}
    top = {laid for laid in paid if not any(_more(laid, place, step) in paid for place in range(len(laid)))}
    if step > 1:
        for place in range(len(others)):
            alone = (_more((0,) * len(others), place, n) for n in range(allowed, 0, -1))
            top |= set(islice(filter(fits, alone), 1))
    return tuple(tuple(zip(others, laid, strict=True)) for laid in sorted(top))


def _more(laid: tuple[int, ...], place: int, step: int) -> tuple[int, ...]:
    return (*laid[:place], laid[place] + step, *laid[place + 1 :])


def cost_of(
    primaries: tuple[str, ...],
    secondaries: tuple[str, ...],
    laid: Mapping[str, int],
    allowed: int,
    prices: tuple[tuple[str, int], ...],
) -> int:
    """`moc.bead.allocate`: what beads laid like this cost. `prices`: of Elements for which one was agreed."""
    agreed = dict(prices)
    usual = {element: n for element, n in laid.items() if element not in agreed}
    moved = sum(n for element, n in usual.items() if element in primaries)
    secondary = sum(n for element, n in usual.items() if element in secondaries and element not in primaries)
    other = sum(usual.values()) - moved - secondary
    dear = sum(n * agreed[element] for element, n in laid.items() if element in agreed)
    return numbers.bead_cost(allowed, secondary, other) + moved + dear


@lru_cache(maxsize=1000)
def _wild(allowed: int, free: bool) -> Boxes:
    """A Wildcard's, in lots: how many go where."""
    number = allowed if free else allowed // 3 + (allowed - allowed // 3) // 2
    lot, over = divmod(number, LOTS)
    ways = [way for way in product(range(LOTS + 1), repeat=len(ELEMENTS)) if sum(way) == LOTS]
    return tuple(_in_lots(way, lot, over) for way in ways)


def _in_lots(way: tuple[int, ...], lot: int, over: int) -> tuple[tuple[str, int], ...]:
    """What is over goes where the most goes."""
    more = way.index(max(way))
    return tuple(
        (element, n * lot + (over if place == more else 0))
        for place, (element, n) in enumerate(zip(ELEMENTS, way, strict=True))
    )
