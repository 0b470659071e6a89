"""How dice are counted against a target number, with the special cases at either end of the die. Heading: Basics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ledger.rules.kernel.kit import RuleId, quick, rule
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.terms import Side, Special

COUNT = rule(
    "mongrel.task.count",
    "Each die that meets the target number is a success. One success is enough for the task to succeed, except in "
    "a few special cases.",
    "Basics",
)
ONES_FAIL = rule(
    "mongrel.task.ones-fail",
    "If the target number is a target's score and is 1 or less, every face would succeed. The roll then fails when"
    " half or more of the dice show 1.",
    "Basics",
)
SIXES_FAIL = rule(
    "mongrel.task.sixes-fail",
    "If the target number is the roller's own score and is 6 or more, every face would succeed. The roll then "
    "fails when half or more of the dice show 6.",
    "Basics",
)
SEVENS_SUCCEED = rule(
    "mongrel.task.sevens-succeed",
    "If the target number is a target's score and is 7 or more, no face would succeed. The roll then succeeds only"
    " when half or more of the dice show 6. The Effect is 1, and the score of the Identity is not added.",
    "Basics",
)
LOW = rule(
    "mongrel.task.low-impossible",
    "If the target number is the roller's own score and is below 1, the roll fails (our reading). At some tables, "
    "the roll succeeds with an Effect of 1 when half or more of the dice show 1.",
    "Basics",
)
ZERO_EXPERTISE = rule(
    "mongrel.task.zero-expertise",
    "If neither the Expertise nor a Power option that fits gives any dice, one die is rolled twice and must "
    "succeed both times. The Effect is then 1, and the score of the Identity is not added.",
    "Basics",
)
#: The rule that decides a roll, by its special case; None is the plain count.
RULE_OF_SPECIAL: Mapping[Special | None, RuleId] = {
    None: COUNT,
    "ones-fail": ONES_FAIL,
    "sixes-fail": SIXES_FAIL,
    "sevens-succeed": SEVENS_SUCCEED,
    "low-longshot": LOW,
    "zero-expertise": ZERO_EXPERTISE,
}

LOWEST, HIGHEST = 1, 6


@quick
@dataclass(frozen=True, slots=True)
class Count:
    """The count of a roll. `is_flat`: whether it is a success whose Effect is 1 whatever the Identity. `special`: the
    special case that decided instead of the plain count, if any.
    """

    is_success: bool
    success_count: int
    special: Special | None = None
    is_flat: bool = False


def is_good_face(face: int, tn: int, side: Side) -> bool:
    return face <= tn if side == "own" else face >= tn


def is_half(faces: tuple[int, ...], face: int) -> bool:
    return 2 * faces.count(face) >= len(faces)


def count(faces: tuple[int, ...], tn: int, side: Side, dials: Dials) -> Count:
    """Return the count of the dice by `mongrel.task.count`, with the special cases at either end of the die."""
    is_always = dials.special_cases_scope == "always"
    if side == "target":
        if tn > HIGHEST:
            return _count_long_shot(faces, HIGHEST, "sevens-succeed")
        if (tn <= LOWEST or is_always) and is_half(faces, LOWEST):
            return Count(False, 0, "ones-fail")
    else:
        if tn < LOWEST:
            return _count_long_shot(faces, LOWEST, "low-longshot") if dials.low_longshot else Count(False, 0)
        if (tn >= HIGHEST or is_always) and is_half(faces, HIGHEST):
            return Count(False, 0, "sixes-fail")
    success_count = sum(1 for face in faces if is_good_face(face, tn, side))
    return Count(success_count > 0, success_count)


def _count_long_shot(faces: tuple[int, ...], face: int, special: Special) -> Count:
    """Return the count of a long shot: no face can meet the number, but it succeeds if half of the dice or more show
    the best face.
    """
    if is_half(faces, face):
        return Count(True, faces.count(face), special, is_flat=True)
    return Count(False, 0)


def count_zero(faces: tuple[int, ...], tn: int, side: Side, dials: Dials) -> Count:
    """Return the count for Expertise 0: one die is rolled twice, and both rolls must succeed
    (`mongrel.task.zero-expertise`).
    """
    is_success = all(count((face,), tn, side, dials).is_success for face in faces)
    return Count(is_success, 0, "zero-expertise", is_flat=True)


def work_out_target_number(score: int, difficulty: int, side: Side, dials: Dials) -> int:
    """Return the target number, which the difficulty makes harder to meet. The result is never limited to the faces of
    a die (`mongrel.task.modifier`).
    """
    if side == "own" or dials.modifier_direction == "literal":
        return score - difficulty
    return score + difficulty
