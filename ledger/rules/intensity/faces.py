"""Faces of dice: typed in and checked, or asked for."""

from __future__ import annotations

from ledger.rules.intensity.inputs_of_rounds import Faces
from ledger.rules.intensity.terms import DieName
from ledger.rules.kernel.questions import Asking, roll
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import character


def check_face(face: object, size: int, rule: str) -> int:
    """A typed face. Refuses `face-range` unless it is an integer 1..size (no bool, string or float)."""
    if type(face) is not int or not 1 <= face <= size:
        raise Refused(rule, "face-range", face=repr(face), sides=size)
    return face


def check_faces(entry: Faces, sizes: dict[DieName, int], rule: str) -> dict[DieName, int]:
    """One participant's typed faces. Refuses `roll-dice` for a die too few or too many, `face-range`."""
    given: dict[DieName, object] = {"intensity": entry.intensity, "trait": entry.trait}
    if any((face is not None) != (die in sizes) for die, face in given.items()):
        raise Refused(rule, "roll-dice", char=entry.char, dice=list(sizes.values()))
    return {die: check_face(given[die], size, rule) for die, size in sizes.items()}


def ask_face(id: str, die: DieName, size: int, slot: str, purpose: str, rule: str) -> Asking[int]:
    """`slot`: what it is rolled for, in the rules' own word."""
    (face,) = yield from roll(
        character(id), 1, size, slot=f"{slot}:{die}", purpose=f"{die} die: {purpose}", rule=rule, count_code="roll-dice"
    )
    return face


def ask_faces(id: str, sizes: dict[DieName, int], slot: str, purpose: str, rule: str) -> Asking[dict[DieName, int]]:
    """A face of each die, asked for one die at a time."""
    faces: dict[DieName, int] = {}
    for die, size in sizes.items():
        faces[die] = yield from ask_face(id, die, size, slot, purpose, rule)
    return faces
