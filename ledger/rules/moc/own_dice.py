"""A character's own dice: Action Hero, Weapons Master and floating dice, Bits, Martial Arts.

Heading "Dice affecting Advantages/Disadvantages". Used dice come back when their period ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from ledger.rules.kernel.kit import (
    Between,
    CharacterId,
    Move,
    Names,
    Ref,
    Refusal,
    Refused,
    Says,
    Seen,
    SharedRefusal,
    Table,
    changed,
    changes,
    decides,
    declares,
    either,
    fact,
    guards,
    offers,
    require,
    rule,
)
from ledger.rules.moc import holdings, piles, pools, turns
from ledger.rules.moc.draft import Draft, acts, may_act
from ledger.rules.moc.shown import Fields, Offering, fix, get_offering, make_part_domain
from ledger.rules.moc.state import Action, Character, Roll, Scene
from ledger.rules.moc.types import ActionId, DiceAdvantage, HowMany, PartNumber, PeriodName
from ledger.rules.moc.words import (
    ADVANTAGE_WORDS,
    DICE_ADVANTAGES,
    FLOATING,
    MASTER,
    NEGATIVE_DICE,
    NOT_AN_ATTACK,
    NOTHING_DECLARED,
    PERIODS,
    UNKNOWN_PURCHASE,
    WRONG_ELEMENT,
    Sent,
    read_whole,
    say_count,
    say_subject,
    whether,
)

PERIOD_DICE_RULE = rule(
    "moc.adv.period-dice",
    "Action Hero, Weapons Master and floating dice can be added to a roll when the player wishes. Used dice"
    " come back at the end of the scene, the session or the arc, depending on how they were bought.",
    "Dice affecting Advantages/Disadvantages",
)
UNKNOWN_PERIOD = Refusal(
    PERIOD_DICE_RULE, "unknown-period", "A period is a scene, a session or an arc[, not {period}]."
)
NOT_ENOUGH_DICE = Refusal(PERIOD_DICE_RULE, "not-enough-dice", "{character} does not have enough {advantage} left.")
NOT_FLOATING = Refusal(
    PERIOD_DICE_RULE, "not-floating", "Only floating dice can be added to this roll, not {advantage}."
)
WEAPONS_MASTER = rule(
    "moc.adv.weapons-master",
    "Weapons Master dice are only for the few related skills that were named when the dice were bought.",
    "Dice affecting Advantages/Disadvantages",
)
NO_SKILLS_NAMED = Refusal(
    WEAPONS_MASTER, "no-skills-named", "No related skills are named for these dice yet. Name the skills first."
)
BITS_RULE = rule(
    "moc.adv.bits",
    "Three Bits cost one point. Each Bit counts as three levels of one narrow skill, and is for occasional use.",
    "Bits",
)
NO_BIT_FOR_SKILL = Refusal(BITS_RULE, "no-bit-for-skill", "{character} has no Bit for this roll[: {skill}].")
BITS_USED = Refusal(
    BITS_RULE,
    "bits-used",
    "{character} has already used {most:Bit|Bits} on this roll and has no other that fits. Each Bit counts only"
    " once on a roll.",
)
WRONG_SKILL = SharedRefusal("wrong-skill", "These dice are for {skills}[, not for {skill}].")


def say_dice_forms(advantage: str) -> tuple[str, str]:
    """Return the name of an Advantage's dice, in the singular and the plural."""
    plural = ADVANTAGE_WORDS[advantage]
    return f"{plural.removesuffix('dice')}die", plural


def say_dice_given(fact: PeriodDiceGiven, names: Names) -> str:
    advantage, period = fact.advantage.partition(":")[0], holdings.find_period(fact.advantage)
    singular, plural = say_dice_forms(advantage)
    return f"{say_subject(names)} has {say_count(fact.number, f'more {singular}', f'more {plural}')} per {period}."


@fact("period-dice-given", says=say_dice_given, changes=None)
class PeriodDiceGiven:
    """A character got period dice: dice that come back after a scene, a session or an arc."""

    advantage: DiceAdvantage
    number: int


@fact("period-dice-used", says="{subject} uses {number} of the {advantage}.", headline=20)
class PeriodDiceUsed:
    """Period dice were used. `action`: the action, if they were used in one."""

    advantage: DiceAdvantage
    number: int
    action: ActionId


@changes
def use_dice_up(state: Character, fact: PeriodDiceUsed) -> Character:
    return piles.use_up(state, fact.advantage, fact.number)


