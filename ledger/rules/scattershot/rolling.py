"""Faces typed in with an input, and two ten-sided dice asked for."""

from __future__ import annotations

from ledger.rules.kernel.questions import Asking, roll
from ledger.rules.kernel.subjects import character
from ledger.rules.scattershot.guards import no


def faces_of(typed: object, count: int, sides: int, rule: str, code: str) -> tuple[int, ...] | None:
    """The faces, where they were typed in; None where they are asked for. Refuses `bad-number`, or the face's code."""
    if typed is None:
        return None
    if not isinstance(typed, list | tuple) or len(typed) != count:
        raise no(rule, "bad-number" if sides == 6 else code, faces=str(typed))
    for face in typed:
        if type(face) is not int or not 1 <= face <= sides:
            raise no(rule, code, face=str(face))
    return tuple(typed)


def two_d10(id: str | None, slot: str, purpose: str) -> Asking[tuple[int, ...]]:
    who, code = character(id) if id is not None else None, "bad-d10"
    faces = yield from roll(
        who, 2, 10, slot=slot, purpose=purpose, rule="scattershot.mib.basic", count_code=code, face_code=code
    )
    return faces
