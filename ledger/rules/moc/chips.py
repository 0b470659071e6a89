"""Chips: their value, trading, exchanging, penalties (headings "Chips", "Fate")."""

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
from ledger.rules.moc.shown import Offering, fix, group_ids, look, require_exactly, require_some
from ledger.rules.moc.state import Character
from ledger.rules.moc.types import AudienceName, BeadCounts, CardNames, ChipCounts, ColourName, ElementName
from ledger.rules.moc.words import (
    CHIPS,
    CHIPS_NOT_HELD,
    ELEMENTS,
    NEGATIVE_BEADS,
    NOTHING_DECLARED,
    POINT,
    read_chip,
    read_element,
    read_whole,
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
    """Refuse trades except between scenes, after the first one: `only-at-scene-end`."""
    campaign = draft.get_campaign()
    if campaign.phase != "interval" or not campaign.scenes:
        return ONLY_AT_SCENE_END.under(rule)
    return None


@fact("chips-traded-up", says="{subject} trades {given} for a {taken} one.", changes=None)
class ChipsTradedUp:
    """Several chips were traded for one of higher value."""

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
    """Trade lower chips for one higher chip. `given`: how many chips you give, by colour. `taken`: the colour of the
    chip you get.
    """

    character: CharacterId
    given: ChipCounts
    taken: ColourName


@decides
def trade_up(draft: Draft, do: TradeUp) -> None:
    """Trade lower chips, worth one more than the chip wanted."""
    id = do.character
    require(may_use_chips(draft, CHIP_TRADE_UP))
    require(may_trade_chips(draft, CHIP_TRADE_UP))
    taken, given = read_chip(do.taken, CHIP_TRADE_UP), read_chips(do.given, CHIP_TRADE_UP)
    if not given or any(CHIPS[colour] >= CHIPS[taken] for colour in given):
        raise NOT_A_TRADE_UP(taken=taken, given=given)
    if count_value(given) != CHIPS[taken] + 1:
        raise WRONG_TRADE_VALUE.under(CHIP_TRADE_UP, expected=CHIPS[taken] + 1, given=count_value(given))
    require(may_spend_chips(draft, id, given, CHIP_TRADE_UP))
    draft.about(
        id,
        ChipsTradedUp(given, taken),
        *holdings.chips(id, given, to_bank=True),
        *holdings.chips(id, {taken: 1}, to_bank=False),
    )
    draft.by(CHIP_TRADE_UP, taken, worth=count_value(given))


@fact("chips-traded-down", says="{subject} trades a {given} chip for {taken}.", changes=None)
class ChipsTradedDown:
    """A chip was traded for several of lower value."""

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
    """Trade a chip for lower chips with the same total value. `given`: the colour of the chip you give. `taken`: how
    many chips you get, by colour.
    """

    character: CharacterId
    given: ColourName
    taken: ChipCounts


@decides
def trade_down(draft: Draft, do: TradeDown) -> None:
    """Trade a chip for lower ones of the same total value."""
    id = do.character
    require(may_use_chips(draft, CHIP_TRADE_DOWN))
    require(may_trade_chips(draft, CHIP_TRADE_DOWN))
    given, taken = read_chip(do.given, CHIP_TRADE_DOWN), read_chips(do.taken, CHIP_TRADE_DOWN)
    if not taken or any(CHIPS[colour] >= CHIPS[given] for colour in taken):
        raise NOT_A_TRADE_DOWN(given=given, taken=taken)
    if count_value(taken) != CHIPS[given]:
        raise WRONG_TRADE_VALUE.under(CHIP_TRADE_DOWN, expected=CHIPS[given], taken=count_value(taken))
    require(may_spend_chips(draft, id, {given: 1}, CHIP_TRADE_DOWN))
    draft.about(
        id,
        ChipsTradedDown(given, taken),
        *holdings.chips(id, {given: 1}, to_bank=True),
        *holdings.chips(id, taken, to_bank=False),
    )
    draft.by(CHIP_TRADE_DOWN, count_value(taken), given=given)


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
    id = do.character
    given = read_chips(do.given, CHIP_LIMIT)
    if not given:
        raise NOTHING_DECLARED.under(CHIP_LIMIT)
    require(may_spend_chips(draft, id, given, CHIP_LIMIT))
    draft.about(id, ChipsGivenBack(given), *holdings.chips(id, given, to_bank=True))
    draft.by(CHIP_LIMIT, sum(given.values()))


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
    """Secret: the cards that were drawn for a chip. `seen_by`: who can see the hand."""

    cards: CardNames
    seen_by: tuple[AudienceName, ...]


@changes
def take_cards_for_chip(state: Character, fact: ChipExchangedForCards) -> Character:
    return changed(state, hand=(*state.hand, *fact.cards), seen_by=hands.find_readers(state, fact.seen_by))


@fact("chip-exchanged-for-beads", says="{subject} exchanges a {chip} chip for {beads}.")
class ChipExchangedForBeads:
    """A chip was exchanged for beads."""

    chip: ColourName
    beads: Mapping[ElementName, int]


@changes
def take_beads_for_chip(state: Character, fact: ChipExchangedForBeads) -> Character | None:
    return piles.gain_beads(state, fact.beads)


def say_exchanging(fact: ExchangeChip, names: Names) -> str:
    into = say_beads(fact.beads) if fact.beads else "cards"
    return f"{say_who(names, fact.character)} exchanges a {fact.chip} chip for {into}."


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
    """Exchange a chip for as many cards as its value, or twice as many beads."""
    id = do.character
    require(may_use_chips(draft, CHIP_EXCHANGE))
    chip = read_chip(do.chip, CHIP_EXCHANGE)
    if do.beads is not None:
        beads = {
            read_element(element, CHIP_EXCHANGE): read_whole(n, NEGATIVE_BEADS, CHIP_EXCHANGE)
            for element, n in do.beads.items()
        }
        beads = {element: n for element, n in beads.items() if n}
        if sum(beads.values()) != 2 * CHIPS[chip]:
            raise WRONG_TRADE_VALUE.under(CHIP_EXCHANGE, expected=2 * CHIPS[chip], given=sum(beads.values()))
        require(may_spend_chips(draft, id, {chip: 1}, CHIP_EXCHANGE))
        moved = [holdings.move(holdings.SOURCE, holdings.bead(id, element), n) for element, n in beads.items()]
        fact = ChipExchangedForBeads(chip, beads)
        draft.about(id, fact, *holdings.chips(id, {chip: 1}, to_bank=True), *moved)
        draft.by(CHIP_EXCHANGE, 2 * CHIPS[chip], chip=chip)
        return
    require(may_spend_chips(draft, id, {chip: 1}, CHIP_EXCHANGE))
    count = CHIPS[chip]
    require(hands.may_draw(draft, count, CHIP_EXCHANGE))
    dealing = yield from hands.ask_dealer(draft, character(id), count, "chip", "cards for a chip")
    drawn = dealing.cards
    draft.about(id, ChipSpentOnCards(chip, count), *holdings.chips(id, {chip: 1}, to_bank=True))
    draft.tell(CAMPAIGN, hands.DeckCut(drawn, dealing.source == "ledger"), audience=hands.NOBODY)
    moved_ = holdings.move(holdings.DECK, holdings.hand(id), count)
    seen = hands.find_hand_readers(draft, id)
    draft.about(id, ChipExchangedForCards(drawn, seen or ()), moved_, audience=seen)
    draft.by(CHIP_EXCHANGE, count, chip=chip)


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
    """Turn a blue chip into a point, at the end of an arc."""
    id = do.character
    require(may_use_chips(draft, CHIP_CHARACTER_POINT))
    chip = read_chip(do.chip, CHIP_CHARACTER_POINT)
    require(may_turn_chip(draft))
    if chip != "blue":
        raise CHIPS_NOT_HELD.under(CHIP_CHARACTER_POINT, chip="blue", given=chip)
    require(may_spend_chips(draft, id, {chip: 1}, CHIP_CHARACTER_POINT))
    gained = holdings.move(holdings.BUDGET, holdings.point(id), POINT)
    draft.about(id, ChipBecamePoint(), *holdings.chips(id, {chip: 1}, to_bank=True), gained)
    draft.by(CHIP_CHARACTER_POINT, 1)


#: Chips worth one more than the chip wanted, and chips worth the same as one.
UP: Mapping[str, tuple[Mapping[str, int], ...]] = {
    "red": ({"white": 4},),
    "blue": ({"red": 2}, {"red": 1, "white": 3}, {"white": 6}),
}
DOWN: Mapping[str, tuple[Mapping[str, int], ...]] = {
    "red": ({"white": 3},),
    "blue": ({"white": 5}, {"red": 1, "white": 2}),
}


def _list_chip_moves(now: Offering, id: str) -> Iterator[Move]:
    held, draft = now.count_chips(id), now.draft
    mine: dict[str, Domain] = {"character": fix(id)}
    if may_trade_chips(draft, CHIP_TRADE_UP) is None:
        yield from _list_chip_trades(mine, held)
    for colour in held:
        beads: list[Domain] = [_make_beads_domain(2 * CHIPS[colour])]
        if hands.is_dealing(now.seen) and hands.may_draw(draft, CHIPS[colour], CHIP_EXCHANGE) is None:
            beads.append(fix(None))
        yield Move(ExchangeChip, {**mine, "chip": fix(colour), "beads": Either(tuple(beads))})
    if "blue" in held and may_turn_chip(draft) is None:
        yield Move(ChipToPoint, mine)


def _list_chip_trades(mine: dict[str, Domain], held: Mapping[str, int]) -> Iterator[Move]:
    for taken, prices in UP.items():
        given = tuple(
            require_exactly(price, CHIPS)
            for price in prices
            if all(held.get(each, 0) >= n for each, n in price.items())
        )
        if given:
            yield Move(TradeUp, {**mine, "given": Either(given), "taken": fix(taken)})
    for colour, worths in DOWN.items():
        if colour in held:
            taking = Either(tuple(require_exactly(worth, CHIPS) for worth in worths))
            yield Move(TradeDown, {**mine, "given": fix(colour), "taken": taking})


def _make_beads_domain(number: int) -> Domain:
    """Return the ways to choose this many beads, of one Element or of two."""
    choices = [require_exactly({element: number}, ELEMENTS) for element in ELEMENTS]
    for first, second in combinations(ELEMENTS, 2):
        choices += [require_exactly({first: n, second: number - n}, ELEMENTS) for n in range(1, number)]
    return Either(tuple(choices))


@offers
def offer_chips(seen: Seen, draft: Draft) -> Iterator[Move]:
    now = look(seen, draft)
    for id in now.alive if now.has_chips else ():
        yield from _list_chip_moves(now, id)
    held = ((id, tuple(now.count_chips(id).items())) for id in now.roster)
    for chips, ids in group_ids((id, chips) for id, chips in held if chips).items():
        yield Move(GiveBack, {"character": Among(ids), "given": require_some(dict(chips))})


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
    """Take chips that the character holds."""
    require(may_use_chips(draft, PENALTY))
    chips = read_chips(do.chips if do.chips is not None else {"white": 1}, PENALTY)
    if not chips:
        raise EMPTY_PENALTY()
    require(may_spend_chips(draft, do.character, chips, PENALTY))
    taken = holdings.chips(do.character, chips, to_bank=True)
    draft.about(do.character, ChipsPenalised(chips, do.reason), *taken)
    draft.by(PENALTY, count_value(chips), reason=do.reason)
