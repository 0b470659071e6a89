"""People who are ready to be played: finished sheets by name, one of each archetype, and somebody to be up against."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.moc.sheet import Purchase, Sheet

PEOPLE: Mapping[str, Sheet] = {
    "Juno Castellan": Sheet(
        archetype="hero",
        characteristics={"body": 3, "mind": 2, "spirit": 2, "Sp": 2, "C": 3},
        skills={"Firearms": 3, "Dodge": 3, "Pilot": 2, "Running": 2, "Intimidation": 2},
        purchases=(Purchase("swiftness"), Purchase("action-hero", period="scene", level=3)),
    ),
    "Anselm Quade": Sheet(
        archetype="enigma",
        characteristics={"body": 2, "mind": 3, "spirit": 2, "R": 3, "K": 2},
        skills={"Knowledge": 4, "First Aid": 3, "Search": 2, "Cryptography": 2, "Deception": 2},
        purchases=(Purchase("contacts", "the archive", worth=100, loyalty=2), Purchase("vortex")),
    ),
    "Ilse Varga": Sheet(
        archetype="protagonist",
        characteristics={"body": 2, "mind": 3, "spirit": 2, "Sp": 2, "P": 3, "L": 2},
        skills={"Stealth": 3, "Search": 3, "Gambling": 2, "Persuasion": 2, "Computers": 2},
        purchases=(Purchase("bits", "locks", level=3), Purchase("floating-dice", period="session", level=2)),
    ),
    "Tomas Brandt": Sheet(
        archetype="architect",
        characteristics={"body": 2, "mind": 2, "spirit": 3, "W": 3, "Pr": 2},
        skills={"Persuasion": 3, "Negotiation": 3, "Intimidation": 2, "Deception": 2, "Psychic Focus": 2},
        purchases=(
            Purchase("contacts", "the dockers' union", worth=300, loyalty=3), Purchase("money"),
            Purchase("extra-bead-scene", level=2), Purchase("extra-bead-session", level=2),
        ),
        disadvantages={"owes the wrong people": 3},
    ),
    "Kestrel": Sheet(
        archetype="wildcard",
        characteristics={"body": 2, "mind": 2, "spirit": 2, "Sp": 2, "L": 3, "C": 2, "Co": 2},
        skills={
            "Driving": 3, "Deception": 3, "Gambling": 3, "Stealth": 3, "Search": 3, "Thrown Weapons": 2, "Brawling": 2,
            "Running": 1,
        },
    ),
    "Warden Hask": Sheet(
        archetype="hero",
        characteristics={"body": 4, "mind": 2, "S": 2, "T": 2, "W": 2},
        skills={"Melee Weapons": 3, "Brawling": 3, "Intimidation": 4, "Search": 2},
        villain=True,
    ),
}  # fmt: skip
