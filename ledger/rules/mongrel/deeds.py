"""Tasks as people declare them: just rolled, or in a conflict an action in its order.

Nobody escapes the order by calling an action a task: on somebody who is there it costs what an attack costs, on nobody
what an action on nobody costs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, TypeVar

from ledger.rules.kernel.chapters import Refusal, decides, declares, offers, require, rule
from ledger.rules.kernel.declarations import either
from ledger.rules.kernel.domains import CharacterId, Reason, Title
from ledger.rules.kernel.moves import OPEN, Among, Move
from ledger.rules.kernel.phrases import Names
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.seen import Seen
from ledger.rules.mongrel.acting import (
    ACT,
    QUEUE,
    check_alive,
    check_can_act,
    conflict_of,
    find_turn,
    may_roll,
    may_stand,
)
from ledger.rules.mongrel.actions import ActionDeclared
from ledger.rules.mongrel.aims import DEFENCE_FACTS, quick_pool
from ledger.rules.mongrel.attacks import PLAIN, QUICK, Attack, act_on, list_targets
from ledger.rules.mongrel.clock import RecoveryEnded, end_recovery
from ledger.rules.mongrel.draft import BAD_SCORE, Draft, check_natural
from ledger.rules.mongrel.proposals import PROPOSED, with_numbers
from ledger.rules.mongrel.sayings import add_difficulty, say
from ledger.rules.mongrel.sessions import tell_used
from ledger.rules.mongrel.sight import ROLLED, UNPAID, Fields, at_nobody, at_somebody, look
from ledger.rules.mongrel.tables import OPTIONS, SPOKEN
from ledger.rules.mongrel.tasks import (
    CHANGED_EFFECT,
    SIDE_UNKNOWN,
    TASK_FACTS,
    TaskDeclared,
    check_difficulty,
    check_paid,
    check_task,
    check_typed,
    declare_task,
    explain_task,
    faces_of,
    make_task,
    resolve,
    say_task,
)
from ledger.rules.mongrel.terms import (
    AttributeName,
    Difficulty,
    DifficultyReason,
    ExpertiseName,
    Faces,
    PowerOptions,
    SideName,
    TakenOff,
    TakenOffReason,
    ThingScore,
    is_side,
)
from ledger.rules.mongrel.turns import ActionPointsSpent, TurnEnded, end_turn, list_actors, pay

UNTARGETED = rule(
    "mongrel.conflict.untargeted",
    "An action that has no target, or whose target is a thing, is rolled against the actor's own attribute. If it "
    "fails, no Action Point is lost.",
    "Complex task resolution",
)
OWN_SIDE_ONLY = Refusal(
    UNTARGETED,
    "own-side-only",
    "In a conflict, an action on a thing or on nobody is rolled against the actor's own attribute. Choose the side"
    " `own`.",
)

# --- on nobody -------------------------------------------------------------------------------------------------------


def say_act(word: Act, names: Names) -> str:
    """An action on nobody."""
    phrase = "{actor} tries {expertise}[, helped by {power},] against their own {attribute}"
    return say(f"{phrase}{add_difficulty(word)}[: {{purpose}}].", word, names)


@declares(
    "act",
    either("actor"),
    says=say_act,
    records=(*PROPOSED, TaskDeclared, *TASK_FACTS, ActionPointsSpent, RecoveryEnded, TurnEnded),
)
class Act:
    """In a conflict, take an action that has no target, or whose target is a thing."""

    actor: CharacterId
    expertise: ExpertiseName
    attribute: AttributeName
    power: PowerOptions = ()
    thing: Title = ""
    difficulty: Difficulty = 0
    reason: DifficultyReason = ""
    taken_off: TakenOff = 0
    taken_off_reason: TakenOffReason = ""
    purpose: Reason = ""
    faces: Faces | None = None


@decides
@with_numbers
def act(draft: Draft, do: Act) -> Asking[None]:
    """One's own side; a failure costs nothing, by default."""
    yield from act_alone(draft, do)


def act_alone(draft: Draft, do: Act) -> Asking[None]:
    """One's own side; a failure costs nothing, by default."""
    strife = find_turn(draft, do.actor, UNTARGETED)
    require(may_roll(draft, do.actor))
    check_can_act(draft, do.actor)
    pool = quick_pool(draft, do.actor, do.expertise, do.power, do.attribute)
    (taken_off,) = check_natural(CHANGED_EFFECT, BAD_SCORE, taken_off=do.taken_off)
    difficulty = check_difficulty(do.difficulty)
    typed = check_typed(do.faces, pool.dice)
    task = make_task(draft, pool, "own", do.attribute, None, difficulty, taken_off=taken_off)
    explain_task(draft, task)
    end_recovery(draft, do.actor)
    declare_task(draft, do, task)
    faces = yield from faces_of(draft, pool, typed)
    result = resolve(draft, task, faces, why=do.taken_off_reason)
    draft.by(UNTARGETED, result.success, costs=draft.dials.failed_untargeted_costs_ap)
    if not result.success and draft.dials.failed_untargeted_costs_ap:
        pay(draft, do.actor, "missed")
    tell_used(draft)
    end_turn(draft, strife, do.actor)


