"""Actions on somebody who may defend and on nobody, and hits from elsewhere. Heading: Complex task resolution, 3."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ledger.rules.kernel.frozen import quick
from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import character
from ledger.rules.mongrel import answers
from ledger.rules.mongrel.choices import Defend, Stand
from ledger.rules.mongrel.conflict import check_can_act, end_turn, pay
from ledger.rules.mongrel.damage import Blow, check_weapon, nothing_to_shunt, physical_hit
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.facts import TaskDeclared
from ledger.rules.mongrel.facts_of_strife import ActionDeclared, DefenceChosen, TargetAttributeNamed, TaskHit
from ledger.rules.mongrel.guards import (
    Strife,
    check_alive,
    check_rolls,
    conflict_of,
    takes_part,
    the_conflict,
    the_turn,
)
from ledger.rules.mongrel.infernal import spiritual_hit
from ledger.rules.mongrel.inputs import TakeHit
from ledger.rules.mongrel.inputs_of_strife import Act, Attack, CarryOut, DeclareAttack
from ledger.rules.mongrel.possessions import USE, value_of
from ledger.rules.mongrel.sorcery import resisted_chill
from ledger.rules.mongrel.tables import PHYSICAL
from ledger.rules.mongrel.tasks import (
    Pool,
    check_difficulty,
    check_natural,
    check_typed,
    declare_task,
    faces_of,
    pool_of,
    resolve,
    task_on,
)
from ledger.rules.mongrel.terms import HitKind, Number, Side, is_attribute, is_hit_kind

ATTACK = "mongrel.conflict.attack"
MAY_DEFEND = "mongrel.conflict.may-defend"
UNTARGETED = "mongrel.conflict.untargeted"
SLOW = ("occult", "resist")


@quick
@dataclass(frozen=True, slots=True)
class Said:
    """What was said with the declaration: the target's choices, and dice typed in."""

    defend: bool | None
    faces: tuple[Number, ...] | None
    shunt: Number


@quick
@dataclass(frozen=True, slots=True)
class Aim:
    """An action that may be carried out: what is rolled, what its Effect does, its numbers. `typed`: dice.

    `target_attribute`: what a defence counts with, if it is not the attacker's attribute.
    """

    pool: Pool
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
    """How the target meets it. `armour`: as declared, or that of the possession it says it wears."""

    defends: bool
    armour: int
    worn: str | None = None


# --- declaring -------------------------------------------------------------------------------------------------------


def attack(draft: Draft, do: Attack) -> Asking[None]:
    """Declared and carried out in one: in a conflict in its order, and outside as soon as it is declared."""
    strife = the_turn(draft, do.actor, ATTACK) if conflict_of(draft, do.actor) is not None else None
    if strife is None:
        check_alive(draft, do.actor)
    said = Said(do.defend, do.faces, do.shunt)
    aim = check_attack(draft, strife, do, said, do.target_attribute)
    declared = _declare(draft, strife, do, aim)
    yield from _carry_out(draft, strife, declared, aim, said)


def declare_attack(draft: Draft, do: DeclareAttack) -> None:
    """Only declared: until the defence is chosen others may take the front, and it lapses."""
    strife = the_turn(draft, do.actor, ATTACK)
    aim = check_attack(draft, strife, do, Said(None, None, None), do.target_attribute)
    _declare(draft, strife, do, aim)
    draft.plays(do.actor)


def carry_out(draft: Draft, do: CarryOut) -> Asking[None]:
    """The action declared before, on the table as it stands now. Refuses `no-open-action`."""
    here = draft.table.scene
    conflict = draft.scene(here).conflict if here is not None and draft.table.has(here) else None
    if here is None or conflict is None or conflict.action is None:
        raise Refused(ATTACK, "no-open-action")
    declared = conflict.action
    strife = the_conflict(draft, declared.actor, ATTACK)
    said = Said(do.defend, do.faces, do.shunt)
    aim = check_attack(draft, strife, declared, said, conflict.target_attribute)
    yield from _carry_out(draft, strife, declared, aim, said)


