"""Forcing other characters to discard cards, and trading cards (heading "Card affecting Advantages/Disadvantages")."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated

from ledger.rules.kernel.kit import (
    Among,
    Asking,
    CharacterId,
    Move,
    Names,
    Question,
    Reason,
    Ref,
    Refusal,
    Refused,
    Says,
    Seen,
    Shape,
    ask,
    changes,
    character,
    choice,
    decides,
    declares,
    either,
    fact,
    guards,
    offers,
    require,
    rule,
)
from ledger.rules.moc import hands, holdings, negotiating, piles
from ledger.rules.moc.draft import Draft, acts, may_act, may_use_cards
from ledger.rules.moc.shown import fix, get_offering
from ledger.rules.moc.state import Character
from ledger.rules.moc.types import CardName, OwnTrait, TraitId
from ledger.rules.moc.words import (
    CARD_NOT_IN_HAND,
    GONE,
    VILLAINS_SHARE_CARDS,
    say_count,
    say_people,
    say_subject,
    whether,
)

TRADE = rule(
    "moc.card.trade",
    "A character with an approved Advantage that allows it can trade a card with another character, if the "
    "other player agrees.",
    "Card affecting Advantages/Disadvantages",
)
SAME_CHARACTER = Refusal(TRADE, "same-character", "{character} can trade only with somebody else.")
NO_REASON = Refusal(TRADE, "no-reason", "Give a reason.")
NO_CARD_HELD = Refusal(TRADE, "no-card-held", "{character} has no card.")
ADVANTAGE_NEEDED = Refusal(TRADE, "advantage-needed", "{character} has no Advantage that allows trading cards.")
DISCARD_NOT_AVAILABLE = Refusal(
    holdings.AGREED_EFFECT,
    "discard-not-available",
    "{character} cannot force a discard now. This takes an approved Advantage that allows it, once a session.",
)
VORTEX_NOT_AVAILABLE = Refusal(hands.CARD_HAND, "vortex-not-available", "{character} has no Vortex left this session.")


@choice("discard", says="Discarded: {card}.")
class Discard:
    """Discard this card."""

    card: CardName


ASK_DISCARD = Question("discard", "Which card is discarded?")


@fact("vortex-forced", says="{subject}'s Vortex makes {target} discard a card.")
class VortexForced:
    """The character's Vortex made another character discard a card."""

    target: CharacterId


@changes
def use_vortex(state: Character, fact: VortexForced) -> Character:
    return piles.use_up(state, "vortex:session", 1)


@acts("character")
@declares(
    "force-vortex",
    either("character"),
    says="{character} makes {target} discard a card.",
    records=(VortexForced, hands.CardDiscarded),
)
class ForceVortex:
    """Use a Vortex, once a session: an opponent who holds cards chooses one of them and discards it."""

    character: CharacterId
    target: CharacterId


@decides
def force_vortex(draft: Draft, do: ForceVortex) -> Asking[None]:
    """Make an opponent discard a card of their choice, once a session."""
    char_id = do.character
    require(may_use_cards(draft, hands.CARD_HAND))
    draft.get_character(char_id)
    target_state = draft.get_character(do.target)
    require(may_use_vortex(draft, char_id))
    require(may_act(draft, do.target))
    if do.target == char_id or not target_state.hand:
        raise CARD_NOT_IN_HAND.under(hands.CARD_HAND, target=do.target)
    readers = hands.find_readers_of_held_cards(draft, do.target)
    answer = yield from ask(
        draft.table.owner(character(do.target)),
        Discard,
        slot=ASK_DISCARD(),
        purpose="a card to discard",
        audience=readers,
        within=(Shape(Discard, {"card": Among(tuple(target_state.hand))}),),
    )
    if answer.card not in target_state.hand:
        raise CARD_NOT_IN_HAND.unfit(hands.CARD_HAND, audience=readers, card=answer.card)
    draft.about(char_id, VortexForced(do.target))
    draft.by(hands.CARD_HAND, "vortex", target=do.target)
    hands.use_up_card(draft, do.target, answer.card, audience=readers)


