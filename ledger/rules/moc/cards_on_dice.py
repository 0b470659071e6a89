"""Cards on an action's dice, and on other dice as they are rolled (heading "Cards and Dice").

A ruling of this chapter stores which card is played on which dice. Their points are added where the dice are read:
`dice.list_values` for actions, `piles.raise_dice` for other dice.

One ruling resists or heals, so cards for these rolls are played as the ruling is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated

from ledger.rules.kernel.kit import (
    OPEN,
    Among,
    Asking,
    CharacterId,
    Move,
    Names,
    Refusal,
    Refused,
    Says,
    Seen,
    Shape,
    SharedRefusal,
    Story,
    Unfit,
    Viewer,
    ask,
    changed,
    changes,
    character,
    decides,
    declares,
    fact,
    offers,
    owner,
    rule,
)
from ledger.rules.moc import hands, holdings, piles, pools
from ledger.rules.moc.cards import (
    ASK_CARDS,
    CARD_CLASS,
    CARD_DICE,
    CARD_OTHER,
    CARD_VALUE,
    CardPoints,
    LaidCard,
    Lay,
    count_card_points,
    find_rank,
    is_wild,
    list_suits_named,
    make_cards_domain,
    make_points_domain,
    read_suit_named,
)
from ledger.rules.moc.draft import UNKNOWN_PART, Draft, acts, ask_approval, decline
from ledger.rules.moc.shown import AGREED, Fields, Offering, fix, group_ids, list_names, look, name_parts
from ledger.rules.moc.state import Action, Character, Damage, Part, Play, Scene, find_audience
from ledger.rules.moc.types import ActionId, Approval, CardClass, CardName, CardSuit, HitId, PartNumber, PlayId
from ledger.rules.moc.words import (
    CLASS_WORDS,
    CLASSES,
    ELEMENTS,
    GM_APPROVAL_NEEDED,
    GONE,
    NOTHING_DECLARED,
    WRONG_ELEMENT,
    Number,
    find_class,
    read_card_class,
    read_element,
    read_whole,
    say_count,
    say_who,
    whether,
)

SPLIT_ONE_POOL = rule(
    "moc.split.one-pool",
    "The parts of a split pool (sub-pools) are still one dice pool: the points of a single card can be "
    "spread across them.",
    "Splitting Dice Pools",
)
NOT_OWN_DICE = Refusal(CARD_DICE, "not-own-dice", "At this table, {character} can play cards only on their own dice.")
NEGATIVE_ADD = SharedRefusal(
    "negative-add", "A card adds a whole number of points to each die: 0 or more[, not {given}]."
)
NO_SUCH_DIE = Refusal(
    CARD_DICE, "no-such-die", "The pool has no die with the number {die}. The number of the first die is 0."
)
WRONG_CARD_CLASS = Refusal(CARD_CLASS, "wrong-card-class", "The card is {card_class} here, not {said}.")
CARD_OVERSPENT = Refusal(CARD_DICE, "card-overspent", "The card has {most:point|points}, not {spent}.")
OFF_SUIT_NOT_SPLIT = Refusal(
    CARD_DICE,
    "off-suit-not-split",
    "At this table, only a suited card can be spread over several dice[, and {card} is not suited].",
)


def say_card_played(fact: CardPlayedOnDice | CardPlayedOnHealing, names: Names) -> str:
    """Return the card, whose dice it is on, and the points it adds."""
    play, whose = fact.what, getattr(fact, "whose", "")
    if play.use == "other":
        return f"{say_who(names, play.by)} uses {piles.say_play(play)}."
    owner = f"{say_who(names, whose)}'s" if whose and whose != play.by else "the"
    of = {"healing": "healing", "dice": ""}.get(play.use, piles.DICE_OF.get(play.use, ""))
    dice = f"{owner} {of} dice".replace("  ", " ")
    added = say_count(sum(number for _, _, number in play.points), "point", "points")
    rank = CLASS_WORDS.get(play.rank, play.rank)
    return f"{say_who(names, play.by)} plays a card on {dice}: {piles.say_play(play)}, {rank}, {added}."


@fact("card-played-on-dice", says=say_card_played, headline=18)
class CardPlayedOnDice:
    """A card was played on dice. `what`: the play; its `use` names the roll. `action`: the action that the dice belong
    to; empty for other dice. `whose`: for other dice, the character who rolls them. `hit`: the hit, for damage and
    resisting. `waits`: whether the card waits for the next initiative roll.
    """

    action: ActionId
    play: PlayId
    what: Play
    whose: CharacterId = ""
    hit: HitId = ""
    waits: bool = False


@changes
def add_card(state: Scene, fact: CardPlayedOnDice) -> Scene | None:
    return piles.with_play(state, fact.action, fact.what) if fact.action else lay_on_dice(state, fact)


def lay_on_dice(state: Scene, fact: CardPlayedOnDice) -> Scene | None:
    """Return the scene with a card on dice that belong to no action."""
    if fact.what.use == "initiative":
        return _lay_on_initiative(state, fact)
    return piles.count_hit_again(state, fact.hit, (*state.damage.get(fact.hit, Damage()).plays, fact.what))


def _lay_on_initiative(state: Scene, fact: CardPlayedOnDice) -> Scene:
    lying = state.initiative.waiting if fact.waits else state.initiative.plays
    return piles.with_initiative_plays(state, fact.whose, (*lying.get(fact.whose, ()), fact.what), waits=fact.waits)


@fact("card-played-on-healing", says=say_card_played)
class CardPlayedOnHealing:
    """Subject: the character who heals. A card was played on a healing roll."""

    play: PlayId
    what: Play


@changes
def lay_on_healing(state: Character, fact: CardPlayedOnHealing) -> Character:
    return changed(state, laid=(*state.laid, fact.what))


def find_card_class(
    draft: Draft, id: str, card: str, named: str | None, elements: list[str], expected: str | None = None
) -> str:
    """Return the lowest class over these Elements. A Wildcard's card is suited.

    `expected`: the class the player expects. Refuses `unknown-card-class`, `wrong-card-class`.
    """
    if named is None and draft.get_character(id).archetype == "wildcard":
        named = elements[0]
    suit = read_suit_named(draft, id, card, named, CARD_CLASS)
    lowest = min((find_class(suit, element) for element in elements), key=lambda rank: CLASSES[rank])
    if len(set(elements)) > 1:
        draft.by(SPLIT_ONE_POOL, lowest, elements=sorted(set(elements)))
    if expected is not None and read_card_class(expected, CARD_CLASS) != lowest:
        raise WRONG_CARD_CLASS(card_class=lowest, said=expected)
    return lowest


@acts("character")
@declares(
    "play-card",
    owner("character"),
    says=whether(
        "other", "{character} wants to use a card in another way: {other}.", "{character} plays a card on the dice."
    ),
    records=(CardPlayedOnDice, hands.CardDiscarded, hands.VillainCardUsed, hands.CardShown),
)
class PlayCard:
    """Add a card's points to the dice of an action. `points`: the points for each die. `suit`: the Element that a
    Wildcard names for the card.

    `other`: what the card does instead of adding points. This needs approval. `card_class`: the class you expect:
    suited, related or off. The card is refused if its class is different.
    """

    action: ActionId
    character: CharacterId
    card: CardName
    points: tuple[CardPoints, ...] = ()
    suit: CardSuit | None = None
    part: PartNumber = 0
    other: Annotated[
        Story,
        Says("Another use", "What the card does instead of adding points. This needs the game master's approval."),
    ] = ""
    approved: Approval = None
    card_class: CardClass | None = None


@decides
def play_card(draft: Draft, do: PlayCard) -> Asking[None]:
    id = do.character
    card = hands.read_card_held(draft, id, do.card, CARD_DICE)
    action = draft.get_action(do.action)
    if action.character != id and not draft.dials.cards_on_allies and not do.other:
        raise NOT_OWN_DICE(character=id)
    points = _read_points_laid(do.points, lambda place: _count_dice(draft, action, place))
    touched = sorted({place for place, _, _ in points}) or [draft.get_part(action, do.part)[0]]
    elements = [action.parts[place].roll.element for place in touched]
    rank = find_card_class(draft, id, card, do.suit, elements, do.card_class)
    if not points and not do.other:
        raise NOTHING_DECLARED.under(CARD_DICE, card=card)
    spent, most = _check_points(draft, id, card, rank, points)
    if do.other and not (yield from ask_approval(draft, do.approved, f"another use of a card: {do.other}")):
        raise decline(GM_APPROVAL_NEEDED.under(CARD_OTHER, card=card), do.approved)
    play = Play(
        draft.table.new_id(),
        id,
        "card",
        "dice" if not do.other else "other",
        touched[0],
        holdings.find_worth(draft.get_character(id), card),
        card=card,
        rank=rank,
        points=points,
        origin=hands.use_up_card(draft, id, card),
        session=draft.table.session or "",
    )
    draft.here(CardPlayedOnDice(action.id, play.id, play))
    _cite_card(draft, play, spent, most)


Points = tuple[tuple[int, int, int], ...]


def _read_points_laid(lines: Iterable[CardPoints], dice_of: Callable[[Number], tuple[int, int]]) -> Points:
    """Return (part, die, points) for each line. `dice_of`: a part and its number of dice. Refuses `negative-add`,
    `no-such-die`.
    """
    points = []
    for line in lines:
        add = read_whole(line.points, NEGATIVE_ADD, CARD_DICE)
        place, size = dice_of(line.part)
        if type(line.die) is not int or not 0 <= line.die < size:
            raise NO_SUCH_DIE(die=str(line.die), part=place)
        points.append((place, line.die, add))
    return tuple(points)


def _check_points(draft: Draft, id: str, card: str, rank: str, points: Points) -> tuple[int, int]:
    """Return the points spent and the most possible. Refuses `card-overspent`, `off-suit-not-split`."""
    most = count_card_points(
        holdings.find_worth(draft.get_character(id), card), rank, draft.dials.related_card_on_dice == "full"
    )
    spent = sum(add for _, _, add in points)
    if spent > most:
        raise CARD_OVERSPENT(most=most, spent=spent)
    if rank != "suited" and not draft.dials.offsuit_split and len({(p, die) for p, die, add in points if add}) > 1:
        raise OFF_SUIT_NOT_SPLIT(card=card)
    return spent, most


def _cite_card(draft: Draft, play: Play, spent: int, most: int) -> None:
    draft.by(CARD_VALUE, play.number, card=play.card)
    draft.by(CARD_CLASS, play.rank, card=play.card)
    draft.by(CARD_DICE, spent, most=most, card=play.card)


def _count_dice(draft: Draft, action: Action, part: Number) -> tuple[int, int]:
    """Return the part and how many of its dice can get points. In a hidden roll, bonus dice cannot."""
    place, rolled = draft.get_part(action, part)
    if not rolled.rolled:
        return place, pools.count_pool(draft, action, place)
    opened = len(rolled.bonus) if draft.table.by.may_see(find_audience(action, place)) else 0
    return place, len(rolled.faces) + opened


def _list_card_moves(
    now: Offering, action: Action, place: int, part: Part, id: str, held: tuple[str, ...]
) -> Iterator[Move]:
    """Yield points on dice, or another use, which can serve anybody's action."""
    own: Fields = {"action": fix(action.id), "character": fix(id)}
    if action.character == id or now.dials.cards_on_allies:
        size = _count_dice_seen(now, action, place, part)
        for card in held:
            for rank, suits in _list_suits(now, id, card, part.roll.element).items():
                laid = make_points_domain(now, id, card, rank, ((place, size),))
                if laid is not None:
                    yield Move(
                        PlayCard,
                        {
                            **own,
                            "card": fix(card),
                            "points": laid,
                            "suit": Among(suits),
                            "other": fix(""),
                            "card_class": Among((None, rank)),
                            "part": name_parts(tuple(dict.fromkeys((0, place)))),
                        },
                    )
    for named, cards in group_ids((card, list_suits_named(now, id, card).values) for card in held).items():
        fields: Fields = {"card": Among(cards), "suit": Among(named), "part": fix(place)}
        yield Move(PlayCard, {**own, **fields, "other": OPEN, "approved": AGREED})


