"""Declaring actions: skills, tokens, time, split pools; and how many dice an action has.

Headings "Skills", "Extended Actions", "Dice Pools", "Splitting Dice Pools", "Movement".
"""

from __future__ import annotations

from typing import Any

from ledger.rules.kernel.contract import Table, Verdict
from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import facts, inputs, numbers, terms
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.ground import Ruling
from ledger.rules.moc.piles import effective
from ledger.rules.moc.sheet import SubPool
from ledger.rules.moc.state import Action, Part, Roll
from ledger.rules.moc.tables import Skill
from ledger.rules.moc.terms import KINDS, PRIMARIES

SWIFT_DICE = 2
#: in place of a part: the whole pool
WHOLE = -1


def declare(table: Table[Dials], do: inputs.DeclareAction) -> Verdict[Any]:
    ruling, id = Ruling(table), do.character
    ruling.who(id)
    ruling.place()
    if ruling.who(id).dazed:
        raise Refused("moc.combat.dazed", "next-action-lost", character=id)
    penalty = terms.whole(do.penalty, "negative-dice", "moc.split.divide")
    granted = terms.whole(do.extra_dice, "negative-dice", "moc.skill.gm-dice")
    gm = table.by.role == "gm"
    if granted and not gm:
        raise Refused("moc.skill.gm-dice", "gm-approval-needed", number=granted)
    _known(ruling, do, _whole(do))
    parts = tuple(_sub_pool(ruling, do, one) for one in do.parts) or (_part(ruling, do, _whole(do)),)
    dice = _time(ruling, do)
    action = Action(table.new_id(), id, do.text, bool(do.parts), 0, parts, dice)
    ruling.here(facts.ActionDeclared(action.id, action))
    ruling.by("moc.skill.target-number", [part.roll.tn for part in parts], skill=do.skill)
    ruling.interrupted(id, "an action")
    for token in do.tokens:
        activate(ruling, action.id, token.characteristic, token.primary, WHOLE, gm and token.characteristic in do.names)
    if granted:
        ruling.here(facts.GmDiceGranted(action.id, WHOLE, granted, do.reason))
        ruling.by("moc.skill.gm-dice", granted, reason=do.reason)
    if do.parts:
        _split(ruling, action.id, do, penalty)
    return ruling.verdict()


def _whole(do: inputs.DeclareAction) -> SubPool:
    return SubPool(0, do.text, do.skill, do.element, do.roll_kind, do.tn, do.required, do.defence, do.opposed)


def _sub_pool(ruling: Ruling, do: inputs.DeclareAction, one: SubPool) -> Part:
    dice = terms.whole(one.dice, "negative-dice", "moc.split.divide")
    if dice < 1:
        raise Refused("moc.split.divide", "sub-pool-without-dice", text=one.text)
    return _part(ruling, do, _inherited(do, one))


def _inherited(do: inputs.DeclareAction, one: SubPool) -> SubPool:
    """What a sub-pool leaves out is the whole action's."""
    kind = one.roll_kind if one.roll_kind is not None else do.roll_kind
    tn, required = (do.tn if one.tn is None else one.tn), (do.required if one.required is None else one.required)
    skill = one.skill if one.skill is not None or one.element is not None else do.skill
    return SubPool(one.dice, one.text, skill, one.element, kind, tn, required, one.defence, one.opposed or do.opposed)


def _part(ruling: Ruling, do: inputs.DeclareAction, one: SubPool) -> Part:
    """One roll: its Element, Primary, target number and what its skill says."""
    entry, required = _known(ruling, do, one)
    level = _level(ruling, do, one.skill)
    trained = level > 0 or one.skill is None
    tn = _base_tn(ruling, do, one)
    defence = one.defence or one.roll_kind == "dodge"
    opposed = one.opposed or one.roll_kind in ("opposed", "to_hit", "dodge")
    running = one.skill == "Running" or (one.skill is None and one.roll_kind == "movement")
    extra = SWIFT_DICE * ruling.who(do.character).counts.get("swiftness", 0) if running else 0
    roll = Roll(
        one.text, str(one.roll_kind), entry.element, entry.primary, tn + (0 if trained else entry.difficulty),
        required, one.skill or "", level, entry.difficulty, trained, opposed, defence,
    )  # fmt: skip
    return Part(roll, one.dice if do.parts else 0, extra)


