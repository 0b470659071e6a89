"""How an action on a character is carried out: the defence, the roll and the hit. Also hits that do not come from such
an action.

Headings: Complex task resolution, 3; Physical damage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated

from ledger.rules.kernel.kit import (
    GM,
    OPEN,
    Among,
    Asking,
    Between,
    CharacterId,
    Move,
    Question,
    Reason,
    Ref,
    Refusal,
    Refused,
    Seen,
    Shape,
    SharedRefusal,
    ask,
    changed,
    changes,
    character,
    choice,
    decides,
    declares,
    fact,
    offers,
    once_created,
    quick,
    require,
    rule,
)
from ledger.rules.mongrel import acting, clock, damage, infernal, possessions, sessions, sorcery, tasks, turns
from ledger.rules.mongrel.draft import BAD_SCORE, Draft, ask_again_if_refused, check_natural
from ledger.rules.mongrel.sight import LATEST, NONE, Fields, Sight, get_sight
from ledger.rules.mongrel.state import ActionDeclared, Character, Conflict, in_its_conflict
from ledger.rules.mongrel.tables import SLOW
from ledger.rules.mongrel.terms import (
    NO_DEFENCE_WORDS,
    ArmourValue,
    AttributeName,
    Defends,
    Faces,
    HitKind,
    HittingTask,
    Natural,
    Number,
    PossessionId,
    Shunted,
    Side,
    WeaponBonus,
    WoundName,
    whether,
)

ATTACK = rule(
    "mongrel.conflict.attack",
    "An attack is rolled against the attacker's own attribute, or against the target's if the target defends. A "
    "target who defends pays 1 Action Point and makes the attacker pay 1. With or without a defence, an attacker "
    "who misses loses 1 Action Point. Outside a conflict an attack works the same way, but there are no turns.",
    "Complex task resolution",
)
DICE_TOO_EARLY = Refusal(
    ATTACK,
    "dice-too-early",
    "The target first chooses whether to defend. Leave the dice out for now; you will be asked for them.",
)
NOT_YOURS = SharedRefusal(
    "not-yours",
    "That is not your decision[: {target}'s side decides].",
)
IMMEDIATE = rule(
    "mongrel.conflict.immediate",
    "Everything takes effect before the next action begins. Nothing is simultaneous.",
    "Complex task resolution",
)


@dataclass(frozen=True, slots=True)
class Given:
    """The choices and dice that can be declared in advance: the target's choices, and dice that have already been
    rolled.
    """

    defend: Defends | None = None
    faces: Faces | None = None
    shunt: Shunted | None = None


@quick
@dataclass(frozen=True, slots=True)
class Aim:
    """An action that passed its checks: its dice pool, the kind of hit, and its numbers. `typed`: the dice, if they
    were typed.

    `target_attribute`: the attribute that a defence uses, if it differs from the attacker's.
    """

    pool: tasks.Pool
    kind: HitKind
    difficulty: int
    taken_off: int
    weapon: int
    armour: int
    typed: tuple[int, ...] | None
    target_attribute: str | None


@quick
@dataclass(frozen=True, slots=True)
class Guard:
    """How the target meets an action. `armour`: the value declared, or that of the possession that the target wears."""

    is_defending: bool
    armour: int
    worn: str | None = None


@fact("target-attribute-named", says="If {target} defends, {attribute} counts.")
class TargetAttributeNamed:
    """An action named a different attribute for the defence. That attribute is used if the target defends."""

    actor: CharacterId
    target: CharacterId
    attribute: AttributeName


@changes
@in_its_conflict
def put_target_attribute(state: Conflict, fact: TargetAttributeNamed) -> Conflict | None:
    is_declared = state.action is not None and state.action.actor == fact.actor
    return changed(state, target_attribute=fact.attribute) if is_declared else None


@fact("defence-chosen", says=whether("defends", "{target} defends.", "{target} does not defend."), headline=5)
class DefenceChosen:
    """The target of an action chose whether to defend."""

    target: CharacterId
    defends: bool
    side: Side
    armour_worn: Annotated[str, Ref("possession", of="target")] | None


@changes
@in_its_conflict
def note_defence(state: Conflict, fact: DefenceChosen) -> Conflict | None:
    return state if state.action is not None and state.action.target == fact.target else None


@changes
@once_created
def note_action(state: Character, fact: ActionDeclared | TargetAttributeNamed | DefenceChosen) -> Character:
    """Leave the character as it is. The scene stores the action."""
    return state


DEFENCE_FACTS = (DefenceChosen, clock.RecoveryEnded, turns.ActionPointsSpent, sessions.SessionPlayed)


def record_action(
    draft: Draft,
    strife: acting.Strife | None,
    character_id: str,
    fact: ActionDeclared | TargetAttributeNamed | DefenceChosen,
) -> None:
    """Record the fact about the scene of the conflict or, outside a conflict, about the character."""
    if strife is not None:
        draft.tell(strife.scene, fact)
    else:
        draft.about(character_id, fact)


# --- defending -------------------------------------------------------------------------------------------------------

MAY_DEFEND = rule(
    "mongrel.conflict.may-defend",
    "A character cannot defend if they have collapsed, have no Action Points or are recovering.",
    "Complex task resolution",
)
RECOVERING = Refusal(
    MAY_DEFEND,
    "recovering",
    "{target} is recovering and cannot defend before their next turn.",
)
ASK_DEFEND = Question("defend", "{purpose}")


@choice("defend", says="The target defends.")
class Defend:
    """Defend for 1 Action Point. The attacker must pay 1, too. `armour_worn`: a possession that the target wears as
    armour.
    """

    armour_worn: PossessionId | None = None


@choice("stand", says="The target does not defend.")
class Stand:
    """Do not defend. `armour_worn`: a possession that the target wears as armour."""

    armour_worn: PossessionId | None = None


def may_defend(draft: Draft, character_id: str) -> Refused | None:
    """Refuse a character who cannot defend, for the first reason that applies."""
    state = draft.read_character(character_id)
    reasons = (
        (acting.DEAD, state.dead),
        (acting.DECISION_PENDING, state.dying),
        (acting.COLLAPSED, state.collapsed),
        (acting.NO_AP, draft.count_ap(character_id) < 1),
        (RECOVERING, state.recovering and draft.dials.recovery_bars_defence),
    )
    return next((refusal.under(MAY_DEFEND, target=character_id) for refusal, is_true in reasons if is_true), None)


def may_choose_guard(
    draft: Draft, do: ActionDeclared, checked_action: Aim | None, shunt: Number, guard: Guard
) -> Refused | None:
    """Refuse a defence that is not possible, and a declared shunt that is impossible with the known dice."""
    if guard.is_defending and (refused := may_defend(draft, do.target)) is not None:
        return refused
    if checked_action is None or checked_action.typed is None or not shunt:
        return None
    result = tasks.work_out(draft, make_task_against(draft, do, checked_action, guard), checked_action.typed)
    if not result.is_success:
        return damage.may_shunt_nothing(shunt)
    net_damage = damage.work_out_net(damage.Blow(result.effect, do.weapon, guard.armour))
    return damage.may_shunt(draft, do.target, shunt, net_damage)


def make_task_against(draft: Draft, do: ActionDeclared, checked_action: Aim, guard: Guard) -> tasks.Task:
    """Return the task against the attacker's attribute or, if the target defends, the target's attribute."""
    side: Side = "target" if guard.is_defending else "own"
    attribute = (checked_action.target_attribute if guard.is_defending else None) or do.attribute
    return tasks.make_task(
        draft,
        checked_action.pool,
        side,
        attribute,
        do.target,
        checked_action.difficulty,
        taken_off=checked_action.taken_off,
    )


def choose_defence(
    draft: Draft,
    strife: acting.Strife | None,
    do: ActionDeclared,
    is_defended: bool | None,
    checked_action: Aim | None = None,
    shunt: Number = None,
) -> Asking[Guard]:
    """Return how the target meets the action: as declared, or as its seat answers. A defence costs both sides 1 Action
    Point.
    """
    if is_defended is None:
        guard = yield from _ask_target(draft, do, checked_action, shunt)
    else:
        guard = Guard(is_defended, do.armour)
    side: Side = "target" if guard.is_defending else "own"
    record_action(draft, strife, do.target, DefenceChosen(do.target, guard.is_defending, side, guard.worn))
    draft.by(ATTACK, side, defends=guard.is_defending)
    if guard.is_defending:
        turns.pay_ap(draft, do.target, "defend")
        turns.pay_ap(draft, do.actor, "forced")
        sessions.note_played(draft, do.target)
    return guard


def _ask_target(draft: Draft, do: ActionDeclared, checked_action: Aim | None, shunt: Number) -> Asking[Guard]:
    """Return the target's answer: whether it defends, and in which armour. An impossible answer is asked for again.

    If no answer is possible, nobody is asked.
    """
    guards = _list_guards(draft, do)
    possible_guards = [guard for guard in guards if may_choose_guard(draft, do, checked_action, shunt, guard) is None]
    if not possible_guards:
        require(may_choose_guard(draft, do, checked_action, shunt, guards[0]))
    shapes = [Shape(cls, {"armour_worn": _list_worn(possible_guards, cls)}) for cls in (Stand, Defend)]
    owner, purpose = draft.table.owner(character(do.target)), _word_defence(draft, do.target)
    answer = yield from ask(owner, Defend, Stand, slot=ASK_DEFEND(), purpose=purpose, within=shapes)
    with ask_again_if_refused():
        armour, worn_id = do.armour, answer.armour_worn
        if isinstance(answer, Defend):
            require(may_defend(draft, do.target))
        if worn_id is not None:
            armour = possessions.read_value(
                draft, do.target, worn_id, "armour", do.armour or int(do.armour_worn is not None)
            )
        guard = Guard(isinstance(answer, Defend), armour, worn_id)
        require(may_choose_guard(draft, do, checked_action, shunt, guard))
    return guard


def _word_defence(draft: Draft, character_id: str) -> str:
    """Put into words the question whether the target defends, or the reason why it cannot."""
    name, refused = draft.table.name(character(character_id)), may_defend(draft, character_id)
    words = f"{name} cannot defend: {NO_DEFENCE_WORDS[refused.code]}." if refused is not None else ""
    return words or f"Does {name} defend? That costs 1 Action Point."


def _list_guards(draft: Draft, do: ActionDeclared) -> list[Guard]:
    """Return the target's choices: without armour or in any armour that it has, unless armour was declared
    (`mongrel.item.use`).
    """
    value_by_armour: dict[str | None, int] = {None: do.armour}
    if not do.armour and do.armour_worn is None:
        possessions_held = draft.read_character(do.target).possessions
        value_by_armour.update(
            {possession_id: item.armour for possession_id, item in possessions_held.items() if item.armour is not None}
        )
    worn_armours = value_by_armour.items()
    return [
        Guard(is_defending, value, possession_id)
        for is_defending in (False, True)
        for possession_id, value in worn_armours
    ]


def _list_worn(guards: list[Guard], answer_class: type[Defend | Stand]) -> Among:
    return Among(tuple(guard.worn for guard in guards if guard.is_defending is (answer_class is Defend)))


# --- the roll --------------------------------------------------------------------------------------------------------


def may_enter_dice_early(draft: Draft) -> Refused | None:
    """Refuse dice entered before the target's choice, unless the table allows that."""
    return None if draft.dials.dice_before_defence else DICE_TOO_EARLY()


