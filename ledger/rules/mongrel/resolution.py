"""Dice against a target number. Headings: Task Resolution, Basics, Effect, Modifiers. Pure arithmetic."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.rules.kernel.frozen import quick
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.terms import Grade, Side, Special

LOWEST, HIGHEST = 1, 6


@quick
@dataclass(frozen=True, slots=True)
class Count:
    """`flat`: a success whose Effect is 1 whatever the Identity. `meets`: dice that meet the number, whatever decided.

    `special`: what decided in place of the plain count.
    """

    success: bool
    successes: int
    special: Special | None = None
    flat: bool = False


def target_number(score: int, difficulty: int, side: Side, dials: Dials) -> int:
    """`mongrel.task.modifier`: difficulty hinders; never clamped."""
    if side == "own" or dials.modifier_direction == "literal":
        return score - difficulty
    return score + difficulty


def meets(face: int, tn: int, side: Side) -> bool:
    return face <= tn if side == "own" else face >= tn


def half(faces: tuple[int, ...], value: int) -> bool:
    return 2 * faces.count(value) >= len(faces)


def count(faces: tuple[int, ...], tn: int, side: Side, dials: Dials) -> Count:
    """`mongrel.task.count`, and the special cases at either end of the die."""
    always = dials.special_cases_scope == "always"
    if side == "target":
        if tn > HIGHEST:
            return _long_shot(faces, HIGHEST, "sevens-succeed")
        if (tn <= LOWEST or always) and half(faces, LOWEST):
            return Count(False, 0, "ones-fail")
    else:
        if tn < LOWEST:
            return _long_shot(faces, LOWEST, "low-longshot") if dials.low_longshot else Count(False, 0)
        if (tn >= HIGHEST or always) and half(faces, HIGHEST):
            return Count(False, 0, "sixes-fail")
    successes = sum(1 for face in faces if meets(face, tn, side))
    return Count(successes > 0, successes)


def _long_shot(faces: tuple[int, ...], value: int, special: Special) -> Count:
    """`mongrel.task.sevens-succeed`: no face can meet the number, but half or more of the best ones will do."""
    if half(faces, value):
        return Count(True, faces.count(value), special, flat=True)
    return Count(False, 0)


def count_zero(faces: tuple[int, ...], tn: int, side: Side, dials: Dials) -> Count:
    """`mongrel.task.zero-expertise`: one die rolled twice, and both rolls must succeed."""
    both = all(count((face,), tn, side, dials).success for face in faces)
    return Count(both, 0, "zero-expertise", flat=True)


def base_effect(counted: Count, tn: int, identity: int, dials: Dials) -> int:
    """`mongrel.effect.base`."""
    if not counted.success:
        return 0
    if counted.flat:
        return 1
    return counted.successes + identity + (tn if dials.effect_adds_tn else 0)


def grade(effect: int) -> Grade:
    """`mongrel.effect.grade`."""
    if effect <= 0:
        return "none"
    if effect == 1:
        return "minimal"
    return "solid" if effect < 4 else "notable"
