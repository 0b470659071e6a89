"""Cards outside of rolls: hands, cards as beads, shifting beads (headings "Cards", "Cards as Beads")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ledger.rules.kernel.moves import Among, Shape, Some
from ledger.rules.kernel.questions import Asking, Drawn, ask, deal
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import CAMPAIGN, GM_ONLY, Audience, Subject, character
from ledger.rules.moc import (
    accounts,
    facts_of_campaign,
    facts_of_modifiers,
    guards,
    inputs_of_modifiers,
    numbers,
    terms,
)
from ledger.rules.moc.choices import Discard, Keep
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.terms import DECK, GONE, Number, half_up

NOBODY: Audience = ()
#: How a card is written.
FORM = "2 to 10, J, Q, K or A, and C, D, S or H: 8C, 10H, AS"


def _typed(draft: Draft, cards: tuple[Number, ...], count: int, seen: Audience) -> tuple[str, ...]:
    """Cards drawn at the table. Refuses `wrong-draw-count`, `dealt-by-the-ledger`, `unknown-card`, `duplicate-card`,
    and `card-shown`: a card that everybody has seen, in the same way for everybody.

    Whether a card that somebody has not seen is out already is not asked: the refusal would tell what others hold. A
    deck that the table has in its hands cannot deal one twice; where it was typed in twice, the end of the session
    tells (`DeckCounted`).
    """
    rule = "moc.card.hand"
    if len(cards) != count:
        raise Refused(rule, "wrong-draw-count", expected=count, given=len(cards))
    if draft.campaign().dealt:
        raise Refused(rule, "dealt-by-the-ledger")
    named = tuple(guards.named_card(one, rule) for one in cards)
    if len(set(named)) < len(named):
        raise Refused(rule, "duplicate-card", audience=seen, cards=list(named))
    for card in named:
        if card in draft.campaign().shown:
            raise Refused("moc.card.once", "card-shown", card=card)
    return named


def _nobody_else_draws(draft: Draft) -> None:
    """Who has been dealt cards and has not said yet which to keep holds them: nobody else is dealt the same.

    Refuses `draw-underway`.
    """
    if any(one.answered and isinstance(one.do, inputs_of_modifiers.DrawHand) for one in draft.table.underway()):
        raise Refused("moc.card.hand", "draw-underway")


def dealt(draft: Draft, who: Subject | None, count: int, slot: str, purpose: str) -> Asking[Drawn]:
    """Cards of what is left of the deck, which nobody sees. Once the ledger has dealt in a session, it goes on.

    Typed in they are any cards that not everybody has seen, as in `_typed`.
    """
    _nobody_else_draws(draft)
    campaign = draft.campaign()
    rest = tuple(card for card in DECK if card not in set(campaign.out))
    unseen = tuple(card for card in DECK if card not in campaign.shown)
    by_ledger = "moc.card.hand" if campaign.dealt else None
    dealing = deal(
        who, count, rest, slot=slot, purpose=purpose, audience=NOBODY, by_ledger=by_ledger, named=unseen,
        form=FORM,
    )  # fmt: skip
    return (yield from dealing)


def draw_hand(draft: Draft, do: inputs_of_modifiers.DrawHand) -> Asking[None]:
    """`moc.card.hand`: a session's cards, some of which are kept."""
    rule, id = "moc.card.hand", do.character
    guards.no_cards(draft, rule)
    who, seen = draft.who(id), draft.sees_hand(id)
    if who.villain:
        raise Refused(rule, "villains-share-cards", character=id)
    session = draft.table.session or ""
    if who.drawn == session:
        raise Refused(rule, "already-drawn", character=id)
    wild = who.archetype == "wildcard"
    fate, fortune = who.counts.get("hand-of-fate", 0), who.counts.get("fortune", 0)
    drawing, keeping = (4 if wild else 2) + fate + fortune, (3 if wild else 2) + fate
    if draft.drawable() < drawing:
        raise Refused(rule, "deck-empty")
    by_ledger = False
    if do.drawn is not None or do.kept is not None:
        _nobody_else_draws(draft)
        drawn = _typed(draft, tuple(do.drawn or ()), drawing, seen)
        kept = _kept(drawn, do.kept if do.kept is not None or drawing > keeping else drawn, keeping, seen)
    else:
        dealing = yield from dealt(draft, character(id), drawing, "hand", "a hand of cards")
        drawn = kept = dealing.cards
        by_ledger = dealing.source == "ledger"
        if drawing > keeping:
            purpose = f"which {keeping} of these cards to keep: {', '.join(drawn)}"
            within = (Shape(Keep, {"cards": Some(Among(drawn), keeping, keeping)}),)
            said = yield from ask(
                draft.table.owner(character(id)), Keep, slot="keep", purpose=purpose, audience=seen, within=within
            )
            try:
                kept = _kept(drawn, said.cards, keeping, seen)
            except Refused as no:
                raise Unfit(no.rule, no.code, audience=seen, **no.context) from None
    draft.about(
        id,
        facts_of_modifiers.CardsDrawn(session, drawn, seen or ()),
        accounts.move(accounts.DECK, accounts.hand(id), drawing),
        audience=seen,
    )
    draft.tell(CAMPAIGN, facts_of_campaign.DeckCut(drawn, by_ledger), audience=NOBODY)
    thrown = accounts.move(accounts.hand(id), accounts.DISCARD, drawing - keeping)
    draft.about(id, facts_of_modifiers.CardsKept(kept), thrown, audience=seen)
    draft.by(rule, list(kept), seen, drawn=list(drawn))