def _count_dice_seen(now: Offering, action: Action, place: int, part: Part) -> int:
    """Return how many dice the viewer knows of. In a hidden roll, these are the dice before bonus dice."""
    if not part.rolled:
        return pools.count_pool(now.draft, action, place)
    seen = now.seen.seat.may_see(find_audience(action, place))
    fallen = now.count_fallen(action.id, place)
    return fallen + (len(part.bonus) if seen else 0)


def _list_suits(now: Offering, id: str, card: str, element: str) -> dict[str, tuple[object, ...]]:
    """Return the suits that can be named, by the class they give. A Wildcard's card is suited if none is named."""
    if not is_wild(now, id):
        return {find_rank(now, id, card, (element,)): list_suits_named(now, id, card).values}
    by_rank: dict[str, tuple[object, ...]] = {"suited": (None,)}
    for name in ELEMENTS:
        rank = find_class(name, element)
        by_rank[rank] = (*by_rank.get(rank, ()), *list_names(name))
    return by_rank


@offers
def offer_cards_on_actions(seen: Seen, draft: Draft) -> Iterator[Move]:
    now = look(seen, draft)
    for id in now.alive:
        if held := now.list_cards(id):
            for action, place, part in now.list_declared():
                yield from _list_card_moves(now, action, place, part, id, held)


