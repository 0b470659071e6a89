"""Declaring actions: skills, tokens, time, split pools; and how many dice an action has.

Headings "Skills", "Extended Actions", "Dice Pools", "Splitting Dice Pools", "Movement".
"""

from __future__ import annotations

from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc import facts_of_bodies, facts_of_scenes, inputs, inputs_of_actions, numbers, terms, tokens, turns
from ledger.rules.moc.domains import MOST
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.piles import effective
from ledger.rules.moc.purchases import bits_of, key_of, modes_bought
from ledger.rules.moc.sheet import SubPool
from ledger.rules.moc.state_of_actions import Action, Part, Roll
from ledger.rules.moc.tables import Skill
from ledger.rules.moc.terms import KINDS, PRIMARIES, Number

SWIFT_DICE = 2
#: in place of a part: the whole pool
WHOLE = -1


def declare(draft: Draft, do: inputs_of_actions.DeclareAction) -> None:
    id = do.character
    draft.who(id)
    draft.place()
    if draft.who(id).dazed:
        raise Refused("moc.combat.dazed", "next-action-lost", character=id)
    penalty = terms.whole(do.penalty, "negative-dice", "moc.split.divide")
    granted = terms.whole(do.extra_dice, "negative-dice", "moc.skill.gm-dice")
    gm = draft.table.by.role == "gm"
    if granted and not gm:
        raise Refused("moc.skill.gm-dice", "gm-approval-needed", number=granted)
    metres_of(draft, id, do.mode)
    if do.defender is not None:
        draft.who(do.defender)
    _known(draft, do, _whole(do))
    parts = tuple(_sub_pool(draft, do, one) for one in do.parts) or (_part(draft, do, _whole(do)),)
    dice = _time(draft, do)
    _takes_action(draft, do, parts)
    action = Action(draft.table.new_id(), id, do.text, bool(do.parts), 0, parts, dice)
    draft.here(facts_of_scenes.ActionDeclared(action.id, action))
    if do.martial_arts is not None and any(_in_area(draft, do.martial_arts, part.roll) for part in parts):
        draft.here(facts_of_scenes.MartialArtNamed(action.id, do.martial_arts))
        draft.by("moc.adv.martial-arts", draft.who(id).counts[key_of("martial-arts", do.martial_arts)])
    draft.by("moc.skill.target-number", [part.roll.tn for part in parts], skill=do.skill)
    for token in do.tokens:
        activate(draft, action.id, token.characteristic, token.primary, WHOLE, gm and token.characteristic in do.names)
    if granted:
        draft.here(facts_of_scenes.GmDiceGranted(action.id, WHOLE, granted, do.reason))
        draft.by("moc.skill.gm-dice", granted, reason=do.reason)
    if do.parts:
        _split(draft, action.id, do, penalty)


def _takes_action(draft: Draft, do: inputs_of_actions.DeclareAction, parts: tuple[Part, ...]) -> None:
    """What it takes of the turn's action. A mere defence takes nothing, but breaks a recovery off."""
    if not do.parts and parts[0].roll.defence:
        draft.interrupted(do.character, "a dodge")
        return
    turns.begin(draft, do.character, turns.HALF if do.half and not do.parts else turns.FULL, "an action")


def _whole(do: inputs_of_actions.DeclareAction) -> SubPool:
    return SubPool(0, do.text, do.skill, do.element, do.roll_kind, do.tn, do.required, do.defence, do.opposed)


def _sub_pool(draft: Draft, do: inputs_of_actions.DeclareAction, one: SubPool) -> Part:
    dice = terms.whole(one.dice, "negative-dice", "moc.split.divide")
    if dice < 1:
        raise Refused("moc.split.divide", "sub-pool-without-dice", text=one.text)
    return _part(draft, do, _inherited(do, one), dice)


def _inherited(do: inputs_of_actions.DeclareAction, one: SubPool) -> SubPool:
    """What a sub-pool leaves out is the whole action's."""
    kind = one.roll_kind if one.roll_kind is not None else do.roll_kind
    tn, required = (do.tn if one.tn is None else one.tn), (do.required if one.required is None else one.required)
    skill = one.skill if one.skill is not None or one.element is not None else do.skill
    return SubPool(one.dice, one.text, skill, one.element, kind, tn, required, one.defence, one.opposed or do.opposed)


