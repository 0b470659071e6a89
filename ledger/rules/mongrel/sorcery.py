"""Sorcery: Burn and Chill, Resist, which counters Occult, and Occult in place of any other Expertise.

Heading: Sorcery Expertise and spiritual damage.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from ledger.rules.kernel.kit import (
    OPEN,
    Among,
    Asking,
    Between,
    CharacterId,
    Domain,
    Move,
    Names,
    Question,
    Reason,
    Ref,
    Refusal,
    Refused,
    RuleId,
    Says,
    Seen,
    Shape,
    SharedRefusal,
    Some,
    ask,
    character,
    choice,
    decides,
    declares,
    either,
    fact,
    offers,
    require,
    rule,
)
from ledger.rules.mongrel import (
    acting,
    clock,
    damage,
    death,
    identities,
    infernal,
    possessions,
    powers,
    proposals,
    sessions,
    tasks,
)
from ledger.rules.mongrel.draft import Draft, ask_again_if_refused
from ledger.rules.mongrel.sight import (
    AUGMENTING,
    NONE,
    ROLLED,
    UNPAID,
    Fields,
    Sight,
    get_sight,
    group_ids,
    list_aims_at_nobody,
    list_expertise_but,
    make_aim_at_somebody,
)
from ledger.rules.mongrel.tables import GOVERNED_BY, HOUR, OPTIONS, PHYSICAL, POWERS
from ledger.rules.mongrel.terms import (
    Aimed,
    ArmourValue,
    AttributeName,
    Difficulty,
    DifficultyReason,
    ExpertiseName,
    Faces,
    Hindered,
    HitKind,
    HitName,
    Number,
    PowerOptions,
    Resisted,
    ResolvePoints,
    Since,
    WeaponBonus,
    add_difficulty,
    drop_repeats,
    is_attribute,
    is_hit_kind,
    is_whole,
    say,
    whether,
    write_word,
)

# --- Burn and Chill --------------------------------------------------------------------------------------------------

BURN = rule(
    "mongrel.sorcery.burn",
    "Burn is a quick attack that does physical damage.",
    "Sorcery Expertise and spiritual damage",
)
CHILL = rule(
    "mongrel.sorcery.chill",
    "Chill is a quick attack on Infernal Resolve. It may carry a command to the target.",
    "Sorcery Expertise and spiritual damage",
)


# --- Resist ----------------------------------------------------------------------------------------------------------

RESIST = rule(
    "mongrel.sorcery.resist",
    "When an Occult roll succeeds, each target may answer with a roll of Resist, which also takes an hour for each"
    " die. If Resist succeeds, its Effect lowers the Effect of the Occult on that target (our reading). A purchase"
    " by Occult fails if its Effect is lowered to 0.",
    "Sorcery Expertise and spiritual damage",
)
ASK_RESIST = Question("resist", "{purpose} If so, choose the attribute that the roll is against.")


@fact("ritual-timed", says="The sorcery takes {character} {hours:hour|hours}.", changes=None)
class RitualTimed:
    """A character's sorcery took time. `hours`: how many hours."""

    character: CharacterId
    hours: int


@fact(
    "occult-resisted",
    says=whether(
        "cancelled",
        "{character} resists {against} completely.",
        "{character} resists {against}: its Effect falls by {taken_off}.",
    ),
    changes=None,
)
class OccultResisted:
    """Occult or Chill was resisted. `taken_off`: by how much its Effect was lowered. `cancelled`: whether the Occult
    failed.
    """

    character: CharacterId
    against: Resisted
    taken_off: int
    cancelled: bool


RESIST_FACTS = (tasks.TaskDeclared, OccultResisted, RitualTimed, *clock.TIME_FACTS)


def take_time(draft: Draft, pool: tasks.Pool, rule: str, beginning: int | None = None) -> None:
    """Let one hour pass for each die rolled. At Expertise 0, two dice are rolled."""
    draft.about(pool.actor, RitualTimed(pool.actor, pool.dice_count))
    draft.by(rule, pool.dice_count, hours=pool.dice_count)
    clock.pass_time(draft, pool.dice_count * HOUR, "a ritual", beginning)


