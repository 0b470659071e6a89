"""Hands and the villains' cards: drawing, holding and using cards (heading "Cards")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated

from ledger.rules.kernel.kit import (
    CAMPAIGN,
    GM,
    GM_ONLY,
    Among,
    Asking,
    Audience,
    Between,
    CharacterId,
    Drawn,
    Move,
    Names,
    Question,
    Refusal,
    Refused,
    RuleId,
    Says,
    Seen,
    Shape,
    SharedRefusal,
    Some,
    Subject,
    Unfit,
    Viewer,
    ask,
    changed,
    changes,
    character,
    choice,
    deal,
    decides,
    declares,
    fact,
    guards,
    offers,
    owner,
    require,
    rule,
)
from ledger.rules.moc import holdings, piles
from ledger.rules.moc.draft import Draft, acts, may_act, may_use_cards, nobody_acts
from ledger.rules.moc.shown import get_offering
from ledger.rules.moc.state import Campaign, Character, Scene
from ledger.rules.moc.types import AudienceName, CardName, CardNames, Positive, SessionId
from ledger.rules.moc.words import (
    CARD_NOT_IN_HAND,
    DECK,
    DECK_EMPTY,
    VILLAINS_SHARE_CARDS,
    Sent,
    capitalise,
    read_whole,
    say_card,
    say_subject,
    whether,
)

CARD_HAND = rule(
    "moc.card.hand",
    "Each session, a player draws 2 cards for a character and keeps both. For a Wildcard, the player draws "
    "4 and keeps 3. Some Advantages add cards.",
    "Cards",
)
DEALT_BY_THE_LEDGER = Refusal(
    CARD_HAND, "dealt-by-the-ledger", "The ledger deals the cards in this session, so you cannot enter them."
)
DUPLICATE_CARD = Refusal(CARD_HAND, "duplicate-card", "The same card is named twice[: {cards}].")
DRAW_UNDERWAY = Refusal(
    CARD_HAND, "draw-underway", "Somebody else has drawn cards and must first choose which to keep."
)
ALREADY_DRAWN = Refusal(CARD_HAND, "already-drawn", "{character} has already drawn a hand this session.")
WRONG_KEEP_COUNT = Refusal(CARD_HAND, "wrong-keep-count", "Keep {expected:card|cards}, not {given}.")
CARD_ONCE = rule("moc.card.once", "A used card does not come back during the session.", "Cards as Beads")
CARD_SHOWN = Refusal(
    CARD_ONCE, "card-shown", "[{card}: ]everybody has seen this card this session, so it is not in the deck."
)
CARD_SECRET = rule(
    "moc.card.secret",
    "Only the player of a character sees the character's hand and plays from it. A card becomes public when"
    " it is played.",
    "Cards",
)
WRONG_DRAW_COUNT = SharedRefusal(
    "wrong-draw-count", "That is not the right number of cards[: draw {expected}, not {given}]."
)
UNKNOWN_CARD = SharedRefusal("unknown-card", "There is no card {card}. Enter a card like this: 8C, 10H or AS.")
NOT_OWN_CARD = SharedRefusal("not-own-card", "You cannot play {character}'s cards.")


@fact("cards-drawn", says="{subject} draws {cards}.")
class CardsDrawn:
    """Secret: the cards that were drawn. `seen_by`: the seats that can see the hand."""

    session: SessionId
    cards: CardNames
    seen_by: tuple[AudienceName, ...]


@changes
def note_draw(state: Character, fact: CardsDrawn) -> Character:
    return changed(state, drawn=fact.session, seen_by=find_shared_readers(state, fact.seen_by))


def find_shared_readers(state: Character, seen_by: tuple[str, ...]) -> tuple[str, ...]:
    """Return the seats that can see the hand with its new cards: those that can see both the new cards and the old
    ones.
    """
    if not (state.hand and state.seen_by):
        return seen_by
    return tuple(reader for reader in seen_by if reader in state.seen_by)


@fact("cards-kept", says="{subject} keeps {cards}.")
class CardsKept:
    """Secret: the cards that were kept. The other cards were discarded unseen."""

    cards: CardNames


@changes
def keep_cards(state: Character, fact: CardsKept) -> Character:
    return changed(state, hand=(*state.hand, *fact.cards))


@fact("deck-cut", says=whether("cards", "Cards leave the deck.", "The deck is put away."))
class DeckCut:
    """Secret from everybody: the cards that left the deck. `by_ledger`: whether the ledger dealt them."""

    cards: CardNames
    by_ledger: bool = False


@changes
def cut_deck(state: Campaign, fact: DeckCut) -> Campaign:
    return changed(state, out=(*state.out, *fact.cards), dealt=state.dealt or fact.by_ledger)


@fact("card-shown", says="Everybody has seen {card}, so nobody can draw it again this session.")
class CardShown:
    """Everybody has seen the card, so it cannot be drawn again in this session."""

    card: CardName


@changes
def note_card_shown(state: Campaign, fact: CardShown) -> Campaign:
    return state if fact.card in state.shown else changed(state, shown=(*state.shown, fact.card))


def say_discarded(fact: CardDiscarded, names: Names) -> str:
    return f"{capitalise(say_card(fact.card))} leaves {say_subject(names)}'s hand."


@fact("card-discarded", says=say_discarded)
class CardDiscarded:
    """A card was discarded."""

    card: CardName


@changes
def discard_card(state: Character, fact: CardDiscarded) -> Character | None:
    return piles.without_card(state, fact.card)


@fact("villains-drew", says="The villains have {cards}.")
class VillainsDrew:
    """Subject: the scene. The villains drew cards. Only game masters can see these cards."""

    cards: CardNames


@changes
def add_to_pool(state: Scene, fact: VillainsDrew) -> Scene:
    return changed(state, pool=(*state.pool, *fact.cards))


def say_villains_used(fact: VillainCardUsed, names: Names) -> str:
    return f"{capitalise(say_card(fact.card))} leaves the villains' cards."


@fact("villain-card-used", says=say_villains_used)
class VillainCardUsed:
    """A villain used one of the cards that the villains share."""

    card: CardName


@changes
def lose_villain_card(state: Scene, fact: VillainCardUsed) -> Scene | None:
    if fact.card not in state.pool:
        return None
    index = state.pool.index(fact.card)
    return changed(state, pool=(*state.pool[:index], *state.pool[index + 1 :]))


# --- cards held -------------------------------------------------------------------------------------------------------


def read_card(card: Sent, rule: str) -> str:
    """Return a card by its name (`8C`, `10H`, `AS`). Refuses `unknown-card`."""
    name = str(card).upper()
    if name not in DECK:
        raise UNKNOWN_CARD.under(rule, card=str(card))
    return name


def read_card_held(draft: Draft, char_id: str, card: Sent, rule: str, speaker: Viewer | None = None) -> str:
    """Return a card of the character's hand or of the villains' pool. `speaker`: the seat that names it, if it is not
    the declaring seat.

    Refuses `not-own-card` for a seat that cannot see the hand, whatever is in it, and `unknown-card`,
    `card-not-in-hand`.
    """
    require(may_use_cards(draft, rule))
    require(may_act(draft, char_id))
    state = draft.get_character(char_id)
    if not (speaker or draft.table.by).may_see(_find_card_readers(draft, char_id)):
        raise NOT_OWN_CARD.under(rule, character=char_id)
    name = read_card(card, rule)
    if name not in state.hand and not (state.villain and name in _list_villains_pool(draft)):
        raise Refused(
            rule, CARD_NOT_IN_HAND.code, find_readers_of_held_cards(draft, char_id), character=char_id, card=name
        )
    return name


def _find_card_readers(draft: Draft, char_id: str) -> Audience:
    state = draft.get_character(char_id)
    return GM_ONLY if state.villain else state.seen_by or find_hand_readers(draft, char_id)


def _list_villains_pool(draft: Draft) -> tuple[str, ...]:
    return draft.get_scene().pool if draft.table.scene is not None else ()


def list_cards_held(draft: Draft, char_id: str, speaker: Viewer) -> tuple[str, ...]:
    """Return the cards that `read_card_held` lets `speaker` name."""
    state = draft.get_character(char_id)
    if draft.dials.beads_only == "on" or not speaker.may_see(_find_card_readers(draft, char_id)):
        return ()
    return (*state.hand, *(_list_villains_pool(draft) if state.villain else ()))


def find_hand_readers(draft: Draft, char_id: str) -> Audience:
    """Return the seats that can see new cards: those that the option names, except those that cannot see the cards
    already held.
    """
    readers = (f"character:{char_id}", "gm") if draft.dials.hands_seen_by_gm else (f"character:{char_id}",)
    state = draft.get_character(char_id)
    return tuple(reader for reader in readers if reader in state.seen_by) if state.hand and state.seen_by else readers


def find_readers_of_held_cards(draft: Draft, char_id: str) -> Audience:
    """Return the seats that can see the cards held now. Facts about these cards have the same audience, whatever the
    option says now.
    """
    state = draft.get_character(char_id)
    return state.seen_by if state.hand and state.seen_by else find_hand_readers(draft, char_id)


def use_up_card(draft: Draft, char_id: str, card: str, *, audience: Audience = None) -> str:
    """Use a card, and return its origin: `hand` or `villains`."""
    if card in draft.get_character(char_id).hand:
        posting = holdings.make_posting(holdings.name_hand_account(char_id), holdings.DISCARD, 1)
        draft.about(char_id, CardDiscarded(card), posting, audience=audience)
        if audience is None:
            show_card(draft, card)
        return "hand"
    place = draft.get_place()
    draft.tell(
        place,
        VillainCardUsed(card),
        holdings.make_posting(holdings.name_villains_cards_account(place.id), holdings.DISCARD, 1),
    )
    show_card(draft, card)
    return "villains"


def show_card(draft: Draft, card: str) -> None:
    """Record that everybody has seen the card, so it is not in the deck."""
    if card not in draft.get_campaign().shown:
        draft.tell(CAMPAIGN, CardShown(card))
        draft.by(CARD_ONCE, card)


# --- drawing ----------------------------------------------------------------------------------------------------------


def count_drawable(draft: Draft) -> int:
    """Return how many cards can still be drawn: those in the deck, except those that everybody has seen."""
    return min(draft.balance(holdings.DECK), len(DECK) - len(draft.get_campaign().shown))


@choice("keep", says="Kept: {cards}.")
class Keep:
    """Choose which drawn cards stay in the hand."""

    cards: CardNames


ASK_KEEP = Question("keep", "Choose {purpose}.")


@acts("character")
@declares("draw-hand", owner("character"), says="{character} draws a hand.", records=(CardsDrawn, DeckCut, CardsKept))
class DrawHand:
    """Draw the session's hand. `drawn`: the cards you drew from your own deck. `kept`: the cards that stay in the hand.
    Leave both out to draw from the ledger's deck and choose which cards to keep when asked.
    """

    character: CharacterId
    drawn: CardNames | None = None
    kept: CardNames | None = None


NOBODY: Audience = ()


#: The format of a card.
FORM = "2 to 10, J, Q, K or A, and C, D, S or H: 8C, 10H, AS"


@guards
def may_draw_now(draft: Draft) -> Refused | None:
    """Refuse a draw while another player has drawn cards and has not chosen which to keep."""
    if any(ruling.answered and isinstance(ruling.do, DrawHand) for ruling in draft.table.underway()):
        return DRAW_UNDERWAY()
    return None


@guards
def may_draw(draft: Draft, count: int, rule: RuleId) -> Refused | None:
    return DECK_EMPTY.under(rule) if count_drawable(draft) < count else None


def count_hand(state: Character) -> tuple[int, int]:
    """Return how many cards a character draws, and how many of them stay in the hand."""
    is_wild = state.archetype == "wildcard"
    hand_of_fate_count, fortune_count = holdings.HAND_OF_FATE.count(state), holdings.FORTUNE.count(state)
    return (4 if is_wild else 2) + hand_of_fate_count + fortune_count, (3 if is_wild else 2) + hand_of_fate_count


@guards
def may_draw_hand(draft: Draft, char_id: str) -> Refused | None:
    """Refuse villains, a second hand in a session, and a hand larger than the deck."""
    state = draft.get_character(char_id)
    if state.villain:
        return VILLAINS_SHARE_CARDS.under(CARD_HAND, character=char_id)
    if state.drawn == (draft.table.session or ""):
        return ALREADY_DRAWN(character=char_id)
    return may_draw(draft, count_hand(state)[0], CARD_HAND)


def ask_dealer(draft: Draft, drawer: Subject | None, count: int, slot: str, purpose: str) -> Asking[Drawn]:
    """Return cards drawn from the deck. Once the ledger has dealt in a session, it deals all cards.

    Any card that has not been shown to everybody can be typed, as in `_read_typed`.
    """
    require(may_draw_now(draft))
    campaign = draft.get_campaign()
    deck = tuple(card for card in DECK if card not in set(campaign.out))
    unseen_cards = tuple(card for card in DECK if card not in campaign.shown)
    ledger_rule = CARD_HAND if campaign.dealt else None
    dealing = deal(
        drawer,
        count,
        deck,
        slot=slot,
        purpose=purpose,
        audience=NOBODY,
        by_ledger=ledger_rule,
        named=unseen_cards,
        form=FORM,
    )
    return (yield from dealing)


@decides
def draw_hand(draft: Draft, do: DrawHand) -> Asking[None]:
    """Draw the session's cards, some of which are kept."""
    char_id = do.character
    require(may_use_cards(draft, CARD_HAND))
    state, readers = draft.get_character(char_id), find_hand_readers(draft, char_id)
    require(may_draw_hand(draft, char_id))
    drawn_count, kept_count = count_hand(state)
    is_by_ledger = False
    if do.drawn is not None or do.kept is not None:
        require(may_draw_now(draft))
        drawn_cards = _read_typed(draft, tuple(do.drawn or ()), drawn_count, readers)
        kept_cards = _read_kept(
            drawn_cards,
            do.kept if do.kept is not None or drawn_count > kept_count else drawn_cards,
            kept_count,
            readers,
        )
    else:
        dealing = yield from ask_dealer(draft, character(char_id), drawn_count, "hand", "a hand of cards")
        drawn_cards = kept_cards = dealing.cards
        is_by_ledger = dealing.source == "ledger"
        if drawn_count > kept_count:
            purpose = f"which {kept_count} of these cards to keep: {', '.join(drawn_cards)}"
            shapes = (Shape(Keep, {"cards": Some(Among(drawn_cards), kept_count, kept_count)}),)
            answer = yield from ask(
                draft.table.owner(character(char_id)),
                Keep,
                slot=ASK_KEEP(),
                purpose=purpose,
                audience=readers,
                within=shapes,
            )
            try:
                kept_cards = _read_kept(drawn_cards, answer.cards, kept_count, readers)
            except Refused as refusal:
                raise Unfit(refusal.rule, refusal.code, audience=readers, **refusal.context) from None
    draft.about(
        char_id,
        CardsDrawn(draft.table.session or "", drawn_cards, readers or ()),
        holdings.make_posting(holdings.DECK, holdings.name_hand_account(char_id), drawn_count),
        audience=readers,
    )
    draft.tell(CAMPAIGN, DeckCut(drawn_cards, is_by_ledger), audience=NOBODY)
    discard_posting = holdings.make_posting(
        holdings.name_hand_account(char_id), holdings.DISCARD, drawn_count - kept_count
    )
    draft.about(char_id, CardsKept(kept_cards), discard_posting, audience=readers)
    draft.by(CARD_HAND, list(kept_cards), readers, drawn=list(drawn_cards))


