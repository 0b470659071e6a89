"""The Opportunity and the Decision Phase: from declaring an Action to the basic MIBs. 3.4, 3.5."""

from __future__ import annotations

from typing import Any

from ledger.rules.contract import Asking, character
from ledger.rules.dice import ask, roll
from ledger.rules.scattershot import accounts, deeds
from ledger.rules.scattershot import deedinputs as inputs
from ledger.rules.scattershot.deedinputs import Default, Modifier, Oppose, StayPassive
from ledger.rules.scattershot.experience import asked_face, checked_face, hand_over
from ledger.rules.scattershot.ground import Ruling, check_whole, is_off_guard, no, rating_of
from ledger.rules.scattershot.melee import check_all_out, expend, forfeit, standing_of, take_free
from ledger.rules.scattershot.reckoning import basic, modified, opposers, resultant
from ledger.rules.scattershot.rolling import faces_of
from ledger.rules.scattershot.state import Character, Resolution
from ledger.rules.scattershot.tables import (
    LAST_DITCH,
    LAST_DITCH_DODGE,
    MOST_FORFEITS,
    OFF_GUARD,
    SCOPES,
    difficulty_base,
)
from ledger.rules.scattershot.terms import ACTOR, Payment, Stance

# --- Ratings and Defaults --------------------------------------------------------------------------------------------


def rating_for(ruling: Ruling, who: Character, name: str, default: Default | None) -> tuple[str, int]:
    """The ability and the number rolled against. Refuses `unknown-statistic`, and what `default.barred` refuses."""
    if default is not None:
        return default.ability, defaulted(ruling, who, default)
    number = rating_of(who, name)
    if number is None:
        raise no("resolve.declare", "unknown-statistic", rating=name)
    return name, number


def defaulted(ruling: Ruling, who: Character, default: Default) -> int:
    """3.4: a related Rating with its modifier and another Scope's penalty, or the difficulty's base, or the better."""
    if any(one.bars == default.ability for one in (*who.advantages, *who.disadvantages)):
        raise no("default.barred", "default-barred", ability=default.ability)
    if default.special and not default.allowed and not ruling.dials.default_special_abilities:
        raise no("default.barred", "no-default-for-special-ability", ability=default.ability)
    base = difficulty_base(default.difficulty) if default.difficulty is not None else None
    if default.difficulty is not None and base is None:
        raise no("default.untrained", "unknown-difficulty", difficulty=default.difficulty)
    related = _related(ruling, who, default) if default.related is not None else None
    if related is None and base is None:
        raise no("default.untrained", "unknown-difficulty", difficulty=None)
    if related is not None and (base is None or ruling.dials.default_choice == "related-only" or related >= base):
        ruling.by("default.related", related, ability=default.ability, related=default.related)
        return related
    assert base is not None
    ruling.by("default.untrained", base, ability=default.ability, difficulty=default.difficulty)
    return base


def _related(ruling: Ruling, who: Character, default: Default) -> int:
    name = default.related or ""
    number = rating_of(who, name)
    if number is None:
        raise no("default.related", "unknown-statistic", rating=name)
    modifier = check_whole(default.modifier, "default.related")
    listed = who.ratings.get(name)
    own = default.related_scope or (listed.scope if listed is not None else "individual")
    apart = abs(scope_level(default.scope) - scope_level(own))
    penalty = apart if ruling.dials.default_scope_penalty == "per-level" else min(apart, 1)
    if penalty:
        ruling.by("default.scope", -penalty, scope=default.scope, own=own)
    return number + modifier - penalty


def scope_level(name: str) -> int:
    """Refuses `bad-number` for what is no Scope."""
    level = SCOPES.get(name.strip().lower())
    if level is None:
        raise no("mech.scope", "bad-number", scope=name)
    return level


def modifiers_of(
    ruling: Ruling, who: Character, modifiers: tuple[Modifier, ...], advantages: tuple[str, ...],
    residuals: tuple[str, ...],
) -> list[tuple[int, str]]:  # fmt: skip
    """Every modifier that was named: situations, Advantages and Disadvantages, Residuals. Refuses `bad-number`."""
    named = [(check_whole(one.amount, "resolve.modifiers"), one.why) for one in modifiers]
    for name in advantages:
        held = [one for one in (*who.advantages, *who.disadvantages) if one.name == name]
        if not held:
            raise no("rating.advantage", "no-such-expectation", advantage=name)
        named.append((int(held[0].modifier), name))
    for name in residuals:
        placed = [one for one in who.residuals if name in (one.residual, one.scope)]
        if not placed:
            raise no("resolve.modifiers", "bad-number", residual=name)
        named.append((placed[0].amount, placed[0].scope))
    return named


# --- declaring -------------------------------------------------------------------------------------------------------