# --- a task ----------------------------------------------------------------------------------------------------------


@declares(
    "roll-task",
    either("actor"),
    says=say_task,
    records=(*PROPOSED, TaskDeclared, ActionDeclared, *DEFENCE_FACTS, *TASK_FACTS, TurnEnded),
)
class RollTask:
    """Roll dice for a task. In a conflict, characters do this on their turn. The side then depends on whether the
    target defends, and is `own` if there is no target.

    `target`: the character whose attribute the roll is against, if the side is `target`. `thing`: what the roll is
    against, if that is not a character.
    `power`: the Power options that fit. If the Expertise is a Power, these options are rolled by themselves.
    `purpose`: what the task is for. A purpose is usually given.
    """

    actor: CharacterId
    expertise: ExpertiseName
    side: SideName
    attribute: AttributeName
    power: PowerOptions = ()
    target: CharacterId | None = None
    thing: Title = ""
    score: ThingScore | None = None
    difficulty: Difficulty = 0
    reason: DifficultyReason = ""
    taken_off: TakenOff = 0
    taken_off_reason: TakenOffReason = ""
    purpose: Reason = ""
    faces: Faces | None = None


@decides
@with_numbers
def roll_task(draft: Draft, do: RollTask) -> Asking[None]:
    """Refuses `dead`, `decision-pending`, `npc-does-not-roll`, `occult-needs-resolve`.

    Then as a task (`collapsed`) or as an action.
    """
    check_alive(draft, do.actor)
    require(may_roll(draft, do.actor))
    check_paid(do.expertise)
    if conflict_of(draft, do.actor) is None:
        require(may_stand(draft, do.actor, speaks=do.expertise in SPOKEN))
        yield from _roll(draft, do)
    else:
        yield from _act_in_turn(draft, do)


def _roll(draft: Draft, do: RollTask) -> Asking[None]:
    task = check_task(draft, do)
    typed = check_typed(do.faces, task.pool.dice)
    end_recovery(draft, do.actor)
    declare_task(draft, do, task)
    faces = yield from faces_of(draft, task.pool, typed)
    resolve(draft, task, faces, why=do.taken_off_reason)
    tell_used(draft)


def _act_in_turn(draft: Draft, do: RollTask) -> Asking[None]:
    """On somebody who may defend, or on nobody; the side follows from that. Refuses `side-unknown`, `own-side-only`."""
    find_turn(draft, do.actor, ACT)
    if not is_side(do.side):
        raise SIDE_UNKNOWN(side=do.side)
    if do.target is not None:
        yield from act_on(draft, _as_action(do, Attack, hit_kind="none"))
    elif do.side != "own":
        raise OWN_SIDE_ONLY(side=do.side)
    else:
        yield from act_alone(draft, _as_action(do, Act))


A = TypeVar("A", Act, Attack)


def _as_action(do: RollTask, kind: type[A], **more: Any) -> A:
    """The task as an action: the fields that both declarations have, and these."""
    shared = {field.name for field in fields(do)} & {field.name for field in fields(kind)}
    return kind(**{name: getattr(do, name) for name in shared}, **more)


@offers
def offer_actions(seen: Seen, draft: Draft) -> Iterator[Move]:
    """On nobody, by whoever is next; a task of theirs is the same. On somebody, a task that hurts nobody."""
    sight = look(seen, draft)
    for strife, head in list_actors(sight):
        for actor, pool in sight.pools((head,), QUICK):
            yield Move(Act, {"actor": actor, **ROLLED, **pool}, awaits=QUEUE)
            yield Move(RollTask, {"actor": actor, **ROLLED, **pool, "side": Among(("own",)), "score": OPEN})
        if targets := list_targets(sight, strife, head):
            for actor, pool in sight.pools((head,), PLAIN):
                task: Fields = {"actor": actor, **ROLLED, **pool, "side": OPEN, "score": OPEN}
                yield Move(RollTask, {**task, "target": Among(targets)})


POWER_ALONE = tuple(Among((power,)) for power in OPTIONS)


@offers
def offer_tasks(seen: Seen, draft: Draft) -> Iterator[Move]:
    """By who is in no conflict. Dice typed in are no move: how many they are depends on Expertise and Power."""
    sight = look(seen, draft)
    actors = [id for id in sight.mine if sight.rolls(id)]
    standing = sight.standing(actors)
    for rollers, names in ((standing, UNPAID), (sight.speaking(actors), SPOKEN)):
        for actor, pool in sight.pools(rollers, names):
            if names == UNPAID or pool["expertise"] not in POWER_ALONE:
                for aim in (*at_nobody(sight), at_somebody(sight.roster)):
                    yield Move(RollTask, {"actor": actor, **ROLLED, **pool, **aim})
