"""The characters who can act now: not the dead and the collapsed, and in a conflict only the next participant in the
order.

The `may_` functions return a refusal, or None if there is no objection. A rule raises the refusal; an offer is made
only if there is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ledger.rules.kernel.kit import (
    Refusal,
    Refused,
    RuleId,
    SharedRefusal,
    Subject,
    Underway,
    character,
    find_kind,
    quick,
    require,
    rule,
)
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.state import Character, Conflict
from ledger.rules.mongrel.terms import NUMBERS

DEATH = rule(
    "mongrel.damage.dead",
    "Dead characters take no further part in play (our reading).",
    "Physical damage",
)
COLLAPSE = rule(
    "mongrel.damage.collapse",
    "A collapsed character has no Action Points. Until they recover one, they can neither defend nor act, inside "
    "or outside a conflict.",
    "Physical damage",
)
ACT = rule(
    "mongrel.conflict.act",
    "To act in a conflict, a character must have at least 1 Action Point and must not have collapsed.",
    "Complex task resolution",
)
QUEUE = rule(
    "mongrel.conflict.queue",
    "The participant who is next in the order acts or passes, and then goes to the end of the order (our reading).",
    "Complex task resolution",
    outcome="character",
)
NPC_DOES_NOT_ROLL = Refusal(
    "mongrel.task.pool",
    "npc-does-not-roll",
    "{character} has no player. At this table, such characters do not roll.",
)
COLLAPSED = SharedRefusal(
    "collapsed",
    "[{character}][{target}] has collapsed. They must recover an Action Point first.",
)
DEAD = SharedRefusal(
    "dead",
    "[{character}][{target}] is dead.",
)
DECISION_PENDING = SharedRefusal(
    "decision-pending",
    "[{character} must decide about their terminal damage first][{target} must decide about their terminal damage "
    "first][{action}'s declared action must be carried out first].",
)
IN_CONFLICT = Refusal(
    "mongrel.conflict.order",
    "in-conflict",
    "{character} is in a conflict and cannot do anything that takes minutes or hours.",
)
NO_AP = SharedRefusal(
    "no-ap",
    "[{character} has no Action Points left, and can only recover or pass][{target} has no Action Points left, and"
    " cannot defend].",
)
NOT_IN_SCENE = SharedRefusal(
    "not-in-scene",
    "{character} is not in a conflict.",
)
NOT_YOUR_TURN = Refusal(
    QUEUE,
    "not-your-turn",
    "It is not {character}'s turn. The order is {queue}.",
)


@quick
@dataclass(frozen=True, slots=True)
class Strife:
    """A conflict and its scene."""

    scene: Subject
    conflict: Conflict


# --- characters who may be ruled on ----------------------------------------------------------------------------------


def may_be_ruled_on(draft: Draft, character_id: str) -> Refused | None:
    """Refuse dead characters, and those who must first decide about their terminal damage."""
    state = draft.read_character(character_id)
    if state.dead:
        return DEAD.under(DEATH, character=character_id)
    return DECISION_PENDING.under("mongrel.damage.terminal", character=character_id) if state.dying else None


def check_alive(draft: Draft, character_id: str) -> Character:
    """Return the character. Refuses `unknown-character`, `dead`, `decision-pending`."""
    require(may_be_ruled_on(draft, character_id))
    return draft.read_character(character_id)


def may_roll(draft: Draft, character_id: str) -> Refused | None:
    """Refuse a character without a player if such characters only supply target numbers at this table."""
    return (
        NPC_DOES_NOT_ROLL(character=character_id)
        if draft.read_character(character_id).npc and not draft.dials.npc_rolls
        else None
    )


def may_be_active(draft: Draft, character_id: str, *, by_words_only: bool = False) -> Refused | None:
    """Refuse collapsed characters. `by_words_only`: whether the activity needs only speech, which some tables still
    allow.
    """
    is_down = draft.read_character(character_id).collapsed and not (by_words_only and draft.dials.collapsed_may_speak)
    return COLLAPSED.under(COLLAPSE, character=character_id) if is_down else None


def may_act(draft: Draft, character_id: str, rule: RuleId = ACT) -> Refused | None:
    """Refuse characters without an Action Point, and collapsed characters."""
    if draft.count_ap(character_id) < 1:
        return NO_AP.under(rule, character=character_id)
    return COLLAPSED.under(rule, character=character_id) if draft.read_character(character_id).collapsed else None


def check_can_act(draft: Draft, character_id: str, rule: RuleId = ACT) -> None:
    """Check that the character can act, and cite the rule. Refuses `no-ap`, `collapsed`."""
    require(may_act(draft, character_id, rule))
    draft.by(rule, "may act", ap=draft.count_ap(character_id))


# --- in a conflict ---------------------------------------------------------------------------------------------------


def find_strife(draft: Draft, character_id: str) -> Strife | None:
    """Return the conflict that the character is in or died in, or None if there is none. The current scene is searched
    first, then any open scene.
    """
    present_scene = draft.table.scene
    is_scene_known = present_scene is not None and draft.table.has(present_scene)
    for subject in (*((present_scene,) if is_scene_known else ()), *draft.table.subjects("scene")):
        conflict = draft.read_scene(subject).conflict
        if conflict is not None and is_taking_part(draft, strife := Strife(subject, conflict), character_id):
            return strife
    return None


def may_take_time(draft: Draft, character_id: str) -> Refused | None:
    """Refuse characters in a conflict: nothing in a conflict may take minutes or hours."""
    return IN_CONFLICT(character=character_id) if find_strife(draft, character_id) is not None else None


def may_take_part(draft: Draft, character_id: str, rule: RuleId) -> Refused | None:
    """Refuse characters who are dead or in no conflict, and characters whose conflict waits for a decision."""
    state = draft.read_character(character_id)
    strife = find_strife(draft, character_id)
    if strife is None:
        return NOT_IN_SCENE.under(rule, character=character_id)
    return may_go_on(draft, strife) or (DEAD.under(DEATH, character=character_id) if state.dead else None)


def check_strife(draft: Draft, character_id: str, rule: RuleId) -> Strife:
    """Return the conflict in which the character acts."""
    require(may_take_part(draft, character_id, rule))
    return _get_strife(draft, character_id)


def _get_strife(draft: Draft, character_id: str) -> Strife:
    strife = find_strife(draft, character_id)
    assert strife is not None
    return strife


def is_taking_part(draft: Draft, strife: Strife, character_id: str) -> bool:
    """Return whether the character is in the order, or has died in the conflict. Others are outsiders."""
    return character_id in strife.conflict.queue or (
        character_id in strife.conflict.participants and draft.read_character(character_id).dead
    )


def may_go_on(draft: Draft, strife: Strife) -> Refused | None:
    """Refuse anything while terminal damage waits for a decision, or while an action is being carried out.

    Other participants can get ahead of an action until its defence is chosen or its dice are entered
    (`mongrel.conflict.front`).
    """
    for character_id in strife.conflict.queue:
        if draft.table.has(character(character_id)) and draft.read_character(character_id).dying:
            return DECISION_PENDING.under("mongrel.damage.terminal", character=character_id)
    for other in draft.table.underway():
        if _is_under_way(strife, other):
            return DECISION_PENDING.under("mongrel.conflict.front", action=strife.conflict.queue[0])
    return None


#: Declarations that can be the action of the next participant, with the field that names the acting character.
ACTOR_FIELD: Mapping[str, str] = {"attack": "actor", "roll-task": "actor", "purchase": "buyer"}


def _is_under_way(strife: Strife, other: Underway) -> bool:
    """Return whether this waiting declaration is the next participant's action, and its defence was chosen or its dice
    were entered.
    """
    do: Any = other.do
    kind = find_kind(do)
    if kind in ACTOR_FIELD:
        is_next_action = strife.conflict.queue[:1] == (getattr(do, ACTOR_FIELD[kind]),)
    elif kind == "carry-out":
        is_next_action = other.scene == strife.scene and strife.conflict.action is not None
    else:
        return False
    has_started = do.faces is not None or getattr(do, "defend", None) is not None
    return is_next_action and (has_started or _is_decided(other))


def _is_decided(other: Underway) -> bool:
    """Return whether the declaration has an answer other than the numbers that a game master gives before the roll."""
    return other.answered and set(other.slots) != {NUMBERS}


def may_take_turn(draft: Draft, character_id: str, rule: RuleId, *, is_passing: bool = False) -> Refused | None:
    """Refuse everybody except the next participant. A declared action must be carried out first, unless the character
    passes.
    """
    if (refused := may_take_part(draft, character_id, rule)) is not None:
        return refused
    conflict = _get_strife(draft, character_id).conflict
    if conflict.queue[:1] != (character_id,):
        return NOT_YOUR_TURN(character=character_id, queue=list(conflict.queue))
    if conflict.action is not None and not is_passing:
        return DECISION_PENDING.under("mongrel.conflict.attack", action=conflict.action.actor)
    return None


def check_turn(draft: Draft, character_id: str, rule: RuleId, *, is_passing: bool = False) -> Strife:
    """Return the conflict in which the character is next."""
    require(may_take_turn(draft, character_id, rule, is_passing=is_passing))
    return _get_strife(draft, character_id)


def read_conflict(draft: Draft, strife: Strife) -> Conflict:
    conflict = draft.read_scene(strife.scene).conflict
    return conflict if conflict is not None else Conflict()
