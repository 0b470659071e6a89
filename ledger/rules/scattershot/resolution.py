"""The Opportunity and the Decision Phase: from declaring an Action to the basic MIBs. 3.5."""

from __future__ import annotations

from ledger.rules.kernel.questions import Asking
from ledger.rules.scattershot import accounts
from ledger.rules.scattershot.agreement import agrees
from ledger.rules.scattershot.facts_of_deeds import (
    ActionDeclared,
    DecisionClosed,
    MibRolled,
    ModifierApplied,
    OpportunityClosed,
    PartDeclined,
    RollReplaced,
)
from ledger.rules.scattershot.flurries import in_flurry
from ledger.rules.scattershot.foes import turn_to
from ledger.rules.scattershot.ground import Ruling, check_whole, is_off_guard, no, rating_of
from ledger.rules.scattershot.handover import hand_over
from ledger.rules.scattershot.inputs_of_deeds import (
    ApplyModifier,
    CloseDecision,
    CloseOpportunity,
    DeclareAction,
    ReplaceRoll,
    RollMib,
)
from ledger.rules.scattershot.listings import default_granted
from ledger.rules.scattershot.melee import check_all_out, check_instantaneous, expend, standing_of, take_free
from ledger.rules.scattershot.ratings import modifiers_of, rating_for, rolled
from ledger.rules.scattershot.reckoning import basic, modified, opposers, resultant
from ledger.rules.scattershot.resources import charge, check_fight_left
from ledger.rules.scattershot.rolling import faces_of, two_d10
from ledger.rules.scattershot.sheet import Rated
from ledger.rules.scattershot.state import Character, Resolution
from ledger.rules.scattershot.tables import LAST_DITCH, LAST_DITCH_DODGE, statistic_name
from ledger.rules.scattershot.terms import ACTOR, Stance

# --- declaring -------------------------------------------------------------------------------------------------------


def declare(ruling: Ruling, do: DeclareAction) -> Asking[None]:
    """`resolve.declare`: it has begun; every Engaged Persona is to answer."""
    owner = ruling.must_play(do.character, "resolve.declare")
    scene, who = ruling.scene(), ruling.who(do.character)
    for id in (do.character, *do.engages):
        ruling.who(id)
        if not ruling.is_open_character(id):
            raise no("resolve.declare", "not-in-this-scene", character=id)
    if scene.mode == "general":
        raise no("play.general", "no-mechanics-in-general-play")
    player = ruling.player(do.player) if do.player is not None else owner
    ability, rating = rating_for(ruling, who, do.rating, do.default)
    named = modifiers_of(ruling, who, do.modifiers, do.advantages, do.residuals)
    if rating_of(who, do.magnitude) is None:
        raise no("resolve.declare", "unknown-statistic", magnitude=do.magnitude)
    check_fight_left(ruling, do.character, do.nature)
    engaged = _engaged(ruling, do)
    subject = do.engages[0] if do.subject is None and len(do.engages) == 1 else do.subject
    _check_looking(ruling, do, who)
    id, used = ruling.table.new_id(), who.ratings.get(rolled(do))
    declared = ActionDeclared(
        id, do.character, player, do.text, subject, ability, rating, do.magnitude, _duration(do, used), do.nature,
        do.pays == "flurry", engaged, used.opportunity if used is not None else "",
    )  # fmt: skip
    if ruling.fights():
        pay(ruling, do, who)
    charge(ruling, do.character, rolled(do))
    ruling.here(declared)
    ruling.by("resolve.declare", rating, rating=ability)
    for amount, why in named:
        ruling.here(ModifierApplied(id, ACTOR, amount, why))
    if do.pays == "free" and do.free == LAST_DITCH_DODGE and ruling.fights():
        ruling.here(ModifierApplied(id, ACTOR, LAST_DITCH, "last-ditch dodge"))
    if do.nature == "attack":
        aimed = (subject,) if subject in do.engages else ()
        turn_to(ruling, do.character, *aimed, *do.engages)
    granted = yield from default_granted(ruling, do.character, do.default, ruling.table.by.role == "gm")
    if granted:
        yield from _takes_the_part(ruling, do.character, player)


