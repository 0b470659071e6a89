"""Scenes on the page: the characters in a scene, the cast of a new scene, and the scenes to end before it begins."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from api.table.client import Answer, Json
from api.table.form_tokens import make_key
from api.table.pages import Desk

END = "end"  # the boxes for the scenes that end before another one begins


def add_newcomers(state: Json) -> Json:
    """Return the state with the newcomers in the last scene's cast: the characters who joined after it began."""
    if not state["scenes"]:
        return state
    *earlier_scenes, scene = state["scenes"]
    cast = scene.get("cast", ())
    newcomer_ids = [
        character["id"]
        for character in state.get("characters", ())
        if not character["retired"] and character["id"] not in cast and _is_later(character["id"], scene["id"])
    ]
    return {**state, "scenes": [*earlier_scenes, {**scene, "cast": [*cast, *newcomer_ids]}]}


def _is_later(id: str, scene_id: str) -> bool:
    """Return whether a character joined after a scene began. Both ids are numbers of rulings."""
    return id.isdecimal() and scene_id.isdecimal() and int(id) > int(scene_id)


async def choose_cast(desk: Desk, state: Json) -> list[str]:
    """Return the ids of the last scene's characters and the newcomers, or of all characters if there was no scene.

    Retired characters are left out.
    """
    playing_ids = [character["id"] for character in state["characters"] if not character["retired"]]
    scenes = add_newcomers({**state, "scenes": (await desk.client.get(""))["scenes"]})["scenes"]
    return [id for id in scenes[-1].get("cast", ()) if id in playing_ids] if scenes else playing_ids


def list_scenes_to_end(kind: str, state: Json) -> list[str]:
    """Return the ids of the open scenes that a form of this kind can end first."""
    return [scene["id"] for scene in state["scenes"]] if kind == "open-scene" else []


async def end_scenes(desk: Desk, scene_ids: Sequence[str], key: str, body: Json) -> Answer | None:
    """End these scenes, if the declaration in `body` is possible. Return the API's refusal, or None if the scenes were
    ended.
    """
    answer = await desk.client.post("/rulings", body | {"preview": True}, make_key()) if scene_ids else None
    if answer is not None and answer.status != 200:
        return answer
    for scene_id in scene_ids:
        ending: Json = {"declare": {"kind": "close-scene", "scene": scene_id}}
        answer = await desk.client.post("/rulings", ending, str(uuid.uuid5(uuid.UUID(key), f"end/{scene_id}")))
        if answer.status != 201:
            return answer
    return None
