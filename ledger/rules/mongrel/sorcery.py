"""Occult and what answers it. Heading: Sorcery Expertise and spiritual damage."""

from __future__ import annotations

from dataclasses import replace

from ledger.rules.kernel.questions import Asking, ask
from ledger.rules.kernel.refusals import Refused, Unfit
from ledger.rules.kernel.subjects import character
from ledger.rules.mongrel import answers
from ledger.rules.mongrel.choices import Resist, Submit
from ledger.rules.mongrel.damage import Blow, check_weapon, physical_hit
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.facts import TaskDeclared
from ledger.rules.mongrel.facts_of_strife import OccultResisted, RitualTimed
from ledger.rules.mongrel.guards import check_alive, check_rolls, check_stands, conflict_of
from ledger.rules.mongrel.infernal import check_zero, spend, spiritual_hit
from ledger.rules.mongrel.inputs import Occult
from ledger.rules.mongrel.possessions import value_of
from ledger.rules.mongrel.tables import GOVERNED_BY, HOUR, PHYSICAL
from ledger.rules.mongrel.tasks import (
    Pool,
    Result,
    check_difficulty,
    check_task,
    check_typed,
    declare_task,
    faces_of,
    pool_of,
    resolve,
    task_on,
)
from ledger.rules.mongrel.terms import HitKind, Number, Resisted, called, is_attribute, is_hit_kind, is_whole

OCCULT = "mongrel.sorcery.occult"
RESIST = "mongrel.sorcery.resist"


def occult(draft: Draft, do: Occult) -> Asking[None]:
    """Any other Expertise, slowly: an hour for each die, paid in Infernal Resolve before the roll."""
    points = check_sorcery(draft, do.actor, do.points, do.imitates)
    kind = _check_kind(draft, do)
    task = check_task(draft, do)
    typed = check_typed(do.faces, task.pool.dice)
    blow = _blow(draft, do)
    begun = draft.begun(do.since)
    pay_resolve(draft, do.actor, points)
    if draft.who(do.actor).dead:
        return
    take_time(draft, task.pool, OCCULT, begun)
    declare_task(draft, do, task)
    faces = yield from faces_of(draft, task.pool, typed)
    result = resolve(draft, task, faces, extra=points - 1, why=do.taken_off_reason)
    if result.success:
        yield from _land(draft, do, kind, replace(blow, effect=result.effect))
    draft.tell_used()


def check_sorcery(draft: Draft, id: str, points: Number, imitates: str) -> int:
    """The points.

    Refuses `collapsed`, `too-slow`, `occult-needs-resolve`, `no-resolve`, `expertise-unknown`, `imitates-itself`.
    """
    check_alive(draft, id)
    check_rolls(draft, id)
    check_stands(draft, id)
    if conflict_of(draft, id) is not None:
        raise Refused(OCCULT, "too-slow", actor=id)
    if not is_whole(points) or points < 1:
        raise Refused(OCCULT, "occult-needs-resolve", points=repr(points))
    if points > draft.resolve(id):
        raise Refused(OCCULT, "no-resolve", character=id, points=points, resolve=draft.resolve(id))
    if imitates not in GOVERNED_BY:
        raise Refused(OCCULT, "expertise-unknown", expertise=imitates)
    if imitates == "occult":
        raise Refused(OCCULT, "imitates-itself", expertise=imitates)
    return points


def pay_resolve(draft: Draft, id: str, points: int) -> None:
    """Before the roll, and lost on failure."""
    spend(draft, id, points, "occult")
    check_zero(draft, id, own=True)


def _check_kind(draft: Draft, do: Occult) -> HitKind:
    """Refuses `hit-kind-unknown`, `hit-kind`, and for an attack a target that is nobody or dead."""
    kind = _occult_kind(draft, do)
    if kind != "none" and do.target is None:
        raise Refused(OCCULT, "bad-target", target=None)
    for id in meant(do):
        if kind != "none":
            check_alive(draft, id)
        draft.who(id)
    return kind


def meant(do: Occult) -> tuple[str, ...]:
    """Return everybody it is meant for, each once: the target, whose attribute counts, first."""
    first = (do.target,) if do.target is not None else ()
    return tuple(dict.fromkeys((*first, *do.others)))


def _occult_kind(draft: Draft, do: Occult) -> HitKind:
    """An attack hits Infernal Resolve; at some tables what the imitated Expertise would. Refuses `hit-kind`."""
    if do.hit_kind is not None and not is_hit_kind(do.hit_kind):
        raise Refused(OCCULT, "hit-kind-unknown", hit_kind=do.hit_kind)
    imitated: HitKind = "spiritual" if do.imitates == "chill" else "physical" if do.imitates in PHYSICAL else "none"
    only = attacks_only(draft, do.imitates)
    if not is_hit_kind(do.hit_kind):
        return "none" if do.target is None or imitated == "none" else only or imitated
    if only is not None and do.hit_kind not in (only, "none"):
        raise Refused(OCCULT, "hit-kind", hit_kind=do.hit_kind, only=only)
    return do.hit_kind


