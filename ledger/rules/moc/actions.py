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
    changed,
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
from ledger.rules.moc.dice import DICE_SUCCESSES, LEVEL_REQUIRED, TARGET_NUMBER, compute_number_needed
from ledger.rules.moc.draft import SPLIT_DIVIDE, Draft, acts
from ledger.rules.moc.shown import LEFT_OUT, TOLD_LEVELS, Fields, Offering, fix, get_offering, group_ids
from ledger.rules.moc.stacks import PoolSplit, SubPool, divide_pool, list_split_fields
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
    """Put into words the target number of an action, or of each part of a split pool."""
    target_numbers = given["out"]
    return "Target numbers (TN) of the parts: {out}." if len(target_numbers) > 1 else "Target number (TN): {out}."


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
    """A token spent to add a characteristic. `primary`: the Primary that gives the token, if several are possible."""

    characteristic: CharacteristicName
    primary: Annotated[
        PrimaryName | None, Says("Pool", "The Primary that gives the token, if several are possible.")
    ] = None


def say_action(fact: ActionDeclared, names: Names) -> str:
    """Return the declared action in words, with its target number and the level required."""
    action = fact.what
    if action.split:
        part_texts = (
            f"{part.roll.text or _say_label(part.roll)} against TN {part.roll.tn}{_say_required(part.roll)}"
            for part in action.parts
        )
        actor_name = say_who(names, action.character)
        return say_with(f"{actor_name} splits a dice pool", "; ".join(filter(None, (action.text, *part_texts))))
    roll = action.parts[0].roll
    attempt_words = _say_attempt(names, action.character, action.defender, roll.kind, roll.skill, roll.primary)
    untrained_words = "" if roll.trained else ", untrained"
    return say_with(f"{attempt_words}{untrained_words}, against TN {roll.tn}{_say_required(roll)}", action.text)


def _say_attempt(names: Names, actor: str, defender: str | None, kind: object, skill: str, primary: str) -> str:
    ability, target_words = skill or say_word(primary), f" {say_who(names, defender)}" if defender else ""
    verbs_by_kind = {
        "to_hit": f"attacks{target_words} with {ability}",
        "dodge": "dodges" if ability == "Dodge" else f"dodges with {ability}",
        "movement": f"makes a move with {ability}",
        "extended": f"takes time to use {ability}",
        "opposed": f"uses {ability} in an opposed action",
    }
    attempt = f"uses {ability}" if skill else f"tries something with {ability}"
    return f"{say_who(names, actor)} {verbs_by_kind.get(str(kind), attempt)}"


def _say_required(roll: Roll) -> str:
    """Put into words the level required, or return "" for the usual Near Success."""
    if roll.required == 1:
        return ""
    if roll.required > 1:
        return f" (needs {say_level(roll.required)})"
    return " (anything but a Spectacular Failure is enough)" if roll.required == 0 else " (any level is enough)"


def _say_label(roll: Roll) -> str:
    return {"to_hit": "an attack", "dodge": "a dodge", "movement": "a move"}.get(
        roll.kind, roll.skill or say_word(roll.primary)
    )


@fact("action-declared", version=4, says=say_action, headline=8)
class ActionDeclared:
    """An action was declared. `action`: its id. `what`: the action as declared."""

    action: ActionId
    what: Action


@changes
def add_action(state: Scene, fact: ActionDeclared) -> Scene | None:
    return piles.put_action(state, fact.what)


def say_trying(do: DeclareAction, names: Names) -> str:
    if do.parts:
        return say_with(f"{say_who(names, do.character)} splits a dice pool", do.text)
    ability_name, primary = do.martial_arts or do.skill or "", do.primary or "body"
    return say_with(_say_attempt(names, do.character, do.defender, do.roll_kind, ability_name, primary), do.text)


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
    whether a character resists the action. `defence`: whether the action is only a defence. `base_time`, `time`: for an
    extended action. `tokens`: the characteristics that tokens add immediately. `parts`: the parts of a split pool, in
    order. `penalty`: more dice that the game master takes from a split pool. `extra_dice`: dice that the game master
    adds, with a `reason`. `names`: characteristics that the game master allows although the skill does not list them.
    `ag`: the AG score of the character attacked, if the target numbers of attacks are looked up in a table. Leave it
    out to use the Coordination of the `defender`. `martial_arts`: the area of Martial Arts whose level replaces the
    skill level in an attack (`to_hit`). `mode`: for a movement, the way of moving: primary, secondary, or the name of
    one that the character bought. `half`: whether the action uses only half of the character's action in this turn. A
    split pool always takes the whole action, and a defence alone takes none of it. `needed`: instead of `tn`, the
    number to reach for the required level. `at_once`: whether to roll immediately, without using beads, cards or tokens
    first. `weapon`: the weapon of the attack, so that a hit can follow as soon as the target has answered. `defender`:
    the character who is attacked. Successes can still be declared on others.
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
    at_once: Annotated[
        bool, Says("Roll at once", "Whether to roll immediately, without using beads, cards or tokens first.")
    ] = False
    weapon: WeaponName | None = None