def say_forced(fact: DiscardForced, names: Names) -> str:
    each_word = " each" if len(fact.targets) > 1 else ""
    card_words = say_count(fact.number, "card", "cards")
    return f"{say_subject(names)}'s Advantage makes {say_people(names, fact.targets)} discard {card_words}{each_word}."


@fact("discard-forced", says=say_forced)
class DiscardForced:
    """An Advantage (`trait`) made these characters discard cards."""

    trait: TraitId
    targets: tuple[CharacterId, ...]
    number: int


@changes
def use_forced_discard(state: Character, fact: DiscardForced) -> Character:
    return piles.use_up(state, f"forced-discard-{fact.trait}:session", 1)


@acts("character")
@declares(
    "force-discard",
    either("character"),
    says=whether(
        "target", "{character} makes {target} discard cards.", "{character} makes everybody else discard cards."
    ),
    records=(DiscardForced, hands.CardDiscarded),
)
class ForceDiscard:
    """Use an approved Advantage to make other characters discard the agreed number of cards, once a session. Their
    players choose the cards.

    `target`: the character who discards, if the Advantage affects one character. Leave it out if it affects all others.
    """

    character: CharacterId
    trait: OwnTrait
    target: Annotated[
        CharacterId,
        Says(
            "Who discards",
            "Only if the Advantage affects a single character. Leave it out if it affects everybody else.",
        ),
    ] = ""


@decides
def force_discard(draft: Draft, do: ForceDiscard) -> Asking[None]:
    """Make other characters discard the agreed number of cards, once a session. Each player chooses the cards."""
    char_id = do.character
    require(may_use_cards(draft, holdings.AGREED_EFFECT))
    card_count, target_ids = read_forced_discard(draft, char_id, do.trait, do.target)
    for target_id in target_ids:
        readers, seat_id = hands.find_readers_of_held_cards(draft, target_id), draft.table.owner(character(target_id))
        for index in range(min(card_count, len(draft.get_character(target_id).hand))):
            shapes = (Shape(Discard, {"card": Among(tuple(draft.get_character(target_id).hand))}),)
            answer = yield from ask(
                seat_id,
                Discard,
                slot=ASK_DISCARD(target_id, str(index)),
                purpose="a card to discard",
                audience=readers,
                within=shapes,
            )
            if answer.card not in draft.get_character(target_id).hand:
                raise CARD_NOT_IN_HAND.unfit(holdings.AGREED_EFFECT, audience=readers, card=answer.card)
            hands.use_up_card(draft, target_id, answer.card, audience=readers)
    draft.about(char_id, DiscardForced(do.trait, target_ids, card_count))
    draft.by(holdings.AGREED_EFFECT, card_count, does="forced-discard")


def read_forced_discard(draft: Draft, char_id: str, trait_id: str, target_id: str) -> tuple[int, tuple[str, ...]]:
    """Return how many cards are discarded, and the characters who discard them. Refuses `discard-not-available`,
    `card-not-in-hand`.
    """
    advantage = draft.get_character(char_id).traits.get(trait_id)
    can_force_discard = advantage is not None and (advantage.stage, advantage.does) == ("approved", "forced-discard")
    if (
        advantage is None
        or not can_force_discard
        or draft.get_character(char_id).used.get(f"forced-discard-{trait_id}:session")
    ):
        raise DISCARD_NOT_AVAILABLE(character=char_id)
    named_ids = (
        (target_id,) if advantage.of == "one" else tuple(subject.id for subject in draft.table.subjects("character"))
    )
    if advantage.of == "one":
        require(may_act(draft, target_id))
    other_ids = (
        other_id for other_id in named_ids if other_id != char_id and draft.get_character(other_id).status not in GONE
    )
    holder_ids = tuple(other_id for other_id in other_ids if draft.balance(holdings.name_hand_account(other_id)) > 0)
    if not holder_ids or (advantage.of == "all" and target_id):
        if target_id:
            raise CARD_NOT_IN_HAND.under(holdings.AGREED_EFFECT, target=target_id)
        raise CARD_NOT_IN_HAND.under(holdings.AGREED_EFFECT, who="other character")
    return advantage.number, holder_ids


