"""The Opportunity and the Decision Phase: from declaring an Action to the basic MIBs. 3.5."""

from __future__ import annotations

from dataclasses import replace

from ledger.rules.kernel.questions import Asking
from ledger.rules.kernel.subjects import character
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.actions import check_all_out, check_instantaneous, expend, take_free
from ledger.rules.scattershot.agreement import agrees
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_deeds import (
    ActionDeclared,
    DecisionClosed,
    MibRolled,
    ModifierApplied,
    OpportunityClosed,
    PartDeclined,
    RollReplaced,
)
from ledger.rules.scattershot.facts_of_play import AbilityListed
from ledger.rules.scattershot.flurries import in_flurry
from ledger.rules.scattershot.foes import turn_to
from ledger.rules.scattershot.guards import check_whole, is_off_guard, no, rating_of
from ledger.rules.scattershot.handover import hand_over
from ledger.rules.scattershot.inputs_of_deeds import (
    ApplyModifier,
    CloseDecision,
    CloseOpportunity,
    DeclareAction,
    ReplaceRoll,
    RollMib,
)
from ledger.rules.scattershot.listings import default_granted, duration_granted
from ledger.rules.scattershot.melee import standing_of
from ledger.rules.scattershot.ratings import as_listed, modifiers_of, rating_for, rolled
from ledger.rules.scattershot.reckoning import basic, modified, opposers, resultant
from ledger.rules.scattershot.reporting import report_roll
from ledger.rules.scattershot.resources import charge, check_fight_left
from ledger.rules.scattershot.rolling import faces_of, two_d10
from ledger.rules.scattershot.sheet import Rated
from ledger.rules.scattershot.state import Character, Resolution
from ledger.rules.scattershot.tables import LAST_DITCH, LAST_DITCH_DODGE, statistic_name
from ledger.rules.scattershot.terms import ACTOR, Stance

# --- declaring -------------------------------------------------------------------------------------------------------


def declare(draft: Draft, do: DeclareAction) -> Asking[None]:
    """`resolve.declare`: it has begun; every Engaged Persona is to answer."""
    owner = draft.must_play(do.character, "resolve.declare")
    scene, who = draft.scene(), draft.who(do.character)
    affected = _affected(draft, do)
    for id in (do.character, *affected):
        draft.who(id)
        if not draft.is_open_character(id):
            raise no("resolve.declare", "not-in-this-scene", character=id)
    if scene.mode == "general":
        raise no("play.general", "no-mechanics-in-general-play")
    player = draft.player(do.player) if do.player is not None else owner
    do = replace(do, default=as_listed(draft, who, do.default))
    ability, rating = rating_for(draft, who, do.rating, do.default)
    named = modifiers_of(draft, who, do.modifiers, do.advantages, do.residuals)
    if rating_of(who, do.magnitude) is None:
        raise no("resolve.declare", "unknown-statistic", magnitude=do.magnitude)
    check_fight_left(draft, do.character, do.nature)
    engaged = _engaged(draft, do, affected)
    subject = affected[0] if do.subject is None and len(affected) == 1 else do.subject
    _check_looking(draft, do, who)
    id, (duration, opportunity) = draft.table.new_id(), _usual(draft, who, do)
    declared = ActionDeclared(
        id, do.character, player, do.text, subject, ability, rating, do.magnitude, do.duration or duration,
        do.nature, do.pays == "flurry", engaged, opportunity,
    )  # fmt: skip
    if draft.fights():
        pay(draft, do, who)
    charge(draft, do.character, rolled(do))
    draft.here(declared)
    draft.by("resolve.declare", rating, rating=ability)
    for amount, why in named:
        draft.here(ModifierApplied(id, ACTOR, amount, why))
    if do.pays == "free" and do.free == LAST_DITCH_DODGE and draft.fights():
        draft.here(ModifierApplied(id, ACTOR, LAST_DITCH, "last-ditch dodge"))
    if do.nature == "attack":
        aimed = (subject,) if subject in affected else ()
        turn_to(draft, do.character, *aimed, *affected)
    granted = yield from default_granted(draft, do.character, do.default, draft.table.by.role == "gm")
    if granted and do.duration is not None and do.duration != duration:
        granted = yield from duration_granted(draft, do.character, ability, do.duration)
    if granted:
        yield from _takes_the_part(draft, do.character, player)


