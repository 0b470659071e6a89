"""Everything countable, and what moves it: chips, cards, beads, tokens, points, period dice, the arc's purse."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ledger.rules.kernel.contract import Account, Posting
from ledger.rules.kernel.purses import unit_of

ACCOUNTS: tuple[Account, ...] = (
    Account("bank/chip:<colour>", "chip", "Where chips come from and go back to. It never runs out."),
    Account(
        "character:<id>/chip:<colour>",
        "chip",
        "White, red or blue chips that a player holds for a character.",
        title="<colour> chips",
    ),
    Account(
        "campaign/xp:<arc>",
        "xp",
        "The value of chips that can still be awarded in the arc.",
        title="Value left for the arc",
    ),
    Account("bank/xp", "xp", "Where the value of an arc's purse comes from and goes back to."),
    Account("bank/card", "card", "The deck between sessions."),
    Account("campaign/card:deck", "card", "Cards not drawn in this session.", counted=True, title="Cards in the deck"),
    Account("campaign/card:discard", "card", "Cards used or discarded in this session.", title="Discarded cards"),
    Account("character:<id>/card:hand", "card", "Cards in a hand.", counted=True, title="Cards in hand"),
    Account(
        "scene:<id>/card:villains", "card", "Cards that the villains of a scene share.", title="The villains' cards"
    ),
    Account("bank/bead:source", "bead", "The source of beads."),
    Account("character:<id>/bead:<element>", "bead", "A character's beads of one Element.", title="<element> beads"),
    Account("bank/bead:spent", "bead", "Beads that are spent, trumped or left at the end of a scene."),
    Account(
        "character:<id>/token:<primary>", "token", "Tokens left in the pool of a Primary.", title="<primary> tokens"
    ),
    Account("bank/token:spent", "token", "Spent and lost tokens, and the source of recovered ones."),
    Account("bank/point:budget", "point", "The source of points, in 120ths of a point."),
    Account(
        "character:<id>/point",
        "point",
        "Points not yet spent, in 120ths of a point.",
        title="Points to spend, in 120ths",
    ),
    Account("bank/point:spent", "point", "Points spent, in 120ths of a point."),
    Account("bank/die:<period>", "die", "The source of period dice."),
    Account("character:<id>/die:<advantage>", "die", "Period dice not yet used.", title="Dice of <advantage>"),
    Account("bank/die:spent", "die", "Period dice that were used."),
)
XP = "bank/xp"
DECK = "campaign/card:deck"
DISCARD = "campaign/card:discard"
CARDS = "bank/card"
SOURCE = "bank/bead:source"
SPENT = "bank/bead:spent"
TOKENS = "bank/token:spent"
BUDGET = "bank/point:budget"
PAID = "bank/point:spent"
USED = "bank/die:spent"


def chip(id: str, colour: str) -> str:
    return f"character:{id}/chip:{colour}"


def bank(colour: str) -> str:
    return f"bank/chip:{colour}"


def purse(arc: str) -> str:
    return f"campaign/xp:{arc}"


def hand(id: str) -> str:
    return f"character:{id}/card:hand"


def villains(scene: str) -> str:
    return f"scene:{scene}/card:villains"


def bead(id: str, element: str) -> str:
    return f"character:{id}/bead:{element}"


def token(id: str, primary: str) -> str:
    return f"character:{id}/token:{primary}"


def point(id: str) -> str:
    return f"character:{id}/point"


def die(id: str, advantage: str) -> str:
    return f"character:{id}/die:{advantage}"


def move(source: str, target: str, amount: int) -> Posting | None:
    """None when nothing moves; a negative amount moves the other way."""
    if amount < 0:
        return move(target, source, -amount)
    return Posting(source, target, unit_of(source), amount) if amount else None


def chips(id: str, counts: Mapping[str, int], *, to_bank: bool) -> Iterable[Posting | None]:
    """Chips of each colour between a character and the bank."""
    for colour, count in counts.items():
        held, banked = chip(id, colour), bank(colour)
        yield move(held, banked, count) if to_bank else move(banked, held, count)