@choice("resist", says="The target rolls Resist against their own {attribute}.")
class Resist:
    """Roll Resist against one of your own attributes."""

    attribute: AttributeName = "spirit"
    power: PowerOptions = ()
    difficulty: Difficulty = 0
    reason: DifficultyReason = ""
    faces: Faces | None = None


@choice("submit", says="The target does not resist.")
class Submit:
    """Do not resist."""


def ask_to_resist_chill(draft: Draft, character_id: str, effect: int) -> Asking[int]:
    """Return the Effect that is left of a Chill. By default, Resist cannot counter it (`mongrel.sorcery.chill`)."""
    if not draft.dials.resist_defends_chill:
        return effect
    return (yield from ask_to_resist(draft, character_id, effect, "chill")) or 0


def ask_to_resist(
    draft: Draft,
    character_id: str,
    effect: int,
    against: Resisted,
    *,
    minute_begun: int | None = None,
    named_target: str | None = None,
) -> Asking[int | None]:
    """Return the Effect that is left after the target was asked to resist, or None if the sorcery fails completely,
    including its weapon.

    `minute_begun`: the minute in which the sorcery began. `named_target`: the target's id, if it is one of several and
    the question must name it.
    """
    state = draft.read_character(character_id)
    if state.dead or state.dying or (state.npc and not draft.dials.npc_rolls):
        return effect
    if against == "occult" and acting.find_strife(draft, character_id) is not None:
        draft.by(RESIST, effect, in_conflict=True)
        return effect
    if state.collapsed:
        draft.by(RESIST, effect, collapsed=True)
        return effect
    owner = draft.table.owner(character(character_id))
    answer = yield from ask(
        owner,
        Resist,
        Submit,
        slot=ASK_RESIST(against) if named_target is None else ASK_RESIST(against, named_target),
        purpose=f"{_word_question(draft, named_target)} {write_word(against)} (Effect {effect})?",
        within=list_resist_shapes(draft, character_id),
    )
    if isinstance(answer, Submit):
        return effect
    slot = ASK_RESIST() if named_target is None else ASK_RESIST(named_target)
    with ask_again_if_refused():
        result = yield from _roll_resist(draft, character_id, answer, against, minute_begun, slot)
    if not result.is_success:
        draft.by(RESIST, effect, success=False)
        return effect
    is_cancelled = draft.dials.resist_method == "cancel"
    remaining_effect = 0 if is_cancelled else max(0, effect - result.effect)
    draft.about(character_id, OccultResisted(character_id, against, effect - remaining_effect, is_cancelled))
    draft.by(RESIST, remaining_effect, effect=effect, resisted=result.effect, cancelled=is_cancelled)
    return None if is_cancelled else remaining_effect


def list_resist_shapes(draft: Draft, character_id: str) -> Iterator[Shape]:
    """Yield the answers, without dice, because the number of dice depends on the Power (`mongrel.sorcery.resist`)."""
    options = OPTIONS[POWERS[draft.read_character(character_id).primary]]
    yield Shape(Resist, {"attribute": OPEN, "power": Some(Among(options), repeats=True), "difficulty": OPEN})


def _word_question(draft: Draft, named_target: str | None) -> str:
    return "Resist" if named_target is None else f"Does {draft.table.name(character(named_target))} resist"


def _roll_resist(
    draft: Draft, character_id: str, do: Resist, against: Resisted, beginning: int | None, slot: str
) -> Asking[tasks.Result]:
    """Roll Resist against the target's own attribute. It takes as long as the sorcery; against
    Chill, it takes no time.
    """
    pool = tasks.check_pool(draft, character_id, "resist", do.power)
    if not is_attribute(do.attribute):
        raise identities.ATTRIBUTE_UNKNOWN.under(tasks.TN, attribute=do.attribute)
    difficulty = tasks.check_difficulty(do.difficulty)
    typed = tasks.check_typed(do.faces, pool.dice_count)
    task = tasks.make_task(draft, pool, "own", do.attribute, None, difficulty)
    tasks.explain_task(draft, task)
    draft.about(
        character_id,
        tasks.TaskDeclared(
            character_id, "resist", do.power, "own", do.attribute, None, "", difficulty, do.reason, 0, ""
        ),
    )
    if against == "occult":
        take_time(draft, pool, RESIST, beginning)
    faces = yield from tasks.ask_for_faces(draft, pool, typed, slot)
    return tasks.resolve(draft, task, faces)


