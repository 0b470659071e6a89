"""What results can be chosen: each as it can befall whom."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import OPEN, Among, Domain, Either, Shape, Some
from ledger.rules.kernel.refusals import Refused
from ledger.rules.scattershot.at_hand import NONE, AtHand, some
from ledger.rules.scattershot.chart import facet
from ledger.rules.scattershot.guards import rating_of
from ledger.rules.scattershot.inputs_of_outcomes import Result
from ledger.rules.scattershot.results import multiplier, protection
from ledger.rules.scattershot.state import Reached, Resolution
from ledger.rules.scattershot.terms import ACTOR

ANYHOW: dict[str, Domain] = dict.fromkeys(("character", "weapon", "protection", "resource", "magnitude", "sign"), OPEN)


def results(at: AtHand, one: Resolution, reached: Reached, side: str, remaining: int) -> Domain:
    """`result.choose`: any number of these."""
    return Some(Either(tuple(_each(at, one, reached, side, remaining))), repeats=True)


def _each(at: AtHand, one: Resolution, reached: Reached, side: str, remaining: int) -> Iterator[Shape]:
    yield Shape(Result, {**ANYHOW, "result": Among(("scalar",))})
    other = (reached.resistor if reached.resistor is not None else one.subject) if side == ACTOR else one.actor
    actor = one.actor if side == ACTOR else side
    for target in at.known:
        if not _may_befall(at, one, target):
            continue
        whom: dict[str, Domain] = {**ANYHOW, "character": Among((None, target) if target == other else (target,))}
        if remaining >= 0 and _has_bonus(at, remaining):
            yield Shape(Result, {**whom, "result": Among(("residual",)), "sign": Among((1, -1))})
        if actor is not None and actor in at.known:
            yield from _damage(at, whom, actor, target)
            yield from _factors(at, whom, one, actor, target, remaining)


def _may_befall(at: AtHand, one: Resolution, id: str) -> bool:
    """`engage.player`: who is Engaged, oneself, or one's own; whoever it is where a Gamemaster says so, or by a plot
    device."""
    return at.rules or one.actor is None or id == one.actor or id in one.engaged or at.draft.owner(id) == at.by


def _readable(at: AtHand, actor: str) -> tuple[str, ...]:
    """Ratings of the Actor for which the chart has a Multiplier."""
    who = at.draft.who(actor)
    found = []
    for name in who.ratings:
        try:
            multiplier(at.draft, who, name)
        except Refused:
            continue
        found.append(name)
    return tuple(found)


def _damage(at: AtHand, whom: dict[str, Domain], actor: str, target: str) -> Iterator[Shape]:
    """`damage.protection`: all that is worn; or what its wearer's Player, or a Gamemaster, lets count."""
    who, readable = at.draft.who(target), _readable(at, actor)
    if "hit-points" not in who.resources or not readable:
        return
    try:
        protection(at.draft, who, None)
    except Refused:
        return
    pieces = tuple(dict.fromkeys(piece.name for piece in who.protection))
    every = Some(Among(pieces), len(pieces), None, pieces, repeats=True) if pieces else Among(((),))
    counted = some(pieces) if at.mine((target,)) else every
    magnitude = Among((None, *readable) if "strength" in readable else readable)
    damage: dict[str, Domain] = {"protection": Either((NONE, counted)), "magnitude": magnitude}
    yield Shape(Result, {**whom, **damage, "result": Among(("damage",))})


def _factors(
    at: AtHand, whom: dict[str, Domain], one: Resolution, actor: str, target: str, remaining: int
) -> Iterator[Shape]:
    """`result.factor`: any Resource it has, by a Magnitude; nothing is read where the number is below 0."""
    resources = tuple(at.draft.who(target).resources)
    readable = _readable(at, actor)
    unsaid = rating_of(at.draft.who(actor), one.deed.magnitude) is not None and one.deed.magnitude in readable
    magnitude: Domain = OPEN if remaining < 0 else Among((None, *readable) if unsaid else readable)
    if resources and magnitude != Among(()):
        factor: dict[str, Domain] = {"resource": Among(resources), "magnitude": magnitude}
        yield Shape(Result, {**whom, **factor, "result": Among(("factor",))})


def _has_bonus(at: AtHand, remaining: int) -> bool:
    try:
        facet(at.dials, remaining, "bonus")
    except Refused:
        return False
    return True