@fact("period-dice-returned", says="{subject} gets back the dice used in this {period}.")
class PeriodDiceReturned:
    """Used dice came back at the end of a scene, a session or an arc."""

    period: PeriodName


@changes
def return_dice(state: Character, fact: PeriodDiceReturned) -> Character:
    """Return the character with all dice of the period unused."""
    return changed(state, used={key: n for key, n in state.used.items() if holdings.find_period(key) != fact.period})


@fact("own-dice-added", says="{number:die is|dice are} added to the pool.", headline=21)
class OwnDiceAdded:
    """Period dice, or the dice of a Bit, were added to an action."""

    action: ActionId
    part: int
    number: int


@changes
def add_own_dice(state: Scene, fact: OwnDiceAdded) -> Scene | None:
    return piles.add_dice(state, fact.action, fact.part, fact.number)


@fact("dice-laid", says="{character} adds {number:floating die|floating dice} to the next initiative roll.")
class DiceLaid:
    """Floating dice were added to the character's next initiative roll."""

    character: CharacterId
    number: int


@changes
def lay_floating_dice(state: Scene, fact: DiceLaid) -> Scene:
    initiative = state.initiative
    dice_counts = {**initiative.dice, fact.character: initiative.dice.get(fact.character, 0) + fact.number}
    return changed(state, initiative=changed(initiative, dice=dice_counts))


@fact("bit-used", says="A Bit counts as the skill for this roll.")
class BitUsed:
    """A Bit counts as the skill for a roll, so the character is not untrained."""

    action: ActionId
    part: int


@changes
def count_bit(state: Scene, fact: BitUsed) -> Scene | None:
    """Return the scene with the Bit counted. An untrained character gets the target number of a trained character."""
    action_and_part = piles.find_action_and_part(state, fact.action, fact.part)
    if action_and_part is None:
        return None
    action, part = action_and_part
    roll = part.roll
    if not roll.trained:
        roll = changed(roll, trained=True, tn=roll.tn - roll.difficulty)
    return piles.put_action(
        state, piles.with_part_in_place(action, fact.part, changed(part, roll=roll, bits=part.bits + 1))
    )


def _find_layer(table: Table[object], do: UsePeriodDice) -> str | None:
    return do.whose if do.whose is not None else pools.find_actor(table, do)


@acts(_find_layer)
@declares(
    "use-period-dice",
    either(_find_layer, "the player of the acting character"),
    says=whether(
        "whose",
        "{whose} adds {number} of the {advantage} to the next initiative roll.",
        "The roll gets {number} of the {advantage}.",
    ),
    records=(PeriodDiceUsed, OwnDiceAdded, DiceLaid),
)
class UsePeriodDice:
    """Add dice that were bought with an Advantage to a roll. `advantage`: the Advantage (action hero, weapons master or
    floating dice) and its period, such as `action-hero:scene`.

    `whose`: the character who, if there is no action, adds floating dice to the next initiative roll.
    """

    action: ActionId
    advantage: DiceAdvantage
    number: Annotated[HowMany, Says("Dice", "How many dice are added.")]
    part: PartNumber = 0
    whose: CharacterId | None = None


@decides
def use_period_dice(draft: Draft, do: UsePeriodDice) -> None:
    """Add dice to a roll of any Action skill, of a related skill, or (floating dice) of any kind."""
    if do.whose is not None:
        _lay_on_next_initiative(draft, do)
        return
    dice_count = read_whole(do.number, NEGATIVE_DICE, PERIOD_DICE_RULE)
    action = draft.get_action(do.action)
    part_index, char_id = pools.read_index_before_roll(draft, do.action, do.part), action.character
    advantage = _read_advantage(do.advantage)
    if dice_count == 0:
        raise NOTHING_DECLARED.under(PERIOD_DICE_RULE)
    roll = action.parts[part_index].roll
    require(may_use_dice(draft, char_id, do.advantage, roll))
    if advantage == MASTER:
        draft.by(WEAPONS_MASTER, roll.skill, skills=list(draft.get_character(char_id).related[do.advantage]))
    _use_dice(draft, char_id, do.advantage, dice_count, do.action)
    draft.here(OwnDiceAdded(do.action, part_index, dice_count))


def _read_advantage(advantage: str) -> str:
    name, period = advantage.partition(":")[0], holdings.find_period(advantage)
    if period not in PERIODS:
        raise UNKNOWN_PERIOD(period=period)
    return name


