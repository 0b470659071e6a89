"""Beads outside of rolls: a scene's allowance and how it is laid (headings "Allocating Beads", "Storytelling")."""

from __future__ import annotations

from typing import Any

from ledger.rules.kernel.contract import Table, Verdict
from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import character
from ledger.rules.moc import accounts, facts, inputs, numbers, terms
from ledger.rules.moc.choices import Allocate, LeaveAll
from ledger.rules.moc.dials import Dials, bead_rate
from ledger.rules.moc.ground import Ruling
from ledger.rules.moc.state import Character
from ledger.rules.moc.terms import ARCHETYPES, ELEMENTS, GONE, PRIMARIES

ARCHETYPE_BEADS = 3
#: tier -> how far a told change reaches
SCOPES = {1: "turn", 2: "scene", 3: "session", 4: "world"}


def allocate(table: Table[Dials], do: inputs.AllocateBeads) -> Verdict[Any]:
    """`moc.bead.allocate`: before the scene; or, who said nothing, once in it until the first bead is used."""
    rule, ruling, id = "moc.bead.allocate", Ruling(table), do.character
    wanted = {terms.element(one, rule): terms.whole(n, "negative-beads", rule) for one, n in do.beads.items()}
    check_time(ruling, id)
    _lay(ruling, id, wanted)
    return ruling.verdict()


def check_time(ruling: Ruling, id: str) -> None:
    """Refuses `already-allocated`, `not-in-interval`, `bead-used`."""
    rule, who = "moc.bead.allocate", ruling.who(id)
    if ruling.campaign().phase == "interval":
        if who.allocated:
            raise Refused(rule, "already-allocated", character=id)
        return
    if not who.asked:
        raise Refused(rule, "not-in-interval", character=id)
    had = {element: who.pools.get(element, 0) + who.gained.get(element, 0) for element in ELEMENTS}
    if any(ruling.beads(id, element) < n for element, n in had.items()):
        raise Refused(rule, "bead-used", character=id)


def announce(table: Table[Dials], do: inputs.AnnounceScene) -> Asking[Verdict[Any]]:
    """The game master warns that a scene is beginning: who has not allocated is asked, one after the other."""
    rule, ruling = "moc.bead.allocate", Ruling(table)
    ruling.in_interval(rule)
    waiting = [id for id in _playing(ruling) if not ruling.who(id).allocated and (not do.cast or id in do.cast)]
    for id in do.cast:
        ruling.who(id)
    if not waiting:
        raise Refused(rule, "already-allocated", cast=list(do.cast))
    for id in waiting:
        purpose = "how the beads of the coming scene are allocated"
        said = yield from ask(
            table.owner(character(id)), Allocate, LeaveAll, slot=f"beads:{id}", purpose=purpose
        )  # fmt: skip
        try:
            given = said.beads.items() if isinstance(said, Allocate) else ()
            wanted = {terms.element(one, rule): terms.whole(n, "negative-beads", rule) for one, n in given}
            _lay(ruling, id, wanted if isinstance(said, Allocate) else None)
        except Refused as no:
            raise Unfit(no.rule, no.code, **no.context) from None
    return ruling.verdict()


def award(ruling: Ruling) -> None:
    """Every scene awards beads: who has not allocated has all of them in the primary Element, and may change that."""
    for id in _playing(ruling):
        if not ruling.who(id).allocated:
            _lay(ruling, id, None)


def _playing(ruling: Ruling) -> list[str]:
    return [one.id for one in ruling.table.subjects("character") if ruling.who(one.id).status not in GONE]


def award_newcomer(ruling: Ruling, id: str) -> None:
    """Who is enrolled while a scene runs."""
    if ruling.campaign().phase == "running":
        _lay(ruling, id, None)


