"""Skills, Skill Thresholds: target numbers, rows of the skill table, and the dice of a skill."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.moc.actions import DeclareAction, Token
from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.damage import ApplyHarm
from ledger.rules.moc.own_tables import SetTableRow
from tests.rules.moc.antares import ABOVE, PRIMARIES, dice, table, tn
from tests.rules.moc.cited import FINE, refusal, steps
from tests.rules.moc.game import Game, the

TN, ENTRY = "moc.tn", "moc.skill.entry"
FLOOR = f"{TN} tn-below-floor"


# --- moc.tn, moc.skill.target-number ---


@pytest.mark.parametrize(
    ("floor", "base", "outcome"),
    [
        (2, 1, FLOOR),
        (2, 0, FLOOR),
        (2, -7, FLOOR),
        (2, 2, FINE),
        (2, 7, FINE),
        (2, 11, FINE),
        (2, 30, FINE),
        (2, 7.5, FLOOR),
        (2, "7", FLOOR),
        (2, None, FLOOR),
        (2, True, FLOOR),
        (1, 1, FINE),
        (1, 0, FLOOR),
        (5, 4, FLOOR),
        (5, 5, FINE),
    ],
)
def test_no_base_is_below_the_floor(floor: int, base: Any, outcome: str) -> None:
    game = table(tn_floor=floor)
    assert refusal(game, DeclareAction(game.hero, tn=base)) == outcome


@pytest.mark.parametrize(
    ("skill", "base", "number"),
    [
        (None, 7, 7),
        ("Computers", 7, 7),
        ("Computers", 9, 9),
        ("Search", 11, 11),
        ("Dodge", 7, 7),
        ("Gambling", 9, 9),
        ("First Aid", 7, 8),
        ("Driving", 9, 10),
        ("Stealth", 2, 3),
        ("Cryptography", 7, 9),
        ("Cryptography", 11, 13),
        ("Pilot", 2, 4),
        ("Psychic Focus", 9, 11),
    ],
)
def test_who_is_trained_ignores_the_difficulty(skill: str | None, base: int, number: int) -> None:
    """Easy 0, normal 1, difficult 2: added if the character has no level of the skill."""
    game = table()
    done = game.does(DeclareAction(game.hero, skill=skill, tn=base))
    assert steps(done, "moc.skill.target-number") == [[number]]
    assert tn(game, the(done, "ActionDeclared").action) == number


@pytest.mark.parametrize(
    ("floor", "skill", "base", "beads", "number"),
    [
        (2, "Dodge", 7, 1, 6),
        (2, "Dodge", 7, 5, 2),
        (2, "Dodge", 7, 6, 2),
        (2, "Dodge", 2, 1, 2),
        (2, "Driving", 7, 1, 7),
        (2, "Driving", 2, 1, 2),
        (2, "Driving", 2, 2, 2),
        (2, "Pilot", 2, 1, 3),
        (2, "Pilot", 2, 3, 2),
        (1, "Dodge", 2, 3, 1),
        (5, "Dodge", 6, 3, 5),
        (5, "Driving", 5, 1, 5),
        (5, "Pilot", 5, 1, 6),
    ],
)
def test_beads_lower_it_to_the_floor_and_no_further(floor: int, skill: str, base: int, beads: int, number: int) -> None:
    """The difficulty is added first. Action is a Hero's own Element, so several beads count."""
    game = Game(tn_floor=floor)
    game.scene_begins(game.hero)
    action = game.acts(game.hero, skill=skill, tn=base)
    game.does(PlayBeads(action, game.hero, "reduce_difficulty", beads))
    assert tn(game, action) == number


@pytest.mark.parametrize(
    ("element", "first", "second", "outcome"),
    [
        ("action", 2, 0, FINE),
        ("action", 1, 2, FINE),
        ("plot", 1, 0, FINE),
        ("plot", 2, 0, "moc.bead.use one-bead-unless-primary"),
        ("plot", 1, 1, "moc.bead.use one-bead-unless-primary"),
        ("drama", 2, 0, "moc.bead.use one-bead-unless-primary"),
        ("storytelling", 1, 1, "moc.bead.use one-bead-unless-primary"),
    ],
)
def test_only_in_the_primary_element_more_than_one(element: str, first: int, second: int, outcome: str) -> None:
    game = Game()
    game.scene_begins(game.hero)
    game.gives(game.hero, f"bead:{element}", 5)
    action = game.acts(game.hero, element=element)
    do = PlayBeads(action, game.hero, "reduce_difficulty", first)
    if second:
        game.does(do)
        do = PlayBeads(action, game.hero, "reduce_difficulty", second)
    assert refusal(game, do) == outcome


# --- moc.skill.entry ---