# --- as dice are rolled -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pool:
    """Dice that belong to no action. `use`: damage, resisting, initiative or healing; `whose`: the character who
    rolls.

    `sizes`: how many dice there are, with raise dice apart. `element`: empty if the roll has none of its own. `waits`:
    whether the dice are of the next initiative roll.
    """

    use: str
    whose: str
    sizes: tuple[int, ...]
    element: str = ""
    hit: str = ""
    waits: bool = False


def lay_cards(draft: Draft, cards: Iterable[LaidCard], pool: Pool, speaker: Viewer | None = None) -> tuple[Play, ...]:
    """Use cards up on a pool and return the plays. `speaker`: who names them, if not the declaring seat.

    Refuses as `play_card`, and `not-own-card`, `wrong-element`.
    """
    return tuple(_lay_card(draft, card, pool, speaker or draft.table.by) for card in cards)


def _lay_card(draft: Draft, laid: LaidCard, pool: Pool, speaker: Viewer) -> Play:
    id = laid.character if laid.character is not None else pool.whose
    card = hands.read_card_held(draft, id, laid.card, CARD_DICE, speaker)
    if id != pool.whose and not draft.dials.cards_on_allies:
        raise NOT_OWN_DICE(character=id)
    points = _read_points_laid(laid.points, lambda part: _find_size(pool, part))
    element = _read_pool_element(pool, laid.element)
    rank = find_card_class(draft, id, card, laid.suit, [element], laid.card_class)
    if not points:
        raise NOTHING_DECLARED.under(CARD_DICE, card=card)
    spent, most = _check_points(draft, id, card, rank, points)
    play = Play(
        draft.table.new_id(),
        id,
        "card",
        pool.use,
        points[0][0],
        holdings.find_worth(draft.get_character(id), card),
        element,
        card,
        rank,
        points=points,
        origin=hands.use_up_card(draft, id, card),
        session=draft.table.session or "",
    )
    if pool.use == "healing":
        draft.about(pool.whose, CardPlayedOnHealing(play.id, play))
    else:
        draft.here(CardPlayedOnDice("", play.id, play, pool.whose, pool.hit, pool.waits))
    _cite_card(draft, play, spent, most)
    return play


