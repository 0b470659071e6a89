"""Dice and their results (headings "Generating Numbers", "Dice Rolling", "Levels of success")."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ledger.rules.kernel.kit import Die, Refusal, listed, quick, rule
from ledger.rules.moc import piles
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.state import Action, Part, Play, Scene
from ledger.rules.moc.words import FACE_OUT_OF_RANGE, LEVELS, Sent

DICE_FACES = rule(
    "moc.dice.faces",
    "Only six-sided dice (d6) and ten-sided dice (d10) are used. A roll uses d10 unless a rule asks for d6.",
    "Generating Numbers",
)
UNKNOWN_DIE = Refusal(
    DICE_FACES, "unknown-die", "Rolls use d10s, and some damage uses d6s[, so a d{sides} is not possible here]."
)
WRONG_DICE_COUNT = Refusal(DICE_FACES, "wrong-dice-count", "Roll {expected:die|dice}, not {given}.")
DICE_OPEN_ENDED = rule(
    "moc.dice.open-ended",
    "Each 10 rolled on a d10 adds a bonus d10, and a 10 on a bonus die adds another. A 1 on a bonus die counts as a 2.",
    "Dice Rolling",
)
BONUS_DIE_MISSING = Refusal(
    DICE_OPEN_ENDED, "bonus-die-missing", "{missing:bonus die is|bonus dice are} missing. Each 10 adds one."
)
UNEARNED_BONUS_DIE = Refusal(
    DICE_OPEN_ENDED,
    "unearned-bonus-die",
    "[There is a bonus die that shows {face}, but no 10 that adds it][A d{sides} adds no bonus dice].",
)
DICE_EFFECT_NUMBER = rule(
    "moc.dice.effect-number",
    "Each number rolled is worth its own value, plus 1 for each additional die that shows it. The Effect Number"
    " (EN) of a roll is the highest of these values.",
    "Generating Numbers",
    step="The Effect Number is {out}.",
)
EMPTY_POOL = Refusal(DICE_EFFECT_NUMBER, "empty-pool", "There are no dice[. Roll {expected:die|dice}].")
DICE_SUCCESSES = rule(
    "moc.dice.successes",
    "Depending on the kind of roll, the number of successes is either the Effect Number (EN) minus the target"
    " number (TN), plus 1, or the number of dice that reach the TN.",
    "Levels of success",
    step="{out:success|successes} against TN {tn}.",
)
RESOLVE = rule(
    "moc.level.resolve",
    "The number of successes decides the level: 0 is a Failure, 1 a Near Success, 2 a Marginal Success, 3 a"
    " Success and 4 or more an Outstanding Success. If no die scored a success, a Failure becomes a Spectacular"
    " Failure when a die shows a 1, or when an opponent spends a bead, card or chip to make it one.",
    "Levels of success",
)
LEVEL_REQUIRED = rule(
    "moc.level.required",
    "An action passes if it reaches the level that was required when it was declared. Unless another level "
    "was named, a Near Success is required.",
    "Levels of success",
)
NO_NUMBER_FOR_LEVEL = Refusal(
    LEVEL_REQUIRED,
    "no-number-for-level",
    "A failure has no number to reach. Leave the number out, or require a higher level.",
)
TARGET_NUMBER = rule(
    "moc.tn",
    "The game master sets the target number (TN): 7 is standard, 9 difficult, 11 or more very difficult. A "
    "TN is never below the campaign's minimum.",
    "Levels of success",
)
MEANING = rule(
    "moc.level.meaning",
    "The game master says what each level of success means for an action. If a bead, card or chip decided the"
    " action instead of dice, the player can say so instead, with the game master's approval.",
    "Dice Rolling",
)


def check_faces(faces: Iterable[Sent], sides: int) -> tuple[int, ...]:
    """Return the faces. Refuses `unknown-die`, `face-out-of-range`."""
    if sides not in (6, 10):
        raise UNKNOWN_DIE(sides=sides)
    checked_faces = []
    for face in faces:
        if type(face) is not int or not 1 <= face <= sides:
            raise FACE_OUT_OF_RANGE.under(DICE_FACES, face=str(face), sides=sides)
        checked_faces.append(face)
    return tuple(checked_faces)


def check_bonus(base_faces: Sequence[int], bonus_faces: Sequence[int]) -> None:
    """Check that there is one bonus die for each 10. Refuses `unearned-bonus-die`, `bonus-die-missing`."""
    owed_count = base_faces.count(10)
    for face in bonus_faces:
        if owed_count == 0:
            raise UNEARNED_BONUS_DIE(face=face)
        owed_count += (face == 10) - 1
    if owed_count:
        raise BONUS_DIE_MISSING(missing=owed_count)


def check_pool(
    count: int, faces: Iterable[Sent], bonus: Iterable[Sent], sides: int = 10
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return typed dice and bonus dice.

    Refuses `unknown-die`, `face-out-of-range`, `wrong-dice-count`, and the codes of `check_bonus`.
    """
    sent_faces = tuple(faces)
    all_faces = check_faces((*sent_faces, *bonus), sides)
    base_faces, bonus_faces = all_faces[: len(sent_faces)], all_faces[len(sent_faces) :]
    if count and not base_faces:
        raise EMPTY_POOL(expected=count)
    if len(base_faces) != count:
        raise WRONG_DICE_COUNT(expected=count, given=len(base_faces))
    if sides == 10:
        check_bonus(base_faces, bonus_faces)
    elif bonus_faces:
        raise UNEARNED_BONUS_DIE(sides=sides)
    return base_faces, bonus_faces