def declare(ruling: Ruling, do: inputs.DeclareAction) -> None:
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
    engaged = _engaged(ruling, do)
    subject = do.engages[0] if do.subject is None and len(do.engages) == 1 else do.subject
    _check_looking(ruling, do, who, ability)
    id = ruling.table.new_id()
    declared = deeds.ActionDeclared(
        id, do.character, player, do.text, subject, ability, rating, do.magnitude, do.duration, do.nature,
        do.pays == "flurry", engaged,
    )  # fmt: skip
    if ruling.fight() is not None:
        pay(ruling, do, who)
    ruling.here(declared)
    ruling.by("resolve.declare", rating, rating=ability)
    for amount, why in named:
        ruling.here(deeds.ModifierApplied(id, ACTOR, amount, why))
    if do.pays == "free" and do.free == LAST_DITCH_DODGE and ruling.fight() is not None:
        ruling.here(deeds.ModifierApplied(id, ACTOR, LAST_DITCH, "last-ditch dodge"))


def _engaged(ruling: Ruling, do: inputs.DeclareAction) -> dict[str, Stance]:
    """The Personae the Action affects; `engage.off-guard`: who is Off-Guard towards the Actor is not Engaged yet."""
    engaged: dict[str, Stance] = {}
    for id in do.engages:
        if id == do.character:
            raise no("engage.player", "not-in-this-scene", character=id)
        off_guard = is_off_guard(ruling.who(id), do.character)
        engaged[id] = "off-guard" if off_guard else "asked"
        ruling.by("engage.off-guard" if off_guard else "engage.player", engaged[id], character=id)
    return engaged


def _check_looking(ruling: Ruling, do: inputs.DeclareAction, who: Character, ability: str) -> None:
    """`engage.off-guard`: no ordinary sensory roll towards what one is Off-Guard against."""
    if ability.lower() != "observation" or do.subject is None or not is_off_guard(who, do.subject):
        return
    for one in ruling.scene().resolutions.values():
        if one.actor == do.subject and one.engaged.get(do.character) in ("obliged", "opposing"):
            return
    raise no("engage.off-guard", "off-guard", character=do.character)


def pay(ruling: Ruling, do: inputs.DeclareAction, who: Character) -> None:
    """In Mechanical Play: Actions of one's Turn, a Free Action, or a step of a Flurry under way."""
    check_all_out(standing_of(ruling, do.character), do.character, do.nature)
    match do.pays:
        case "free":
            take_free(ruling, do.character, do.free or LAST_DITCH_DODGE)
        case "flurry":
            in_flurry(ruling, do.character)
        case "action":
            expend(ruling, do.character, do.cost, do.text, do.nature)
        case _:
            raise no("mech.actions", "bad-number", pays=do.pays)


def in_flurry(ruling: Ruling, id: str) -> None:
    """Refuses `flurry-ended` to who is in none that goes on."""
    if not _flows(ruling, id):
        raise no("mech.flurry", "flurry-ended", character=id)


def _flows(ruling: Ruling, id: str) -> bool:
    """Whether the Persona is in a Flurry under way."""
    fight = ruling.fight()
    flurry = fight.flurry if fight is not None else None
    return flurry is not None and flurry.flows and id in (flurry.persona, flurry.foe)


# --- engaging --------------------------------------------------------------------------------------------------------


def answer(ruling: Ruling, do: inputs.AnswerEngagement) -> Asking[None]:
    """`engage.player`: that Persona's Player answers, and pays for it in Mechanical Play."""
    one = ruling.resolution(do.resolution)
    _in_phase(one, "opportunity")
    ruling.who(do.character)
    stance = one.engaged.get(do.character)
    if stance is None:
        raise no("mech.forfeit", "not-engaged-on-anothers-turn", character=do.character)
    if stance in ("opposing", "passive"):
        missed = (
            stance == "passive" and do.oppose is not None and is_off_guard(ruling.who(do.character), one.actor or "")
        )
        rule, code = ("engage.off-guard", "off-guard") if missed else ("resolve.phases", "wrong-phase")
        raise no(rule, code, character=do.character)
    owner = ruling.owner(do.character)
    said: Oppose | StayPassive | None = do.oppose if do.oppose is not None else StayPassive() if do.passive else None
    if said is not None:
        ruling.must_play(do.character, "engage.player")
    elif stance == "off-guard":
        said = StayPassive()
    else:
        said = yield from ask(owner, Oppose, StayPassive, purpose="How do you respond?")
    if isinstance(said, StayPassive):
        if stance == "obliged" and _can_pay(ruling, do.character):
            raise no("engage.off-guard", "resistor-has-not-answered", character=do.character)
        answered = deeds.ResistorAnswered(
            do.resolution, do.character, False, owner, "", "", 0, "other", "none"
        )  # fmt: skip
        ruling.here(answered)
        ruling.by("engage.player", "passive", character=do.character)
        return
    if stance == "off-guard":
        raise no("engage.off-guard", "off-guard", character=do.character)
    _oppose(ruling, do, said, owner)


