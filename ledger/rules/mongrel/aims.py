"""What an attack may be: who it can reach, what its Effect does, and how its target meets it.

Heading: Complex task resolution, 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from ledger.rules.kernel.chapters import Question, Refusal, SharedRefusal, changes, choice, fact, require, rule
from ledger.rules.kernel.domains import CharacterId, Ref
from ledger.rules.kernel.frozen import changed, quick
from ledger.rules.kernel.moves import Among, Shape
from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character
from ledger.rules.mongrel.acting import (
    COLLAPSED,
    DEAD,
    DECISION_PENDING,
    NO_AP,
    Strife,
    check_can_act,
    conflict_of,
    may_roll,
    takes_part,
)
from ledger.rules.mongrel.actions import ActionDeclared
from ledger.rules.mongrel.clock import RecoveryEnded
from ledger.rules.mongrel.damage import NET, Blow, check_weapon, may_shunt, may_shunt_nothing, net_of
from ledger.rules.mongrel.draft import BAD_SCORE, Draft, asked_again, check_natural
from ledger.rules.mongrel.identity_and_attributes import ATTRIBUTE_UNKNOWN
from ledger.rules.mongrel.possessions import BAD_TARGET, value_of
from ledger.rules.mongrel.sayings import spoken, whether
from ledger.rules.mongrel.sessions import SessionPlayed, plays
from ledger.rules.mongrel.sorcery import BURN, CHILL, HIT_KIND, HIT_KIND_UNKNOWN, SORCERY, TOO_SLOW
from ledger.rules.mongrel.state import Character, Conflict, in_its_conflict, once_created
from ledger.rules.mongrel.tables import PHYSICAL
from ledger.rules.mongrel.tasks import (
    CHANGED_EFFECT,
    TN,
    Pool,
    Task,
    check_difficulty,
    check_typed,
    make_task,
    pool_of,
    work_out,
)
from ledger.rules.mongrel.terms import AttributeName, HitKind, Number, PossessionId, Side, is_attribute, is_hit_kind
from ledger.rules.mongrel.turns import ActionPointsSpent, pay

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

SLOW = ("occult", "resist")


@quick
@dataclass(frozen=True, slots=True)
class Given:
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


def check_attack(
    draft: Draft,
    strife: Strife | None,
    do: Any,
    given: Given,
    target_attribute: str | None = None,
) -> Aim:
    """All that can be refused before anybody is asked, in the order of the rules."""
    require(may_roll(draft, do.actor))
    if do.target == do.actor or not _can_reach(draft, strife, do.target):
        raise BAD_TARGET.under(ATTACK, target=do.target)
    if draft.who(do.target).dead:
        raise DEAD.under(ATTACK, target=do.target)
    check_can_act(draft, do.actor)
    _check_given(draft, do.target, given)
    if given.faces is not None and given.defend is None:
        check_dice_may_fall(draft)
    pool = quick_pool(draft, do.actor, do.expertise, do.power, do.attribute)
    if target_attribute is not None and not is_attribute(target_attribute):
        raise ATTRIBUTE_UNKNOWN.under(TN, attribute=target_attribute)
    (taken_off,) = check_natural(CHANGED_EFFECT, BAD_SCORE, taken_off=do.taken_off)
    check_natural(NET, BAD_SCORE, weapon=do.weapon, armour=do.armour)
    difficulty = check_difficulty(do.difficulty)
    kind = hit_kind(do.expertise, do.hit_kind)
    typed = check_typed(given.faces, pool.dice)
    weapon, armour = check_weapon(draft, do.weapon, do.armour)
    resistible = do.expertise == "chill" and draft.dials.resist_defends_chill  # further dice may take it all
    if kind != "physical" or typed is None or resistible:
        require(may_shunt_nothing(given.shunt))
    return Aim(pool, kind, difficulty, taken_off, weapon, armour, typed, target_attribute)


def _can_reach(draft: Draft, strife: Strife | None, target: str) -> bool:
    """Return whether the target is in the same conflict, or like the actor in none."""
    return conflict_of(draft, target) is None if strife is None else takes_part(draft, strife, target)


def _check_given(draft: Draft, target: str, given: Given) -> None:
    """The target's choices are the target's: another seat may not say them. Then the right to defend."""
    by = draft.table.by
    if (given.defend is not None or given.shunt is not None) and by.role != "gm" and target not in by.characters:
        raise NOT_YOURS.under(ATTACK, target=target)
    if given.defend:
        require(may_defend(draft, target))


def check_dice_may_fall(draft: Draft) -> None:
    """Of dice that are known before the target chooses. Refuses `dice-too-early`."""
    if not draft.dials.dice_before_defence:
        raise DICE_TOO_EARLY()


def quick_pool(draft: Draft, id: str, expertise: str, power: tuple[str, ...], attribute: str) -> Pool:
    """The pool of an action. Refuses `too-slow` for what takes hours, and an `attribute-unknown`."""
    pool = pool_of(draft, id, expertise, power)
    if expertise in SLOW:
        raise TOO_SLOW.under(SORCERY[expertise], expertise=expertise)
    if not is_attribute(attribute):
        raise ATTRIBUTE_UNKNOWN.under(TN, attribute=attribute)
    return pool


def hit_kind(expertise: str, named: str | None) -> HitKind:
    """What the Effect does: Burn is physical, Chill spiritual, anything else physical or not as its use implies."""
    own: HitKind = "spiritual" if expertise == "chill" else "physical" if expertise in PHYSICAL else "none"
    if named is None:
        return own
    if not is_hit_kind(named):
        raise HIT_KIND_UNKNOWN.under(ATTACK, hit_kind=named)
    if (expertise in ("burn", "chill") and named != own) or (expertise != "chill" and named == "spiritual"):
        raise HIT_KIND.under(CHILL if named == "spiritual" else BURN, hit_kind=named)
    return named


def record(
    draft: Draft, strife: Strife | None, id: str, fact: ActionDeclared | TargetAttributeNamed | DefenceChosen
) -> None:
    """Record it about the scene of the conflict; outside one, about the character."""
    if strife is not None:
        draft.tell(strife.scene, fact)
    else:
        draft.about(id, fact)


@fact("target-attribute-named", says=spoken("If {target} defends, {attribute} counts."))
class TargetAttributeNamed:
    """An action names another attribute for the defence: the one that counts if its target defends."""

    actor: CharacterId
    target: CharacterId
    attribute: AttributeName


@changes
@in_its_conflict
def put_target_attribute(state: Conflict, fact: TargetAttributeNamed) -> Conflict | None:
    declared = state.action is not None and state.action.actor == fact.actor
    return changed(state, target_attribute=fact.attribute) if declared else None


@fact("defence-chosen", says=whether("defends", "{target} defends.", "{target} does not defend."), headline=5)
class DefenceChosen:
    """The target of an action chooses whether to defend."""

    target: CharacterId
    defends: bool
    side: Side
    armour_worn: Annotated[str, Ref("possession", of="target")] | None


@changes
@in_its_conflict
def note_defence(state: Conflict, fact: DefenceChosen) -> Conflict | None:
    return state if state.action is not None and state.action.target == fact.target else None


DEFENCE_FACTS = (DefenceChosen, RecoveryEnded, ActionPointsSpent, SessionPlayed)

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
ASK_DEFEND = Question("defend", "{purpose} That costs 1 Action Point.")


@changes
@once_created
def note_action(state: Character, fact: ActionDeclared | TargetAttributeNamed | DefenceChosen) -> Character:
    return state


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


def may_defend(draft: Draft, id: str) -> Refused | None:
    """The first reason why not."""
    who = draft.who(id)
    reasons = (
        (DEAD, who.dead),
        (DECISION_PENDING, who.dying),
        (COLLAPSED, who.collapsed),
        (NO_AP, draft.ap(id) < 1),
        (RECOVERING, who.recovering and draft.dials.recovery_bars_defence),
    )
    return next((refusal.under(MAY_DEFEND, target=id) for refusal, holds in reasons if holds), None)


def may_meet(draft: Draft, do: ActionDeclared, aim: Aim | None, shunt: Number, guard: Guard) -> Refused | None:
    """There is a right to defend; and with dice that are known, what was said to go to Beauty is there to be moved."""
    if guard.defends and (refused := may_defend(draft, do.target)) is not None:
        return refused
    if aim is None or aim.typed is None or not shunt:
        return None
    result = work_out(draft, aim_against(draft, do, aim, guard), aim.typed)
    if not result.success:
        return may_shunt_nothing(shunt)
    return may_shunt(draft, do.target, shunt, net_of(Blow(result.effect, do.weapon, guard.armour)))


def aim_against(draft: Draft, do: ActionDeclared, aim: Aim, guard: Guard) -> Task:
    """`mongrel.conflict.attack`: against the attacker's own attribute, or the target's if the target defends."""
    side: Side = "target" if guard.defends else "own"
    attribute = (aim.target_attribute if guard.defends else None) or do.attribute
    return make_task(draft, aim.pool, side, attribute, do.target, aim.difficulty, taken_off=aim.taken_off)


def defence(
    draft: Draft,
    strife: Strife | None,
    do: ActionDeclared,
    chosen: bool | None,
    aim: Aim | None = None,
    shunt: Number = None,
) -> Asking[Guard]:
    """The target's seat chooses, and may say what it wears; a defence costs either side a point."""
    guard = Guard(chosen, do.armour) if chosen is not None else (yield from _ask_target(draft, do, aim, shunt))
    side: Side = "target" if guard.defends else "own"
    record(draft, strife, do.target, DefenceChosen(do.target, guard.defends, side, guard.worn))
    draft.by(ATTACK, side, defends=guard.defends)
    if guard.defends:
        pay(draft, do.target, "defend")
        pay(draft, do.actor, "forced")
        plays(draft, do.target)
    return guard


