"""Endless play for measuring: each game's most common exchange, over and over, with typed dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Json = dict[str, Any]
#: Declares an input as JSON, with answers; gives the id of what it made (a character, a scene), or the ruling's number.
Declare = Callable[..., str]


def intensity(declare: Declare) -> Iterator[None]:
    """Two characters, a round of two attacks with their defences, a fresh start of scene every tenth round."""
    main = {"kind": "main", "traits": [{"name": n, "base": d} for n, d in (("Bold", 10), ("Quick", 8), ("Sly", 8))]}
    a = declare({"kind": "enrol", "name": "Ada", "seat": "s1", "sheet": main})
    b = declare({"kind": "enrol", "name": "Bo", "seat": "s1", "sheet": main})
    yield
    day = 0
    while True:
        scene = declare({"kind": "open-scene", "title": "A quarrel", "cast": [a, b]})
        yield
        for impact in ("damage", "tax", "tax", "tax", "tax"):
            yield from _round(declare, a, b, impact)
        declare({"kind": "close-scene", "scene": scene})
        yield
        day += 1
        heal = [{"char": b, "heal": "damage", "trait": "Quick"}]
        declare({"kind": "healing-moment", "day": day, "fiction": "a night's sleep", "choices": heal})
        yield


def _round(declare: Declare, a: str, b: str, impact: str) -> Iterator[None]:
    steps: list[Json] = [
        {"kind": "open-round", "participants": [a, b]},
        {"kind": "declare", "char": a, "target": b, "level": "passionate", "trait": "Bold"},
        {"kind": "declare", "char": b, "target": a, "level": "invested", "trait": "Quick"},
        {"kind": "roll", "faces": [{"char": a, "intensity": 9, "trait": 4}, {"char": b, "intensity": 5, "trait": 6}]},
        {"kind": "attack", "char": a},
        {"kind": "defend", "dice": [{"die": "intensity", "face": 3}]},
        {"kind": "resolve"},
        {"kind": "choose-impact", "impact": impact, "trait": "Sly" if impact == "tax" else "Quick"},
        {"kind": "attack", "char": b},
        {"kind": "defend", "dice": [{"die": "intensity", "face": 8}, {"die": "trait", "face": 2}]},
        {"kind": "resolve"},
        {"kind": "close-round"},
    ]
    for step in steps:
        declare(step)
        yield


def mnemonic(declare: Declare) -> Iterator[None]:
    """Somebody acts, the referee rules a check, the player rolls; a scene of thirty such."""
    who = declare({"kind": "enrol", "name": "Andrea", "seat": "s1", "sheet": {"primary_role": "Deputy"}})
    yield
    declare({"kind": "rate-trait", "character": who, "trait": "Quick", "trait_kind": "talent", "rating": "Fairly"})
    yield
    while True:
        scene = declare({"kind": "open-scene", "title": "A chase"})
        yield
        for face in (1, 4, 7, 2, 9, 5, 8, 3, 6, 4):
            action = declare({"kind": "declare-action", "character": who, "text": "Over the fence"})
            yield
            quick = [{"kind": "talent", "name": "Quick"}, {"kind": "primary"}]
            ruled = {"kind": "rule-check", "character": who, "traits": quick, "chances": "Even", "action": action}
            check = declare(ruled)
            yield
            declare({"kind": "enter-roll", "check": check, "numbers": [face]})
            yield
        declare({"kind": "close-scene", "scene": scene})
        yield


GAMES: dict[str, Callable[[Declare], Iterator[None]]] = {"intensity": intensity, "mnemonic": mnemonic}