def _read_pool_element(pool: Pool, named: str | None) -> str:
    """Return the pool's Element, or else the one named, or else Action. Refuses `wrong-element`."""
    wanted = read_element(named, CARD_CLASS) if named is not None else pool.element or "action"
    if pool.element and wanted != pool.element:
        raise WRONG_ELEMENT.under(CARD_CLASS, element=wanted, roll=pool.element)
    return wanted


def _find_size(pool: Pool, part: Number) -> tuple[int, int]:
    if type(part) is not int or not 0 <= part < len(pool.sizes):
        raise UNKNOWN_PART(part=str(part))
    return part, pool.sizes[part]


def ask_cards_after(draft: Draft, pool: Pool) -> Asking[tuple[Play, ...]]:
    """Ask the roller's player for cards after the dice have fallen, and return the plays."""
    whose = character(pool.whose)
    cards = make_cards_domain(_Held(draft.aside(), pool.whose), pool.whose, pool.element, pool.sizes, 0)
    answer = yield from ask(
        draft.table.owner(whose),
        Lay,
        slot=ASK_CARDS(pool.use),
        purpose=f"cards on the dice: {pool.use}",
        audience=hands.find_held_readers(draft, pool.whose),
        within=(Shape(Lay, {"cards": cards or Among(((),))}),),
        known=True,
    )
    try:
        return lay_cards(draft, answer.cards, pool, draft.find_player(pool.whose))
    except Refused as no:
        raise Unfit(no.rule, no.code, audience=no.audience, **no.context) from None


class _Held:
    """The cards that the roller's player can play, of all hands that the player sees."""

    def __init__(self, draft: Draft, id: str) -> None:
        self._draft, self.dials, self.get_character = draft, draft.dials, draft.get_character
        self._speaker = draft.find_player(id)
        self.alive = tuple(
            who.id for who in draft.table.subjects("character") if draft.get_character(who.id).status not in GONE
        )

    def list_cards(self, id: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(hands.list_cards_held(self._draft, id, self._speaker)))
