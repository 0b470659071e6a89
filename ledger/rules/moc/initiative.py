"""Who acts when (heading "Initiative")."""

from __future__ import annotations

from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character
from ledger.rules.moc import facts_of_dice, inputs_of_combat, numbers
from ledger.rules.moc.counting import groups_of, standings
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.state_of_combat import Initiative
from ledger.rules.moc.terms import GONE, STANDARD_TN


def initiative(draft: Draft, do: inputs_of_combat.RollInitiative) -> Asking[None]:
    """`moc.combat.initiative`: more successes first, then the greater sum; still tied, at once."""
    rule = "moc.combat.initiative"
    here = draft.scene()
    there = (id for id in here.cast if draft.table.has(character(id)) and draft.who(id).status not in GONE)
    pools = {id: draft.initiative_dice(id) for id in there}
    if not pools:
        raise Refused(rule, "nothing-declared")
    for id in do.involved:
        if id not in pools:
            raise Refused(rule, "unknown-character", character=id)
    if do.involved:  # and whoever has played something on this roll
        involved = {*do.involved, *here.initiative.waiting, *here.initiative.dice}
        pools = {id: count for id, count in pools.items() if id in involved}
    for id, given in do.faces.items():
        if id not in pools:
            raise Refused(rule, "unknown-character", character=id)
        numbers.check_pool(pools[id], given, do.bonus.get(id, ()))
    faces: dict[str, tuple[int, ...]] = {}
    bonus: dict[str, tuple[int, ...]] = {}
    results: dict[str, tuple[int, int]] = {}
    tn = max(draft.dials.tn_floor, STANDARD_TN)
    for id, count in pools.items():
        typed = do.faces.get(id)
        faces[id], bonus[id] = yield from draft.pool(id, count, typed, do.bonus.get(id, ()), "initiative")
        results |= standings(Initiative(tn, {id: faces[id]}, bonus, here.initiative.waiting))
        draft.by(rule, list(results[id]), character=id, dice=count)
    draft.here(facts_of_dice.InitiativeRolled(groups_of(pools, results), results, tn, faces, bonus))