def carry_out_checked_action(
    draft: Draft, strife: acting.Strife | None, do: ActionDeclared, checked_action: Aim, declared_choices: Given
) -> Asking[None]:
    """Carry out the action: the defence, the dice and the hit. The attacker pays 1 Action Point if the target defends
    and 1 for a miss, as long as any are left.
    """
    draft.is_under_way = True
    clock.end_recovery(draft, do.actor)
    guard = yield from choose_defence(
        draft, strife, do, declared_choices.defend, checked_action, declared_choices.shunt
    )
    task = make_task_against(draft, do, checked_action, guard)
    tasks.explain_task(draft, task)
    faces = yield from tasks.ask_for_faces(draft, checked_action.pool, checked_action.typed)
    result = tasks.resolve(draft, task, faces, reason=do.taken_off_reason)
    if not result.is_success:
        require(damage.may_shunt_nothing(declared_choices.shunt))
        turns.pay_ap(draft, do.actor, "missed")
    else:
        draft.by(IMMEDIATE, result.effect, hit_kind=do.hit_kind)
        yield from _land_hit(draft, do, result.effect, guard.armour, declared_choices.shunt)
    sessions.record_used_features(draft)
    if strife is not None:
        turns.end_turn(draft, strife, do.actor)


def _land_hit(draft: Draft, do: ActionDeclared, effect: int, armour: int, shunt: Number) -> Asking[None]:
    if do.expertise == "chill":
        effect = yield from sorcery.ask_to_resist_chill(draft, do.target, effect)
    if do.expertise in ("burn", "chill"):
        draft.by(sorcery.SORCERY[do.expertise], effect, command=do.command)
    if do.hit_kind == "physical":
        yield from damage.land_physical_hit(draft, do.target, damage.Blow(effect, do.weapon, armour, shunt))
    elif do.hit_kind == "spiritual":
        infernal.land_spiritual_hit(draft, do.target, effect)


