"""What people do in a round but for its attacks: they open it, declare, roll, settle ties, pass, close it.

The round is always the open one. Dice come in two ways: faces given with an input are taken; where they are left out,
the ruling asks for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias, get_args

from ledger.rules.intensity.terms import UNTOUCHED, Char, Face, Level, OwnTrait, SaidLevel
from ledger.rules.kernel.declarations import ANYONE, GM, declares, either
from ledger.rules.kernel.domains import CharacterId, OneOf, Story


@dataclass(frozen=True, slots=True)
class Faces:
    """The faces of one participant's dice. `trait` is left out by who rolls the intensity die alone."""

    char: Char
    intensity: Face | None = None
    trait: Face | None = None


@declares("open-round", ANYONE, records=("round-opened",))
class OpenRound:
    """A round begins for these characters; nobody else rolls or can be attacked in it."""

    participants: tuple[CharacterId, ...]


@declares("declare", either("char"), records=("action-declared",))
class Declare:
    """Whom a participant acts against (nobody: only defends), how intensely, with which trait. `text`: the intent."""

    char: Char
    level: SaidLevel
    target: CharacterId | None = None
    trait: OwnTrait | None = None
    text: Story = ""


@declares("raise", either("char"), records=("intensity-raised",))
class Raise:
    """A declared level goes up, as a reaction to others."""

    char: Char
    level: SaidLevel
    text: Story = ""


@declares("amend-declaration", either("char"), records=("declaration-amended",))
class AmendDeclaration:
    """Target, trait and intent (`text`) restated before the roll. What is left out stays, null takes target or trait
    away. Levels only rise.
    """

    char: Char
    target: CharacterId | None = UNTOUCHED
    trait: OwnTrait | None = UNTOUCHED
    level: Annotated[str, OneOf((UNTOUCHED, *get_args(Level)))] | None = UNTOUCHED
    text: Story = UNTOUCHED


@declares("abandon-round", GM, records=("round-abandoned",))
class AbandonRound:
    """A round whose roll is not complete is dropped."""


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
    """The participants roll. `faces`: typed in, for all who roll now.

    `participants`: who rolls now (left out: those with faces; without any, all who have not rolled).
    """

    faces: tuple[Faces, ...] = ()
    participants: tuple[CharacterId, ...] = ()


@declares("settle-tie", GM, records=("tie-settled",))
class SettleTie:
    """The order of those tied at the front: a `ranking`, or the roll-off's throws in order (left out: asked for)."""

    ranking: tuple[CharacterId, ...] = ()
    faces: tuple[tuple[Faces, ...], ...] = ()


@declares("pass", either("char"), records=("action-passed",))
class Pass:
    """The own turn is given up."""

    char: Char
    text: Story = ""


@declares("close-round", GM, records=("round-closed",))
class CloseRound:
    """A round in which nobody is left to act ends."""


RoundInput: TypeAlias = (
    OpenRound | Declare | Raise | AmendDeclaration | AbandonRound | RollDice | SettleTie | Pass | CloseRound
)  # fmt: skip
