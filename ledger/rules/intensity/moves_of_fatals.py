"""What can be done with held fatals, and what people can agree on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import combinations
from typing import TypeAlias

from ledger.rules.intensity.draft import Draft
from ledger.rules.intensity.guards import Place
from ledger.rules.intensity.inputs_of_fatals import BringBack, FatalUse, Mutilation, Negotiate, ReleaseFatal, UseFatal
from ledger.rules.intensity.state import Fatal
from ledger.rules.intensity.tables import STEPS
from ledger.rules.kernel.moves import OPEN, Among, Domain, Either, Move, Shape, Some
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import character

NONE = Among((None,))
Fields: TypeAlias = dict[str, Domain]
STAYS: Fields = {"out": Among((None, "none")), "out_for": Among(("",))}
#: How long, and the words for it where it is for a time.
OUT: tuple[Fields, ...] = (
    {"out": Among((None, "none", "scene", "permanent")), "out_for": Among(("",))},
    {"out": Among(("time",)), "out_for": OPEN},
)
FEW = 3  # givers of a bargain whose every combination is offered
Deal: TypeAlias = dict[str, Domain]


def taxable(draft: Draft, on: str, used: str | None) -> tuple[str, ...]:
    """intensity.impact.tax: any trait, or at some tables only the one just used."""
    names = (trait.name for trait in draft.known(on).traits)
    return tuple(name for name in names if draft.dials.tax_scope == "any_trait" or name == used)


def what_it_does(draft: Draft, on: str, used: str | None, outs: tuple[Fields, ...] = OUT) -> Iterator[Fields]:
    """intensity.fatal.use: a fate in words, or a lower impact; and what goes with either."""
    names = tuple(trait.name for trait in draft.known(on).traits)
    lost = Shape(Mutilation, {"trait": Among(names), "base": Among(STEPS)})
    mutilations: Fields = {"mutilation": NONE, "mutilations": Some(lost, key="trait")} if names else {}
    taxed = taxable(draft, on, used)
    for out in outs:
        also = {**out, **mutilations}
        yield {**also, "use_as": Among(("fate", "advantage", "wound"))}
        if taxed:
            yield {**also, "use_as": Among(("tax",)), "trait": Among(taxed)}
        if used is not None:
            yield {**also, "use_as": Among(("damage",)), "trait": Among((None, used))}


def _usable(draft: Draft, place: Place) -> dict[str, Fatal]:
    """intensity.fatal.use: what a holder who is not out holds against somebody who is still there."""
    there = draft.table.has
    known = {
        id: one
        for id, one in place.scene.fatals.items()
        if there(character(one.holder)) and there(character(one.subject))
    }
    survives = draft.dials.held_fatal_when_holder_out == "survive"
    return {
        id: one
        for id, one in known.items()
        if (survives or not draft.is_out(one.holder)) and not draft.is_gone(one.subject)
    }


def _use(draft: Draft, id: str, held: Fatal, outs: tuple[Fields, ...]) -> tuple[Shape, ...]:
    whose: dict[str, Domain] = {"fatal": Among((id,)), "by": Among((None, held.holder))}
    found = what_it_does(draft, held.subject, held.trait_used, outs)
    return tuple(Shape(FatalUse, {**whose, **said}) for said in found)


def _out(draft: Draft, held: Fatal, others: Collection[Fatal]) -> tuple[Fields, ...]:
    """intensity.fatal.holder-out: where what a holder has lapses at once, nobody is taken out who uses one too."""
    answers = any(one.holder == held.subject for one in others)
    return (STAYS,) if answers and draft.dials.held_fatal_when_holder_out == "lapse" else OUT


def _together(draft: Draft, tokens: Mapping[str, Fatal]) -> Either:
    """Any use of one of these, beside any of the others."""
    return Either(
        tuple(
            shape
            for id, held in tokens.items()
            for shape in _use(draft, id, held, _out(draft, held, list(tokens.values())))
        )
    )


def _reason(seen: Seen) -> Domain:
    """Why a game master speaks for all; nobody else can."""
    return OPEN if seen.seat.role == "gm" else Among(("",))


def fatals(seen: Seen, draft: Draft, place: Place) -> Iterator[Move]:
    """intensity.fatal.use, intensity.fatal.hold"""
    usable, reason = _usable(draft, place), _reason(seen)
    for id, held in place.scene.fatals.items():
        if draft.table.has(character(held.holder)):
            yield Move(ReleaseFatal, {"fatal": Among((id,)), "by": Among((held.holder,))})
    for id, held in usable.items():
        alone = Some(Either(_use(draft, id, held, _out(draft, held, [held]))), 1, 1)
        yield Move(UseFatal, {"uses": alone, "reason": reason}, of=held.holder)
        if len(usable) > 1:
            first = Either(_use(draft, id, held, _out(draft, held, list(usable.values()))))
            uses = Some(_together(draft, usable), 2, len(usable), key="fatal", first=first)
            yield Move(UseFatal, {"uses": uses, "reason": reason}, of=held.holder)


def returns(seen: Seen, draft: Draft) -> Iterator[Move]:
    """intensity.fatal.out: who is out for a time is brought back, in a scene or between scenes."""
    for id in seen.roster:
        if seen.table.has(character(id)) and draft.known(id).out == "time":
            yield Move(BringBack, {"char": Among((id,))})


# --- bargains -----------------------------------------------------------------------------------------------------


def bargains(seen: Seen, draft: Draft, place: Place, there: list[str]) -> Iterator[Move]:
    """intensity.negotiate.decline, intensity.negotiate.terms: whoever gives something up is a party."""
    round = place.scene.round
    attack = round.attack if round is not None else None
    sides = {attack.attacker, attack.defender} if attack is not None else set()
    both = round is not None and sides <= {*round.participants} and sides <= {*there}
    settles = attack is not None and attack.success and both
    deals: list[tuple[Deal, set[str]]] = []
    for deal, givers in _deals(draft, place, there):
        if givers:
            deals.append((deal, givers))
        if settles and attack is not None:
            deals.append(({**deal, "attack": Among((attack.id,))}, givers | sides))
    mine: Iterable[str | None] = [None] if seen.decides else [id for id in there if id in seen.seat.characters]
    for deal, parties in deals:
        for own in mine:
            needed = tuple(id for id in there if id in parties or id == own)
            among = Some(Among(tuple(there)), 2, len(there), needed)
            if len(there) > 1:
                yield Move(Negotiate, {**deal, "parties": among, "reason": _reason(seen)}, of=own)


def _deals(draft: Draft, place: Place, there: list[str]) -> Iterator[tuple[Deal, set[str]]]:
    """What is given up, and by whom: nothing; or fatals used or released and turns passed, by some of who can."""
    round = place.scene.round
    in_action = round.participants if round is not None and round.groups is not None else {}
    pending = {id for id, one in in_action.items() if one.turn == "pending" and id in there}
    tokens = {id: one for id, one in place.scene.fatals.items() if one.holder in there}
    usable = _usable(draft, place)
    givers = [id for id in there if id in pending or any(one.holder == id for one in tokens.values())]
    yield {}, set()
    for some in _combinations(givers):
        own = {id: one for id, one in tokens.items() if one.holder in some}
        passes = Some(Among(tuple(id for id in some if id in pending)))
        uses = {id: one for id, one in own.items() if id in usable}
        deals = list(_of_tokens(draft, uses, own, passes))
        if passes.items != Among(()):
            deals.append({"passes": Some(passes.items, 1)})
        yield from ((deal, set(some)) for deal in deals)


def _combinations(givers: list[str]) -> Iterator[tuple[str, ...]]:
    """Each, any of a few, and all."""
    counts = range(1, len(givers) + 1) if len(givers) <= FEW else (1, len(givers))
    for count in counts:
        yield from combinations(givers, count)


def _of_tokens(draft: Draft, uses: dict[str, Fatal], own: dict[str, Fatal], passes: Domain) -> Iterator[Deal]:
    """Some used, some released, none both."""
    if own:
        yield {"releases": Some(Among(tuple(own)), 1), "passes": passes}
    for id, held in uses.items():
        alone = Some(Either(_use(draft, id, held, _out(draft, held, [held]))), 1, 1)
        rest = tuple(other for other in own if other != id)
        yield {"uses": alone, "releases": Some(Among(rest)), "passes": passes}
    if len(uses) > 1:
        yield {"uses": Some(_together(draft, uses), 2, len(uses), key="fatal"), "passes": passes}