def compute_effect_number(
    values: Sequence[int], changed_flags: Sequence[bool], only_natural_duplicates: bool = True
) -> int:
    """Return the Effect Number. Refuses `empty-pool`."""
    if not values:
        raise EMPTY_POOL()
    natural_values = [
        value
        for value, is_changed in zip(values, changed_flags, strict=True)
        if not (only_natural_duplicates and is_changed)
    ]
    return max([value + max(0, natural_values.count(value) - 1) for value in values])


def choose_method(kind: str, resolution: str, is_split: bool, split_rolls: str) -> str:
    """Return `en` or `count` for this kind of roll."""
    if kind in ("initiative", "damage", "resisting", "healing") or resolution == "count":
        return "count"
    if resolution == "en":
        return "en"
    if is_split and split_rolls == "count":
        return "count"
    return "count" if kind in ("opposed", "dodge", "to_hit") else "en"


def count_successes(
    values: Sequence[int], changed_flags: Sequence[bool], tn: int, method: str, only_natural_duplicates: bool = True
) -> int:
    """Return the number of successes, or 0 if there are no dice.

    `method`: `en` or `count`. `changed_flags`: which values an EM changed.
    """
    if not values:
        return 0
    if method == "en":
        return max(0, compute_effect_number(values, changed_flags, only_natural_duplicates) - tn + 1)
    return sum(1 for value in values if value >= tn)


def find_level(total: int, rolled: int, has_one: bool, is_shifted: bool) -> int:
    if total > 0:
        return min(4, total)
    return -1 if rolled == 0 and (has_one or is_shifted) else 0


def compute_number_needed(tn: int, level: int) -> int:
    """Return the number that must be reached for a level. Refuses `no-number-for-level` for the two failures."""
    if level < 1:
        raise NO_NUMBER_FOR_LEVEL(level=level)
    return tn + level - 1


def show_dice(faces: Iterable[int], bonus: Iterable[int], name: str = "") -> tuple[Die, ...]:
    """Return ten-sided dice in the format for showing rolls. `bonus`: dice that 10s added."""
    bonus_name = f"{name} bonus".strip().capitalize()
    return (*(Die(10, face, name=name) for face in faces), *(Die(10, face, name=bonus_name) for face in bonus))


