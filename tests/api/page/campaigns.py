"""Campaigns of any game for whoever looks at them in a browser: as its demonstration leaves it, or just begun."""

from __future__ import annotations

import uuid

import pytest

from api.http import examples
from api.run import demo
from ledger.rules import systems
from tests.api.table import Player, Service, Table

#: A title that says where it ends.
SCENE = "The old mill"


def told(service: Service, system: str) -> Table:
    """With the evening of its demonstration behind it: disputed, upheld, overturned, and something to settle.

    A game that tells none has just begun.
    """
    if examples.find_story(system) is None:
        return begun(service, system)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(demo, "NAMESPACE", uuid.uuid4())
        patched.setattr(examples, "list_examples", lambda _: [])
        about = {"name": system, "title": systems()[system].title}
        made = demo._Table(service.client, about, service.operator_token).play()
    tokens = list(made.token_by_person.values())
    return _at(service, made.campaign, *tokens)


#: Of a roll in a round of Levels of Intensity: the first character acts first.
FACES = [{"char": "1", "intensity": 5, "trait": 4}, {"char": "2", "intensity": 3, "trait": 2}]


def begun(service: Service, system: str, name: str = "An evening") -> Table:
    """Ann's; Ben and Cleo play one each of the people who are ready to play; a session and a scene are open."""
    table = object.__new__(Table)
    table.service = service
    opened = service.open(system=system, name=name).json()
    table.id, table.gm = opened["id"], Player(table, "s1", opened["seat"]["token"])
    table.ben, table.cleo = table.seat("Ben", "player"), table.seat("Cleo", "player")
    people = service.client.get(f"/systems/{system}").json()["people"]
    for player, (called, sheet) in zip((table.ben, table.cleo), people.items(), strict=False):
        table.gm.does("/characters", {"name": called, "seat": player.id, "sheet": sheet})
    table.gm.does("/sessions", {"title": "Session one"})
    table.gm.does("/scenes", {"title": SCENE, "cast": ["1", "2"]})
    return table


def _at(service: Service, campaign: str, gm: str, ben: str, cleo: str) -> Table:
    table = object.__new__(Table)
    table.service, table.id = service, campaign
    table.gm, table.ben, table.cleo = (Player(table, one.split(".")[1], one) for one in (gm, ben, cleo))
    return table
