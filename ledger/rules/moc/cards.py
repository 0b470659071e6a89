"""The worth of a card: its class and its value, in beads and on dice (headings "Cards as Beads", "Cards and Dice")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Protocol

from ledger.rules.kernel.kit import (
    Among,
    Between,
    CharacterId,
    Domain,
    Either,
    Entries,
    Move,
    Names,
    Question,
    Refusal,
    Refused,
    Row,
    Says,
    Seen,
    Shape,
    SharedRefusal,
    Some,
    changes,
    choice,
    decides,
    declares,
    fact,
    listed,
    offers,
    owner,
    require,
    rule,
)
from ledger.rules.moc import hands, holdings, piles
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.draft import Draft, acts, may_prepare, may_spend_beads
from ledger.rules.moc.shown import Offering, fix, get_offering, group_ids, list_element_names
from ledger.rules.moc.state import Character
from ledger.rules.moc.types import (
    CardClass,
    CardName,
    CardSuit,
    DiceElement,
    DieNumber,
    ElementName,
    HowMany,
    PartNumber,
    SuitName,
)
from ledger.rules.moc.words import (
    CARD_NOT_IN_HAND,
    CLASSES,
    ELEMENTS,
    FLOATING,
    NEGATIVE_BEADS,
    NO_BEADS_PLAYED,
    PERIODS,
    Sent,
    capitalise,
    find_card_class,
    halve,
    read_card_element,
    read_card_value,
    read_element,
    read_whole,
    say_beads,
    say_card,
    say_subject,
)

CARD_DICE = rule(
    "moc.card.dice",
    "A suited card adds points equal to its value to the dice of a pool. Any other card adds half its value,"
    " rounded up. The player can spread the points over several dice.",
    "Cards and Dice",
    step="{out} of {most:point is|points are} used.",
)
CARD_OTHER = rule("moc.card.other", "A card can be used in any other way that the game master approves.", "Cards")
CARD_CLASS = rule(
    "moc.card.class",
    "Clubs stand for Action, diamonds for Storytelling, spades for Plot and hearts for Drama. A card of the"
    " action's Element is suited, a card of the related Element is related, and any other card is off suit."
    " Action and Plot are related, and so are Storytelling and Drama.",
    "Cards and Dice",
)
CARD_VALUE = rule(
    "moc.card.value",
    "The value of a card from 2 to 10 is its number. A jack counts as 11, a queen as 12, a king as 13 and an "
    "ace as 14.",
    "Cards and Dice",
    step="The card's value is {out}.",
)
CARD_TO_BEADS = rule(
    "moc.card.to-beads",
    "A player can exchange a card for 1 to 5 beads of its Element, depending on its value. Before a scene, "
    "a card gives 2 more beads.",
    "Cards as Beads",
)
CARD_SHIFT = rule(
    "moc.card.shift",
    "Before a scene, a player can use a card to move beads from one Element to another: up to half the "
    "card's value, rounded up.",
    "Cards as Beads",
)
SAME_ELEMENT = Refusal(CARD_SHIFT, "same-element", "The beads are already in {element}. Choose two different Elements.")
SHIFT_TOO_LARGE = Refusal(CARD_SHIFT, "shift-too-large", "The card can move at most {most:bead|beads}, not {count}.")
NOT_A_WILDCARD = SharedRefusal(
    "not-a-wildcard", "Only a Wildcard can name the Element of a card[: {card} has its own]."
)


def read_named_element(draft: Draft, char_id: str, card: str, suit_name: str | None, rule: str) -> str:
    """Return the Element of a card. A Wildcard can name it. Refuses `not-a-wildcard`."""
    if suit_name is None:
        return read_card_element(card)
    element = read_element(suit_name, rule)
    if draft.get_character(char_id).archetype != "wildcard" and element != read_card_element(card):
        raise NOT_A_WILDCARD.under(rule, character=char_id, card=card)
    return element


def say_exchanged(fact: CardExchangedForBeads | VillainCardExchanged, names: Names) -> str:
    bead_words = say_beads({fact.element: fact.beads})
    return f"{say_subject(names)} exchanges a card for beads: {say_card(fact.card)} for {bead_words}."


@fact("card-exchanged-for-beads", says=say_exchanged, headline=27)
class CardExchangedForBeads:
    """A card was exchanged for beads."""

    card: CardName
    element: ElementName
    beads: int


@changes
def exchange_for_beads(state: Character, fact: CardExchangedForBeads) -> Character | None:
    return piles.gain_beads(piles.without_card(state, fact.card), {fact.element: fact.beads})


@fact("villain-card-exchanged", says=say_exchanged, headline=29)
class VillainCardExchanged:
    """A card that the villains shared was exchanged for beads of one villain."""

    card: CardName
    element: ElementName
    beads: int


@changes
def gain_beads_for_pool_card(state: Character, fact: VillainCardExchanged) -> Character | None:
    return piles.gain_beads(state, {fact.element: fact.beads})


#: The number of beads for a card, by its value. Lower cards are worth one bead.
CARD_BEADS = {10: 2, 11: 2, 12: 3, 13: 4, 14: 5}


def count_card_beads(card: str, is_before_scene: bool, is_flat: bool) -> int:
    bead_count = CARD_BEADS.get(read_card_value(card), 1)
    if not is_before_scene:
        return bead_count
    return 2 if is_flat else bead_count + 2


@acts("character")
@declares(
    "exchange-card",
    owner("character"),
    says="{character} exchanges a card for beads.",
    records=(CardExchangedForBeads, hands.CardShown, hands.VillainCardUsed, VillainCardExchanged),
)
class ExchangeCard:
    """Exchange a card for beads of its Element. A villain exchanges one of the villains' cards.

    `element`: the Element that a Wildcard names for the card.
    """

    character: CharacterId
    card: CardName
    element: SuitName | None = None


@decides
def exchange_card(draft: Draft, do: ExchangeCard) -> None:
    """Exchange a card for beads. Before a scene, a card gives more beads."""
    char_id = do.character
    card = hands.read_card_held(draft, char_id, do.card, CARD_TO_BEADS)
    element = read_named_element(draft, char_id, card, do.element, CARD_CLASS)
    is_before_scene = draft.get_campaign().phase == "interval"
    bead_count = count_card_beads(card, is_before_scene, draft.dials.pre_scene_card == "flat_two")
    card_posting = holdings.make_posting(holdings.name_hand_account(char_id), holdings.DISCARD, 1)
    bead_posting = holdings.make_posting(holdings.SOURCE, holdings.name_bead_account(char_id, element), bead_count)
    if card in draft.get_character(char_id).hand:
        draft.about(char_id, CardExchangedForBeads(card, element, bead_count), card_posting, bead_posting)
        hands.show_card(draft, card)
    else:
        hands.use_up_card(draft, char_id, card)
        draft.about(char_id, VillainCardExchanged(card, element, bead_count), bead_posting)
    draft.by(CARD_TO_BEADS, bead_count, card=card, before_scene=is_before_scene)


@offers
def offer_card_exchanges(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    for char_id in offering.active_ids:
        for element_names, cards in group_ids(
            (card, offering.list_card_elements(char_id, card)) for card in offering.list_cards(char_id)
        ).items():
            yield Move(ExchangeCard, {"character": fix(char_id), "card": Among(cards), "element": Among(element_names)})


@fact(
    "card-shifted-beads",
    says="{subject} moves {beads:bead|beads} from {source} to {target} with a card, {card}.",
    headline=28,
)
class CardShiftedBeads:
    """A card was used to move beads from one Element to another."""

    card: CardName
    source: ElementName
    target: ElementName
    beads: int


@changes
def use_card_to_shift(state: Character, fact: CardShiftedBeads) -> Character | None:
    return piles.without_card(state, fact.card)


@acts("character")
@declares(
    "shift-beads",
    owner("character"),
    says="{character} moves {count:bead|beads} from {source} to {target} with a card.",
    records=(CardShiftedBeads, hands.CardShown),
)
class ShiftBeads:
    """Use a card between scenes to move beads from one Element to another."""

    character: CharacterId
    card: CardName
    source: Annotated[ElementName, Says("From")]
    target: Annotated[ElementName, Says("To")]
    count: Annotated[HowMany, Says("Beads", "How many beads move.")]


@decides
def shift_beads(draft: Draft, do: ShiftBeads) -> None:
    char_id = do.character
    card = _read_own_card(draft, char_id, do.card, CARD_SHIFT)
    require(may_prepare(draft, CARD_SHIFT))
    source, target = read_element(do.source, CARD_SHIFT), read_element(do.target, CARD_SHIFT)
    bead_count = read_whole(do.count, NEGATIVE_BEADS, CARD_SHIFT)
    if source == target:
        raise SAME_ELEMENT(element=source)
    if bead_count == 0:
        raise NO_BEADS_PLAYED.under(CARD_SHIFT, card=card)
    most_beads = halve(read_card_value(card))
    if bead_count > most_beads:
        raise SHIFT_TOO_LARGE(most=most_beads, count=bead_count)
    require(may_spend_beads(draft, char_id, source, bead_count, CARD_SHIFT))
    bead_posting = holdings.make_posting(
        holdings.name_bead_account(char_id, source), holdings.name_bead_account(char_id, target), bead_count
    )
    card_posting = holdings.make_posting(holdings.name_hand_account(char_id), holdings.DISCARD, 1)
    draft.about(char_id, CardShiftedBeads(card, source, target, bead_count), card_posting, bead_posting)
    hands.show_card(draft, card)
    draft.by(CARD_SHIFT, most_beads, card=card, count=bead_count)


def _read_own_card(draft: Draft, char_id: str, card: Sent, rule: str) -> str:
    """Return a card of the character's own hand, not of the villains' pool. Refuses `card-not-in-hand`."""
    card_name = hands.read_card_held(draft, char_id, card, rule)
    if card_name not in draft.get_character(char_id).hand:
        raise Refused(rule, CARD_NOT_IN_HAND.code, hands.find_readers_of_held_cards(draft, char_id), card=card_name)
    return card_name


def _list_shift_moves(offering: Offering, char_id: str, hand: tuple[str, ...]) -> Iterator[Move]:
    """Yield moves that shift up to half the card's value in beads, limited by the beads of the Element."""
    for element, n in offering.count_beads(char_id).items():
        pairs = ((card, min(n, halve(read_card_value(card)))) for card in hand)
        for most_beads, cards in group_ids(pairs).items():
            yield Move(
                ShiftBeads,
                {
                    "character": fix(char_id),
                    "card": Among(cards),
                    "source": fix(element),
                    "count": Between(1, most_beads),
                    "target": Among(tuple(other for other in ELEMENTS if other != element)),
                },
            )


