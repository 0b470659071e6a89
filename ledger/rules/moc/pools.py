"""The number of dice of an action, and tokens (headings "Skills", "Skill Thresholds", "Extended Actions", "Dice
Pools").
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Protocol

from ledger.rules.kernel.kit import (
    GM,
    Among,
    Between,
    Either,
    Move,
    Names,
    Reason,
    Refusal,
    Refused,
    Says,
    Seen,
    Table,
    changed,
    changes,
    changing,
    decides,
    declares,
    either,
    fact,
    guards,
    offers,
    require,
    rule,
)
from ledger.rules.moc import holdings, piles
from ledger.rules.moc.dice import MEANING
from ledger.rules.moc.draft import Draft, acts, nobody_acts
from ledger.rules.moc.shown import Fields, Offering, fix, get_offering, group_ids, make_part_domain
from ledger.rules.moc.state import Action, Character, Part, Scene, find_action
from ledger.rules.moc.types import MOST, ActionId, CharacteristicName, PartNumber, PrimaryName
from ledger.rules.moc.words import (
    ALREADY_ACTIVATED,
    ALREADY_ROLLED,
    CASCADE,
    CHARACTERISTIC_NOT_OF_SKILL,
    NEGATIVE_DICE,
    NOTHING_DECLARED,
    PRIMARIES,
    TIME_NOT_POSITIVE,
    Sent,
    read_characteristic,
    read_primary,
    read_whole,
    say_count,
    say_with,
)

SKILL_TOKENS = rule(
    "moc.skill.tokens",
    "A player can spend a token of a Primary to add a characteristic that belongs to that Primary to a dice"
    " pool. Each characteristic can be added once per action.",
    "Skill Thresholds",
    step="The token adds {out:die|dice}.",
)
WRONG_TOKEN_POOL = Refusal(
    SKILL_TOKENS, "wrong-token-pool", "The token for {characteristic} must come from one of these: {pools}."
)
PRIMARY_AT_ZERO = Refusal(SKILL_TOKENS, "primary-at-zero", "{character}'s {primary} is at 0 and gives no token.")
NO_TOKEN = Refusal(SKILL_TOKENS, "no-token", "{character} has no token of {primary} left.")
TOKENS = rule(
    "moc.char.tokens",
    "A character has one token for each point of a Primary's rating. Spending the last token of a Primary "
    "causes 1 fatigue.",
    "",
)
FATIGUE = rule(
    "moc.combat.fatigue", "Damage, pain and some actions can cause fatigue. The game master says how much.", "Damage"
)
SKILL_POOL = rule(
    "moc.skill.pool",
    "The dice pool of an action is the sum of the Primary, the skill level, the characteristics that tokens"
    " add, and extra dice. An untrained character loses dice equal to the skill's difficulty, but rolls at "
    "least 1.",
    "Skill Thresholds",
    step="{out:die is|dice are} rolled.",
)
SKILL_GM_DICE = rule(
    "moc.skill.gm-dice",
    "The game master may add dice to a pool for something that serves the story, or take dice away.",
    "Dice Pools",
)
BEAD_USE = rule(
    "moc.bead.use",
    "Before a roll, beads add dice, lower the target number or give a free Marginal Success. After any "
    "roll, each bead adds a success.",
    "What Beads can do",
)


@fact("tokens-filled", says="{subject} gets {number:token|tokens} of {primary}.", changes=None)
class TokensFilled:
    """The rating of a Primary grew, and its pool of tokens grew with it."""

    primary: PrimaryName
    number: int


@fact("token-spent", says="{subject} spends a token of {primary} for {characteristic}.", headline=22, changes=None)
class TokenSpent:
    """A token was spent to add a characteristic."""

    characteristic: CharacteristicName
    primary: PrimaryName


@fact("fatigue-gained", says="{subject} gains {number:level|levels} of fatigue[: {reason}].")
class FatigueGained:
    """A character gained levels of fatigue."""

    number: int
    reason: Reason


@changes
def tire(state: Character, fact: FatigueGained) -> Character:
    return _with_fatigue(state, state.fatigue + fact.number)


_with_fatigue = changing(Character, "fatigue")


def find_scene(table: Table[object]) -> Scene | None:
    return table.get(table.scene, Scene) if table.scene is not None and table.has(table.scene) else None


def find_actor(table: Table[object], do: OfAnAction) -> str | None:
    scene = find_scene(table)
    action = find_action(scene, do.action) if scene is not None else None
    return action.character if action is not None else None


ACTOR = either(find_actor, "the player of the acting character")


class OfAnAction(Protocol):
    """A declaration that names its action."""

    @property
    def action(self) -> str: ...


def read_index_before_roll(draft: Draft, action_id: str, part_sent: Sent) -> int:
    part_index, part = draft.locate_part(draft.get_action(action_id), part_sent)
    if part.rolled:
        raise ALREADY_ROLLED.under(BEAD_USE, part=part_index)
    return part_index


# --- how many dice ----------------------------------------------------------------------------------------------------


#: The index that means the whole pool instead of a part.
WHOLE = -1


def count_base_pool(draft: Draft, action: Action) -> int:
    """Return the number of dice to divide: the first part's Primary, plus dice added to the whole action."""
    return (
        draft.cite_active_value(action.character, action.parts[0].roll.primary, rested_fatigue=action.tired)
        + action.dice
    )


