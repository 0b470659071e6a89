"""Beads outside of rolls: a scene's allowance and how it is laid (headings "Allocating Beads", "Storytelling")."""

from __future__ import annotations

from typing import Any

from ledger.rules.contract import Refused, Table, Verdict
from ledger.rules.moc import accounts, facts, inputs, numbers, terms
from ledger.rules.moc.dials import Dials, bead_rate
from ledger.rules.moc.ground import Ruling
from ledger.rules.moc.state import Character
from ledger.rules.moc.terms import ARCHETYPES, ELEMENTS

ARCHETYPE_BEADS = 3
#: tier -> how far a told change reaches
SCOPES = {1: "turn", 2: "scene", 3: "session", 4: "world"}


def allocate(table: Table[Dials], do: inputs.AllocateBeads) -> Verdict[Any]:
    """`moc.bead.allocate`: what is left of the allowance stays in the primary Element."""
    rule, ruling, id = "moc.bead.allocate", Ruling(table), do.character
    who = ruling.who(id)
    ruling.in_interval(rule)
    wanted = {terms.element(one, rule): terms.whole(n, "negative-beads", rule) for one, n in do.beads.items()}
    if who.allocated:
        raise Refused(rule, "already-allocated", character=id)
    ratings = who.ratings
    allowed = numbers.allowance(bead_rate(ruling.dials), ratings["body"], ratings["mind"], ratings["spirit"])
    ruling.by("moc.bead.allowance", allowed, rate=str(bead_rate(ruling.dials)))
    if not ruling.dials.trumped_beads_regenerate:
        allowed = max(0, allowed - who.used.get("trumped-beads:session", 0))
    cost, pools = _laid(ruling, who, allowed, wanted)
    own = ARCHETYPES[who.archetype][0] if who.archetype in ARCHETYPES else ()
    if own:
        pools[own[0]] = pools.get(own[0], 0) + ARCHETYPE_BEADS
    bought = who.counts.get("extra-bead-scene", 0)
    if bought:
        if not who.primaries:
            raise Refused(rule, "no-primary-element", character=id)
        pools[who.primaries[0]] = pools.get(who.primaries[0], 0) + bought
    pools = {element: n for element, n in pools.items() if n}
    moved = [accounts.move(accounts.SOURCE, accounts.bead(id, element), n) for element, n in pools.items()]
    ruling.about(id, facts.BeadsAllocated(allowed, cost, pools), *moved)
    ruling.by(rule, cost, allowance=allowed)
    return ruling.verdict()


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


def change_story(table: Table[Dials], do: inputs.ChangeStory) -> Verdict[Any]:
    ruling, id = Ruling(table), do.character
    beads = terms.whole(do.beads, "negative-beads", "moc.story.tiers")
    not_dazed(ruling, id)
    tier = tier_of(ruling, id, beads)
    scopes = [scope for reach, scope in SCOPES.items() if reach <= tier]
    if do.scope is not None and do.scope not in scopes:
        raise Refused("moc.story.tiers", "no-such-tier", scope=do.scope, scopes=scopes)
    moved = accounts.move(accounts.bead(id, "storytelling"), accounts.SPENT, beads)
    ruling.here(facts.StoryChanged(table.new_id(), id, beads, tier, do.scope or scopes[-1], do.text), moved)
    return ruling.verdict()


def veto_story(table: Table[Dials], do: inputs.VetoStory) -> Verdict[Any]:
    """Its beads go back."""
    ruling = Ruling(table)
    told = ruling.scene().story.get(do.change)
    if told is None or told.vetoed:
        raise Refused("moc.story.tiers", "unknown-play", change=do.change)
    moved = accounts.move(accounts.SPENT, accounts.bead(told.character, "storytelling"), told.beads)
    ruling.here(facts.StoryVetoed(do.change, do.reason), moved)
    ruling.by("moc.story.tiers", 0, change=do.change)
    return ruling.verdict()


def amend_story(table: Table[Dials], do: inputs.AmendStory) -> Verdict[Any]:
    ruling = Ruling(table)
    told = ruling.scene().story.get(do.change)
    if told is None or told.vetoed:
        raise Refused("moc.story.tiers", "unknown-play", change=do.change)
    ruling.here(facts.StoryAmended(do.change, do.text))
    ruling.by("moc.story.tiers", told.beads, change=do.change)
    return ruling.verdict()


__all__ = [
    "ELEMENTS", "SCOPES", "allocate", "amend_story", "change_story", "not_dazed", "session_bead", "tier_of",
    "veto_story",
]  # fmt: skip