def check_attack(
    draft: Draft,
    strife: Strife | None,
    do: Attack | DeclareAttack | ActionDeclared,
    said: Said,
    target_attribute: str | None = None,
) -> Aim:
    """All that can be refused before anybody is asked, in the order of the rules."""
    check_rolls(draft, do.actor)
    if do.target == do.actor or not _can_reach(draft, strife, do.target):
        raise Refused(ATTACK, "bad-target", target=do.target)
    if draft.who(do.target).dead:
        raise Refused(ATTACK, "dead", target=do.target)
    check_can_act(draft, do.actor)
    _check_said(draft, do.target, said)
    if said.faces is not None and said.defend is None:
        check_dice_may_fall(draft)
    pool = _quick_pool(draft, do.actor, do.expertise, do.power, do.attribute)
    if target_attribute is not None and not is_attribute(target_attribute):
        raise Refused("mongrel.task.tn", "attribute-unknown", attribute=target_attribute)
    (taken_off,) = check_natural("mongrel.effect.change", "bad-score", taken_off=do.taken_off)
    check_natural("mongrel.damage.net", "bad-score", weapon=do.weapon, armour=do.armour)
    difficulty = check_difficulty(do.difficulty)
    kind = hit_kind(do.expertise, do.hit_kind)
    typed = check_typed(said.faces, pool.dice)
    weapon, armour = check_weapon(draft, do.weapon, do.armour)
    resistible = do.expertise == "chill" and draft.dials.resist_defends_chill  # further dice may take it all
    if kind != "physical" or typed is None or resistible:
        nothing_to_shunt(said.shunt)
    return Aim(pool, kind, difficulty, taken_off, weapon, armour, typed, target_attribute)


def _can_reach(draft: Draft, strife: Strife | None, target: str) -> bool:
    """Return whether the target is in the same conflict, or like the actor in none."""
    return conflict_of(draft, target) is None if strife is None else takes_part(draft, strife, target)


def _check_said(draft: Draft, target: str, said: Said) -> None:
    """The target's choices are the target's: another seat may not say them. Then the right to defend."""
    by = draft.table.by
    if (said.defend is not None or said.shunt is not None) and by.role != "gm" and target not in by.characters:
        raise Refused(ATTACK, "not-yours", target=target)
    if said.defend:
        fault = cannot_defend(draft, target)
        if fault is not None:
            raise Refused(MAY_DEFEND, fault, target=target)


def check_dice_may_fall(draft: Draft) -> None:
    """Of dice that are known before the target chooses. Refuses `dice-too-early`."""
    if not draft.dials.dice_before_defence:
        raise Refused(ATTACK, "dice-too-early")


def _quick_pool(draft: Draft, id: str, expertise: str, power: tuple[str, ...], attribute: str) -> Pool:
    """The pool of an action. Refuses `too-slow` for what takes hours, and an `attribute-unknown`."""
    pool = pool_of(draft, id, expertise, power)
    if expertise in SLOW:
        raise Refused(f"mongrel.sorcery.{expertise}", "too-slow", expertise=expertise)
    if not is_attribute(attribute):
        raise Refused("mongrel.task.tn", "attribute-unknown", attribute=attribute)
    return pool


def hit_kind(expertise: str, said: str | None) -> HitKind:
    """What the Effect does: Burn is physical, Chill spiritual, anything else physical or not as its use implies."""
    own: HitKind = "spiritual" if expertise == "chill" else "physical" if expertise in PHYSICAL else "none"
    if said is None:
        return own
    if not is_hit_kind(said):
        raise Refused(ATTACK, "hit-kind-unknown", hit_kind=said)
    if (expertise in ("burn", "chill") and said != own) or (expertise != "chill" and said == "spiritual"):
        raise Refused(f"mongrel.sorcery.{'chill' if said == 'spiritual' else 'burn'}", "hit-kind", hit_kind=said)
    return said


def _declare(draft: Draft, strife: Strife | None, do: Attack | DeclareAttack, aim: Aim) -> ActionDeclared:
    """With the values of what is named, last of all that is checked."""
    weapon = value_of(draft, do.actor, do.weapon_used, "weapon", aim.weapon)
    armour = value_of(draft, do.target, do.armour_worn, "armour", aim.armour)
    check_weapon(draft, weapon, armour)
    done = ActionDeclared(
        do.actor, do.target, do.expertise, do.attribute, do.power, aim.difficulty, do.reason, aim.taken_off,
        do.taken_off_reason, aim.kind, weapon, armour, do.command, do.purpose, do.weapon_used, do.armour_worn,
    )  # fmt: skip
    _record(draft, strife, do.actor, done)
    if aim.target_attribute is not None:
        _record(draft, strife, do.actor, TargetAttributeNamed(do.actor, do.target, aim.target_attribute))
    return done


