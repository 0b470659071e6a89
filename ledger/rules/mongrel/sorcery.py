"""Sorcery: Burn and Chill, Occult in place of any other Expertise, and what Know reveals.

Heading: Sorcery Expertise and spiritual damage.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated

from ledger.rules.kernel.chapters import Refusal, SharedRefusal, changes, decides, declares, fact, offers, require, rule
from ledger.rules.kernel.declarations import GM, either
from ledger.rules.kernel.domains import Between, CharacterId, Reason, Ref, Says, Story, Title
from ledger.rules.kernel.moves import OPEN, Among, Domain, Move, Some
from ledger.rules.kernel.phrases import Names
from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.refusals import RuleId, must_say
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import character
from ledger.rules.mongrel.acting import check_alive, conflict_of, may_roll, may_stand
from ledger.rules.mongrel.clock import find_beginning
from ledger.rules.mongrel.damage import Blow, check_weapon, physical_hit
from ledger.rules.mongrel.death import NO_RESOLVE
from ledger.rules.mongrel.draft import Draft
from ledger.rules.mongrel.expertise_and_powers import EXPERTISE_UNKNOWN
from ledger.rules.mongrel.infernal_resolve import HIT_FACTS, SPENT_FACTS, check_zero, spend, spiritual_hit
from ledger.rules.mongrel.possessions import BAD_TARGET, value_of
from ledger.rules.mongrel.proposals import PROPOSED, with_numbers
from ledger.rules.mongrel.resisting import RESIST, RESIST_FACTS, RitualTimed, resisted, take_time
from ledger.rules.mongrel.sayings import add_difficulty, say
from ledger.rules.mongrel.sessions import tell_used
from ledger.rules.mongrel.sight import (
    AUGMENTING,
    LATEST,
    NONE,
    ROLLED,
    UNPAID,
    Fields,
    Sight,
    at_nobody,
    at_somebody,
    expertise_but,
    grouped,
    look,
)
from ledger.rules.mongrel.state import Character, once_created
from ledger.rules.mongrel.tables import GOVERNED_BY, PHYSICAL
from ledger.rules.mongrel.tasks import (
    OCCULT_NEEDS_RESOLVE,
    TASK_FACTS,
    TargetsAdded,
    TaskDeclared,
    TaskResolved,
    check_task,
    check_typed,
    declare_task,
    faces_of,
    resolve,
)
from ledger.rules.mongrel.terms import (
    ArmourValue,
    AttributeName,
    Difficulty,
    DifficultyReason,
    ExpertiseName,
    Faces,
    HitKind,
    HitName,
    Number,
    PowerOptions,
    ResolvePoints,
    SideName,
    Since,
    TakenOff,
    TakenOffReason,
    TaskNumber,
    ThingScore,
    WeaponBonus,
    is_hit_kind,
    is_whole,
    once,
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
    "That kind of hit does not fit this Expertise: {hit_kind}[. Choose {only} or none].",
)
HIT_KIND_UNKNOWN = SharedRefusal(
    "hit-kind-unknown",
    "A hit must be physical, spiritual or none, not {hit_kind}.",
)
TOO_SLOW = SharedRefusal(
    "too-slow",
    "[Occult takes hours, and {actor} is in a conflict][{expertise} takes hours and cannot be used in a conflict].",
)


def say_occult(word: Occult, names: Names) -> str:
    """Sorcery in place of something else."""
    phrase = (
        "{actor} uses Occult instead of {imitates}[ on {target}][, and on {others},] for {points:point|points} of"
        f" Infernal Resolve{add_difficulty(word)}[: {{purpose}}]."
    )
    return say(phrase, word, names)


@declares(
    "occult",
    either("actor"),
    says=say_occult,
    records=once(*PROPOSED, *SPENT_FACTS, RitualTimed, TargetsAdded, *RESIST_FACTS, *TASK_FACTS, *HIT_FACTS),
)
class Occult:
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

    actor: CharacterId
    points: ResolvePoints
    imitates: Annotated[ExpertiseName, Says("Expertise imitated")]
    side: SideName
    attribute: AttributeName
    power: PowerOptions = ()
    target: CharacterId | None = None
    thing: Title = ""
    score: ThingScore | None = None
    difficulty: Difficulty = 0
    reason: DifficultyReason = ""
    taken_off: TakenOff = 0
    taken_off_reason: TakenOffReason = ""
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
@with_numbers
def occult(draft: Draft, do: Occult) -> Asking[None]:
    """Any other Expertise, slowly: an hour for each die, paid in Infernal Resolve before the roll."""
    points = check_sorcery(draft, do.actor, do.points, do.imitates)
    kind = _check_kind(draft, do)
    task = check_task(draft, do)
    typed = check_typed(do.faces, task.pool.dice)
    blow = _make_blow(draft, do)
    begun = find_beginning(draft, do.since)
    pay_resolve(draft, do.actor, points)
    if draft.who(do.actor).dead:
        return
    take_time(draft, task.pool, OCCULT, begun)
    declare_task(draft, do, task)
    faces = yield from faces_of(draft, task.pool, typed)
    result = resolve(draft, task, faces, extra=points - 1, why=do.taken_off_reason)
    if result.success:
        yield from _land_occult(draft, do, kind, replace(blow, effect=result.effect))
    tell_used(draft)


#: The rule of each Expertise of sorcery.
SORCERY: Mapping[str, RuleId] = {"burn": BURN, "chill": CHILL, "occult": OCCULT, "resist": RESIST}


def check_sorcery(draft: Draft, id: str, points: Number, imitates: str) -> int:
    """The points.

    Refuses `collapsed`, `too-slow`, `occult-needs-resolve`, `no-resolve`, `expertise-unknown`, `imitates-itself`.
    """
    check_alive(draft, id)
    require(may_roll(draft, id))
    require(may_stand(draft, id))
    if conflict_of(draft, id) is not None:
        raise TOO_SLOW.under(OCCULT, actor=id)
    if not is_whole(points) or points < 1:
        raise OCCULT_NEEDS_RESOLVE(points=repr(points))
    if points > draft.resolve(id):
        raise NO_RESOLVE.under(OCCULT, character=id, points=points, resolve=draft.resolve(id))
    if imitates not in GOVERNED_BY:
        raise EXPERTISE_UNKNOWN.under(OCCULT, expertise=imitates)
    if imitates == "occult":
        raise IMITATES_ITSELF(expertise=imitates)
    return points


def pay_resolve(draft: Draft, id: str, points: int) -> None:
    """Before the roll, and lost on failure."""
    spend(draft, id, points, "occult")
    check_zero(draft, id, own=True)


def _check_kind(draft: Draft, do: Occult) -> HitKind:
    """Refuses `hit-kind-unknown`, `hit-kind`, and for an attack a target that is nobody or dead."""
    kind = _occult_kind(draft, do)
    if kind != "none" and do.target is None:
        raise BAD_TARGET.under(OCCULT, target=None)
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
        raise HIT_KIND_UNKNOWN.under(OCCULT, hit_kind=do.hit_kind)
    imitated: HitKind = "spiritual" if do.imitates == "chill" else "physical" if do.imitates in PHYSICAL else "none"
    only = attacks_only(draft, do.imitates)
    if not is_hit_kind(do.hit_kind):
        return "none" if do.target is None or imitated == "none" else only or imitated
    if only is not None and do.hit_kind not in (only, "none"):
        raise HIT_KIND.under(OCCULT, hit_kind=do.hit_kind, only=only)
    return do.hit_kind


def attacks_only(draft: Draft, imitates: str) -> HitKind | None:
    """The only kind of hit that an Occult attack in place of this Expertise can be; None where it can be any."""
    if draft.dials.occult_attack_hits == "resolve" or imitates == "chill":
        return "spiritual"
    return "physical" if imitates == "burn" else None


def _make_blow(draft: Draft, do: Occult) -> Blow:
    """Without its Effect. Of numbers, or of possessions of the caster and the target."""
    weapon, armour = check_weapon(draft, do.weapon, do.armour)
    weapon = value_of(draft, do.actor, do.weapon_used, "weapon", weapon)
    armour = value_of(draft, do.target or do.actor, do.armour_worn, "armour", armour)
    check_weapon(draft, weapon, armour)
    return Blow(0, weapon, armour)


def _land_occult(draft: Draft, do: Occult, kind: HitKind, blow: Blow) -> Asking[None]:
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


PEACEFUL = expertise_but("occult", "chill", *PHYSICAL)


@offers
def offer_occult(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Weapon and armour are numbers: no possession changes what Infernal Resolve loses."""
    sight = look(seen, draft)
    for casters, paid in list_means(sight):
        for aim in _list_aims(sight):
            numbers: Fields = {"weapon": sight.weapon(), "armour": OPEN}
            yield Move(Occult, {"actor": casters, **ROLLED, **paid, **numbers, **aim})


