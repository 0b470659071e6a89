"""Hits from elsewhere: of a task that was recorded, or as a game master says. Heading: Physical damage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

from ledger.rules.kernel.chapters import Refusal, changes, decides, declares, fact, offers, require
from ledger.rules.kernel.declarations import GM
from ledger.rules.kernel.domains import Between, CharacterId, Reason, Ref
from ledger.rules.kernel.moves import OPEN, Among, Move
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import character
from ledger.rules.mongrel.acting import check_alive
from ledger.rules.mongrel.aims import SLOW
from ledger.rules.mongrel.damage import HIT, NET, Blow, check_weapon, may_shunt_nothing, physical_hit
from ledger.rules.mongrel.draft import BAD_SCORE, Draft, check_natural
from ledger.rules.mongrel.infernal_resolve import HIT_FACTS, spiritual_hit
from ledger.rules.mongrel.possessions import POSSESSION_UNKNOWN, USE, value_of
from ledger.rules.mongrel.sayings import whether
from ledger.rules.mongrel.sessions import FeaturesUsed, tell_used
from ledger.rules.mongrel.sight import LATEST, NONE, Fields, Sight, look
from ledger.rules.mongrel.state import Character, once_created
from ledger.rules.mongrel.tasks import TaskDeclared, TaskResolved
from ledger.rules.mongrel.terms import ArmourValue, HittingTask, Natural, Shunted, WeaponBonus, WoundName

CHARACTER_DIFFERS = Refusal(
    HIT,
    "character-differs",
    "Ruling {ruling} is a task against {target}, not {character}. To use another target, give a reason.",
)
EFFECT_DIFFERS = Refusal(
    HIT,
    "effect-differs",
    "Ruling {ruling} has an Effect of {said}, not {effect}. To use another Effect, give a reason.",
)
WOUND_UNKNOWN = Refusal(HIT, "hit-kind-unknown", "A hit must be physical or spiritual, not {hit_kind}.")


@fact("task-hit", says="The task in ruling {ruling} hits {character}.")
class TaskHit:
    """A recorded task causes a spiritual hit. For a physical hit, `damage-rolled` names the task instead."""

    character: CharacterId
    ruling: HittingTask


@changes
@once_created
def note_task_hit(state: Character, fact: TaskHit) -> Character:
    return state


@declares(
    "take-hit",
    GM,
    says=whether(
        "shunt",
        "{character} takes a[ {hit_kind}] hit with Effect {effect}, and {shunt:point of it goes|points of it go} to"
        " Beauty[: {reason}].",
        "{character} takes a[ {hit_kind}] hit with Effect {effect}[: {reason}].",
    ),
    records=(TaskHit, *HIT_FACTS, FeaturesUsed),
)
class TakeHit:
    """Record a hit on a character that does not come from a declared attack, but from a recorded task or from a game
    master's decision.

    `ruling`: the task that causes the hit. It can hit each character only once. Give a reason if the Effect or the
    target is not that of the task.
    `effect`: the Effect of the hit, before weapon and armour.
    `hit_kind`: leave it out to follow the task: Chill is spiritual, everything else is physical.
    `shunt`: leave it out to ask the character's player.
    `armour_worn`: a possession of the character, instead of a number for the armour. `wielder`: who uses the weapon, if
    it is a possession. `weapon_used`: a possession of the wielder, instead of a number for the weapon.
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
    """A hit outside the order of a conflict. Refuses `no-such-ruling` for a task that hits by itself, or resists."""
    check_alive(draft, do.character)
    if do.ruling is not None and not can_hit([about.fact for about in draft.table.cited(do.ruling)]):
        raise Refused(HIT, "no-such-ruling", ruling=do.ruling, given=do.ruling)
    kind = _find_kind(draft, do)
    (effect,) = check_natural(NET, BAD_SCORE, effect=do.effect)
    weapon, armour = check_weapon(draft, do.weapon, do.armour)
    armour = value_of(draft, do.character, do.armour_worn, "armour", armour)
    weapon = _find_weapon(draft, do, weapon)
    if kind == "physical":
        blow = Blow(effect, weapon, armour, do.shunt, do.reason, do.ruling)
        yield from physical_hit(draft, do.character, blow)
    else:
        require(may_shunt_nothing(do.shunt))
        if do.ruling is not None:
            draft.about(do.character, TaskHit(do.character, do.ruling))
        spiritual_hit(draft, do.character, effect)
    tell_used(draft)