@pytest.mark.parametrize(
    ("values", "outcome"),
    [
        ({"element": "action", "primary": "body", "others": ["S"], "difficulty": 0}, FINE),
        ({"element": "plot", "primary": "body", "others": ["S", "C", "Pr"], "difficulty": 1}, FINE),
        ({"element": "hearts", "primary": "spirit", "others": ["W2"], "difficulty": 2}, FINE),
        ({"element": "diamonds", "primary": "spirit", "others": ["W2"]}, f"{ENTRY} unknown-element"),
        ({"element": "background", "primary": "spirit", "others": ["W2"]}, f"{ENTRY} unknown-element"),
        ({"primary": "spirit", "others": ["W2"]}, f"{ENTRY} unknown-element"),
        ({"element": "drama", "others": ["W2"]}, f"{ENTRY} unknown-characteristic"),
        ({"element": "drama", "primary": "W", "others": ["W2"]}, f"{ENTRY} unknown-characteristic"),
        ({"element": "drama", "primary": "spirit"}, f"{ENTRY} unknown-characteristic"),
        ({"element": "drama", "primary": "spirit", "others": ["spirit"]}, f"{ENTRY} unknown-characteristic"),
        ({"element": "drama", "primary": "spirit", "others": ["W", "At"]}, f"{ENTRY} unknown-characteristic"),
        ({"element": "drama", "primary": "spirit", "others": ["W"], "difficulty": -1}, f"{ENTRY} unknown-difficulty"),
        ({"element": "drama", "primary": "spirit", "others": ["W"], "difficulty": 3}, f"{ENTRY} unknown-difficulty"),
        ({"element": "drama", "primary": "spirit", "others": ["W"], "difficulty": "1"}, f"{ENTRY} unknown-difficulty"),
    ],
)
def test_what_an_entry_says(values: dict[str, Any], outcome: str) -> None:
    """An Element other than Storytelling, a Primary, at least one of its characteristics, easy to difficult."""
    assert refusal(table(), SetTableRow("skills", "Juggling", values)) == outcome


@pytest.mark.parametrize(
    ("primary", "cascade"), [(one, [k for k, v in ABOVE.items() if one in v.split()]) for one in PRIMARIES]
)
def test_each_of_the_cascade_may_stand_in_an_entry(primary: str, cascade: list[str]) -> None:
    game = table()
    taken = [
        one
        for one in ABOVE
        if not refusal(game, SetTableRow("skills", "x", {"element": "plot", "primary": primary, "others": [one]}))
    ]
    assert taken == cascade and len(cascade) == 9


# --- moc.skill.pool ---


@pytest.mark.parametrize(
    ("told", "count"),
    [
        ({}, 2),
        ({"primary": "mind"}, 3),
        ({"primary": "mind", "extra_dice": 4}, 7),
        ({"skill": "Computers"}, 4),
        ({"skill": "Search"}, 5),
        ({"skill": "Search", "extra_dice": 1}, 6),
        ({"skill": "Computers", "tokens": (Token("R"),)}, 6),
        ({"skill": "Computers", "base_time": 5, "time": 15}, 5),
        ({"skill": "Gambling"}, 2),
        ({"skill": "Gambling", "tokens": (Token("L"),)}, 4),
        ({"skill": "Knowledge"}, 2),
        ({"skill": "Driving"}, 1),
        ({"skill": "Driving", "extra_dice": 1}, 2),
        ({"skill": "Driving", "tokens": (Token("C", "mind"),)}, 4),
        ({"skill": "Cryptography"}, 1),
        ({"skill": "Cryptography", "extra_dice": 1}, 2),
        ({"skill": "Cryptography", "tokens": (Token("R"),)}, 3),
        ({"skill": "Cryptography", "tokens": (Token("R"),), "base_time": 5, "time": 35}, 5),
        ({"skill": "Psychic Focus"}, 1),
        ({"skill": "Psychic Focus", "extra_dice": 1}, 1),
        ({"skill": "Psychic Focus", "extra_dice": 2}, 2),
    ],
)
def test_the_dice_of_a_skill(told: dict[str, Any], count: int) -> None:
    """Primary, level, activated characteristics, bonus dice. The untrained lose the difficulty, but keep one die."""
    game = table()
    action = game.acts(game.hero, **told)
    assert dice(game, action) == count
    assert steps(game.rolls(action, *(3,) * count), "moc.skill.pool") == [count]


@pytest.mark.parametrize(
    ("harm", "fatigue", "skill", "count"),
    [
        ({"unresistible": 3}, 0, "Search", 5),
        ({"unresistible": 4}, 0, "Search", 4),
        ({"unresistible": 5}, 0, "Search", 3),
        ({"unresistible": 6}, 0, "Search", 2),
        ({"unresistible": 6}, 0, "Knowledge", 1),
        ({"unresistible": 6}, 0, None, 0),
        ({"unresistible": 2, "pain": 3}, 0, "Search", 3),
        ({"pain": 3}, 0, "Search", 5),
        ({}, 1, "Search", 4),
        ({}, 3, "Search", 2),
        ({}, 9, "Search", 2),
        ({"unresistible": 4}, 1, "Search", 3),
    ],
)
def test_the_primary_counts_with_its_active_value(
    harm: dict[str, Any], fatigue: int, skill: str | None, count: int
) -> None:
    """`moc.char.active`: Mind is 3, limited to six minus damage, minus fatigue. The skill's level stays."""
    game = table()
    if harm:
        game.does(ApplyHarm(game.hero, **harm))
    game.sets(game.hero, "dazed", False)
    game.sets(game.hero, "fatigue", fatigue)
    assert dice(game, game.acts(game.hero, skill=skill, primary="mind")) == count
