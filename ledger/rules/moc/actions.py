"""Declaring an action (headings "Skills", "Levels of success", "To Hit")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from ledger.rules.kernel.kit import (
    Among,
    Between,
    CharacterId,
    Move,
    Names,
    Reason,
    Refusal,
    Says,
    Seen,
    Some,
    Story,
    changes,
    decides,
    declares,
    either,
    fact,
    offers,
    require,
    rule,
)
from ledger.rules.moc import buying, holdings, own_dice, piles, pools, turns
from ledger.rules.moc.dice import DICE_SUCCESSES, LEVEL_REQUIRED, TARGET_NUMBER, find_number_needed
from ledger.rules.moc.draft import SPLIT_DIVIDE, Draft, acts
from ledger.rules.moc.shown import LEFT_OUT, TOLD_LEVELS, Fields, Offering, fix, group_ids, look
from ledger.rules.moc.stacks import PoolSplit, SubPool, divide_pool, list_splits
from ledger.rules.moc.state import Action, Part, Roll, Scene
from ledger.rules.moc.types import (
    ActionId,
    AgScore,
    CharacteristicName,
    Dice,
    ElementName,
    Level,
    MartialArt,
    MovementMode,
    NumberNeeded,
    PrimaryName,
    RollKind,
    Skill,
    SkillName,
    TimeSpent,
    Tn,
    WeaponName,
)
from ledger.rules.moc.words import (
    CHARACTERISTICS,
    ELEMENTS,
    GM_APPROVAL_NEEDED,
    KINDS,
    NEGATIVE_DICE,
    PRIMARIES,
    TN_BELOW_FLOOR,
    UNKNOWN_PURCHASE,
    UNKNOWN_SKILL,
    read_element,
    read_level,
    read_primary,
    read_whole,
    say_level,
    say_who,
    say_with,
    say_word,
)

SUB_POOL_WITHOUT_DICE = Refusal(
    SPLIT_DIVIDE, "sub-pool-without-dice", "Each part of a split needs at least one die[: {text} has none]."
)
UNKNOWN_ROLL_KIND = Refusal(DICE_SUCCESSES, "unknown-roll-kind", "{roll_kind} is not a kind of roll.")


def say_target_numbers(given: Mapping[str, Any]) -> str:
    """Return the target number of an action, or of each part of a split pool."""
    parts = given["out"]
    return "Target numbers (TN) of the parts: {out}." if len(parts) > 1 else "Target number (TN): {out}."


SKILL_ENTRY = rule(
    "moc.skill.entry",
    "A skill has an Element (never Storytelling), a difficulty from 0 to 2, a Primary Characteristic (Body, Mind"
    " or Spirit; “Primary” for short), and one or more characteristics that belong to that Primary.",
    "Skills",
)
SKILL_TARGET_NUMBER = rule(
    "moc.skill.target-number",
    "If the character is untrained, the skill's difficulty is added to the target number.",
    "Skill Thresholds",
    step=say_target_numbers,
)
TO_HIT = rule("moc.combat.to-hit", "An attack hits if at least one success is left after the defence.", "To Hit")
UNKNOWN_AG = Refusal(TO_HIT, "unknown-ag", "The table of AG scores has no target number for {ag}.")


@dataclass(frozen=True, slots=True)
class Token:
    """A token spent for a characteristic. `primary`: the Primary that gives the token, if several are possible."""

    characteristic: CharacteristicName
    primary: Annotated[
        PrimaryName | None, Says("Pool", "The Primary that gives the token, if several are possible.")
    ] = None


def say_action(fact: ActionDeclared, names: Names) -> str:
    """Return the declared action in words, with its target number and the level required."""
    what = fact.what
    who_ = say_who(names, what.character)
    if what.split:
        parts = (
            f"{part.roll.text or _say_label(part.roll)} against TN {part.roll.tn}{_say_required(part.roll)}"
            for part in what.parts
        )
        return say_with(f"{who_} splits a dice pool", "; ".join([*([what.text] if what.text else []), *parts]))
    roll = what.parts[0].roll
    trying = f"{who_} {_say_tries(roll.kind, roll.skill, roll.primary)}"
    untrained = "" if roll.trained else ", untrained"
    return say_with(f"{trying}{untrained}, against TN {roll.tn}{_say_required(roll)}", what.text)


def _say_tries(kind: object, skill: str, primary: str) -> str:
    with_ = skill or say_word(primary)
    match kind:
        case "to_hit":
            return f"attacks with {with_}"
        case "dodge":
            return "dodges" if with_ == "Dodge" else f"dodges with {with_}"
        case "movement":
            return f"makes a move with {with_}"
        case "extended":
            return f"takes time to use {with_}"
        case "opposed":
            return f"uses {with_} in an opposed action"
        case _:
            return f"uses {with_}" if skill else f"tries something with {with_}"


def _say_required(roll: Roll) -> str:
    """Return the level required, or nothing for the usual Near Success."""
    if roll.required == 1:
        return ""
    if roll.required > 1:
        return f" (needs {say_level(roll.required)})"
    return " (anything but a Spectacular Failure is enough)" if roll.required == 0 else " (any level is enough)"


def _say_label(roll: Roll) -> str:
    return {"to_hit": "an attack", "dodge": "a dodge", "movement": "a move"}.get(
        roll.kind, roll.skill or say_word(roll.primary)
    )


@fact("action-declared", version=3, says=say_action, headline=8)
class ActionDeclared:
    """An action was declared. `action`: its id. `what`: everything that was declared."""

    action: ActionId
    what: Action


@changes
def add_action(state: Scene, fact: ActionDeclared) -> Scene | None:
    return piles.put_action(state, fact.what)


def say_trying(fact: DeclareAction, names: Names) -> str:
    """Return what a character sets out to do."""
    who_ = say_who(names, fact.character)
    if fact.parts:
        return say_with(f"{who_} splits a dice pool", fact.text)
    trying = f"{who_} {_say_tries(fact.roll_kind, fact.martial_arts or fact.skill or '', fact.primary or 'body')}"
    return say_with(trying, fact.text)


@acts("character")
@declares(
    "declare-action",
    either("character"),
    says=say_trying,
    records=(
        ActionDeclared,
        own_dice.MartialArtNamed,
        PoolSplit,
        pools.TokenSpent,
        pools.FatigueGained,
        pools.CharacteristicActivated,
        pools.GmDiceGranted,
        turns.ActionTaken,
        turns.RecoveryPreEmpted,
        turns.RecoveryCompleted,
        turns.SceneRecoveryDue,
        turns.SceneRecoveryTaken,
    ),
)
class DeclareAction:
    """Declare an action, with or without a skill. If there is no skill, the game master names the Element and the
    Primary.

    `text`: what the character tries to do, usually given. `skill`: nearly always given. `tn`: usually given.
    `roll_kind`: skill, extended, movement, opposed, dodge, to_hit. `required`: the level needed to pass. `opposed`:
    whether somebody resists the action. `defence`: whether the action is only a defence. `base_time`, `time`: for an
    extended action. `tokens`: the characteristics that tokens add immediately. `parts`: the parts of a split pool, in
    order. `penalty`: more dice that the game master takes from a split pool. `extra_dice`: dice that the game master
    adds, with a `reason`. `names`: characteristics that the game master allows although the skill does not list them.
    `ag`: the AG score of the character attacked, if the target numbers of attacks are looked up in a table. Leave it
    out to use the Coordination of the `defender`. `martial_arts`: the area of Martial Arts whose level replaces the
    skill level in an attack (`to_hit`). `mode`: for a movement, the way of moving: primary, secondary, or the name of
    one that the character bought. `half`: whether the action uses only half of what the character can do in this turn.
    A split pool always takes the whole action, and a defence alone takes none of it. `needed`: instead of `tn`, the
    number to reach for the required level. `at_once`: whether to roll without using anything first.
    `weapon`: what the character attacks with, so that a hit can follow as soon as the target has answered.
    """

    character: CharacterId
    text: Story = ""
    skill: SkillName | None = None
    element: ElementName | None = None
    primary: PrimaryName | None = None
    roll_kind: RollKind = "skill"
    tn: Tn = 7
    required: Annotated[Level, Says("Level required", "The level needed to pass.")] = "near"
    opposed: bool = False
    defence: bool = False
    tokens: tuple[Token, ...] = ()
    base_time: Annotated[TimeSpent | None, Says("Base time", "For an extended action: the usual time for it.")] = None
    time: Annotated[
        TimeSpent | None, Says("Time", "For an extended action: how long it takes here, in the unit of `base_time`.")
    ] = None
    parts: Annotated[tuple[SubPool, ...], Says("Parts", "The actions of a split pool, in order.")] = ()
    penalty: Annotated[Dice, Says("Penalty", "Additional dice that the game master takes from a split pool.")] = 0
    extra_dice: Annotated[Dice, Says("Extra dice", "Dice that the game master adds.")] = 0
    reason: Reason = ""
    names: Annotated[
        tuple[CharacteristicName, ...],
        Says("Allowed by the game master", "Characteristics that the skill does not list but the game master allows."),
    ] = ()
    ag: Annotated[
        AgScore | None, Says("AG", "The AG score of the defender. Leave it out to use the defender's Coordination.")
    ] = None
    defender: CharacterId | None = None
    martial_arts: MartialArt | None = None
    needed: NumberNeeded | None = None
    half: bool = False
    mode: MovementMode = "primary"
    at_once: Annotated[bool, Says("Roll at once", "Whether to roll without using anything first.")] = False
    weapon: WeaponName | None = None


SWIFT_DICE = 2


@decides
def declare_action(draft: Draft, do: DeclareAction) -> None:
    id = do.character
    draft.get_character(id)
    draft.get_place()
    require(turns.may_try(draft, id))
    penalty = read_whole(do.penalty, NEGATIVE_DICE, SPLIT_DIVIDE)
    granted = read_whole(do.extra_dice, NEGATIVE_DICE, pools.SKILL_GM_DICE)
    gm = draft.table.by.role == "gm"
    if granted and not gm:
        raise GM_APPROVAL_NEEDED.under(pools.SKILL_GM_DICE, number=granted)
    turns.find_metres(draft, id, do.mode)
    if do.defender is not None:
        draft.get_character(do.defender)
    _read_entry(draft, do, _make_whole(do))
    parts = tuple(_make_sub_pool(draft, do, part) for part in do.parts) or (_make_part(draft, do, _make_whole(do)),)
    if do.weapon is not None:
        draft.get_weapon(do.weapon)
    dice = pools.count_time(draft, do.base_time, do.time)
    _take_action(draft, do, parts)
    action = Action(
        draft.table.new_id(), id, do.text, bool(do.parts), 0, parts, dice, at_once=do.at_once, weapon=do.weapon or ""
    )
    draft.here(ActionDeclared(action.id, action))
    if do.martial_arts is not None and any(own_dice.is_in_area(draft, do.martial_arts, part.roll) for part in parts):
        draft.here(own_dice.MartialArtNamed(action.id, do.martial_arts))
        draft.by(own_dice.MARTIAL_ARTS_RULE, holdings.MARTIAL_ARTS.count(draft.get_character(id), do.martial_arts))
    draft.by(SKILL_TARGET_NUMBER, [part.roll.tn for part in parts], skill=do.skill)
    for token in do.tokens:
        pools.activate(
            draft, action.id, token.characteristic, token.primary, pools.WHOLE, gm and token.characteristic in do.names
        )
    if granted:
        draft.here(pools.GmDiceGranted(action.id, pools.WHOLE, granted, do.reason))
        draft.by(pools.SKILL_GM_DICE, granted, reason=do.reason)
    if do.parts:
        divide_pool(draft, action.id, penalty)


def _read_entry(draft: Draft, do: DeclareAction, part: SubPool) -> tuple[Skill, int]:
    """Return the skill's entry and the level required. Refuses `unknown-roll-kind`, and as `_find_entry`."""
    if part.roll_kind not in KINDS:
        raise UNKNOWN_ROLL_KIND(roll_kind=part.roll_kind)
    return _find_entry(draft, do, part), read_level(part.required, LEVEL_REQUIRED)


