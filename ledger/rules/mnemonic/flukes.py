"""Flukes: runs of ones and twelves, the kind of fluke of each run, and how it changes the result."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.rules.kernel.kit import RuleId, Step, rule, step
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.records import CheckRuled, Readings
from ledger.rules.mnemonic.words import HIGHEST, THREE_METHODS, FlukeKind, Method

EDGES = (1, HIGHEST)
KIND_BY_RUN: dict[tuple[int, int], FlukeKind] = {
    (1, 2): "automatic_success",
    (HIGHEST, 2): "automatic_failure",
    (1, 3): "spectacular_success",
    (HIGHEST, 3): "spectacular_failure",
}

# --- from the numbers to the roll -------------------------------------------------------------------------------------

ONE = rule(
    "mnemonic.random.one",
    "One die, one card or one spoken number gives a roll from 1 to 12.",
    "flukes",
)
THREE = rule(
    "mnemonic.random.three",
    "With three dice or three cards, the roll is the middle number, or the mean of the three, rounded to the "
    "nearest whole number.",
    "flukes",
    step="The {reading} of {faces} is {out}.",
)
VERBAL = rule(
    "mnemonic.random.verbal",
    "Without dice or cards, the players agree on a number, or each of them says a number and you add the numbers "
    "up. If the sum is above 12, counting starts again at 1: 13 counts as 1, 14 as 2.",
    "flukes",
)
FLUKE_ONE = rule(
    "mnemonic.fluke.one",
    "With one die or one card, roll or draw again after a 1 or a 12. If you get the same number again, roll or"
    " draw a third time.",
    "flukes",
)
FLUKE_THREE = rule(
    "mnemonic.fluke.three",
    "With three dice or cards, two or three 1s are a fluke, and so are two or three 12s. Nothing is rolled again.",
    "flukes",
)
FLUKE_KINDS = rule(
    "mnemonic.fluke.kinds",
    "Two 1s are an Automatic Success, and three are a Spectacular Success. Two 12s are an Automatic Failure, and "
    "three are a Spectacular Failure.",
    "flukes",
)


@dataclass(frozen=True, slots=True)
class Reading:
    """The meaning of the numbers: the roll, and the fluke among them, if any, with the length of its run."""

    roll: int
    fluke: FlukeKind | None
    run: int
    because: tuple[Step, ...]


def has_flukes(dials: Dials, method: Method) -> bool:
    """Return whether flukes happen in a check that uses this method."""
    return dials.flukes_on and (method != "verbal" or dials.flukes_verbal)


def are_faces_incomplete(can_be_fluke: bool, faces: tuple[int, ...]) -> bool:
    """Return whether another number must follow: the first one or, after a 1 or 12, up to two more while they are the
    same.
    """
    if not faces:
        return True
    return can_be_fluke and len(faces) < 3 and faces[0] in EDGES and all(face == faces[0] for face in faces)


def read_faces(ruled_check: CheckRuled, faces: tuple[int, ...]) -> Reading:
    """Return the roll and the fluke that these numbers make."""
    if ruled_check.method in THREE_METHODS:
        return _read_three(ruled_check.readings, faces)
    run_length = len(faces) if all(face == faces[0] for face in faces) else len(faces) - 1
    is_last = len(faces) == 2 and run_length == 1 and ruled_check.readings.normal_uses == "last"
    roll = faces[-1] if is_last else faces[0]
    rule = VERBAL if ruled_check.method == "verbal" else ONE
    first_step = step(FLUKE_ONE if len(faces) > 1 else rule, roll, faces=list(faces))
    return _add_fluke(
        roll,
        KIND_BY_RUN.get((faces[0], run_length)) if ruled_check.readings.flukes else None,
        run_length,
        first_step,
        FLUKE_ONE,
    )


def _read_three(readings: Readings, faces: tuple[int, ...]) -> Reading:
    """Return the roll, which is the middle number or the rounded mean. Two ones or twelves make a run, whatever the
    third number is.
    """
    roll = sorted(faces)[1] if readings.three_reading == "median" else (sum(faces) + 1) // 3
    first_step = step(THREE, roll, faces=list(faces), reading=readings.three_reading)
    edge = next((face for face in EDGES if faces.count(face) > 1), None)
    if not readings.flukes or edge is None:
        return Reading(roll, None, 0, (first_step,))
    return _add_fluke(roll, KIND_BY_RUN[edge, faces.count(edge)], faces.count(edge), first_step, FLUKE_THREE)


def _add_fluke(roll: int, fluke: FlukeKind | None, run_length: int, first_step: Step, rule: RuleId) -> Reading:
    if fluke is None:
        return Reading(roll, None, 0, (first_step,))
    return Reading(
        roll,
        fluke,
        run_length,
        (first_step, step(rule, run_length, roll=roll), step(FLUKE_KINDS, fluke, run=run_length)),
    )


# --- how a fluke changes the result -----------------------------------------------------------------------------------

AUTOMATIC = rule(
    "mnemonic.fluke.automatic",
    "An Automatic Success or Failure counts, whatever the total is. Its result is solid: usually at least 4 "
    "Successes or Failures.",
    "flukes",
)
SPECTACULAR = rule(
    "mnemonic.fluke.spectacular",
    "A Spectacular result is the best or the worst possible one: usually at least 6 Successes or Failures. The "
    "referee can add consequences.",
    "flukes",
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result: the number of Successes or of Failures. Exactly one of the two is positive."""

    success_count: int
    failure_count: int


def read_total(total: int) -> Outcome:
    """Return the result without a fluke. A total of 0 or more is a success, and 1 is added to it."""
    return Outcome(total + 1, 0) if total >= 0 else Outcome(0, -total)


def apply_fluke(readings: Readings, fluke: FlukeKind, result: Outcome) -> Outcome:
    """Return the result with the fluke: a solid one for an automatic fluke, the best or worst for a spectacular one.

    The fluke never makes a result of its own kind smaller, unless an option reads automatic results as exactly solid.
    """
    solid = readings.solid
    match fluke:
        case "automatic_success":
            return Outcome(solid if readings.automatic == "exact" else max(result.success_count, solid), 0)
        case "automatic_failure":
            return Outcome(0, solid if readings.automatic == "exact" else max(result.failure_count, solid))
        case "spectacular_success":
            return Outcome(max(result.success_count, readings.spectacular), 0)
        case "spectacular_failure":
            return Outcome(0, max(result.failure_count, readings.spectacular))


def find_rule(fluke: FlukeKind) -> RuleId:
    return AUTOMATIC if fluke.startswith("automatic") else SPECTACULAR
