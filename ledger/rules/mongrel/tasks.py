"""Tasks: who rolls how many dice against what. Headings: Task Resolution; Powers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ledger.rules.kernel.frozen import quick
from ledger.rules.kernel.questions import Asking, roll
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.facts import (
    DiceRolled,
    EffectAdjusted,
    TargetsAdded,
    TaskDeclared,
    TaskResolved,
)
from ledger.rules.mongrel.inputs import Occult, RollTask
from ledger.rules.mongrel.inputs_of_strife import Act
from ledger.rules.mongrel.resolution import base_effect, count, count_zero, grade, target_number
from ledger.rules.mongrel.state import Character, governing, power_of
from ledger.rules.mongrel.tables import GOVERNED_BY, OPTIONS, POWERS
from ledger.rules.mongrel.terms import Identity, Number, Side, is_attribute, is_natural, is_side, is_whole

POOL = "mongrel.task.pool"
TN = "mongrel.task.tn"
MODIFIER = "mongrel.task.modifier"
ZERO = "mongrel.task.zero-expertise"
AUGMENT = "mongrel.power.augment"
ALONE = "mongrel.power.alone"
HARDEST = 4


@quick
@dataclass(frozen=True, slots=True)
class Pool:
    """`value`: Expertise with Power; `dice`: how many are rolled (2 at value 0). `augmented`: by this Power."""

    actor: str
    expertise: str
    identity: Identity
    value: int
    augmented: str | None

    @property
    def dice(self) -> int:
        return self.value or 2


@quick
@dataclass(frozen=True, slots=True)
class Task:
    """A roll that may be made. `against`: whose attribute is the target number. `taken_off`: what the Effect loses."""

    pool: Pool
    side: Side
    attribute: str
    against: str | None
    score: int
    difficulty: int
    tn: int
    taken_off: int


@quick
@dataclass(frozen=True, slots=True)
class Result:
    success: bool
    effect: int


# --- what is rolled --------------------------------------------------------------------------------------------------


def pool_of(draft: Draft, id: str, expertise: str, options: Sequence[str]) -> Pool:
    """Refuses `expertise-unknown`, `power-not-primary`, `power-option-unknown`, `power-none`."""
    who = draft.who(id)
    if expertise not in GOVERNED_BY:
        raise Refused(POOL, "expertise-unknown", expertise=expertise)
    alone = expertise in OPTIONS
    if alone and expertise != power_of(who):
        raise Refused(ZERO, "power-not-primary", expertise=expertise, primary=who.primary)
    points = power_points(who, options)
    if alone and points < 1:
        raise Refused(ALONE, "power-none", options=list(options))
    value = points if alone else who.expertise.get(expertise, 0) + points
    draft.by(ALONE if alone else POOL, value, expertise=who.expertise.get(expertise, 0), power=points)
    if points and not alone:
        draft.by(AUGMENT, points, options=list(options))
    augmented = power_of(who) if points else None
    return Pool(id, expertise, governing(who, expertise), value, augmented)


def power_points(who: Character, options: Sequence[str]) -> int:
    """What fitting options add together, each once."""
    known = OPTIONS[POWERS[who.primary]]
    for option in options:
        if option not in known:
            raise Refused("mongrel.power.allocate", "power-option-unknown", option=option, known=list(known))
    return sum(max(0, who.power.get(option, 0)) for option in dict.fromkeys(options))


def check_paid(expertise: str) -> None:
    """`mongrel.sorcery.occult`: it has inputs of its own. Refuses `occult-needs-resolve`."""
    if expertise == "occult":
        raise Refused("mongrel.sorcery.occult", "occult-needs-resolve", expertise=expertise)


def check_natural(rule: str, code: str, **numbers: Number) -> tuple[int, ...]:
    """The numbers, in order. Refuses the first that is no natural one."""
    found = []
    for name, number in numbers.items():
        if not is_natural(number):
            raise Refused(rule, code, what=name, given=repr(number))
        found.append(number)
    return tuple(found)


def check_difficulty(difficulty: Number) -> int:
    """Refuses `modifier-range`."""
    if not is_whole(difficulty) or not 0 <= difficulty <= HARDEST:
        raise Refused(MODIFIER, "modifier-range", difficulty=repr(difficulty), hardest=HARDEST)
    return difficulty


def check_task(draft: Draft, do: RollTask | Occult) -> Task:
    """A task as declared (`roll-task` or `occult`): scores, then `modifier-range`, `side-unknown`."""
    expertise = do.expertise if isinstance(do, RollTask) else "occult"
    pool = pool_of(draft, do.actor, expertise, do.power)
    if not is_attribute(do.attribute):
        raise Refused(TN, "attribute-unknown", attribute=do.attribute)
    thing = do.side == "target" and do.target is None
    score: int | None = None
    if thing or do.score is not None:
        (score,) = check_natural(TN, "bad-score", score=do.score)
    if do.target is not None:
        draft.who(do.target)
    (taken_off,) = check_natural("mongrel.effect.change", "bad-score", taken_off=do.taken_off)
    difficulty = check_difficulty(do.difficulty)
    if not is_side(do.side):
        raise Refused(TN, "side-unknown", side=do.side)
    of_thing = score if thing else None
    return task_on(draft, pool, do.side, do.attribute, do.target, difficulty, of_thing, taken_off=taken_off)


def task_on(
    draft: Draft,
    pool: Pool,
    side: Side,
    attribute: str,
    target: str | None,
    difficulty: int,
    score: int | None = None,
    *,
    taken_off: int = 0,
) -> Task:
    """`mongrel.task.tn`: the actor's attribute, or the target's; `score`: that of a thing."""
    against = pool.actor if side == "own" else target
    if score is None:
        score = draft.score(against or pool.actor, attribute)
    tn = target_number(score, difficulty, side, draft.dials)
    draft.by(TN, score, side=side, attribute=attribute, of=against)
    if difficulty:
        draft.by(MODIFIER, tn, score=score, difficulty=difficulty)
    return Task(pool, side, attribute, against, score, difficulty, tn, taken_off)


def declare_task(draft: Draft, do: RollTask | Occult | Act, task: Task) -> None:
    target = None if isinstance(do, Act) else do.target
    done = TaskDeclared(
        do.actor, task.pool.expertise, do.power, task.side, task.attribute, target, do.thing, task.difficulty,
        do.reason, task.taken_off, do.purpose,
    )  # fmt: skip
    draft.about(do.actor, done)
    if isinstance(do, Occult) and (others := tuple(id for id in dict.fromkeys(do.others) if id != do.target)):
        draft.about(do.actor, TargetsAdded(do.actor, others))


# --- the dice --------------------------------------------------------------------------------------------------------


def check_typed(faces: tuple[Number, ...] | None, dice: int) -> tuple[int, ...] | None:
    """The dice typed in with the input. Refuses `dice-count`, `dice-face`."""
    if faces is None:
        return None
    if len(faces) != dice:
        raise Refused(POOL, "dice-count", expected=dice, given=len(faces))
    typed = []
    for face in faces:
        if not is_whole(face) or not 1 <= face <= 6:
            raise Refused(POOL, "dice-face", face=repr(face))
        typed.append(face)
    return tuple(typed)


def faces_of(draft: Draft, pool: Pool, typed: tuple[int, ...] | None, slot: str = "task") -> Asking[tuple[int, ...]]:
    """The dice typed in, else those asked for."""
    if typed is not None:
        faces = typed
        done = DiceRolled(pool.actor, pool.expertise, faces, "typed", draft.table.by.seat)
    else:
        faces = yield from roll(
            character(pool.actor), pool.dice, 6, slot=slot, purpose=pool.expertise, rule=POOL, count_code="dice-count",
            face_code="dice-face",
        )  # fmt: skip
        done = DiceRolled(pool.actor, pool.expertise, faces, "asked", None)
    draft.about(pool.actor, done)
    return faces


def resolve(draft: Draft, task: Task, faces: tuple[int, ...], *, extra: int = 0, why: str = "") -> Result:
    """`mongrel.task.count`, `mongrel.effect.base`, `mongrel.effect.change`: what the dice come to."""
    pool = task.pool
    counted = (count if pool.value else count_zero)(faces, task.tn, task.side, draft.dials)
    identity = draft.who(pool.actor).identity.get(pool.identity, 0)
    base = base_effect(counted, task.tn, identity, draft.dials)
    raised = base + extra if counted.success else 0
    effect = max(0, raised - task.taken_off)
    done = TaskResolved(
        pool.actor, pool.expertise, task.tn, counted.successes, counted.success, counted.special, base, effect,
        grade(effect),
    )  # fmt: skip
    draft.about(pool.actor, done)
    rule = f"mongrel.task.{counted.special or 'count'}" if counted.special != "low-longshot" else LOW
    draft.by(rule, counted.success, tn=task.tn, side=task.side, faces=list(faces), successes=counted.successes)
    if counted.success:
        if not counted.flat:
            draft.by("mongrel.identity.use", identity, identity=pool.identity)
        draft.by("mongrel.effect.base", base, successes=counted.successes, identity=identity, flat=counted.flat)
        _change(draft, pool.actor, raised, effect, extra, task.taken_off, why)
    draft.by("mongrel.effect.grade", grade(effect), effect=effect)
    if pool.expertise == "know":
        draft.by("mongrel.sorcery.know", effect)
    mark_task(draft, task)
    return Result(counted.success, effect)


LOW = "mongrel.task.low-impossible"


def _change(draft: Draft, actor: str, raised: int, effect: int, extra: int, taken_off: int, why: str) -> None:
    if extra or taken_off:
        draft.by("mongrel.effect.change", effect, raised=raised, occult=extra, taken_off=taken_off)
    if taken_off:
        draft.about(actor, EffectAdjusted(actor, taken_off, effect, why))


def mark_task(draft: Draft, task: Task) -> None:
    """`mongrel.cp.used-only`: the Expertise, its Identity, the Power that augmented, the attribute rolled against."""
    pool = task.pool
    draft.mark(pool.actor, pool.expertise, pool.identity, *((pool.augmented,) if pool.augmented else ()))
    if task.against is not None and is_attribute(task.attribute):
        draft.mark(task.against, task.attribute)