def _takes_the_part(draft: Draft, id: str, player: str) -> Asking[None]:
    """`resolve.declare`: who is to play somebody else's Character is asked; a Gamemaster lends its own to whom it says.

    Declined, only that is told.
    """
    by, rule = draft.table.by, "resolve.declare"
    if by.role == "gm" or player == by.seat:
        return
    if not (
        yield from agrees(draft, player, rule, "part", f"To play {draft.table.name(character(id))} in this Action")
    ):
        draft.start_over()
        draft.here(PartDeclined(id, player))
        draft.by(rule, player, character=id)


def _usual(draft: Draft, who: Character, do: DeclareAction) -> tuple[str, str]:
    """Return the Duration and the Opportunity of the ability: as the Persona has it, or as a Default's is listed."""
    listed = draft.campaign().abilities.get(do.default.ability) if do.default is not None else None
    used: Rated | AbilityListed | None = listed if listed is not None else who.ratings.get(rolled(do))
    return (used.duration, used.opportunity) if used is not None else ("immediate", "")


def _affected(draft: Draft, do: DeclareAction) -> tuple[str, ...]:
    """Return the Personae the Action affects. `mech.engage`: an attack affects its subject too, if that is a Character.

    Refuses `nobody-engaged`: an attack that affects no Character.
    """
    if do.nature != "attack":
        return do.engages
    subject = do.subject
    aimed = subject is not None and subject != do.character and draft.table.has(character(subject))
    affected = tuple(dict.fromkeys((*do.engages, subject))) if aimed and subject is not None else do.engages
    if not affected:
        raise no("mech.engage", "nobody-engaged", character=do.character)
    draft.by("mech.engage", list(affected), character=do.character)
    return affected


def _engaged(draft: Draft, do: DeclareAction, affected: tuple[str, ...]) -> dict[str, Stance]:
    """Return how each affected Persona stands. `engage.off-guard`: one Off-Guard towards the Actor is not Engaged."""
    engaged: dict[str, Stance] = {}
    for id in affected:
        if id == do.character:
            raise no("engage.player", "not-in-this-scene", character=id)
        off_guard = is_off_guard(draft.who(id), do.character)
        engaged[id] = "off-guard" if off_guard else "asked"
        draft.by("engage.off-guard" if off_guard else "engage.player", engaged[id], character=id)
    return engaged


def _check_looking(draft: Draft, do: DeclareAction, who: Character) -> None:
    """`engage.off-guard`: no ordinary sensory roll towards whom one is Off-Guard against, named or only engaged."""
    if statistic_name(rolled(do)) != "observation":
        return
    for id in dict.fromkeys((*do.engages, *((do.subject,) if do.subject is not None else ()))):
        if is_off_guard(who, id) and not _noticed(draft, do.character, id):
            raise no("engage.off-guard", "off-guard", character=do.character, looked_at=id)


def _noticed(draft: Draft, id: str, actor: str) -> bool:
    """Whether a Reaction roll of the Persona succeeded against something the Actor does."""
    deeds_of = [one for one in draft.scene().resolutions.values() if one.actor == actor]
    return any(one.engaged.get(id) in ("obliged", "opposing") for one in deeds_of)


def pay(draft: Draft, do: DeclareAction, who: Character) -> None:
    """In Mechanical Play: Actions of one's Turn, a Free Action, or a step of a Flurry under way."""
    check_all_out(standing_of(draft, do.character), do.character, do.nature, do.pays)
    check_instantaneous(draft, do.character, rolled(do), do.pays)
    match do.pays:
        case "free":
            take_free(draft, do.character, do.free or LAST_DITCH_DODGE, do.nature)
        case "flurry":
            in_flurry(draft, do.character, do.nature)
        case "action":
            expend(draft, do.character, do.cost, do.text, do.nature)
        case _:
            raise no("mech.actions", "bad-number", pays=do.pays)


# --- the end of the Opportunity Phase --------------------------------------------------------------------------------


def apply_modifier(draft: Draft, do: ApplyModifier) -> None:
    one = draft.resolution(do.resolution)
    check_phase(one, "opportunity", "resolve.modifiers")
    amount = check_whole(do.amount, "resolve.modifiers")
    if do.side not in one.sides:
        raise no("resolve.modifiers", "no-such-roll", side=do.side)
    draft.here(ModifierApplied(do.resolution, do.side, amount, do.why))
    draft.by("resolve.modifiers", amount, side=do.side)


def situation(draft: Draft, id: str) -> int:
    """What everybody's rolls suffer by themselves: Combat Advantage held on them, reduced Resources."""
    held = []
    fight = draft.fight(id)
    if fight is not None and fight.melee:
        place = draft.place().id
        held = [draft.balance(accounts.advantage(place, foe, id)) for foe in fight.standing if foe != id]
    penalty = sum(held) if draft.dials.advantage_stacking == "sum" else max(held, default=0)
    reduced = draft.who(id).penalty
    if penalty:
        draft.by("advantage.penalty", -penalty, subject=id)
    if reduced:
        draft.by("result.deferred-penalty", -reduced, character=id)
    return -penalty - reduced


