"""What people at the table do, by what they do it with: rounds, attacks, fatals, rest and healing; and their sheets."""

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
    """A line of a character sheet: the trait and its die."""

    name: Title
    base: Annotated[int, Between(6, 10), Says("Die", "10, 8 or 6 sides.")]


@dataclass(frozen=True, slots=True)
class Sheet:
    """`kind`: `main` (D10, D8, D8) or `minor` (D6, D6)."""

    kind: SaidKind
    traits: tuple[TraitLine, ...]


#: All of them, in the order in which they are told to the public.
Input: TypeAlias = RoundInput | AttackInput | FatalInput | HealingInput
INPUTS: tuple[type[Input], ...] = get_args(Input)
