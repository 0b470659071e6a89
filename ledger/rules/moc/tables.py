"""The source's tables, and the campaign data it leaves to the table, with defaults invented for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ledger.rules.moc.domains import AnyCharacteristic, CharacteristicName, ElementName, PrimaryName


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill's entry. `others`: Secondary and Derived characteristics. `difficulty`: 0 easy, 1 normal, 2 difficult."""

    element: ElementName
    primary: PrimaryName
    others: tuple[CharacteristicName, ...]
    difficulty: int


@dataclass(frozen=True, slots=True)
class Weapon:
    """`damage`: dice; `adds`: a characteristic whose rating is added. `lethality`: what a damage die must reach."""

    lethal: bool
    damage: int
    lethality: int
    adds: AnyCharacteristic = ""


@dataclass(frozen=True, slots=True)
class Location:
    """`low` to `high` on a d10; `severity` lowers the threshold and raises the resisting target number."""

    low: int
    high: int
    severity: int


def _skill(element: str, primary: str, other: str, difficulty: int) -> Skill:
    return Skill(element, primary, (other,), difficulty)


SKILLS: Mapping[str, Skill] = {
    "Strength Feat": _skill("action", "body", "S", 0),
    "Thrown Weapons": _skill("action", "body", "C", 0),
    "Dodge": _skill("action", "body", "Sp", 0),
    "Brawling": _skill("action", "body", "S", 0),
    "Melee Weapons": _skill("action", "body", "C", 1),
    "Firearms": _skill("action", "body", "C", 1),
    "Running": _skill("action", "body", "Sp", 0),
    "Climbing": _skill("action", "body", "S", 0),
    "Swimming": _skill("action", "body", "T", 0),
    "Breakfall": _skill("action", "body", "Sp", 1),
    "Driving": _skill("action", "body", "C", 1),
    "Stealth": _skill("plot", "body", "Sp", 1),
    "Cryptography": _skill("plot", "mind", "R", 2),
    "Computers": _skill("plot", "mind", "R", 2),
    "Search": _skill("plot", "mind", "P", 0),
    "First Aid": _skill("plot", "mind", "K", 1),
    "Knowledge": _skill("plot", "mind", "K", 1),
    "Pilot": _skill("action", "mind", "C", 2),
    "Gambling": _skill("plot", "spirit", "L", 0),
    "Persuasion": _skill("drama", "spirit", "Pr", 0),
    "Deception": _skill("drama", "spirit", "Pr", 1),
    "Intimidation": _skill("drama", "spirit", "W", 0),
    "Negotiation": _skill("drama", "spirit", "W", 1),
    "Psychic Focus": _skill("drama", "spirit", "E", 2),
}
WEAPONS: Mapping[str, Weapon] = {
    "Blast Pistol": Weapon(True, 6, 5),
    "Blast Rifle": Weapon(True, 7, 4),
    "Blade": Weapon(True, 6, 6),
    "Club": Weapon(False, 2, 6, "S"),
    "Unarmed": Weapon(False, 0, 6, "S"),
}
LOCATIONS: Mapping[str, Location] = {
    "head": Location(1, 1, 2),
    "torso": Location(2, 5, 0),
    "vitals": Location(6, 6, 1),
    "arm": Location(7, 8, -1),
    "leg": Location(9, 10, -1),
}
HEALING: Mapping[str, int] = {"1": 1, "2": 2, "3": 4, "4": 7, "5": 14, "6": 28}
AG: Mapping[str, int] = {"1": 6, "2": 7, "3": 8, "4": 9, "5": 10}
#: Cards as beads, by value; everything lower is worth one.
CARD_BEADS = {10: 2, 11: 2, 12: 3, 13: 4, 14: 5}
BUDGETS = {"standard": 100, "heroic": 125, "superheroic": 200}
