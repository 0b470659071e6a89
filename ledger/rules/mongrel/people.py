"""Ready-made characters: finished sheets by name, each made by the steps of the source. Heading: Character Creation."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.mongrel import characters, houses
from ledger.rules.mongrel.terms import ATTRIBUTES


def _name_scores(*scores: int) -> Mapping[str, int]:
    """Return the scores by attribute, in this order: Size, Spirit, Physique, Beauty, Speed, Social."""
    return dict(zip(ATTRIBUTES, scores, strict=True))


PEOPLE: Mapping[str, characters.Sheet] = {
    "Senna Vail": characters.Sheet(
        house="sfere",
        man=0,
        beast=2,
        demon=4,
        primary="demon",
        body="biped-bird",
        unnatural=("casts no shadow", "her feathers smoulder and never burn"),
        sex="female",
        age="adult",
        attributes=_name_scores(3, 5, 3, 5, 4, 4),
        plus_three=("chill", "occult"),
        plus_two=("resist", "diabolic_power"),
        plus_one=("stalk", "sense"),
        power={"wings": 2, "tail": 1},
        vows=(houses.VowLine("to learn what the Sfere keep from their own"),),
        description="She listens with her head on one side, and answers a moment too late.",
    ),
    "Torrec": characters.Sheet(
        house="esseth",
        man=1,
        beast=5,
        demon=0,
        primary="beast",
        body="quadruped",
        sex="male",
        age="young",
        attributes=_name_scores(6, 2, 6, 2, 6, 2),
        plus_three=("rend", "athletics"),
        plus_two=("threaten", "sense"),
        plus_one=("animal_power", "stalk"),
        power={"animal_legs": 1, "head": 1},
        vows=(houses.VowLine("his sister, taken by the Druinar", "person"),),
        description="As big as a wagon, scarred about the muzzle, and fond of children.",
    ),
    "Oriel": characters.Sheet(
        house="aggak-ko",
        man=4,
        beast=0,
        demon=2,
        primary="man",
        body="human",
        sex="female",
        age="old",
        attributes=_name_scores(4, 4, 2, 6, 2, 6),
        plus_three=("negotiate", "bureaucrat"),
        plus_two=("convince", "lie"),
        plus_one=("borg_power", "information"),
        power={"information_storage": 2},
        vows=(houses.VowLine("aggak-ko", "house"),),
        description="White hair, steel behind one ear, and every debt in the city by heart.",
    ),
    "Pell Ferrow": characters.Sheet(
        house="nuin",
        man=3,
        beast=3,
        demon=0,
        primary="man",
        body="human",
        sex="male",
        age="adult",
        attributes=_name_scores(4, 4, 5, 3, 5, 3),
        plus_three=("missile", "repair"),
        plus_two=("borg_power", "melee"),
        plus_one=("lie", "athletics"),
        power={"implanted_weapon": 2, "enhanced_spectrum_sense": 1},
        description="A smuggler with a gun in his forearm and fur up to his ears.",
    ),
}
