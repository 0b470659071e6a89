"""Cards on dice: of actions, of damage and its raises, of resisting, of initiative, of healing.

Heading "Cards and Dice". A card on an action is played by an input of its own, before or after the roll; so it is on
damage, until that is resisted, and on initiative. Resisting and healing come to their end in one ruling: there the card
is laid as it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ledger.rules.kernel.contract import Table, Verdict
from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import Viewer, character
from ledger.rules.moc import counting, facts, inputs, numbers, terms
from ledger.rules.moc.actions import pool_of
from ledger.rules.moc.choices import Lay
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.ground import Ruling
from ledger.rules.moc.sheet import CardPoints, LaidCard
from ledger.rules.moc.state import Action, Damage, Hit, Play, hidden
from ledger.rules.moc.terms import CLASSES

RULE = "moc.card.dice"
Points = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Pool:
    """Dice that are no action's. `use`: damage, resisting, initiative or healing; `whose`: who rolls them.

    `sizes`: how many dice there are by now, of damage and of raises apart. `element`: empty where it has none of its
    own. `waits`: for the initiative that is rolled next.
    """

    use: str
    whose: str
    sizes: tuple[int, ...]
    element: str = ""
    hit: str = ""
    waits: bool = False


# --- on an action's dice ---


def play_card(table: Table[Dials], do: inputs.PlayCard) -> Asking[Verdict[Any]]:
    """`moc.card.dice`, and with approval `moc.card.other`."""
    ruling, id = Ruling(table), do.character
    card = ruling.held(id, do.card, RULE)
    action = ruling.action(do.action)
    if action.character != id and not ruling.dials.cards_on_allies and not do.other:
        raise Refused(RULE, "not-own-dice", character=id)
    points = _points(do.points, lambda place: _dice_of(ruling, action, place))
    touched = sorted({place for place, _, _ in points}) or [ruling.part(action, do.part)[0]]
    elements = [action.parts[place].roll.element for place in touched]
    rank = class_of(ruling, id, card, do.suit, elements, do.card_class)
    if not points and not do.other:
        raise Refused(RULE, "nothing-declared", card=card)
    spent, most = _spent(ruling, card, rank, points)
    if do.other and not (yield from ruling.approved(do.approved, f"a card: {do.other}")):
        raise Refused("moc.card.other", "gm-approval-needed", card=card)
    play = Play(
        table.new_id(), id, "card", "dice" if not do.other else "other", touched[0], numbers.card_value(card),
        card=card, rank=rank, points=points, origin=ruling.discard(id, card), session=table.session or "",
    )  # fmt: skip
    ruling.here(facts.CardPlayedOnDice(action.id, play.id, play))
    _tell(ruling, play, spent, most)
    return ruling.verdict()


def _dice_of(ruling: Ruling, action: Action, part: Any) -> tuple[int, int]:
    """The part, and how many dice of it there are to lay points on: of a roll not seen only those that were due."""
    place, found = ruling.part(action, part)
    if not found.rolled:
        return place, pool_of(ruling, action, place)
    opened = len(found.bonus) if ruling.table.by.may_see(hidden(action, place)) else 0
    return place, len(found.faces) + opened


def _points(lines: Iterable[CardPoints], dice_of: Callable[[Any], tuple[int, int]]) -> Points:
    """(part, die, points). `dice_of`: a part and its number of dice. Refuses `negative-add`, `no-such-die`."""
    found = []
    for line in lines:
        add = terms.whole(line.points, "negative-add", RULE)
        place, there = dice_of(line.part)
        if type(line.die) is not int or not 0 <= line.die < there:
            raise Refused(RULE, "no-such-die", die=str(line.die), part=place)
        found.append((place, line.die, add))
    return tuple(found)


def class_of(
    ruling: Ruling, id: str, card: str, named: str | None, elements: list[str], said: str | None = None
) -> str:
    """`moc.card.class`, `moc.split.one-pool`: over several Elements the lowest class; a Wildcard's card is suited.

    `said`: what the player takes it for. Refuses `unknown-card-class`, `wrong-card-class`.
    """
    rule = "moc.card.class"
    if named is None and ruling.who(id).archetype == "wildcard":
        named = elements[0]
    suit = ruling.suit_of(id, card, named, rule)
    found = min((numbers.card_class(suit, element) for element in elements), key=lambda rank: CLASSES[rank])
    if len(set(elements)) > 1:
        ruling.by("moc.split.one-pool", found, elements=sorted(set(elements)))
    if said is not None and terms.card_class(said, rule) != found:
        raise Refused(rule, "wrong-card-class", card_class=found, said=said)
    return found


def _spent(ruling: Ruling, card: str, rank: str, points: Points) -> tuple[int, int]:
    """The points spent, and the most there are. Refuses `card-overspent`, `off-suit-not-split`."""
    most = numbers.card_points(numbers.card_value(card), rank, ruling.dials.related_card_on_dice == "full")
    spent = sum(add for _, _, add in points)
    if spent > most:
        raise Refused(RULE, "card-overspent", most=most, spent=spent)
    if rank != "suited" and not ruling.dials.offsuit_split and len({(p, die) for p, die, add in points if add}) > 1:
        raise Refused(RULE, "off-suit-not-split", card=card)
    return spent, most


def _tell(ruling: Ruling, play: Play, spent: int, most: int) -> None:
    ruling.by("moc.card.value", play.number, card=play.card)
    ruling.by("moc.card.class", play.rank, card=play.card)
    ruling.by(RULE, spent, most=most, card=play.card)


# --- on other dice ---


def lay(ruling: Ruling, cards: Iterable[LaidCard], pool: Pool, speaker: Viewer | None = None) -> tuple[Play, ...]:
    """Cards laid on a pool; each is used up. `speaker`: who names them, if not who declares.

    Refuses as `play_card`, and `not-own-card`, `wrong-element`.
    """
    return tuple(_lay(ruling, one, pool, speaker or ruling.table.by) for one in cards)


def lay_after(ruling: Ruling, pool: Pool) -> Asking[tuple[Play, ...]]:
    """Cards that are named only now that the dice have fallen: asked of who plays the one that rolled."""
    whose = character(pool.whose)
    said = yield from ask(
        ruling.table.owner(whose), Lay, slot=f"cards:{pool.use}", purpose=f"cards on the dice: {pool.use}",
        audience=ruling.sees_hand(pool.whose),
    )  # fmt: skip
    try:
        return lay(ruling, said.cards, pool, ruling.player_of(pool.whose))
    except Refused as no:
        raise Unfit(no.rule, no.code, audience=no.audience, **no.context) from None


def _lay(ruling: Ruling, laid: LaidCard, pool: Pool, speaker: Viewer) -> Play:
    id = laid.character if laid.character is not None else pool.whose
    card = ruling.held(id, laid.card, RULE, speaker)
    if id != pool.whose and not ruling.dials.cards_on_allies:
        raise Refused(RULE, "not-own-dice", character=id)
    points = _points(laid.points, lambda part: _size_of(pool, part))
    element = _element(pool, laid.element)
    rank = class_of(ruling, id, card, laid.suit, [element], laid.card_class)
    if not points:
        raise Refused(RULE, "nothing-declared", card=card)
    spent, most = _spent(ruling, card, rank, points)
    play = Play(
        ruling.table.new_id(), id, "card", pool.use, points[0][0], numbers.card_value(card), element, card, rank,
        points=points, origin=ruling.discard(id, card), session=ruling.table.session or "",
    )  # fmt: skip
    if pool.use == "healing":
        ruling.about(pool.whose, facts.CardPlayedOnHealing(play.id, play))
    else:
        ruling.here(facts.CardPlayedOnDice("", play.id, play, pool.whose, pool.hit, pool.waits))
    _tell(ruling, play, spent, most)
    return play


def _size_of(pool: Pool, part: Any) -> tuple[int, int]:
    if type(part) is not int or not 0 <= part < len(pool.sizes):
        raise Refused("moc.split.divide", "unknown-part", part=str(part))
    return part, pool.sizes[part]


def _element(pool: Pool, named: str | None) -> str:
    """The pool's own Element; where it has none the one named, and Action where none is. Refuses `wrong-element`."""
    rule = "moc.card.class"
    wanted = terms.element(named, rule) if named is not None else pool.element or "action"
    if pool.element and wanted != pool.element:
        raise Refused(rule, "wrong-element", element=wanted, roll=pool.element)
    return wanted


