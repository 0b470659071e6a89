"""Attacks, and other actions on somebody who may defend. Heading: Complex task resolution, 3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from ledger.rules.kernel.chapters import Refusal, changes, decides, declares, offers, require, rule
from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.declarations import either
from ledger.rules.kernel.domains import Between, CharacterId, Reason, Ref
from ledger.rules.kernel.moves import OPEN, Among, Domain, Either, Move, Some
from ledger.rules.kernel.phrases import Names
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.mongrel.acting import QUEUE, Strife, check_alive, conflict_of, find_conflict, find_turn, takes_part
from ledger.rules.mongrel.actions import ActionDeclared, say_attack
from ledger.rules.mongrel.aims import (
    ATTACK,
    DEFENCE_FACTS,
    SLOW,
    Aim,
    Given,
    TargetAttributeNamed,
    aim_against,
    check_attack,
    defence,
    may_defend,
    record,
)
from ledger.rules.mongrel.clock import end_recovery
from ledger.rules.mongrel.damage import Blow, check_weapon, may_shunt_nothing, physical_hit
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.infernal_resolve import HIT_FACTS, spiritual_hit
from ledger.rules.mongrel.possessions import value_of
from ledger.rules.mongrel.proposals import PROPOSED, with_numbers
from ledger.rules.mongrel.resisting import RESIST_FACTS, resisted_chill
from ledger.rules.mongrel.sayings import say
from ledger.rules.mongrel.sessions import SessionPlayed, plays, tell_used
from ledger.rules.mongrel.sight import NONE, ROLLED, Fields, Sight, expertise_but, look
from ledger.rules.mongrel.sorcery import SORCERY
from ledger.rules.mongrel.state import Conflict, Scene, in_its_conflict, with_action
from ledger.rules.mongrel.tables import OPTIONS
from ledger.rules.mongrel.tasks import TASK_FACTS, explain_task, faces_of, resolve
from ledger.rules.mongrel.terms import (
    ArmourValue,
    AttributeName,
    Defends,
    Difficulty,
    DifficultyReason,
    ExpertiseName,
    Faces,
    HitName,
    Number,
    PowerOptions,
    Shunted,
    TakenOff,
    TakenOffReason,
    WeaponBonus,
    once,
)
from ledger.rules.mongrel.turns import Pass, TurnEnded, end_turn, find_heads, list_actors, pay

IMMEDIATE = rule(
    "mongrel.conflict.immediate",
    "Everything takes effect before the next action begins. Nothing is simultaneous.",
    "Complex task resolution",
)


# --- declaring -------------------------------------------------------------------------------------------------------


@changes
@in_its_conflict
def put_action(state: Conflict, fact: ActionDeclared) -> Conflict | None:
    return with_action(state, fact, None) if fact.actor in state.queue else None


ATTACK_FACTS = once(*DEFENCE_FACTS, *TASK_FACTS, *RESIST_FACTS, *HIT_FACTS, TurnEnded)


@declares(
    "attack", either("actor"), says=say_attack, records=(*PROPOSED, ActionDeclared, TargetAttributeNamed, *ATTACK_FACTS)
)
class Attack:
    """Attack another character, or do something to them that is not an attack, inside or outside a conflict. The action
    is declared and carried out in one step.

    `attribute`: what the roll is against: the actor's own attribute, or the target's if the target defends.
    `target_attribute`: the attribute that the target defends with. Leave it out if it is the same.
    `hit_kind`: leave it out to follow the Expertise: Burn, Melee, Missile and Rend are `physical`, Chill is
    `spiritual`, and all others are `none`.
    `shunt`: leave it out to ask the target's player.
    `weapon_used`: a possession of the actor, instead of a number for the weapon. `armour_worn`: a possession of the
    target, instead of a number for the armour.
    `command`: what a Chill commands the target to do.
    """

    actor: CharacterId
    target: CharacterId
    expertise: ExpertiseName
    attribute: AttributeName
    power: PowerOptions = ()
    difficulty: Difficulty = 0
    reason: DifficultyReason = ""
    taken_off: TakenOff = 0
    taken_off_reason: TakenOffReason = ""
    hit_kind: HitName | None = None
    weapon: WeaponBonus = 0
    armour: ArmourValue = 0
    command: Reason = ""
    defend: Defends | None = None
    faces: Faces | None = None
    shunt: Shunted | None = None
    purpose: Reason = ""
    weapon_used: Annotated[str, Ref("possession", of="actor")] | None = None
    armour_worn: Annotated[str, Ref("possession", of="target")] | None = None
    target_attribute: AttributeName | None = None


@decides
@with_numbers
def attack(draft: Draft, do: Attack) -> Asking[None]:
    """Declared and carried out in one: in a conflict in its order, and outside as soon as it is declared."""
    yield from act_on(draft, do)


def act_on(draft: Draft, do: Attack) -> Asking[None]:
    """Declared and carried out in one: in a conflict in its order, and outside as soon as it is declared."""
    strife = find_turn(draft, do.actor, ATTACK) if conflict_of(draft, do.actor) is not None else None
    if strife is None:
        check_alive(draft, do.actor)
    given = Given(do.defend, do.faces, do.shunt)
    aim = check_attack(draft, strife, do, given, do.target_attribute)
    declared = _declare(draft, strife, do, aim)
    yield from _carry_out(draft, strife, declared, aim, given)


def say_attack_to_come(word: DeclareAttack, names: Names) -> str:
    """The same, not yet carried out."""
    return say("{actor} is about to use {expertise} on {target}[: {purpose}].", word, names)


@declares(
    "declare-attack",
    either("actor"),
    says=say_attack_to_come,
    records=(*PROPOSED, ActionDeclared, TargetAttributeNamed, SessionPlayed),
)
class DeclareAttack:
    """Declare an action against another character, but do not carry it out yet. Others can then move to the front of
    the order first. Carry the action out with `carry-out`.

    `attribute`: what the roll is against: the actor's own attribute, or the target's if the target defends.
    `target_attribute`: the attribute that the target defends with. Leave it out if it is the same.
    `hit_kind`: leave it out to follow the Expertise, as in `attack`. `command`: what a Chill commands the target to do.
    `weapon_used`: a possession of the actor, instead of a number for the weapon. `armour_worn`: a possession of the
    target, instead of a number for the armour.
    """

    actor: CharacterId
    target: CharacterId
    expertise: ExpertiseName
    attribute: AttributeName
    power: PowerOptions = ()
    difficulty: Difficulty = 0
    reason: DifficultyReason = ""
    taken_off: TakenOff = 0
    taken_off_reason: TakenOffReason = ""
    hit_kind: HitName | None = None
    weapon: WeaponBonus = 0
    armour: ArmourValue = 0
    command: Reason = ""
    purpose: Reason = ""
    weapon_used: Annotated[str, Ref("possession", of="actor")] | None = None
    armour_worn: Annotated[str, Ref("possession", of="target")] | None = None
    target_attribute: AttributeName | None = None


@decides
@with_numbers
def declare_attack(draft: Draft, do: DeclareAttack) -> None:
    """Only declared: until the defence is chosen others may take the front, and it lapses."""
    strife = find_turn(draft, do.actor, ATTACK)
    aim = check_attack(draft, strife, do, Given(None, None, None), do.target_attribute)
    _declare(draft, strife, do, aim)
    plays(draft, do.actor)


def _declare(draft: Draft, strife: Strife | None, do: Attack | DeclareAttack, aim: Aim) -> ActionDeclared:
    """With the values of what is named, last of all that is checked."""
    weapon = value_of(draft, do.actor, do.weapon_used, "weapon", aim.weapon)
    armour = value_of(draft, do.target, do.armour_worn, "armour", aim.armour)
    check_weapon(draft, weapon, armour)
    fact = ActionDeclared(
        do.actor, do.target, do.expertise, do.attribute, do.power, aim.difficulty, do.reason, aim.taken_off,
        do.taken_off_reason, aim.kind, weapon, armour, do.command, do.purpose, do.weapon_used, do.armour_worn,
    )  # fmt: skip
    record(draft, strife, do.actor, fact)
    if aim.target_attribute is not None:
        record(draft, strife, do.actor, TargetAttributeNamed(do.actor, do.target, aim.target_attribute))
    return fact


# --- carrying out ----------------------------------------------------------------------------------------------------

NO_OPEN_ACTION = Refusal(
    ATTACK,
    "no-open-action",
    "No declared action is waiting to be carried out. Declare one first.",
)


def find_actor(table: Table[object], do: object) -> str | None:
    """Whose action is open in the scene."""
    here = table.scene
    conflict = table.get(here, Scene).conflict if here is not None and table.has(here) else None
    return conflict.action.actor if conflict is not None and conflict.action is not None else None


@declares(
    "carry-out",
    either(find_actor, "the player of the character whose action is open"),
    says="The declared action is carried out.",
    records=ATTACK_FACTS,
)
class CarryOut:
    """Carry out the action that was declared. `shunt`: leave it out to ask the target's player."""

    defend: Defends | None = None
    faces: Faces | None = None
    shunt: Shunted | None = None