def _takes_the_part(ruling: Ruling, id: str, player: str) -> Asking[None]:
    """`resolve.declare`: who is to play somebody else's Character is asked; a Gamemaster lends its own to whom it says.

    Declined, only that is told.
    """
    by, rule = ruling.table.by, "resolve.declare"
    if by.role == "gm" or player == by.seat:
        return
    if not (yield from agrees(ruling, player, rule, "part", "To play this Character in this Action")):
        ruling.start_over()
        ruling.here(PartDeclined(id, player))
        ruling.by(rule, player, character=id)


def _duration(do: DeclareAction, used: Rated | None) -> str:
    """As it was said, or as the ability is listed."""
    if do.duration is not None:
        return do.duration
    return used.duration if used is not None else "immediate"


def _engaged(ruling: Ruling, do: DeclareAction) -> dict[str, Stance]:
    """The Personae the Action affects; `engage.off-guard`: who is Off-Guard towards the Actor is not Engaged yet."""
    engaged: dict[str, Stance] = {}
    for id in do.engages:
        if id == do.character:
            raise no("engage.player", "not-in-this-scene", character=id)
        off_guard = is_off_guard(ruling.who(id), do.character)
        engaged[id] = "off-guard" if off_guard else "asked"
        ruling.by("engage.off-guard" if off_guard else "engage.player", engaged[id], character=id)
    return engaged


def _check_looking(ruling: Ruling, do: DeclareAction, who: Character) -> None:
    """`engage.off-guard`: no ordinary sensory roll towards whom one is Off-Guard against, named or only engaged."""
    if statistic_name(rolled(do)) != "observation":
        return
    for id in dict.fromkeys((*do.engages, *((do.subject,) if do.subject is not None else ()))):
        if is_off_guard(who, id) and not _noticed(ruling, do.character, id):
            raise no("engage.off-guard", "off-guard", character=do.character, looked_at=id)


def _noticed(ruling: Ruling, id: str, actor: str) -> bool:
    """Whether a Reaction roll of the Persona succeeded against something the Actor does."""
    deeds_of = [one for one in ruling.scene().resolutions.values() if one.actor == actor]
    return any(one.engaged.get(id) in ("obliged", "opposing") for one in deeds_of)


def pay(ruling: Ruling, do: DeclareAction, who: Character) -> None:
    """In Mechanical Play: Actions of one's Turn, a Free Action, or a step of a Flurry under way."""
    check_all_out(standing_of(ruling, do.character), do.character, do.nature, do.pays)
    check_instantaneous(ruling, do.character, rolled(do), do.pays)
    match do.pays:
        case "free":
            take_free(ruling, do.character, do.free or LAST_DITCH_DODGE, do.nature)
        case "flurry":
            in_flurry(ruling, do.character, do.nature)
        case "action":
            expend(ruling, do.character, do.cost, do.text, do.nature)
        case _:
            raise no("mech.actions", "bad-number", pays=do.pays)


# --- the end of the Opportunity Phase --------------------------------------------------------------------------------


def apply_modifier(ruling: Ruling, do: ApplyModifier) -> None:
    one = ruling.resolution(do.resolution)
    check_phase(one, "opportunity", "resolve.modifiers")
    amount = check_whole(do.amount, "resolve.modifiers")
    if do.side not in one.sides:
        raise no("resolve.modifiers", "no-such-roll", side=do.side)
    ruling.here(ModifierApplied(do.resolution, do.side, amount, do.why))
    ruling.by("resolve.modifiers", amount, side=do.side)


def situation(ruling: Ruling, id: str) -> int:
    """What everybody's rolls suffer by themselves: Combat Advantage held on them, reduced Resources."""
    held = []
    fight = ruling.fight(id)
    if fight is not None and fight.melee:
        place = ruling.place().id
        held = [ruling.balance(accounts.advantage(place, foe, id)) for foe in fight.standing if foe != id]
    penalty = sum(held) if ruling.dials.advantage_stacking == "sum" else max(held, default=0)
    reduced = ruling.who(id).penalty
    if penalty:
        ruling.by("advantage.penalty", -penalty, subject=id)
    if reduced:
        ruling.by("result.deferred-penalty", -reduced, character=id)
    return -penalty - reduced


