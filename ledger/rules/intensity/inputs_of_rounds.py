"""Declarations of a round, except attacks: open it, declare, roll, resolve ties, pass, close it.

The round is always the open one. You can enter the faces of dice; if you leave them out, the ruling asks for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias, get_args

from ledger.rules.intensity.terms import UNTOUCHED, Char, Face, Level, OwnTrait, SaidLevel
from ledger.rules.kernel.declarations import ANYONE, GM, declares, either
from ledger.rules.kernel.domains import CharacterId, OneOf, Story


@dataclass(frozen=True, slots=True)
class Faces:
    """The faces of one participant's dice. Leave out `trait` if the participant rolls the intensity die alone."""

    char: Char
    intensity: Face | None = None
    trait: Face | None = None


@declares("open-round", ANYONE, records=("round-opened",))
class OpenRound:
    """Begin a round for these characters. Nobody else rolls or can be attacked in it."""

    participants: tuple[CharacterId, ...]


@declares("declare", either("char"), records=("action-declared",))
class Declare:
    """Declare a level and a trait, and a target unless you only defend. `text`: your intent."""

    char: Char
    level: SaidLevel
    target: CharacterId | None = None
    trait: OwnTrait | None = None
    text: Story = ""


@declares("raise", either("char"), records=("intensity-raised",))
class Raise:
    """Raise a declared level, in reaction to others."""

    char: Char
    level: SaidLevel
    text: Story = ""


@declares("amend-declaration", either("char"), records=("declaration-amended",))
class AmendDeclaration:
    """Change your target, trait or intent (`text`) before the roll. What you leave out stays; null removes the target
    or trait. To change the level, raise it.
    """

    char: Char
    target: CharacterId | None = UNTOUCHED
    trait: OwnTrait | None = UNTOUCHED
    level: Annotated[str, OneOf((UNTOUCHED, *get_args(Level)))] | None = UNTOUCHED
    text: Story = UNTOUCHED


@declares("abandon-round", GM, records=("round-abandoned",))
class AbandonRound:
    """Drop a round before its roll is complete."""


@declares(
    "roll",
    ANYONE,
    records=(
        "dice-rolled",
        "order-established",
        "conflict-linked",
    ),
)
class RollDice:
    """Roll the dice of the round. `faces`: your own dice, for everybody who rolls now.

    `participants`: who rolls now. Default: those in `faces`, or else everybody who has not rolled yet.
    """

    faces: tuple[Faces, ...] = ()
    participants: tuple[CharacterId, ...] = ()


@declares("settle-tie", GM, records=("tie-settled",))
class SettleTie:
    """Resolve the tie for the next turn: with a `ranking`, or with `faces`, the throws of a roll-off in order.

    Without either, the ruling asks for the throws if this table rolls off.
    """

    ranking: tuple[CharacterId, ...] = ()
    faces: tuple[tuple[Faces, ...], ...] = ()


@declares("pass", either("char"), records=("action-passed",))
class Pass:
    """Pass your turn."""

    char: Char
    text: Story = ""


@declares("close-round", GM, records=("round-closed",))
class CloseRound:
    """End a round in which nobody has an action left."""


RoundInput: TypeAlias = (
    OpenRound | Declare | Raise | AmendDeclaration | AbandonRound | RollDice | SettleTie | Pass | CloseRound
)  # fmt: skip
