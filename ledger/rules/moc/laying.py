"""Domains of what is laid on dice: cards with their points, floating dice; and dice typed in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from ledger.rules.kernel.moves import Among, Between, Domain, Either, Entries, Row, Shape, Some
from ledger.rules.moc import accounts, numbers
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.effects import worth_of
from ledger.rules.moc.offering import Offering, names_of, one
from ledger.rules.moc.own_dice import FLOATING
from ledger.rules.moc.sheet import CardPoints, LaidCard
from ledger.rules.moc.state import Character
from ledger.rules.moc.terms import CLASSES, ELEMENTS, PERIODS


class Holding(Protocol):
    """Whose cards can be laid, as far as they are seen. `alive`: who acts and plays."""

    @property
    def dials(self) -> Dials: ...
    @property
    def alive(self) -> tuple[str, ...]: ...
    def who(self, id: str) -> Character: ...
    def cards(self, id: str) -> tuple[str, ...]: ...


OF_DAMAGE = ("The damage dice", "The raise dice")  # the parts of the only roll laid on that has several
SPREADS = (2, 3)  # over how many dice a card's points are spread alike

NO_DICE = Entries({})  # floating ones


def fallen(count: int, sides: int = 10) -> Row:
    """Dice typed in of which none opens."""
    return Row((Between(1, sides if sides < 10 else 9),) * count)


def floating(now: Offering, id: str) -> Domain:
    """moc.adv.dice: floating dice that are not used yet."""
    held = {f"{FLOATING}:{one}": now.table.balance(accounts.die(id, f"{FLOATING}:{one}")) for one in PERIODS}
    return Entries({key: Between(0, n) for key, n in held.items() if n > 0})


# --- cards ---


def is_wild(now: Holding, id: str) -> bool:
    return now.who(id).archetype == "wildcard"


def rank_of(now: Holding, id: str, card: str, elements: Sequence[str]) -> str:
    """moc.card.class: a Wildcard's card is of the first of these Elements; over several the lowest class."""
    suit = elements[0] if is_wild(now, id) else numbers.card_element(card)
    return min((numbers.card_class(suit, element) for element in elements), key=lambda rank: CLASSES[rank])


def said_suit(now: Holding, id: str, card: str) -> Among:
    """Whose card is no Wildcard's may say its suit; a Wildcard's is suited where nothing is said."""
    return Among((None,) if is_wild(now, id) else (None, *names_of(numbers.card_element(card))))


def points(
    now: Holding, id: str, card: str, rank: str, sizes: Sequence[tuple[int, int]], called: Sequence[str] = ()
) -> Domain | None:
    """moc.card.dice: on one die, or on some alike. `sizes`: parts with how many dice each has; `called`: names."""
    most = numbers.card_points(worth_of(now.who(id), card), rank, now.dials.related_card_on_dice == "full")
    there = [(part, size) for part, size in sizes if size > 0]
    if not there:
        return None
    alone: Domain = Row((_line(there, most, called),))
    if rank != "suited" and not now.dials.offsuit_split:
        return alone
    spread = tuple(Some(_line(there, most // n, called), n, n, repeats=True) for n in SPREADS)
    return Either((alone, *spread))


def _line(sizes: Sequence[tuple[int, int]], most: int, called: Sequence[str]) -> Domain:
    named = called if len(sizes) > 1 else ()
    each = tuple(
        Shape(
            CardPoints,
            {"die": _dice(size), "points": Between(0, most), "part": one(part)},
            named[part] if part < len(named) else "",
        )
        for part, size in sizes
    )
    return each[0] if len(each) == 1 else Either(each)


def _dice(size: int) -> Domain:
    """Which of so many: people count from one."""
    return Among(tuple(range(size)), tuple(f"Die {place + 1}" for place in range(size)))


def elements_by_rank(now: Holding, id: str, card: str, element: str) -> Iterator[tuple[str, tuple[object, ...]]]:
    """What a roll's Element can be named, by the class the card is of then. `element`: its own, if it has one."""
    found: dict[str, tuple[object, ...]] = {}
    for name in (element,) if element else ELEMENTS:
        left_out = (None,) if element or name == "action" else ()
        rank = rank_of(now, id, card, (name,))
        found[rank] = (*found.get(rank, ()), *left_out, *names_of(name))
    yield from found.items()


def laid_by(now: Holding, whose: str, element: str, sizes: Sequence[int], least: int = 1) -> Domain | None:
    """Cards laid on dice as they are rolled, of who rolls them or, where a dial allows it, of others; None: not one.

    Who is gone lays none: somebody can fall between the hit and its dice.
    """
    givers = tuple(id for id in now.alive if now.dials.cards_on_allies or id == whose)
    shapes: list[Domain] = []
    for id in givers:
        for card in now.cards(id):
            for rank, elements in elements_by_rank(now, id, card, element):
                laid = points(now, id, card, rank, tuple(enumerate(sizes)), OF_DAMAGE)
                if laid is None:
                    return None
                shapes.append(Shape(LaidCard, {
                    "card": one(card), "points": laid, "element": Among(elements), "suit": said_suit(now, id, card),
                    "card_class": Among((None, rank)), "character": Among((None, id) if id == whose else (id,)),
                }))  # fmt: skip
    return Some(Either(tuple(shapes)), least, key="card") if shapes else None