# --- hits from other causes ------------------------------------------------------------------------------------------

CHARACTER_DIFFERS = Refusal(
    damage.HIT,
    "character-differs",
    "The task in ruling {ruling} is against {target}, not {character}. To use another target, give a reason.",
)
EFFECT_DIFFERS = Refusal(
    damage.HIT,
    "effect-differs",
    "The task in ruling {ruling} has an Effect of {said}, not {effect}. To use another Effect, give a reason.",
)
WOUND_UNKNOWN = Refusal(damage.HIT, "hit-kind-unknown", "A hit must be physical or spiritual, not {hit_kind}.")


@fact("task-hit", says="The task in ruling {ruling} results in a spiritual hit on {character}.", changes=None)
class TaskHit:
    """A recorded task caused a spiritual hit. For a physical hit, `damage-rolled` names the task instead."""

    character: CharacterId
    ruling: HittingTask


@declares(
    "take-hit",
    GM,
    says=whether(
        "shunt",
        "{character} takes a[ {hit_kind}] hit with Effect {effect}, and {shunt:point of it goes|points of it go} to"
        " Beauty[: {reason}].",
        "{character} takes a[ {hit_kind}] hit with Effect {effect}[: {reason}].",
    ),
    records=(TaskHit, *infernal.HIT_FACTS, sessions.FeaturesUsed),
)
class TakeHit:
    """Record a hit on a character that does not come from a declared attack, but from a recorded task or from a game
    master's decision.

    `ruling`: the task that causes the hit. It can hit each character only once. Give a reason if the Effect or the
    target differs from the task's. `effect`: the Effect of the hit, before weapon and armour. `hit_kind`: leave it out
    to follow the task: Chill is spiritual, everything else is physical. `shunt`: leave it out to ask the character's
    player. `armour_worn`: a possession of the character, instead of a number for the armour. `wielder`: the character
    who uses the weapon, if the weapon is a possession. `weapon_used`: a possession of the wielder, instead of a number
    for the weapon.
    """

    character: CharacterId
    effect: Natural
    hit_kind: WoundName | None = None
    weapon: WeaponBonus = 0
    armour: ArmourValue = 0
    shunt: Shunted | None = None
    reason: Reason = ""
    ruling: HittingTask | None = None
    armour_worn: Annotated[str, Ref("possession", of="character")] | None = None
    wielder: CharacterId | None = None
    weapon_used: Annotated[str, Ref("possession", of="wielder")] | None = None


