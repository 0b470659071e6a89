"""Declaring successes on targets, and taking them off (heading "Opposed Actions")."""

from __future__ import annotations

from typing import Any

from ledger.rules.kernel.contract import Table, Verdict
from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import facts, inputs, terms
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.ground import Ruling
from ledger.rules.moc.outcomes import outcome_of
from ledger.rules.moc.state import actions_in, hidden


def declare_successes(table: Table[Dials], do: inputs.DeclareSuccesses) -> Verdict[Any]:
    """`moc.opposed.net`: part of the successes, on a target."""
    rule, ruling = "moc.opposed.net", Ruling(table)
    action = ruling.action(do.action)
    place, part = ruling.part(action, do.part)
    number = terms.whole(do.number, "negative-successes", rule)
    beads = terms.whole(do.beads, "negative-successes", rule)
    ruling.must_see(action, place)
    found = outcome_of(ruling, action, place)
    if not (part.rolled or found.sure):
        raise Refused(rule, "roll-not-completed", part=place)
    if number + beads == 0:
        raise Refused(rule, "nothing-declared")
    if number > found.left or beads > found.left_beads:
        raise Refused(rule, "declares-more-than-rolled", audience=hidden(action, place), left=found.left)
    ruling.here(facts.SuccessesDeclared(action.id, place, do.target, number, beads))
    ruling.by(rule, number + beads, target=do.target)
    return ruling.verdict()


def take_off(table: Table[Dials], do: inputs.TakeOffSuccesses) -> Verdict[Any]:
    """`moc.opposed.net`: what the resister reveals."""
    rule, ruling = "moc.opposed.net", Ruling(table)
    action = ruling.action(do.action)
    place, part = ruling.part(action, do.part)
    number = terms.whole(do.number, "negative-successes", rule)
    beads = terms.whole(do.beads, "negative-successes", rule)
    claim = next((one for one in reversed(part.claims) if one.target == do.target), None)
    if claim is None:
        raise Refused(rule, "nothing-declared", target=do.target)
    where = 0
    if do.defence:
        where = _check_defence(ruling, do, number, beads)
    elif number or beads:
        raise Refused(rule, "declares-more-than-rolled", left=0)
    lowered = min(number + beads, _lowered(ruling, do.target)) if do.defence else 0
    off = number + beads - lowered
    net = max(0, claim.number - claim.taken - off)
    done = facts.SuccessesTakenOff(action.id, place, do.target, number, beads, net, do.defence, where, lowered)
    ruling.here(done)
    if do.defence:
        ruling.interrupted(do.target, "a dodge")
    ruling.by(rule, net, declared=claim.number, taken=claim.taken + off)
    return ruling.verdict()


def _lowered(ruling: Ruling, id: str) -> int:
    """`moc.move.fumble`: by how much a fumbled move of this turn lowers what is taken off."""
    lowered = ruling.who(id).dodge
    if lowered:
        ruling.by("moc.move.fumble", -lowered, character=id)
    return lowered


def _check_defence(ruling: Ruling, do: inputs.TakeOffSuccesses, number: int, beads: int) -> int:
    """The part it was rolled for. Refuses `unknown-action`, `defence-over`, `roll-not-completed`, and what is short."""
    rule, defence = "moc.opposed.net", ruling.action(do.defence, closed=True)
    if defence.character != do.target:
        raise Refused(rule, "unknown-action", action=do.defence)
    own = [one.id for one in actions_in(ruling.scene()) if one.character == do.target]
    if own[-1] != do.defence:
        raise Refused(rule, "defence-over", action=do.defence)
    where, part = ruling.part(defence, do.defence_part, resolved=True)
    ruling.must_see(defence, where)
    found = outcome_of(ruling, defence, where)
    if not (part.rolled or found.sure) or part.stage == "pre-empted":
        raise Refused(rule, "roll-not-completed", part=where)
    if number > found.left or beads > found.left_beads:
        seen = hidden(defence, where)
        raise Refused(rule, "declares-more-than-rolled", audience=seen, left=found.left)
    return where
