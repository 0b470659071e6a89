"""Finished characters by name, to be played as they are."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.intensity.inputs import Sheet, TraitLine


def _main(best: str, second: str, third: str) -> Sheet:
    return Sheet("main", (TraitLine(best, 10), TraitLine(second, 8), TraitLine(third, 8)))


def _minor(one: str, other: str) -> Sheet:
    return Sheet("minor", (TraitLine(one, 6), TraitLine(other, 6)))


#: Three to play, and three to stand in their way.
PEOPLE: Mapping[str, Sheet] = {
    "Sarah": _main("Smooth Talker", "Don't Push Me", "Quick"),
    "Steve": _main("Stubborn", "Bad Temper", "Social Manipulator"),
    "Mira": _main("Steady Hands", "Seen It All", "Soft Spot for Strays"),
    "Rick": _minor("Driver", "Cultist"),
    "Louise": _minor("Knife", "Cultist"),
    "Old Tom": _minor("Knows Everybody", "Shotgun under the Counter"),
}