def list_means(sight: Sight) -> Iterator[tuple[Among, Fields]]:
    """Who can pay for Occult and has the time, with how much, and with what augments it."""
    casters = (id for id in sight.mine if sight.rolls(id) and sight.stands(id) and sight.resolve(id) > 0)
    for (primary, most), alike in grouped(casters, lambda id: (sight.people[id].primary, sight.resolve(id))):
        yield (
            alike,
            {"points": Between(1, most), "power": AUGMENTING[primary], "imitates": Among(UNPAID), **sight.since()},
        )


def _list_aims(sight: Sight) -> Iterator[Fields]:
    """An attack needs somebody alive; whatever else it stands for can be at anybody, at a thing, or at nothing."""
    for aim in at_nobody(sight):
        yield {**aim, "hit_kind": Among((None, "none"))}
    if sight.alive:
        for only, names in grouped(UNPAID, lambda name: (attacks_only(sight.draft, name),)):
            kinds: Domain = OPEN if only == (None,) else Among((None, *only, "none"))
            others: Fields = {"others": Some(Among(sight.alive))}
            yield {**at_somebody(sight.alive), **others, "imitates": names, "hit_kind": kinds}
    if gone := tuple(id for id in sight.roster if id not in sight.alive):
        yield {**at_somebody(gone), "hit_kind": Among(("none",))}
        yield {**at_somebody(gone), "hit_kind": NONE, "imitates": Among(PEACEFUL)}


