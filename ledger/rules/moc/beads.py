"""Beads outside of rolls: a scene's allowance and how it is laid (headings "Allocating Beads", "Storytelling")."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.rules.kernel.moves import Among, Either, Shape
from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import character
from ledger.rules.moc import accounts, facts_of_modifiers, guards, inputs_of_modifiers, numbers, terms
from ledger.rules.moc.allocating import allocation, boxes, cost_of
from ledger.rules.moc.choices import Allocate, LeaveAll
from ledger.rules.moc.dials import bead_rate
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.effects import prices_of, scene_beads
from ledger.rules.moc.state import Character
from ledger.rules.moc.terms import ARCHETYPES, ELEMENTS, GONE, PRIMARIES, SCOPES

ARCHETYPE_BEADS = 3


def allocate(draft: Draft, do: inputs_of_modifiers.AllocateBeads) -> None:
    """`moc.bead.allocate`: before the scene; or, who said nothing, once in it until the first bead is used."""
    rule, id = "moc.bead.allocate", do.character
    wanted = {terms.element(one, rule): terms.whole(n, "negative-beads", rule) for one, n in do.beads.items()}
    check_time(draft, id)
    _lay(draft, id, wanted)


def check_time(draft: Draft, id: str) -> None:
    """Refuses `already-allocated`, `not-in-interval`, `bead-used`."""
    rule, who = "moc.bead.allocate", draft.who(id)
    if draft.campaign().phase == "interval":
        if who.allocated:
            raise Refused(rule, "already-allocated", character=id)
        return
    if not who.asked:
        raise Refused(rule, "not-in-interval", character=id)
    had = {element: who.pools.get(element, 0) + who.gained.get(element, 0) for element in ELEMENTS}
    if any(draft.beads(id, element) < n for element, n in had.items()):
        raise Refused(rule, "bead-used", character=id)


def announce(draft: Draft, do: inputs_of_modifiers.AnnounceScene) -> Asking[None]:
    """The game master warns that a scene is beginning: who has not allocated is asked, one after the other."""
    rule = "moc.bead.allocate"
    guards.in_interval(draft, rule)
    waiting = [id for id in _playing(draft) if not draft.who(id).allocated and (not do.cast or id in do.cast)]
    for id in do.cast:
        draft.who(id)
    if not waiting:
        raise Refused(rule, "already-allocated", cast=list(do.cast))
    for id in waiting:
        purpose = "how the beads for the next scene are allocated"
        whose = draft.table.owner(character(id))
        within = _ways(draft.aside(), id)
        said = yield from ask(whose, Allocate, LeaveAll, slot=f"beads:{id}", purpose=purpose, within=within)
        try:
            given = said.beads.items() if isinstance(said, Allocate) else ()
            wanted = {terms.element(one, rule): terms.whole(n, "negative-beads", rule) for one, n in given}
            _lay(draft, id, wanted if isinstance(said, Allocate) else None)
        except Refused as no:
            raise Unfit(no.rule, no.code, **no.context) from None


def _ways(draft: Draft, id: str) -> Iterator[Shape]:
    ways = boxes(draft.dials, draft.who(id))
    yield Shape(Allocate, {"beads": Either(tuple(map(allocation, ways))) if ways else Among(())})


def award(draft: Draft) -> None:
    """Every scene awards beads: who has not allocated has all of them in the primary Element, and may change that."""
    for id in _playing(draft):
        if not draft.who(id).allocated:
            _lay(draft, id, None)


def _playing(draft: Draft) -> list[str]:
    return [one.id for one in draft.table.subjects("character") if draft.who(one.id).status not in GONE]


def award_newcomer(draft: Draft, id: str) -> None:
    """Who is enrolled while a scene runs."""
    if draft.campaign().phase == "running":
        _lay(draft, id, None)


def _lay(draft: Draft, id: str, wanted: dict[str, int] | None) -> None:
    """`wanted`: None, where nothing was said. Beads laid by default before are laid anew."""
    rule, who, rate = "moc.bead.allocate", draft.who(id), bead_rate(draft.dials)
    allowed = numbers.allowance(rate, *(who.ratings[primary] for primary in PRIMARIES))
    draft.by("moc.bead.allowance", allowed, rate=str(rate))
    if not draft.dials.trumped_beads_regenerate:
        allowed = max(0, allowed - who.used.get("trumped-beads:session", 0))
    cost, pools = _laid(draft, who, allowed, _spread(draft, who, allowed) if wanted is None else wanted)
    more = dict.fromkeys(ARCHETYPES[who.archetype][0][:1] if who.archetype in ARCHETYPES else (), ARCHETYPE_BEADS)
    bought = who.counts.get("extra-bead-scene", 0)
    if bought and who.primaries:
        more[who.primaries[0]] = more.get(who.primaries[0], 0) + bought
    elif bought and wanted is not None:
        raise Refused(rule, "no-primary-element", character=id)
    for element, n in scene_beads(who).items():
        more[element] = more.get(element, 0) + n
        draft.by("moc.adv.effect", n, does="scene-beads", of=element)
    pools = {element: pools.get(element, 0) + more.get(element, 0) for element in {**pools, **more}}
    pools = {element: n for element, n in pools.items() if n > 0}
    back = [accounts.move(accounts.bead(id, element), accounts.SOURCE, n) for element, n in who.pools.items()]
    moved = [accounts.move(accounts.SOURCE, accounts.bead(id, element), n) for element, n in pools.items()]
    draft.about(id, facts_of_modifiers.BeadsAllocated(allowed, cost, pools, wanted is None), *back, *moved)
    draft.by(rule, cost, allowance=allowed)


def _spread(draft: Draft, who: Character, allowed: int) -> dict[str, int]:
    """What is laid where nothing was said: all in the primary Element; where there is none, evenly."""
    if who.primaries:
        return {}
    number = allowed
    if draft.dials.wildcard_allocation != "free":
        number = allowed // 3 + (allowed - allowed // 3) // 2
    each, over = divmod(number, len(ELEMENTS))
    return {element: each + (place < over) for place, element in enumerate(ELEMENTS)}


def _laid(draft: Draft, who: Character, allowed: int, wanted: dict[str, int]) -> tuple[int, dict[str, int]]:
    """The price of the shifts, and the pools. Refuses `primary-takes-the-rest`, `not-enough-beads`."""
    rule = "moc.bead.allocate"
    if not who.primaries:
        first = draft.dials.wildcard_allocation == "free"
        cost = sum(wanted.values()) if first else numbers.bead_cost(allowed, sum(wanted.values()), 0)
        if cost > allowed:
            raise Refused(rule, "not-enough-beads", cost=cost, allowance=allowed)
        return cost, dict(wanted)
    primary, prices = who.primaries[0], prices_of(who)
    if primary in wanted:
        raise Refused(rule, "primary-takes-the-rest", element=primary)
    cost = cost_of(who.primaries, who.secondaries, wanted, allowed, prices)
    for element, price in prices:
        if wanted.get(element):
            draft.by("moc.adv.effect", price, does="bead-price", of=element)
    if cost > allowed:
        raise Refused(rule, "not-enough-beads", cost=cost, allowance=allowed)
    return cost, {**wanted, primary: allowed - cost}


def session_bead(draft: Draft, do: inputs_of_modifiers.UseSessionBead) -> None:
    """A bought extra bead of any Element, each once a session."""
    rule, id = "moc.bead.regenerate", do.character
    who, element = draft.who(id), terms.element(do.element, rule)
    if who.used.get("extra-bead:session", 0) >= who.counts.get("extra-bead-session", 0):
        raise Refused(rule, "not-enough-beads", character=id)
    draft.about(
        id, facts_of_modifiers.SessionBeadUsed(element), accounts.move(accounts.SOURCE, accounts.bead(id, element), 1)
    )
    draft.by(rule, 1, element=element)


# --- Storytelling ---


def tier_of(draft: Draft, id: str, beads: int) -> int:
    """`moc.story.tiers`: how far so many beads reach. Refuses `no-such-tier`, `must-spend-all`, `not-enough-beads`."""
    rule = "moc.story.tiers"
    if beads == 0:
        raise Refused(rule, "no-such-tier", beads=beads)
    held = draft.beads(id, "storytelling")
    if beads > held:
        raise Refused(rule, "not-enough-beads", character=id, needed=beads, held=held)
    if beads >= 4 and beads != held:
        raise Refused(rule, "must-spend-all", character=id, beads=beads, held=held)
    tier = min(4, beads)
    draft.by(rule, tier, beads=beads, scope=SCOPES[tier])
    return tier


def not_dazed(draft: Draft, id: str) -> None:
    """`moc.combat.dazed`. Refuses `dazed-no-beads`."""
    if draft.who(id).dazed:
        raise Refused("moc.combat.dazed", "dazed-no-beads", character=id)
