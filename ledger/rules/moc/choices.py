"""The ways somebody can answer a question of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, TypeAlias, get_args

from ledger.rules.kernel.declarations import choice
from ledger.rules.kernel.domains import Between, Reason, Says
from ledger.rules.moc.domains import MOST, CardName, CardNames, ElementName
from ledger.rules.moc.sheet import LaidCard


@choice("approve")
class Approve:
    """The game master agrees."""


@choice("veto")
class Veto:
    """The game master does not."""


@choice("keep")
class Keep:
    """Which of the cards drawn stay in the hand."""

    cards: CardNames


@choice("discard")
class Discard:
    """The card thrown away."""

    card: CardName


@choice("ignore")
class Ignore:
    """Which dice (0 is the first) that show a natural 10 remove a point outright; the other 10s open."""

    dice: Annotated[tuple[Annotated[int, Between(0, MOST)], ...], Says("Dice", "By place: `0` is the first.")] = ()


@choice("lay")
class Lay:
    """The cards laid on the dice that have just fallen; it may be none."""

    cards: Annotated[
        tuple[LaidCard, ...],
        Says("Cards", "It is asked of who holds none as well: so nobody learns who does."),
    ] = ()


@choice("allocate")
class Allocate:
    """The beads of the coming scene: number by Element, without the primary one, which gets the rest."""

    beads: Mapping[ElementName, Annotated[int, Between(0, MOST)]] = field(default_factory=dict)


@choice("leave")
class LeaveAll:
    """All of them stay where they are by default: in the primary Element, a Wildcard's spread evenly."""


@choice("agree", by="asked")
class Agree:
    """Who is asked trades a card."""


@choice("agree-for", by="gm")
class AgreeFor:
    """A game master says it for the one who is asked, and why."""

    reason: Reason


@choice("decline")
class Decline:
    """Who is asked does not trade."""


@choice("give", by="asked")
class Give:
    """The card that is given away."""

    card: CardName


#: All of them, in the order in which they are told to the public.
Choice: TypeAlias = (
    Approve | Veto | Keep | Discard | Ignore | Lay | Allocate | LeaveAll | Agree | AgreeFor | Decline | Give
)
CHOICES: tuple[type[Choice], ...] = get_args(Choice)
