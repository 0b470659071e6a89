"""Flukes: runs of ones and twelves, and what they do to a result. Heading: flukes."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.rules.kernel.contract import Step, step
from ledger.rules.mnemonic.dials import Dials
from ledger.rules.mnemonic.facts import CheckRuled
from ledger.rules.mnemonic.parts import Readings
from ledger.rules.mnemonic.tables import HIGHEST
from ledger.rules.mnemonic.terms import THREE_METHODS, FlukeKind, Method

EDGES = (1, HIGHEST)
KINDS: dict[tuple[int, int], FlukeKind] = {
    (1, 2): "automatic_success",
    (HIGHEST, 2): "automatic_failure",
    (1, 3): "spectacular_success",
    (HIGHEST, 3): "spectacular_failure",
}


@dataclass(frozen=True, slots=True)
class Read:
    """What the numbers say: the roll, and the fluke among them with the length of its run."""

    roll: int
    fluke: FlukeKind | None
    run: int
    because: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The size of a result: exactly one of the two is positive."""

    successes: int
    failures: int


def flukes_in(dials: Dials, method: Method) -> bool:
    """Whether flukes happen in a check by this method."""
    return dials.flukes_on and (method != "verbal" or dials.flukes_verbal)


def more_needed(flukes: bool, faces: tuple[int, ...]) -> bool:
    """Whether another number is to come: the first; after a 1 or 12 at most two more, while it stays the same."""
    if not faces:
        return True
    return flukes and len(faces) < 3 and faces[0] in EDGES and all(face == faces[0] for face in faces)


def read(check: CheckRuled, faces: tuple[int, ...]) -> Read:
    """The roll and the fluke that these numbers are."""
    if check.method in THREE_METHODS:
        return _three(check.readings, faces)
    run = len(faces) if all(face == faces[0] for face in faces) else len(faces) - 1
    last = len(faces) == 2 and run == 1 and check.readings.normal_uses == "last"
    roll = faces[-1] if last else faces[0]
    rule = "mnemonic.random.verbal" if check.method == "verbal" else "mnemonic.random.one"
    reading = step("mnemonic.fluke.one" if len(faces) > 1 else rule, roll, faces=list(faces))
    return _with_fluke(roll, KINDS.get((faces[0], run)) if check.readings.flukes else None, run, reading)


def _three(readings: Readings, faces: tuple[int, ...]) -> Read:
    """The middle one, or the mean to the nearest whole; a pair of ones or twelves is a run, whatever the third is."""
    roll = sorted(faces)[1] if readings.three_reading == "median" else (sum(faces) + 1) // 3
    reading = step("mnemonic.random.three", roll, faces=list(faces), reading=readings.three_reading)
    edge = next((face for face in EDGES if faces.count(face) > 1), None)
    if not readings.flukes or edge is None:
        return Read(roll, None, 0, (reading,))
    return _with_fluke(roll, KINDS[edge, faces.count(edge)], faces.count(edge), reading, "mnemonic.fluke.three")


def _with_fluke(roll: int, fluke: FlukeKind | None, run: int, reading: Step, rule: str = "mnemonic.fluke.one") -> Read:
    if fluke is None:
        return Read(roll, None, 0, (reading,))
    return Read(roll, fluke, run, (reading, step(rule, run, roll=roll), step("mnemonic.fluke.kinds", fluke, run=run)))


def normal(total: int) -> Outcome:
    """`mnemonic.check.outcome`: zero and more succeed, and get one more at the very end."""
    return Outcome(total + 1, 0) if total >= 0 else Outcome(0, -total)


def with_fluke(readings: Readings, fluke: FlukeKind, result: Outcome) -> Outcome:
    """Regardless of the total: solid for an automatic result, the best or worst for a spectacular one.

    A result is never made smaller in its own direction, unless automatic ones are read as exactly solid.
    """
    solid = readings.solid
    match fluke:
        case "automatic_success":
            return Outcome(solid if readings.automatic == "exact" else max(result.successes, solid), 0)
        case "automatic_failure":
            return Outcome(0, solid if readings.automatic == "exact" else max(result.failures, solid))
        case "spectacular_success":
            return Outcome(max(result.successes, readings.spectacular), 0)
        case "spectacular_failure":
            return Outcome(0, max(result.failures, readings.spectacular))


def rule_of(fluke: FlukeKind) -> str:
    """The rule that says what this fluke does."""
    return f"mnemonic.fluke.{fluke.partition('_')[0]}"
