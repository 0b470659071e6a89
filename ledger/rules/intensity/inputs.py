"""Declarations about rounds, attacks, fatal impacts, rest and healing; and character sheets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias, get_args

from ledger.rules.intensity.inputs_of_attacks import AttackInput
from ledger.rules.intensity.inputs_of_fatals import FatalInput
from ledger.rules.intensity.inputs_of_healing import HealingInput
from ledger.rules.intensity.inputs_of_rounds import RoundInput
from ledger.rules.intensity.terms import SaidKind
from ledger.rules.kernel.domains import Between, Says, Title


@dataclass(frozen=True, slots=True)
class TraitLine:
    """A trait and its die."""

    name: Title
    base: Annotated[int, Between(6, 10), Says("Die", "10, 8 or 6 sides.")]


@dataclass(frozen=True, slots=True)
class Sheet:
    """`kind`: `main` (one D10 and two D8) or `minor` (two D6)."""

    kind: SaidKind
    traits: tuple[TraitLine, ...]


#: All declarations, in the order in which they are published.
Input: TypeAlias = RoundInput | AttackInput | FatalInput | HealingInput
INPUTS: tuple[type[Input], ...] = get_args(Input)
