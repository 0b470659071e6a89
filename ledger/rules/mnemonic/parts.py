"""Parts of facts and states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ledger.rules.kernel.domains import Title
from ledger.rules.mnemonic.terms import CheckReading, Combine, FlukeKind, PartKind, RatingName, RulingNumber, TraitTitle


@dataclass(frozen=True, slots=True)
class RatedTrait:
    """A part of an Aptitude. `kind`: `talent`, `life`, `primary`, or `importance` for script immunity."""

    kind: PartKind
    name: TraitTitle
    rating: RatingName
    number: int


@dataclass(frozen=True, slots=True)
class Readings:
    """The dials a check was ruled under: later turns do not alter it. `flukes`: whether they happen in this check."""

    flukes: bool
    normal_uses: Literal["first", "last"]
    three_reading: Literal["median", "mean"]
    verbal_rule: Literal["entered", "sum_mod_12"]
    automatic: Literal["at_least", "exact"]
    solid: int
    spectacular: int
    death_guard: Literal["refuse", "warn", "off"]
    combine: Combine
    recovery: CheckReading


@dataclass(frozen=True, slots=True)
class Rolled:
    """The roll that a decision rests on. `fluke`: the one that was rolled, with its `run`.

    `ruling`: the number of the ruling that entered it; `entered`: as it was entered. Empty in records of edition 1.
    """

    roll: int
    fluke: FlukeKind | None
    run: int
    ruling: RulingNumber = ""
    entered: tuple[Title, ...] = ()

    def is_same(self, other: Rolled | None) -> bool:
        """Return whether this is the other roll: the same number rolled in another ruling is a different roll."""
        if other is not None and self.ruling and other.ruling:
            return self == other
        return other is not None and (self.roll, self.fluke, self.run) == (other.roll, other.fluke, other.run)


@dataclass(frozen=True, slots=True)
class CameOut:
    """The result that a decision rests on. `fluke`: the one that took effect. `rolled`: None in edition 1."""

    roll: int
    fluke: FlukeKind | None
    successes: int
    rolled: Rolled | None = None

    def is_same(self, other: CameOut | None) -> bool:
        """Return whether this is the other result, of the same roll."""
        if other is None or (self.roll, self.fluke, self.successes) != (other.roll, other.fluke, other.successes):
            return False
        return self.rolled is None or other.rolled is None or self.rolled.is_same(other.rolled)
