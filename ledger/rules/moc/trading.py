"""Cards that change hands (heading "Card affecting Advantages/Disadvantages")."""

from __future__ import annotations

from ledger.rules.kernel.moves import Among, Shape
from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import character
from ledger.rules.moc import accounts, facts_told, guards, inputs_of_modifiers
from ledger.rules.moc.choices import Agree, AgreeFor, Decline, Give
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.negotiating import CARD_TRADE

RULE = "moc.card.trade"


def trade(draft: Draft, do: inputs_of_modifiers.TradeCards) -> Asking[None]:
    """`moc.card.trade`: with an Advantage for it, and the other's consent. What changes hands only the two know."""
    one, other = do.character, do.target
    guards.no_cards(draft, RULE)
    allowed = _advantage(draft, one)
    if one == other:
        raise Refused(RULE, "same-character", character=one)
    guards.in_play(draft, other)
    for id in (one, other):
        if draft.who(id).villain:
            raise Refused(RULE, "villains-share-cards", character=id)
        if not draft.balance(accounts.hand(id)):
            raise Refused(RULE, "no-card-held", character=id)
    purpose = (
        f"{draft.table.name(character(one))} wants to trade a card for one of {draft.table.name(character(other))}'s"
    )
    said = yield from ask(draft.table.owner(character(other)), Agree, AgreeFor, Decline, slot="agree", purpose=purpose)
    if isinstance(said, AgreeFor) and not said.reason.strip():
        raise Unfit(RULE, "no-reason")
    if isinstance(said, Decline):
        draft.about(one, facts_told.TradeDeclined(other))
        draft.by(RULE, 0, by=allowed)
        return
    given, gained = (yield from _given(draft, one)), (yield from _given(draft, other))
    draft.about(one, facts_told.CardsTraded(other, allowed))
    for id, out, back, to in ((one, given, gained, other), (other, gained, given, one)):
        moved = accounts.move(accounts.hand(id), accounts.hand(to), 1)
        draft.about(id, facts_told.CardSwapped(out, back), moved, audience=draft.sees_held(id))
    draft.by(RULE, 1, by=allowed)


def _advantage(draft: Draft, id: str) -> str:
    """The id of the approved Advantage. Refuses `advantage-needed`."""
    traits = draft.who(id).traits.items()
    found = next((trait for trait, one in traits if one.stage == "approved" and one.allows == CARD_TRADE), None)
    if found is None:
        raise Refused(RULE, "advantage-needed", character=id, allows=CARD_TRADE)
    return found


def _given(draft: Draft, id: str) -> Asking[str]:
    """The card that its player names, who alone sees the hand. Unfit: `card-not-in-hand`."""
    seen, whose = draft.sees_held(id), draft.table.owner(character(id))
    within = (Shape(Give, {"card": Among(tuple(draft.who(id).hand))}),)
    purpose = "the card to give away"
    said = yield from ask(whose, Give, slot=f"give:{id}", purpose=purpose, audience=seen, within=within)
    named = str(said.card).upper()
    if named not in draft.who(id).hand:
        raise Unfit(RULE, "card-not-in-hand", audience=seen, card=named)
    return named