def _known(ruling: Ruling, do: inputs.DeclareAction, one: SubPool) -> tuple[Skill, int]:
    """The skill's entry and the level required. Refuses `unknown-roll-kind`, `unknown-level`, and as `_entry`."""
    if one.roll_kind not in KINDS:
        raise Refused("moc.dice.successes", "unknown-roll-kind", roll_kind=one.roll_kind)
    return _entry(ruling, do, one), terms.level_of(one.required, "moc.level.required")


def _entry(ruling: Ruling, do: inputs.DeclareAction, one: SubPool) -> Skill:
    """A skill's entry, or what the game master names in its place."""
    rule = "moc.skill.entry"
    if one.skill is not None:
        found = ruling.campaign().skills.get(one.skill)
        if found is None:
            raise Refused(rule, "unknown-skill", skill=one.skill)
        return found
    element = one.element if one.element is not None else do.element
    primary = do.primary if do.primary is not None else "body"
    return Skill(
        terms.element(element if element is not None else "action", rule), terms.primary(primary, rule), (), 0
    )  # fmt: skip


def _level(ruling: Ruling, do: inputs.DeclareAction, skill: str | None) -> int:
    who = ruling.who(do.character)
    if do.martial_arts is not None:
        level = who.counts.get(f"martial-arts:{do.martial_arts}", 0)
        if level == 0:
            raise Refused("moc.char.cost", "unknown-purchase", martial_arts=do.martial_arts)
        return level
    return who.skills.get(skill, 0) if skill is not None else 0


def _base_tn(ruling: Ruling, do: inputs.DeclareAction, one: SubPool) -> int:
    """`moc.tn`. Refuses `tn-below-floor`, `unknown-ag`, `no-number-for-level`."""
    if one.roll_kind == "to_hit" and ruling.dials.to_hit_tn == "ag_table":
        score = do.ag if do.ag is not None or do.defender is None else ruling.who(do.defender).ratings.get("C", 1)
        found = ruling.campaign().ag.get(str(score))
        if found is None and score is not None:
            raise Refused("moc.combat.to-hit", "unknown-ag", ag=str(score))
        if found is not None:
            return found
    tn = one.tn
    if do.needed is not None:
        required = terms.level_of(one.required, "moc.level.required")
        tn = terms.whole(do.needed, "tn-below-floor", "moc.tn") - numbers.number_for(0, required)
    if type(tn) is not int or tn < ruling.dials.tn_floor:
        raise Refused("moc.tn", "tn-below-floor", tn=str(tn), floor=ruling.dials.tn_floor)
    return tn


def _time(ruling: Ruling, do: inputs.DeclareAction) -> int:
    """`moc.skill.extended`: bonus dice for time spent."""
    rule = "moc.skill.extended"
    if do.base_time is None and do.time is None:
        return 0
    base = terms.whole(do.base_time, "time-not-positive", rule, 1)
    dice = numbers.extended_dice(base, terms.whole(do.time, "time-not-positive", rule, 1))
    ruling.by(rule, dice, base=base, time=do.time)
    return dice


# --- pools ---


def activate(ruling: Ruling, action_id: str, named: str, pool: str | None, place: int, allowed: bool) -> None:
    """`moc.skill.tokens`. Refuses `characteristic-not-of-skill`, `already-activated`; then as the token is spent."""
    rule, action = "moc.skill.tokens", ruling.action(action_id)
    named = terms.characteristic(named, rule)
    if named in PRIMARIES or not (allowed or any(named in others_of(ruling, part) for part in action.parts)):
        raise Refused(rule, "characteristic-not-of-skill", characteristic=named)
    if named in action.activated:
        raise Refused(rule, "already-activated", characteristic=named)
    source = ruling.token_pool(named, pool)
    before = ruling.who(action.character).fatigue
    dice = ruling.spend_token(action.character, named, source)
    tired = ruling.who(action.character).fatigue - before
    ruling.here(facts.CharacteristicActivated(action_id, named, source, place, dice, tired))


def others_of(ruling: Ruling, part: Part) -> tuple[str, ...]:
    """Characteristics that may be added to this roll."""
    entry = ruling.campaign().skills.get(part.roll.skill)
    if entry is not None:
        return entry.others
    return {"movement": ("Sp",), "resisting": ("T",), "healing": ("L",)}.get(part.roll.kind, ())


def base_pool(ruling: Ruling, action: Action) -> int:
    """`moc.split.divide`: the dice to be divided: the first part's Primary, and what the whole action added."""
    return ruling.active(action.character, action.parts[0].roll.primary, rested=action.tired) + action.dice


def bead_dice(action: Action, place: int) -> int:
    """Dice that beads add to a part, as things stand."""
    return sum(play.dice for play in action.plays if play.part == place and effective(action.plays, play))