def _kept(drawn: tuple[str, ...], kept: Iterable[Number] | None, keeping: int, seen: Audience) -> tuple[str, ...]:
    """Refuses `wrong-keep-count`, `duplicate-card`, `card-not-in-hand`."""
    named = tuple(guards.named_card(one, "moc.card.hand") for one in kept or ())
    if len(named) != keeping:
        raise Refused("moc.card.hand", "wrong-keep-count", expected=keeping, given=len(named))
    if len(set(named)) < len(named):
        raise Refused("moc.card.hand", "duplicate-card", audience=seen, cards=list(named))
    if Counter(named) - Counter(drawn):
        raise Refused("moc.card.hand", "card-not-in-hand", audience=seen, cards=list(named))
    return named


def draw_villains(draft: Draft, do: inputs_of_modifiers.DrawVillains) -> Asking[None]:
    """`moc.card.hand`: the most powerful villains share a pool."""
    rule = "moc.card.hand"
    guards.no_cards(draft, rule)
    size = terms.whole(do.size, "wrong-draw-count", rule, 1)
    place = draft.place()
    if draft.drawable() < size:
        raise Refused(rule, "deck-empty")
    by_ledger = False
    if do.drawn is not None:
        _nobody_else_draws(draft)
        drawn = _typed(draft, tuple(do.drawn), size, GM_ONLY)
    else:
        said = yield from dealt(draft, None, size, "villains", "the villains' cards")
        drawn, by_ledger = said.cards, said.source == "ledger"
    moved = accounts.move(accounts.DECK, accounts.villains(place.id), size)
    draft.tell(place, facts_of_modifiers.VillainsDrew(drawn), moved, audience=GM_ONLY)
    draft.tell(CAMPAIGN, facts_of_campaign.DeckCut(drawn, by_ledger), audience=NOBODY)
    draft.by(rule, size, GM_ONLY)


def _own(draft: Draft, id: str, card: Number, rule: str) -> str:
    """A card of one's own hand. The villains' pool is for dice, trumps and beads."""
    named = guards.held(draft, id, card, rule)
    if named not in draft.who(id).hand:
        raise Refused(rule, "card-not-in-hand", audience=draft.sees_held(id), card=named)
    return named


def exchange(draft: Draft, do: inputs_of_modifiers.ExchangeCard) -> None:
    """`moc.card.to-beads`: more of them before a scene."""
    rule, id = "moc.card.to-beads", do.character
    card = guards.held(draft, id, do.card, rule)
    element = guards.suit_of(draft, id, card, do.element, "moc.card.class")
    before = draft.campaign().phase == "interval"
    beads = numbers.card_beads(card, before, draft.dials.pre_scene_card == "flat_two")
    moved = accounts.move(accounts.hand(id), accounts.DISCARD, 1)
    gained = accounts.move(accounts.SOURCE, accounts.bead(id, element), beads)
    if card in draft.who(id).hand:
        draft.about(id, facts_of_modifiers.CardExchangedForBeads(card, element, beads), moved, gained)
        draft.show(card)
    else:
        draft.discard(id, card)
        draft.about(id, facts_of_modifiers.VillainCardExchanged(card, element, beads), gained)
    draft.by(rule, beads, card=card, before_scene=before)