@decides
def take_hit(draft: Draft, do: TakeHit) -> Asking[None]:
    """Record a hit outside the order. Refuses `no-such-ruling` for an Occult task, which causes its own hits, and for a
    Resist task, which causes none.
    """
    acting.check_alive(draft, do.character)
    if do.ruling is not None and not can_hit([about.fact for about in draft.table.cited(do.ruling)]):
        raise Refused(damage.HIT, "no-such-ruling", ruling=do.ruling, given=do.ruling)
    kind = _read_kind(draft, do)
    (effect,) = check_natural(damage.NET, BAD_SCORE, effect=do.effect)
    weapon, armour = damage.check_weapon(draft, do.weapon, do.armour)
    armour = possessions.read_value(draft, do.character, do.armour_worn, "armour", armour)
    weapon = _read_weapon(draft, do, weapon)
    if kind == "physical":
        blow = damage.Blow(effect, weapon, armour, do.shunt, do.reason, do.ruling)
        yield from damage.land_physical_hit(draft, do.character, blow)
    else:
        require(damage.may_shunt_nothing(do.shunt))
        if do.ruling is not None:
            draft.about(do.character, TaskHit(do.character, do.ruling))
        infernal.land_spiritual_hit(draft, do.character, effect)
    sessions.record_used_features(draft)


