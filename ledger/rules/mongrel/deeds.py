"""The tasks that players declare, and the information that tasks reveal.

Outside a conflict, a task is simply rolled. In a conflict, it is an action in the order, so that calling an action a
task does not avoid the order. A task on a target in the conflict costs as much as an attack; a task without a target
costs as much as any action without one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Annotated, Any, TypeVar

from ledger.rules.kernel.kit import (
    GM,
    OPEN,
    Among,
    Asking,
    CharacterId,
    Move,
    Names,
    Refusal,
    Says,
    Seen,
    SharedRefusal,
    Story,
    Title,
    character,
    decides,
    declares,
    either,
    fact,
    must_say,
    offers,
    require,
    rule,
)
from ledger.rules.mongrel import acting, attacks, clock, hits, proposals, sessions, tasks, turns
from ledger.rules.mongrel.draft import BAD_SCORE, Draft, check_natural
from ledger.rules.mongrel.sight import (
    LATEST,
    ROLLED,
    UNPAID,
    Fields,
    Sight,
    get_sight,
    group_ids,
    list_aims_at_nobody,
    make_aim_at_somebody,
)
from ledger.rules.mongrel.state import ActionDeclared
from ledger.rules.mongrel.tables import OPTIONS, SPOKEN
from ledger.rules.mongrel.terms import (
    Aimed,
    AttributeName,
    Doing,
    Hindered,
    PowerOptions,
    Rolled,
    TaskNumber,
    add_difficulty,
    is_side,
    say,
)

UNTARGETED = rule(
    "mongrel.conflict.untargeted",
    "An action that has no target, or whose target is an object, is rolled against the actor's own attribute. If it"
    " fails, no Action Point is lost.",
    "Complex task resolution",
)
OWN_SIDE_ONLY = Refusal(
    UNTARGETED,
    "own-side-only",
    "In a conflict, an action that has no target, or whose target is an object, is rolled against the actor's own"
    " attribute. Choose the side `own`.",
)

# --- without a target ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OnNobody:
    """What an action without a target is rolled against: the attribute and, if there is one, the thing."""

    __slots__ = ()
    attribute: AttributeName
    power: PowerOptions = ()
    thing: Title = ""


def say_act(do: Act, names: Names) -> str:
    """Put into words an action without a target."""
    phrase = "{actor} tries {expertise}[, helped by {power},] against {actor}'s own {attribute}"
    return say(f"{phrase}{add_difficulty(do)}[: {{purpose}}].", do, names)


@declares(
    "act",
    either("actor"),
    says=say_act,
    records=(
        *proposals.PROPOSED,
        tasks.TaskDeclared,
        *tasks.TASK_FACTS,
        turns.ActionPointsSpent,
        clock.RecoveryEnded,
        turns.TurnEnded,
    ),
)
class Act(Rolled, Hindered, OnNobody, Doing):
    """In a conflict, take an action that has no target, or whose target is a thing."""


@decides
@proposals.ask_about_numbers
def act(draft: Draft, do: Act) -> Asking[None]:
    """Act without a target. By default, a failure costs no Action Point."""
    yield from act_alone(draft, do)


def act_alone(draft: Draft, do: Act) -> Asking[None]:
    """Act without a target, with the numbers that a game master gave."""
    strife = acting.check_turn(draft, do.actor, UNTARGETED)
    require(acting.may_roll(draft, do.actor))
    acting.check_can_act(draft, do.actor)
    pool = attacks.check_quick_pool(draft, do.actor, do.expertise, do.power, do.attribute)
    (taken_off,) = check_natural(tasks.CHANGED_EFFECT, BAD_SCORE, taken_off=do.taken_off)
    difficulty = tasks.check_difficulty(do.difficulty)
    typed = tasks.check_typed(do.faces, pool.dice_count)
    task = tasks.make_task(draft, pool, "own", do.attribute, None, difficulty, taken_off=taken_off)
    tasks.explain_task(draft, task)
    clock.end_recovery(draft, do.actor)
    tasks.declare_task(draft, do, task)
    faces = yield from tasks.ask_for_faces(draft, pool, typed)
    result = tasks.resolve(draft, task, faces, reason=do.taken_off_reason)
    draft.by(UNTARGETED, result.is_success, costs=draft.dials.failed_untargeted_costs_ap)
    if not result.is_success and draft.dials.failed_untargeted_costs_ap:
        turns.pay_ap(draft, do.actor, "missed")
    sessions.record_used_features(draft)
    turns.end_turn(draft, strife, do.actor)


# --- a task ----------------------------------------------------------------------------------------------------------


@declares(
    "roll-task",
    either("actor"),
    says=tasks.say_task,
    records=(
        *proposals.PROPOSED,
        tasks.TaskDeclared,
        ActionDeclared,
        *hits.DEFENCE_FACTS,
        *tasks.TASK_FACTS,
        turns.TurnEnded,
    ),
)
class RollTask(Rolled, Hindered, Aimed, Doing):
    """Roll dice for a task. In a conflict, characters do this on their turn. The side then depends on whether the
    target defends, and is `own` if there is no target.

    `target`: the character whose attribute the roll is against, if the side is `target`. `thing`: the thing that the
    roll is against, if it is not a character. `power`: the Power options that fit. If the Expertise is a Power, these
    options are rolled by themselves. `purpose`: what the task is for. A purpose is usually given.
    """


@decides
@proposals.ask_about_numbers
def roll_task(draft: Draft, do: RollTask) -> Asking[None]:
    """Roll a task. In a conflict, it is an action.

    Refuses `dead`, `decision-pending`, `npc-does-not-roll`, `occult-needs-resolve`, then the codes of
    `tasks.check_task`.
    """
    acting.check_alive(draft, do.actor)
    require(acting.may_roll(draft, do.actor))
    tasks.check_not_occult(do.expertise)
    if acting.find_strife(draft, do.actor) is None:
        require(acting.may_be_active(draft, do.actor, by_words_only=do.expertise in SPOKEN))
        yield from _roll_task(draft, do)
    else:
        yield from _act_in_turn(draft, do)


def _roll_task(draft: Draft, do: RollTask) -> Asking[None]:
    task = tasks.check_task(draft, do)
    typed = tasks.check_typed(do.faces, task.pool.dice_count)
    clock.end_recovery(draft, do.actor)
    tasks.declare_task(draft, do, task)
    faces = yield from tasks.ask_for_faces(draft, task.pool, typed)
    tasks.resolve(draft, task, faces, reason=do.taken_off_reason)
    sessions.record_used_features(draft)


def _act_in_turn(draft: Draft, do: RollTask) -> Asking[None]:
    """Roll the task as an action: on a target who may defend, or without a target. Refuses `side-unknown`,
    `own-side-only`.
    """
    acting.check_turn(draft, do.actor, acting.ACT)
    if not is_side(do.side):
        raise tasks.SIDE_UNKNOWN(side=do.side)
    if do.target is not None:
        yield from attacks.carry_out_attack(draft, _as_action(do, attacks.Attack, hit_kind="none"))
    elif do.side != "own":
        raise OWN_SIDE_ONLY(side=do.side)
    else:
        yield from act_alone(draft, _as_action(do, Act))


A = TypeVar("A", Act, attacks.Attack)


def _as_action(do: RollTask, action_class: type[A], **more: Any) -> A:
    """Return the task as an action: with the fields that both declarations have, and with these additional fields."""
    shared_names = {field.name for field in fields(do)} & {field.name for field in fields(action_class)}
    return action_class(**{name: getattr(do, name) for name in shared_names}, **more)


@offers
def offer_actions(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer the next participant actions without a target, and tasks. Tasks on a character are offered only if they
    hurt nobody.
    """
    sight = get_sight(seen, draft)
    for strife, next_id in turns.list_actors(sight):
        for rollers, pool_fields in sight.list_pools((next_id,), attacks.QUICK):
            yield Move(Act, {"actor": rollers, **ROLLED, **pool_fields}, awaits=acting.QUEUE)
            yield Move(RollTask, {"actor": rollers, **ROLLED, **pool_fields, "side": Among(("own",)), "score": OPEN})
        if targets := attacks.list_targets(sight, strife, next_id):
            for rollers, pool_fields in sight.list_pools((next_id,), attacks.PLAIN):
                task_fields: Fields = {"actor": rollers, **ROLLED, **pool_fields, "side": OPEN, "score": OPEN}
                yield Move(RollTask, {**task_fields, "target": Among(targets)})


