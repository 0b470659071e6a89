"""What results can be chosen: each as it can befall whom."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import OPEN, Among, Domain, Either, Shape, Some
from ledger.rules.kernel.refusals import Refused
from ledger.rules.scattershot.at_hand import NONE, AtHand, some
from ledger.rules.scattershot.inputs_of_outcomes import Result
from ledger.rules.scattershot.results import protection
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
    readable = _readable(at, actor) if actor is not None and actor in at.known else ()
    for target in at.known:
        if not _may_befall(at, one, target):
            continue
        whom: dict[str, Domain] = {**ANYHOW, "character": Among((None, target) if target == other else (target,))}
        if remaining >= 0 and at.on_chart(remaining, "bonus"):
            yield Shape(Result, {**whom, "result": Among(("residual",)), "sign": Among((1, -1))})
        if actor is not None and actor in at.known:
            yield from _damage(at, whom, readable, target)
            unsaid = one.deed.magnitude in readable
            magnitudes = (None, *readable) if unsaid else readable
            yield from _factors(at, whom, magnitudes, target, remaining)


def _may_befall(at: AtHand, one: Resolution, id: str) -> bool:
    """`engage.player`: who is Engaged, oneself, or one's own; whoever it is where a Gamemaster says so, or by a plot
    device."""
    return at.rules or one.actor is None or id == one.actor or id in one.engaged or at.draft.owner(id) == at.by


def _readable(at: AtHand, actor: str) -> tuple[str, ...]:
    """Ratings of the Actor for which the chart has a Multiplier."""
    ratings = at.draft.who(actor).ratings.items()
    return tuple(name for name, one in ratings if at.on_chart(one.value, "multiplier"))


def _damage(at: AtHand, whom: dict[str, Domain], readable: tuple[str, ...], target: str) -> Iterator[Shape]:
    """`damage.protection`: all that is worn; or what its wearer's Player, or a Gamemaster, lets count."""
    who = at.draft.who(target)
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
    damage["weapon"] = at.weapons(counts=True)
    yield Shape(Result, {**whom, **damage, "result": Among(("damage",))})


def _factors(
    at: AtHand, whom: dict[str, Domain], magnitudes: tuple[str | None, ...], target: str, remaining: int
) -> Iterator[Shape]:
    """`result.factor`: any Resource it has, by a Magnitude; nothing is read where the number is below 0."""
    resources = tuple(at.draft.who(target).resources)
    if resources and (magnitudes or remaining < 0):
        magnitude: Domain = OPEN if remaining < 0 else Among(magnitudes)
        factor: dict[str, Domain] = {"resource": Among(resources), "magnitude": magnitude}
        yield Shape(Result, {**whom, **factor, "result": Among(("factor",))})
