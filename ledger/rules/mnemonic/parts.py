"""Parts of facts and states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ledger.rules.mnemonic.terms import CheckReading, Combine, FlukeKind, PartKind, RatingName, TraitTitle


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
    """A roll, as what was decided about it knows it. `fluke`: the one that was rolled, with its `run`."""

    roll: int
    fluke: FlukeKind | None
    run: int


@dataclass(frozen=True, slots=True)
class CameOut:
    """A result, as what was decided seeing it knows it. `fluke`: the one that took effect."""

    roll: int
    fluke: FlukeKind | None
    successes: int
