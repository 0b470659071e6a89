"""How people answer the questions of the rules."""

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
    """Approve."""


@choice("veto")
class Veto:
    """Do not approve."""


@choice("keep")
class Keep:
    """Choose which drawn cards stay in the hand."""

    cards: CardNames


@choice("discard")
class Discard:
    """Discard this card."""

    card: CardName


@choice("ignore")
class Ignore:
    """Choose which natural 10s remove a point of damage. Each other 10 adds a bonus die."""

    dice: Annotated[
        tuple[Annotated[int, Between(0, MOST)], ...], Says("Dice", "The number of each die: `0` is the first.")
    ] = ()


@choice("lay")
class Lay:
    """Play cards on the dice just rolled, or none."""

    cards: Annotated[
        tuple[LaidCard, ...],
        Says("Cards", "Players without cards are asked, too, so nobody learns who has some."),
    ] = ()


@choice("allocate")
class Allocate:
    """Allocate the beads for the next scene: how many go to each Element. Leave out the primary Element, which gets the
    rest.
    """

    beads: Mapping[ElementName, Annotated[int, Between(0, MOST)]] = field(default_factory=dict)


@choice("leave")
class LeaveAll:
    """Leave all beads where they are: in the primary Element, or, for a Wildcard, spread evenly over all Elements."""


@choice("agree", by="asked")
class Agree:
    """Agree to trade a card."""


@choice("agree-for", by="gm")
class AgreeFor:
    """Agree for the player who is asked. A game master can do this, with a reason."""

    reason: Reason


@choice("decline")
class Decline:
    """Do not trade."""


@choice("give", by="asked")
class Give:
    """Give this card away."""

    card: CardName


#: All of them, in the order in which they are published.
Choice: TypeAlias = (
    Approve | Veto | Keep | Discard | Ignore | Lay | Allocate | LeaveAll | Agree | AgreeFor | Decline | Give
)
CHOICES: tuple[type[Choice], ...] = get_args(Choice)