def _find_entry(draft: Draft, do: DeclareAction, part: SubPool) -> Skill:
    """Return a skill's entry, or one made of what the game master names instead. Refuses `unknown-skill`."""
    if part.skill is not None:
        entry = draft.get_campaign().skills.get(part.skill)
        if entry is None:
            raise UNKNOWN_SKILL.under(SKILL_ENTRY, skill=part.skill)
        return entry
    named = part.element if part.element is not None else do.element
    element = read_element(named if named is not None else "action", SKILL_ENTRY)
    return Skill(element, read_primary(do.primary if do.primary is not None else "body", SKILL_ENTRY), (), 0)


def _take_action(draft: Draft, do: DeclareAction, parts: tuple[Part, ...]) -> None:
    """Spend the turn's action. A defence alone spends nothing but interrupts a rest."""
    if not do.parts and parts[0].roll.defence:
        turns.interrupt(draft, do.character, "a dodge")
        return
    turns.begin_action(draft, do.character, turns.HALF if do.half and not do.parts else turns.FULL, "an action")


def _make_whole(do: DeclareAction) -> SubPool:
    return SubPool(0, do.text, do.skill, do.element, do.roll_kind, do.tn, do.required, do.defence, do.opposed)


def _make_part(draft: Draft, do: DeclareAction, part: SubPool, dice: int = 0) -> Part:
    """Return one roll. `dice`: its share of a split pool."""
    entry, required = _read_entry(draft, do, part)
    level = _find_skill_level(draft, do, part)
    bits = holdings.BITS.list_levels(draft.get_character(do.character).counts)
    trained = level > 0 or part.skill is None or bool(bits.get(part.skill))
    tn = _find_tn(draft, do, part)
    defence = part.defence or part.roll_kind == "dodge"
    opposed = part.opposed or part.roll_kind in ("opposed", "to_hit", "dodge")
    running = part.skill == "Running" or (part.skill is None and part.roll_kind == "movement")
    extra = SWIFT_DICE * holdings.SWIFTNESS.count(draft.get_character(do.character)) if running else 0
    kinds = part.skill or "", "dodge" if defence else str(part.roll_kind)
    extra += draft.cite_own_dice(do.character, *kinds)
    tn += 0 if trained else entry.difficulty
    if shift := draft.cite_own_shift(do.character, *kinds):
        tn = max(draft.dials.tn_floor, tn + shift)
    roll = Roll(
        part.text,
        str(part.roll_kind),
        entry.element,
        entry.primary,
        tn,
        required,
        part.skill or "",
        level,
        entry.difficulty,
        trained,
        opposed,
        defence,
        do.mode,
    )
    return Part(roll, dice, extra)