def _oppose(ruling: Ruling, do: inputs.AnswerEngagement, said: Oppose, owner: str) -> None:
    who, id = ruling.who(do.character), do.character
    ability, rating = rating_for(ruling, who, said.rating, said.default)
    named = modifiers_of(ruling, who, said.modifiers, said.advantages, said.residuals)
    paid: Payment = "none"
    fight = ruling.fight()
    if fight is not None:
        standing = fight.standing.get(id)
        if standing is None:
            raise no("mech.scope", "not-in-this-scene", character=id)
        check_all_out(standing, id, said.nature)
        paid = _pay_for_opposing(ruling, do, said)
    answered = deeds.ResistorAnswered(
        do.resolution, id, True, owner, said.text, ability, rating, said.nature, paid
    )  # fmt: skip
    ruling.here(answered)
    ruling.by("engage.player", rating, character=id, rating=ability)
    ruling.by("contest.simultaneous", id)
    ruling.by("proprietor.persona", owner, character=id)
    if paid == "free" and said.free == LAST_DITCH_DODGE:
        named.append((LAST_DITCH, "last-ditch dodge"))
    for amount, why in named:
        ruling.here(deeds.ModifierApplied(do.resolution, id, amount, why))


def _pay_for_opposing(ruling: Ruling, do: inputs.AnswerEngagement, said: Oppose) -> Payment:
    match said.pays:
        case "free":
            take_free(ruling, do.character, said.free)
            return "free"
        case "flurry":
            in_flurry(ruling, do.character)
            return "flurry"
        case "forfeit":
            _check_reactive(ruling, do.character, said.rating)
            forfeit(ruling, do.character, do.resolution)
            return "forfeit"
        case _:
            raise no("mech.forfeit", "bad-number", pays=said.pays)


def _check_reactive(ruling: Ruling, id: str, name: str) -> None:
    """`mech.instantaneous`: a Rating listed as Instantaneous is for one's own Turn, or a Flurry."""
    listed = ruling.who(id).ratings.get(name)
    if listed is not None and listed.use == "instantaneous":
        raise no("mech.instantaneous", "not-your-turn", rating=name)
    ruling.by("mech.instantaneous", True, rating=name)


def _can_pay(ruling: Ruling, id: str) -> bool:
    """Whether it has anything left to pay a Reactive Action with; outside Mechanical Play it costs nothing."""
    fight = ruling.fight()
    if fight is None:
        return True
    standing = fight.standing.get(id)
    if standing is None:
        return False
    dodge = len(standing.free) < ruling.dials.epic_index and (
        ruling.dials.cinematic or LAST_DITCH_DODGE not in standing.free
    )
    anothers = fight.turn is not None and fight.turn != id
    return standing.all_out != "attack" and (
        _flows(ruling, id) or dodge or (anothers and standing.forfeited < MOST_FORFEITS)
    )


def react(ruling: Ruling, do: inputs.ReactOffGuard) -> Asking[None]:
    """`engage.off-guard`: Reaction + modifiers - 2 - 2d10 + Experience Dice, 0 or more."""
    rule = "engage.off-guard"
    one = ruling.resolution(do.resolution)
    _in_phase(one, "opportunity")
    owner = ruling.must_play(do.character, rule)
    if one.engaged.get(do.character) != "off-guard":
        raise no(rule, "wrong-phase", character=do.character)
    if ruling.scene().mode == "general":
        raise no("play.general", "no-mechanics-in-general-play")
    who = ruling.who(do.character)
    modifiers = sum(check_whole(given.amount, "resolve.modifiers") for given in do.modifiers)
    signs, typed = [given.sign for given in do.experience], [checked_face(given.face) for given in do.experience]
    if any(type(sign) is not int or sign not in (1, -1) for sign in signs):
        raise no(rule, "bad-number", signs=str(signs))
    if do.experience:
        _check_own_dice(ruling, owner, len(do.experience))
    faces = faces_of(do.faces, 2, 10, rule, "bad-d10")
    if faces is None:
        faces = yield from two_d10(do.character, "a Reaction roll")
    shown = []
    for face in typed:
        shown.append(face if face is not None else (yield from asked_face(owner)))  # noqa: PERF401
    experience = tuple(sign * face for sign, face in zip(signs, shown, strict=True))
    rating = rating_of(who, "reaction") or 0
    automatic = situation(ruling, do.character)
    mib = rating + modifiers + automatic + OFF_GUARD - sum(faces) + sum(experience)
    reacted = deeds.OffGuardReactionRolled(do.resolution, do.character, faces, experience, mib, mib >= 0)
    spent = accounts.gained(accounts.spent(owner, do.resolution), len(experience))
    ruling.here(reacted, _reaction_dice(ruling, owner, signs), spent)
    ruling.by(rule, mib, reaction=rating, modifiers=modifiers + automatic, dice=list(faces))