SWIFT_DICE = 2


@decides
def declare_action(draft: Draft, do: DeclareAction) -> None:
    char_id = do.character
    draft.get_character(char_id)
    draft.get_place()
    require(turns.may_try_action(draft, char_id))
    penalty = read_whole(do.penalty, NEGATIVE_DICE, SPLIT_DIVIDE)
    granted_dice = read_whole(do.extra_dice, NEGATIVE_DICE, pools.SKILL_GM_DICE)
    is_gm = draft.table.by.role == "gm"
    if granted_dice and not is_gm:
        raise GM_APPROVAL_NEEDED.under(pools.SKILL_GM_DICE, number=granted_dice)
    turns.read_metres(draft, char_id, do.mode)
    if do.defender is not None:
        draft.get_character(do.defender)
    _read_entry(draft, do, _make_whole_pool(do))
    parts = tuple(_make_split_part(draft, do, pool) for pool in do.parts) or (
        _make_part(draft, do, _make_whole_pool(do)),
    )
    if do.weapon is not None:
        draft.get_weapon(do.weapon)
    is_split, time_dice = bool(do.parts), pools.count_time_dice(draft, do.base_time, do.time)
    _take_action(draft, do, parts)
    action = Action(draft.table.new_id(), char_id, do.text, is_split, 0, parts, time_dice, at_once=do.at_once)
    action = changed(action, weapon=do.weapon or "", defender=do.defender or "")
    draft.here(ActionDeclared(action.id, action))
    if do.martial_arts is not None and any(own_dice.is_in_area(draft, do.martial_arts, part.roll) for part in parts):
        draft.here(own_dice.MartialArtNamed(action.id, do.martial_arts))
        draft.by(own_dice.MARTIAL_ARTS_RULE, holdings.MARTIAL_ARTS.count(draft.get_character(char_id), do.martial_arts))
    draft.by(SKILL_TARGET_NUMBER, [part.roll.tn for part in parts], skill=do.skill)
    for token in do.tokens:
        is_allowed = is_gm and token.characteristic in do.names
        pools.activate(draft, action.id, token.characteristic, token.primary, pools.WHOLE, is_allowed)
    if granted_dice:
        draft.here(pools.GmDiceGranted(action.id, pools.WHOLE, granted_dice, do.reason))
        draft.by(pools.SKILL_GM_DICE, granted_dice, reason=do.reason)
    if do.parts:
        divide_pool(draft, action.id, penalty)


def _read_entry(draft: Draft, do: DeclareAction, pool: SubPool) -> tuple[Skill, int]:
    """Return the skill's entry and the level required. Refuses `unknown-roll-kind`, and the codes of `_find_entry`."""
    if pool.roll_kind not in KINDS:
        raise UNKNOWN_ROLL_KIND(roll_kind=pool.roll_kind)
    return _find_entry(draft, do, pool), read_level(pool.required, LEVEL_REQUIRED)


def _find_entry(draft: Draft, do: DeclareAction, pool: SubPool) -> Skill:
    """Return a skill's entry or, if the action has no skill, an entry made from the Element and Primary that the game
    master names. Refuses `unknown-skill`.
    """
    if pool.skill is not None:
        entry = draft.get_campaign().skills.get(pool.skill)
        if entry is None:
            raise UNKNOWN_SKILL.under(SKILL_ENTRY, skill=pool.skill)
        return entry
    named_element = pool.element if pool.element is not None else do.element
    element = read_element(named_element if named_element is not None else "action", SKILL_ENTRY)
    return Skill(element, read_primary(do.primary if do.primary is not None else "body", SKILL_ENTRY), (), 0)


def _take_action(draft: Draft, do: DeclareAction, parts: tuple[Part, ...]) -> None:
    """Spend the turn's action. A defence alone spends nothing but interrupts a rest."""
    if not do.parts and parts[0].roll.defence:
        turns.interrupt_rest(draft, do.character, "a dodge")
        return
    turns.begin_action(draft, do.character, turns.HALF if do.half and not do.parts else turns.FULL, "an action")


def _make_whole_pool(do: DeclareAction) -> SubPool:
    return SubPool(0, do.text, do.skill, do.element, do.roll_kind, do.tn, do.required, do.defence, do.opposed)


