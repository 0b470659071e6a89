"""Reference tables: Expertise by Identity and Area, the options of the Powers, body forms, the seven Houses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ledger.rules.mongrel.terms import House, Identity


#: Expertise by governing Identity, the Power last.
CATEGORIES: Mapping[Identity, tuple[str, ...]] = {
    "demon": ("know", "resist", "burn", "chill", "lie", "occult", "diabolic_power"),
    "man": ("missile", "melee", "bureaucrat", "convince", "negotiate", "information", "repair", "borg_power"),
    "beast": ("stalk", "sense", "athletics", "balance", "rend", "threaten", "seduce", "animal_power"),
}
CATEGORY_NAMES: Mapping[Identity, str] = {"demon": "Sorcery", "man": "Tech", "beast": "Bestial"}
#: Expertise by Area: Awareness, Violence, Fear, Charisma, Education. The Powers do not belong to an Area.
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
#: The Identity that governs each Expertise.
GOVERNED_BY: Mapping[str, Identity] = {
    expertise: identity for identity, listed in CATEGORIES.items() for expertise in listed
}
EXPERTISE: tuple[str, ...] = tuple(GOVERNED_BY)
AREA_OF: Mapping[str, str] = {expertise: area for area, listed in AREAS.items() for expertise in listed}

#: The use of each Expertise, in a few words (headings "Expertise", "Sorcery Expertise and spiritual damage").
ABOUT_EXPERTISE: Mapping[str, str] = {
    "know": "Recognise sorcery and work out what it does",
    "resist": "Weaken a ritual that is aimed at you; takes hours",
    "burn": "Harm a body by sorcery, from afar",
    "chill": "Attack a soul, so that it loses Infernal Resolve",
    "lie": "Make somebody believe a lie",
    "occult": "Work a ritual in place of any other Expertise; takes hours and Infernal Resolve",
    "diabolic_power": "The unnatural parts of your body, divided in a later step",
    "missile": "Hit with what you throw or shoot",
    "melee": "Fight with a weapon in your hand",
    "bureaucrat": "Frighten with rules, papers and rank",
    "convince": "Win somebody over with honest reasons",
    "negotiate": "Strike a bargain, and buy things",
    "information": "Look things up, and ask the right people",
    "repair": "Mend and build machines",
    "borg_power": "The machines in your body, divided in a later step",
    "stalk": "Follow or sneak up without being noticed",
    "sense": "See, hear or smell what others miss",
    "athletics": "Run, jump, climb and swim",
    "balance": "Keep your balance where others fall",
    "rend": "Fight with claws, teeth or bare hands",
    "threaten": "Frighten with your presence and your strength",
    "seduce": "Win somebody over with charm and desire",
    "animal_power": "The animal parts of your body, divided in a later step",
}
#: What each option of the Powers helps with, in a few words (heading "Powers"). Each point adds a die.
ABOUT_OPTIONS: Mapping[str, str] = {
    "inhuman_waist_down": "Hooves, coils or many legs: running, leaping, kicking",
    "inhuman_arms": "Claws or too many arms: gripping, climbing, fighting",
    "tail": "Balance, and a blow from behind",
    "wings": "Flying and gliding",
    "inhuman_face": "Horns, fangs or a terrible look: frightening, biting",
    "body_compartment": "A hollow in your body: hiding and smuggling things",
    "implanted_weapon": "A weapon inside your body: fighting with it",
    "information_storage": "A data store in your head: knowing and looking things up",
    "replacement_limb": "Arms or legs of metal, one for each point: strength and skill",
    "enhanced_spectrum_sense": "Eyes or ears that reach further: noticing things, even in the dark",
    "animal_legs": "Both legs of an animal: running, jumping, sneaking",
    "animal_arms": "Both arms of an animal: clawing, climbing, digging",
    "head": "The head of an animal: smelling, hearing, biting",
}

BEAST_FORMS = ("quadruped", "biped-primate", "biped-bird")
FORMS: Mapping[Identity, tuple[str, ...]] = {"man": ("human",), "beast": BEAST_FORMS}

#: The Expertise whose hits are physical, unless the table decides differently.
PHYSICAL = frozenset({"burn", "melee", "missile", "rend"})

#: Expertise that takes hours.
SLOW = ("occult", "resist")

#: Expertise that needs only words.
SPOKEN = ("bureaucrat", "threaten", "lie", "convince", "negotiate", "seduce")

QUIET = ("meditating", "simple-tasks", "calm-company")
HOUR = 60

#: The reputation of the Houses, and where they are strong (`mongrel.house.reference`).
STEREOTYPES: Mapping[House, tuple[str, str]] = {
    "aggak-ko": ("sophisticates", "most of Aoka"),
    "mekag": ("occultists", "most of Beruun"),
    "druinar": ("warriors", "Aoka, but present everywhere"),
    "esseth": ("barbarians", "Cath"),
    "sfere": ("weirdos", "Cath, scattered elsewhere"),
    "repta": ("artists and mystics", "Aoka and Beruun"),
    "nuin": ("criminals", "scattered, with their main outpost on the moons of Beruun"),
}
#: The three worlds, and which Houses are strong there (`mongrel.house.worlds`).
WORLDS: Mapping[str, str] = {
    "aoka": "home of the Aggak-Ko, the Druinar and many Repta",
    "beruun": "home of the Mekag and some Repta, with the main outpost of the Nuin on its moons",
    "cath": "home of the Esseth and base of the Sfere",
}
#: The belief of a House, if its opinions follow from it.
CREEDS: Mapping[House, str] = {"sfere": "meaning is power"}
#: The opinions of the Houses about each other. About two of three members share them (`mongrel.house.opinion`).
OPINIONS: Mapping[House, Mapping[House, str]] = {
    "aggak-ko": {
        "mekag": "take themselves too seriously",
        "druinar": "are handy for menial work",
        "esseth": "are almost unknown",
        "sfere": "are worrying, because nobody knows their aims",
        "repta": "are entertaining",
        "nuin": "are dangerous, but needed in small doses",
    },
    "mekag": {
        "aggak-ko": "are the main rivals in the fight over secrets",
        "druinar": "are tools in a sham war",
        "esseth": "are as ignorant as they are strong",
        "sfere": "are surely hiding some knowledge",
        "repta": "are the real enemy, in the real war",
        "nuin": "are tools and nothing more",
    },
    "druinar": {
        "aggak-ko": "are soft, but rich and of high standing",
        "mekag": "are the eye that guides the arm",
        "esseth": "are cannon fodder, though vicious on their own ground",
        "sfere": "must be put up with",
        "repta": "are softer still, and beneath notice",
        "nuin": "must be stopped and made to pay",
    },
    "esseth": {
        "aggak-ko": "are far above everybody, and fearsome",
        "mekag": "are sorcerers who deserve to burn",
        "druinar": "are the enemy",
        "sfere": "may be holy, and should be spared",
        "repta": "are a riddle",
        "nuin": "are friends",
    },
    "sfere": {
        "aggak-ko": "mistake polish for power",
        "mekag": "mistake terror and flame for power",
        "druinar": "mistake drill and arms for power",
        "esseth": "mistake numbers and appetite for power",
        "repta": "know where power lies, but would rather play than use it",
        "nuin": "mistake concealment for power",
    },
    "repta": {
        "aggak-ko": "are patrons, and luckily not very bright",
        "mekag": "are inspiring",
        "druinar": "are uneducated soldiers",
        "esseth": "are excitingly vigorous, at a safe distance",
        "sfere": "are the dearest friends",
        "nuin": "are the wild company that everybody needs now and then",
    },
    "nuin": {
        "aggak-ko": "are fine customers, whatever they say in public",
        "mekag": "are a blight on trade",
        "druinar": "must be kept at bay, which is easy because they are dull",
        "esseth": "are equally fine customers",
        "sfere": "know too much",
        "repta": "are the surest way into trade, but not worth wanting for their own sake",
    },
}