def attacks_only(draft: Draft, imitates: str) -> HitKind | None:
    """The only kind of hit that an Occult attack in place of this Expertise can be; None where it can be any."""
    if draft.dials.occult_attack_hits == "resolve" or imitates == "chill":
        return "spiritual"
    return "physical" if imitates == "burn" else None


def _blow(draft: Draft, do: Occult) -> Blow:
    """Without its Effect. Of numbers, or of possessions of the caster and the target."""
    weapon, armour = check_weapon(draft, do.weapon, do.armour)
    weapon = value_of(draft, do.actor, do.weapon_used, "weapon", weapon)
    armour = value_of(draft, do.target or do.actor, do.armour_worn, "armour", armour)
    check_weapon(draft, weapon, armour)
    return Blow(0, weapon, armour)


def _land(draft: Draft, do: Occult, kind: HitKind, blow: Blow) -> Asking[None]:
    """On the target and on everybody else it is meant for: each may resist, and wears what armour there is.

    All of them resist in the same hours.
    """
    begun = draft.clock()
    for id in meant(do) or (None,):
        effect: int | None = blow.effect
        if id is not None and id != do.actor:
            also = id if id != do.target else None
            effect = yield from resisted(draft, id, blow.effect, "occult", begun=begun, also=also)
        draft.by(OCCULT, effect or 0, imitates=do.imitates, hit_kind=kind)
        if id is not None and kind == "physical" and effect is not None:
            own = blow if id == do.target else replace(blow, armour=0)
            yield from physical_hit(draft, id, replace(own, effect=effect), also=id != do.target)
        elif id is not None and kind == "spiritual":
            spiritual_hit(draft, id, effect or 0)


def take_time(draft: Draft, pool: Pool, rule: str, begun: int | None = None) -> None:
    """An hour for each die rolled; at Expertise 0 there are two."""
    draft.about(pool.actor, RitualTimed(pool.actor, pool.dice))
    draft.by(rule, pool.dice, hours=pool.dice)
    draft.pass_time(pool.dice * HOUR, "a ritual", begun)


# --- Resist ----------------------------------------------------------------------------------------------------------


def resisted_chill(draft: Draft, id: str, effect: int) -> Asking[int]:
    """`mongrel.sorcery.chill`: by default Resist is no answer to it."""
    if not draft.dials.resist_defends_chill:
        return effect
    return (yield from resisted(draft, id, effect, "chill")) or 0


def resisted(
    draft: Draft, id: str, effect: int, against: Resisted, *, begun: int | None = None, also: str | None = None
) -> Asking[int | None]:
    """What is left of the Effect after the target has had the choice to resist; None: it fails, weapon and all.

    `begun`: when the hours of it began. `also`: one of several targets, who is asked by name.
    """
    who = draft.who(id)
    if who.dead or who.dying or (who.npc and not draft.dials.npc_rolls):
        return effect
    if against == "occult" and conflict_of(draft, id) is not None:
        draft.by(RESIST, effect, in_conflict=True)
        return effect
    if who.collapsed:
        draft.by(RESIST, effect, collapsed=True)
        return effect
    owner = draft.table.owner(character(id))
    chosen = yield from ask(
        owner,
        Resist,
        Submit,
        slot=f"resist:{against}" if also is None else f"resist:{against}:{also}",
        purpose=f"{_called_on(draft, also)} {called(against)} (Effect {effect})?",
        within=answers.resisting(draft, id),
    )
    if isinstance(chosen, Submit):
        return effect
    try:
        result = yield from _roll_resist(
            draft, id, chosen, against, begun, "resist" if also is None else f"resist:{also}"
        )
    except Unfit:
        raise
    except Refused as no:
        raise Unfit(no.rule, no.code, **no.context) from None
    if not result.success:
        draft.by(RESIST, effect, success=False)
        return effect
    cancelled = draft.dials.resist_method == "cancel"
    left = 0 if cancelled else max(0, effect - result.effect)
    draft.about(id, OccultResisted(id, against, effect - left, cancelled))
    draft.by(RESIST, left, effect=effect, resisted=result.effect, cancelled=cancelled)
    return None if cancelled else left


def _called_on(draft: Draft, also: str | None) -> str:
    return "Resist" if also is None else f"Does {draft.table.name(character(also))} resist"


def _roll_resist(draft: Draft, id: str, do: Resist, against: Resisted, begun: int | None, slot: str) -> Asking[Result]:
    """Resist against an attribute of one's own; as slow as what it answers, and against Chill at once."""
    pool = pool_of(draft, id, "resist", do.power)
    if not is_attribute(do.attribute):
        raise Refused("mongrel.task.tn", "attribute-unknown", attribute=do.attribute)
    difficulty = check_difficulty(do.difficulty)
    typed = check_typed(do.faces, pool.dice)
    task = task_on(draft, pool, "own", do.attribute, None, difficulty)
    draft.about(
        id, TaskDeclared(id, "resist", do.power, "own", do.attribute, None, "", difficulty, do.reason, 0, "")
    )  # fmt: skip
    if against == "occult":
        take_time(draft, pool, RESIST, begun)
    rolled = yield from faces_of(draft, pool, typed, slot)
    return resolve(draft, task, rolled)