def close_opportunity(ruling: Ruling, do: CloseOpportunity) -> None:
    """`resolve.modifiers`: all summed and fixed. Refuses `resistor-has-not-answered`."""
    one = ruling.resolution(do.resolution)
    check_phase(one, "opportunity")
    if any(stance in ("asked", "obliged") for stance in one.engaged.values()):
        raise no("engage.player", "resistor-has-not-answered", engaged=list(one.engaged))
    numbers: dict[str, int] = {}
    suffered: dict[str, int] = {}
    for name, side in one.sides.items():
        id = one.actor if name == ACTOR else name
        suffered[name] = situation(ruling, id) if id is not None else 0
        numbers[name] = side.rating + side.modifier + suffered[name]
        ruling.by("resolve.modifiers", numbers[name], side=name, rating=side.rating, modifiers=side.modifier)
    own = numbers.pop(ACTOR)
    felt = {name: amount for name, amount in suffered.items() if amount}
    ruling.here(OpportunityClosed(do.resolution, own, numbers, felt))
    ruling.by("resolve.phases", "decision")


# --- the Decision Phase ----------------------------------------------------------------------------------------------


def roll_mib(ruling: Ruling, do: RollMib) -> Asking[None]:
    """`mib.basic`: two d10, for the Actor or a Resistor who opposes."""
    one = ruling.resolution(do.resolution)
    check_phase(one, "decision")
    id = _roller(ruling, one, do.roll)
    if ruling.scene().mode == "general":
        raise no("play.general", "no-mechanics-in-general-play")
    faces = faces_of(do.faces, 2, 10, "mib.basic", "bad-d10")
    if faces is None:
        faces = yield from two_d10(id, "mib", "MIB")
    ruling.here(MibRolled(do.resolution, do.roll, faces))
    ruling.by("mib.basic", modified(one, do.roll) - sum(faces), roll=do.roll)


def _roller(ruling: Ruling, one: Resolution, name: str) -> str:
    """Whose roll it is. Refuses `no-such-roll`, `not-proprietor`; `wrong-phase` where it was rolled."""
    id = one.actor if name == ACTOR else name
    if id is None or name not in one.sides:
        raise no("mib.basic", "no-such-roll", roll=name)
    if ruling.table.by.seat != one.sides[name].player:
        ruling.must_play(id, "mib.basic")
    if one.sides[name].dice or one.sides[name].replaced:
        raise no("mib.basic", "wrong-phase", roll=name)
    return id


def replace_roll(ruling: Ruling, do: ReplaceRoll) -> None:
    """`mib.preempt`: dice in place of the roll, where the table plays so; not in Mechanical Play."""
    one = ruling.resolution(do.resolution)
    check_phase(one, "decision")
    _roller(ruling, one, do.roll)
    allowed = ruling.dials.preempt == "replace" and ruling.scene().mode != "mechanical"
    if not allowed or not one.sides[do.roll].dice_rolled:
        raise no("mib.preempt", "cannot-replace-the-roll", roll=do.roll)
    ruling.here(RollReplaced(do.resolution, do.roll))
    ruling.by("mib.preempt", one.sides[do.roll].experience, roll=do.roll)


def close_decision(ruling: Ruling, do: CloseDecision) -> None:
    """`mib.close`: the basic MIBs; the dice on the table change hands."""
    one = ruling.resolution(do.resolution)
    check_phase(one, "decision")
    mibs: dict[str, int] = {}
    for name, side in one.sides.items():
        if one.actor is not None and not side.dice and not side.replaced:
            raise no("mib.close", "dice-missing", roll=name)
        mibs[name] = basic(one, name)
        ruling.by("mib.basic", mibs[name], side=name, experience=side.experience)
    rmib = {name: resultant(mibs[ACTOR], mibs[name]) for name in opposers(one)}
    for name, number in rmib.items():
        ruling.by("contest.rmib", number, resistor=name)
    if len(rmib) > 1:
        ruling.by("contest.many", len(rmib))
    ruling.here(DecisionClosed(do.resolution, mibs, rmib))
    ruling.by("mib.close", mibs[ACTOR])
    hand_over(ruling, do.resolution)


def check_phase(one: Resolution, phase: str, rule: str = "resolve.phases") -> None:
    if one.phase != phase:
        raise no(rule, "wrong-phase", phase=one.phase)