def can_hit(facts: Iterable[object]) -> bool:
    """Return whether a hit can be recorded from the Effect of a task. Occult causes its own hits, and Resist causes
    none.
    """
    return not any(isinstance(fact, tasks.TaskDeclared) and fact.expertise in SLOW for fact in facts)


def _read_weapon(draft: Draft, do: TakeHit, weapon: int) -> int:
    """Return the weapon's value: that of the wielder's possession, or the number."""
    if do.weapon_used is None:
        return weapon
    if do.wielder is None:
        raise possessions.POSSESSION_UNKNOWN.under(possessions.USE, possession=do.weapon_used, character=None)
    value = possessions.read_value(draft, do.wielder, do.weapon_used, "weapon", weapon)
    return damage.check_weapon(draft, value, 0)[0]


def _read_kind(draft: Draft, do: TakeHit) -> str:
    """Return the kind of hit: as declared, or else that of the cited task. Refuses `hit-kind-unknown`."""
    if do.hit_kind is None:
        facts = [about.fact for about in draft.table.cited(do.ruling)] if do.ruling is not None else []
        is_chill = any(isinstance(fact, tasks.TaskDeclared) and fact.expertise == "chill" for fact in facts)
        return "spiritual" if is_chill else "physical"
    if do.hit_kind not in ("physical", "spiritual"):
        raise WOUND_UNKNOWN(hit_kind=do.hit_kind)
    return do.hit_kind


@offers
def offer_hits(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer hits with a shunt that the Effect allows, or with one that will be asked for."""
    sight = get_sight(seen, draft)
    if not sight.alive:
        return
    hit_fields: Fields = {"effect": OPEN, "ruling": NONE, "weapon": sight.make_weapon_domain()}
    usual_fields: Fields = {"shunt": Among((None, 0)), "hit_kind": OPEN}
    yield Move(TakeHit, {"character": Among(sight.alive), **hit_fields, **usual_fields, "armour": OPEN})
    for character_id in sight.alive:
        for number, effect in _list_tasks_against(sight, character_id):
            task_fields: Fields = {
                "character": Among((character_id,)),
                "ruling": Among((number,)),
                "effect": Among((effect,)),
            }
            yield Move(TakeHit, {**hit_fields, **usual_fields, **task_fields, "armour": OPEN})
    beauty_by_id = {character_id: draft.read_score(character_id, "beauty") for character_id in sight.alive}
    for points in range(1, max(beauty_by_id.values()) + 1):
        beautiful_characters = Among(
            tuple(character_id for character_id in sight.alive if beauty_by_id[character_id] >= points)
        )
        shunt_fields: Fields = {"effect": Between(points), "shunt": Among((points,))}
        yield Move(TakeHit, {"character": beautiful_characters, **hit_fields, **shunt_fields})
    for character_id in sight.alive:
        if armours := sight.list_armours(character_id):
            worn_fields: Fields = {"character": Among((character_id,)), "armour_worn": Among(armours)}
            yield Move(TakeHit, {**hit_fields, **usual_fields, **worn_fields})
    target_fields: Fields = {"character": Among(sight.alive), "effect": OPEN, "ruling": NONE, "armour": OPEN}
    wielder_fields = {**target_fields, **usual_fields}
    for character_id in sight.people:
        if weapons := sight.list_weapons(character_id):
            yield Move(TakeHit, {**wielder_fields, "wielder": Among((character_id,)), "weapon_used": Among(weapons)})


def _list_tasks_against(sight: Sight, character_id: str) -> Iterator[tuple[str, int]]:
    """Yield the latest tasks with an Effect on the character that have not caused a hit yet: the task's number and its
    Effect.
    """
    effects: list[tuple[int, int]] = []
    for actor in sight.people:
        for number, facts in sight.seen.list_citable_facts(character(actor)).items():
            can_be_hit = any(isinstance(fact, tasks.TaskDeclared) and fact.target == character_id for fact in facts)
            can_be_hit = can_be_hit and can_hit(facts)
            effect = max((fact.effect for fact in facts if isinstance(fact, tasks.TaskResolved)), default=0)
            if can_be_hit and effect and not sight.draft.table.times_cited(character(character_id), str(number)):
                effects.append((number, effect))
    return ((str(number), effect) for number, effect in sorted(effects)[-LATEST:])
