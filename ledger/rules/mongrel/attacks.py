"""Attacks, and other actions on a character who may defend: the checks and the declarations.

Heading: Complex task resolution, 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Annotated, Any

from ledger.rules.kernel.kit import (
    OPEN,
    Among,
    Asking,
    Between,
    CharacterId,
    Domain,
    Either,
    Move,
    Names,
    Reason,
    Ref,
    Refusal,
    Refused,
    Seen,
    Some,
    Table,
    changes,
    decides,
    declares,
    either,
    offers,
    require,
)
from ledger.rules.mongrel import (
    acting,
    damage,
    hits,
    identities,
    infernal,
    possessions,
    proposals,
    sessions,
    sorcery,
    tasks,
    turns,
)
from ledger.rules.mongrel.draft import BAD_SCORE, Draft, check_natural
from ledger.rules.mongrel.sight import NONE, ROLLED, Fields, Sight, get_sight, list_expertise_but
from ledger.rules.mongrel.state import ActionDeclared, Conflict, Scene, in_its_conflict, say_attack, with_action
from ledger.rules.mongrel.tables import OPTIONS, PHYSICAL, SLOW
from ledger.rules.mongrel.terms import (
    ArmourValue,
    AttributeName,
    ExpertiseName,
    Hindered,
    HitKind,
    HitName,
    PowerOptions,
    WeaponBonus,
    drop_repeats,
    is_attribute,
    is_hit_kind,
    say,
)

# --- checks ----------------------------------------------------------------------------------------------------------


def check_attack(
    draft: Draft,
    strife: acting.Strife | None,
    do: Any,
    declared_choices: hits.Given,
    target_attribute: str | None = None,
) -> hits.Aim:
    """Return the action, after checking everything that does not depend on a player's answer, in the order of the
    rules.
    """
    require(may_target(draft, strife, do.actor, do.target))
    acting.check_can_act(draft, do.actor)
    require(may_give_choices(draft, do.target, declared_choices))
    pool = check_quick_pool(draft, do.actor, do.expertise, do.power, do.attribute)
    if target_attribute is not None and not is_attribute(target_attribute):
        raise identities.ATTRIBUTE_UNKNOWN.under(tasks.TN, attribute=target_attribute)
    (taken_off,) = check_natural(tasks.CHANGED_EFFECT, BAD_SCORE, taken_off=do.taken_off)
    check_natural(damage.NET, BAD_SCORE, weapon=do.weapon, armour=do.armour)
    difficulty = tasks.check_difficulty(do.difficulty)
    kind = read_hit_kind(do.expertise, do.hit_kind)
    typed = tasks.check_typed(declared_choices.faces, pool.dice_count)
    weapon, armour = damage.check_weapon(draft, do.weapon, do.armour)
    is_resistible = do.expertise == "chill" and draft.dials.resist_defends_chill  # the Resist dice may cancel it
    if kind != "physical" or typed is None or is_resistible:
        require(damage.may_shunt_nothing(declared_choices.shunt))
    return hits.Aim(pool, kind, difficulty, taken_off, weapon, armour, typed, target_attribute)


def may_target(draft: Draft, strife: acting.Strife | None, actor: str, target: str) -> Refused | None:
    """Refuse a target that is the actor or dead. In a conflict, the target must be part of it; outside a conflict, the
    target must not be in one.
    """
    if (refused := acting.may_roll(draft, actor)) is not None:
        return refused
    is_outside = acting.find_strife(draft, target) is None
    is_reachable = is_outside if strife is None else acting.is_taking_part(draft, strife, target)
    if target == actor or not is_reachable:
        return possessions.BAD_TARGET.under(hits.ATTACK, target=target)
    return acting.DEAD.under(hits.ATTACK, target=target) if draft.read_character(target).dead else None


def may_give_choices(draft: Draft, target: str, declared_choices: hits.Given) -> Refused | None:
    """Refuse choices for the target by a seat that may not make them, an impossible defence, and dice entered too
    early.
    """
    declarer = draft.table.by
    has_choices = declared_choices.defend is not None or declared_choices.shunt is not None
    if has_choices and declarer.role != "gm" and target not in declarer.characters:
        return hits.NOT_YOURS.under(hits.ATTACK, target=target)
    if declared_choices.defend:
        return hits.may_defend(draft, target)
    return (
        hits.may_enter_dice_early(draft)
        if declared_choices.faces is not None and declared_choices.defend is None
        else None
    )


def check_quick_pool(
    draft: Draft, character_id: str, expertise: str, power: tuple[str, ...], attribute: str
) -> tasks.Pool:
    """Return the pool of an action. Refuses `too-slow` for an Expertise that takes hours, and `attribute-unknown`."""
    pool = tasks.check_pool(draft, character_id, expertise, power)
    if expertise in SLOW:
        raise sorcery.TOO_SLOW.under(sorcery.SORCERY[expertise], expertise=expertise)
    if not is_attribute(attribute):
        raise identities.ATTRIBUTE_UNKNOWN.under(tasks.TN, attribute=attribute)
    return pool


def read_hit_kind(expertise: str, named_kind: str | None) -> HitKind:
    """Return the kind of hit: Burn is physical, Chill is spiritual, and other Expertise is physical if it is used to
    attack.
    """
    usual_kind: HitKind = "spiritual" if expertise == "chill" else "physical" if expertise in PHYSICAL else "none"
    if named_kind is None:
        return usual_kind
    if not is_hit_kind(named_kind):
        raise sorcery.HIT_KIND_UNKNOWN.under(hits.ATTACK, hit_kind=named_kind)
    if (expertise in ("burn", "chill") and named_kind != usual_kind) or (
        expertise != "chill" and named_kind == "spiritual"
    ):
        raise sorcery.HIT_KIND.under(sorcery.CHILL if named_kind == "spiritual" else sorcery.BURN, hit_kind=named_kind)
    return named_kind


# --- declaring -------------------------------------------------------------------------------------------------------


@changes
@in_its_conflict
def put_action(state: Conflict, fact: ActionDeclared) -> Conflict | None:
    return with_action(state, fact, None) if fact.actor in state.queue else None


ATTACK_FACTS = drop_repeats(
    *hits.DEFENCE_FACTS, *tasks.TASK_FACTS, *sorcery.RESIST_FACTS, *infernal.HIT_FACTS, turns.TurnEnded
)


@dataclass(frozen=True)
class OnSomebody:
    """The actor, the target, and the attribute that the roll is against."""

    __slots__ = ()
    actor: CharacterId
    target: CharacterId
    expertise: ExpertiseName
    attribute: AttributeName
    power: PowerOptions = ()


@dataclass(frozen=True)
class Strike(Hindered, OnSomebody):
    """An action on a character, and its effect if it hits."""

    __slots__ = ()
    hit_kind: HitName | None = None
    weapon: WeaponBonus = 0
    armour: ArmourValue = 0
    command: Reason = ""


@dataclass(frozen=True)
class Means:
    """The purpose of the action, the possessions used in place of numbers, and the attribute that a defence uses."""

    __slots__ = ()
    purpose: Reason = ""
    weapon_used: Annotated[str, Ref("possession", of="actor")] | None = None
    armour_worn: Annotated[str, Ref("possession", of="target")] | None = None
    target_attribute: AttributeName | None = None


@declares(
    "attack",
    either("actor"),
    says=say_attack,
    records=(*proposals.PROPOSED, ActionDeclared, hits.TargetAttributeNamed, *ATTACK_FACTS),
)
class Attack(Means, hits.Given, Strike):
    """Attack another character, or act on them without attacking, inside or outside a conflict. The action is declared
    and carried out in one step.

    `attribute`: what the roll is against: the actor's own attribute, or the target's if the target defends.
    `target_attribute`: the attribute that the target defends with. Leave it out if it is the same as `attribute`.
    `hit_kind`: leave it out to follow the Expertise: Burn, Melee, Missile and Rend are `physical`, Chill is
    `spiritual`, and all others are `none`. `shunt`: leave it out to ask the target's player. `weapon_used`: a
    possession of the actor, instead of a number for the weapon. `armour_worn`: a possession of the target, instead of a
    number for the armour. `command`: what a Chill commands the target to do.
    """


@decides
@proposals.ask_about_numbers
def attack(draft: Draft, do: Attack) -> Asking[None]:
    """Declare and carry out an action in one step. In a conflict, this follows the order."""
    yield from carry_out_attack(draft, do)


def carry_out_attack(draft: Draft, do: Attack) -> Asking[None]:
    """Declare and carry out an action, with the numbers that a game master gave."""
    strife = acting.find_strife(draft, do.actor)
    if strife is not None:
        strife = acting.check_turn(draft, do.actor, hits.ATTACK)
    else:
        acting.check_alive(draft, do.actor)
    checked_action = check_attack(draft, strife, do, do, do.target_attribute)
    declared = _declare(draft, strife, do, checked_action)
    yield from hits.carry_out_checked_action(draft, strife, declared, checked_action, do)


def say_attack_to_come(do: DeclareAttack, names: Names) -> str:
    """Put into words an action that has not been carried out yet."""
    return say("{actor} is about to use {expertise} on {target}[: {purpose}].", do, names)


@declares(
    "declare-attack",
    either("actor"),
    says=say_attack_to_come,
    records=(*proposals.PROPOSED, ActionDeclared, hits.TargetAttributeNamed, sessions.SessionPlayed),
)
class DeclareAttack(Means, Strike):
    """Declare an action against another character, but do not carry it out yet. Others can then move to the front of
    the order first. Carry the action out with `carry-out`.

    `attribute`: what the roll is against: the actor's own attribute, or the target's if the target defends.
    `target_attribute`: the attribute that the target defends with. Leave it out if it is the same as `attribute`.
    `hit_kind`: leave it out to follow the Expertise, as in `attack`. `command`: what a Chill commands the target to do.
    `weapon_used`: a possession of the actor, instead of a number for the weapon. `armour_worn`: a possession of the
    target, instead of a number for the armour.
    """


@decides
@proposals.ask_about_numbers
def declare_attack(draft: Draft, do: DeclareAttack) -> None:
    """Declare an action only. Until the defence is chosen, others can move to the front; the action then lapses."""
    strife = acting.check_turn(draft, do.actor, hits.ATTACK)
    checked_action = check_attack(draft, strife, do, hits.Given(), do.target_attribute)
    _declare(draft, strife, do, checked_action)
    sessions.note_played(draft, do.actor)


def _declare(draft: Draft, strife: acting.Strife | None, do: Attack | DeclareAttack, aim: hits.Aim) -> ActionDeclared:
    """Record the declaration. The values of possessions are checked last."""
    weapon = possessions.read_value(draft, do.actor, do.weapon_used, "weapon", aim.weapon)
    armour = possessions.read_value(draft, do.target, do.armour_worn, "armour", aim.armour)
    damage.check_weapon(draft, weapon, armour)
    fact = ActionDeclared(
        do.actor,
        do.target,
        do.expertise,
        do.attribute,
        do.power,
        aim.difficulty,
        do.reason,
        aim.taken_off,
        do.taken_off_reason,
        aim.kind,
        weapon,
        armour,
        do.command,
        do.purpose,
        do.weapon_used,
        do.armour_worn,
    )
    hits.record_action(draft, strife, do.actor, fact)
    if aim.target_attribute is not None:
        hits.record_action(
            draft, strife, do.actor, hits.TargetAttributeNamed(do.actor, do.target, aim.target_attribute)
        )
    return fact


# --- carrying out ----------------------------------------------------------------------------------------------------

NO_OPEN_ACTION = Refusal(
    hits.ATTACK,
    "no-open-action",
    "No declared action is waiting to be carried out. Declare one first.",
)


def find_actor(table: Table[object], do: object) -> str | None:
    """Return the character whose action is open in the scene, or None."""
    place = table.scene
    conflict = table.get(place, Scene).conflict if place is not None and table.has(place) else None
    return conflict.action.actor if conflict is not None and conflict.action is not None else None


@declares(
    "carry-out",
    either(find_actor, "the player of the character whose action is open"),
    says="The declared action is carried out.",
    records=ATTACK_FACTS,
)
class CarryOut(hits.Given):
    """Carry out the action that was declared. `shunt`: leave it out to ask the target's player."""