@guards
def may_use_dice(draft: Draft, char_id: str, advantage: str, roll: Roll) -> Refused | None:
    """Refuse Action Hero dice for an Element other than Action, and Weapons Master dice for a skill that is not
    related.
    """
    name = advantage.partition(":")[0]
    if name == "action-hero" and roll.element != "action":
        return WRONG_ELEMENT.under(PERIOD_DICE_RULE, element=roll.element)
    if name == MASTER:
        skills = draft.get_character(char_id).related.get(advantage, ())
        if not skills:
            return NO_SKILLS_NAMED(advantage=advantage)
        if roll.skill not in skills:
            return WRONG_SKILL.under(WEAPONS_MASTER, skill=roll.skill, skills=list(skills))
    return None


def _use_dice(draft: Draft, char_id: str, advantage: str, dice_count: int, action_id: str) -> None:
    if draft.balance(holdings.name_die_account(char_id, advantage)) < dice_count:
        raise NOT_ENOUGH_DICE(character=char_id, advantage=advantage)
    posting = holdings.make_posting(holdings.name_die_account(char_id, advantage), holdings.USED, dice_count)
    draft.about(char_id, PeriodDiceUsed(advantage, dice_count, action_id), posting)
    draft.by(PERIOD_DICE_RULE, dice_count, advantage=advantage)


def _lay_on_next_initiative(draft: Draft, do: UsePeriodDice) -> None:
    char_id = do.whose or ""
    if char_id not in draft.get_scene().cast:
        raise turns.UNKNOWN_CHARACTER(character=char_id)
    dice_count = use_floating_dice(draft, char_id, {do.advantage: do.number})
    if dice_count == 0:
        raise NOTHING_DECLARED.under(PERIOD_DICE_RULE)
    draft.here(DiceLaid(char_id, dice_count))


def use_floating_dice(draft: Draft, char_id: str, sent_by_advantage: Mapping[str, Sent]) -> int:
    """Use floating dice, counted by Advantage, on a roll that belongs to no action, and return how many are used.
    Refuses `not-floating`.
    """
    total_count = 0
    for advantage, number_sent in sent_by_advantage.items():
        dice_count = read_whole(number_sent, NEGATIVE_DICE, PERIOD_DICE_RULE)
        if _read_advantage(advantage) != FLOATING:
            raise NOT_FLOATING(advantage=advantage)
        if dice_count:
            require(may_act(draft, char_id))
            _use_dice(draft, char_id, advantage, dice_count, "")
        total_count += dice_count
    return total_count


BIT_DICE = 3


@acts(pools.find_actor)
@declares("use-bit", pools.ACTOR, says="A Bit is used.", records=(BitUsed, OwnDiceAdded))
class UseBit:
    """Use a Bit. It counts as three levels of the narrow skill that it stands for, so its owner counts as trained in
    that skill.

    A Bit with the name of a skill in the table stands for that skill only. Each Bit counts once on a roll.
    """

    action: ActionId
    part: PartNumber = 0


@guards
def may_use_bit(draft: Draft, action: Action, part_index: int) -> Refused | None:
    """Refuse a Bit if no Bit helps the roll, or if all Bits that help it have been used."""
    char_id, part = action.character, action.parts[part_index]
    counts = draft.get_character(char_id).counts
    if not any(holdings.BITS.find_levels(counts).values()):
        return UNKNOWN_PURCHASE.under(BITS_RULE, character=char_id, what="bits")
    serving_count = holdings.count_bits_serving(counts, draft.get_campaign().skills, part.roll.skill)
    if not serving_count:
        return NO_BIT_FOR_SKILL(character=char_id, skill=part.roll.skill)
    return BITS_USED(character=char_id, most=serving_count) if part.bits >= serving_count else None


@decides
def use_bit(draft: Draft, do: UseBit) -> None:
    """Count a Bit as three levels of a narrow skill."""
    action = draft.get_action(do.action)
    part_index = pools.read_index_before_roll(draft, do.action, do.part)
    require(may_use_bit(draft, action, part_index))
    draft.here(BitUsed(do.action, part_index))
    draft.here(OwnDiceAdded(do.action, part_index, BIT_DICE))
    draft.by(BITS_RULE, BIT_DICE)