def _read_typed(draft: Draft, cards: tuple[Sent, ...], count: int, readers: Audience) -> tuple[str, ...]:
    """Return cards that were drawn at the table. Refuses `wrong-draw-count`, `dealt-by-the-ledger`, `unknown-card`,
    `duplicate-card` and `card-shown`.

    A card in another character's hand is accepted, because a refusal would reveal that hand. If a card was typed twice,
    `DeckCounted` reports it at the end of the session.
    """
    if len(cards) != count:
        raise WRONG_DRAW_COUNT.under(CARD_HAND, expected=count, given=len(cards))
    if draft.get_campaign().dealt:
        raise DEALT_BY_THE_LEDGER()
    card_names = tuple(read_card(card, CARD_HAND) for card in cards)
    if len(set(card_names)) < len(card_names):
        raise DUPLICATE_CARD(readers, cards=list(card_names))
    for card in card_names:
        if card in draft.get_campaign().shown:
            raise CARD_SHOWN(card=card)
    return card_names


def _read_kept(
    drawn_cards: tuple[str, ...], kept_sent: Iterable[Sent] | None, kept_count: int, readers: Audience
) -> tuple[str, ...]:
    """Return the cards to keep. Refuses `wrong-keep-count`, `duplicate-card`, `card-not-in-hand`."""
    card_names = tuple(read_card(card, CARD_HAND) for card in kept_sent or ())
    if len(card_names) != kept_count:
        raise WRONG_KEEP_COUNT(expected=kept_count, given=len(card_names))
    if len(set(card_names)) < len(card_names):
        raise DUPLICATE_CARD(readers, cards=list(card_names))
    if Counter(card_names) - Counter(drawn_cards):
        raise Refused(CARD_HAND, CARD_NOT_IN_HAND.code, readers, cards=list(card_names))
    return card_names