def can_hit(facts: Iterable[object]) -> bool:
    """Return whether the Effect of a task may be taken as a hit: Occult hits by itself, and Resist hits nobody."""
    return not any(isinstance(fact, TaskDeclared) and fact.expertise in SLOW for fact in facts)


def _find_weapon(draft: Draft, do: TakeHit, weapon: int) -> int:
    """The weapon's value: of a possession of the character who wields it, or as a number."""
    if do.weapon_used is None:
        return weapon
    if do.wielder is None:
        raise POSSESSION_UNKNOWN.under(USE, possession=do.weapon_used, character=None)
    value = value_of(draft, do.wielder, do.weapon_used, "weapon", weapon)
    return check_weapon(draft, value, 0)[0]


def _find_kind(draft: Draft, do: TakeHit) -> str:
    """What the hit does: as said, else what the task cited does. Refuses `hit-kind-unknown`."""
    if do.hit_kind is None:
        facts = [about.fact for about in draft.table.cited(do.ruling)] if do.ruling is not None else []
        chill = any(isinstance(fact, TaskDeclared) and fact.expertise == "chill" for fact in facts)
        return "spiritual" if chill else "physical"
    if do.hit_kind not in ("physical", "spiritual"):
        raise WOUND_UNKNOWN(hit_kind=do.hit_kind)
    return do.hit_kind


@offers
def offer_hits(seen: Seen, draft: Draft) -> Iterator[Move]:
    """So much goes to Beauty as the Effect alone allows, or as is said when it is asked."""
    sight = look(seen, draft)
    if not sight.alive:
        return
    hit: Fields = {"effect": OPEN, "ruling": NONE, "weapon": sight.weapon()}
    quiet: Fields = {"shunt": Among((None, 0)), "hit_kind": OPEN}
    yield Move(TakeHit, {"character": Among(sight.alive), **hit, **quiet, "armour": OPEN})
    for id in sight.alive:
        for number, effect in _list_tasks_against(sight, id):
            task: Fields = {"character": Among((id,)), "ruling": Among((number,)), "effect": Among((effect,))}
            yield Move(TakeHit, {**hit, **quiet, **task, "armour": OPEN})
    beauty = {id: draft.score(id, "beauty") for id in sight.alive}
    for points in range(1, max(beauty.values()) + 1):
        fair = Among(tuple(id for id in sight.alive if beauty[id] >= points))
        yield Move(TakeHit, {"character": fair, **hit, "effect": Between(points), "shunt": Among((points,))})
    for id in sight.alive:
        if worn := sight.armours(id):
            yield Move(TakeHit, {"character": Among((id,)), **hit, **quiet, "armour_worn": Among(worn)})
    wielded: Fields = {"character": Among(sight.alive), "effect": OPEN, "ruling": NONE, **quiet, "armour": OPEN}
    for id in sight.people:
        if weapons := sight.weapons(id):
            yield Move(TakeHit, {**wielded, "wielder": Among((id,)), "weapon_used": Among(weapons)})


def _list_tasks_against(sight: Sight, id: str) -> Iterator[tuple[str, int]]:
    """The latest tasks that had an Effect on the character, and hit nobody yet: each its number and the Effect."""
    tasks: list[tuple[int, int]] = []
    for actor in sight.people:
        for number, facts in sight.seen.citable(character(actor)).items():
            aimed = any(isinstance(fact, TaskDeclared) and fact.target == id for fact in facts)
            aimed = aimed and can_hit(facts)
            effect = max((fact.effect for fact in facts if isinstance(fact, TaskResolved)), default=0)
            if aimed and effect and not sight.draft.table.times_cited(character(id), str(number)):
                tasks.append((number, effect))
    return ((str(number), effect) for number, effect in sorted(tasks)[-LATEST:])
