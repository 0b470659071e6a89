"""Cards that change hands (heading "Card affecting Advantages/Disadvantages")."""

from __future__ import annotations

from typing import Any

from ledger.rules.kernel.contract import Table, Verdict
from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import character
from ledger.rules.moc import accounts, facts, inputs
from ledger.rules.moc.choices import Agree, AgreeFor, Decline, Give
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.ground import Ruling
from ledger.rules.moc.negotiating import CARD_TRADE

RULE = "moc.card.trade"


def trade(table: Table[Dials], do: inputs.TradeCards) -> Asking[Verdict[Any]]:
    """`moc.card.trade`: with an Advantage for it, and the other's consent. What changes hands only the two know."""
    ruling, one, other = Ruling(table), do.character, do.target
    ruling.no_cards(RULE)
    allowed = _advantage(ruling, one)
    if one == other:
        raise Refused(RULE, "same-character", character=one)
    ruling.in_play(other)
    for id in (one, other):
        if ruling.who(id).villain:
            raise Refused(RULE, "villains-share-cards", character=id)
        if not ruling.balance(accounts.hand(id)):
            raise Refused(RULE, "no-card-held", character=id)
    purpose = f"{table.name(character(one))} trades a card for one of {table.name(character(other))}'s"
    said = yield from ask(table.owner(character(other)), Agree, AgreeFor, Decline, slot="agree", purpose=purpose)
    if isinstance(said, AgreeFor) and not said.reason.strip():
        raise Unfit(RULE, "no-reason")
    if isinstance(said, Decline):
        ruling.about(one, facts.TradeDeclined(other))
        ruling.by(RULE, 0, by=allowed)
        return ruling.verdict()
    given, gained = (yield from _given(ruling, one)), (yield from _given(ruling, other))
    ruling.about(one, facts.CardsTraded(other, allowed))
    for id, out, back, to in ((one, given, gained, other), (other, gained, given, one)):
        moved = accounts.move(accounts.hand(id), accounts.hand(to), 1)
        ruling.about(id, facts.CardSwapped(out, back), moved, audience=ruling.sees_hand(id))
    ruling.by(RULE, 1, by=allowed)
    return ruling.verdict()


def _advantage(ruling: Ruling, id: str) -> str:
    """The id of the approved Advantage. Refuses `advantage-needed`."""
    traits = ruling.who(id).traits.items()
    found = next((trait for trait, one in traits if one.stage == "approved" and one.allows == CARD_TRADE), None)
    if found is None:
        raise Refused(RULE, "advantage-needed", character=id, allows=CARD_TRADE)
    return found


def _given(ruling: Ruling, id: str) -> Asking[str]:
    """The card that its player names, who alone sees the hand. Unfit: `card-not-in-hand`."""
    seen, whose = ruling.sees_hand(id), ruling.table.owner(character(id))
    said = yield from ask(whose, Give, slot=f"give:{id}", purpose="the card that is given away", audience=seen)
    named = str(said.card).upper()
    if named not in ruling.who(id).hand:
        raise Unfit(RULE, "card-not-in-hand", audience=seen, card=named)
    return named
