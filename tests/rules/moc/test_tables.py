"""The book's own tables and what it leaves to the table: every row, every first value."""

from __future__ import annotations

import pytest

from ledger.rules.moc.cards import CARD_BEADS
from ledger.rules.moc.dials import Dials
from ledger.rules.moc.holdings import ELEMENTS_COST, FLAT, PERIOD_DICE
from ledger.rules.moc.types import AG, HEALING, LOCATIONS, SKILLS, WEAPONS
from ledger.rules.moc.words import ARCHETYPES, CASCADE
from tests.rules.moc.chance import DIALS

#: Skill, Element, Primary, other characteristic, difficulty.
BOOK_SKILLS = """
Strength Feat/action/body/S/0 Thrown Weapons/action/body/C/0 Dodge/action/body/Sp/0 Brawling/action/body/S/0
Melee Weapons/action/body/C/1 Firearms/action/body/C/1 Running/action/body/Sp/0 Climbing/action/body/S/0
Swimming/action/body/T/0 Breakfall/action/body/Sp/1 Driving/action/body/C/1 Stealth/plot/body/Sp/1
Cryptography/plot/mind/R/2 Computers/plot/mind/R/2 Search/plot/mind/P/0 First Aid/plot/mind/K/1
Knowledge/plot/mind/K/1 Pilot/action/mind/C/2
Gambling/plot/spirit/L/0 Persuasion/drama/spirit/Pr/0 Deception/drama/spirit/Pr/1 Intimidation/drama/spirit/W/0
Negotiation/drama/spirit/W/1 Psychic Focus/drama/spirit/E/2
"""


def test_the_skills():
    rows = [
        f"{name}/{one.element}/{one.primary}/{'+'.join(one.others)}/{one.difficulty}" for name, one in SKILLS.items()
    ]
    assert " ".join(rows) == " ".join(BOOK_SKILLS.split())


def test_the_weapons():
    rows = {name: (one.lethal, one.damage, one.adds, one.lethality) for name, one in WEAPONS.items()}
    assert rows == {
        "Blast Pistol": (True, 6, "", 5),
        "Blast Rifle": (True, 7, "", 4),
        "Blade": (True, 6, "", 6),
        "Club": (False, 2, "S", 6),
        "Unarmed": (False, 0, "S", 6),
    }


def test_the_locations_cover_the_die():
    rows = {name: (one.low, one.high, one.severity) for name, one in LOCATIONS.items()}
    assert rows == {"head": (1, 1, 2), "torso": (2, 5, 0), "vitals": (6, 6, 1), "arm": (7, 8, -1), "leg": (9, 10, -1)}
    assert [face for low, high, _ in rows.values() for face in range(low, high + 1)] == list(range(1, 11))


def test_periods_numbers_and_prices():
    assert HEALING == {"1": 1, "2": 2, "3": 4, "4": 7, "5": 14, "6": 28}
    assert AG == {"1": 6, "2": 7, "3": 8, "4": 9, "5": 10}
    assert [CARD_BEADS.get(value, 1) for value in range(2, 15)] == [1] * 8 + [2, 2, 3, 4, 5]
    prices = {what: " ".join(f"{period} {each}" for period, each in row.items()) for what, row in PERIOD_DICE.items()}
    assert prices == {
        "action-hero": "scene 2 session 1 arc 1/4",
        "weapons-master": "scene 1 session 1/2 arc 1/8",
    }
    assert ELEMENTS_COST == {"extra-secondary": 5, "change-secondary": 2, "extra-primary": 15}
    assert FLAT == {
        "swiftness": 5,
        "extra-bead-scene": 2,
        "extra-bead-session": 2,
        "hand-of-fate": 10,
        "fortune": 5,
        "vortex": 5,
        "money": 2,
    }


def test_the_archetypes_and_the_characteristics():
    every = ("action", "storytelling", "plot", "drama")
    assert {name: (own, set(others)) for name, (own, others) in ARCHETYPES.items()} == {
        "wildcard": ((), set(every)),
        "hero": (("action",), {"plot"}),
        "enigma": (("storytelling",), {"drama"}),
        "protagonist": (("plot",), {"action"}),
        "architect": (("drama",), {"storytelling"}),
    }
    below = {
        primary: {one for one, above in CASCADE.items() if primary in above} for primary in ("body", "mind", "spirit")
    }
    assert below == {
        "body": {"S", "T", "Sp", "C", "At", "En", "Re", "Pr", "Li"},
        "mind": {"R", "K", "P", "C", "At", "W2", "Co", "Pr", "Li"},
        "spirit": {"W", "E", "L", "W2", "Co", "En", "Re", "Pr", "Li"},
    }


@pytest.mark.parametrize("name", [*DIALS, "tokens_per_primary", "scene_recovery_steps"])
def test_a_dial_begins_with_its_first_value(name):
    first = {name: values[0] for name, values in DIALS.items()}
    assert getattr(Dials(), name) == {**first, "tokens_per_primary": "rating", "scene_recovery_steps": 1}[name]
