"""What can be declared of cards, chips and nominations outside of actions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from ledger.rules.kernel.moves import Among, Between, Domain, Either, Entries, Move
from ledger.rules.kernel.subjects import character
from ledger.rules.moc import accounts, inputs, inputs_of_modifiers, numbers
from ledger.rules.moc.cards import check_forced
from ledger.rules.moc.gone import fell_this_evening
from ledger.rules.moc.negotiating import CARD_TRADE
from ledger.rules.moc.offering import AGREED, Offering, exactly, one, some_of, together
from ledger.rules.moc.terms import CHIPS, ELEMENTS, SCOPES, SUIT_NAMES, half_up

#: What is worth one more than the chip wanted; and what a chip is worth.
UP: Mapping[str, tuple[Mapping[str, int], ...]] = {
    "red": ({"white": 4},),
    "blue": ({"red": 2}, {"red": 1, "white": 3}, {"white": 6}),
}
DOWN: Mapping[str, tuple[Mapping[str, int], ...]] = {
    "red": ({"white": 3},),
    "blue": ({"white": 5}, {"red": 1, "white": 2}),
}


def modifiers(now: Offering) -> Iterator[Move]:
    if now.has_cards:
        if now.dealing:
            yield from _drawing(now)
        for id in now.alive:
            yield from _hands(now, id)
    if now.has_chips:
        for id in now.alive:
            yield from _chips(now, id)
        yield from _awards(now)
    held = {id: now.chips(id) for id in now.roster}
    for chips, ids in together((id, tuple(chips.items())) for id, chips in held.items() if chips).items():
        given = some_of(dict(chips))
        yield Move(inputs_of_modifiers.GiveBack, {"character": Among(ids), "given": given})
        if now.has_chips:
            usual = (Among((None,)),) if "white" in dict(chips) else ()
            penalty = Either((*usual, given))
            yield Move(inputs_of_modifiers.Penalise, {"character": Among(ids), "chips": penalty})
    yield from _nominations(now)


# --- cards ---


def _drawing(now: Offering) -> Iterator[Move]:
    """moc.card.hand: once a session, as far as the deck goes. Cards typed in are an answer as well."""
    deck = now.draft.drawable()
    able = []
    for id in now.alive:
        who = now.who(id)
        drawing = 4 if who.archetype == "wildcard" else 2
        drawing += who.counts.get("hand-of-fate", 0) + who.counts.get("fortune", 0)
        if not who.villain and who.drawn != (now.table.session or "") and deck >= drawing:
            able.append(id)
    if able:
        yield Move(inputs_of_modifiers.DrawHand, {"character": Among(tuple(able))})
    if now.scene is not None and deck > 0:
        yield Move(inputs_of_modifiers.DrawVillains, {"size": Between(1, deck)})


def _hands(now: Offering, id: str) -> Iterator[Move]:
    hand, who = now.hand(id), now.who(id)
    for suits, cards in together((card, now.suit(id, card)) for card in now.cards(id)).items():
        fields: dict[str, Domain] = {"character": one(id), "card": Among(cards), "element": Among(suits)}
        yield Move(inputs_of_modifiers.ExchangeCard, fields)
    if now.interval:
        yield from _shifts(now, id, hand)
    if cards := now.cards(id):
        named = Among((None, *ELEMENTS, *SUIT_NAMES))
        used = {"character": one(id), "card": Among(cards), "element": named, "approved": AGREED}
        yield Move(inputs.UseCard, {**used, "scope": Among(tuple(SCOPES.values()))})
    others = tuple(other for other in now.alive if other != id)
    if who.used.get("vortex:session", 0) < who.counts.get("vortex", 0):
        holding = tuple(other for other in others if now.table.balance(accounts.hand(other)) > 0)
        if holding:
            yield Move(inputs_of_modifiers.ForceVortex, {"character": one(id), "target": Among(holding)})
    for trait, told in who.traits.items():
        for target in ("",) if told.of == "all" else others:
            if now.allows(lambda draft, trait=trait, target=target: check_forced(draft, id, trait, target)):  # type: ignore[misc]
                forced = {"character": one(id), "trait": one(trait), "target": one(target)}
                yield Move(inputs_of_modifiers.ForceDiscard, forced)
    if any(told.stage == "approved" and told.allows == CARD_TRADE for told in who.traits.values()):
        traders = tuple(other for other in now.alive if _trades(now, other))
        if id in traders and (targets := tuple(other for other in traders if other != id)):
            yield Move(inputs_of_modifiers.TradeCards, {"character": one(id), "target": Among(targets)})


def _trades(now: Offering, id: str) -> bool:
    return not now.who(id).villain and now.table.balance(accounts.hand(id)) > 0


def _shifts(now: Offering, id: str, hand: tuple[str, ...]) -> Iterator[Move]:
    """moc.card.shift: up to half the card's value, of beads that are there."""
    for element, n in now.beads(id).items():
        most = ((card, min(n, half_up(numbers.card_value(card)))) for card in hand)
        for count, cards in together(most).items():
            yield Move(inputs_of_modifiers.ShiftBeads, {
                "character": one(id), "card": Among(cards), "source": one(element), "count": Between(1, count),
                "target": Among(tuple(other for other in ELEMENTS if other != element)),
            })  # fmt: skip


# --- chips ---


