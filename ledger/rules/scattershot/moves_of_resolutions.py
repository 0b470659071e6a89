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
    Oppose,
    ReactOffGuard,
    ReplaceRoll,
    RollMib,
)
from ledger.rules.scattershot.melee import is_anothers_turn
from ledger.rules.scattershot.moves_of_deeds import (
    Way,
    able,
    defaulted,
    fit,
    free_kinds,
    in_the_flurry,
    named,
    usable,
)
from ledger.rules.scattershot.state import Resolution
from ledger.rules.scattershot.tables import MOST_FORFEITS
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
    """`engage.player`: with a Rating it can use, paid for in Mechanical Play."""
    for way in _ways(at, id, one):
        ratings = usable(at, id, way.at_once)
        said: dict[str, Domain] = {**named(at, id), "nature": Among(way.natures), **way.fields}
        shapes: list[Shape] = []
        if ratings:
            shapes.append(Shape(Oppose, {**said, "rating": Among(ratings)}))
        if defaults := defaulted(at, id, ratings, False):
            shapes.append(Shape(Oppose, {**said, "rating": OPEN, "default": defaults}))
        for shape in shapes:
            yield Move(AnswerEngagement, {**engaged, "passive": OPEN, "oppose": shape}, ANSWER, id)


def _ways(at: AtHand, id: str, one: Resolution) -> Iterator[Way]:
    """`mech.forfeit`: an Action of the next Turn, a Free Action, or a step of the Flurry under way."""
    natures = able(at, id)
    if not at.fights:
        yield Way(natures, {"pays": OPEN, "free": OPEN}, True)
        return
    fight = at.fight_of(id)
    if fight is None:
        return
    standing, own_turn = fight.standing[id], fight.turn == id
    forfeits = is_anothers_turn(at.draft, id) and standing.forfeited < MOST_FORFEITS
    if forfeits and (fitting := fit(standing, id, natures, "forfeit")):
        yield Way(fitting, {"pays": Among(("forfeit",)), "free": OPEN}, own_turn)
    kinds, fitting = free_kinds(at, standing), fit(standing, id, natures, "free")
    accepted = tuple(kind for kind in kinds if kind in at.draft.campaign().free_actions)
    if kinds and (others := tuple(nature for nature in fitting if nature != "attack")):
        yield Way(others, {"pays": Among(("free",)), "free": Among(kinds)}, own_turn)
    if accepted and "attack" in fitting:
        yield Way(("attack",), {"pays": Among(("free",)), "free": Among(accepted)}, own_turn)
    if fitting := in_the_flurry(at, id, standing, natures, one):
        yield Way(fitting, {"pays": Among(("flurry",)), "free": OPEN}, True)


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
