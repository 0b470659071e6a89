"""Cards on dice: of actions, of damage and its raises, of resisting, of initiative, of healing.

Heading "Cards and Dice". A card on an action is played by an input of its own, before or after the roll; so it is on
damage, until that is resisted, and on initiative. Resisting and healing come to their end in one ruling: there the card
is laid as it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ledger.rules.kernel.moves import Among, Shape
from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import Viewer, character
from ledger.rules.moc import (
    counting,
    facts_of_dice,
    guards,
    inputs_of_combat,
    inputs_of_play,
    numbers,
    terms,
)
from ledger.rules.moc.actions import pool_of
from ledger.rules.moc.choices import Lay
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.effects import worth_of
from ledger.rules.moc.laying import laid_by
from ledger.rules.moc.sheet import CardPoints, LaidCard
from ledger.rules.moc.state_of_actions import Action, Play, hidden
from ledger.rules.moc.state_of_combat import Damage, Hit
from ledger.rules.moc.terms import CLASSES, GONE, Number

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


def play_card(draft: Draft, do: inputs_of_play.PlayCard) -> Asking[None]:
    """`moc.card.dice`, and with approval `moc.card.other`."""
    id = do.character
    card = guards.held(draft, id, do.card, RULE)
    action = draft.action(do.action)
    if action.character != id and not draft.dials.cards_on_allies and not do.other:
        raise Refused(RULE, "not-own-dice", character=id)
    points = _points(do.points, lambda place: _dice_of(draft, action, place))
    touched = sorted({place for place, _, _ in points}) or [draft.part(action, do.part)[0]]
    elements = [action.parts[place].roll.element for place in touched]
    rank = class_of(draft, id, card, do.suit, elements, do.card_class)
    if not points and not do.other:
        raise Refused(RULE, "nothing-declared", card=card)
    spent, most = _spent(draft, id, card, rank, points)
    if do.other and not (yield from draft.approved(do.approved, f"another use of a card: {do.other}")):
        raise draft.no("moc.card.other", "gm-approval-needed", do.approved, card=card)
    play = Play(
        draft.table.new_id(), id, "card", "dice" if not do.other else "other", touched[0],
        worth_of(draft.who(id), card), card=card, rank=rank, points=points, origin=draft.discard(id, card),
        session=draft.table.session or "",
    )  # fmt: skip
    draft.here(facts_of_dice.CardPlayedOnDice(action.id, play.id, play))
    _tell(draft, play, spent, most)


def _dice_of(draft: Draft, action: Action, part: Number) -> tuple[int, int]:
    """The part, and how many dice of it there are to lay points on: of a roll not seen only those that were due."""
    place, found = draft.part(action, part)
    if not found.rolled:
        return place, pool_of(draft, action, place)
    opened = len(found.bonus) if draft.table.by.may_see(hidden(action, place)) else 0
    return place, len(found.faces) + opened


def _points(lines: Iterable[CardPoints], dice_of: Callable[[Number], tuple[int, int]]) -> Points:
    """(part, die, points). `dice_of`: a part and its number of dice. Refuses `negative-add`, `no-such-die`."""
    found = []
    for line in lines:
        add = terms.whole(line.points, "negative-add", RULE)
        place, there = dice_of(line.part)
        if type(line.die) is not int or not 0 <= line.die < there:
            raise Refused(RULE, "no-such-die", die=str(line.die), part=place)
        found.append((place, line.die, add))
    return tuple(found)


def class_of(draft: Draft, id: str, card: str, named: str | None, elements: list[str], said: str | None = None) -> str:
    """`moc.card.class`, `moc.split.one-pool`: over several Elements the lowest class; a Wildcard's card is suited.

    `said`: what the player takes it for. Refuses `unknown-card-class`, `wrong-card-class`.
    """
    rule = "moc.card.class"
    if named is None and draft.who(id).archetype == "wildcard":
        named = elements[0]
    suit = guards.suit_of(draft, id, card, named, rule)
    found = min((numbers.card_class(suit, element) for element in elements), key=lambda rank: CLASSES[rank])
    if len(set(elements)) > 1:
        draft.by("moc.split.one-pool", found, elements=sorted(set(elements)))
    if said is not None and terms.card_class(said, rule) != found:
        raise Refused(rule, "wrong-card-class", card_class=found, said=said)
    return found


def _spent(draft: Draft, id: str, card: str, rank: str, points: Points) -> tuple[int, int]:
    """The points spent, and the most there are. Refuses `card-overspent`, `off-suit-not-split`."""
    most = numbers.card_points(worth_of(draft.who(id), card), rank, draft.dials.related_card_on_dice == "full")
    spent = sum(add for _, _, add in points)
    if spent > most:
        raise Refused(RULE, "card-overspent", most=most, spent=spent)
    if rank != "suited" and not draft.dials.offsuit_split and len({(p, die) for p, die, add in points if add}) > 1:
        raise Refused(RULE, "off-suit-not-split", card=card)
    return spent, most


def _tell(draft: Draft, play: Play, spent: int, most: int) -> None:
    draft.by("moc.card.value", play.number, card=play.card)
    draft.by("moc.card.class", play.rank, card=play.card)
    draft.by(RULE, spent, most=most, card=play.card)


# --- on other dice ---


def lay(draft: Draft, cards: Iterable[LaidCard], pool: Pool, speaker: Viewer | None = None) -> tuple[Play, ...]:
    """Cards laid on a pool; each is used up. `speaker`: who names them, if not who declares.

    Refuses as `play_card`, and `not-own-card`, `wrong-element`.
    """
    return tuple(_lay(draft, one, pool, speaker or draft.table.by) for one in cards)


class _Held:
    """What the player of who rolled can lay of all the hands the player sees."""

    def __init__(self, draft: Draft, id: str) -> None:
        self._draft, self.dials, self.who = draft, draft.dials, draft.who
        self._speaker = draft.player_of(id)
        self.alive = tuple(one.id for one in draft.table.subjects("character") if draft.who(one.id).status not in GONE)

    def cards(self, id: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(guards.can_lay(self._draft, id, self._speaker)))


def lay_after(draft: Draft, pool: Pool) -> Asking[tuple[Play, ...]]:
    """Cards that are named only now that the dice have fallen: asked of who plays the one that rolled."""
    whose = character(pool.whose)
    cards = laid_by(_Held(draft.aside(), pool.whose), pool.whose, pool.element, pool.sizes, 0)
    said = yield from ask(
        draft.table.owner(whose), Lay, slot=f"cards:{pool.use}", purpose=f"cards on the dice: {pool.use}",
        audience=draft.sees_held(pool.whose), within=(Shape(Lay, {"cards": cards or Among(((),))}),), known=True,
    )  # fmt: skip
    try:
        return lay(draft, said.cards, pool, draft.player_of(pool.whose))
    except Refused as no:
        raise Unfit(no.rule, no.code, audience=no.audience, **no.context) from None


def _lay(draft: Draft, laid: LaidCard, pool: Pool, speaker: Viewer) -> Play:
    id = laid.character if laid.character is not None else pool.whose
    card = guards.held(draft, id, laid.card, RULE, speaker)
    if id != pool.whose and not draft.dials.cards_on_allies:
        raise Refused(RULE, "not-own-dice", character=id)
    points = _points(laid.points, lambda part: _size_of(pool, part))
    element = _element(pool, laid.element)
    rank = class_of(draft, id, card, laid.suit, [element], laid.card_class)
    if not points:
        raise Refused(RULE, "nothing-declared", card=card)
    spent, most = _spent(draft, id, card, rank, points)
    play = Play(
        draft.table.new_id(), id, "card", pool.use, points[0][0], worth_of(draft.who(id), card), element, card, rank,
        points=points, origin=draft.discard(id, card), session=draft.table.session or "",
    )  # fmt: skip
    if pool.use == "healing":
        draft.about(pool.whose, facts_of_dice.CardPlayedOnHealing(play.id, play))
    else:
        draft.here(facts_of_dice.CardPlayedOnDice("", play.id, play, pool.whose, pool.hit, pool.waits))
    _tell(draft, play, spent, most)
    return play


def _size_of(pool: Pool, part: Number) -> tuple[int, int]:
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


def damage_pool(draft: Draft, hit: Hit, sizes: tuple[int, int] | None = None) -> Pool:
    """The dice of a hit: part 0 its damage dice, part 1 those of its raises. `sizes`: as they are typed in just now."""
    rolled = draft.scene().damage.get(hit.id, Damage())
    if sizes is None:
        sizes = (hit.dice, hit.raises)
        if hit.stage != "scored":
            sizes = len(rolled.faces) + len(rolled.bonus), len(rolled.raise_faces) + len(rolled.raise_bonus)
    return Pool("damage", hit.attacker, sizes, hit.element, hit.id)


def on_damage(draft: Draft, do: inputs_of_combat.PlayCardOnDamage) -> None:
    """`moc.card.dice`: before the damage is rolled, or after it, until it is resisted."""
    hit = draft.hit(do.hit, "scored", "rolled")
    lay(draft, (_of(do),), damage_pool(draft, hit))
    if hit.stage == "rolled":
        now, rule = draft.hit(hit.id, "rolled"), "moc.combat.damage-roll"
        threshold = draft.scene().damage[hit.id].threshold
        draft.by(rule, now.resistible + now.unresistible, threshold=threshold, unresistible=now.unresistible)


def on_initiative(draft: Draft, do: inputs_of_combat.PlayCardOnInitiative) -> None:
    """`moc.card.dice`: on the initiative last rolled, whose groups are made anew; or on the one to come."""
    rule = "moc.combat.initiative"
    whose = do.whose if do.whose is not None else do.character
    here = draft.scene()
    if whose not in here.cast:
        raise Refused(rule, "unknown-character", character=whose)
    last, waits = here.initiative, do.coming or not here.initiative.faces
    fallen = len(last.faces.get(whose, ())) + len(last.bonus.get(whose, ()))
    sizes = (draft.initiative_dice(whose) if waits else fallen,)
    lay(draft, (_of(do),), Pool("initiative", whose, sizes, waits=waits))
    if not waits:
        results = counting.standings(draft.scene().initiative)
        draft.by(rule, list(results[whose]), character=whose, groups=[list(one) for one in draft.scene().order])


def _of(do: inputs_of_combat.PlayCardOnDamage | inputs_of_combat.PlayCardOnInitiative) -> LaidCard:
    return LaidCard(do.card, do.points, do.element, do.suit, do.card_class, do.character)