def _record(
    draft: Draft, strife: Strife | None, id: str, fact: ActionDeclared | TargetAttributeNamed | DefenceChosen
) -> None:
    """Record it about the scene of the conflict; outside one, about the character."""
    if strife is not None:
        draft.tell(strife.scene, fact)
    else:
        draft.about(id, fact)


# --- defending -------------------------------------------------------------------------------------------------------


def cannot_defend(draft: Draft, id: str) -> str | None:
    """`mongrel.conflict.may-defend`: the first reason why not."""
    who = draft.who(id)
    reasons = (
        ("dead", who.dead),
        ("decision-pending", who.dying),
        ("collapsed", who.collapsed),
        ("no-ap", draft.ap(id) < 1),
        ("recovering", who.recovering and draft.dials.recovery_bars_defence),
    )
    return next((code for code, holds in reasons if holds), None)


def defence(draft: Draft, strife: Strife | None, do: ActionDeclared, said: bool | None) -> Asking[Guard]:
    """The target's seat chooses, and may say what it wears; a defence costs either side a point."""
    guard = Guard(said, do.armour) if said is not None else (yield from _asked(draft, do))
    side: Side = "target" if guard.defends else "own"
    _record(draft, strife, do.target, DefenceChosen(do.target, guard.defends, side, guard.worn))
    draft.by(ATTACK, side, defends=guard.defends)
    if guard.defends:
        pay(draft, do.target, "defend")
        pay(draft, do.actor, "forced")
        draft.plays(do.target)
    return guard


def _asked(draft: Draft, do: ActionDeclared) -> Asking[Guard]:
    """A defence there is no right to is asked for again, and so is armour that is none, or beside what was declared."""
    who = character(do.target)
    purpose = f"Does {draft.table.name(who)} defend?"
    declared = do.armour or int(do.armour_worn is not None)
    able = cannot_defend(draft, do.target) is None
    within = answers.defending(draft, do.target, able=able, declared=bool(declared))
    chosen = yield from ask(draft.table.owner(who), Defend, Stand, slot="defend", purpose=purpose, within=within)
    defends = isinstance(chosen, Defend)
    fault = cannot_defend(draft, do.target) if defends else None
    if fault is not None:
        raise Unfit(MAY_DEFEND, fault, target=do.target)
    if chosen.armour_worn is None:
        return Guard(defends, do.armour)
    try:
        armour = value_of(draft, do.target, chosen.armour_worn, "armour", declared)
    except Refused as no:
        raise Unfit(no.rule, no.code, **no.context) from None
    return Guard(defends, armour, chosen.armour_worn)


# --- carrying out ----------------------------------------------------------------------------------------------------


def _carry_out(draft: Draft, strife: Strife | None, do: ActionDeclared, aim: Aim, said: Said) -> Asking[None]:
    """Defence, dice, and what comes of them: 0 / 1 / 1 / 2 Action Points of the attacker's, as far as there are."""
    draft.under_way = True
    draft.end_recovery(do.actor)
    guard = yield from defence(draft, strife, do, said.defend)
    side: Side = "target" if guard.defends else "own"
    attribute = (aim.target_attribute if guard.defends else None) or do.attribute
    task = task_on(draft, aim.pool, side, attribute, do.target, aim.difficulty, taken_off=aim.taken_off)
    faces = yield from faces_of(draft, aim.pool, aim.typed)
    result = resolve(draft, task, faces, why=do.taken_off_reason)
    if not result.success:
        nothing_to_shunt(said.shunt)
        pay(draft, do.actor, "missed")
    else:
        draft.by("mongrel.conflict.immediate", result.effect, hit_kind=do.hit_kind)
        yield from _land(draft, do, result.effect, guard.armour, said.shunt)
    draft.tell_used()
    if strife is not None:
        end_turn(draft, strife, do.actor)


