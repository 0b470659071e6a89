"""The steps to prepare a table: players, characters, the first scene. The view "now" shows them until play begins."""

from __future__ import annotations

from dataclasses import dataclass

from api.table.client import Json


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the checklist. `path`: its view, below the seat's path. `names`: the players or characters added so
    far.
    """

    path: str
    title: str
    about: str
    names: list[str]
    is_done: bool


def list_steps(state: Json) -> list[Step]:
    """Return the steps for a game master, in order."""
    player_names = [seat["name"] for seat in list_players(state)]
    character_names = [character["name"] for character in state["characters"] if not character["retired"]]
    scene_titles = [scene["title"] for scene in state["scenes"]]
    descriptions = (
        "Each player gets a link, a QR code and an invite code.",
        "Choose ready-made characters or make your own.",
    )
    return [
        Step("start/players", "Invite players", descriptions[0], player_names, bool(player_names)),
        Step("start/characters", "Add characters", descriptions[1], character_names, bool(character_names)),
        Step("start/scene", "Start the first scene", "Then everybody can play.", scene_titles, has_begun(state)),
    ]


def has_begun(state: Json) -> bool:
    """Return whether a session or a scene was ever started."""
    return bool(state["campaign"]["sessions"] or state["scenes"])


def list_players(state: Json) -> list[Json]:
    """Return the players' seats."""
    return [seat for seat in state["campaign"]["seats"] if seat["role"] == "player" and not seat["removed"]]


def needs_character(state: Json, seat_id: str) -> bool:
    """Return whether the seat has no character in play and none that is waiting to join."""
    has_character = any(character["seat"] == seat_id and not character["retired"] for character in state["characters"])
    return not has_character and all(seat != seat_id for seat, _ in list_joining(state))


def list_joining(state: Json) -> list[tuple[str, str]]:
    """Return the seat and the name of each character that is waiting to join. Enrolments hidden from the reader are
    left out.
    """
    declarations = (waiting["declared"] or {} for waiting in state["waiting"])
    enrolments = (declaration for declaration in declarations if declaration.get("kind") == "enrol")
    return [(declaration["seat"], declaration["name"]) for declaration in enrolments if "seat" in declaration]


@dataclass(frozen=True, slots=True)
class Preparation:
    """What is left to prepare. `steps`: the game master's steps, until a session or a scene begins. `needs_character`:
    whether this player still needs a character, even if the others already play.
    """

    steps: list[Step]
    needs_character: bool


def find_preparation(state: Json, me: Json) -> Preparation:
    """Return what this seat has left to prepare. An observer has nothing to prepare."""
    shows_steps = me["role"] == "gm" and not has_begun(state)
    return Preparation(
        list_steps(state) if shows_steps else [], me["role"] == "player" and needs_character(state, me["id"])
    )