def say_dice_shown(faces: Iterable[int], bonus: Iterable[int]) -> str:
    face_list, bonus_list = [*faces], [*bonus]
    if not face_list:
        return "no dice"
    bonus_words = (
        f", plus bonus {'die' if len(bonus_list) == 1 else 'dice'} {listed(map(str, bonus_list))}" if bonus_list else ""
    )
    return listed(map(str, face_list)) + bonus_words


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def say_ordinal(index: object) -> str:
    """Return an ordinal. 0 is the first."""
    return ORDINALS[index] if isinstance(index, int) and 0 <= index < len(ORDINALS) else f"{index}."


def say_part(part_index: object) -> str:
    """Return the name of a part of a split pool. The first part has no name, because it can be the only one."""
    return f" of the {say_ordinal(part_index)} part" if part_index else ""


# --- the result of an action ------------------------------------------------------------------------------------------


def has_free_marginal(action: Action, part_index: int) -> bool:
    """Return whether a bead gives the part a Marginal Success that has not been cancelled."""
    return any(play.use == "free_marginal" and play.part == part_index for play in piles.list_effective(action.plays))


def find_deciding_play(action: Action, part_index: int) -> Play | None:
    """Return the effective EM that decides the part instead of dice, or None."""
    plays = (
        play
        for play in piles.list_effective(action.plays)
        if play.use == "determine" and play.part == part_index and not play.returned
    )
    return next(plays, None)


@quick
@dataclass(frozen=True, slots=True)
class Outcome:
    """The current result of a part. `left`, `left_bead_count`: the successes that have not been declared yet, and how
    many of them come from beads.
    """

    rolled: int
    has_one: bool
    added: int
    subtracted: int
    total: int
    level: int
    tn: int
    left: int
    left_bead_count: int
    is_free: bool
    is_trumped: bool
    is_shifted: bool
    is_decided: bool = False

    @property
    def is_sure(self) -> bool:
        """Whether the part needs no dice."""
        return self.is_free or self.is_decided


def read_values(action: Action, index: int) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    """Return the current values of a part's dice that count, and which of them an EM changed."""
    part = action.parts[index]
    values = list(piles.read_dice(part.faces, part.bonus))
    changed_flags = [False] * len(values)
    for play in piles.list_effective(action.plays):
        if play.points:
            for part_index, die_index, points in play.points:
                if part_index == index and points and die_index < len(values):
                    values[die_index] += points
                    changed_flags[die_index] = True
    counted_indexes = _list_counted_dice(action, index)
    return tuple(values[die_index] for die_index in counted_indexes), tuple(
        changed_flags[die_index] for die_index in counted_indexes
    )


def _list_counted_dice(action: Action, part_index: int) -> list[int]:
    """Return the dice that count. If beads that added dice were cancelled later, the last dice do not count."""
    part = action.parts[part_index]
    base_count, gone_count = len(part.faces), max(0, part.beads - piles.count_bead_dice(action, part_index))
    opened_count = part.faces[base_count - gone_count :].count(10)
    return [*range(base_count - gone_count), *range(base_count, base_count + len(part.bonus) - opened_count)]


def find_tn(dials: Dials, action: Action, part_index: int) -> int:
    """Return the target number, as reduced by beads, but not below the minimum."""
    beads_spent = sum(
        play.number
        for play in piles.list_effective(action.plays)
        if play.use == "reduce_difficulty" and play.part == part_index
    )
    return max(dials.tn_floor, action.parts[part_index].roll.tn - beads_spent)