# --- Know ------------------------------------------------------------------------------------------------------------

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


@fact("revealed", says="{character} learns: {text}.")
class Revealed:
    """A character learns something from a game master. `ruling`: the task that revealed it."""

    character: CharacterId
    text: Story
    ruling: TaskNumber | None


@changes
@once_created
def note_revealed(state: Character, fact: Revealed) -> Character:
    return state


@declares("reveal", GM, says="{character} learns: {text}.", records=(Revealed,))
class Reveal:
    """Record what a character learned, for example with Know. `ruling`: the roll that revealed it."""

    character: CharacterId
    text: Annotated[Story, Says("Discovery", "What the character learns.")]
    ruling: TaskNumber | None = None


@decides
def reveal(draft: Draft, do: Reveal) -> None:
    """`mongrel.sorcery.know`: the answer is the game master's. Refuses `text-blank`."""
    draft.who(do.character)
    must_say(KNOW, text=do.text)
    draft.about(do.character, Revealed(do.character, do.text, do.ruling))
    draft.by(KNOW, do.text, ruling=do.ruling)


@offers
def offer_to_reveal(seen: Seen, draft: Draft) -> Iterator[Move]:
    sight = look(seen, draft)
    for latest, rollers in grouped(sight.roster, lambda id: list_tasks_of(sight, id)):
        yield Move(Reveal, {"character": rollers, "ruling": Among((None, *latest))})


def list_tasks_of(sight: Sight, id: str) -> tuple[str, ...]:
    """The latest tasks that the character rolled: each its number."""
    rolled = sight.seen.citable(character(id)).items()
    numbers = [number for number, facts in rolled if {TaskDeclared, TaskResolved} <= {type(fact) for fact in facts}]
    return tuple(str(number) for number in sorted(numbers)[-LATEST:])