@decides
def carry_out(draft: Draft, do: CarryOut) -> Asking[None]:
    """The action declared before, on the table as it stands now. Refuses `no-open-action`."""
    here = draft.table.scene
    conflict = draft.scene(here).conflict if here is not None and draft.table.has(here) else None
    if here is None or conflict is None or conflict.action is None:
        raise NO_OPEN_ACTION()
    declared = conflict.action
    strife = find_conflict(draft, declared.actor, ATTACK)
    given = Given(do.defend, do.faces, do.shunt)
    aim = check_attack(draft, strife, declared, given, conflict.target_attribute)
    yield from _carry_out(draft, strife, declared, aim, given)


def _carry_out(draft: Draft, strife: Strife | None, do: ActionDeclared, aim: Aim, given: Given) -> Asking[None]:
    """Defence, dice, and what comes of them: 0 / 1 / 1 / 2 Action Points of the attacker's, as far as there are."""
    draft.under_way = True
    end_recovery(draft, do.actor)
    guard = yield from defence(draft, strife, do, given.defend, aim, given.shunt)
    task = aim_against(draft, do, aim, guard)
    explain_task(draft, task)
    faces = yield from faces_of(draft, aim.pool, aim.typed)
    result = resolve(draft, task, faces, why=do.taken_off_reason)
    if not result.success:
        require(may_shunt_nothing(given.shunt))
        pay(draft, do.actor, "missed")
    else:
        draft.by(IMMEDIATE, result.effect, hit_kind=do.hit_kind)
        yield from _land(draft, do, result.effect, guard.armour, given.shunt)
    tell_used(draft)
    if strife is not None:
        end_turn(draft, strife, do.actor)