def _ask_target(draft: Draft, do: ActionDeclared, aim: Aim | None, shunt: Number) -> Asking[Guard]:
    """What the target cannot do is asked for again, and so is armour that is none, or beside what was declared.

    Nobody is asked where no answer is possible.
    """
    guards = _list_guards(draft, do)
    possible = [guard for guard in guards if may_meet(draft, do, aim, shunt, guard) is None]
    if not possible:
        require(may_meet(draft, do, aim, shunt, guards[0]))
    within = [Shape(kind, {"armour_worn": _list_worn(possible, kind)}) for kind in (Stand, Defend)]
    who = character(do.target)
    purpose = f"Does {draft.table.name(who)} defend?"
    chosen = yield from ask(draft.table.owner(who), Defend, Stand, slot=ASK_DEFEND(), purpose=purpose, within=within)
    with asked_again():
        armour, worn = do.armour, chosen.armour_worn
        if isinstance(chosen, Defend):
            require(may_defend(draft, do.target))
        if worn is not None:
            armour = value_of(draft, do.target, worn, "armour", do.armour or int(do.armour_worn is not None))
        guard = Guard(isinstance(chosen, Defend), armour, worn)
        require(may_meet(draft, do, aim, shunt, guard))
    return guard


def _list_guards(draft: Draft, do: ActionDeclared) -> list[Guard]:
    """`mongrel.item.use`: without armour or in any that one has, where none was declared."""
    armours: dict[str | None, int] = {None: do.armour}
    if not do.armour and do.armour_worn is None:
        had = draft.who(do.target).possessions
        armours.update({id: item.armour for id, item in had.items() if item.armour is not None})
    return [Guard(defends, armour, worn) for defends in (False, True) for worn, armour in armours.items()]


def _list_worn(guards: list[Guard], kind: type[Defend | Stand]) -> Among:
    return Among(tuple(guard.worn for guard in guards if guard.defends is (kind is Defend)))