@nobody_acts
@declares("draw-villains", GM, says="The villains draw {size:card|cards}.", records=(VillainsDrew, DeckCut))
class DrawVillains:
    """Draw cards for the most powerful villains of the scene, who share them."""

    size: Annotated[Positive, Says("Cards", "How many cards are drawn.")]
    drawn: CardNames | None = None


@decides
def draw_villains(draft: Draft, do: DrawVillains) -> Asking[None]:
    """Draw cards for the most powerful villains, who share them."""
    require(may_use_cards(draft, CARD_HAND))
    count = read_whole(do.size, WRONG_DRAW_COUNT, CARD_HAND, 1)
    place = draft.get_place()
    require(may_draw(draft, count, CARD_HAND))
    is_by_ledger = False
    if do.drawn is not None:
        require(may_draw_now(draft))
        drawn_cards = _read_typed(draft, tuple(do.drawn), count, GM_ONLY)
    else:
        dealing = yield from ask_dealer(draft, None, count, "villains", "the villains' cards")
        drawn_cards, is_by_ledger = dealing.cards, dealing.source == "ledger"
    posting = holdings.make_posting(holdings.DECK, holdings.name_villains_cards_account(place.id), count)
    draft.tell(place, VillainsDrew(drawn_cards), posting, audience=GM_ONLY)
    draft.tell(CAMPAIGN, DeckCut(drawn_cards, is_by_ledger), audience=NOBODY)
    draft.by(CARD_HAND, count, GM_ONLY)


@offers
def offer_draws(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer draws. The dealer's question asks for the cards, so typed cards are not part of the move."""
    offering = get_offering(seen, draft)
    if not (offering.has_cards and can_deal(seen)):
        return
    if able_ids := tuple(char_id for char_id in offering.active_ids if may_draw_hand(draft, char_id) is None):
        yield Move(DrawHand, {"character": Among(able_ids)})
    if offering.scene is not None and may_draw(draft, 1, CARD_HAND) is None:
        yield Move(DrawVillains, {"size": Between(1, count_drawable(draft))})


def can_deal(seen: Seen) -> bool:
    """Return whether cards can be dealt: not while another player has to choose which to keep."""
    return not seen.has_begun(DrawHand)
