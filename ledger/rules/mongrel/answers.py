"""What can be answered to what is asked in the middle of a ruling, as things stand."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import OPEN, Among, Between, Shape, Some
from ledger.rules.mongrel.choices import Defend, Resist, Sacrifice, Shunt, SpeakFor, Stand
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.tables import OPTIONS, POWERS

NOTHING = Among(())
NONE = Among((None,))


def defending(draft: Draft, target: str, *, able: bool, declared: bool) -> Iterator[Shape]:
    """`mongrel.conflict.attack`, `mongrel.item.use`: armour that one has, where none was declared."""
    had = draft.who(target).possessions
    armours = () if declared else tuple(id for id, item in had.items() if item.armour is not None)
    worn = Among((None, *armours))
    yield Shape(Stand, {"armour_worn": worn})
    yield Shape(Defend, {"armour_worn": worn if able else NOTHING})


def shunting(most: int) -> Iterator[Shape]:
    """`mongrel.damage.shunt`"""
    yield Shape(Shunt, {"points": Between(0, most)})


def resisting(draft: Draft, id: str) -> Iterator[Shape]:
    """`mongrel.sorcery.resist`: with dice that are asked for; how many they are depends on the Power."""
    options = OPTIONS[POWERS[draft.who(id).primary]]
    yield Shape(Resist, {"attribute": OPEN, "power": Some(Among(options), repeats=True), "difficulty": OPEN})


def offering(held: int) -> Iterator[Shape]:
    """`mongrel.credit.sacrifice`: by the buyer, or a game master for the buyer."""
    amount = Between(1, held) if held else NOTHING
    yield Shape(Sacrifice, {"amount": amount})
    yield Shape(SpeakFor, {"agreed": Among((True,)), "amount": amount})
    yield Shape(SpeakFor, {"agreed": Among((False,))})


def speaking() -> Iterator[Shape]:
    """By a game master for the seller, who names no price."""
    yield Shape(SpeakFor, {"agreed": Among((True, False)), "amount": NONE})
