"""What can be declared of cards on dice: of actions, of damage, of initiative."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import OPEN, Among, Domain, Move
from ledger.rules.moc import inputs_of_combat, inputs_of_play, numbers
from ledger.rules.moc.actions import pool_of
from ledger.rules.moc.cards_on_dice import damage_pool
from ledger.rules.moc.laying import OF_DAMAGE, elements_by_rank, is_wild, points, rank_of, said_suit
from ledger.rules.moc.offering import AGREED, Offering, names_of, one, parts_of, together
from ledger.rules.moc.state_of_actions import Action, Part, hidden
from ledger.rules.moc.terms import ELEMENTS

Fields = dict[str, Domain]


def cards(now: Offering) -> Iterator[Move]:
    held = {id: now.cards(id) for id in now.alive}
    for id, there in held.items():
        if there:
            for action, place, part in now.declared():
                yield from _on_action(now, action, place, part, id, there)
            yield from _on_damage(now, id, there)
            yield from _on_initiative(now, id, there)


# --- on an action's dice ---


def _on_action(now: Offering, action: Action, place: int, part: Part, id: str, held: tuple[str, ...]) -> Iterator[Move]:
    """moc.card.dice; moc.card.other, which serves anybody's action."""
    own: Fields = {"action": one(action.id), "character": one(id)}
    if action.character == id or now.dials.cards_on_allies:
        size = _dice(now, action, place, part)
        for card in held:
            for rank, suits in _suits(now, id, card, part.roll.element).items():
                laid = points(now, id, card, rank, ((place, size),))
                if laid is not None:
                    yield Move(inputs_of_play.PlayCard, {
                        **own, "card": one(card), "points": laid, "suit": Among(suits), "other": one(""),
                        "card_class": Among((None, rank)), "part": parts_of(tuple(dict.fromkeys((0, place)))),
                    })  # fmt: skip
    for suits_said, cards in together((card, said_suit(now, id, card).values) for card in held).items():
        fields: Fields = {"card": Among(cards), "suit": Among(suits_said), "part": one(place)}
        yield Move(inputs_of_play.PlayCard, {**own, **fields, "other": OPEN, "approved": AGREED})


def _dice(now: Offering, action: Action, place: int, part: Part) -> int:
    """Those there are, as far as they are seen: of a roll not seen only those that were due."""
    if not part.rolled:
        return pool_of(now.draft, action, place)
    seen = now.seen.seat.may_see(hidden(action, place))
    fallen = now.fallen(action.id, place)
    return fallen + (len(part.bonus) if seen else 0)


def _suits(now: Offering, id: str, card: str, element: str) -> dict[str, tuple[object, ...]]:
    """By the class the card is of then; a Wildcard's card is suited where no other Element is named."""
    if not is_wild(now, id):
        return {rank_of(now, id, card, (element,)): said_suit(now, id, card).values}
    found: dict[str, tuple[object, ...]] = {"suited": (None,)}
    for name in ELEMENTS:
        rank = numbers.card_class(name, element)
        found[rank] = (*found.get(rank, ()), *names_of(name))
    return found


# --- on other dice ---


def _on_damage(now: Offering, id: str, held: tuple[str, ...]) -> Iterator[Move]:
    """moc.card.dice: before the damage is rolled or after it, until it is resisted."""
    hits = now.scene.hits.values() if now.scene is not None else ()
    for hit in hits:
        if hit.stage not in ("scored", "rolled") or not (hit.attacker == id or now.dials.cards_on_allies):
            continue
        pool = damage_pool(now.draft, hit)
        for card in held:
            for rank, elements in elements_by_rank(now, id, card, hit.element):
                laid = points(now, id, card, rank, tuple(enumerate(pool.sizes)), OF_DAMAGE)
                if laid is not None:
                    yield Move(inputs_of_combat.PlayCardOnDamage, {
                        "hit": one(hit.id), "character": one(id), "card": one(card), "points": laid,
                        "element": Among(elements), "suit": said_suit(now, id, card),
                        "card_class": Among((None, rank)),
                    })  # fmt: skip


def _on_initiative(now: Offering, id: str, held: tuple[str, ...]) -> Iterator[Move]:
    """moc.card.dice: on the initiative last rolled, or on the one to come."""
    assert now.scene is not None
    last = now.scene.initiative
    for whose in dict.fromkeys(now.scene.cast):
        if not (whose == id or now.dials.cards_on_allies) or not now.known(whose):
            continue
        fallen = len(last.faces.get(whose, ())) + len(last.bonus.get(whose, ()))
        sizes = {True: now.draft.initiative_dice(whose), False: fallen}
        if not last.faces:
            sizes[False] = sizes[True]
        for card in held:
            for rank, elements in elements_by_rank(now, id, card, ""):
                for size, coming in together((waits, n) for waits, n in sizes.items()).items():  # type: ignore[misc]
                    laid = points(now, id, card, rank, ((0, size),))
                    if laid is not None:
                        yield Move(inputs_of_combat.PlayCardOnInitiative, {
                            "character": one(id), "card": one(card), "points": laid, "element": Among(elements),
                            "whose": Among((None, id) if whose == id else (whose,)), "coming": Among(tuple(coming)),
                            "suit": said_suit(now, id, card), "card_class": Among((None, rank)),
                        })  # fmt: skip