# --- Occult ----------------------------------------------------------------------------------------------------------

OCCULT = rule(
    "mongrel.sorcery.occult",
    "Occult can stand in for any other Expertise. It costs at least 1 point of Infernal Resolve, spent before the "
    "roll, and takes an hour for each die. It can have several targets, and the same Effect applies to each of "
    "them (our reading). If the spending kills the caster, there is no roll.",
    "Sorcery Expertise and spiritual damage",
)
IMITATES_ITSELF = Refusal(
    OCCULT,
    "imitates-itself",
    "Occult can imitate any Expertise except itself.",
)
HIT_KIND = SharedRefusal(
    "hit-kind",
    "For this Expertise, the kind of hit cannot be {hit_kind}[. Choose {only} or none].",
)
HIT_KIND_UNKNOWN = SharedRefusal(
    "hit-kind-unknown",
    "The kind of hit must be physical, spiritual or none, not {hit_kind}.",
)
TOO_SLOW = SharedRefusal(
    "too-slow",
    "[Occult takes hours, and {actor} is in a conflict][{expertise} takes hours and cannot be used in a conflict].",
)


@dataclass(frozen=True)
class Casting:
    """The character who uses Occult, the Expertise that it imitates, and the points that it costs."""

    __slots__ = ()
    actor: CharacterId
    points: ResolvePoints
    imitates: Annotated[ExpertiseName, Says("Expertise imitated")]


def say_occult(do: Occult, names: Names) -> str:
    """Put into words which Expertise the sorcery imitates."""
    phrase = (
        "{actor} uses Occult instead of {imitates}[ on {target}][, and on {others},] for {points:point|points} of"
        f" Infernal Resolve{add_difficulty(do)}[: {{purpose}}]."
    )
    return say(phrase, do, names)


@declares(
    "occult",
    either("actor"),
    says=say_occult,
    records=drop_repeats(
        *proposals.PROPOSED,
        *infernal.SPENT_FACTS,
        RitualTimed,
        tasks.TargetsAdded,
        *RESIST_FACTS,
        *tasks.TASK_FACTS,
        *infernal.HIT_FACTS,
    ),
)
class Occult(Hindered, Aimed, Casting):
    """Use Occult to imitate another Expertise. This costs points of Infernal Resolve and an hour for each die. All
    other fields are as in `roll-task`.

    `points`: at least 1. Each point after the first adds 1 to the Effect. `imitates`: the Expertise that Occult stands
    in for.
    `hit_kind`: `spiritual` for an attack, otherwise `none`. `physical` is possible only at tables where an Occult
    attack hits whatever the imitated Expertise would hit. If you leave it out, this is an attack if the imitated
    Expertise is one.
    `weapon_used`: a possession of the character, instead of a number for the weapon. `armour_worn`: a possession of the
    target, instead of a number for the armour.
    `others`: further targets, for example in a large area. Each of them may resist, and the same Effect hits each of
    them. Armour counts only for the first target.
    """

    hit_kind: HitName | None = None
    weapon: WeaponBonus = 0
    armour: ArmourValue = 0
    purpose: Reason = ""
    faces: Faces | None = None
    weapon_used: Annotated[str, Ref("possession", of="actor")] | None = None
    armour_worn: Annotated[str, Ref("possession", of="target")] | None = None
    others: Annotated[tuple[CharacterId, ...], Says("Further targets")] = ()
    since: Since | None = None


@decides
@proposals.ask_about_numbers
def use_occult(draft: Draft, do: Occult) -> Asking[None]:
    """Use Occult in place of any other Expertise. It takes an hour for each die, and Infernal Resolve is paid before
    the roll.
    """
    require(may_use_occult(draft, do.actor, do.points, do.imitates))
    assert is_whole(do.points)
    kind = _check_kind(draft, do)
    task = tasks.check_task(draft, do)
    typed = tasks.check_typed(do.faces, task.pool.dice_count)
    blow = _make_blow(draft, do)
    beginning = clock.read_beginning(draft, do.since)
    pay_resolve(draft, do.actor, do.points)
    if draft.read_character(do.actor).dead:
        return
    take_time(draft, task.pool, OCCULT, beginning)
    tasks.declare_task(draft, do, task)
    faces = yield from tasks.ask_for_faces(draft, task.pool, typed)
    result = tasks.resolve(draft, task, faces, extra=do.points - 1, reason=do.taken_off_reason)
    if result.is_success:
        yield from _land_occult(draft, do, kind, replace(blow, effect=result.effect))
    sessions.record_used_features(draft)


