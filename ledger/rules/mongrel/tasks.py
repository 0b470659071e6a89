"""Tasks: the dice pool, the target number, how the dice are counted, and the Effect.

Headings: Task Resolution; Basics; Modifiers; Effect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ledger.rules.kernel.kit import (
    Asking,
    CharacterId,
    Names,
    Question,
    Reason,
    Refusal,
    SeatId,
    Title,
    character,
    fact,
    quick,
    roll,
    rule,
)
from ledger.rules.mongrel import counting, identities, powers, sessions
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.draft import BAD_SCORE, Draft, check_natural
from ledger.rules.mongrel.state import find_governing_identity, find_power
from ledger.rules.mongrel.tables import GOVERNED_BY, OPTIONS
from ledger.rules.mongrel.terms import (
    AttributeName,
    DiceSource,
    ExpertiseName,
    Grade,
    Identity,
    Number,
    OptionName,
    Side,
    Special,
    add_difficulty,
    is_attribute,
    is_side,
    is_whole,
    say,
    write_word,
)

# --- the dice --------------------------------------------------------------------------------------------------------


def say_pool(given: Mapping[str, Any]) -> str:
    if "dial" in given:
        return ""
    is_empty = given.get("out") == 0
    return (
        "Expertise and Power give no dice: one die is rolled twice."
        if is_empty
        else "Expertise and Power give {out:die|dice}."
    )


POOL = rule(
    "mongrel.task.pool",
    "The number of dice rolled is the level of the Expertise plus the points of the Power options that fit the task.",
    "Basics",
    step=say_pool,
)
DICE_COUNT = Refusal(POOL, "dice-count", "This roll has {expected:die|dice}, not {given}.")
DICE_FACE = Refusal(POOL, "dice-face", "A die cannot show {face}. Its faces are 1 to 6.")
OCCULT_NEEDS_RESOLVE = Refusal(
    "mongrel.sorcery.occult",
    "occult-needs-resolve",
    "Occult costs at least 1 point of Infernal Resolve. Declare `occult` or `occult-purchase` instead, and say"
    " how many points.",
)
POWER_NONE = Refusal(
    powers.ALONE, "power-none", "A Power rolled by itself needs points in the chosen options[: {options}]."
)


@quick
@dataclass(frozen=True, slots=True)
class Pool:
    """The dice for a roll. `value`: the Expertise plus the Power. `dice_count`: 2 if the value is 0. `augmented`: the
    Power that adds to the Expertise, if any.
    """

    actor: str
    expertise: str
    identity: Identity
    value: int
    augmented: str | None

    @property
    def dice_count(self) -> int:
        return self.value or 2


def check_pool(draft: Draft, character_id: str, expertise: str, options: Sequence[str]) -> Pool:
    """Return the pool. Refuses `expertise-unknown`, `power-not-primary`, `power-option-unknown`, `power-none`."""
    state = draft.read_character(character_id)
    if expertise not in GOVERNED_BY:
        raise powers.EXPERTISE_UNKNOWN.under(POOL, expertise=expertise)
    is_alone = expertise in OPTIONS
    if is_alone and expertise != find_power(state):
        raise powers.POWER_NOT_PRIMARY.under(counting.ZERO_EXPERTISE, expertise=expertise, primary=state.primary)
    points = powers.count_power_points(state, options)
    if is_alone and points < 1:
        raise POWER_NONE(options=list(options))
    value = points if is_alone else state.expertise.get(expertise, 0) + points
    draft.by(powers.ALONE if is_alone else POOL, value, expertise=state.expertise.get(expertise, 0), power=points)
    if points and not is_alone:
        draft.by(powers.AUGMENT, points, options=list(options))
    augmented = find_power(state) if points else None
    return Pool(character_id, expertise, find_governing_identity(state, expertise), value, augmented)


def check_not_occult(expertise: str) -> None:
    """Refuse Occult, which has declarations of its own (`occult-needs-resolve`)."""
    if expertise == "occult":
        raise OCCULT_NEEDS_RESOLVE(expertise=expertise)


def check_typed(faces: tuple[Number, ...] | None, dice_count: int) -> tuple[int, ...] | None:
    """Return the dice that were typed in, or None if none were. Refuses `dice-count`, `dice-face`."""
    if faces is None:
        return None
    if len(faces) != dice_count:
        raise DICE_COUNT(expected=dice_count, given=len(faces))
    typed_faces = []
    for face in faces:
        if not is_whole(face) or not 1 <= face <= 6:
            raise DICE_FACE(face=repr(face))
        typed_faces.append(face)
    return tuple(typed_faces)


ASK_TASK = Question("task", "Roll for the task.")


@fact("dice-rolled", says="{actor} rolls {faces} for {expertise}.", changes=None)
class DiceRolled:
    """Dice were rolled. `source`: `typed` if they were entered with the declaration, `asked` if the ruling asked for
    them.
    """

    actor: CharacterId
    expertise: ExpertiseName
    faces: tuple[int, ...]
    source: DiceSource
    entered_by: SeatId | None


def ask_for_faces(
    draft: Draft, pool: Pool, typed: tuple[int, ...] | None, slot: str | None = None
) -> Asking[tuple[int, ...]]:
    """Return the dice that were typed in. If none were, ask for them."""
    if typed is not None:
        faces = typed
        fact = DiceRolled(pool.actor, pool.expertise, faces, "typed", draft.table.by.seat)
    else:
        faces = yield from roll(
            character(pool.actor),
            pool.dice_count,
            6,
            slot=slot or ASK_TASK(),
            purpose=write_word(pool.expertise),
            rule=POOL,
            count_code="dice-count",
            face_code="dice-face",
        )
        fact = DiceRolled(pool.actor, pool.expertise, faces, "asked", None)
    draft.about(pool.actor, fact)
    return faces


# --- the target number -----------------------------------------------------------------------------------------------

TN = rule(
    "mongrel.task.tn",
    "The target number is the score of one attribute. If the attribute is the roller's own, a die succeeds by "
    "showing that number or less. If it is a target's, a die succeeds by showing that number or more.",
    "Basics",
)
MODIFIER = rule(
    "mongrel.task.modifier",
    "Difficulty is a number from 0 (none) to 4 and makes the roll harder. If the target number is the roller's own"
    " score, difficulty lowers it. If it is the target's score, difficulty raises it.",
    "Modifiers",
)
MODIFIER_RANGE = Refusal(MODIFIER, "modifier-range", "Difficulty goes from 0 to {hardest}.")

HARDEST = 4


@quick
@dataclass(frozen=True, slots=True)
class Task:
    """A task that passed its checks and can be rolled. `against`: the character whose attribute gives the target
    number. `taken_off`: how much the Effect is lowered.
    """

    pool: Pool
    side: Side
    attribute: str
    against: str | None
    score: int
    difficulty: int
    tn: int
    taken_off: int


def check_difficulty(difficulty: Number) -> int:
    """Return the difficulty. Refuses `modifier-range`."""
    if not is_whole(difficulty) or not 0 <= difficulty <= HARDEST:
        raise MODIFIER_RANGE(difficulty=repr(difficulty), hardest=HARDEST)
    return difficulty


def make_task(
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
    """Return the task against the actor's attribute or the target's (`mongrel.task.tn`). `score`:
    the score of a thing.
    """
    opposed_id = pool.actor if side == "own" else target
    if score is None:
        score = draft.read_score(opposed_id or pool.actor, attribute)
    tn = counting.work_out_target_number(score, difficulty, side, draft.dials)
    return Task(pool, side, attribute, opposed_id, score, difficulty, tn, taken_off)


def explain_task(draft: Draft, task: Task) -> None:
    draft.by(TN, task.score, side=task.side, attribute=task.attribute, of=task.against)
    if task.difficulty:
        draft.by(MODIFIER, task.tn, score=task.score, difficulty=task.difficulty)


# --- the Effect ------------------------------------------------------------------------------------------------------


def say_base_effect(given: Mapping[str, Any]) -> str:
    """Put into words the Effect of a task or a purchase, without the parts that depend on options."""
    dice_name = "successes" if "successes" in given else "good"
    if given.get("flat") or dice_name not in given:
        return "In this special case the Effect is {out}, whatever the Identity." if given.get("flat") else ""
    phrases = {"successes": "{successes:successful die|successful dice}", "good": "{good:good die|good dice}"}
    target_number = given["out"] - given[dice_name] - given["identity"]
    target_phrase = f" and {target_number} for the target number" if target_number else ""
    return f"{phrases[dice_name]}, plus {{identity}} for the Identity{target_phrase}: Effect {{out}}."


BASE_EFFECT = rule(
    "mongrel.effect.base",
    "The Effect of a success is the number of successful dice plus the score of the Identity that governs the "
    "Expertise.",
    "Basics",
    step=say_base_effect,
)
CHANGED_EFFECT = rule(
    "mongrel.effect.change",
    "When Occult is used, each point of Infernal Resolve spent after the first adds 1 to the Effect (our reading)."
    " Features of the target can lower the Effect of a success, but not below 0.",
    "Effect",
)


def say_grade(given: Mapping[str, Any]) -> str:
    return "An Effect of {effect} is {out}." if given.get("effect") else ""


GRADE = rule(
    "mongrel.effect.grade",
    "An Effect of 1 is minimal, 2 or 3 is solid (our word), and 4 or more is notable.",
    "Effect",
    step=say_grade,
)


def work_out_base_effect(count: counting.Count, tn: int, identity: int, dials: Dials) -> int:
    """Return the Effect of the dice (`mongrel.effect.base`)."""
    if not count.is_success:
        return 0
    if count.is_flat:
        return 1
    return count.success_count + identity + (tn if dials.effect_adds_tn else 0)


def grade_effect(effect: int) -> Grade:
    """Return the grade of an Effect (`mongrel.effect.grade`)."""
    if effect <= 0:
        return "none"
    if effect == 1:
        return "minimal"
    return "solid" if effect < 4 else "notable"


def say_result(fact: TaskResolved, names: Names) -> str:
    cause_phrase = {
        "ones-fail": ": half or more of the dice show ones",
        "sixes-fail": ": half or more of the dice show sixes",
        "sevens-succeed": ", a long shot",
        "low-longshot": ", a long shot",
    }.get(fact.special or "", "")
    if not fact.success:
        return say(f"{{actor}} fails with {{expertise}}{cause_phrase}.", fact, names)
    effect_phrase = "Effect {effect}, {grade}" if fact.effect else "no Effect is left"
    return say(f"{{actor}} succeeds with {{expertise}}{cause_phrase}: {effect_phrase}.", fact, names)


@fact("task-resolved", says=say_result, headline=4, changes=None)
class TaskResolved:
    """A task was resolved. `base`: the Effect of the dice. `effect`: the final Effect, after Occult points are added
    and any reduction is subtracted.
    """

    actor: CharacterId
    expertise: ExpertiseName
    tn: int
    successes: int
    success: bool
    special: Special | None
    base: int
    effect: int
    grade: Grade


@fact("effect-adjusted", says="{actor}'s Effect falls by {amount}, to {effect}[: {reason}].", changes=None)
class EffectAdjusted:
    """The Effect of a success was lowered. `amount`: by how much, at most the whole Effect. `effect`: the remaining
    Effect.
    """

    actor: CharacterId
    amount: int
    effect: int
    reason: Reason


@quick
@dataclass(frozen=True, slots=True)
class Result:
    """The result of a roll. `base`: the Effect of the dice. `raised`: the Effect with additions. `effect`: the final
    Effect, after reductions.
    """

    counted: counting.Count
    identity: int
    base: int
    raised: int
    effect: int

    @property
    def is_success(self) -> bool:
        return self.counted.is_success


def work_out(draft: Draft, task: Task, faces: tuple[int, ...], extra: int = 0) -> Result:
    """Return the result of the dice, by `mongrel.task.count`, `mongrel.effect.base` and `mongrel.effect.change`."""
    count = (counting.count if task.pool.value else counting.count_zero)(faces, task.tn, task.side, draft.dials)
    identity = draft.read_character(task.pool.actor).identity.get(task.pool.identity, 0)
    base_effect = work_out_base_effect(count, task.tn, identity, draft.dials)
    raised_effect = base_effect + extra if count.is_success else 0
    return Result(count, identity, base_effect, raised_effect, max(0, raised_effect - task.taken_off))


def resolve(draft: Draft, task: Task, faces: tuple[int, ...], *, extra: int = 0, reason: str = "") -> Result:
    """Record the result of the dice, and mark the features that were used."""
    pool, result = task.pool, work_out(draft, task, faces, extra)
    count, effect, identity = result.counted, result.effect, result.identity
    fact = TaskResolved(
        pool.actor,
        pool.expertise,
        task.tn,
        count.success_count,
        count.is_success,
        count.special,
        result.base,
        effect,
        grade_effect(effect),
    )
    draft.about(pool.actor, fact)
    rule = counting.RULE_OF_SPECIAL[count.special]
    draft.by(rule, count.is_success, tn=task.tn, side=task.side, faces=list(faces), successes=count.success_count)
    if count.is_success:
        if not count.is_flat:
            draft.by(identities.IDENTITY_ADDS, identity, identity=pool.identity)
        draft.by(BASE_EFFECT, result.base, successes=count.success_count, identity=identity, flat=count.is_flat)
        _change_effect(draft, pool.actor, result.raised, effect, extra, task.taken_off, reason)
    draft.by(GRADE, grade_effect(effect), effect=effect)
    if pool.expertise == "know":
        draft.by("mongrel.sorcery.know", effect)
    mark_task(draft, task)
    return result


def _change_effect(
    draft: Draft, actor: str, raised_effect: int, effect: int, extra: int, taken_off: int, reason: str
) -> None:
    if extra or taken_off:
        draft.by(CHANGED_EFFECT, effect, raised=raised_effect, occult=extra, taken_off=taken_off)
    if taken_off:
        draft.about(actor, EffectAdjusted(actor, taken_off, effect, reason))


def mark_task(draft: Draft, task: Task) -> None:
    """Mark the Expertise, its Identity, the Power that added to it, and the attribute rolled against as used."""
    pool = task.pool
    draft.mark(pool.actor, pool.expertise, pool.identity, *((pool.augmented,) if pool.augmented else ()))
    if task.against is not None and is_attribute(task.attribute):
        draft.mark(task.against, task.attribute)


TASK_FACTS = (DiceRolled, TaskResolved, EffectAdjusted, sessions.FeaturesUsed)

# --- declaring a task ------------------------------------------------------------------------------------------------

SIDE_UNKNOWN = Refusal(TN, "side-unknown", "The side must be `own` or `target`, not {side}.")


def say_task(do_or_fact: Any, names: Names) -> str:
    """Put into words the Expertise that is rolled, and the attribute that it is rolled against."""
    if do_or_fact.side is None:
        return say("{actor} bargains for {thing}[ with {target}].", do_or_fact, names)
    if do_or_fact.side == "own":
        against_phrase = " against {actor}'s own {attribute}"
    elif do_or_fact.target is not None:
        against_phrase = " against {target}'s {attribute}"
    else:
        against_phrase = " against the {attribute} of {thing}" if do_or_fact.thing else " against {attribute}"
    against_phrase += add_difficulty(do_or_fact)
    return say(
        f"{{actor}} tries {{expertise}}[, helped by {{power}},]{against_phrase}[: {{purpose}}].", do_or_fact, names
    )


@fact("task-declared", says=say_task, changes=None)
class TaskDeclared:
    """A task was declared. `target` or `thing`: the character or thing that the task is aimed at. `side`: whose
    attribute counts; empty for a purchase, where scores of both sides count. `purpose`: what the task is for, in words.
    """

    actor: CharacterId
    expertise: ExpertiseName
    power: tuple[OptionName, ...]
    side: Side | None
    attribute: AttributeName
    target: CharacterId | None
    thing: Title
    difficulty: int
    reason: Reason
    taken_off: int
    purpose: Reason


@fact("targets-added", says="{actor}'s Occult also targets {targets}.", changes=None)
class TargetsAdded:
    """More targets of an Occult action were named. They do not change the target number. Each of them may resist."""

    actor: CharacterId
    targets: tuple[CharacterId, ...]


def declare_task(draft: Draft, do: Any, task: Task) -> None:
    target_id = getattr(do, "target", None)
    fact = TaskDeclared(
        do.actor,
        task.pool.expertise,
        do.power,
        task.side,
        task.attribute,
        target_id,
        do.thing,
        task.difficulty,
        do.reason,
        task.taken_off,
        do.purpose,
    )
    draft.about(do.actor, fact)
    if other_ids := tuple(
        character_id for character_id in dict.fromkeys(getattr(do, "others", ())) if character_id != target_id
    ):
        draft.about(do.actor, TargetsAdded(do.actor, other_ids))


def check_task(draft: Draft, do: Any) -> Task:
    """Return the task of `roll-task` or `occult`. Refuses bad scores, then `modifier-range`, `side-unknown`."""
    expertise = getattr(do, "expertise", "occult")
    pool = check_pool(draft, do.actor, expertise, do.power)
    if not is_attribute(do.attribute):
        raise identities.ATTRIBUTE_UNKNOWN.under(TN, attribute=do.attribute)
    is_at_thing = do.side == "target" and do.target is None
    score: int | None = None
    if is_at_thing or do.score is not None:
        (score,) = check_natural(TN, BAD_SCORE, score=do.score)
    if do.target is not None:
        draft.read_character(do.target)
    (taken_off,) = check_natural(CHANGED_EFFECT, BAD_SCORE, taken_off=do.taken_off)
    difficulty = check_difficulty(do.difficulty)
    if not is_side(do.side):
        raise SIDE_UNKNOWN(side=do.side)
    thing_score = score if is_at_thing else None
    task = make_task(draft, pool, do.side, do.attribute, do.target, difficulty, thing_score, taken_off=taken_off)
    explain_task(draft, task)
    return task
