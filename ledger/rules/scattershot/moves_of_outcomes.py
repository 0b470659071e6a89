"""What can be declared in the Application Phase: Challenges, Benefits, the outcome and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import OPEN, Among, Between, Domain, Either, Move
from ledger.rules.scattershot.application import reach, spending_limit
from ledger.rules.scattershot.at_hand import NO, AtHand
from ledger.rules.scattershot.dividing import divided
from ledger.rules.scattershot.inputs_of_outcomes import (
    ChooseResults,
    CloseApplication,
    NameConsequences,
    OfferChallenge,
    ReachOutcome,
    TakeBenefit,
    TakeChallenge,
)
from ledger.rules.scattershot.moves_of_results import results
from ledger.rules.scattershot.results import closers
from ledger.rules.scattershot.state import Reached, Resolution
from ledger.rules.scattershot.terms import ACTOR

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
            said = Either(divided(at.draft, juncture))
            yield Move(NameConsequences, {**fields, "consequences": said}, of=juncture.sufferer)


# --- results ---------------------------------------------------------------------------------------------------------


def _results(at: AtHand, resolution: dict[str, Domain], one: Resolution) -> Iterator[Move]:
    """`result.choose`, `contest.resistor-results`: of each side that has some; whoever is ahead ends the Phase.

    Who has some is waited for to choose them: that the Phase is closed, only where nobody has.
    """
    closing = tuple(dict.fromkeys((*closers(one), *at.masters)))
    awaits = None if any(_have(each) for each in one.reached) else CHOICE
    yield Move(CloseApplication, resolution, awaits, _ahead(one), closing)
    close: Domain = OPEN if at.by in closing else NO
    for each in one.reached:
        against: tuple[str | None, ...] = (None, each.resistor) if len(one.reached) == 1 else (each.resistor,)
        named: dict[str, Domain] = {"side": Among((ACTOR,)), "against": Among(tuple(dict.fromkeys(against)))}
        yield _chosen(at, {**resolution, **named, "close": close}, one, each, ACTOR, each.remaining)
        if each.resistor is not None and each.resistor_number is not None:
            theirs: dict[str, Domain] = {"side": Among((each.resistor,)), "against": OPEN, "close": close}
            yield _chosen(at, {**resolution, **theirs}, one, each, each.resistor, each.resistor_number)


def _chosen(at: AtHand, fields: dict[str, Domain], one: Resolution, each: Reached, side: str, remaining: int) -> Move:
    """The same to whoever looks, but for what can befall whom: that only who chooses needs to know."""
    seats, who = _side_of(at, one, side), one.actor if side == ACTOR else side
    chosen = results(at, one, each, side, remaining) if at.by in seats else OPEN
    return Move(ChooseResults, {**fields, "results": chosen}, CHOICE if remaining >= 0 else None, who, seats)


def _have(each: Reached) -> bool:
    """Whether a side has results to choose."""
    return each.remaining >= 0 or each.resistor_number is not None


def _ahead(one: Resolution) -> str | None:
    """The Character whose Player has results to choose."""
    if any(each.adjusted >= 0 for each in one.reached):
        return one.actor
    return next((each.resistor for each in one.reached if each.resistor_number is not None), one.actor)
