"""List the ways to go on after a ruling was overturned: play on from there, make it again, or keep the later
rulings.
"""

from __future__ import annotations

from api.table.client import Json
from api.table.pages import Desk

MOST = 100  # the number of later rulings that are examined


async def list_ways_on(desk: Desk, ruling: Json, *, decides: bool) -> list[tuple[str, str, str]]:
    """Return the name, meaning and address of each way to go on.

    Return an empty list if the ruling is not overturned, if a rewind overturned it, or if the seat may not decide.
    """
    decisions = ruling["decisions"]
    if not decides or ruling["status"] != "overturned" or (decisions and decisions[-1]["decision"] == "rewound"):
        return []
    number, path = ruling["number"], desk.session.path
    later_rulings = (await desk.client.get("/rulings", after=number, limit=MOST))["rulings"]
    later_number = next(
        (later_ruling["number"] for later_ruling in later_rulings if later_ruling["status"] != "overturned"), None
    )
    play_on = ("Play on from here", "The game continues without this ruling.", f"{path}/")
    if later_number is not None:
        meaning = "Later rulings are also overturned. You see a preview first."
        play_on = (f"Rewind to before ruling {later_number}", meaning, f"{path}/rulings/{later_number}/rewind")
    return [
        play_on,
        (
            "Make the ruling again",
            "At the same point in play, with new answers.",
            f"{path}/rulings/{number}/revise?again=true",
        ),
        ("Keep the later rulings", "They stay as they were played.", f"{path}/findings"),
    ]