def _find_skill_level(draft: Draft, do: DeclareAction, part: SubPool) -> int:
    """Return the skill level, or the Martial Arts level if the attack names an area. Refuses `unknown-purchase`."""
    who = draft.get_character(do.character)
    level = who.skills.get(part.skill, 0) if part.skill is not None else 0
    if do.martial_arts is None:
        return level
    art = holdings.MARTIAL_ARTS.count(who, do.martial_arts)
    if art == 0:
        raise UNKNOWN_PURCHASE.under(buying.COST, martial_arts=do.martial_arts)
    if part.roll_kind != "to_hit":
        return level
    return art if part.skill in own_dice.list_skills_of_area(draft, do.martial_arts, part.skill) else level


def _find_tn(draft: Draft, do: DeclareAction, part: SubPool) -> int:
    """Return the target number. Refuses `tn-below-floor`, `unknown-ag`, `no-number-for-level`."""
    if part.roll_kind == "to_hit" and draft.dials.to_hit_tn == "ag_table":
        score = (
            do.ag if do.ag is not None or do.defender is None else draft.get_character(do.defender).ratings.get("C", 1)
        )
        tn_of_score = draft.get_campaign().ag.get(str(score))
        if tn_of_score is None and score is not None:
            raise UNKNOWN_AG(ag=str(score))
        if tn_of_score is not None:
            return tn_of_score
    tn = part.tn
    if do.needed is not None:
        required = read_level(part.required, LEVEL_REQUIRED)
        tn = read_whole(do.needed, TN_BELOW_FLOOR, TARGET_NUMBER) - find_number_needed(0, required)
    if type(tn) is not int or tn < draft.dials.tn_floor:
        raise TN_BELOW_FLOOR.under(TARGET_NUMBER, tn=str(tn), floor=draft.dials.tn_floor)
    return tn