def _part(draft: Draft, do: inputs_of_actions.DeclareAction, one: SubPool, dice: int = 0) -> Part:
    """One roll: its Element, Primary, target number and what its skill says. `dice`: its share of a split pool."""
    entry, required = _known(draft, do, one)
    level = _level(draft, do, one)
    trained = level > 0 or one.skill is None or bool(bits_of(draft.who(do.character).counts).get(one.skill))
    tn = _base_tn(draft, do, one)
    defence = one.defence or one.roll_kind == "dodge"
    opposed = one.opposed or one.roll_kind in ("opposed", "to_hit", "dodge")
    running = one.skill == "Running" or (one.skill is None and one.roll_kind == "movement")
    extra = SWIFT_DICE * draft.who(do.character).counts.get("swiftness", 0) if running else 0
    pools = one.skill or "", "dodge" if defence else str(one.roll_kind)
    extra += draft.own_dice(do.character, *pools)
    tn += 0 if trained else entry.difficulty
    if shift := draft.own_shift(do.character, *pools):
        tn = max(draft.dials.tn_floor, tn + shift)
    roll = Roll(
        one.text, str(one.roll_kind), entry.element, entry.primary, tn,
        required, one.skill or "", level, entry.difficulty, trained, opposed, defence, do.mode,
    )  # fmt: skip
    return Part(roll, dice, extra)


def _known(draft: Draft, do: inputs_of_actions.DeclareAction, one: SubPool) -> tuple[Skill, int]:
    """The skill's entry and the level required. Refuses `unknown-roll-kind`, `unknown-level`, and as `_entry`."""
    if one.roll_kind not in KINDS:
        raise Refused("moc.dice.successes", "unknown-roll-kind", roll_kind=one.roll_kind)
    return _entry(draft, do, one), terms.level_of(one.required, "moc.level.required")


def _entry(draft: Draft, do: inputs_of_actions.DeclareAction, one: SubPool) -> Skill:
    """A skill's entry, or what the game master names in its place."""
    rule = "moc.skill.entry"
    if one.skill is not None:
        found = draft.campaign().skills.get(one.skill)
        if found is None:
            raise Refused(rule, "unknown-skill", skill=one.skill)
        return found
    element = one.element if one.element is not None else do.element
    primary = do.primary if do.primary is not None else "body"
    return Skill(
        terms.element(element if element is not None else "action", rule), terms.primary(primary, rule), (), 0
    )  # fmt: skip


def _level(draft: Draft, do: inputs_of_actions.DeclareAction, one: SubPool) -> int:
    """Of the skill; when attacking, of the Martial Arts named. Refuses `unknown-purchase`."""
    who = draft.who(do.character)
    level = who.skills.get(one.skill, 0) if one.skill is not None else 0
    if do.martial_arts is None:
        return level
    art = who.counts.get(key_of("martial-arts", do.martial_arts), 0)
    if art == 0:
        raise Refused("moc.char.cost", "unknown-purchase", martial_arts=do.martial_arts)
    return art if one.roll_kind == "to_hit" and one.skill in _skills_of(draft, do.martial_arts, one.skill) else level


def _skills_of(draft: Draft, area: str, skill: str | None) -> tuple[str | None, ...]:
    """The skills an area of Martial Arts is for: one with the name of a skill is for that one, others for any."""
    return (area,) if area in draft.campaign().skills else (skill,)


def _in_area(draft: Draft, area: str, roll: Roll) -> bool:
    return roll.kind == "to_hit" and (roll.skill or None) in _skills_of(draft, area, roll.skill or None)


