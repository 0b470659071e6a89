"""What can be declared about Characters: what they lose and get back, what is noted of them."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import OPEN, Among, Besides, Between, Domain, Move
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.at_hand import NO, SAID, WHOLE, YES, AtHand, grouped, some
from ledger.rules.scattershot.guards import rating_of
from ledger.rules.scattershot.inputs_of_characters import (
    EndResidual,
    LimitInWords,
    LimitPoints,
    ListDamage,
    PlaceResidual,
    RestoreResource,
    RuleFightLeft,
    SetOffGuard,
    SpendPower,
    UseResource,
)
from ledger.rules.scattershot.moves_of_evolving import of_evolving
from ledger.rules.scattershot.tables import TOO_SOON

JUNCTURES = ("telling-blow", "catastrophic-failure")


def of_characters(at: AtHand) -> Iterator[Move]:
    yield from _limits(at)
    if at.known:
        yield from _noted(at)
        yield from _power(at)
        yield from _rulings(at)
        yield from of_evolving(at)


def _limits(at: AtHand) -> Iterator[Move]:
    """`persona.no-cap`: on oneself; or agreed, on whoever is asked. What they said a Gamemaster can record."""
    whose: list[dict[str, Domain]] = [{"player": Among((None, at.by)), "agreed": OPEN}]
    others = tuple(one for one in at.players if one != at.by)
    if others:
        whose.append({"player": Among(others), "agreed": YES})
    for one in whose:
        yield Move(LimitPoints, {"limit": WHOLE, "claimed": NO, **one})
        yield Move(LimitInWords, {"words": SAID, "claimed": NO, **one})
        if at.rules:
            yield Move(LimitInWords, {"words": SAID, "claimed": YES, "reason": SAID, **one})
            yield Move(LimitPoints, {"limit": WHOLE, "claimed": YES, "reason": SAID, **one})


def _noted(at: AtHand) -> Iterator[Move]:
    """`damage.table`: by anybody; `engage.off-guard`: by who plays the Character."""
    able = tuple(id for id in at.known if _has_damage(at, id))
    if able:
        yield Move(ListDamage, {"character": Among(able), "weapon": at.weapons(counts=False)})
    if mine := at.mine(at.known):
        towards = some(at.known)
        fields: dict[str, Domain] = {"towards": towards, "all_but": Among((None, *at.known))}
        yield Move(SetOffGuard, {"character": Among(mine), **fields})


def _has_damage(at: AtHand, id: str) -> bool:
    strength = rating_of(at.draft.who(id), "strength")
    return strength is not None and at.on_chart(strength, "multiplier")


def _power(at: AtHand) -> Iterator[Move]:
    """`resource.power`: no more than there is."""
    mine = at.mine(at.known)
    for held, those in grouped(mine, lambda id: max(0, at.balance(accounts.resource(id, "power")))):
        yield Move(SpendPower, {"character": those, "amount": Between(0, held)})
    if mine:
        yield Move(SpendPower, {"character": Among(mine), "amount": OPEN, "missed_by": WHOLE})


def _rulings(at: AtHand) -> Iterator[Move]:
    """What a Gamemaster rules."""
    if not at.seen.decides:
        return
    draft, everybody = at.draft, Among(at.known)
    for own, those in grouped(at.known, lambda id: tuple(draft.who(id).resources) or None):
        yield Move(RestoreResource, {"character": those, "resource": Among(own), "amount": Between(1)})
    for ratings, those in grouped(at.known, lambda id: _not_yet(at, id) or None):
        yield Move(UseResource, {"character": those, "rating": Among(ratings)})
    beaten = tuple(id for id in at.known if draft.who(id).fights_on is None and at.left_of(id, "hit-points") <= 0)
    if beaten:
        yield Move(RuleFightLeft, {"character": Among(beaten), "reason": SAID})
    lasting: dict[str, Domain] = {"character": everybody, "amount": WHOLE}
    yield Move(PlaceResidual, {**lasting, "source": Besides(JUNCTURES)})
    yield Move(PlaceResidual, {**lasting, "source": Among(JUNCTURES), "until": Besides(TOO_SOON)})
    for id in at.known:
        if placed := tuple(one.residual for one in draft.who(id).residuals):
            yield Move(EndResidual, {"character": Among((id,)), "residual": Among(placed)})


def _not_yet(at: AtHand, id: str) -> tuple[str, ...]:
    """Ratings that are no Resources."""
    who = at.draft.who(id)
    return tuple(name for name in who.ratings if name not in who.resources)
