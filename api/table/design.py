"""The parts of the page, side by side, for people who change its design. No campaign is shown."""

from __future__ import annotations

from fastapi import APIRouter, Response

from api.table.client import Json
from api.table.pages import PageRoute, render_plain_page
from api.table.words import Words

router = APIRouter(include_in_schema=False, route_class=PageRoute)
SIDES = (4, 6, 8, 10, 12, 20)
NOBODY = {"who": None, "total": None, "target": None, "success": None, "word": "", "effect": "", "bound": None}


def _make_dice(sides: int, *faces: int, counts: bool | None = None, name: str = "") -> list[Json]:
    return [{"sides": sides, "face": face, "counts": counts, "name": name} for face in faces]


ROLLS: list[Json] = [
    {
        **NOBODY,
        "name": "Counted dice",
        "dice": [*_make_dice(6, 5, 6, counts=True), *_make_dice(6, 1, counts=False)],
        "target": 4,
        "success": True,
        "word": "Success",
        "effect": "Effect 3",
        "bound": "at-least",
    },
    {
        **NOBODY,
        "name": "A failure",
        "dice": _make_dice(10, 9, 9),
        "total": 18,
        "success": False,
        "word": "Catastrophic Failure",
        "effect": "Missed by 8",
    },
    {
        **NOBODY,
        "name": "Named dice",
        "dice": [*_make_dice(6, 3, name="Level"), *_make_dice(10, 7, name="Smooth Talker")],
    },
    {
        **NOBODY,
        "name": "Only numbers",
        "dice": [],
        "total": 8,
        "target": 2,
        "success": True,
        "word": "Success",
        "effect": "Impact rating 14",
    },
]


@router.get("/design")
def show_design() -> Response:
    """Show buttons, dice, results, tracks and prompts."""
    return render_plain_page("design.html.jinja", rolls=ROLLS, sides=SIDES, words=Words({}, {}))