#: The rule of each sorcery Expertise.
SORCERY: Mapping[str, RuleId] = {"burn": BURN, "chill": CHILL, "occult": OCCULT, "resist": RESIST}


def may_use_occult(draft: Draft, character_id: str, points: Number, imitates: str) -> Refused | None:
    """Refuse characters who cannot prepare or cannot pay, and Occult in place of itself."""
    if (refused := may_prepare_occult(draft, character_id)) is not None:
        return refused
    if not is_whole(points) or points < 1:
        return tasks.OCCULT_NEEDS_RESOLVE(points=repr(points))
    if points > draft.count_resolve(character_id):
        return death.NO_RESOLVE.under(
            OCCULT, character=character_id, points=points, resolve=draft.count_resolve(character_id)
        )
    if imitates not in GOVERNED_BY:
        return powers.EXPERTISE_UNKNOWN.under(OCCULT, expertise=imitates)
    return IMITATES_ITSELF(expertise=imitates) if imitates == "occult" else None


def may_prepare_occult(draft: Draft, character_id: str) -> Refused | None:
    """Refuse characters who are dead, have collapsed or are in a conflict, because Occult takes hours."""
    refused = (
        acting.may_be_ruled_on(draft, character_id)
        or acting.may_roll(draft, character_id)
        or acting.may_be_active(draft, character_id)
    )
    if refused is not None:
        return refused
    return TOO_SLOW.under(OCCULT, actor=character_id) if acting.find_strife(draft, character_id) is not None else None


def pay_resolve(draft: Draft, character_id: str, points: int) -> None:
    """Pay Infernal Resolve before the roll. It is lost even if the roll fails."""
    infernal.spend(draft, character_id, points, "occult")
    infernal.collapse_at_zero(draft, character_id, is_own_spending=True)


def _check_kind(draft: Draft, do: Occult) -> HitKind:
    """Return the kind of hit. Refuses `hit-kind-unknown`, `hit-kind`, and an attack whose target is missing or dead."""
    kind = _read_kind(draft, do)
    if kind != "none" and do.target is None:
        raise possessions.BAD_TARGET.under(OCCULT, target=None)
    for character_id in list_target_ids(do):
        if kind != "none":
            acting.check_alive(draft, character_id)
        draft.read_character(character_id)
    return kind


def list_target_ids(do: Occult) -> tuple[str, ...]:
    """Return the ids of all targets, each once. The main target, whose attribute counts, is the first."""
    main_target_ids = (do.target,) if do.target is not None else ()
    return tuple(dict.fromkeys((*main_target_ids, *do.others)))


def _read_kind(draft: Draft, do: Occult) -> HitKind:
    """Return the kind of hit: spiritual or, at some tables, the kind that the imitated Expertise would have."""
    if do.hit_kind is not None and not is_hit_kind(do.hit_kind):
        raise HIT_KIND_UNKNOWN.under(OCCULT, hit_kind=do.hit_kind)
    is_physical = do.imitates in PHYSICAL
    imitated_kind: HitKind = "spiritual" if do.imitates == "chill" else "physical" if is_physical else "none"
    only_kind = find_only_kind(draft, do.imitates)
    if not is_hit_kind(do.hit_kind):
        return "none" if do.target is None or imitated_kind == "none" else only_kind or imitated_kind
    if only_kind is not None and do.hit_kind not in (only_kind, "none"):
        raise HIT_KIND.under(OCCULT, hit_kind=do.hit_kind, only=only_kind)
    return do.hit_kind


def find_only_kind(draft: Draft, imitates: str) -> HitKind | None:
    """Return the only possible kind of hit for Occult in place of this Expertise, or None if any kind is possible."""
    if draft.dials.occult_attack_hits == "resolve" or imitates == "chill":
        return "spiritual"
    return "physical" if imitates == "burn" else None


