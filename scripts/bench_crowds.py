"""Tables of twenty different characters that can all act, to measure how their moves are listed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from scripts.bench_games import GIAZZA, Declare, Exchange, Json

COUNT = 20


def _enrol_people(declare: Declare, sheets: Sequence[Json]) -> list[str]:
    field_sets = ({"name": f"Somebody {n}", "seat": "s1", "sheet": sheet} for n, sheet in enumerate(sheets, 1))
    return [declare({"kind": "enrol", **fields}) for fields in field_sets]


def _combine_words(all_words: Sequence[str], size: int) -> list[tuple[str, ...]]:
    return list(islice(combinations(all_words, size), COUNT))


def play_intensity(declare: Declare) -> Iterator[None]:
    """Play rounds. In each round, every character declares an action."""
    bases = (("Bold", 10), ("Quick", 8), ("Sly", 8))
    sheets: list[Json] = [
        {"kind": "main", "traits": [{"name": f"{name} {n}", "base": base} for name, base in bases]}
        for n in range(COUNT)
    ]
    people = _enrol_people(declare, sheets)
    scene = declare({"kind": "open-scene", "title": "A hall", "cast": people})
    while True:
        declare({"kind": "open-round", "participants": people})
        yield
        for n, (char, target) in enumerate(zip(people, [*people[1:], people[0]], strict=True)):
            declare({"kind": "declare", "char": char, "target": target, "level": "passionate", "trait": f"Bold {n}"})
            yield
        declare({"kind": "amend", "subject": f"scene:{scene}", "field": "round", "value": None, "reason": "again"})


def play_mongrel(declare: Declare) -> Iterator[None]:
    """Play a scene with all characters, outside any conflict."""
    words = ("melee", "bureaucrat", "sense", "athletics", "lie", "balance", "resist", "threaten", "negotiate", "stalk")
    sheets: list[Json] = [
        {**GIAZZA, "plus_three": [a, b], "plus_two": [c, d], "plus_one": [e, f]}
        for a, b, c, d, e, f in _combine_words(words, 6)
    ]
    people = _enrol_people(declare, sheets)
    declare({"kind": "open-scene", "title": "A hall", "cast": people})
    while True:
        for char in people:
            yield
            declare({"kind": "heal", "character": char, "damage": 0, "reason": "a look"})


def play_mnemonic(declare: Declare) -> Iterator[None]:
    """Play scenes. In each scene, every character declares an action."""
    people = _enrol_people(declare, [{"primary_role": f"Deputy {n}"} for n in range(COUNT)])
    for n, char in enumerate(people):
        rating = {"kind": "rate-trait", "character": char, "trait_kind": "talent", "rating": "Fairly"}
        for trait in ("Quick", "Sly"):
            declare({**rating, "trait": f"{trait} {n}"})
    scene = declare({"kind": "open-scene", "title": "A chase"})
    while True:
        for char in people:
            yield
            declare({"kind": "declare-action", "character": char, "text": "Over the fence"})
        declare({"kind": "close-scene", "scene": scene})
        scene = declare({"kind": "open-scene", "title": "A chase"})


def play_scattershot(declare: Declare) -> Iterator[None]:
    """Play in Specific play. Any character can act at any time."""
    sheets: list[Json] = [
        {
            "statistics": {"strength": 11 + n % 5, "agility": 10 + n // 5, "power": 10, "hit-points": 10 + n},
            "skills": [
                {"name": f"Craft {n}", "difficulty": "easy", "training": 1},
                {"name": "Fencing", "difficulty": "easy", "training": 1, "script": ["cut", "parry"]},
            ],
            "advantages": [{"name": f"Friend {n}", "value": 2}],
        }
        for n in range(COUNT)
    ]
    people = _enrol_people(declare, sheets)
    declare({"kind": "open-scene", "title": "A hall", "cast": people})
    while True:
        for char in people:
            yield
            declare({"kind": "set-off-guard", "character": char})


def play_moc(declare: Declare) -> Iterator[None]:
    """Play scenes. All characters have beads, and three of them declare an action in each scene."""
    skills = ("Firearms", "Dodge", "Pilot", "Running", "Intimidation", "Search", "Stealth")
    sheets: list[Json] = [
        {"archetype": "hero", "characteristics": {"body": 4, "Sp": 2}, "skills": dict.fromkeys(chosen, 2)}
        for chosen in _combine_words(skills, 3)
    ]
    people = _enrol_people(declare, sheets)
    for char in people:
        declare({"kind": "allocate-beads", "character": char})
    scene = declare({"kind": "open-scene", "title": "A hall", "cast": people})
    while True:
        for char in people[:3]:
            yield
            declare({"kind": "declare-action", "character": char, "primary": "body", "text": "a leap"})
        declare({"kind": "close-scene", "scene": scene})
        scene = declare({"kind": "open-scene", "title": "A hall", "cast": people})


#: Each function enrols all characters, opens a scene, and then makes small rulings without end.
CROWDS: dict[str, Exchange] = {
    "intensity": play_intensity,
    "mnemonic": play_mnemonic,
    "mongrel": play_mongrel,
    "scattershot": play_scattershot,
    "moc": play_moc,
}
