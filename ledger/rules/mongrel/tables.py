"""Reference tables: Expertise by Identity and Area, the options of the Powers, body forms, the seven Houses."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.mongrel.terms import House, Identity

#: Expertise by governing Identity, the Power last.
CATEGORIES: Mapping[Identity, tuple[str, ...]] = {
    "demon": ("know", "resist", "burn", "chill", "lie", "occult", "diabolic_power"),
    "man": ("missile", "melee", "bureaucrat", "convince", "negotiate", "information", "repair", "borg_power"),
    "beast": ("stalk", "sense", "athletics", "balance", "rend", "threaten", "seduce", "animal_power"),
}
#: Awareness, Violence, Fear, Charisma, Education; the Powers belong to none.
AREAS: Mapping[str, tuple[str, ...]] = {
    "awareness": ("know", "resist", "missile", "stalk", "sense"),
    "violence": ("burn", "melee", "athletics", "balance", "rend"),
    "fear": ("chill", "bureaucrat", "threaten"),
    "charisma": ("lie", "convince", "negotiate", "seduce"),
    "education": ("occult", "information", "repair"),
}
POWERS: Mapping[Identity, str] = {"demon": "diabolic_power", "man": "borg_power", "beast": "animal_power"}
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "diabolic_power": ("inhuman_waist_down", "inhuman_arms", "tail", "wings", "inhuman_face"),
    "borg_power": (
        "body_compartment",
        "implanted_weapon",
        "information_storage",
        "replacement_limb",
        "enhanced_spectrum_sense",
    ),
    "animal_power": ("wings", "animal_legs", "animal_arms", "tail", "head"),
}
#: Expertise -> the Identity that governs it.
GOVERNED_BY: Mapping[str, Identity] = {
    expertise: identity for identity, listed in CATEGORIES.items() for expertise in listed
}
EXPERTISE: tuple[str, ...] = tuple(GOVERNED_BY)
AREA_OF: Mapping[str, str] = {expertise: area for area, listed in AREAS.items() for expertise in listed}

BEAST_FORMS = ("quadruped", "biped-primate", "biped-bird")
FORMS: Mapping[Identity, tuple[str, ...]] = {"man": ("human",), "beast": BEAST_FORMS}

#: What an Expertise does to whoever is hit, unless the table says otherwise.
PHYSICAL = frozenset({"burn", "melee", "missile", "rend"})

#: What takes no more than words.
SPOKEN = ("bureaucrat", "threaten", "lie", "convince", "negotiate", "seduce")

QUIET = ("meditating", "simple-tasks", "calm-company")
HOUR = 60

#: Who they are taken for, and where they are strong (`mongrel.house.reference`).
STEREOTYPES: Mapping[House, tuple[str, str]] = {
    "aggak-ko": ("sophisticates", "most of Aoka"),
    "mekag": ("occultists", "most of Beruun"),
    "druinar": ("warriors", "Aoka, and present everywhere"),
    "esseth": ("barbarians", "Cath"),
    "sfere": ("weirdos", "Cath, decentralized elsewhere"),
    "repta": ("artists and mystics", "Aoka and Beruun"),
    "nuin": ("criminals", "decentralized, with an outpost on the moons of Beruun"),
}
#: The three worlds, and which Houses are strong there (`mongrel.house.worlds`).
WORLDS: Mapping[str, str] = {
    "aoka": "home of the Aggak-Ko and the Druinar, and of much of the Repta",
    "beruun": "home of the Mekag, with the Repta beside them and the main outpost of the Nuin on its moons",
    "cath": "home of the Esseth, and of such Sfere as live together",
}
#: What a House believes, where its opinions rest on that.
CREEDS: Mapping[House, str] = {"sfere": "meaning is power"}
#: What they think of each other, in a word or two; two of three members agree (`mongrel.house.opinion`).
OPINIONS: Mapping[House, Mapping[House, str]] = {
    "aggak-ko": {
        "mekag": "too solemn about themselves",
        "druinar": "handy for menial work",
        "esseth": "hardly heard of",
        "sfere": "worrying, for who knows their aims",
        "repta": "entertaining",
        "nuin": "dangerous, and needed in small measure",
    },
    "mekag": {
        "aggak-ko": "chief rivals where secrets are fought over",
        "druinar": "instruments in a war that is a pretence",
        "esseth": "as ignorant as they are strong",
        "sfere": "sure to be hiding some knowledge",
        "repta": "the enemy that counts, in the war that counts",
        "nuin": "instruments and no more",
    },
    "druinar": {
        "aggak-ko": "soft, but rich and of high standing",
        "mekag": "a good eye to guide the arm",
        "esseth": "fodder, though vicious at home",
        "sfere": "to be put up with",
        "repta": "softer still, and beneath notice",
        "nuin": "to be closed down and made to pay",
    },
    "esseth": {
        "aggak-ko": "far above, and fearsome",
        "mekag": "sorcerers, fit to burn",
        "druinar": "the foe",
        "sfere": "holy perhaps, and to be spared",
        "repta": "a riddle",
        "nuin": "friends",
    },
    "sfere": {
        "aggak-ko": "take polish for power",
        "mekag": "take terror and flame for power",
        "druinar": "take drill and arms for power",
        "esseth": "take headcount and appetite for power",
        "repta": "have found the meaning that is power, and would sooner play",
        "nuin": "take hiding for power",
    },
    "repta": {
        "aggak-ko": "patrons of little wit, by good luck",
        "mekag": "full of inspiration",
        "druinar": "unlettered soldiery",
        "esseth": "of exciting vigour, seen from a distance",
        "sfere": "dearest friends",
        "nuin": "the wild company one needs at times",
    },
    "nuin": {
        "aggak-ko": "fine customers, whatever they say of it",
        "mekag": "a blight on trade",
        "druinar": "to be held off, which their dullness makes easy",
        "esseth": "customers just as fine",
        "sfere": "too close to finding out",
        "repta": "the surest way into trade, and nothing to want for itself",
    },
}