def close_opportunity(draft: Draft, do: CloseOpportunity) -> None:
    """`resolve.modifiers`: all summed and fixed. Refuses `resistor-has-not-answered`."""
    one = draft.resolution(do.resolution)
    check_phase(one, "opportunity")
    if any(stance in ("asked", "obliged") for stance in one.engaged.values()):
        raise no("engage.player", "resistor-has-not-answered", engaged=list(one.engaged))
    numbers: dict[str, int] = {}
    suffered: dict[str, int] = {}
    for name, side in one.sides.items():
        id = one.actor if name == ACTOR else name
        suffered[name] = situation(draft, id) if id is not None else 0
        numbers[name] = side.rating + side.modifier + suffered[name]
        draft.by("resolve.modifiers", numbers[name], side=name, rating=side.rating, modifiers=side.modifier)
    own = numbers.pop(ACTOR)
    felt = {name: amount for name, amount in suffered.items() if amount}
    draft.here(OpportunityClosed(do.resolution, own, numbers, felt))
    draft.by("resolve.phases", "decision")


# --- the Decision Phase ----------------------------------------------------------------------------------------------


def roll_mib(draft: Draft, do: RollMib) -> Asking[None]:
    """`mib.basic`: two d10, for the Actor or a Resistor who opposes."""
    one = draft.resolution(do.resolution)
    check_phase(one, "decision")
    id = _roller(draft, one, do.roll)
    if draft.scene().mode == "general":
        raise no("play.general", "no-mechanics-in-general-play")
    faces = faces_of(do.faces, 2, 10, "mib.basic", "bad-d10")
    if faces is None:
        faces = yield from two_d10(id, "mib", "MIB")
    draft.here(MibRolled(do.resolution, do.roll, faces))
    draft.by("mib.basic", modified(one, do.roll) - sum(faces), roll=do.roll)
    report_roll(draft, do.resolution, do.roll)


def _roller(draft: Draft, one: Resolution, name: str) -> str:
    """Whose roll it is. Refuses `no-such-roll`, `not-proprietor`; `wrong-phase` where it was rolled."""
    id = one.actor if name == ACTOR else name
    if id is None or name not in one.sides:
        raise no("mib.basic", "no-such-roll", roll=name)
    if draft.table.by.seat != one.sides[name].player:
        draft.must_play(id, "mib.basic")
    if one.sides[name].dice or one.sides[name].replaced:
        raise no("mib.basic", "wrong-phase", roll=name)
    return id


def replace_roll(draft: Draft, do: ReplaceRoll) -> None:
    """`mib.preempt`: dice in place of the roll, where the table plays so; not in Mechanical Play."""
    one = draft.resolution(do.resolution)
    check_phase(one, "decision")
    _roller(draft, one, do.roll)
    allowed = draft.dials.preempt == "replace" and draft.scene().mode != "mechanical"
    if not allowed or not one.sides[do.roll].dice_rolled:
        raise no("mib.preempt", "cannot-replace-the-roll", roll=do.roll)
    draft.here(RollReplaced(do.resolution, do.roll))
    draft.by("mib.preempt", one.sides[do.roll].experience, roll=do.roll)
    report_roll(draft, do.resolution, do.roll)


def close_decision(draft: Draft, do: CloseDecision) -> None:
    """`mib.close`: the basic MIBs; the dice on the table change hands."""
    one = draft.resolution(do.resolution)
    check_phase(one, "decision")
    mibs: dict[str, int] = {}
    for name, side in one.sides.items():
        if one.actor is not None and not side.dice and not side.replaced:
            raise no("mib.close", "dice-missing", roll=name)
        mibs[name] = basic(one, name)
        draft.by("mib.basic", mibs[name], side=name, experience=side.experience)
    rmib = {name: resultant(mibs[ACTOR], mibs[name]) for name in opposers(one)}
    for name, number in rmib.items():
        draft.by("contest.rmib", number, resistor=name)
    if len(rmib) > 1:
        draft.by("contest.many", len(rmib))
    draft.here(DecisionClosed(do.resolution, mibs, rmib))
    draft.by("mib.close", mibs[ACTOR])
    hand_over(draft, do.resolution)


def check_phase(one: Resolution, phase: str, rule: str = "resolve.phases") -> None:
    if one.phase != phase:
        raise no(rule, "wrong-phase", phase=one.phase)