def check_martial_art(draft: Draft, action: Action, place: int, area: str) -> None:
    """`moc.adv.martial-arts`: on an attack made in that area. Refuses `not-an-attack`, `wrong-skill`."""
    rule, roll = "moc.adv.martial-arts", action.parts[place].roll
    if roll.kind != "to_hit":
        raise Refused(rule, "not-an-attack", action=action.id, part=place)
    if draft.scene().arts.get(action.id) != area or not _in_area(draft, area, roll):
        raise Refused(rule, "wrong-skill", skills=[area])


def _base_tn(draft: Draft, do: inputs_of_actions.DeclareAction, one: SubPool) -> int:
    """`moc.tn`. Refuses `tn-below-floor`, `unknown-ag`, `no-number-for-level`."""
    if one.roll_kind == "to_hit" and draft.dials.to_hit_tn == "ag_table":
        score = do.ag if do.ag is not None or do.defender is None else draft.who(do.defender).ratings.get("C", 1)
        found = draft.campaign().ag.get(str(score))
        if found is None and score is not None:
            raise Refused("moc.combat.to-hit", "unknown-ag", ag=str(score))
        if found is not None:
            return found
    tn = one.tn
    if do.needed is not None:
        required = terms.level_of(one.required, "moc.level.required")
        tn = terms.whole(do.needed, "tn-below-floor", "moc.tn") - numbers.number_for(0, required)
    if type(tn) is not int or tn < draft.dials.tn_floor:
        raise Refused("moc.tn", "tn-below-floor", tn=str(tn), floor=draft.dials.tn_floor)
    return tn


def _time(draft: Draft, do: inputs_of_actions.DeclareAction) -> int:
    """`moc.skill.extended`: bonus dice for time spent."""
    rule = "moc.skill.extended"
    if do.base_time is None and do.time is None:
        return 0
    base = terms.whole(do.base_time, "time-not-positive", rule, 1)
    dice = numbers.extended_dice(base, terms.whole(do.time, "time-not-positive", rule, 1))
    draft.by(rule, dice, base=base, time=do.time)
    return dice


# --- pools ---


def activate(draft: Draft, action_id: str, named: str, pool: str | None, place: int, allowed: bool) -> None:
    """`moc.skill.tokens`. Refuses `characteristic-not-of-skill`, `already-activated`; then as the token is spent."""
    rule, action = "moc.skill.tokens", draft.action(action_id)
    named = terms.characteristic(named, rule)
    if named in PRIMARIES or not (allowed or any(named in others_of(draft, part) for part in action.parts)):
        raise Refused(rule, "characteristic-not-of-skill", characteristic=named)
    if named in action.activated:
        raise Refused(rule, "already-activated", characteristic=named)
    source = tokens.token_pool(named, pool)
    before = draft.who(action.character).fatigue
    dice = tokens.spend_token(draft, action.character, named, source)
    tired = draft.who(action.character).fatigue - before
    draft.here(facts_of_scenes.CharacteristicActivated(action_id, named, source, place, dice, tired))


def others_of(draft: Draft, part: Part) -> tuple[str, ...]:
    """Characteristics that may be added to this roll."""
    entry = draft.campaign().skills.get(part.roll.skill)
    if entry is not None:
        return entry.others
    return {"movement": ("Sp",), "resisting": ("T",), "healing": ("L",)}.get(part.roll.kind, ())


def base_pool(draft: Draft, action: Action) -> int:
    """`moc.split.divide`: the dice to be divided: the first part's Primary, and what the whole action added."""
    return draft.active(action.character, action.parts[0].roll.primary, rested=action.tired) + action.dice


def bead_dice(action: Action, place: int) -> int:
    """Dice that beads add to a part, as things stand."""
    return sum(play.dice for play in action.plays if play.part == place and effective(action.plays, play))


def pool_of(draft: Draft, action: Action, place: int) -> int:
    """`moc.skill.pool`: the dice of one roll."""
    part, beads = action.parts[place], bead_dice(action, place)
    pool = with_beads(draft, action, place, beads)
    if part.roll.defence and draft.who(action.character).half_defence:
        draft.by("moc.level.meaning", pool, part=place, half_defence=True)
    draft.by(
        "moc.skill.pool", pool, part=place, skill=_own(draft, action, part), beads=beads, trained=part.roll.trained
    )
    return pool