def list_own_dice_moves(offering: Offering, action: Action, unrolled_indexes: tuple[int, ...]) -> Iterator[Move]:
    char_id = action.character
    for key in offering.get_character(char_id).counts:
        if not key.startswith(DICE_ADVANTAGES):
            continue
        held_count = offering.table.balance(holdings.name_die_account(char_id, key))
        usable_indexes = tuple(
            part_index
            for part_index in unrolled_indexes
            if may_use_dice(offering.draft, char_id, key, action.parts[part_index].roll) is None
        )
        if held_count > 0 and usable_indexes:
            fields: Fields = {"action": fix(action.id), "advantage": fix(key), "part": make_part_domain(usable_indexes)}
            yield Move(UsePeriodDice, {**fields, "number": Between(1, held_count)}, of=char_id)
    usable_indexes = tuple(
        part_index for part_index in unrolled_indexes if may_use_bit(offering.draft, action, part_index) is None
    )
    if usable_indexes:
        yield Move(UseBit, {"action": fix(action.id), "part": make_part_domain(usable_indexes)}, of=char_id)


@offers
def offer_own_dice(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    for action in offering.open_actions:
        unrolled_indexes = offering.list_unrolled_indexes(action)
        if unrolled_indexes and action.character in offering.active_ids:
            yield from list_own_dice_moves(offering, action, unrolled_indexes)


@offers
def offer_floating_dice(seen: Seen, draft: Draft) -> Iterator[Move]:
    """Offer floating dice for the next initiative roll."""
    offering = get_offering(seen, draft)
    cast = offering.scene.cast if offering.scene is not None else ()
    for char_id in dict.fromkeys(cast):
        if char_id not in offering.active_ids:
            continue
        for period in PERIODS:
            key = f"{FLOATING}:{period}"
            held_count = offering.table.balance(holdings.name_die_account(char_id, key))
            if held_count > 0:
                fields: Fields = {
                    "action": fix(""),
                    "advantage": fix(key),
                    "number": Between(1, held_count),
                    "whose": fix(char_id),
                }
                yield Move(UsePeriodDice, fields, of=char_id)


def end_period(draft: Draft, char_id: str, period: str) -> None:
    """Give back the dice used in the period."""
    used_counts = {
        key: n for key, n in draft.get_character(char_id).used.items() if holdings.find_period(key) == period
    }
    if not used_counts:
        return
    postings = [
        holdings.make_posting(holdings.USED, holdings.name_die_account(char_id, key), n)
        for key, n in used_counts.items()
        if key.startswith(DICE_ADVANTAGES)
    ]
    draft.about(char_id, PeriodDiceReturned(period), *postings)
    draft.by(PERIOD_DICE_RULE, sum(used_counts.values()), character=char_id, period=period)


MARTIAL_ARTS_RULE = rule(
    "moc.adv.martial-arts",
    "When a character attacks within the area of their Martial Arts, the Martial Arts level counts as the skill"
    " level. One bead per roll adds damage dice equal to that level.",
    "Dice affecting Advantages/Disadvantages",
)


@fact(
    "martial-art-named", says=whether("area", "The attack uses Martial Arts: {area}.", "The attack uses Martial Arts.")
)
class MartialArtNamed:
    """The attacks of an action are made in this area of Martial Arts."""

    action: ActionId
    area: Annotated[str, Ref("martial-art")]


@changes
def name_martial_art(state: Scene, fact: MartialArtNamed) -> Scene:
    return changed(state, arts={**state.arts, fact.action: fact.area})


def list_skills_of_area(draft: Draft, area: str, skill: str | None) -> tuple[str | None, ...]:
    """Return the skills of an area of Martial Arts: the skill of the same name or, if there is
    none, the given skill.
    """
    return (area,) if area in draft.get_campaign().skills else (skill,)


def is_in_area(draft: Draft, area: str, roll: Roll) -> bool:
    return roll.kind == "to_hit" and (roll.skill or None) in list_skills_of_area(draft, area, roll.skill or None)


@guards
def may_use_martial_art(draft: Draft, action: Action, part_index: int, area: str) -> Refused | None:
    """Refuse Martial Arts beads except on an attack in that area: `not-an-attack`, `wrong-skill`."""
    roll = action.parts[part_index].roll
    if roll.kind != "to_hit":
        return NOT_AN_ATTACK.under(MARTIAL_ARTS_RULE, action=action.id, part=part_index)
    if draft.get_scene().arts.get(action.id) != area or not is_in_area(draft, area, roll):
        return WRONG_SKILL.under(MARTIAL_ARTS_RULE, skills=[area])
    return None