def count_pool(draft: Draft, action: Action, part_index: int) -> int:
    """Return the number of dice of one roll, and cite how they were counted."""
    part, bead_dice_count = action.parts[part_index], piles.count_bead_dice(action, part_index)
    dice_count = count_with_beads(draft, action, part_index, bead_dice_count)
    if part.roll.defence and draft.get_character(action.character).half_defence:
        draft.by(MEANING, dice_count, part=part_index, half_defence=True)
    draft.by(
        SKILL_POOL,
        dice_count,
        part=part_index,
        skill=_count_skill_dice(draft, action, part),
        beads=bead_dice_count,
        trained=part.roll.trained,
    )
    return dice_count


def _count_skill_dice(draft: Draft, action: Action, part: Part) -> int:
    return part.roll.level if not action.split or draft.dials.split_skill_dice == "own_action" else 0


def count_with_beads(draft: Draft, action: Action, part_index: int, bead_dice_count: int) -> int:
    """Return the number of dice of one roll with this many dice from beads. An untrained character loses some dice, but
    keeps at least one.
    """
    part = action.parts[part_index]
    dice_count = (
        (part.dice if action.split else count_base_pool(draft, action))
        + _count_skill_dice(draft, action, part)
        + part.extra
        + bead_dice_count
    )
    whole_count = max(0, dice_count if part.roll.trained else max(1, dice_count - part.roll.difficulty))
    return whole_count // 2 if part.roll.defence and draft.get_character(action.character).half_defence else whole_count


def list_other_characteristics(draft: Draft, part: Part) -> tuple[str, ...]:
    """Return the characteristics that can be added to this roll."""
    entry = draft.get_campaign().skills.get(part.roll.skill)
    if entry is not None:
        return entry.others
    return {"movement": ("Sp",), "resisting": ("T",), "healing": ("L",)}.get(part.roll.kind, ())


# --- tokens -----------------------------------------------------------------------------------------------------------


@fact("characteristic-activated", says="{characteristic} adds {dice:die|dice} to the pool.")
class CharacteristicActivated:
    """A token added a characteristic to a pool. `dice`: how many dice. `tired`: how much fatigue this caused."""

    action: ActionId
    characteristic: CharacteristicName
    primary: PrimaryName
    part: int
    dice: int
    tired: int = 0


@changes
def activate_characteristic(state: Scene, fact: CharacteristicActivated) -> Scene | None:
    action = find_action(state, fact.action)
    if action is None:
        return None
    activated = {**action.activated, fact.characteristic: fact.primary}
    activated_action = changed(action, activated=activated, tired=action.tired + fact.tired)
    return piles.put_action(state, piles.with_dice(activated_action, fact.part, fact.dice))


def activate(
    draft: Draft, action_id: str, characteristic: str, primary: str | None, part_index: int, is_allowed: bool
) -> None:
    """Add a characteristic with a token. Refuses `characteristic-not-of-skill`, `already-activated`, and the codes of
    `pay_token`.
    """
    action = draft.get_action(action_id)
    characteristic = read_characteristic(characteristic, SKILL_TOKENS)
    if characteristic in PRIMARIES or not (
        is_allowed or any(characteristic in list_other_characteristics(draft, part) for part in action.parts)
    ):
        raise CHARACTERISTIC_NOT_OF_SKILL.under(SKILL_TOKENS, characteristic=characteristic)
    if characteristic in action.activated:
        raise ALREADY_ACTIVATED.under(SKILL_TOKENS, characteristic=characteristic)
    source_primary = read_token_primary(characteristic, primary)
    fatigue_before = draft.get_character(action.character).fatigue
    dice_count = pay_token(draft, action.character, characteristic, source_primary)
    fatigue_gained = draft.get_character(action.character).fatigue - fatigue_before
    draft.here(
        CharacteristicActivated(action_id, characteristic, source_primary, part_index, dice_count, fatigue_gained)
    )


