"""Dice that add further dice: rolling them, and finding the dice of one roll."""

from __future__ import annotations

from collections.abc import Callable

from ledger.rules.kernel.refusals import Unfit


def check_faces(faces: tuple[int, ...], sides: int, rule: str = "ledger.dice", code: str = "face-range") -> None:
    """Check that every face is an integer 1..sides (not a bool, string or float). Raise Unfit if one is not."""
    for face in faces:
        if type(face) is not int or not 1 <= face <= sides:
            raise Unfit(rule, code, face=face, sides=sides)


def roll_open_dice(count: int, opens: int | None, roll_die: Callable[[], int]) -> tuple[int, ...]:
    """Roll `count` dice, one after the other. Roll another die for each die that shows `opens`."""
    faces: list[int] = []
    while len(faces) < count:
        faces.append(roll_die())
        count += faces[-1] == opens
    return tuple(faces)


def is_complete_roll(faces: tuple[int, ...], count: int, opens: int | None) -> bool:
    """Return whether these are exactly the dice of one roll, including those that other dice added."""
    for place, face in enumerate(faces):
        if place >= count:
            return False
        count += face == opens
    return len(faces) == count


def select_first_dice(faces: tuple[int, ...], count: int, opens: int | None) -> tuple[int, ...]:
    """Return the first `count` dice of a roll, with the dice that they added."""
    first_count = len(faces) - (faces.count(opens) if opens is not None else 0)
    opening_places = (place for place, face in enumerate(faces) if face == opens)
    opened_places_by_opener = dict(zip(opening_places, range(first_count, len(faces)), strict=True))
    due_places, selected_places = list(range(min(count, first_count))), list[int]()
    while due_places:
        selected_places.append(due_places.pop(0))
        due_places += (
            [opened_places_by_opener[selected_places[-1]]] if selected_places[-1] in opened_places_by_opener else []
        )
    return tuple(faces[place] for place in selected_places)