def damage_pool(ruling: Ruling, hit: Hit, sizes: tuple[int, int] | None = None) -> Pool:
    """The dice of a hit: part 0 its damage dice, part 1 those of its raises. `sizes`: as they are typed in just now."""
    rolled = ruling.scene().damage.get(hit.id, Damage())
    if sizes is None:
        sizes = (hit.dice, hit.raises)
        if hit.stage != "scored":
            sizes = len(rolled.faces) + len(rolled.bonus), len(rolled.raise_faces) + len(rolled.raise_bonus)
    return Pool("damage", hit.attacker, sizes, hit.element, hit.id)


def on_damage(table: Table[Dials], do: inputs.PlayCardOnDamage) -> Verdict[Any]:
    """`moc.card.dice`: before the damage is rolled, or after it, until it is resisted."""
    ruling = Ruling(table)
    hit = ruling.hit(do.hit, "scored", "rolled")
    lay(ruling, (_of(do),), damage_pool(ruling, hit))
    if hit.stage == "rolled":
        now, rule = ruling.hit(hit.id, "rolled"), "moc.combat.damage-roll"
        threshold = ruling.scene().damage[hit.id].threshold
        ruling.by(rule, now.resistible + now.unresistible, threshold=threshold, unresistible=now.unresistible)
    return ruling.verdict()


def on_initiative(table: Table[Dials], do: inputs.PlayCardOnInitiative) -> Verdict[Any]:
    """`moc.card.dice`: on the initiative last rolled, whose groups are made anew; or on the one to come."""
    rule, ruling = "moc.combat.initiative", Ruling(table)
    whose = do.whose if do.whose is not None else do.character
    here = ruling.scene()
    if whose not in here.cast:
        raise Refused(rule, "unknown-character", character=whose)
    last, waits = here.initiative, do.coming or not here.initiative.faces
    fallen = len(last.faces.get(whose, ())) + len(last.bonus.get(whose, ()))
    sizes = (ruling.initiative_dice(whose) if waits else fallen,)
    lay(ruling, (_of(do),), Pool("initiative", whose, sizes, waits=waits))
    if not waits:
        results = counting.standings(ruling.scene().initiative)
        ruling.by(rule, list(results[whose]), character=whose, groups=[list(one) for one in ruling.scene().order])
    return ruling.verdict()


def _of(do: inputs.PlayCardOnDamage | inputs.PlayCardOnInitiative) -> LaidCard:
    return LaidCard(do.card, do.points, do.element, do.suit, do.card_class, do.character)
