"""The key that a purchase is kept under in `Character.counts`. A name is part of it only where it says which one it is.

Swiftness is Swiftness whatever its player calls it; contacts, Bits and areas of Martial Arts differ by their names.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from ledger.rules.moc.terms import DICE_ADVANTAGES

#: Purchases that somebody can have several of. The name of dice that come back is their period, and which group of
#: related skills they are for, from the second group on: `weapons-master:scene:2`.
BY_NAME = frozenset({*DICE_ADVANTAGES, "dice", "martial-arts", "superhuman", "bits", "contacts", "movement"})


def key_of(what: str, name: str) -> str:
    """Return the key; two purchases with the same key are levels of one."""
    return f"{what}:{name}" if name and what in BY_NAME else what


def key_as_kept(key: str) -> str:
    """Return the key of today for one that an earlier edition made of any name: `money:the farm` is `money`."""
    what, _, name = key.partition(":")
    return key_of(what, name)


def names_of(keys: Iterable[str], what: str) -> tuple[str, ...]:
    """Return the names under which somebody has purchases of this kind; "" is without a name."""
    return tuple(key.partition(":")[2] for key in keys if key.partition(":")[0] == what)


def bits_of(counts: Mapping[str, int]) -> dict[str, int]:
    """Return how many Bits somebody has of each name."""
    return {key.partition(":")[2]: n for key, n in counts.items() if key.partition(":")[0] == "bits"}


def bits_cost(number: int) -> int:
    """`moc.adv.bits`: the points that all Bits together cost: three a point, and a begun point is paid whole."""
    return -(-number // 3)


def bits_serving(counts: Mapping[str, int], skills: Container[str], skill: str) -> int:
    """Return how many Bits serve a roll. One with the name of a skill of the table stands for that skill only."""
    return sum(n for name, n in bits_of(counts).items() if name == skill or name not in skills)


def modes_bought(counts: Mapping[str, int]) -> dict[str, int]:
    """Return the metres a turn of each further way to move."""
    return {key.partition(":")[2]: n for key, n in counts.items() if key.startswith("movement:")}


def pool_dice(counts: Mapping[str, int], *pools: str) -> int:
    """`moc.adv.pool`: the dice that were bought for any of these pools: skills, kinds of roll."""
    return sum(counts.get(key_of("dice", pool), 0) for pool in pools if pool)


def period_of(advantage: str) -> str:
    """Return the period after which what was used comes back: of `weapons-master:scene:2` the scene."""
    return advantage.split(":")[1] if ":" in advantage else ""