def _lay(ruling: Ruling, id: str, wanted: dict[str, int] | None) -> None:
    """`wanted`: None, where nothing was said. Beads laid by default before are laid anew."""
    rule, who, rate = "moc.bead.allocate", ruling.who(id), bead_rate(ruling.dials)
    allowed = numbers.allowance(rate, *(who.ratings[primary] for primary in PRIMARIES))
    ruling.by("moc.bead.allowance", allowed, rate=str(rate))
    if not ruling.dials.trumped_beads_regenerate:
        allowed = max(0, allowed - who.used.get("trumped-beads:session", 0))
    cost, pools = _laid(ruling, who, allowed, _spread(ruling, who, allowed) if wanted is None else wanted)
    more = dict.fromkeys(ARCHETYPES[who.archetype][0][:1] if who.archetype in ARCHETYPES else (), ARCHETYPE_BEADS)
    bought = who.counts.get("extra-bead-scene", 0)
    if bought and who.primaries:
        more[who.primaries[0]] = more.get(who.primaries[0], 0) + bought
    elif bought and wanted is not None:
        raise Refused(rule, "no-primary-element", character=id)
    pools = {element: pools.get(element, 0) + more.get(element, 0) for element in {**pools, **more}}
    pools = {element: n for element, n in pools.items() if n}
    back = [accounts.move(accounts.bead(id, element), accounts.SOURCE, n) for element, n in who.pools.items()]
    moved = [accounts.move(accounts.SOURCE, accounts.bead(id, element), n) for element, n in pools.items()]
    ruling.about(id, facts.BeadsAllocated(allowed, cost, pools, wanted is None), *back, *moved)
    ruling.by(rule, cost, allowance=allowed)


def _spread(ruling: Ruling, who: Character, allowed: int) -> dict[str, int]:
    """What is laid where nothing was said: all in the primary Element; where there is none, evenly."""
    if who.primaries:
        return {}
    number = allowed
    if ruling.dials.wildcard_allocation != "free":
        number = allowed // 3 + (allowed - allowed // 3) // 2
    each, over = divmod(number, len(ELEMENTS))
    return {element: each + (place < over) for place, element in enumerate(ELEMENTS)}


def _laid(ruling: Ruling, who: Character, allowed: int, wanted: dict[str, int]) -> tuple[int, dict[str, int]]:
    """The price of the shifts, and the pools. Refuses `primary-takes-the-rest`, `not-enough-beads`."""
    rule = "moc.bead.allocate"
    if not who.primaries:
        first = ruling.dials.wildcard_allocation == "free"
        cost = sum(wanted.values()) if first else numbers.bead_cost(allowed, sum(wanted.values()), 0)
        if cost > allowed:
            raise Refused(rule, "not-enough-beads", cost=cost, allowance=allowed)
        return cost, dict(wanted)
    primary, moved = who.primaries[0], 0
    if primary in wanted:
        raise Refused(rule, "primary-takes-the-rest", element=primary)
    secondary = other = 0
    for element, number in wanted.items():
        if element in who.primaries:
            moved += number
        elif element in who.secondaries:
            secondary += number
        else:
            other += number
    cost = numbers.bead_cost(allowed, secondary, other) + moved
    if cost > allowed:
        raise Refused(rule, "not-enough-beads", cost=cost, allowance=allowed)
    return cost, {**wanted, primary: allowed - cost}


def session_bead(table: Table[Dials], do: inputs.UseSessionBead) -> Verdict[Any]:
    """A bought extra bead of any Element, each once a session."""
    rule, ruling, id = "moc.bead.regenerate", Ruling(table), do.character
    who, element = ruling.who(id), terms.element(do.element, rule)
    if who.used.get("extra-bead:session", 0) >= who.counts.get("extra-bead-session", 0):
        raise Refused(rule, "not-enough-beads", character=id)
    ruling.about(id, facts.SessionBeadUsed(element), accounts.move(accounts.SOURCE, accounts.bead(id, element), 1))
    ruling.by(rule, 1, element=element)
    return ruling.verdict()


# --- Storytelling ---


def tier_of(ruling: Ruling, id: str, beads: int) -> int:
    """`moc.story.tiers`: how far so many beads reach. Refuses `no-such-tier`, `must-spend-all`, `not-enough-beads`."""
    rule = "moc.story.tiers"
    if beads == 0:
        raise Refused(rule, "no-such-tier", beads=beads)
    held = ruling.beads(id, "storytelling")
    if beads > held:
        raise Refused(rule, "not-enough-beads", needed=beads, held=held)
    if beads >= 4 and beads != held:
        raise Refused(rule, "must-spend-all", beads=beads, held=held)
    tier = min(4, beads)
    ruling.by(rule, tier, beads=beads, scope=SCOPES[tier])
    return tier


def not_dazed(ruling: Ruling, id: str) -> None:
    """`moc.combat.dazed`. Refuses `dazed-no-beads`."""
    if ruling.who(id).dazed:
        raise Refused("moc.combat.dazed", "dazed-no-beads", character=id)
