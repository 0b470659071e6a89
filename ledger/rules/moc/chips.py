"""Chips: their value, trades, exchanges and penalties (headings "Chips", "Fate")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from ledger.rules.kernel.kit import (
    CAMPAIGN,
    GM,
    Among,
    Asking,
    CharacterId,
    Domain,
    Either,
    Move,
    Names,
    Reason,
    Refusal,
    Refused,
    Seen,
    SharedRefusal,
    changed,
    changes,
    character,
    decides,
    declares,
    either,
    fact,
    guards,
    offers,
    require,
    rule,
)
from ledger.rules.moc import hands, holdings, piles
from ledger.rules.moc.draft import Draft, acts, may_spend_chips, may_use_chips, nobody_acts, read_chips
from ledger.rules.moc.shown import (
    Offering,
    fix,
    get_offering,
    group_ids,
    make_exact_counts_domain,
    make_some_counts_domain,
)
from ledger.rules.moc.state import Character
from ledger.rules.moc.types import AudienceName, BeadCounts, CardNames, ChipCounts, ColourName, ElementName
from ledger.rules.moc.words import (
    CHIPS,
    CHIPS_NOT_HELD,
    ELEMENTS,
    NOTHING_DECLARED,
    POINT,
    read_chip_colour,
    say_beads,
    say_who,
)

CHIP_VALUE = rule("moc.chip.value", "A white chip is worth 1, a red chip 3 and a blue chip 5.", "Chips (Advanced)")
CHIP_TRADE_UP = rule(
    "moc.chip.trade-up",
    "After a scene, a player can trade several lower chips for a higher one. In total, the lower chips must"
    " be worth exactly 1 more than the higher chip.",
    "Chips (Advanced)",
)
NOT_A_TRADE_UP = Refusal(
    CHIP_TRADE_UP, "not-a-trade-up", "Only chips of lower value can be traded up for a[ {taken}] chip."
)
CHIP_TRADE_DOWN = rule(
    "moc.chip.trade-down",
    "After a scene, a player can trade a chip for lower chips of exactly the same total value.",
    "Chips (Advanced)",
)
NOT_A_TRADE_DOWN = Refusal(
    CHIP_TRADE_DOWN, "not-a-trade-down", "A[ {given}] chip can be traded down only for chips of lower value."
)
CHIP_LIMIT = rule(
    "moc.chip.limit",
    "No player begins a scene with more than four chips. The chips of all the player's characters count towards"
    " this limit.",
    "Chips (Advanced)",
)
CHIP_EXCHANGE = rule(
    "moc.chip.exchange",
    "A player can exchange a chip for cards or for beads. Each point of the chip's value gives 1 card or 2 beads.",
    "Chips (Advanced)",
)
CHIP_CHARACTER_POINT = rule(
    "moc.chip.character-point", "At the end of an arc, a blue chip can become one character point.", "Chips (Advanced)"
)
ONLY_AT_ARC_END = Refusal(
    CHIP_CHARACTER_POINT, "only-at-arc-end", "A chip can become a character point only at the end of an arc."
)
ONLY_AT_SCENE_END = SharedRefusal("only-at-scene-end", "Chips can be traded only at the end of a scene.")
WRONG_TRADE_VALUE = SharedRefusal(
    "wrong-trade-value", "That is the wrong total: it must be {expected}[, not {given}][, not {taken}]."
)


def count_value(counts: Mapping[str, int]) -> int:
    return sum(CHIPS[colour] * count for colour, count in counts.items())


@guards
def may_trade_chips(draft: Draft, rule: str) -> Refused | None:
    """Refuse a trade unless it is between scenes, after the first scene: `only-at-scene-end`."""
    campaign = draft.get_campaign()
    if campaign.phase != "interval" or not campaign.scenes:
        return ONLY_AT_SCENE_END.under(rule)
    return None


@fact("chips-traded-up", says="{subject} trades {given} for a {taken} one.", changes=None)
class ChipsTradedUp:
    """Several chips were traded for one chip of higher value."""

    given: Mapping[ColourName, int]
    taken: ColourName


@acts("character")
@declares(
    "trade-up",
    either("character"),
    says="{character} trades {given} for a {taken} one.",
    records=(ChipsTradedUp,),
)
class TradeUp:
    """Trade chips for one chip of higher value. `given`: how many chips you give, by colour. `taken`: the colour of the
    chip you get.
    """

    character: CharacterId
    given: ChipCounts
    taken: ColourName


@decides
def trade_up(draft: Draft, do: TradeUp) -> None:
    """Trade several chips for one chip of higher value. Together they must be worth one more than that chip."""
    char_id = do.character
    require(may_use_chips(draft, CHIP_TRADE_UP))
    require(may_trade_chips(draft, CHIP_TRADE_UP))
    taken_colour, given_counts = read_chip_colour(do.taken, CHIP_TRADE_UP), read_chips(do.given, CHIP_TRADE_UP)
    if not given_counts or any(CHIPS[colour] >= CHIPS[taken_colour] for colour in given_counts):
        raise NOT_A_TRADE_UP(taken=taken_colour, given=given_counts)
    if count_value(given_counts) != CHIPS[taken_colour] + 1:
        raise WRONG_TRADE_VALUE.under(CHIP_TRADE_UP, expected=CHIPS[taken_colour] + 1, given=count_value(given_counts))
    require(may_spend_chips(draft, char_id, given_counts, CHIP_TRADE_UP))
    draft.about(
        char_id,
        ChipsTradedUp(given_counts, taken_colour),
        *holdings.list_chip_postings(char_id, given_counts, is_to_bank=True),
        *holdings.list_chip_postings(char_id, {taken_colour: 1}, is_to_bank=False),
    )
    draft.by(CHIP_TRADE_UP, taken_colour, worth=count_value(given_counts))


@fact("chips-traded-down", says="{subject} trades a {given} chip for {taken}.", changes=None)
class ChipsTradedDown:
    """A chip was traded for several chips of lower value."""

    given: ColourName
    taken: Mapping[ColourName, int]


@acts("character")
@declares(
    "trade-down",
    either("character"),
    says="{character} trades a {given} chip for {taken}.",
    records=(ChipsTradedDown,),
)
class TradeDown:
    """Trade a chip for several chips of lower value, with the same total value. `given`: the colour of the chip you
    give. `taken`: how many chips you get, by colour.
    """

    character: CharacterId
    given: ColourName
    taken: ChipCounts


@decides
def trade_down(draft: Draft, do: TradeDown) -> None:
    """Trade a chip for several chips of lower value, with the same total value."""
    char_id = do.character
    require(may_use_chips(draft, CHIP_TRADE_DOWN))
    require(may_trade_chips(draft, CHIP_TRADE_DOWN))
    given_colour, taken_counts = read_chip_colour(do.given, CHIP_TRADE_DOWN), read_chips(do.taken, CHIP_TRADE_DOWN)
    if not taken_counts or any(CHIPS[colour] >= CHIPS[given_colour] for colour in taken_counts):
        raise NOT_A_TRADE_DOWN(given=given_colour, taken=taken_counts)
    if count_value(taken_counts) != CHIPS[given_colour]:
        raise WRONG_TRADE_VALUE.under(CHIP_TRADE_DOWN, expected=CHIPS[given_colour], taken=count_value(taken_counts))
    require(may_spend_chips(draft, char_id, {given_colour: 1}, CHIP_TRADE_DOWN))
    draft.about(
        char_id,
        ChipsTradedDown(given_colour, taken_counts),
        *holdings.list_chip_postings(char_id, {given_colour: 1}, is_to_bank=True),
        *holdings.list_chip_postings(char_id, taken_counts, is_to_bank=False),
    )
    draft.by(CHIP_TRADE_DOWN, count_value(taken_counts), given=given_colour)


@fact("chips-given-back", says="{subject} gives {given} back.", changes=None)
class ChipsGivenBack:
    """A player gave chips back to the bank."""

    given: Mapping[ColourName, int]


@nobody_acts
@declares("give-back", either("character"), says="{character} gives {given} back.", records=(ChipsGivenBack,))
class GiveBack:
    """Give chips back to the bank for nothing. `given`: how many chips you give, by colour."""

    character: CharacterId
    given: ChipCounts


@decides
def give_back(draft: Draft, do: GiveBack) -> None:
    """Give chips back, for example those above the limit."""
    char_id = do.character
    counts = read_chips(do.given, CHIP_LIMIT)
    if not counts:
        raise NOTHING_DECLARED.under(CHIP_LIMIT)
    require(may_spend_chips(draft, char_id, counts, CHIP_LIMIT))
    draft.about(char_id, ChipsGivenBack(counts), *holdings.list_chip_postings(char_id, counts, is_to_bank=True))
    draft.by(CHIP_LIMIT, sum(counts.values()))


@fact(
    "chip-spent-on-cards",
    says="{subject} exchanges a {chip} chip for {cards:card|cards}.",
    headline=30,
    changes=None,
)
class ChipSpentOnCards:
    """A chip was exchanged for cards. `cards`: how many."""

    chip: ColourName
    cards: int


@fact("chip-exchanged-for-cards", says="{subject} gets {cards} for the chip.")
class ChipExchangedForCards:
    """Secret: the cards that were drawn for a chip. `seen_by`: the seats that can see the hand."""

    cards: CardNames
    seen_by: tuple[AudienceName, ...]


@changes
def take_cards_for_chip(state: Character, fact: ChipExchangedForCards) -> Character:
    return changed(state, hand=(*state.hand, *fact.cards), seen_by=hands.find_shared_readers(state, fact.seen_by))


@fact("chip-exchanged-for-beads", says="{subject} exchanges a {chip} chip for {beads}.")
class ChipExchangedForBeads:
    """A chip was exchanged for beads."""

    chip: ColourName
    beads: Mapping[ElementName, int]


@changes
def take_beads_for_chip(state: Character, fact: ChipExchangedForBeads) -> Character | None:
    return piles.gain_beads(state, fact.beads)


def say_exchanging(do: ExchangeChip, names: Names) -> str:
    gained_words = say_beads(do.beads) if do.beads else "cards"
    return f"{say_who(names, do.character)} exchanges a {do.chip} chip for {gained_words}."


@acts("character")
@declares(
    "exchange-chip",
    either("character"),
    says=say_exchanging,
    records=(ChipSpentOnCards, hands.DeckCut, ChipExchangedForCards, ChipExchangedForBeads),
)
class ExchangeChip:
    """Exchange a chip for beads or cards.

    `beads`: how many beads of each Element. They must add up to twice the chip's value. Leave them out to draw as many
    cards as the chip's value. With a deck of your own, you are asked which cards you drew.
    """

    character: CharacterId
    chip: ColourName
    beads: BeadCounts | None = None


@decides
def exchange_chip(draft: Draft, do: ExchangeChip) -> Asking[None]:
    """Exchange a chip for as many cards as its value, or for twice as many beads."""
    char_id = do.character
    require(may_use_chips(draft, CHIP_EXCHANGE))
    colour = read_chip_colour(do.chip, CHIP_EXCHANGE)
    if do.beads is not None:
        counts = {element: n for element, n in holdings.read_beads(do.beads, CHIP_EXCHANGE).items() if n}
        if sum(counts.values()) != 2 * CHIPS[colour]:
            raise WRONG_TRADE_VALUE.under(CHIP_EXCHANGE, expected=2 * CHIPS[colour], given=sum(counts.values()))
        require(may_spend_chips(draft, char_id, {colour: 1}, CHIP_EXCHANGE))
        postings = [
            holdings.make_posting(holdings.SOURCE, holdings.name_bead_account(char_id, element), n)
            for element, n in counts.items()
        ]
        fact = ChipExchangedForBeads(colour, counts)
        draft.about(char_id, fact, *holdings.list_chip_postings(char_id, {colour: 1}, is_to_bank=True), *postings)
        draft.by(CHIP_EXCHANGE, 2 * CHIPS[colour], chip=colour)
        return
    require(may_spend_chips(draft, char_id, {colour: 1}, CHIP_EXCHANGE))
    card_count = CHIPS[colour]
    require(hands.may_draw(draft, card_count, CHIP_EXCHANGE))
    dealing = yield from hands.ask_dealer(draft, character(char_id), card_count, "chip", "cards for a chip")
    cards = dealing.cards
    draft.about(
        char_id,
        ChipSpentOnCards(colour, card_count),
        *holdings.list_chip_postings(char_id, {colour: 1}, is_to_bank=True),
    )
    draft.tell(CAMPAIGN, hands.DeckCut(cards, dealing.source == "ledger"), audience=hands.NOBODY)
    posting = holdings.make_posting(holdings.DECK, holdings.name_hand_account(char_id), card_count)
    readers = hands.find_hand_readers(draft, char_id)
    draft.about(char_id, ChipExchangedForCards(cards, readers or ()), posting, audience=readers)
    draft.by(CHIP_EXCHANGE, card_count, chip=colour)


@fact("chip-became-point", says="{subject}'s blue chip becomes a character point.")
class ChipBecamePoint:
    """A blue chip became a character point."""


@changes
def gain_point(state: Character, fact: ChipBecamePoint) -> Character:
    return changed(state, earned=state.earned + POINT)


@acts("character")
@declares(
    "chip-to-point",
    either("character"),
    says="{character} turns a {chip} chip into a character point.",
    records=(ChipBecamePoint,),
)
class ChipToPoint:
    """Turn a blue chip into a character point at the end of an arc."""

    character: CharacterId
    chip: ColourName = "blue"


@guards
def may_turn_chip(draft: Draft) -> Refused | None:
    return None if draft.get_campaign().arc_ended else ONLY_AT_ARC_END()


@decides
def turn_chip_to_point(draft: Draft, do: ChipToPoint) -> None:
    """Turn a blue chip into a character point at the end of an arc."""
    char_id = do.character
    require(may_use_chips(draft, CHIP_CHARACTER_POINT))
    colour = read_chip_colour(do.chip, CHIP_CHARACTER_POINT)
    require(may_turn_chip(draft))
    if colour != "blue":
        raise CHIPS_NOT_HELD.under(CHIP_CHARACTER_POINT, chip="blue", given=colour)
    require(may_spend_chips(draft, char_id, {colour: 1}, CHIP_CHARACTER_POINT))
    posting = holdings.make_posting(holdings.BUDGET, holdings.name_point_account(char_id), POINT)
    draft.about(
        char_id, ChipBecamePoint(), *holdings.list_chip_postings(char_id, {colour: 1}, is_to_bank=True), posting
    )
    draft.by(CHIP_CHARACTER_POINT, 1)


#: For each chip: the sets of chips that can be traded for it (worth one more), and the sets that it can be traded for
#: (worth the same).
TRADES_UP: Mapping[str, tuple[Mapping[str, int], ...]] = {
    "red": ({"white": 4},),
    "blue": ({"red": 2}, {"red": 1, "white": 3}, {"white": 6}),
}
TRADES_DOWN: Mapping[str, tuple[Mapping[str, int], ...]] = {
    "red": ({"white": 3},),
    "blue": ({"white": 5}, {"red": 1, "white": 2}),
}


def _list_chip_moves(offering: Offering, char_id: str) -> Iterator[Move]:
    counts, draft = offering.count_chips(char_id), offering.draft
    own_fields: dict[str, Domain] = {"character": fix(char_id)}
    if may_trade_chips(draft, CHIP_TRADE_UP) is None:
        yield from _list_chip_trades(own_fields, counts)
    for colour in counts:
        bead_domains: list[Domain] = [_make_beads_domain(2 * CHIPS[colour])]
        if hands.can_deal(offering.seen) and hands.may_draw(draft, CHIPS[colour], CHIP_EXCHANGE) is None:
            bead_domains.append(fix(None))
        yield Move(ExchangeChip, {**own_fields, "chip": fix(colour), "beads": Either(tuple(bead_domains))})
    if "blue" in counts and may_turn_chip(draft) is None:
        yield Move(ChipToPoint, own_fields)


def _list_chip_trades(own_fields: dict[str, Domain], counts: Mapping[str, int]) -> Iterator[Move]:
    for taken_colour, prices in TRADES_UP.items():
        given_domains = tuple(
            make_exact_counts_domain(price, CHIPS)
            for price in prices
            if all(counts.get(given_colour, 0) >= n for given_colour, n in price.items())
        )
        if given_domains:
            yield Move(TradeUp, {**own_fields, "given": Either(given_domains), "taken": fix(taken_colour)})
    for colour, worths in TRADES_DOWN.items():
        if colour in counts:
            taken_domain = Either(tuple(make_exact_counts_domain(worth, CHIPS) for worth in worths))
            yield Move(TradeDown, {**own_fields, "given": fix(colour), "taken": taken_domain})


def _make_beads_domain(bead_count: int) -> Domain:
    """Return the ways to choose this many beads, of one Element or of two."""
    choices = [make_exact_counts_domain({element: bead_count}, ELEMENTS) for element in ELEMENTS]
    for first, second in combinations(ELEMENTS, 2):
        choices += [
            make_exact_counts_domain({first: n, second: bead_count - n}, ELEMENTS) for n in range(1, bead_count)
        ]
    return Either(tuple(choices))


@offers
def offer_chips(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    for char_id in offering.active_ids if offering.has_chips else ():
        yield from _list_chip_moves(offering, char_id)
    pairs = ((char_id, tuple(offering.count_chips(char_id).items())) for char_id in offering.roster)
    for counts, ids in group_ids((char_id, counts) for char_id, counts in pairs if counts).items():
        yield Move(GiveBack, {"character": Among(ids), "given": make_some_counts_domain(dict(counts))})


PENALTY = rule(
    "moc.fate.penalty",
    "The game master may take chips away from a character as a penalty for acts that harm the story, but no more"
    " chips than the character has.",
    "Fate",
)
EMPTY_PENALTY = Refusal(PENALTY, "empty-penalty", "A penalty must be at least one chip.")


@fact("chips-penalised", says="{subject} loses {chips}[: {reason}].", headline=31, changes=None)
class ChipsPenalised:
    """Chips were taken away as a penalty."""

    chips: Mapping[ColourName, int]
    reason: Reason


@nobody_acts
@declares("penalise", GM, says="{character} gets a penalty[ of {chips}]: {reason}.", records=(ChipsPenalised,))
class Penalise:
    """Take chips away as a penalty. `chips`: how many chips of each colour are taken. Leave them out for one white
    chip.
    """

    character: CharacterId
    reason: Reason
    chips: ChipCounts | None = None


@decides
def penalise(draft: Draft, do: Penalise) -> None:
    require(may_use_chips(draft, PENALTY))
    counts = read_chips(do.chips if do.chips is not None else {"white": 1}, PENALTY)
    if not counts:
        raise EMPTY_PENALTY()
    require(may_spend_chips(draft, do.character, counts, PENALTY))
    postings = holdings.list_chip_postings(do.character, counts, is_to_bank=True)
    draft.about(do.character, ChipsPenalised(counts, do.reason), *postings)
    draft.by(PENALTY, count_value(counts), reason=do.reason)
