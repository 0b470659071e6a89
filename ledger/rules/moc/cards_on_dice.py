"""Cards on an action's dice, and on other dice as they are rolled (heading "Cards and Dice").

These facts store which card is played on which dice. The points are added when the dice are read: `dice.read_values`
for actions, `piles.apply_points` for other dice.

Resisting and healing each take a single ruling, so cards for these rolls are played while the ruling is made.
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
    make_cards_domain,
    make_points_domain,
    make_suit_domain,
    read_named_element,
)
from ledger.rules.moc.draft import UNKNOWN_PART, Draft, acts, ask_approval, make_decline
from ledger.rules.moc.shown import (
    AGREED,
    Fields,
    Offering,
    fix,
    get_offering,
    group_ids,
    list_element_names,
    make_part_domain,
)
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
    Sent,
    find_card_class,
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
NO_SUCH_DIE = Refusal(CARD_DICE, "no-such-die", "There is no die at position {die} in the pool. Positions start at 0.")
WRONG_CARD_CLASS = Refusal(CARD_CLASS, "wrong-card-class", "The card is {card_class} here, not {said}.")
CARD_OVERSPENT = Refusal(CARD_DICE, "card-overspent", "The card has {most:point|points}, not {spent}.")
OFF_SUIT_NOT_SPLIT = Refusal(
    CARD_DICE,
    "off-suit-not-split",
    "At this table, only a suited card can be spread over several dice[, and {card} is not suited].",
)


def say_card_played(fact: CardPlayedOnDice | CardPlayedOnHealing, names: Names) -> str:
    """Put into words the card, the character whose dice it is on, and the points that it adds."""
    play, owner_id = fact.what, getattr(fact, "whose", "")
    if play.use == "other":
        return f"{say_who(names, play.by)} uses {piles.say_play(play)}."
    owner_words = f"{say_who(names, owner_id)}'s" if owner_id and owner_id != play.by else "the"
    roll_word = {"healing": "healing", "dice": ""}.get(play.use, piles.DICE_OF.get(play.use, ""))
    dice_words = f"{owner_words} {roll_word} dice".replace("  ", " ")
    points_words = say_count(sum(number for _, _, number in play.points), "point", "points")
    class_words = CLASS_WORDS.get(play.rank, play.rank)
    card_words = f"{piles.say_play(play)}, {class_words}, {points_words}"
    return f"{say_who(names, play.by)} plays a card on {dice_words}: {card_words}."


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
    return piles.recount_hit(state, fact.hit, (*state.damage.get(fact.hit, Damage()).plays, fact.what))


def _lay_on_initiative(state: Scene, fact: CardPlayedOnDice) -> Scene:
    plays_by_id = state.initiative.waiting if fact.waits else state.initiative.plays
    return piles.with_initiative_plays(
        state, fact.whose, (*plays_by_id.get(fact.whose, ()), fact.what), is_waiting=fact.waits
    )


@fact("card-played-on-healing", says=say_card_played)
class CardPlayedOnHealing:
    """Subject: the character who heals. A card was played on a healing roll."""

    play: PlayId
    what: Play


@changes
def lay_on_healing(state: Character, fact: CardPlayedOnHealing) -> Character:
    return changed(state, laid=(*state.laid, fact.what))


def check_card_class(
    draft: Draft, char_id: str, card: str, suit_name: str | None, elements: list[str], expected: str | None = None
) -> str:
    """Return the lowest class for these Elements. A Wildcard's card is suited.

    `expected`: the class the player expects. Refuses `unknown-card-class`, `wrong-card-class`.
    """
    if suit_name is None and draft.get_character(char_id).archetype == "wildcard":
        suit_name = elements[0]
    card_element = read_named_element(draft, char_id, card, suit_name, CARD_CLASS)
    lowest_class = min((find_card_class(card_element, element) for element in elements), key=lambda rank: CLASSES[rank])
    if len(set(elements)) > 1:
        draft.by(SPLIT_ONE_POOL, lowest_class, elements=sorted(set(elements)))
    if expected is not None and read_card_class(expected, CARD_CLASS) != lowest_class:
        raise WRONG_CARD_CLASS(card_class=lowest_class, said=expected)
    return lowest_class


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

    `other`: the effect of the card, instead of adding points. This needs approval. `card_class`: the class you expect:
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
    char_id = do.character
    card = hands.read_card_held(draft, char_id, do.card, CARD_DICE)
    action = draft.get_action(do.action)
    if action.character != char_id and not draft.dials.cards_on_allies and not do.other:
        raise NOT_OWN_DICE(character=char_id)
    points = _read_points_laid(do.points, lambda part_index: _locate_dice(draft, action, part_index))
    touched_indexes = sorted({part_index for part_index, _, _ in points}) or [draft.locate_part(action, do.part)[0]]
    elements = [action.parts[part_index].roll.element for part_index in touched_indexes]
    rank = check_card_class(draft, char_id, card, do.suit, elements, do.card_class)
    if not points and not do.other:
        raise NOTHING_DECLARED.under(CARD_DICE, card=card)
    points_spent, most_points = _check_points(draft, char_id, card, rank, points)
    if do.other and not (yield from ask_approval(draft, do.approved, f"another use of a card: {do.other}")):
        raise make_decline(GM_APPROVAL_NEEDED.under(CARD_OTHER, card=card), do.approved)
    play = Play(
        draft.table.new_id(),
        char_id,
        "card",
        "dice" if not do.other else "other",
        touched_indexes[0],
        holdings.find_worth(draft.get_character(char_id), card),
        card=card,
        rank=rank,
        points=points,
        origin=hands.use_up_card(draft, char_id, card),
        session=draft.table.session or "",
    )
    draft.here(CardPlayedOnDice(action.id, play.id, play))
    _cite_card(draft, play, points_spent, most_points)


Points = tuple[tuple[int, int, int], ...]


def _read_points_laid(lines: Iterable[CardPoints], locate_dice: Callable[[Sent], tuple[int, int]]) -> Points:
    """Return (part, die, points) for each line. `locate_dice`: a function that returns a part and its number of dice.
    Refuses `negative-add`, `no-such-die`.
    """
    points = []
    for line in lines:
        points_added = read_whole(line.points, NEGATIVE_ADD, CARD_DICE)
        part_index, dice_count = locate_dice(line.part)
        if type(line.die) is not int or not 0 <= line.die < dice_count:
            raise NO_SUCH_DIE(die=str(line.die), part=part_index)
        points.append((part_index, line.die, points_added))
    return tuple(points)


def _check_points(draft: Draft, char_id: str, card: str, rank: str, points: Points) -> tuple[int, int]:
    """Return how many points are spent, and the most that are possible. Refuses `card-overspent`,
    `off-suit-not-split`.
    """
    most_points = count_card_points(
        holdings.find_worth(draft.get_character(char_id), card), rank, draft.dials.related_card_on_dice == "full"
    )
    points_spent = sum(points_added for _, _, points_added in points)
    if points_spent > most_points:
        raise CARD_OVERSPENT(most=most_points, spent=points_spent)
    if (
        rank != "suited"
        and not draft.dials.offsuit_split
        and len({(part_index, die) for part_index, die, points_added in points if points_added}) > 1
    ):
        raise OFF_SUIT_NOT_SPLIT(card=card)
    return points_spent, most_points


def _cite_card(draft: Draft, play: Play, points_spent: int, most_points: int) -> None:
    draft.by(CARD_VALUE, play.number, card=play.card)
    draft.by(CARD_CLASS, play.rank, card=play.card)
    draft.by(CARD_DICE, points_spent, most=most_points, card=play.card)


def _locate_dice(draft: Draft, action: Action, part_number: Sent) -> tuple[int, int]:
    """Return the part and how many of its dice can get points. In a hidden roll, bonus dice cannot."""
    part_index, part = draft.locate_part(action, part_number)
    if not part.rolled:
        return part_index, pools.count_pool(draft, action, part_index)
    bonus_count = len(part.bonus) if draft.table.by.may_see(find_audience(action, part_index)) else 0
    return part_index, len(part.faces) + bonus_count


def _list_card_moves(
    offering: Offering, action: Action, part_index: int, part: Part, char_id: str, cards_held: tuple[str, ...]
) -> Iterator[Move]:
    """Yield plays of a card: points on dice, or another use, which is possible on any character's action."""
    own_fields: Fields = {"action": fix(action.id), "character": fix(char_id)}
    if action.character == char_id or offering.dials.cards_on_allies:
        dice_count = _count_dice_seen(offering, action, part_index, part)
        for card in cards_held:
            for rank, suits in _group_suits_by_class(offering, char_id, card, part.roll.element).items():
                points_domain = make_points_domain(offering, char_id, card, rank, ((part_index, dice_count),))
                if points_domain is not None:
                    yield Move(
                        PlayCard,
                        {
                            **own_fields,
                            "card": fix(card),
                            "points": points_domain,
                            "suit": Among(suits),
                            "other": fix(""),
                            "card_class": Among((None, rank)),
                            "part": make_part_domain(tuple(dict.fromkeys((0, part_index)))),
                        },
                    )
    for suits, cards in group_ids(
        (card, make_suit_domain(offering, char_id, card).values) for card in cards_held
    ).items():
        fields: Fields = {"card": Among(cards), "suit": Among(suits), "part": fix(part_index)}
        yield Move(PlayCard, {**own_fields, **fields, "other": OPEN, "approved": AGREED})