def _own(draft: Draft, action: Action, part: Part) -> int:
    """Dice of the skill."""
    return part.roll.level if not action.split or draft.dials.split_skill_dice == "own_action" else 0


def with_beads(draft: Draft, action: Action, place: int, beads: int) -> int:
    """The dice of one roll, with so many of beads: who is untrained loses some of the sum, but for the last one."""
    part = action.parts[place]
    pool = (part.dice if action.split else base_pool(draft, action)) + _own(draft, action, part) + part.extra + beads
    whole = max(0, pool if part.roll.trained else max(1, pool - part.roll.difficulty))
    return whole // 2 if part.roll.defence and draft.who(action.character).half_defence else whole


def _split(draft: Draft, id: str, do: inputs_of_actions.DeclareAction, extra: int) -> None:
    """`moc.split.divide`. Refuses `split-too-large`."""
    rule, action, dials = "moc.split.divide", draft.action(id), draft.dials
    counted = [part for part in action.parts if dials.split_penalty == "all_subpools" or not part.roll.defence]
    penalty = max(1, len(counted) - 1) + extra if len(action.parts) > 1 else 0
    pool = base_pool(draft, action)
    if dials.split_skill_dice == "shared":
        pool += sum(part.roll.level for part in action.parts)
    shares = tuple(part.dice for part in action.parts)
    if sum(shares) > pool - penalty:
        raise Refused(rule, "split-too-large", available=pool - penalty, parts=list(shares))
    draft.here(facts_of_scenes.PoolSplit(id, pool, penalty, shares))
    draft.by(rule, pool - penalty, pool=pool, penalty=penalty, parts=list(shares))


def spend_token(draft: Draft, do: inputs_of_actions.SpendToken) -> None:
    action = draft.action(do.action)
    place, part = draft.part(action, do.part)
    if part.rolled:
        raise Refused("moc.skill.tokens", "already-rolled", part=place)
    allowed = do.named and draft.table.by.role == "gm"
    activate(draft, action.id, do.characteristic, do.primary, place if action.split else WHOLE, allowed)


def grant(draft: Draft, do: inputs_of_actions.GrantDice) -> None:
    """`moc.skill.gm-dice`: more dice, or fewer."""
    number = terms.whole(do.number, "negative-dice", "moc.skill.gm-dice", -MOST)
    place = before_roll(draft, do.action, do.part)
    if number == 0:
        raise Refused("moc.skill.gm-dice", "nothing-declared")
    draft.here(facts_of_scenes.GmDiceGranted(do.action, place, number, do.reason))
    draft.by("moc.skill.gm-dice", number, reason=do.reason)


def before_roll(draft: Draft, action: str, part: Number) -> int:
    place, found = draft.part(draft.action(action), part)
    if found.rolled:
        raise Refused("moc.bead.use", "already-rolled", part=place)
    return place


def move(draft: Draft, do: inputs.Move) -> None:
    """`moc.move.rate`: a move and nothing else."""
    rule = "moc.move.rate"
    if draft.who(do.character).dazed:
        raise Refused("moc.combat.dazed", "next-action-lost", character=do.character)
    metres = metres_of(draft, do.character, do.mode)
    turns.begin(draft, do.character, turns.FULL, "a move")
    draft.about(do.character, facts_of_bodies.MovementMade(do.mode, metres))
    draft.by(rule, metres, mode=do.mode)


def rates(draft: Draft, id: str) -> dict[str, int]:
    """`moc.move.rate`: metres a turn by mode, with those bought."""
    who = draft.who(id)
    body, speed = who.ratings.get("body", 1), who.ratings.get("Sp", 1)
    return {"primary": 2 * speed + body, "secondary": speed + body, **modes_bought(who.counts)}


def metres_of(draft: Draft, id: str, mode: str) -> int:
    """Refuses `unknown-movement-mode`."""
    metres = rates(draft, id).get(mode)
    if metres is None:
        raise Refused("moc.move.rate", "unknown-movement-mode", character=id, mode=mode)
    return metres
