"""What values a field can have in this game, for people, forms and parsers. Rules still check for themselves.

A `Number` on the wire may be anything until a rule has checked it. Its limits are here. They are wider than any play
needs: they keep out nonsense.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

from ledger.rules.kernel.domains import Between, CharacterId, Fell, OneOf, Prose, Ref, Says
from ledger.rules.moc.terms import (
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
    Number,
)

MOST = 1_000  # of whatever is counted at a table

# --- words -----------------------------------------------------------------------------------------------------------

ElementName: TypeAlias = Annotated[str, OneOf(ELEMENTS)]
#: Empty where there is none.
AnyElement: TypeAlias = Annotated[str, OneOf(("", *ELEMENTS))]
#: Of a card: an Element by its own name, or by that of its suit.
SuitName: TypeAlias = Annotated[
    str, OneOf((*ELEMENTS, *SUIT_NAMES)), Says("Element", "For a Wildcard: the Element of the card, or its suit.")
]
CardSuit: TypeAlias = Annotated[
    str,
    OneOf((*ELEMENTS, *SUIT_NAMES)),
    Says(
        "Element of the card",
        "If a Wildcard plays it: the Element of the card, or its suit. Leave it out for other characters.",
    ),
]
DiceElement: TypeAlias = Annotated[
    str, OneOf((*ELEMENTS, *SUIT_NAMES)),
    Says("Element of the dice", "Only for a roll without an Element of its own. Leave it out for Action."),
]  # fmt: skip
ColourName: TypeAlias = Annotated[str, OneOf(tuple(CHIPS))]
#: Empty where there is none.
AnyColour: TypeAlias = Annotated[str, OneOf(("", *CHIPS))]
ArchetypeName: TypeAlias = Annotated[str, OneOf(tuple(ARCHETYPES))]
PrimaryName: TypeAlias = Annotated[str, OneOf(PRIMARIES)]
#: Empty where there is none.
AnyPrimary: TypeAlias = Annotated[str, OneOf(("", *PRIMARIES))]
#: Any of the twenty.
CharacteristicName: TypeAlias = Annotated[str, OneOf(CHARACTERISTICS)]
#: Empty where there is none.
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
    str, OneOf(("", *PERIODS)), Says("Period", "When used dice come back. Only for dice that come back after use.")
]
CardClass: TypeAlias = Annotated[
    str, OneOf(tuple(CLASSES)), Says("Class", "The class you expect. The card is refused if its class is different.")
]
AnyRank: TypeAlias = Annotated[str, OneOf(("", *CLASSES))]
#: 2 to 10, J, Q, K or A, and C, D, S or H.
CardName: TypeAlias = Annotated[str, OneOf(DECK)]
CardNames: TypeAlias = tuple[CardName, ...]
#: Empty where there is none.
AnyCard: TypeAlias = Annotated[str, OneOf(("", *DECK))]
ScopeName: TypeAlias = Annotated[str, OneOf(tuple(SCOPES.values())), Says("Scope", "How far the effect reaches.")]
StatusName: TypeAlias = Annotated[str, OneOf(("active", "down", "dead"))]
TableName: TypeAlias = Annotated[str, OneOf(("skills", "weapons", "locations", "healing", "ag", "uses"))]
TraitKind: TypeAlias = Annotated[str, OneOf(TRAIT_KINDS), Says("What it is")]
#: What only this Advantage allows.
Allowance: TypeAlias = Annotated[
    str, OneOf(("", "card-trade")), Says("Allows", "An Advantage can allow its owner to trade cards.")
]
EffectName: TypeAlias = Annotated[str, OneOf(EFFECTS), Says("Effect", "What the trait does in numbers.")]
#: Of dice a pool, of beads and cards an Element.
EffectOf: TypeAlias = Annotated[
    str,
    Ref("effect-of"),
    Says("Applies to", "The dice pool or Element that the trait affects, or the characters who discard."),
]
PurchaseKind: TypeAlias = Annotated[str, OneOf(PURCHASES), Says("What is bought")]
GROUPS = tuple(f"weapons-master:{period}:{n}" for period in PERIODS for n in range(2, MOST_GROUPS + 1))
#: Dice that come back, with their period: `action-hero:scene`; of a second group of skills `weapons-master:scene:2`.
DiceAdvantage: TypeAlias = Annotated[
    str, OneOf((*(f"{one}:{period}" for one in DICE_ADVANTAGES for period in PERIODS), *GROUPS))
]
FloatingDice: TypeAlias = Annotated[str, OneOf(tuple(f"floating-dice:{period}" for period in PERIODS))]

#: If it is left out, a game master is asked.
Approval: TypeAlias = Annotated[
    bool | None, Says("Approved", "Whether the game master agrees. Leave it out to ask a game master.")
]

# --- what is listed in a state ---------------------------------------------------------------------------------------

ActionId: TypeAlias = Annotated[str, Ref("action")]
PlayId: TypeAlias = Annotated[str, Ref("play")]
#: What something lies on: an action, a hit, whose initiative, a healing by its ruling, something told.
PileId: TypeAlias = Annotated[str, Ref("pile")]
#: What went back to its player.
PlayOrChip: TypeAlias = Annotated[str, Ref("play-or-chip")]
#: What is trumped.
PlayOrRoll: TypeAlias = Annotated[str, Ref("play-or-roll")]
HitId: TypeAlias = Annotated[str, Ref("hit")]
ChangeId: TypeAlias = Annotated[str, Ref("change"), Says("Part of the story")]
#: Who may see it.
AudienceName: TypeAlias = Annotated[str, Ref("audience")]
TraitId: TypeAlias = Annotated[str, Ref("trait")]
OwnTrait: TypeAlias = Annotated[str, Ref("trait", of="character")]
ArcId: TypeAlias = Annotated[str, Ref("arc")]
SessionId: TypeAlias = Annotated[str, Ref("session")]
#: The ruling that rolled.
RulingNumber: TypeAlias = Annotated[str, Ref("ruling")]
SkillName: TypeAlias = Annotated[str, Ref("skill")]
WeaponName: TypeAlias = Annotated[str, Ref("weapon")]
LocationName: TypeAlias = Annotated[str, Ref("location")]
RowName: TypeAlias = Annotated[str, Ref("table-row"), Says("Row", "The name of the row.")]
RowField: TypeAlias = Annotated[str, OneOf((
    "element", "primary", "others", "difficulty", "lethal", "damage", "lethality", "adds", "low", "high", "severity",
    "days", "tn", "text",
))]  # fmt: skip
#: A number, a word, true or false, or for `others` a list of characteristics.
RowValue: TypeAlias = (
    tuple[CharacteristicName, ...] | bool | Annotated[str, Prose()] | Annotated[Number, Between(-MOST, MOST)]
)
#: The area of Martial Arts.
MartialArt: TypeAlias = Annotated[
    str, Ref("martial-art", of="character"), Says("Martial Art", "The area whose level replaces the skill.")
]
#: For Superhuman beads a characteristic, for Martial Arts beads an area.
BeadTalent: TypeAlias = Annotated[str, Ref("bead-talent", of="character")]
Background: TypeAlias = Annotated[str, Ref("background")]
OwnBackground: TypeAlias = Annotated[str, Ref("background", of="character")]
MovementMode: TypeAlias = Annotated[str, Ref("movement-mode")]
#: The name of a purchase: a characteristic, a skill, an area, or the contacts.
PurchaseName: TypeAlias = Annotated[
    str,
    Ref("purchase-name"),
    Says("Which", "The characteristic, the skill, the area of Martial Arts, or the contacts."),
]

#: What each of these is, and where it is listed.
REFERENCES: Mapping[str, str] = {
    "action": "The id of an action, from the `actions` of the scene.",
    "play": "The id of a play, from the `plays` of an action, a hit, an initiative, a healing or part of the story.",
    "play-or-roll": "The id of a play; or for the dice themselves `roll`, `damage`, `resisting`, `initiative` or "
    "`healing`.",
    "play-or-chip": "The id of a play, or `white chip`.",
    "pile": "The id of an action, a hit, a healing or part of the story; for initiative, the id of the character.",
    "hit": "The id of a hit, from the `hits` of the scene.",
    "change": "The id of part of the story, from the `story` of the scene, or of the campaign between scenes.",
    "trait": "The id of a proposal, from the `traits` of the character.",
    "arc": "The id of an arc, from the campaign's `arc`.",
    "ruling": "The number of a ruling of this campaign.",
    "skill": "A skill by name, from the `skills` of the campaign.",
    "weapon": "A weapon by name, from the `weapons` of the campaign.",
    "location": "A hit location by name, from the `locations` of the campaign.",
    "table-row": "A row by name: a new one, or one that the campaign lists. For `healing` the damage, for `ag` the "
    "score, for `uses` the archetype.",
    "martial-art": "An area of Martial Arts, from the `counts` of the character: `martial-arts:<area>`.",
    "bead-talent": "A Superhuman characteristic or an area of Martial Arts, from the `counts` of the character.",
    "background": "`money`, contacts with their name (`contacts:guards`), or the id of an approved Background.",
    "movement-mode": "`primary`, `secondary`, or the name of a bought way to move.",
    "purchase-name": "A characteristic, a skill of the campaign, an area of Martial Arts, or the contacts.",
    "effect-of": "For `dice`: a skill, or movement, dodge, to_hit, initiative, damage, resisting or healing."
    " For `difficulty`: the same without initiative and damage, or empty for every roll. For `scene-beads`,"
    " `bead-price` and `bead-return`: an Element. For `card-worth`: an Element, or empty for any card."
    " For `forced-discard`: `one` (a character that the owner chooses) or `all` (everybody else).",
    "ag": "An AG score, from the `ag` of the campaign.",
    "fraction": "A fraction as text: `3/2`, `0.5`.",
}  # fmt: skip

# --- numbers as they are sent ----------------------------------------------------------------------------------------

Natural: TypeAlias = Annotated[Number, Between(0, MOST)]
Positive: TypeAlias = Annotated[Number, Between(1, MOST)]
HowMany: TypeAlias = Annotated[Natural, Says("How many")]
#: Of dice, `opened` ones too.
Face: TypeAlias = Annotated[Number, Between(1, 10), Fell()]
Faces: TypeAlias = Annotated[tuple[Face, ...], Says("Faces", "The dice you rolled.")]
BonusFaces: TypeAlias = Annotated[tuple[Face, ...], Says("Bonus dice", "The dice that 10s added, in order.")]
Sides: TypeAlias = Annotated[Number, Between(6, 10), Says("Sides", "Leave this out: actions are rolled with d10.")]
#: 0 is the first.
DieNumber: TypeAlias = Annotated[Number, Between(0, MOST), Says("Die", "The number of the die: `0` is the first.")]
PartNumber: TypeAlias = Annotated[
    Number,
    Between(0, MOST),
    Says(
        "Part",
        "Which action of a split pool, by number: `0` is the first. For damage, `0` is the damage dice and `1` the "
        "raise dice.",
    ),
]
Dice: TypeAlias = Annotated[Number, Between(0, MOST), Says("Dice")]
Tn: TypeAlias = Annotated[Number, Between(1, MOST), Says("Target number")]
#: Instead of a target number.
Needed: TypeAlias = Annotated[
    Number,
    Between(1, MOST),
    Says("Number needed", "Instead of a target number: the number to reach for the required level."),
]
Rating: TypeAlias = Annotated[Number, Between(0, MOST), Says("Level")]
#: By its name or by its number, from -1 to 4.
Level: TypeAlias = LevelName | Annotated[Number, Between(-1, 4)]
Days: TypeAlias = Annotated[Number, Between(1, 100_000), Says("Days")]
Time: TypeAlias = Annotated[Number, Between(1, 1_000_000)]
#: The value of chips.
ChipValue: TypeAlias = Annotated[
    Number, Between(0, 1_000_000), Says("Value", "The total value of the chips that can be awarded.")
]
#: `3/2`, `0.5`.
FractionText: TypeAlias = Annotated[str, Prose(20), Ref("fraction")]
Fraction: TypeAlias = Annotated[Number, Between(-1_000_000, 1_000_000)] | FractionText
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