def _make_part(draft: Draft, do: DeclareAction, pool: SubPool, share: int = 0) -> Part:
    """Return one part of an action. `share`: its share of a split pool."""
    entry, required_level = _read_entry(draft, do, pool)
    level = _find_skill_level(draft, do, pool)
    bits_by_skill = holdings.BITS.find_levels(draft.get_character(do.character).counts)
    is_trained = level > 0 or pool.skill is None or bool(bits_by_skill.get(pool.skill))
    tn = _find_tn(draft, do, pool)
    is_defence = pool.defence or pool.roll_kind == "dodge"
    is_opposed = pool.opposed or pool.roll_kind in ("opposed", "to_hit", "dodge")
    is_running = pool.skill == "Running" or (pool.skill is None and pool.roll_kind == "movement")
    extra_dice = SWIFT_DICE * holdings.SWIFTNESS.count(draft.get_character(do.character)) if is_running else 0
    pool_names = pool.skill or "", "dodge" if is_defence else str(pool.roll_kind)
    extra_dice += draft.cite_own_dice(do.character, *pool_names)
    tn += 0 if is_trained else entry.difficulty
    if shift := draft.cite_own_shift(do.character, *pool_names):
        tn = max(draft.dials.tn_floor, tn + shift)
    roll = Roll(
        pool.text,
        str(pool.roll_kind),
        entry.element,
        entry.primary,
        tn,
        required_level,
        pool.skill or "",
        level,
        entry.difficulty,
        is_trained,
        is_opposed,
        is_defence,
        do.mode,
    )
    return Part(roll, share, extra_dice)


def _find_skill_level(draft: Draft, do: DeclareAction, pool: SubPool) -> int:
    """Return the skill level, or the Martial Arts level if the attack names an area. Refuses `unknown-purchase`."""
    state = draft.get_character(do.character)
    level = state.skills.get(pool.skill, 0) if pool.skill is not None else 0
    if do.martial_arts is None:
        return level
    art_level = holdings.MARTIAL_ARTS.count(state, do.martial_arts)
    if art_level == 0:
        raise UNKNOWN_PURCHASE.under(buying.COST, martial_arts=do.martial_arts)
    if pool.roll_kind != "to_hit":
        return level
    return art_level if pool.skill in own_dice.list_skills_of_area(draft, do.martial_arts, pool.skill) else level


def _find_tn(draft: Draft, do: DeclareAction, pool: SubPool) -> int:
    """Return the target number. Refuses `tn-below-floor`, `unknown-ag`, `no-number-for-level`."""
    if pool.roll_kind == "to_hit" and draft.dials.to_hit_tn == "ag_table":
        score = (
            do.ag if do.ag is not None or do.defender is None else draft.get_character(do.defender).ratings.get("C", 1)
        )
        tn_of_score = draft.get_campaign().ag.get(str(score))
        if tn_of_score is None and score is not None:
            raise UNKNOWN_AG(ag=str(score))
        if tn_of_score is not None:
            return tn_of_score
    tn = pool.tn
    if do.needed is not None:
        required_level = read_level(pool.required, LEVEL_REQUIRED)
        tn = read_whole(do.needed, TN_BELOW_FLOOR, TARGET_NUMBER) - compute_number_needed(0, required_level)
    if type(tn) is not int or tn < draft.dials.tn_floor:
        raise TN_BELOW_FLOOR.under(TARGET_NUMBER, tn=str(tn), floor=draft.dials.tn_floor)
    return tn


def _make_split_part(draft: Draft, do: DeclareAction, pool: SubPool) -> Part:
    share = read_whole(pool.dice, NEGATIVE_DICE, SPLIT_DIVIDE)
    if share < 1:
        raise SUB_POOL_WITHOUT_DICE(text=pool.text)
    return _make_part(draft, do, _fill_in_sub_pool(do, pool), share)


def _fill_in_sub_pool(do: DeclareAction, pool: SubPool) -> SubPool:
    """Return a part of a split pool. Fields that the part leaves out come from the whole action."""
    kind = pool.roll_kind if pool.roll_kind is not None else do.roll_kind
    tn, required = (do.tn if pool.tn is None else pool.tn), (do.required if pool.required is None else pool.required)
    skill = pool.skill if pool.skill is not None or pool.element is not None else do.skill
    return SubPool(
        pool.dice, pool.text, skill, pool.element, kind, tn, required, pool.defence, pool.opposed or do.opposed
    )


LONG = 60  # the highest base time offered, and the lowest time


