"""What can be declared in the Application Phase: Challenges, Benefits, the outcome and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ledger.rules.kernel.moves import OPEN, Among, Besides, Between, Domain, Either, Move, Row, Shape, Some
from ledger.rules.scattershot.advantage import room_for
from ledger.rules.scattershot.application import reach, spending_limit
from ledger.rules.scattershot.at_hand import NO, AtHand
from ledger.rules.scattershot.facts_of_deeds import Juncture
from ledger.rules.scattershot.inputs_of_outcomes import (
    ChooseResults,
    CloseApplication,
    Consequences,
    Gained,
    NameConsequences,
    OfferChallenge,
    ReachOutcome,
    Residual,
    TakeBenefit,
    TakeChallenge,
)
from ledger.rules.scattershot.moves_of_results import results
from ledger.rules.scattershot.results import closers
from ledger.rules.scattershot.state import Resolution
from ledger.rules.scattershot.tables import TOO_SOON
from ledger.rules.scattershot.terms import ACTOR

FEW = 3  # points of which every division is offered; of more only those into alike parts
CHOICE = "scattershot.result.choose"


def of_outcomes(at: AtHand) -> Iterator[Move]:
    for id, one in at.scene.resolutions.items() if at.scene is not None else ():
        resolution: dict[str, Domain] = {"resolution": Among((id,))}
        if one.phase in ("challenges", "benefits"):
            yield from _altered(at, resolution, one)
            if at.accepts(reach, ReachOutcome(id)):
                yield Move(ReachOutcome, resolution, "scattershot.apply.outcome", one.actor)
        elif one.phase in ("results", "closed"):
            yield from _consequences(at, resolution, one)
            if one.phase == "results":
                yield from _results(at, resolution, one)


def _side_of(at: AtHand, one: Resolution, name: str) -> tuple[str, ...]:
    """Who says something for a side: its Player, and the Gamemasters."""
    return tuple(dict.fromkeys((one.sides[name].player, *at.masters)))


def _altered(at: AtHand, resolution: dict[str, Domain], one: Resolution) -> Iterator[Move]:
    """`apply.challenge-limit`, `apply.contested`: Challenges until there is a Benefit; Benefits up to the lead."""
    for name, side in one.sides.items():
        fields: dict[str, Domain] = {**resolution, "side": Among((name,))}
        more = at.dials.epic_index - side.challenges
        own = at.by in _side_of(at, one, name)
        if one.phase == "challenges" and more >= 1:
            n = Between(1, more)
            if own:
                yield Move(TakeChallenge, {**fields, "n": n})
            if at.by in at.group:
                yield Move(OfferChallenge, {**fields, "n": n})
        left = spending_limit(at.draft, one, name) - side.benefits
        if own and left >= 1:
            yield Move(TakeBenefit, {**fields, "n": Between(1, left)})


# --- Critical Junctures ----------------------------------------------------------------------------------------------


def _consequences(at: AtHand, resolution: dict[str, Domain], one: Resolution) -> Iterator[Move]:
    """`juncture.points`, `juncture.excess`: its author is asked, or says them."""
    for place, juncture in enumerate(one.junctures):
        if juncture.named:
            continue
        fields: dict[str, Domain] = {**resolution, "juncture": Among((place,))}
        yield Move(NameConsequences, fields, f"scattershot.juncture.{juncture.kind}", juncture.sufferer)
        if at.by in (juncture.author, *at.masters):
            yield Move(NameConsequences, {**fields, "consequences": _divided(at, juncture)}, of=juncture.sufferer)


def _divided(at: AtHand, juncture: Juncture) -> Domain:
    """The Points into disadvantages; the excess into Residuals, Combat Advantage, Benefits and what else there is."""
    suffers = juncture.sufferer is not None
    gained = _lists(Gained, "value", juncture.points if suffers else 0)
    also: dict[str, Domain] = {"disadvantages": gained, "until": Besides(TOO_SOON)}
    excess, room = juncture.excess, _room(at, juncture)
    shapes = []
    few = min(excess, FEW)
    for residual, advantages, benefits in product(range(few + 1), repeat=3):
        left = few - residual - advantages - benefits
        if left < 0 or advantages > room or (residual and not suffers):
            continue
        placed = _exactly(Residual, "amount", residual)
        rest = Between(0, excess if not (residual or advantages or benefits) else left)
        divided: dict[str, Domain] = {"advantages": Among((advantages,)), "benefits": Among((benefits,)), "other": rest}
        shapes.append(Shape(Consequences, {**also, **divided, "residuals": placed}))
    if excess > FEW:
        shapes += _of_one_kind(also, excess, min(excess, room), suffers)
    return Either(tuple(shapes))


def _of_one_kind(also: dict[str, Domain], excess: int, advantages: int, suffers: bool) -> Iterator[Shape]:
    """Of many points: all to one use."""
    yield Shape(Consequences, {**also, "benefits": Between(FEW + 1, excess)})
    if advantages > FEW:
        yield Shape(Consequences, {**also, "advantages": Between(FEW + 1, advantages)})
    if suffers:
        yield Shape(Consequences, {**also, "residuals": _lists(Residual, "amount", excess)})


def _room(at: AtHand, juncture: Juncture) -> int:
    """`advantage.convert`: in a Melee in which both stand, up to the cap."""
    fight = at.fight_of(juncture.gainer) if juncture.gainer is not None else None
    if fight is None or not fight.melee or juncture.gainer is None or juncture.sufferer not in fight.standing:
        return 0
    return room_for(at.draft, juncture.gainer, juncture.sufferer or "")


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


# --- results ---------------------------------------------------------------------------------------------------------


def _results(at: AtHand, resolution: dict[str, Domain], one: Resolution) -> Iterator[Move]:
    """`result.choose`, `contest.resistor-results`: of each side that has some; whoever is ahead ends the Phase."""
    closing = tuple(dict.fromkeys((*closers(one), *at.masters)))
    yield Move(CloseApplication, resolution, CHOICE, _ahead(one), closing)
    close: Domain = OPEN if at.by in closing else NO
    for each in one.reached:
        ours = at.by in _side_of(at, one, ACTOR)
        against: tuple[str | None, ...] = (None, each.resistor) if len(one.reached) == 1 else (each.resistor,)
        if ours:
            chosen = results(at, one, each, ACTOR, each.remaining)
            named: dict[str, Domain] = {"side": Among((ACTOR,)), "against": Among(tuple(dict.fromkeys(against)))}
            yield Move(ChooseResults, {**resolution, **named, "results": chosen, "close": close})
        if each.resistor is not None and each.resistor_number is not None and at.by in _side_of(at, one, each.resistor):
            chosen = results(at, one, each, each.resistor, each.resistor_number)
            theirs: dict[str, Domain] = {"side": Among((each.resistor,)), "against": OPEN}
            yield Move(ChooseResults, {**resolution, **theirs, "results": chosen, "close": close})


def _ahead(one: Resolution) -> str | None:
    """The Character whose Player has results to choose."""
    if any(each.adjusted >= 0 for each in one.reached):
        return one.actor
    return next((each.resistor for each in one.reached if each.resistor_number is not None), one.actor)
