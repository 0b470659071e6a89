"""The ways somebody can answer a question of the rules."""

from __future__ import annotations

from ledger.rules.contract import choice
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

    cards: tuple[str, ...]


@choice("discard")
class Discard:
    """The card thrown away."""

    card: str


@choice("ignore")
class Ignore:
    """Which dice (0 is the first) that show a natural 10 remove a point outright; the other 10s open."""

    dice: tuple[int, ...] = ()


@choice("lay")
class Lay:
    """The cards laid on the dice that have just fallen; it may be none."""

    cards: tuple[LaidCard, ...] = ()


CHOICES = (Approve, Veto, Keep, Discard, Ignore, Lay)