def _count_dice_seen(offering: Offering, action: Action, part_index: int, part: Part) -> int:
    """Return how many dice the viewer knows of. In a hidden roll, these are the dice before bonus dice."""
    if not part.rolled:
        return pools.count_pool(offering.draft, action, part_index)
    may_see_bonus = offering.seen.seat.may_see(find_audience(action, part_index))
    fallen_count = offering.count_rolled_dice(action.id, part_index)
    return fallen_count + (len(part.bonus) if may_see_bonus else 0)


def _group_suits_by_class(offering: Offering, char_id: str, card: str, element: str) -> dict[str, tuple[object, ...]]:
    """Return the suits that can be named, by the class that they give the card. A Wildcard's card is suited if none is
    named.
    """
    if not is_wild(offering, char_id):
        return {find_rank(offering, char_id, card, (element,)): make_suit_domain(offering, char_id, card).values}
    suits_by_rank: dict[str, tuple[object, ...]] = {"suited": (None,)}
    for named_element in ELEMENTS:
        rank = find_card_class(named_element, element)
        suits_by_rank[rank] = (*suits_by_rank.get(rank, ()), *list_element_names(named_element))
    return suits_by_rank


@offers
def offer_cards_on_actions(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    for char_id in offering.active_ids:
        if cards_held := offering.list_cards(char_id):
            for action, part_index, part in offering.list_declared_parts():
                yield from _list_card_moves(offering, action, part_index, part, char_id, cards_held)


# --- cards played as dice are rolled ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pool:
    """Dice that belong to no action. `use`: damage, resisting, initiative or healing; `whose`: the character who rolls.

    `sizes`: the numbers of dice, with raise dice counted separately. `element`: empty if the roll does not have an
    Element of its own. `is_waiting`: whether the dice belong to the next initiative roll.
    """

    use: str
    whose: str
    sizes: tuple[int, ...]
    element: str = ""
    hit: str = ""
    is_waiting: bool = False


def lay_cards(draft: Draft, cards: Iterable[LaidCard], pool: Pool, speaker: Viewer | None = None) -> tuple[Play, ...]:
    """Use cards up on a pool and return the plays. `speaker`: the seat that names them, if it is not the declaring
    seat.

    Refuses the codes of `play_card`, and `not-own-card`, `wrong-element`.
    """
    return tuple(_lay_card(draft, card, pool, speaker or draft.table.by) for card in cards)


def _lay_card(draft: Draft, laid_card: LaidCard, pool: Pool, speaker: Viewer) -> Play:
    char_id = laid_card.character if laid_card.character is not None else pool.whose
    card = hands.read_card_held(draft, char_id, laid_card.card, CARD_DICE, speaker)
    if char_id != pool.whose and not draft.dials.cards_on_allies:
        raise NOT_OWN_DICE(character=char_id)
    points = _read_points_laid(laid_card.points, lambda part: _read_part_size(pool, part))
    element = _read_pool_element(pool, laid_card.element)
    rank = check_card_class(draft, char_id, card, laid_card.suit, [element], laid_card.card_class)
    if not points:
        raise NOTHING_DECLARED.under(CARD_DICE, card=card)
    points_spent, most_points = _check_points(draft, char_id, card, rank, points)
    play = Play(
        draft.table.new_id(),
        char_id,
        "card",
        pool.use,
        points[0][0],
        holdings.find_worth(draft.get_character(char_id), card),
        element,
        card,
        rank,
        points=points,
        origin=hands.use_up_card(draft, char_id, card),
        session=draft.table.session or "",
    )
    if pool.use == "healing":
        draft.about(pool.whose, CardPlayedOnHealing(play.id, play))
    else:
        draft.here(CardPlayedOnDice("", play.id, play, pool.whose, pool.hit, pool.is_waiting))
    _cite_card(draft, play, points_spent, most_points)
    return play


def _read_pool_element(pool: Pool, suit_name: str | None) -> str:
    """Return the pool's Element, or else the named Element, or else Action. Refuses `wrong-element`."""
    element = read_element(suit_name, CARD_CLASS) if suit_name is not None else pool.element or "action"
    if pool.element and element != pool.element:
        raise WRONG_ELEMENT.under(CARD_CLASS, element=element, roll=pool.element)
    return element


def _read_part_size(pool: Pool, part_number: Sent) -> tuple[int, int]:
    if type(part_number) is not int or not 0 <= part_number < len(pool.sizes):
        raise UNKNOWN_PART(part=str(part_number))
    return part_number, pool.sizes[part_number]


def ask_cards_after(draft: Draft, pool: Pool) -> Asking[tuple[Play, ...]]:
    """Ask the roller's player for cards after the dice have fallen, and return the plays."""
    roller = character(pool.whose)
    cards_domain = make_cards_domain(_RollerHolding(draft.aside(), pool.whose), pool.whose, pool.element, pool.sizes, 0)
    answer = yield from ask(
        draft.table.owner(roller),
        Lay,
        slot=ASK_CARDS(pool.use),
        purpose=f"cards on the dice: {pool.use}",
        audience=hands.find_readers_of_held_cards(draft, pool.whose),
        within=(Shape(Lay, {"cards": cards_domain or Among(((),))}),),
        known=True,
    )
    try:
        return lay_cards(draft, answer.cards, pool, draft.find_players_viewer(pool.whose))
    except Refused as refusal:
        raise Unfit(refusal.rule, refusal.code, audience=refusal.audience, **refusal.context) from None


class _RollerHolding:
    """The cards that the roller's player can play, out of all hands that the player sees."""

    def __init__(self, draft: Draft, char_id: str) -> None:
        self._draft, self.dials, self.get_character = draft, draft.dials, draft.get_character
        self._speaker = draft.find_players_viewer(char_id)
        self.active_ids = tuple(
            subject.id
            for subject in draft.table.subjects("character")
            if draft.get_character(subject.id).status not in GONE
        )

    def list_cards(self, char_id: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(hands.list_cards_held(self._draft, char_id, self._speaker)))