def _chips(now: Offering, id: str) -> Iterator[Move]:
    held, deck = now.chips(id), now.draft.drawable()
    mine: dict[str, Domain] = {"character": one(id)}
    if now.interval and now.campaign.scenes:
        yield from _trades_of_chips(mine, held)
    for colour in held:
        beads: list[Domain] = [_doubled(2 * CHIPS[colour])]
        if now.dealing and deck >= CHIPS[colour]:
            beads.append(one(None))
        yield Move(inputs_of_modifiers.ExchangeChip, {**mine, "chip": one(colour), "beads": Either(tuple(beads))})
    if "blue" in held and now.campaign.arc_ended:
        yield Move(inputs_of_modifiers.ChipToPoint, mine)


def _trades_of_chips(mine: dict[str, Domain], held: Mapping[str, int]) -> Iterator[Move]:
    """moc.chip.trade-up, moc.chip.trade-down"""
    for taken, prices in UP.items():
        given = tuple(
            exactly(price, CHIPS) for price in prices if all(held.get(each, 0) >= n for each, n in price.items())
        )
        if given:
            yield Move(inputs_of_modifiers.TradeUp, {**mine, "given": Either(given), "taken": one(taken)})
    for colour, worths in DOWN.items():
        if colour in held:
            taking = Either(tuple(exactly(worth, CHIPS) for worth in worths))
            yield Move(inputs_of_modifiers.TradeDown, {**mine, "given": one(colour), "taken": taking})


def _doubled(number: int) -> Domain:
    """moc.chip.exchange: so many beads, of one Element or of two."""
    found = [exactly({element: number}, ELEMENTS) for element in ELEMENTS]
    for first, second in combinations(ELEMENTS, 2):
        found += [exactly({first: n, second: number - n}, ELEMENTS) for n in range(1, number)]
    return Either(tuple(found))


def _awards(now: Offering) -> Iterator[Move]:
    """moc.fate.purse: out of what is left of the arc's purse, or of more."""
    earning = tuple(id for id in now.roster if not now.who(id).villain and fell_this_evening(now.draft, id))
    if not earning:
        return
    arc = now.campaign.arc
    anything = Either(tuple(Entries({**dict.fromkeys(CHIPS, Between(0)), c: Between(1)}, (c,)) for c in CHIPS))
    fields: dict[str, Domain] = {"character": Among(earning)}
    if not now.dials.arc_purse_enforced:
        both = Among((False, True))
        yield Move(inputs_of_modifiers.AwardChip, {**fields, "chips": anything, "enlarge": both})
        return
    if arc is None:
        return
    yield Move(inputs_of_modifiers.AwardChip, {**fields, "chips": anything, "enlarge": one(True)})
    left = now.table.balance(accounts.purse(arc))
    paid = {colour: left // worth for colour, worth in CHIPS.items() if left >= worth}
    if paid:
        none = {colour: one(0) for colour in CHIPS}
        each = tuple(Entries({**none, colour: Between(1, n)}, (colour,)) for colour, n in paid.items())
        yield Move(inputs_of_modifiers.AwardChip, {**fields, "chips": Either(each)})


# --- nominations ---


def _nominations(now: Offering) -> Iterator[Move]:
    """moc.fate.nominate: for a seat whose nominations the viewer sees, others' characters it did not name yet."""
    evening, viewer = now.draft.evening(), now.seen.viewer
    good = tuple(id for id in now.roster if not now.who(id).villain and fell_this_evening(now.draft, id))
    for seat, entry in now.seen.seats.items():
        if entry.role != "player" or not (viewer.role == "gm" or viewer.seat == seat):
            continue
        state = now.draft.seat(seat)
        named = state.named if state.session == evening else ()
        others = tuple(id for id in good if now.table.owner(character(id)) != seat and id not in named)
        if others:
            yield Move(inputs_of_modifiers.Nominate, {"seat": one(seat), "nominee": Among(others)})
    if now.campaign.tallied != evening:
        yield from _tallies(now, evening)


def _tallies(now: Offering, evening: str) -> Iterator[Move]:
    """Whether the purse suffices is told to nobody who does not see the votes."""
    arc, both = now.campaign.arc, (False, True)
    chips = (None, *CHIPS)
    if not now.dials.arc_purse_enforced:
        yield Move(inputs_of_modifiers.TallyNominations, {"chip": Among(chips), "enlarge": Among(both)})
        return
    votes = [id for seat in now.seen.seats for id in _named(now, seat, evening)]
    winners = sum(votes.count(id) >= now.dials.nomination_quorum for id in set(votes))
    sees = now.seen.viewer.role == "gm"
    if arc is not None or (sees and not winners):
        yield Move(inputs_of_modifiers.TallyNominations, {"chip": Among(chips), "enlarge": one(True)})
    left = now.table.balance(accounts.purse(arc)) if arc is not None else 0
    worth = {chip: CHIPS[chip or now.dials.nomination_chip] for chip in chips}
    paid = tuple(chip for chip in chips if winners * worth[chip] <= left)
    if sees and paid:
        yield Move(inputs_of_modifiers.TallyNominations, {"chip": Among(paid)})


def _named(now: Offering, seat: str, evening: str) -> tuple[str, ...]:
    state = now.draft.seat(seat)
    return tuple(set(state.named)) if state.session == evening else ()