@acts(find_actor)
@declares(
    "spend-token",
    ACTOR,
    says="A token is spent for {characteristic}.",
    records=(TokenSpent, FatigueGained, CharacteristicActivated),
)
class SpendToken:
    """Spend a token to add a characteristic to the dice pool.

    `primary`: the Primary that gives the token, if several are possible. `part`: the part of a split pool that gets the
    dice.
    """

    action: ActionId
    characteristic: CharacteristicName
    primary: PrimaryName | None = None
    part: PartNumber = 0
    named: Annotated[
        bool,
        Says(
            "Allowed by the game master",
            "Whether the game master allows a characteristic that the skill does not list.",
        ),
    ] = False


@decides
def spend_token(draft: Draft, do: SpendToken) -> None:
    action = draft.get_action(do.action)
    part_index, part = draft.locate_part(action, do.part)
    if part.rolled:
        raise ALREADY_ROLLED.under(SKILL_TOKENS, part=part_index)
    is_allowed = do.named and draft.table.by.role == "gm"
    activate(draft, action.id, do.characteristic, do.primary, part_index if action.split else WHOLE, is_allowed)


def list_token_moves(offering: Offering, action: Action, unrolled_indexes: tuple[int, ...]) -> Iterator[Move]:
    """Yield ways to spend a token on a characteristic of the skill, or on another that the game master allows, grouped
    by Primary.
    """
    char_id = action.character
    payable_primaries = tuple(primary for primary in PRIMARIES if _may_pay_token(offering, char_id, primary))
    skill_names = {name for part in action.parts for name in list_other_characteristics(offering.draft, part)}
    for primaries, names in group_ids(CASCADE.items()).items():
        source_primaries: tuple[object, ...] = tuple(primary for primary in primaries if primary in payable_primaries)
        if source_primaries and len(primaries) == 1:
            source_primaries = (None, *source_primaries)
        unused_names = [name for name in names if name not in action.activated]
        fitting_names = tuple(name for name in unused_names if name in skill_names)
        other_names = tuple(name for name in unused_names if name not in skill_names)
        fields: Fields = {
            "action": fix(action.id),
            "primary": Among(source_primaries),
            "part": make_part_domain(unrolled_indexes),
        }
        if source_primaries and fitting_names:
            name_fields: Fields = {"characteristic": Among(fitting_names), "named": Among((False, True))}
            yield Move(SpendToken, {**fields, **name_fields}, of=char_id)
        if source_primaries and other_names and offering.is_gm:
            name_fields = {"characteristic": Among(other_names), "named": fix(True)}
            yield Move(SpendToken, {**fields, **name_fields}, of=char_id)


def _may_pay_token(offering: Offering, char_id: str, primary: str) -> bool:
    return may_spend_token(offering.draft, char_id, primary) is None


def read_token_primary(characteristic: str, primary: str | None) -> str:
    """Return the Primary whose pool gives the token. Refuses `wrong-token-pool`."""
    primaries = CASCADE[characteristic]
    if primary is None and len(primaries) == 1:
        return primaries[0]
    wanted_primary = read_primary(primary, SKILL_TOKENS) if primary is not None else ""
    if wanted_primary not in primaries:
        raise WRONG_TOKEN_POOL(characteristic=characteristic, pools=list(primaries))
    return wanted_primary


@guards
def may_spend_token(draft: Draft, char_id: str, primary: str) -> Refused | None:
    """Refuse a token if the Primary is at 0 or has no tokens left: `primary-at-zero`, `no-token`."""
    if draft.find_active_value(char_id, primary) == 0:
        return PRIMARY_AT_ZERO(character=char_id, primary=primary)
    if draft.balance(holdings.name_token_account(char_id, primary)) < 1:
        return NO_TOKEN(character=char_id, primary=primary)
    return None


def pay_token(draft: Draft, char_id: str, characteristic: str, primary: str) -> int:
    """Spend a token, and return how many dice the characteristic adds."""
    require(may_spend_token(draft, char_id, primary))
    posting = holdings.make_posting(holdings.name_token_account(char_id, primary), holdings.TOKENS, 1)
    draft.about(char_id, TokenSpent(characteristic, primary), posting)
    dice_count = draft.get_character(char_id).ratings.get(characteristic, 1)
    draft.by(SKILL_TOKENS, dice_count, characteristic=characteristic, primary=primary)
    if draft.balance(holdings.name_token_account(char_id, primary)) == 0:
        draft.about(char_id, FatigueGained(1, "the last token of a pool"))
        draft.by(TOKENS, 1, primary=primary)
    return dice_count


