"""What is checked again and again: who may be ruled on, the conflict they are in, whose turn it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ledger.rules.kernel.contract import Underway
from ledger.rules.kernel.frozen import quick
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import Subject, character
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.inputs import RollTask
from ledger.rules.mongrel.inputs_of_dealings import Purchase
from ledger.rules.mongrel.inputs_of_strife import Attack, CarryOut
from ledger.rules.mongrel.state import Character, Conflict
from ledger.rules.mongrel.terms import NUMBERS


@quick
@dataclass(frozen=True, slots=True)
class Strife:
    """A conflict, and the scene it is in."""

    scene: Subject
    conflict: Conflict


# --- who may be ruled on ---------------------------------------------------------------------------------------------


def check_alive(draft: Draft, id: str, rule: str = "mongrel.damage.dead") -> Character:
    """Refuses `unknown-character`, `dead`, `decision-pending`."""
    who = draft.who(id)
    if who.dead:
        raise Refused(rule, "dead", character=id)
    if who.dying:
        raise Refused("mongrel.damage.terminal", "decision-pending", character=id)
    return who


def check_rolls(draft: Draft, id: str) -> None:
    """Refuses `npc-does-not-roll` where characters without a player only supply target numbers."""
    if draft.who(id).npc and not draft.dials.npc_rolls:
        raise Refused("mongrel.task.pool", "npc-does-not-roll", character=id)


def check_stands(draft: Draft, id: str, *, speaks: bool = False) -> None:
    """`mongrel.damage.collapse`. `speaks`: it takes no more than words. Refuses `collapsed`."""
    if draft.who(id).collapsed and not (speaks and draft.dials.collapsed_may_speak):
        raise Refused("mongrel.damage.collapse", "collapsed", character=id)


def check_once(ids: Iterable[str], rule: str) -> None:
    """Refuses `duplicate` when something is named twice."""
    seen: set[str] = set()
    for id in ids:
        if id in seen:
            raise Refused(rule, "duplicate", named=id)
        seen.add(id)


# --- conflicts -------------------------------------------------------------------------------------------------------


def conflict_of(draft: Draft, id: str) -> Strife | None:
    """The conflict the character is in, or died in: that of the scene it is declared in, else of any open scene."""
    here = draft.table.scene
    others = draft.table.subjects("scene")
    for subject in ((here,) if here is not None and draft.table.has(here) else ()) + others:
        conflict = draft.scene(subject).conflict
        if conflict is not None and takes_part(draft, strife := Strife(subject, conflict), id):
            return strife
    return None


def check_at_leisure(draft: Draft, id: str) -> None:
    """Refuses `in-conflict` for what takes minutes or hours."""
    if conflict_of(draft, id) is not None:
        raise Refused("mongrel.conflict.order", "in-conflict", character=id)


def the_conflict(draft: Draft, id: str, rule: str) -> Strife:
    """The common checks of a conflict command: `not-in-scene`, `decision-pending`, `dead`."""
    who = draft.who(id)
    strife = conflict_of(draft, id)
    if strife is None:
        raise Refused(rule, "not-in-scene", character=id)
    check_nobody_decides(draft, strife)
    if who.dead:
        raise Refused("mongrel.damage.dead", "dead", character=id)
    return strife


def takes_part(draft: Draft, strife: Strife, id: str) -> bool:
    """In the queue, or dead by now; who retired or was taken out is an outsider."""
    return id in strife.conflict.queue or (id in strife.conflict.participants and draft.who(id).dead)


def check_nobody_decides(draft: Draft, strife: Strife) -> None:
    """Terminal damage is answered first, and so is an attack of which something is known. Refuses `decision-pending`.

    `mongrel.conflict.front`: until its defence is chosen or its dice are entered an attack can be forestalled; after
    that it is carried out.
    """
    for id in strife.conflict.queue:
        if draft.table.has(character(id)) and draft.who(id).dying:
            raise Refused("mongrel.damage.terminal", "decision-pending", character=id)
    for other in draft.table.underway():
        if _under_way(strife, other):
            raise Refused("mongrel.conflict.front", "decision-pending", action=strife.conflict.queue[0])


def _under_way(strife: Strife, other: Underway) -> bool:
    """Whether what waits is the action of who is next, and its defence is chosen or its dice are entered."""
    match other.do:
        case Attack(actor=id, faces=faces, defend=defend):
            possible, known = strife.conflict.queue[:1] == (id,), faces is not None or defend is not None
        case RollTask(actor=id, faces=faces) | Purchase(buyer=id, faces=faces):
            possible, known = strife.conflict.queue[:1] == (id,), faces is not None
        case CarryOut(faces=faces, defend=defend):
            possible = other.scene == strife.scene and strife.conflict.action is not None
            known = faces is not None or defend is not None
        case _:
            return False
    return possible and (known or _is_decided(other))


def _is_decided(other: Underway) -> bool:
    """Whether anything was answered but for the numbers that a game master says beforehand."""
    return other.answered and set(other.slots) != {NUMBERS}


def the_turn(draft: Draft, id: str, rule: str, *, passes: bool = False) -> Strife:
    """As `the_conflict`, then `not-your-turn`; then `decision-pending` while an action of one's own is open."""
    strife = the_conflict(draft, id, rule)
    if strife.conflict.queue[:1] != (id,):
        raise Refused("mongrel.conflict.queue", "not-your-turn", character=id, queue=list(strife.conflict.queue))
    if strife.conflict.action is not None and not passes:
        raise Refused("mongrel.conflict.attack", "decision-pending", action=strife.conflict.action.actor)
    return strife


def now(draft: Draft, strife: Strife) -> Conflict:
    """The conflict as it is by now."""
    conflict = draft.scene(strife.scene).conflict
    return conflict if conflict is not None else Conflict()
