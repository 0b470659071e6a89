"""Scenes on the page: who is in one, and with whom the next one begins."""

from __future__ import annotations

from api.table.client import Json
from api.table.pages import Desk


def add_newcomers(state: Json) -> Json:
    """Return the state with everybody in the last scene who joined after it began. The record keeps its first cast."""
    if not state["scenes"]:
        return state
    *earlier_scenes, scene = state["scenes"]
    newcomer_ids = [
        character["id"]
        for character in state["characters"]
        if not character["retired"] and character["id"] not in scene["cast"] and _is_later(character["id"], scene["id"])
    ]
    return {**state, "scenes": [*earlier_scenes, {**scene, "cast": [*scene["cast"], *newcomer_ids]}]}


def _is_later(id: str, scene_id: str) -> bool:
    """Return whether a character joined after a scene began: their ids are the numbers of these rulings."""
    return id.isdecimal() and scene_id.isdecimal() and int(id) > int(scene_id)


async def choose_cast(desk: Desk, state: Json) -> list[str]:
    """Return the characters of the scene before and those who joined since, or everybody; without retired ones."""
    playing_ids = [character["id"] for character in state["characters"] if not character["retired"]]
    scenes = add_newcomers({**state, "scenes": (await desk.client.get(""))["scenes"]})["scenes"]
    return [id for id in scenes[-1]["cast"] if id in playing_ids] if scenes else playing_ids