@offers
def offer_actions(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer actions of one roll or of several. Tokens can be spent after the declaration."""
    offering = get_offering(seen, draft)
    if offering.scene is None:
        return
    able_ids = tuple(char_id for char_id in offering.active_ids if turns.may_try_action(draft, char_id) is None)
    modes_by_id = {
        char_id: tuple(holdings.MOVEMENT.find_levels(offering.get_character(char_id).counts)) for char_id in able_ids
    }
    pairs = (
        (char_id, (turns.count_halves_left(offering.draft, char_id), modes_by_id[char_id])) for char_id in able_ids
    )
    for (remaining, modes), ids in group_ids(pairs).items():
        for way in _list_ways(remaining):
            fields = {**way, "mode": Among(("primary", "secondary", *modes))}
            yield from _list_action_moves(offering, ids, fields, can_split=remaining == turns.FULL)


def _list_ways(remaining: int) -> Iterator[Fields]:
    """Yield each way for an action to use the rest of the turn. A defence alone uses none of it."""
    yes_or_no = Among((False, True))
    if remaining == turns.FULL:
        yield {"half": yes_or_no}
        return
    if remaining == turns.HALF:
        yield {"half": fix(True)}
    yield {"half": yes_or_no, "defence": fix(True)}
    yield {"half": yes_or_no, "roll_kind": fix("dodge")}


def _list_action_moves(offering: Offering, ids: tuple[str, ...], way: Fields, *, can_split: bool) -> Iterator[Move]:
    fields: Fields = {
        "character": Among(ids),
        "skill": Among((None, *offering.campaign.skills)),
        "element": Among((None, *ELEMENTS)),
        "primary": Among((None, *PRIMARIES)),
        "roll_kind": Among(KINDS),
        "tn": Between(offering.dials.tn_floor),
        "required": Among(TOLD_LEVELS),
        "opposed": Among((False, True)),
        "defence": Among((False, True)),
        "penalty": Between(0),
        "extra_dice": Between(0) if offering.is_gm else fix(0),
        "names": Some(Among(CHARACTERISTICS)),
        "defender": Among((None, *offering.active_ids)),
        "at_once": Among((False, True)),
        "weapon": Among((None, *offering.campaign.weapons)),
        **way,
    }
    if can_split:
        yield from (Move(DeclareAction, split_fields) for split_fields in list_split_fields(offering, ids, fields))
    groups = group_ids((char_id, _list_martial_arts(offering, char_id)) for char_id in ids).items()
    choices: list[Fields] = [{}]
    choices += [{"character": Among(owners), "martial_arts": Among(areas)} for areas, owners in groups if areas]
    for art_fields in choices:
        yield from _list_single_moves(offering, {**fields, **art_fields}, is_looked_up="roll_kind" not in way)


def _list_single_moves(offering: Offering, fields: Fields, *, is_looked_up: bool) -> Iterator[Move]:
    floor = offering.dials.tn_floor
    time_fields: Fields = {"base_time": Between(1, LONG), "time": Between(LONG)}
    if offering.dials.to_hit_tn == "ag_table" and is_looked_up:
        yield from _list_aimed_moves(offering, fields)
        yield from _list_aimed_moves(offering, {**fields, **time_fields})
        fields = {**fields, "roll_kind": Among(tuple(kind for kind in KINDS if kind != "to_hit"))}
    yield Move(DeclareAction, fields)
    yield Move(DeclareAction, {**fields, **time_fields})
    levels = tuple(level for level in TOLD_LEVELS if level not in ("spectacular_failure", "failure", -1, 0))
    needed_fields: Fields = {"needed": Between(floor + 3), "required": Among(levels), "tn": Between(1)}
    yield Move(DeclareAction, {**fields, **needed_fields})


def _list_aimed_moves(offering: Offering, fields: Fields) -> Iterator[Move]:
    """Yield attacks whose target number comes from the AG table or from the defender's Coordination."""
    tn_by_ag = offering.campaign.ag
    scores = (*tn_by_ag, *(int(score) for score in tn_by_ag if score.isdecimal()))
    hit_fields: Fields = {**fields, "roll_kind": fix("to_hit"), "tn": Between(1)}
    if scores:
        yield Move(DeclareAction, {**hit_fields, "ag": Among(scores)})
    ids = tuple(
        char_id
        for char_id in offering.active_ids
        if str(offering.get_character(char_id).ratings.get("C", 1)) in tn_by_ag
    )
    if ids:
        yield Move(DeclareAction, {**hit_fields, "defender": Among(ids)})
    yield Move(DeclareAction, {**hit_fields, "defender": LEFT_OUT, "tn": Between(offering.dials.tn_floor)})


def _list_martial_arts(offering: Offering, char_id: str) -> tuple[str, ...]:
    return tuple(
        area for area, n in holdings.MARTIAL_ARTS.find_levels(offering.get_character(char_id).counts).items() if n
    )
