"""The tables of the rule book: dice of levels and kinds, ratings of impacts, prices of effects."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.intensity.terms import Effect, Impact, Kind, Level

#: Sides of the intensity die, low to high. The same number is the level's maximum in ratings.
INTENSITY: Mapping[Level, int] = {"calm": 6, "invested": 8, "passionate": 10, "fanatical": 12}

#: Base sizes of a character's traits, largest first.
TRAITS: Mapping[Kind, tuple[int, ...]] = {"main": (10, 8, 8), "minor": (6, 6)}

#: A trait die stepped down goes one to the right and stays on 0.
STEPS: tuple[int, ...] = (10, 8, 6, 4, 0)

#: The least rating that allows an impact, in the order of the book.
RATINGS: Mapping[Impact, int] = {"tax": 0, "advantage": 12, "damage": 14, "wound": 16, "fatal": 20}

#: Advantage points an effect costs.
PRICES: Mapping[Effect, int] = {"reroll": 1, "maximum": 2, "defence4": 3, "attack4": 4}

#: What one purchase of `defence4` or `attack4` adds.
BONUS = 4