def _make_blow(draft: Draft, do: Occult) -> damage.Blow:
    """Return the blow without its Effect, from the numbers given or the possessions of the caster and the target."""
    weapon, armour = damage.check_weapon(draft, do.weapon, do.armour)
    weapon = possessions.read_value(draft, do.actor, do.weapon_used, "weapon", weapon)
    armour = possessions.read_value(draft, do.target or do.actor, do.armour_worn, "armour", armour)
    damage.check_weapon(draft, weapon, armour)
    return damage.Blow(0, weapon, armour)


def _land_occult(draft: Draft, do: Occult, kind: HitKind, blow: damage.Blow) -> Asking[None]:
    """Land the Effect on all targets. Each of them may resist, and armour counts only for the first.

    All of them resist during the same hours.
    """
    minute_begun = draft.read_clock()
    for character_id in list_target_ids(do) or (None,):
        effect: int | None = blow.effect
        if character_id is not None and character_id != do.actor:
            named_target = character_id if character_id != do.target else None
            effect = yield from ask_to_resist(
                draft, character_id, blow.effect, "occult", minute_begun=minute_begun, named_target=named_target
            )
        draft.by(OCCULT, effect or 0, imitates=do.imitates, hit_kind=kind)
        if character_id is not None and kind == "physical" and effect is not None:
            is_further_target = character_id != do.target
            own_blow = replace(blow, effect=effect, armour=0 if is_further_target else blow.armour)
            yield from damage.land_physical_hit(draft, character_id, own_blow, is_one_of_several=is_further_target)
        elif character_id is not None and kind == "spiritual":
            infernal.land_spiritual_hit(draft, character_id, effect or 0)


PEACEFUL = list_expertise_but("occult", "chill", *PHYSICAL)


@offers
def offer_occult(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer Occult with numbers for weapon and armour. Possessions are not offered, because they do not change how much
    Infernal Resolve is lost.
    """
    sight = get_sight(seen, draft)
    for casters, casting_fields in list_castings(sight):
        for aim_fields in _list_aims(sight):
            worth_fields: Fields = {"weapon": sight.make_weapon_domain(), "armour": OPEN}
            yield Move(Occult, {"actor": casters, **ROLLED, **casting_fields, **worth_fields, **aim_fields})


def list_castings(sight: Sight) -> Iterator[tuple[Among, Fields]]:
    """Yield the characters who can pay for Occult and have the time, with the points they can pay and the Power options
    they can add.
    """
    casters = (
        character_id for character_id in sight.mine if may_use_occult(sight.draft, character_id, 1, "lie") is None
    )
    groups = group_ids(
        casters, lambda character_id: (sight.people[character_id].primary, sight.count_resolve(character_id))
    )
    for (primary, most_points), alike_casters in groups:
        own_fields: Fields = {"points": Between(1, most_points), "power": AUGMENTING[primary]}
        yield alike_casters, {**own_fields, "imitates": Among(UNPAID), **sight.make_since_field()}


def _list_aims(sight: Sight) -> Iterator[Fields]:
    """Yield the possible targets. An attack needs a living character; anything else can have any character, a thing, or
    no target.
    """
    for aim_fields in list_aims_at_nobody(sight):
        yield {**aim_fields, "hit_kind": Among((None, "none"))}
    if sight.alive:
        for (only_kind,), imitated_names in group_ids(UNPAID, lambda name: (find_only_kind(sight.draft, name),)):
            kind_domain: Domain = OPEN if only_kind is None else Among((None, only_kind, "none"))
            other_fields: Fields = {"others": Some(Among(sight.alive))}
            yield {
                **make_aim_at_somebody(sight.alive),
                **other_fields,
                "imitates": imitated_names,
                "hit_kind": kind_domain,
            }
    if gone_ids := tuple(character_id for character_id in sight.roster if character_id not in sight.alive):
        yield {**make_aim_at_somebody(gone_ids), "hit_kind": Among(("none",))}
        yield {**make_aim_at_somebody(gone_ids), "hit_kind": NONE, "imitates": Among(PEACEFUL)}