def _land(draft: Draft, do: ActionDeclared, effect: int, armour: int, shunt: Number) -> Asking[None]:
    if do.expertise == "chill":
        effect = yield from resisted_chill(draft, do.target, effect)
    if do.expertise in ("burn", "chill"):
        draft.by(SORCERY[do.expertise], effect, command=do.command)
    if do.hit_kind == "physical":
        yield from physical_hit(draft, do.target, Blow(effect, do.weapon, armour, shunt))
    elif do.hit_kind == "spiritual":
        spiritual_hit(draft, do.target, effect)


# --- what can be offered ---------------------------------------------------------------------------------------------


PLAIN = expertise_but(*SLOW, "burn", "chill", *OPTIONS)


#: What an Expertise can do to who is hit.
HITS: tuple[tuple[tuple[str, ...], tuple[str | None, ...]], ...] = (
    (PLAIN, (None, "physical", "none")),
    (("burn",), (None, "physical")),
    (("chill",), (None, "spiritual")),
)


NOTHING_SHUNTED = Among((None, 0))

QUICK = expertise_but(*SLOW)


@offers
def offer_attacks(seen: Seen, draft: Draft) -> Iterator[Move]:
    """In a conflict, by whoever is next."""
    sight = look(seen, draft)
    for strife, head in list_actors(sight):
        targets = list_targets(sight, strife, head)
        if not targets:
            continue
        for pool in _list_violence(sight, head):
            for arms in _list_arms(sight, head):
                for armour in _list_armour(sight, targets):
                    fields: Fields = {
                        "actor": Among((head,)),
                        **ROLLED,
                        **pool,
                        **arms,
                        **armour,
                        "target_attribute": OPEN,
                    }
                    yield Move(DeclareAttack, fields, awaits=QUEUE)
                    for chosen, alike in _list_answers(sight, armour["target"]):
                        yield Move(Attack, {**fields, "target": alike, **chosen}, awaits=QUEUE)


