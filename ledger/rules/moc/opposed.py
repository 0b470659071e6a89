"""Declaring successes on targets, and taking them off (heading "Opposed Actions")."""

from __future__ import annotations

from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import facts_of_scenes, guards, inputs_of_actions, terms
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.outcomes import outcome_of
from ledger.rules.moc.state import actions_in
from ledger.rules.moc.state_of_actions import hidden


def declare_successes(draft: Draft, do: inputs_of_actions.DeclareSuccesses) -> None:
    """`moc.opposed.net`: part of the successes, on a target."""
    rule = "moc.opposed.net"
    action = draft.action(do.action)
    place, part = draft.part(action, do.part)
    draft.who(do.target)
    number = terms.whole(do.number, "negative-successes", rule)
    beads = terms.whole(do.beads, "negative-successes", rule)
    guards.must_see(draft, action, place)
    found = outcome_of(draft, action, place)
    if not (part.rolled or found.sure):
        raise Refused(rule, "roll-not-completed", part=place)
    if number + beads == 0:
        raise Refused(rule, "nothing-declared")
    if number > found.left or beads > found.left_beads:
        raise Refused(rule, "declares-more-than-rolled", audience=hidden(action, place), left=found.left)
    draft.here(facts_of_scenes.SuccessesDeclared(action.id, place, do.target, number, beads))
    draft.by(rule, number + beads, target=do.target)


def take_off(draft: Draft, do: inputs_of_actions.TakeOffSuccesses) -> None:
    """`moc.opposed.net`: what the resister reveals."""
    rule = "moc.opposed.net"
    action = draft.action(do.action)
    place, part = draft.part(action, do.part)
    number = terms.whole(do.number, "negative-successes", rule)
    beads = terms.whole(do.beads, "negative-successes", rule)
    claim = next((one for one in reversed(part.claims) if one.target == do.target), None)
    if claim is None:
        raise Refused(rule, "nothing-declared", target=do.target)
    where = 0
    if do.defence:
        where = _check_defence(draft, do, number, beads)
    elif number or beads:
        raise Refused(rule, "declares-more-than-rolled", left=0)
    lowered = min(number + beads, _lowered(draft, do.target)) if do.defence else 0
    off = number + beads - lowered
    net = max(0, claim.number - claim.taken - off)
    done = facts_of_scenes.SuccessesTakenOff(
        action.id, place, do.target, number, beads, net, do.defence, where, lowered
    )
    draft.here(done)
    if do.defence:
        draft.interrupted(do.target, "a dodge")
    draft.by(rule, net, declared=claim.number, taken=claim.taken + off)


def _lowered(draft: Draft, id: str) -> int:
    """`moc.move.fumble`: by how much a fumbled move of this turn lowers what is taken off."""
    lowered = draft.who(id).dodge
    if lowered:
        draft.by("moc.move.fumble", -lowered, character=id)
    return lowered


def _check_defence(draft: Draft, do: inputs_of_actions.TakeOffSuccesses, number: int, beads: int) -> int:
    """The part it was rolled for. Refuses `unknown-action`, `defence-over`, `roll-not-completed`, and what is short."""
    rule, defence = "moc.opposed.net", draft.action(do.defence, closed=True)
    if defence.character != do.target:
        raise Refused(rule, "unknown-action", action=do.defence)
    own = [one.id for one in actions_in(draft.scene()) if one.character == do.target]
    if own[-1] != do.defence:
        raise Refused(rule, "defence-over", action=do.defence)
    where, part = draft.part(defence, do.defence_part, resolved=True)
    guards.must_see(draft, defence, where)
    found = outcome_of(draft, defence, where)
    if not (part.rolled or found.sure) or part.stage == "pre-empted":
        raise Refused(rule, "roll-not-completed", part=where)
    if number > found.left or beads > found.left_beads:
        seen = hidden(defence, where)
        raise Refused(rule, "declares-more-than-rolled", audience=seen, left=found.left)
    return where