@offers
def offer_shifts(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    for char_id in offering.active_ids if offering.is_interval else ():
        yield from _list_shift_moves(offering, char_id, offering.list_hand(char_id))


@dataclass(frozen=True, slots=True)
class CardPoints:
    """Points of a card for one die. `die`: its number. Bonus dice are numbered after the base dice."""

    die: DieNumber
    points: HowMany
    part: PartNumber = 0


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card played on dice as they are rolled or entered. `points`: the points for each die.

    `element`: if the roll has no Element, the one that the game master names. If you leave it out, Action is used.
    `suit`, `card_class`: the same as for a card on an action. `character`: the owner of the card, if it is an ally's.
    """

    card: CardName
    points: tuple[CardPoints, ...] = ()
    element: DiceElement | None = None
    suit: CardSuit | None = None
    card_class: CardClass | None = None
    character: Annotated[CharacterId | None, Says("Whose card", "The owner of the card, if it is an ally's.")] = None


def say_laid(answer: Lay, names: Names) -> str:
    if not answer.cards:
        return "No card is played."
    card_words = listed(say_card(str(laid_card.card).upper()) for laid_card in answer.cards)
    return f"{capitalise(card_words)} {'is' if len(answer.cards) == 1 else 'are'} played on the dice."


@choice("lay", says=say_laid)
class Lay:
    """Play cards on the dice just rolled, or play none."""

    cards: Annotated[
        tuple[LaidCard, ...], Says("Cards", "Players without cards are asked, too, so nobody learns who has some.")
    ] = ()


ASK_CARDS = Question("cards", "Which cards are played on the dice?")


def count_card_points(card_value: int, rank: str, is_related_full: bool) -> int:
    """Return how many points a card of this class and value adds to dice."""
    is_full = rank == "suited" or (rank == "related" and is_related_full)
    return card_value if is_full else halve(card_value)


class Holding(Protocol):
    """The cards that can be played and that a seat can see. `active_ids`: the characters who can act."""

    @property
    def dials(self) -> Dials: ...
    @property
    def active_ids(self) -> tuple[str, ...]: ...
    def get_character(self, char_id: str) -> Character: ...
    def list_cards(self, char_id: str) -> tuple[str, ...]: ...


OF_DAMAGE = ("The damage dice", "The raise dice")  # titles for the parts of a damage roll
SPREADS = (2, 3)  # the numbers of dice that can share a card's points equally
NO_DICE = Entries({})  # no floating dice


def make_typed_dice_domain(count: int, sides: int = 10) -> Row:
    """Return the domain of typed dice without numbers that add bonus dice."""
    return Row((Between(1, sides if sides < 10 else 9),) * count)


def make_floating_dice_domain(offering: Offering, char_id: str) -> Domain:
    held_counts = {
        f"{FLOATING}:{period}": offering.table.balance(holdings.name_die_account(char_id, f"{FLOATING}:{period}"))
        for period in PERIODS
    }
    return Entries({key: Between(0, n) for key, n in held_counts.items() if n > 0})


def is_wild(holding: Holding, char_id: str) -> bool:
    return holding.get_character(char_id).archetype == "wildcard"


def find_rank(holding: Holding, char_id: str, card: str, elements: Sequence[str]) -> str:
    """Return the lowest class of a card for these Elements. A Wildcard's card counts as the first Element's."""
    card_element = elements[0] if is_wild(holding, char_id) else read_card_element(card)
    return min((find_card_class(card_element, element) for element in elements), key=lambda rank: CLASSES[rank])


def make_suit_domain(holding: Holding, char_id: str, card: str) -> Among:
    """Return the suits that can be named for a card. A Wildcard's card is suited if none is named."""
    return Among((None,) if is_wild(holding, char_id) else (None, *list_element_names(read_card_element(card))))


def make_points_domain(
    holding: Holding,
    char_id: str,
    card: str,
    rank: str,
    sizes: Sequence[tuple[int, int]],
    part_names: Sequence[str] = (),
) -> Domain | None:
    """Return the domain of ways to spread a card's points: on one die, or evenly on several.

    Return None if there are no dice. `sizes`: the parts, each with its number of dice. `part_names`: the names of the
    parts.
    """
    most_points = count_card_points(
        holdings.find_worth(holding.get_character(char_id), card), rank, holding.dials.related_card_on_dice == "full"
    )
    filled_sizes = [(part_index, size) for part_index, size in sizes if size > 0]
    if not filled_sizes:
        return None
    single_row: Domain = Row((_make_points_row(filled_sizes, most_points, part_names),))
    if rank != "suited" and not holding.dials.offsuit_split:
        return single_row
    spread_rows = tuple(
        Some(_make_points_row(filled_sizes, most_points // n, part_names), n, n, repeats=True) for n in SPREADS
    )
    return Either((single_row, *spread_rows))


def _make_points_row(sizes: Sequence[tuple[int, int]], most_points: int, part_names: Sequence[str]) -> Domain:
    titles = part_names if len(sizes) > 1 else ()
    shapes = tuple(
        Shape(
            CardPoints,
            {"die": _make_die_domain(size), "points": Between(0, most_points), "part": fix(part_index)},
            titles[part_index] if part_index < len(titles) else "",
        )
        for part_index, size in sizes
    )
    return shapes[0] if len(shapes) == 1 else Either(shapes)


def _make_die_domain(size: int) -> Domain:
    """Return the domain of a die's number. The titles count from 1."""
    return Among(tuple(range(size)), tuple(f"Die {index + 1}" for index in range(size)))


def list_elements_by_rank(
    holding: Holding, char_id: str, card: str, element: str
) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Yield each class the card can have, with the Elements that give it. `element`: the roll's own Element, if it has
    one.
    """
    elements_by_rank: dict[str, tuple[object, ...]] = {}
    for element_name in (element,) if element else ELEMENTS:
        omitted_choice = (None,) if element or element_name == "action" else ()
        rank = find_rank(holding, char_id, card, (element_name,))
        elements_by_rank[rank] = (*elements_by_rank.get(rank, ()), *omitted_choice, *list_element_names(element_name))
    yield from elements_by_rank.items()


def make_cards_domain(
    holding: Holding, roller_id: str, element: str, sizes: Sequence[int], least_count: int = 1
) -> Domain | None:
    """Return the cards that can be played as dice are rolled, the roller's and, if an option allows it, those of other
    characters.

    Return None if there are no such cards, or no dice to play them on. A character who has left play cannot play cards,
    for example a character who fell between the hit and its dice.
    """
    giver_ids = tuple(
        char_id for char_id in holding.active_ids if holding.dials.cards_on_allies or char_id == roller_id
    )
    shapes: list[Domain] = []
    for char_id in giver_ids:
        for card in holding.list_cards(char_id):
            for rank, elements in list_elements_by_rank(holding, char_id, card, element):
                points_domain = make_points_domain(holding, char_id, card, rank, tuple(enumerate(sizes)), OF_DAMAGE)
                if points_domain is None:
                    return None
                shapes.append(
                    Shape(
                        LaidCard,
                        {
                            "card": fix(card),
                            "points": points_domain,
                            "element": Among(elements),
                            "suit": make_suit_domain(holding, char_id, card),
                            "card_class": Among((None, rank)),
                            "character": Among((None, char_id) if char_id == roller_id else (char_id,)),
                        },
                    )
                )
    return Some(Either(tuple(shapes)), least_count, key="card") if shapes else None
