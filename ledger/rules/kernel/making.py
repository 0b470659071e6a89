"""Making a character step by step: what a game adds to the steps in its `table/maker.toml`.

The file lists the steps and the fields that each step fills in. Its `options`, `budgets` and `complete` are functions
of the game. To find out whether an option can be chosen, the kernel tries the enrolment with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from ledger.rules.kernel.contract import Table

#: A sheet as JSON, with what was chosen so far.
Chosen: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Making:
    """A character that is being made. `sheet`: what was chosen so far. `whole`: the same sheet with every open field
    filled in, as an instance of the game's own class. None if the sheet does not fit this class.

    `player`: the seat that will play the character. `table`: the campaign, as the maker of the character may know it.
    """

    sheet: Chosen
    whole: Any
    player: str
    table: Table[Any]


@dataclass(frozen=True, slots=True)
class Option:
    """An option to choose. `sets`: the values that it sets in the sheet, by path (`house`, `attributes/size`). For a
    score, `sets` has the path of its number, with the number before anything is chosen. `about`: what the option means,
    in a few words.
    """

    label: str
    sets: Mapping[str, Any]
    about: str = ""


@dataclass(frozen=True, slots=True)
class Budget:
    """Points of one kind. `limit`: how many there are. None means no limit."""

    title: str
    spent: object
    limit: object = None


def leave_open(making: Making) -> Chosen:
    """Return the sheet as it is, for a game whose sheets need no completion."""
    return making.sheet


@dataclass(frozen=True, slots=True)
class Maker:
    """A game's functions, by the names that its file of steps uses.

    `complete`: returns the sheet with a default in each required field that is still open. Chosen values stay as they
    are. `notes`: functions that say more about an item of a list, such as the number that it is rolled against.
    """

    complete: Callable[[Making], Chosen] = leave_open
    options: Mapping[str, Callable[[Making], Iterable[Option]]] = field(default_factory=dict)
    budgets: Mapping[str, Callable[[Making], Budget]] = field(default_factory=dict)
    notes: Mapping[str, Callable[[Chosen], str]] = field(default_factory=dict)