POWER_ALONE = tuple(Among((power,)) for power in OPTIONS)


@offers
def offer_tasks(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer tasks outside a conflict. Typed dice are not offered, because their number depends on
    Expertise and Power.
    """
    sight = get_sight(seen, draft)
    actors = [character_id for character_id in sight.mine if sight.can_roll(character_id)]
    active_ids = sight.list_active(actors)
    for rollers, names in ((active_ids, UNPAID), (sight.list_speaking(actors), SPOKEN)):
        for alike_rollers, pool_fields in sight.list_pools(rollers, names):
            if names == UNPAID or pool_fields["expertise"] not in POWER_ALONE:
                for aim_fields in (*list_aims_at_nobody(sight), make_aim_at_somebody(sight.roster)):
                    yield Move(RollTask, {"actor": alike_rollers, **ROLLED, **pool_fields, **aim_fields})


# --- what a task reveals ----------------------------------------------------------------------------------------------

KNOW = rule(
    "mongrel.sorcery.know",
    "Know recognises and analyses Occult: who uses it, what it does, and how high another character's Demon score "
    "is. A game master gives the answer in words.",
    "Sorcery Expertise and spiritual damage",
)
TEXT_BLANK = SharedRefusal(
    "text-blank",
    "Say what the character learns.",
)


@fact("revealed", says="{character} learns: {text}.", changes=None)
class Revealed:
    """A character learned something from a game master. `ruling`: the task that revealed it."""

    character: CharacterId
    text: Story
    ruling: TaskNumber | None


@declares("reveal", GM, says="{character} learns: {text}.", records=(Revealed,))
class Reveal:
    """Record what a character learned, for example with Know. `ruling`: the roll that revealed it."""

    character: CharacterId
    text: Annotated[Story, Says("Discovery", "What the character learns.")]
    ruling: TaskNumber | None = None


@decides
def reveal(draft: Draft, do: Reveal) -> None:
    """Record the game master's answer (`mongrel.sorcery.know`). Refuses `text-blank`."""
    draft.read_character(do.character)
    must_say(KNOW, text=do.text)
    draft.about(do.character, Revealed(do.character, do.text, do.ruling))
    draft.by(KNOW, do.text, ruling=do.ruling)


@offers
def offer_to_reveal(seen: Seen, draft: Draft) -> Iterator[Move]:
    sight = get_sight(seen, draft)
    for task_numbers, rollers in group_ids(sight.roster, lambda character_id: list_tasks_of(sight, character_id)):
        yield Move(Reveal, {"character": rollers, "ruling": Among((None, *task_numbers))})


def list_tasks_of(sight: Sight, character_id: str) -> tuple[str, ...]:
    """Return the numbers of the latest tasks that the character rolled."""
    facts_by_ruling = sight.seen.list_citable_facts(character(character_id)).items()
    numbers = [
        number
        for number, facts in facts_by_ruling
        if {tasks.TaskDeclared, tasks.TaskResolved} <= {type(fact) for fact in facts}
    ]
    return tuple(str(number) for number in sorted(numbers)[-LATEST:])
