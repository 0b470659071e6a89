"""What can be declared in a resolution until the totals are called: answers, modifiers, rolls."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import OPEN, Among, Domain, Move, Shape, Some
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.at_hand import FACE, MODIFIERS, TWO_D10, WHOLE, YES, AtHand
from ledger.rules.scattershot.engaging import can_pay
from ledger.rules.scattershot.inputs_of_deeds import (
    AnswerEngagement,
    ApplyModifier,
    CloseDecision,
    CloseOpportunity,
    ExtraDie,
    ReactOffGuard,
    ReplaceRoll,
    RollMib,
)
from ledger.rules.scattershot.opposing import opposing
from ledger.rules.scattershot.state import Resolution
from ledger.rules.scattershot.terms import ACTOR

PHASES, ANSWER, ROLL = "scattershot.resolve.phases", "scattershot.engage.player", "scattershot.mib.basic"


def of_resolutions(at: AtHand) -> Iterator[Move]:
    for id, one in at.scene.resolutions.items() if at.scene is not None else ():
        if one.phase == "opportunity":
            yield from _opportunity(at, id, one)
        elif one.phase == "decision":
            yield from _decision(at, id, one)


# --- the Opportunity Phase -------------------------------------------------------------------------------------------


def _opportunity(at: AtHand, id: str, one: Resolution) -> Iterator[Move]:
    resolution: dict[str, Domain] = {"resolution": Among((id,))}
    yield Move(ApplyModifier, {**resolution, "amount": WHOLE, "side": Among(tuple(one.sides))})
    for who, stance in one.engaged.items():
        if stance in ("opposing", "passive") or who not in at.known:
            continue
        engaged: dict[str, Domain] = {**resolution, "character": Among((who,))}
        awaits = ANSWER if stance != "off-guard" else None
        yield Move(AnswerEngagement, engaged, awaits, who)
        if at.mine((who,)):
            if stance != "obliged" or not can_pay(at.draft, who):
                yield Move(AnswerEngagement, {**engaged, "passive": YES}, of=who)
            yield from _reaction(at, engaged, who) if stance == "off-guard" else _opposing(at, engaged, who, one)
    if not any(stance in ("asked", "obliged") for stance in one.engaged.values()):
        yield Move(CloseOpportunity, resolution, PHASES, one.actor)


def _opposing(at: AtHand, engaged: dict[str, Domain], id: str, one: Resolution) -> Iterator[Move]:
    for said in opposing(at, id, one):
        yield Move(AnswerEngagement, {**engaged, "passive": OPEN, "oppose": said}, ANSWER, id)


def _reaction(at: AtHand, engaged: dict[str, Domain], id: str) -> Iterator[Move]:
    """`engage.off-guard`: with dice of one's own, as far as there are some."""
    if at.scene is None or at.scene.mode == "general":
        return
    dice = _own_dice(at, at.draft.owner(id))
    extra = Shape(ExtraDie, {"face": FACE, "sign": Among((1, -1))})
    rolled: Domain = Some(extra, 0, dice, repeats=True) if dice != 0 else Among(((),))
    fields: dict[str, Domain] = {"faces": TWO_D10, "modifiers": MODIFIERS, "experience": rolled}
    yield Move(ReactOffGuard, {**engaged, **fields}, of=id)


def _own_dice(at: AtHand, player: str) -> int | None:
    """How many a Player can roll into a Reaction; None: without limit."""
    if at.draft.mode() == "solo" or player not in at.group:
        return 0
    if not at.draft.is_gm(player):
        return max(0, at.balance(accounts.purse(player)))
    if at.dials.gm_dice != "stock":
        return 0
    return max(0, at.in_stock) if at.in_stock is not None else None


# --- the Decision Phase ----------------------------------------------------------------------------------------------


def _decision(at: AtHand, id: str, one: Resolution) -> Iterator[Move]:
    resolution: dict[str, Domain] = {"resolution": Among((id,))}
    missing = [name for name, side in one.sides.items() if not side.dice and not side.replaced]
    if one.actor is None or not missing:
        yield Move(CloseDecision, resolution, "scattershot.mib.close", one.actor)
        return
    mode = at.draft.mode()
    for name in missing:
        roller = one.actor if name == ACTOR else name
        fields: dict[str, Domain] = {**resolution, "roll": Among((name,))}
        seats = tuple(dict.fromkeys((one.sides[name].player, *at.speak_for(roller))))
        if mode != "general":
            yield Move(RollMib, {**fields, "faces": TWO_D10}, ROLL, roller, seats)
        if at.dials.preempt == "replace" and mode != "mechanical" and one.sides[name].dice_rolled:
            yield Move(ReplaceRoll, fields, of=roller, seats=seats)
