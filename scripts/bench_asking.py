"""Declare without typed dice, and enter these dice when the rules ask for them. So every game's exchange asks a
question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from scripts.bench_games import Json

TYPED = ("faces", "numbers")  # fields that contain typed dice


def split_typed_dice(declaration: Json) -> tuple[Json, list[int]]:
    """Return the declaration without its typed dice, and these dice in order."""
    bare_declaration = {name: _drop_faces(value) for name, value in declaration.items() if name not in TYPED}
    return bare_declaration, [*_list_faces(declaration)]


def answer_roll(question: Mapping[str, object], faces: list[int]) -> Json:
    """Answer a question with the next dice. These are removed from `faces`."""
    sides, count = question["sides"], question["count"]
    assert question["ask"] == "roll" and isinstance(sides, int) and isinstance(count, int), question
    own_faces, faces[:count] = faces[:count], []
    return {"dice": {"sides": sides, "faces": own_faces}}


def _drop_faces(value: object) -> object:
    if isinstance(value, list):
        return [
            {name: value for name, value in item.items() if name != "face"} if _is_die(item) else item for item in value
        ]
    return value


def _is_die(item: object) -> bool:
    return isinstance(item, dict) and {"die", "face"} <= item.keys()


def _list_faces(declaration: Mapping[str, object]) -> Iterator[int]:
    for name, value in declaration.items():
        if name in TYPED or (isinstance(value, list) and any(map(_is_die, value))):
            yield from _list_numbers(value)


def _list_numbers(value: object) -> Iterator[int]:
    """Yield the numbers of dice in a list or an object."""
    if isinstance(value, int):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _list_numbers(item)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for item in value:
            yield from _list_numbers(item)