@offers
def offer_tokens(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    for action in offering.open_actions:
        unrolled_indexes = offering.list_unrolled_indexes(action)
        if unrolled_indexes and action.character in offering.active_ids:
            yield from list_token_moves(offering, action, unrolled_indexes)


# --- the game master's dice -------------------------------------------------------------------------------------------


def say_granted(fact: GmDiceGranted, names: Names) -> str:
    return say_with(_say_dice_given(fact.n), fact.reason)


def _say_dice_given(dice_count: object) -> str:
    """Put into words the game master's dice. A negative number takes dice away."""
    if isinstance(dice_count, int) and dice_count < 0:
        return f"The game master takes away {say_count(-dice_count, 'die', 'dice')}"
    return f"The game master gives {say_count(dice_count, 'die', 'dice')}"


@fact("gm-dice-granted", says=say_granted)
class GmDiceGranted:
    """The game master added dice to a pool, or took some away. `n`: how many; negative if dice were taken away."""

    action: ActionId
    part: int
    n: int
    reason: Reason


@changes
def grant_dice_to(state: Scene, fact: GmDiceGranted) -> Scene | None:
    return piles.add_dice(state, fact.action, fact.part, fact.n)


def say_granting(do: GrantDice, names: Names) -> str:
    return say_with(_say_dice_given(do.number), do.reason)


@nobody_acts
@declares("grant-dice", GM, says=say_granting, records=(GmDiceGranted,))
class GrantDice:
    """Give an action extra dice because it serves the story, or take dice away from it.

    `number`: how many dice. A negative number takes that many dice away, for example as a penalty.
    """

    action: ActionId
    number: Annotated[
        Sent, Between(-MOST, MOST), Says("Dice", "How many dice are added. A number below 0 takes dice away.")
    ]
    reason: Reason
    part: PartNumber = 0


@decides
def grant_dice(draft: Draft, do: GrantDice) -> None:
    dice_count = read_whole(do.number, NEGATIVE_DICE, SKILL_GM_DICE, -MOST)
    part_index = read_index_before_roll(draft, do.action, do.part)
    if dice_count == 0:
        raise NOTHING_DECLARED.under(SKILL_GM_DICE)
    draft.here(GmDiceGranted(do.action, part_index, dice_count, do.reason))
    draft.by(SKILL_GM_DICE, dice_count, reason=do.reason)


@offers
def offer_dice_to_grant(seen: Seen, draft: Draft) -> Iterator[Move]:
    offering = get_offering(seen, draft)
    for action in offering.open_actions:
        if unrolled_indexes := offering.list_unrolled_indexes(action):
            number_domain = Either((Between(1), Between(-MOST, -1)))
            yield Move(
                GrantDice,
                {"action": fix(action.id), "part": make_part_domain(unrolled_indexes), "number": number_domain},
            )


SKILL_EXTENDED = rule(
    "moc.skill.extended",
    "Taking longer over an action gives extra dice: 1 for 3 times the base time, 2 for 7 times, 3 for 15 times,"
    " and so on.",
    "Extended Actions",
    step="Time {time}, base time {base}: {out:extra die|extra dice}.",
)
TIME_TOO_SHORT = Refusal(
    SKILL_EXTENDED, "time-too-short", "The time must be at least the base time, {base}. You entered {spent}."
)


def count_extended_dice(base_time: int, time_spent: int) -> int:
    """Return how many bonus dice the extra time gives. Refuses `time-too-short`."""
    if time_spent < base_time:
        raise TIME_TOO_SHORT(base=base_time, spent=time_spent)
    return (time_spent // base_time + 1).bit_length() - 2


def count_time_dice(draft: Draft, base_time: Sent | None, time: Sent | None) -> int:
    """Return the number of bonus dice for extra time, and cite it."""
    if base_time is None and time is None:
        return 0
    base = read_whole(base_time, TIME_NOT_POSITIVE, SKILL_EXTENDED, 1)
    dice_count = count_extended_dice(base, read_whole(time, TIME_NOT_POSITIVE, SKILL_EXTENDED, 1))
    draft.by(SKILL_EXTENDED, dice_count, base=base, time=time)
    return dice_count