def _make_sub_pool(draft: Draft, do: DeclareAction, part: SubPool) -> Part:
    dice = read_whole(part.dice, NEGATIVE_DICE, SPLIT_DIVIDE)
    if dice < 1:
        raise SUB_POOL_WITHOUT_DICE(text=part.text)
    return _make_part(draft, do, _inherit(do, part), dice)


def _inherit(do: DeclareAction, part: SubPool) -> SubPool:
    """Return a part of a split pool; fields it leaves out come from the whole action."""
    kind = part.roll_kind if part.roll_kind is not None else do.roll_kind
    tn, required = (do.tn if part.tn is None else part.tn), (do.required if part.required is None else part.required)
    skill = part.skill if part.skill is not None or part.element is not None else do.skill
    return SubPool(
        part.dice, part.text, skill, part.element, kind, tn, required, part.defence, part.opposed or do.opposed
    )


LONG = 60  # the highest base time that is offered, and the least time


@offers
def offer_actions(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer actions of one roll or of several. Tokens can be spent after the declaration."""
    now = look(seen, draft)
    if now.scene is None:
        return
    awake = tuple(id for id in now.alive if turns.may_try(draft, id) is None)
    modes_of = {id: tuple(holdings.MOVEMENT.list_levels(now.get_character(id).counts)) for id in awake}
    can = ((id, (turns.count_halves_left(now.draft, id), modes_of[id])) for id in awake)
    for (remaining, modes), able in group_ids(can).items():
        for way in _list_ways(remaining):
            fields = {**way, "mode": Among(("primary", "secondary", *modes))}
            yield from _list_action_moves(now, able, fields, splitting=remaining == turns.FULL)


def _list_ways(remaining: int) -> Iterator[Fields]:
    """Yield how an action can use what is left of the turn. A defence alone needs nothing."""
    either = Among((False, True))
    if remaining == turns.FULL:
        yield {"half": either}
        return
    if remaining == turns.HALF:
        yield {"half": fix(True)}
    yield {"half": either, "defence": fix(True)}
    yield {"half": either, "roll_kind": fix("dodge")}


def _list_action_moves(now: Offering, able: tuple[str, ...], way: Fields, *, splitting: bool) -> Iterator[Move]:
    plain: Fields = {
        "character": Among(able),
        "skill": Among((None, *now.campaign.skills)),
        "element": Among((None, *ELEMENTS)),
        "primary": Among((None, *PRIMARIES)),
        "roll_kind": Among(KINDS),
        "tn": Between(now.dials.tn_floor),
        "required": Among(TOLD_LEVELS),
        "opposed": Among((False, True)),
        "defence": Among((False, True)),
        "penalty": Between(0),
        "extra_dice": Between(0) if now.is_gm else fix(0),
        "names": Some(Among(CHARACTERISTICS)),
        "defender": Among((None, *now.roster)),
        "at_once": Among((False, True)),
        "weapon": Among((None, *now.campaign.weapons)),
        **way,
    }
    if splitting:
        yield from (Move(DeclareAction, fields) for fields in list_splits(now, able, plain))
    arts = group_ids((id, _list_arts(now, id)) for id in able).items()
    with_arts: list[Fields] = [{"character": Among(ids), "martial_arts": Among(areas)} for areas, ids in arts if areas]
    for art in ({}, *with_arts):
        yield from _list_single_moves(now, {**plain, **art}, looked_up="roll_kind" not in way)


def _list_single_moves(now: Offering, plain: Fields, *, looked_up: bool) -> Iterator[Move]:
    floor = now.dials.tn_floor
    long: Fields = {"base_time": Between(1, LONG), "time": Between(LONG)}
    if now.dials.to_hit_tn == "ag_table" and looked_up:
        yield from _list_aimed_moves(now, plain)
        yield from _list_aimed_moves(now, {**plain, **long})
        plain = {**plain, "roll_kind": Among(tuple(kind for kind in KINDS if kind != "to_hit"))}
    yield Move(DeclareAction, plain)
    yield Move(DeclareAction, {**plain, **long})
    levels = tuple(level for level in TOLD_LEVELS if level not in ("spectacular_failure", "failure", -1, 0))
    needed: Fields = {"needed": Between(floor + 3), "required": Among(levels), "tn": Between(1)}
    yield Move(DeclareAction, {**plain, **needed})


def _list_aimed_moves(now: Offering, plain: Fields) -> Iterator[Move]:
    """Yield attacks whose target number comes from the AG table or from the defender's Coordination."""
    known = now.campaign.ag
    scores = (*known, *(int(score) for score in known if score.isdecimal()))
    hit: Fields = {**plain, "roll_kind": fix("to_hit"), "tn": Between(1)}
    if scores:
        yield Move(DeclareAction, {**hit, "ag": Among(scores)})
    defenders = tuple(id for id in now.roster if str(now.get_character(id).ratings.get("C", 1)) in known)
    if defenders:
        yield Move(DeclareAction, {**hit, "defender": Among(defenders)})
    floor = Between(now.dials.tn_floor)
    yield Move(DeclareAction, {**hit, "defender": LEFT_OUT, "tn": floor})


def _list_arts(now: Offering, id: str) -> tuple[str, ...]:
    return tuple(area for area, n in holdings.MARTIAL_ARTS.list_levels(now.get_character(id).counts).items() if n)