def pool_of(ruling: Ruling, action: Action, place: int) -> int:
    """`moc.skill.pool`: the dice of one roll."""
    part, beads = action.parts[place], bead_dice(action, place)
    pool = with_beads(ruling, action, place, beads)
    ruling.by(
        "moc.skill.pool", pool, part=place, skill=_own(ruling, action, part), beads=beads, trained=part.roll.trained
    )
    return pool


def _own(ruling: Ruling, action: Action, part: Part) -> int:
    """Dice of the skill."""
    return part.roll.level if not action.split or ruling.dials.split_skill_dice == "own_action" else 0


def with_beads(ruling: Ruling, action: Action, place: int, beads: int) -> int:
    """The dice of one roll, with so many of beads: who is untrained loses some of the sum, but for the last one."""
    part = action.parts[place]
    pool = (part.dice if action.split else base_pool(ruling, action)) + _own(ruling, action, part) + part.extra + beads
    return max(0, pool if part.roll.trained else max(1, pool - part.roll.difficulty))


def _split(ruling: Ruling, id: str, do: inputs.DeclareAction, extra: int) -> None:
    """`moc.split.divide`. Refuses `split-too-large`."""
    rule, action, dials = "moc.split.divide", ruling.action(id), ruling.dials
    counted = [part for part in action.parts if dials.split_penalty == "all_subpools" or not part.roll.defence]
    penalty = max(1, len(counted) - 1) + extra if len(action.parts) > 1 else 0
    pool = base_pool(ruling, action)
    if dials.split_skill_dice == "shared":
        pool += sum(part.roll.level for part in action.parts)
    shares = tuple(part.dice for part in action.parts)
    if sum(shares) > pool - penalty:
        raise Refused(rule, "split-too-large", available=pool - penalty, parts=list(shares))
    ruling.here(facts.PoolSplit(id, pool, penalty, shares))
    ruling.by(rule, pool - penalty, pool=pool, penalty=penalty, parts=list(shares))


def spend_token(table: Table[Dials], do: inputs.SpendToken) -> Verdict[Any]:
    ruling = Ruling(table)
    action = ruling.action(do.action)
    place, part = ruling.part(action, do.part)
    if part.rolled:
        raise Refused("moc.skill.tokens", "already-rolled", part=place)
    allowed = do.named and table.by.role == "gm"
    activate(ruling, action.id, do.characteristic, do.primary, place if action.split else WHOLE, allowed)
    return ruling.verdict()


def grant(table: Table[Dials], do: inputs.GrantDice) -> Verdict[Any]:
    """`moc.skill.gm-dice`."""
    ruling = Ruling(table)
    number = terms.whole(do.number, "negative-dice", "moc.skill.gm-dice")
    place = before_roll(ruling, do.action, do.part)
    if number == 0:
        raise Refused("moc.skill.gm-dice", "nothing-declared")
    ruling.here(facts.GmDiceGranted(do.action, place, number, do.reason))
    ruling.by("moc.skill.gm-dice", number, reason=do.reason)
    return ruling.verdict()


def before_roll(ruling: Ruling, action: str, part: Any) -> int:
    place, found = ruling.part(ruling.action(action), part)
    if found.rolled:
        raise Refused("moc.bead.use", "already-rolled", part=place)
    return place


def move(table: Table[Dials], do: inputs.Move) -> Verdict[Any]:
    """`moc.move.rate`: a move and nothing else."""
    rule, ruling = "moc.move.rate", Ruling(table)
    if ruling.who(do.character).dazed:
        raise Refused("moc.combat.dazed", "next-action-lost", character=do.character)
    metres = rates(ruling, do.character).get(do.mode)
    if metres is None:
        raise Refused(rule, "unknown-movement-mode", mode=do.mode)
    ruling.interrupted(do.character, "a move")
    ruling.about(do.character, facts.MovementMade(do.mode, metres))
    ruling.by(rule, metres, mode=do.mode)
    return ruling.verdict()


def rates(ruling: Ruling, id: str) -> dict[str, int]:
    """Metres a turn by mode; bought ones as agreed (a trait whose effect is the number of metres)."""
    who = ruling.who(id)
    body, speed = who.ratings.get("body", 1), who.ratings.get("Sp", 1)
    bought = {
        one.name: int(one.effect) for one in who.traits.values() if one.stage == "approved" and one.effect.isdecimal()
    }
    return {"primary": 2 * speed + body, "secondary": speed + body, **bought}
