"""Tasks as people declare them: just rolled, or in a conflict an action in its order. Heading: Complex task resolution.

Nobody escapes the order by calling an action a task: on somebody who is there it costs what an attack costs, on nobody
what an action on nobody costs.
"""

from __future__ import annotations

from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.mongrel.attacks import UNTARGETED, act, attack
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.guards import check_alive, check_rolls, check_stands, conflict_of, the_turn
from ledger.rules.mongrel.inputs import RollTask
from ledger.rules.mongrel.inputs_of_strife import Act, Attack
from ledger.rules.mongrel.tables import SPOKEN
from ledger.rules.mongrel.tasks import TN, check_paid, check_task, check_typed, declare_task, faces_of, resolve
from ledger.rules.mongrel.terms import is_side


def roll_task(draft: Draft, do: RollTask) -> Asking[None]:
    """Refuses `dead`, `decision-pending`, `npc-does-not-roll`, `occult-needs-resolve`.

    Then as a task (`collapsed`) or as an action.
    """
    check_alive(draft, do.actor)
    check_rolls(draft, do.actor)
    check_paid(do.expertise)
    if conflict_of(draft, do.actor) is None:
        check_stands(draft, do.actor, speaks=do.expertise in SPOKEN)
        yield from _roll(draft, do)
    else:
        yield from _act(draft, do)


def _roll(draft: Draft, do: RollTask) -> Asking[None]:
    task = check_task(draft, do)
    typed = check_typed(do.faces, task.pool.dice)
    draft.end_recovery(do.actor)
    declare_task(draft, do, task)
    faces = yield from faces_of(draft, task.pool, typed)
    resolve(draft, task, faces, why=do.taken_off_reason)
    draft.tell_used()


def _act(draft: Draft, do: RollTask) -> Asking[None]:
    """On somebody who may defend, or on nobody; the side follows from that. Refuses `side-unknown`, `own-side-only`."""
    the_turn(draft, do.actor, "mongrel.conflict.act")
    if not is_side(do.side):
        raise Refused(TN, "side-unknown", side=do.side)
    if do.target is None:
        if do.side != "own":
            raise Refused(UNTARGETED, "own-side-only", side=do.side)
        action = Act(
            do.actor, do.expertise, do.attribute, do.power, do.thing, do.difficulty, do.reason, do.taken_off,
            do.taken_off_reason, do.purpose, do.faces,
        )  # fmt: skip
        yield from act(draft, action)
    else:
        on_somebody = Attack(
            do.actor, do.target, do.expertise, do.attribute, do.power, do.difficulty, do.reason, do.taken_off,
            do.taken_off_reason, hit_kind="none", faces=do.faces, purpose=do.purpose,
        )  # fmt: skip
        yield from attack(draft, on_somebody)