def _land(draft: Draft, do: ActionDeclared, effect: int, armour: int, shunt: Number) -> Asking[None]:
    if do.expertise == "chill":
        effect = yield from resisted_chill(draft, do.target, effect)
    if do.expertise in ("burn", "chill"):
        draft.by(f"mongrel.sorcery.{do.expertise}", effect, command=do.command)
    if do.hit_kind == "physical":
        yield from physical_hit(draft, do.target, Blow(effect, do.weapon, armour, shunt))
    elif do.hit_kind == "spiritual":
        spiritual_hit(draft, do.target, effect)


# --- on nobody -------------------------------------------------------------------------------------------------------


def act(draft: Draft, do: Act) -> Asking[None]:
    """One's own side; a failure costs nothing, by default."""
    strife = the_turn(draft, do.actor, UNTARGETED)
    check_rolls(draft, do.actor)
    check_can_act(draft, do.actor)
    pool = _quick_pool(draft, do.actor, do.expertise, do.power, do.attribute)
    (taken_off,) = check_natural("mongrel.effect.change", "bad-score", taken_off=do.taken_off)
    difficulty = check_difficulty(do.difficulty)
    typed = check_typed(do.faces, pool.dice)
    task = task_on(draft, pool, "own", do.attribute, None, difficulty, taken_off=taken_off)
    draft.end_recovery(do.actor)
    declare_task(draft, do, task)
    faces = yield from faces_of(draft, pool, typed)
    result = resolve(draft, task, faces, why=do.taken_off_reason)
    draft.by(UNTARGETED, result.success, costs=draft.dials.failed_untargeted_costs_ap)
    if not result.success and draft.dials.failed_untargeted_costs_ap:
        pay(draft, do.actor, "missed")
    draft.tell_used()
    end_turn(draft, strife, do.actor)


# --- from elsewhere --------------------------------------------------------------------------------------------------


def can_hit(facts: Iterable[object]) -> bool:
    """Return whether the Effect of a task may be taken as a hit: Occult hits by itself, and Resist hits nobody."""
    return not any(isinstance(fact, TaskDeclared) and fact.expertise in SLOW for fact in facts)


def _wielded(draft: Draft, do: TakeHit, weapon: int) -> int:
    """The weapon's value: of a possession of the character who wields it, or as a number."""
    if do.weapon_used is None:
        return weapon
    if do.wielder is None:
        raise Refused(USE, "possession-unknown", possession=do.weapon_used, character=None)
    value = value_of(draft, do.wielder, do.weapon_used, "weapon", weapon)
    return check_weapon(draft, value, 0)[0]


def _wound(draft: Draft, do: TakeHit) -> str:
    """What the hit does: as said, else what the task cited does. Refuses `hit-kind-unknown`."""
    if do.hit_kind is None:
        facts = [about.fact for about in draft.table.cited(do.ruling)] if do.ruling is not None else []
        chill = any(isinstance(fact, TaskDeclared) and fact.expertise == "chill" for fact in facts)
        return "spiritual" if chill else "physical"
    if do.hit_kind not in ("physical", "spiritual"):
        raise Refused("mongrel.damage.hit", "hit-kind-unknown", hit_kind=do.hit_kind)
    return do.hit_kind


def take_hit(draft: Draft, do: TakeHit) -> Asking[None]:
    """A hit outside the order of a conflict. Refuses `no-such-ruling` for a task that hits by itself, or resists."""
    check_alive(draft, do.character)
    if do.ruling is not None and not can_hit([about.fact for about in draft.table.cited(do.ruling)]):
        raise Refused("mongrel.damage.hit", "no-such-ruling", ruling=do.ruling, given=do.ruling)
    kind = _wound(draft, do)
    (effect,) = check_natural("mongrel.damage.net", "bad-score", effect=do.effect)
    weapon, armour = check_weapon(draft, do.weapon, do.armour)
    armour = value_of(draft, do.character, do.armour_worn, "armour", armour)
    weapon = _wielded(draft, do, weapon)
    if kind == "physical":
        blow = Blow(effect, weapon, armour, do.shunt, do.reason, do.ruling)
        yield from physical_hit(draft, do.character, blow)
    else:
        nothing_to_shunt(do.shunt)
        if do.ruling is not None:
            draft.about(do.character, TaskHit(do.character, do.ruling))
        spiritual_hit(draft, do.character, effect)
    draft.tell_used()