@decides
def carry_out(draft: Draft, do: CarryOut) -> Asking[None]:
    """Carry out the declared action with the current values. Refuses `no-open-action`."""
    place = draft.table.scene
    conflict = draft.read_scene(place).conflict if place is not None and draft.table.has(place) else None
    if place is None or conflict is None or conflict.action is None:
        raise NO_OPEN_ACTION()
    declared = conflict.action
    strife = acting.check_strife(draft, declared.actor, hits.ATTACK)
    checked_action = check_attack(draft, strife, declared, do, conflict.target_attribute)
    yield from hits.carry_out_checked_action(draft, strife, declared, checked_action, do)


# --- offers ----------------------------------------------------------------------------------------------------------

PLAIN = list_expertise_but(*SLOW, "burn", "chill", *OPTIONS)
#: The kinds of hit that each Expertise can cause.
HITS: tuple[tuple[tuple[str, ...], tuple[str | None, ...]], ...] = (
    (PLAIN, (None, "physical", "none")),
    (("burn",), (None, "physical")),
    (("chill",), (None, "spiritual")),
)
NOTHING_SHUNTED = Among((None, 0))

QUICK = list_expertise_but(*SLOW)


@offers
def offer_attacks(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer attacks to the next participant of each conflict."""
    sight = get_sight(seen, draft)
    for strife, next_id in turns.list_actors(sight):
        if targets := list_targets(sight, strife, next_id):
            actor_fields: Fields = {"actor": Among((next_id,)), **ROLLED, "target_attribute": OPEN}
            ways = product(
                _list_attack_fields(sight, next_id),
                _list_weapon_fields(sight, next_id),
                _list_armour_fields(sight, targets),
            )
            for pool_fields, weapon_fields, armour_fields in ways:
                fields = {**actor_fields, **pool_fields, **weapon_fields, **armour_fields}
                yield Move(DeclareAttack, fields, awaits=acting.QUEUE)
                for choice_fields, alike_targets in _list_choices(sight, armour_fields["target"]):
                    yield Move(Attack, {**fields, "target": alike_targets, **choice_fields}, awaits=acting.QUEUE)


def list_targets(sight: Sight, strife: acting.Strife, next_id: str) -> tuple[str, ...]:
    """Return the other living characters in the conflict."""
    return tuple(
        character_id for character_id in sight.people if may_target(sight.draft, strife, next_id, character_id) is None
    )


@offers
def offer_attacks_outside(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer attacks outside a conflict. The target chooses its armour when it is asked to defend."""
    sight = get_sight(seen, draft)
    for actor in sight.mine:
        targets = tuple(character_id for character_id in sight.free if character_id != actor)
        if not targets or not sight.can_roll(actor) or not sight.can_act(actor):
            continue
        actor_fields: Fields = {"actor": Among((actor,)), **ROLLED, "armour": OPEN, "target_attribute": OPEN}
        choices = _list_choices(sight, Among(targets))
        for (choice_fields, alike_targets), pool_fields, weapon_fields in product(
            choices, _list_attack_fields(sight, actor), _list_weapon_fields(sight, actor)
        ):
            yield Move(
                Attack, {**actor_fields, **pool_fields, **weapon_fields, "target": alike_targets, **choice_fields}
            )


def _list_attack_fields(sight: Sight, next_id: str) -> Iterator[Fields]:
    """Yield the possible pools, each with the kinds of hit that it can cause."""
    for names, kinds in HITS:
        for _, pool_fields in sight.list_pools((next_id,), names):
            if names == PLAIN or pool_fields["expertise"] == Among(names):
                yield {**pool_fields, "hit_kind": Among(kinds)}


def _list_weapon_fields(sight: Sight, next_id: str) -> Iterator[Fields]:
    """Yield the ways to state a weapon: as a number or as a possession (`mongrel.item.use`)."""
    yield {"weapon": sight.make_weapon_domain()}
    if weapons := sight.list_weapons(next_id):
        yield {"weapon_used": Among(weapons)}


def _list_armour_fields(sight: Sight, targets: tuple[str, ...]) -> Iterator[dict[str, Domain]]:
    yield {"target": Among(targets), "armour": OPEN}
    for character_id in targets:
        if possession_ids := sight.list_armours(character_id):
            yield {"target": Among((character_id,)), "armour_worn": Among(possession_ids)}


def _list_choices(sight: Sight, targets: Domain) -> Iterator[tuple[Fields, Among]]:
    """Yield the targets' choices that the declaring seat may make. For targets who cannot defend, not defending is the
    only choice.
    """
    assert isinstance(targets, Among)
    groups: dict[tuple[bool, bool], list[object]] = {}
    for character_id in targets.values:
        may_choose = sight.can_choose_for(str(character_id))
        groups.setdefault(
            (may_choose, may_choose and hits.may_defend(sight.draft, str(character_id)) is None), []
        ).append(character_id)
    for (may_choose, can_defend), ids in groups.items():
        yield _make_choice_fields(may_choose, can_defend), Among(tuple(ids))


def _make_choice_fields(may_choose: bool, can_defend: bool) -> Fields:
    """Return the choices for a target. A shunt cannot be offered, because its limit depends on the dice."""
    if not may_choose:
        return {}
    return {"defend": Among((None, True, False) if can_defend else (None, False)), "shunt": NOTHING_SHUNTED}


@offers
def offer_turns(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer the next participant moves that carry out the declared action, or pass."""
    sight = get_sight(seen, draft)
    for strife, next_id in turns.list_heads(sight):
        ways_on = _list_ways_on(sight, strife)
        if seen.scene == strife.scene:
            yield from ways_on
        text_field: Fields = {} if sight.can_act(next_id) else {"text": Among(("",))}
        yield Move(
            turns.Pass, {"character": Among((next_id,)), **text_field}, awaits=acting.QUEUE if not ways_on else None
        )


def _list_ways_on(sight: Sight, strife: acting.Strife) -> tuple[Move, ...]:
    """Return the ways to carry out the declared action, or nothing if the number of dice is not certain."""
    action = strife.conflict.action
    if action is None or acting.may_take_part(sight.draft, action.actor, acting.QUEUE) is not None:
        return ()
    try:
        checked_action = check_attack(sight.draft, strife, action, hits.Given())
    except Refused:
        return ()
    can_defend = hits.may_defend(sight.draft, action.target) is None
    may_choose, dice_count = sight.can_choose_for(action.target), checked_action.pool.dice_count
    typed_dice = Some(Between(1, 6), dice_count, dice_count, repeats=True)
    choice_fields = _make_choice_fields(may_choose, can_defend)
    ways: list[Fields] = [{"faces": Either((NONE, typed_dice)), **choice_fields}]
    if not sight.draft.dials.dice_before_defence:
        defence: Fields = {"defend": Among((True, False) if can_defend else (False,))}
        ways = [{"faces": NONE, **choice_fields}]
        ways += [{"faces": typed_dice, **choice_fields, **defence}] if may_choose else []
    return tuple(Move(CarryOut, way, awaits=hits.ATTACK, of=action.actor) for way in ways)