@choice("agree", by="asked", says="Agreed.")
class Agree:
    """Agree to trade a card."""


@choice("agree-for", by="gm", says="The game master agrees for the player asked: {reason}.")
class AgreeFor:
    """As a game master, agree for the player who is asked, with a reason."""

    reason: Reason


@choice("decline", says="No trade.")
class Decline:
    """Do not trade a card."""


ASK_TRADE = Question("agree", "{purpose}. Do you agree?")


@choice("give", by="asked", says="Given away: {card}.")
class Give:
    """Give this card away."""

    card: CardName


ASK_CARD = Question("give", "Which card do you give away?")


@fact("cards-traded", says="{subject} and {other} trade a card.", headline=25, changes=None)
class CardsTraded:
    """Two characters traded cards. `by`: the id of the Advantage that allows the trade."""

    other: CharacterId
    by: Annotated[str, Ref("trait")]


@fact("card-swapped", says="{subject} gives {given} and gets {gained}.")
class CardSwapped:
    """Secret: in a trade, the card that one of the characters gave and the card that they got."""

    given: CardName
    gained: CardName


@changes
def swap_card(state: Character, fact: CardSwapped) -> Character | None:
    changed_state = piles.without_card(state, fact.given)
    return piles.with_hand(changed_state, (*changed_state.hand, fact.gained)) if changed_state is not None else None


@fact("trade-declined", says="{other} does not trade with {subject}.", headline=26, changes=None)
class TradeDeclined:
    """The `other` character declined to trade."""

    other: CharacterId


@acts("character")
@declares(
    "trade-cards",
    either("character"),
    says="{character} wants to trade a card with {target}.",
    records=(CardsTraded, CardSwapped, TradeDeclined),
)
class TradeCards:
    """Trade a card with another character. This needs an approved Advantage that allows it.

    The player of the `target` is asked first. Then each of the two players names the card to give. Only these two see
    the cards.
    """

    character: CharacterId
    target: CharacterId


@decides
def trade_cards(draft: Draft, do: TradeCards) -> Asking[None]:
    """Trade a card, with an Advantage and the other player's consent. Only the two players see the cards."""
    proposer_id, other_id = do.character, do.target
    require(may_use_cards(draft, TRADE))
    trait_id = _read_advantage_id(draft, proposer_id)
    if proposer_id == other_id:
        raise SAME_CHARACTER(character=proposer_id)
    require(may_act(draft, other_id))
    for char_id in (proposer_id, other_id):
        require(may_give_card(draft, char_id))
    proposer_name, other_name = (draft.table.name(character(char_id)) for char_id in (proposer_id, other_id))
    purpose = f"{proposer_name} wants to trade a card for one of {other_name}'s"
    answer = yield from ask(
        draft.table.owner(character(other_id)), Agree, AgreeFor, Decline, slot=ASK_TRADE(), purpose=purpose
    )
    if isinstance(answer, AgreeFor) and not answer.reason.strip():
        raise NO_REASON.unfit()
    if isinstance(answer, Decline):
        draft.about(proposer_id, TradeDeclined(other_id))
        draft.by(TRADE, 0, by=trait_id)
        return
    card_of_proposer, card_of_other = (
        (yield from _ask_card_given(draft, proposer_id)),
        (yield from _ask_card_given(draft, other_id)),
    )
    draft.about(proposer_id, CardsTraded(other_id, trait_id))
    for char_id, card_given, card_gained, partner_id in (
        (proposer_id, card_of_proposer, card_of_other, other_id),
        (other_id, card_of_other, card_of_proposer, proposer_id),
    ):
        posting = holdings.make_posting(holdings.name_hand_account(char_id), holdings.name_hand_account(partner_id), 1)
        draft.about(
            char_id,
            CardSwapped(card_given, card_gained),
            posting,
            audience=hands.find_readers_of_held_cards(draft, char_id),
        )
    draft.by(TRADE, 1, by=trait_id)