def find_outcome(dials: Dials, action: Action, part_index: int) -> Outcome:
    part = action.parts[part_index]
    values, changed_flags = read_values(action, part_index)
    tn = find_tn(dials, action, part_index)
    method = choose_method(part.roll.kind, dials.resolution, len(action.parts) > 1, dials.split_rolls)
    if method == "en" and part.roll.opposed and dials.resolution == "mixed":
        method = "count"
    rolled = count_successes(values, changed_flags, tn, method, dials.en_natural_only)
    changes = [
        play.successes
        for play in piles.list_effective(action.plays)
        if play.part == part_index and play.use in ("add_successes", "storytelling")
    ]
    added_successes, subtracted_successes = sum(n for n in changes if n > 0), -sum(n for n in changes if n < 0)
    is_shifted = any(play.use == "shift" and play.part == part_index for play in piles.list_effective(action.plays))
    is_free, is_trumped = has_free_marginal(action, part_index), piles.is_roll_trumped(action.plays, "roll", part_index)
    deciding_play = find_deciding_play(action, part_index)
    has_one = 1 in values
    total = max(0, rolled + added_successes - subtracted_successes)
    level = find_level(total, rolled, has_one, is_shifted)
    if is_free:
        total = max(0, 2 - subtracted_successes)
        level = total
    if deciding_play is not None:
        total = max(0, deciding_play.successes + added_successes - subtracted_successes)
        level = min(LEVELS["outstanding"], total) if total else min(0, deciding_play.successes)
    if is_trumped:
        total, level = 0, 0
    if part.white and (is_trumped or not is_free) and level < 3:
        total, level = 3, 3
    beyond_dice = max(
        0, subtracted_successes - rolled
    )  # more than the rolled successes were cancelled, so beads lose the rest
    successes_left, left_bead_count = (
        (total, 0)
        if is_free or deciding_play is not None
        else (max(0, rolled - subtracted_successes), max(0, added_successes - beyond_dice))
    )
    successes_left, left_bead_count = (
        (0, 0) if is_trumped else (successes_left - part.spent, left_bead_count - part.spent_beads)
    )
    return Outcome(
        rolled,
        has_one,
        added_successes,
        subtracted_successes,
        total,
        level,
        tn,
        successes_left,
        left_bead_count,
        is_free,
        is_trumped,
        is_shifted,
        deciding_play is not None,
    )


def count_nets(part: Part, outcome: Outcome) -> dict[str, int]:
    """Return the successes declared on each target, minus those cancelled. There are none if the part is trumped, and
    at least 3 with a white chip.
    """
    successes_by_target: dict[str, int] = {}
    for claim in part.claims:
        net = 0 if outcome.is_trumped else max(0, claim.number - claim.taken)
        successes_by_target[claim.target] = successes_by_target.get(claim.target, 0) + net
    return {target: max(3, net) for target, net in successes_by_target.items()} if part.white else successes_by_target


def find_current_level(part: Part, outcome: Outcome) -> int:
    """Return the current level of a part: based on its declared successes, if there are any."""
    successes_by_target = count_nets(part, outcome)
    return min(LEVELS["outstanding"], max(successes_by_target.values())) if successes_by_target else outcome.level


def list_hit_targets(scene: Scene, action_id: str, part_index: int) -> frozenset[str]:
    return frozenset(hit.target for hit in scene.hits.values() if (hit.action, hit.part) == (action_id, part_index))


def list_declared_targets(part: Part) -> frozenset[str]:
    return frozenset(claim.target for claim in part.claims)


def list_open_targets(part: Part, hit_ids: frozenset[str], candidate_ids: Iterable[str]) -> tuple[str, ...]:
    """Return the characters whom an attack can still hit: its declared targets, or all candidates if none were
    declared. An attack without declared targets hits only one character.
    """
    declared_ids = list_declared_targets(part)
    if part.roll.kind != "to_hit" or hit_ids - declared_ids:
        return ()
    return tuple(
        char_id for char_id in candidate_ids if char_id not in hit_ids and (not declared_ids or char_id in declared_ids)
    )


def count_net(part: Part, outcome: Outcome, target: str) -> int:
    """Return the net successes against a target: those declared minus those cancelled, or all net successes if none
    were declared.
    """
    claims = [claim for claim in part.claims if claim.target == target]
    net = sum(max(0, claim.number - claim.taken) for claim in claims) if part.claims else outcome.total
    if part.claims and outcome.is_trumped:
        net = 0
    return max(3, net) if part.white and (claims or not part.claims) else net


def has_known_result(part: Part) -> bool:
    return bool(part.rolled or part.white) or part.stage == "resolved"
