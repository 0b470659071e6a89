"""The types of the game's fields, for people, forms and parsers, and the source's tables.

Rules check values themselves: a `Sent` can be anything until a rule has read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from ledger.rules.kernel.kit import Between, CharacterId, Fell, OneOf, Prose, Ref, Says
from ledger.rules.moc.words import (
    ARCHETYPES,
    CHARACTERISTICS,
    CHIPS,
    CLASSES,
    DECK,
    DICE_ADVANTAGES,
    EFFECTS,
    ELEMENTS,
    KINDS,
    LEVELS,
    MOST_GROUPS,
    PERIODS,
    PRIMARIES,
    PURCHASES,
    SCOPES,
    SUIT_NAMES,
    TRAIT_KINDS,
    USES,
    Sent,
)

MOST = 1_000  # the highest number that forms accept
ElementName: TypeAlias = Annotated[str, OneOf(ELEMENTS)]


#: An Element, or an empty text.
AnyElement: TypeAlias = Annotated[str, OneOf(("", *ELEMENTS))]


#: The suit of a card: an Element, by its own name or by that of its suit.
SuitName: TypeAlias = Annotated[
    str,
    OneOf((*ELEMENTS, *SUIT_NAMES)),
    Says("Element", "Only for a Wildcard: the Element that the card counts as, or that Element's suit."),
]
CardSuit: TypeAlias = Annotated[
    str,
    OneOf((*ELEMENTS, *SUIT_NAMES)),
    Says(
        "Element of the card",
        "Only if a Wildcard plays the card: the Element that the card counts as, or that Element's suit.",
    ),
]
DiceElement: TypeAlias = Annotated[
    str,
    OneOf((*ELEMENTS, *SUIT_NAMES)),
    Says("Element of the dice", "Only for a roll without an Element of its own. If you leave it out, Action is used."),
]
ColourName: TypeAlias = Annotated[str, OneOf(tuple(CHIPS))]


#: The colour of a chip, or an empty text.
AnyColour: TypeAlias = Annotated[str, OneOf(("", *CHIPS))]
ArchetypeName: TypeAlias = Annotated[str, OneOf(tuple(ARCHETYPES))]
PrimaryName: TypeAlias = Annotated[str, OneOf(PRIMARIES)]


#: A Primary, or an empty text.
AnyPrimary: TypeAlias = Annotated[str, OneOf(("", *PRIMARIES))]


#: Any of the twenty characteristics.
CharacteristicName: TypeAlias = Annotated[str, OneOf(CHARACTERISTICS)]


#: A characteristic, or an empty text.
AnyCharacteristic: TypeAlias = Annotated[str, OneOf(("", *CHARACTERISTICS))]


#: The name of a level: `spectacular_failure` to `outstanding`.
LevelName: TypeAlias = Annotated[str, OneOf(tuple(LEVELS))]
RollKind: TypeAlias = Annotated[str, OneOf(KINDS), Says("Kind of roll", "This decides how successes are counted.")]
OtherRoll: TypeAlias = Annotated[
    str, OneOf(("damage", "resisting", "initiative", "healing")), Says("Roll", "What the dice were rolled for.")
]
BeadUse: TypeAlias = Annotated[str, OneOf(USES), Says("Use", "What the beads do.")]
PeriodName: TypeAlias = Annotated[str, OneOf(PERIODS)]
AnyPeriod: TypeAlias = Annotated[
    str,
    OneOf(("", *PERIODS)),
    Says("Period", "For dice that come back: the period after which they do so."),
]
CardClass: TypeAlias = Annotated[
    str, OneOf(tuple(CLASSES)), Says("Class", "The class you expect. The card is refused if its class is different.")
]
AnyRank: TypeAlias = Annotated[str, OneOf(("", *CLASSES))]


#: The name of a card: 2 to 10, J, Q, K or A, then C, D, S or H.
CardName: TypeAlias = Annotated[str, OneOf(DECK)]
CardNames: TypeAlias = tuple[CardName, ...]


#: A card, or an empty text.
AnyCard: TypeAlias = Annotated[str, OneOf(("", *DECK))]
ScopeName: TypeAlias = Annotated[str, OneOf(tuple(SCOPES.values())), Says("Scope", "How far the effect reaches.")]
StatusName: TypeAlias = Annotated[str, OneOf(("active", "down", "dead"))]
TableName: TypeAlias = Annotated[str, OneOf(("skills", "weapons", "locations", "healing", "ag", "uses"))]
TraitKind: TypeAlias = Annotated[str, OneOf(TRAIT_KINDS), Says("Kind of trait")]


#: The declaration that an Advantage allows.
Allowance: TypeAlias = Annotated[
    str, OneOf(("", "card-trade")), Says("Allows trading cards", "An Advantage can allow its owner to trade cards.")
]
EffectName: TypeAlias = Annotated[str, OneOf(EFFECTS), Says("Effect", "What the trait does in numbers.")]


#: The target of an effect: a pool for dice, an Element for beads and cards.
EffectOf: TypeAlias = Annotated[
    str,
    Ref("effect-of"),
    Says("Applies to", "The dice pool or Element that the trait affects, or the characters who discard."),
]
PurchaseKind: TypeAlias = Annotated[str, OneOf(PURCHASES), Says("Kind of purchase")]
GROUPS = tuple(f"weapons-master:{period}:{n}" for period in PERIODS for n in range(2, MOST_GROUPS + 1))


#: Dice that come back, with their period: `action-hero:scene`; `weapons-master:scene:2` for a second group of skills.
DiceAdvantage: TypeAlias = Annotated[
    str, OneOf((*(f"{advantage}:{period}" for advantage in DICE_ADVANTAGES for period in PERIODS), *GROUPS))
]
FloatingDice: TypeAlias = Annotated[str, OneOf(tuple(f"floating-dice:{period}" for period in PERIODS))]


#: An approval. If it is left out, a game master is asked.
Approval: TypeAlias = Annotated[
    bool | None, Says("Approved", "Whether the game master agrees. Leave it out to ask a game master.")
]
ActionId: TypeAlias = Annotated[str, Ref("action")]
PlayId: TypeAlias = Annotated[str, Ref("play")]


#: The pile of a play: an action, a hit, a character's initiative, a healing by its ruling, or part of the story.
PileId: TypeAlias = Annotated[str, Ref("pile")]


#: The play or chip that went back to its player.
PlayOrChip: TypeAlias = Annotated[str, Ref("play-or-chip")]


#: The play or roll that is trumped.
PlayOrRoll: TypeAlias = Annotated[str, Ref("play-or-roll")]
HitId: TypeAlias = Annotated[str, Ref("hit")]
ChangeId: TypeAlias = Annotated[str, Ref("change"), Says("Part of the story")]


#: The seats that can see a hand or a card.
AudienceName: TypeAlias = Annotated[str, Ref("audience")]
TraitId: TypeAlias = Annotated[str, Ref("trait")]
OwnTrait: TypeAlias = Annotated[str, Ref("trait", of="character")]
ArcId: TypeAlias = Annotated[str, Ref("arc")]
SessionId: TypeAlias = Annotated[str, Ref("session")]


#: The number of the ruling with a healing roll.
RulingNumber: TypeAlias = Annotated[str, Ref("ruling")]
SkillName: TypeAlias = Annotated[str, Ref("skill")]
WeaponName: TypeAlias = Annotated[str, Ref("weapon")]
LocationName: TypeAlias = Annotated[str, Ref("location")]
RowName: TypeAlias = Annotated[str, Ref("table-row"), Says("Row", "The name of the row.")]
RowField: TypeAlias = Annotated[
    str,
    OneOf(
        (
            "element",
            "primary",
            "others",
            "difficulty",
            "lethal",
            "damage",
            "lethality",
            "adds",
            "low",
            "high",
            "severity",
            "days",
            "tn",
            "text",
        )
    ),
]


#: A value in a row of a table: a number, a word, true or false, or a list of characteristics for `others`.
RowValue: TypeAlias = (
    tuple[CharacteristicName, ...] | bool | Annotated[str, Prose()] | Annotated[Sent, Between(-MOST, MOST)]
)


MartialArt: TypeAlias = Annotated[
    str,
    Ref("martial-art", of="character"),
    Says("Martial Art", "The area of Martial Arts whose level replaces the skill level."),
]


#: A characteristic for Superhuman beads, an area for Martial Arts beads.
BeadTalent: TypeAlias = Annotated[str, Ref("bead-talent", of="character")]
Background: TypeAlias = Annotated[str, Ref("background")]
OwnBackground: TypeAlias = Annotated[str, Ref("background", of="character")]
MovementMode: TypeAlias = Annotated[str, Ref("movement-mode")]


PurchaseName: TypeAlias = Annotated[
    str,
    Ref("purchase-name"),
    Says("Name of the purchase", "The characteristic, the skill, the area of Martial Arts, or the contacts."),
]
Natural: TypeAlias = Annotated[Sent, Between(0, MOST)]
Positive: TypeAlias = Annotated[Sent, Between(1, MOST)]
HowMany: TypeAlias = Annotated[Natural, Says("How many")]


Face: TypeAlias = Annotated[Sent, Between(1, 10), Fell()]
Faces: TypeAlias = Annotated[tuple[Face, ...], Says("Faces", "The dice you rolled.")]
BonusFaces: TypeAlias = Annotated[
    tuple[Face, ...], Says("Bonus dice", "The extra dice rolled because of 10s, in order.")
]
Sides: TypeAlias = Annotated[
    Sent,
    Between(6, 10),
    Says("Sides", "This is always 10, because actions are rolled with d10s. You can leave it out."),
]


DieNumber: TypeAlias = Annotated[Sent, Between(0, MOST), Says("Die", "The number of the die: `0` is the first.")]
PartNumber: TypeAlias = Annotated[
    Sent,
    Between(0, MOST),
    Says(
        "Part",
        "Which part of a split pool, by number: `0` is the first. For damage, `0` means the damage dice and `1`"
        " the raise dice.",
    ),
]
Dice: TypeAlias = Annotated[Sent, Between(0, MOST), Says("Dice")]
Tn: TypeAlias = Annotated[Sent, Between(1, MOST), Says("Target number")]


NumberNeeded: TypeAlias = Annotated[
    Sent,
    Between(1, MOST),
    Says("Number needed", "The number to reach for the required level, if it is given instead of a target number."),
]
LevelSent: TypeAlias = Annotated[Sent, Between(0, MOST), Says("Level")]


#: A level by its name or its number, from -1 to 4.
Level: TypeAlias = LevelName | Annotated[Sent, Between(-1, 4)]
Days: TypeAlias = Annotated[Sent, Between(1, 100_000), Says("Days")]
TimeSpent: TypeAlias = Annotated[Sent, Between(1, 1_000_000)]


ChipValue: TypeAlias = Annotated[
    Sent, Between(0, 1_000_000), Says("Value", "The total value of the chips that this makes available for awards.")
]


#: A fraction, such as `3/2` or `0.5`.
FractionText: TypeAlias = Annotated[str, Prose(20), Ref("fraction")]
FractionSent: TypeAlias = Annotated[Sent, Between(-1_000_000, 1_000_000)] | FractionText


#: A cost in points, as it is recorded.
Cost: TypeAlias = Annotated[str, Prose(40), Ref("fraction")]
AgScore: TypeAlias = Annotated[str, Ref("ag")] | Natural
ChipCounts: TypeAlias = Mapping[ColourName, Natural]
BeadCounts: TypeAlias = Mapping[ElementName, Natural]
FloatingCounts: TypeAlias = Annotated[
    Mapping[FloatingDice, Natural],
    Says("Floating dice", "How many floating dice are added, by the period they were bought for."),
]
DiceOfPeople: TypeAlias = Mapping[CharacterId, tuple[Face, ...]]


# --- tables -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill's row in the table. `others`: Secondary and Derived characteristics. `difficulty`: 0 easy, 1 normal, 2
    difficult.
    """

    element: ElementName
    primary: PrimaryName
    others: tuple[CharacteristicName, ...]
    difficulty: int


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon's row in the table. `damage`: dice; `adds`: a characteristic whose rating is added. `lethality`: the
    number that a damage die must reach.
    """

    lethal: bool
    damage: int
    lethality: int
    adds: AnyCharacteristic = ""


@dataclass(frozen=True, slots=True)
class Location:
    """A hit location's row in the table: `low` to `high` on a d10; `severity` lowers the threshold and raises the
    resisting target number.
    """

    low: int
    high: int
    severity: int


def _make_skill(element: str, primary: str, other: str, difficulty: int) -> Skill:
    return Skill(element, primary, (other,), difficulty)


SKILLS: Mapping[str, Skill] = {
    "Strength Feat": _make_skill("action", "body", "S", 0),
    "Thrown Weapons": _make_skill("action", "body", "C", 0),
    "Dodge": _make_skill("action", "body", "Sp", 0),
    "Brawling": _make_skill("action", "body", "S", 0),
    "Melee Weapons": _make_skill("action", "body", "C", 1),
    "Firearms": _make_skill("action", "body", "C", 1),
    "Running": _make_skill("action", "body", "Sp", 0),
    "Climbing": _make_skill("action", "body", "S", 0),
    "Swimming": _make_skill("action", "body", "T", 0),
    "Breakfall": _make_skill("action", "body", "Sp", 1),
    "Driving": _make_skill("action", "body", "C", 1),
    "Stealth": _make_skill("plot", "body", "Sp", 1),
    "Cryptography": _make_skill("plot", "mind", "R", 2),
    "Computers": _make_skill("plot", "mind", "R", 2),
    "Search": _make_skill("plot", "mind", "P", 0),
    "First Aid": _make_skill("plot", "mind", "K", 1),
    "Knowledge": _make_skill("plot", "mind", "K", 1),
    "Pilot": _make_skill("action", "mind", "C", 2),
    "Gambling": _make_skill("plot", "spirit", "L", 0),
    "Persuasion": _make_skill("drama", "spirit", "Pr", 0),
    "Deception": _make_skill("drama", "spirit", "Pr", 1),
    "Intimidation": _make_skill("drama", "spirit", "W", 0),
    "Negotiation": _make_skill("drama", "spirit", "W", 1),
    "Psychic Focus": _make_skill("drama", "spirit", "E", 2),
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
BUDGETS = {"standard": 100, "heroic": 125, "superheroic": 200}