def list_trade_advantages(state: Character) -> Iterator[str]:
    """Return the approved Advantages that allow trading cards."""
    traits = state.traits.items()
    return (
        trait_id for trait_id, trait in traits if trait.stage == "approved" and trait.allows == negotiating.CARD_TRADE
    )


@guards
def may_want_trade(draft: Draft, char_id: str) -> Refused | None:
    if next(list_trade_advantages(draft.get_character(char_id)), None) is None:
        return ADVANTAGE_NEEDED(character=char_id, allows=negotiating.CARD_TRADE)
    return None


def _read_advantage_id(draft: Draft, char_id: str) -> str:
    """Return the id of an approved Advantage that allows trading cards. Refuses `advantage-needed`."""
    require(may_want_trade(draft, char_id))
    return next(list_trade_advantages(draft.get_character(char_id)))


def _ask_card_given(draft: Draft, char_id: str) -> Asking[str]:
    """Return the card that the player gives. Only the player sees the hand. An answer with a different card is unfit:
    `card-not-in-hand`.
    """
    readers, seat_id = hands.find_readers_of_held_cards(draft, char_id), draft.table.owner(character(char_id))
    shapes = (Shape(Give, {"card": Among(tuple(draft.get_character(char_id).hand))}),)
    purpose = "the card to give away"
    answer = yield from ask(seat_id, Give, slot=ASK_CARD(char_id), purpose=purpose, audience=readers, within=shapes)
    card = str(answer.card).upper()
    if card not in draft.get_character(char_id).hand:
        raise CARD_NOT_IN_HAND.unfit(TRADE, audience=readers, card=card)
    return card


@guards
def may_use_vortex(draft: Draft, char_id: str) -> Refused | None:
    """Refuse a character whose Vortexes have all been used in this session."""
    state = draft.get_character(char_id)
    if state.used.get("vortex:session", 0) >= holdings.VORTEX.count(state):
        return VORTEX_NOT_AVAILABLE(character=char_id)
    return None


@guards
def may_give_card(draft: Draft, char_id: str) -> Refused | None:
    """Refuse a trade with a villain, and with a character without cards."""
    if draft.get_character(char_id).villain:
        return VILLAINS_SHARE_CARDS.under(TRADE, character=char_id)
    return None if draft.balance(holdings.name_hand_account(char_id)) else NO_CARD_HELD(character=char_id)


@offers
def offer_cards_of_others(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    for char_id in offering.active_ids if offering.has_cards else ():
        state = offering.get_character(char_id)
        other_ids = tuple(other_id for other_id in offering.active_ids if other_id != char_id)
        if may_use_vortex(draft, char_id) is None:
            holder_ids = tuple(
                other_id for other_id in other_ids if offering.table.balance(holdings.name_hand_account(other_id)) > 0
            )
            if holder_ids:
                yield Move(ForceVortex, {"character": fix(char_id), "target": Among(holder_ids)})
        for trait_id, advantage in state.traits.items():
            for target_id in ("",) if advantage.of == "all" else other_ids:
                if offering.is_allowed(
                    partial(read_forced_discard, char_id=char_id, trait_id=trait_id, target_id=target_id)
                ):
                    yield Move(
                        ForceDiscard, {"character": fix(char_id), "trait": fix(trait_id), "target": fix(target_id)}
                    )
        if may_want_trade(draft, char_id) is None:
            trader_ids = tuple(other_id for other_id in offering.active_ids if may_give_card(draft, other_id) is None)
            if char_id in trader_ids and (
                target_ids := tuple(other_id for other_id in trader_ids if other_id != char_id)
            ):
                yield Move(TradeCards, {"character": fix(char_id), "target": Among(target_ids)})