def list_targets(sight: Sight, strife: Strife, head: str) -> tuple[str, ...]:
    """Who else is alive in a conflict."""
    present = (id for id in sight.people if takes_part(sight.draft, strife, id) and not sight.people[id].dead)
    return tuple(id for id in present if id != head)


@offers
def offer_attacks_outside(seen: Seen, draft: Draft) -> Iterator[Move]:
    """The target says what it wears when it is asked to defend."""
    sight = look(seen, draft)
    for actor in sight.mine:
        targets = tuple(id for id in sight.free if id != actor)
        if not targets or not sight.rolls(actor) or not sight.can_act(actor):
            continue
        by: Fields = {"actor": Among((actor,)), **ROLLED, "armour": OPEN, "target_attribute": OPEN}
        for chosen, alike in _list_answers(sight, Among(targets)):
            for pool in _list_violence(sight, actor):
                for arms in _list_arms(sight, actor):
                    yield Move(Attack, {**by, **pool, **arms, "target": alike, **chosen})


def _list_violence(sight: Sight, head: str) -> Iterator[Fields]:
    """What is rolled, and what its Effect can do."""
    for names, kinds in HITS:
        for _, pool in sight.pools((head,), names):
            if names == PLAIN or pool["expertise"] == Among(names):
                yield {**pool, "hit_kind": Among(kinds)}


def _list_arms(sight: Sight, head: str) -> Iterator[Fields]:
    """`mongrel.item.use`: a number, or a possession."""
    yield {"weapon": sight.weapon()}
    if weapons := sight.weapons(head):
        yield {"weapon_used": Among(weapons)}


def _list_armour(sight: Sight, targets: tuple[str, ...]) -> Iterator[dict[str, Domain]]:
    yield {"target": Among(targets), "armour": OPEN}
    for id in targets:
        if worn := sight.armours(id):
            yield {"target": Among((id,)), "armour_worn": Among(worn)}


def _list_answers(sight: Sight, targets: Domain) -> Iterator[tuple[Fields, Among]]:
    """What is a target's to choose, where who declares may say it: who cannot defend can only let it come."""
    assert isinstance(targets, Among)
    alike: dict[tuple[bool, bool], list[object]] = {}
    for id in targets.values:
        says = sight.says_for(str(id))
        alike.setdefault((says, says and may_defend(sight.draft, str(id)) is None), []).append(id)
    for (says, able), ids in alike.items():
        yield _say_for(says, able), Among(tuple(ids))


def _say_for(says: bool, able: bool) -> Fields:
    """No shunt can be said: how much there is to shunt depends on the dice."""
    if not says:
        return {}
    return {"defend": Among((None, True, False) if able else (None, False)), "shunt": NOTHING_SHUNTED}


@offers
def offer_turns(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Whoever is next goes on with what was declared, or passes."""
    sight = look(seen, draft)
    for strife, head in find_heads(sight):
        goes_on = _list_ways_on(sight, strife)
        if seen.scene == strife.scene:
            yield from goes_on
        idle: Fields = {} if sight.can_act(head) else {"text": Among(("",))}
        yield Move(Pass, {"character": Among((head,)), **idle}, awaits=QUEUE if not goes_on else None)


def _list_ways_on(sight: Sight, strife: Strife) -> tuple[Move, ...]:
    """The action declared before, as the table stands now, in its scene; here the number of dice is certain."""
    action = strife.conflict.action
    if action is None:
        return ()
    try:
        find_conflict(sight.draft, action.actor, QUEUE)
        aim = check_attack(sight.draft, strife, action, Given(None, None, None))
        able = may_defend(sight.draft, action.target) is None
    except Refused:
        return ()
    says, typed = sight.says_for(action.target), Some(Between(1, 6), aim.pool.dice, aim.pool.dice, repeats=True)
    ways: list[Fields] = [{"faces": Either((NONE, typed)), **_say_for(says, able)}]
    if not sight.draft.dials.dice_before_defence:
        chosen: Fields = {**_say_for(says, able), "defend": Among((True, False) if able else (False,))}
        ways = [{"faces": NONE, **_say_for(says, able)}, *([{"faces": typed, **chosen}] if says else [])]
    return tuple(Move(CarryOut, way, awaits=ATTACK, of=action.actor) for way in ways)
