"""What the consequences of a Critical Juncture can be: its Points and its excess, divided. 3.7."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ledger.rules.kernel.moves import Among, Besides, Between, Domain, Either, Row, Shape, Some
from ledger.rules.scattershot.advantage import room_for
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_deeds import Juncture
from ledger.rules.scattershot.inputs_of_outcomes import Consequences, Gained, Residual
from ledger.rules.scattershot.tables import TOO_SOON

FEW = 3  # points of which every division is offered; of more only those into alike parts


def divided(draft: Draft, juncture: Juncture) -> tuple[Shape, ...]:
    """The Points into disadvantages; the excess into Residuals, Combat Advantage, Benefits and what else there is."""
    suffers = juncture.sufferer is not None
    gained = _lists(Gained, "value", juncture.points if suffers else 0)
    also: dict[str, Domain] = {"disadvantages": gained, "until": Besides(TOO_SOON)}
    excess, room = juncture.excess, _room(draft, juncture)
    shapes = []
    few = min(excess, FEW)
    for residual, advantages, benefits in product(range(few + 1), repeat=3):
        left = few - residual - advantages - benefits
        if left < 0 or advantages > room or (residual and not suffers):
            continue
        placed = _exactly(Residual, "amount", residual)
        rest = Between(0, excess if not (residual or advantages or benefits) else left)
        parts: dict[str, Domain] = {"advantages": Among((advantages,)), "benefits": Among((benefits,)), "other": rest}
        shapes.append(Shape(Consequences, {**also, **parts, "residuals": placed}))
    if excess > FEW:
        shapes += _of_one_kind(also, excess, min(excess, room), suffers)
    return tuple(shapes)


def _of_one_kind(also: dict[str, Domain], excess: int, advantages: int, suffers: bool) -> Iterator[Shape]:
    """Of many points: all to one use."""
    yield Shape(Consequences, {**also, "benefits": Between(FEW + 1, excess)})
    if advantages > FEW:
        yield Shape(Consequences, {**also, "advantages": Between(FEW + 1, advantages)})
    if suffers:
        yield Shape(Consequences, {**also, "residuals": _lists(Residual, "amount", excess)})


def _room(draft: Draft, juncture: Juncture) -> int:
    """`advantage.convert`: in a Melee in which both stand, up to the cap."""
    fight = draft.fight(juncture.gainer) if juncture.gainer is not None else None
    if fight is None or not fight.melee or juncture.gainer is None or juncture.sufferer not in fight.standing:
        return 0
    return room_for(draft, juncture.gainer, juncture.sufferer or "")


def _exactly(do: type, field: str, points: int) -> Domain:
    """Every way to divide a few points."""
    if not points:
        return Among(((),))
    return Either(tuple(Row(tuple(Shape(do, {field: Among((n,))}) for n in those)) for those in _sums(points)))


def _lists(do: type, field: str, points: int) -> Domain:
    """Divisions of up to so many points: of a few all of them; of more one part, or parts of one point."""
    few = [_exactly(do, field, n) for n in range(min(points, FEW) + 1)]
    if points <= FEW:
        return Either(tuple(few))
    one = Row((Shape(do, {field: Between(1, points)}),))
    return Either((*few, one, Some(Shape(do, {field: Among((1,))}), 0, points, repeats=True)))


def _sums(points: int) -> Iterator[tuple[int, ...]]:
    """Of 3: 3; 1, 2; 2, 1; 1, 1, 1."""
    if not points:
        yield ()
    for first in range(1, points + 1):
        yield from ((first, *rest) for rest in _sums(points - first))