def _check_own_dice(ruling: Ruling, player: str, n: int) -> None:
    """`xd.contribute`: n dice of one's own purse, or (where the table plays so) of the Gamemaster's stock."""
    rule = "xd.contribute"
    ruling.check_no_solo(rule)
    ruling.player(player)
    if not ruling.is_gm(player):
        if ruling.balance(accounts.purse(player)) < n:
            raise no(rule, "not-enough-dice", has=ruling.balance(accounts.purse(player)))
    elif ruling.dials.gm_dice == "stock":
        ruling.check_stock(n, rule)
    else:
        raise no(rule, "gm-holds-no-dice")


def _reaction_dice(ruling: Ruling, owner: str, signs: list[Any]) -> Any:
    """Dice added to one's own unopposed roll go against nobody; subtracted, they come back."""
    kept = ruling.dials.self_against == "returns" and ruling.dials.unopposed_dice == "only-when-nobody"
    gone = sum(1 for sign in signs if sign > 0 or not kept)
    return accounts.moved(ruling.purse_of(owner), accounts.STOCK, gone)


def two_d10(id: str | None, purpose: str) -> Asking[tuple[int, ...]]:
    who, code = character(id) if id is not None else None, "bad-d10"
    faces = yield from roll(who, 2, 10, purpose=purpose, rule="scattershot.mib.basic", count_code=code, face_code=code)
    return faces


# --- the end of the Opportunity Phase --------------------------------------------------------------------------------


def apply_modifier(ruling: Ruling, do: inputs.ApplyModifier) -> None:
    one = ruling.resolution(do.resolution)
    _in_phase(one, "opportunity", "resolve.modifiers")
    amount = check_whole(do.amount, "resolve.modifiers")
    if do.side not in one.sides:
        raise no("resolve.modifiers", "no-such-roll", side=do.side)
    ruling.here(deeds.ModifierApplied(do.resolution, do.side, amount, do.why))
    ruling.by("resolve.modifiers", amount, side=do.side)


def situation(ruling: Ruling, id: str) -> int:
    """What everybody's rolls suffer by themselves: Combat Advantage held on them, reduced Resources."""
    held = []
    fight = ruling.fight()
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


def close_opportunity(ruling: Ruling, do: inputs.CloseOpportunity) -> None:
    """`resolve.modifiers`: all summed and fixed. Refuses `resistor-has-not-answered`."""
    one = ruling.resolution(do.resolution)
    _in_phase(one, "opportunity")
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
    ruling.here(deeds.OpportunityClosed(do.resolution, own, numbers, felt))
    ruling.by("resolve.phases", "decision")


# --- the Decision Phase ----------------------------------------------------------------------------------------------


def roll_mib(ruling: Ruling, do: inputs.RollMib) -> Asking[None]:
    """`mib.basic`: two d10, for the Actor or a Resistor who opposes."""
    one = ruling.resolution(do.resolution)
    _in_phase(one, "decision")
    id = _roller(ruling, one, do.roll)
    if ruling.scene().mode == "general":
        raise no("play.general", "no-mechanics-in-general-play")
    faces = faces_of(do.faces, 2, 10, "mib.basic", "bad-d10")
    if faces is None:
        faces = yield from two_d10(id, "MIB")
    ruling.here(deeds.MibRolled(do.resolution, do.roll, faces))
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


def replace_roll(ruling: Ruling, do: inputs.ReplaceRoll) -> None:
    """`mib.preempt`: dice in place of the roll, where the table plays so; not in Mechanical Play."""
    one = ruling.resolution(do.resolution)
    _in_phase(one, "decision")
    _roller(ruling, one, do.roll)
    allowed = ruling.dials.preempt == "replace" and ruling.scene().mode != "mechanical"
    if not allowed or not one.sides[do.roll].dice_rolled:
        raise no("mib.preempt", "cannot-replace-the-roll", roll=do.roll)
    ruling.here(deeds.RollReplaced(do.resolution, do.roll))
    ruling.by("mib.preempt", one.sides[do.roll].experience, roll=do.roll)


def close_decision(ruling: Ruling, do: inputs.CloseDecision) -> None:
    """`mib.close`: the basic MIBs; the dice on the table change hands."""
    one = ruling.resolution(do.resolution)
    _in_phase(one, "decision")
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
    ruling.here(deeds.DecisionClosed(do.resolution, mibs, rmib))
    ruling.by("mib.close", mibs[ACTOR])
    hand_over(ruling, do.resolution)


def _in_phase(one: Resolution, phase: str, rule: str = "resolve.phases") -> None:
    if one.phase != phase:
        raise no(rule, "wrong-phase", phase=one.phase)
