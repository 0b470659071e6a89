"""What a character can do in a turn, and the rest that takes an action of it (headings "Initiative", "Recovery")."""

from __future__ import annotations

from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import accounts, facts_of_bodies, terms
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.state import Character, Scene
from ledger.rules.moc.terms import MOST_DAMAGE

#: A turn's action in halves.
FULL, HALF = 2, 1


def is_counted(draft: Draft, id: str) -> bool:
    """Whether the turn's actions are counted: for everybody in initiative, unless the dial leaves it to the table."""
    if draft.table.scene is None or draft.dials.turn_actions == "table":
        return False
    return any(id in group for group in draft.scene().order)


def has_acted(draft: Draft, who: Character) -> bool:
    """Whether the character has spent some of this turn's action."""
    place = draft.table.scene
    return place is not None and (who.acted_scene, who.acted_turn) == (place.id, draft.state(place, Scene).turn)


def left(draft: Draft, id: str) -> int:
    """Halves of the turn's action that are left. A recovery of this turn gives way to what is done in its place."""
    who = draft.who(id)
    if not is_counted(draft, id) or not has_acted(draft, who) or who.recovering:
        return FULL
    return max(0, FULL - who.acted_halves)


def spend(draft: Draft, id: str, halves: int) -> None:
    """Refuses `no-action-left`."""
    if is_counted(draft, id):
        remaining = left(draft, id)
        if halves > remaining:
            raise Refused("moc.combat.initiative", "no-action-left", character=id, left=remaining)
        _act(draft, id, FULL - remaining + halves)


def begin(draft: Draft, id: str, halves: int, reason: str) -> None:
    """An action: it completes a recovery of an earlier turn, and breaks one of this turn off.

    Refuses `no-action-left`.
    """
    who = draft.who(id)
    waited = who.acted_scene and draft.table.scene is not None and not has_acted(draft, who)
    spend(draft, id, halves)
    if who.recovering and waited and draft.dials.turn_actions == "kept":
        rest(draft, id, None)
    else:
        draft.interrupted(id, reason)


def _act(draft: Draft, id: str, halves: int) -> None:
    place = draft.place()
    draft.about(id, facts_of_bodies.ActionTaken(place.id, draft.scene().turn, halves))
    draft.by("moc.combat.initiative", halves, character=id, most=FULL)


# --- recovering ---


def recover(draft: Draft, id: str) -> None:
    """`moc.recover.action`: it takes the whole action of the turn. Refuses `no-action-left`."""
    counted = is_counted(draft, id)
    spend(draft, id, FULL)
    draft.about(id, facts_of_bodies.RecoveryDeclared())
    if not counted and draft.table.scene is not None and draft.dials.turn_actions == "kept":
        _act(draft, id, FULL)
    draft.by("moc.recover.action", "declared", character=id)


def is_over(draft: Draft, id: str) -> bool:
    """Whether the turn in which the recovery was declared is over."""
    return draft.dials.turn_actions == "table" or not has_acted(draft, draft.who(id))


def rest(draft: Draft, id: str, primary: str | None) -> None:
    """The recovery is completed."""
    who = draft.who(id)
    draft.about(id, facts_of_bodies.RecoveryCompleted(who.ratings["T"]))
    draft.by("moc.recover.action", max(0, who.pain - who.ratings["T"]), pain=who.pain)
    if draft.dials.action_recovery_also_restores and (who.fatigue or primary is not None):
        if who.due:  # the step it takes is none of those at hand
            draft.about(id, facts_of_bodies.SceneRecoveryDue(who.due + 1))
        step(draft, id, primary)


def step(draft: Draft, id: str, primary: str | None) -> None:
    """Refuses `nothing-declared`, `pool-full`."""
    rule, who = "moc.recover.scene", draft.who(id)
    if who.fatigue > 0:
        draft.about(id, facts_of_bodies.SceneRecoveryTaken(1))
        draft.by(rule, who.fatigue - 1, fatigue=True)
        return
    if primary is None:
        raise Refused(rule, "nothing-declared", character=id)
    named = terms.primary(primary, rule)
    most = min(who.ratings[named], MOST_DAMAGE - who.damage)
    if draft.balance(accounts.token(id, named)) >= most:
        raise Refused(rule, "pool-full", character=id, primary=named, most=most)
    moved = accounts.move(accounts.TOKENS, accounts.token(id, named), 1)
    draft.about(id, facts_of_bodies.SceneRecoveryTaken(0, named), moved)
    draft.by(rule, named, most=most)