def shift(draft: Draft, do: inputs_of_modifiers.ShiftBeads) -> None:
    """`moc.card.shift`."""
    rule, id = "moc.card.shift", do.character
    card = _own(draft, id, do.card, rule)
    guards.in_interval(draft, rule)
    source, target = terms.element(do.source, rule), terms.element(do.target, rule)
    count = terms.whole(do.count, "negative-beads", rule)
    if source == target:
        raise Refused(rule, "same-element", element=source)
    if count == 0:
        raise Refused(rule, "no-beads-played", card=card)
    most = half_up(numbers.card_value(card))
    if count > most:
        raise Refused(rule, "shift-too-large", most=most, count=count)
    guards.has_beads(draft, id, source, count, rule)
    moved = accounts.move(accounts.bead(id, source), accounts.bead(id, target), count)
    used = accounts.move(accounts.hand(id), accounts.DISCARD, 1)
    draft.about(id, facts_of_modifiers.CardShiftedBeads(card, source, target, count), used, moved)
    draft.show(card)
    draft.by(rule, most, card=card, count=count)


def force_discard(draft: Draft, do: inputs_of_modifiers.ForceDiscard) -> Asking[None]:
    """`moc.adv.effect`: once a session others discard as many cards as were agreed, each of its own choice."""
    rule, id = "moc.adv.effect", do.character
    guards.no_cards(draft, rule)
    number, targets = check_forced(draft, id, do.trait, do.target)
    for target in targets:
        seen, whose = draft.sees_held(target), draft.table.owner(character(target))
        for place in range(min(number, len(draft.who(target).hand))):
            within = (Shape(Discard, {"card": Among(tuple(draft.who(target).hand))}),)
            said = yield from ask(
                whose, Discard, slot=f"discard:{target}:{place}", purpose="a card to discard", audience=seen,
                within=within,
            )  # fmt: skip
            if said.card not in draft.who(target).hand:
                raise Unfit(rule, "card-not-in-hand", audience=seen, card=said.card)
            draft.discard(target, said.card, audience=seen)
    draft.about(id, facts_of_modifiers.DiscardForced(do.trait, targets, number))
    draft.by(rule, number, does="forced-discard")


def check_forced(draft: Draft, id: str, trait: str, target: str) -> tuple[int, tuple[str, ...]]:
    """How many cards, and who throws them away. Refuses `discard-not-available`, `card-not-in-hand`."""
    rule, told = "moc.adv.effect", draft.who(id).traits.get(trait)
    able = told is not None and (told.stage, told.does) == ("approved", "forced-discard")
    if told is None or not able or draft.who(id).used.get(f"forced-discard-{trait}:session"):
        raise Refused(rule, "discard-not-available", character=id)
    named = (target,) if told.of == "one" else tuple(one.id for one in draft.table.subjects("character"))
    if told.of == "one":
        guards.in_play(draft, target)
    others = (one for one in named if one != id and draft.who(one).status not in GONE)
    holding = tuple(one for one in others if draft.balance(accounts.hand(one)) > 0)
    if not holding or (told.of == "all" and target):
        if target:
            raise Refused(rule, "card-not-in-hand", target=target)
        raise Refused(rule, "card-not-in-hand", who="other character")
    return told.number, holding


def vortex(draft: Draft, do: inputs_of_modifiers.ForceVortex) -> Asking[None]:
    """Once a session an opponent discards a card of its choice."""
    rule, id = "moc.card.hand", do.character
    guards.no_cards(draft, rule)
    who, target = draft.who(id), draft.who(do.target)
    if who.used.get("vortex:session", 0) >= who.counts.get("vortex", 0):
        raise Refused(rule, "vortex-not-available", character=id)
    guards.in_play(draft, do.target)
    if do.target == id or not target.hand:
        raise Refused(rule, "card-not-in-hand", target=do.target)
    seen = draft.sees_held(do.target)
    said = yield from ask(
        draft.table.owner(character(do.target)), Discard, slot="discard", purpose="a card to discard", audience=seen,
        within=(Shape(Discard, {"card": Among(tuple(target.hand))}),),
    )  # fmt: skip
    if said.card not in target.hand:
        raise Unfit(rule, "card-not-in-hand", audience=seen, card=said.card)
    draft.about(id, facts_of_modifiers.VortexForced(do.target))
    draft.by(rule, "vortex", target=do.target)
    draft.discard(do.target, said.card, audience=seen)
