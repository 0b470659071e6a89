"""The game's words as types, the tables of the source, how names are compared, and words that sentences share."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, TypeGuard, get_args

from ledger.rules.kernel.kit import About, Between, Fell, Names, OneOf, Prose, Ref, Says

#: A number as it was sent. It can be anything until a rule has checked it.
Number: TypeAlias = object
#: A number that was rolled, drawn or said.
Face: TypeAlias = Annotated[object, Between(1, 12), Fell()]
#: A number that a player says aloud.
Spoken: TypeAlias = Annotated[object, Between(1, 12)]
#: How good a character is at a task: the sum of two ratings, neither of which is below zero.
AptitudeNumber: TypeAlias = Annotated[object, Between(0)]
#: A level that Status can rise to.
Level: TypeAlias = Annotated[object, Between(1, 6)]
#: The traits that can add up to an Aptitude. The Primary Role has no rating of its own.
TraitKind: TypeAlias = Literal["talent", "life", "primary"]
RateableKind: TypeAlias = Literal["talent", "life"]
CharacterKind: TypeAlias = Literal["player_character", "non_player_character"]
Purpose: TypeAlias = Literal["action", "resist", "recovery"]
Method: TypeAlias = Literal["one_dice", "one_card", "verbal", "three_dice", "three_card"]
#: The conditions that put a character out of action, from the mildest to the most severe.
Condition: TypeAlias = Literal["immobilized", "unconscious", "dead"]
Cause: TypeAlias = Literal["attack", "avoidance", "spectacular", "referee"]
Combine: TypeAlias = Literal["worst", "replace"]
CheckReading: TypeAlias = Literal["mnemonic", "step", "referee"]
FlukeKind: TypeAlias = Literal["automatic_success", "automatic_failure", "spectacular_success", "spectacular_failure"]
AptitudeSource: TypeAlias = Literal["traits", "dramatic", "assigned"]
RecoveryWay: TypeAlias = Literal["declared", "check"]
#: Parts in a story for which ratings of script immunity are suggested.
Preset: TypeAlias = Literal["player_character", "major_villain", "henchman", "friend_or_family", "extra"]
#: The rating that counts as script immunity: a rating of its own, or the Talent Lucky.
Immunity: TypeAlias = Literal["important", "lucky"]
KnownTo: TypeAlias = Literal["everybody", "player", "referee"]
#: The state of a declared action.
ActionStage: TypeAlias = Literal["declared", "ruled", "impossible", "certain"]

#: Names on the campaign's two ladders.
RatingName: TypeAlias = Annotated[str, Ref("rating"), Prose(200)]
ChancesName: TypeAlias = Annotated[str, Ref("chances"), Prose(200)]
TraitTitle: TypeAlias = Annotated[str, Ref("trait"), Prose(200)]
TraitOfCharacter: TypeAlias = Annotated[str, Ref("trait", of="character"), Prose(200)]
TraitOfVictim: TypeAlias = Annotated[str, Ref("trait", of="victim"), Prose(200)]
#: Ids of recorded items.
RulingNumber: TypeAlias = Annotated[str, Ref("ruling")]
SessionId: TypeAlias = Annotated[str, Ref("session")]
ActionId: TypeAlias = Annotated[str, Ref("action")]
CheckId: TypeAlias = Annotated[str, Ref("check")]
InjuryId: TypeAlias = Annotated[str, Ref("injury")]
RecoveryId: TypeAlias = Annotated[str, Ref("recovery")]
AssignmentId: TypeAlias = Annotated[str, Ref("assignment")]
AssignmentOfCharacter: TypeAlias = Annotated[str, Ref("assignment", of="character")]
AssignmentOfVictim: TypeAlias = Annotated[str, Ref("assignment", of="victim")]
Readers: TypeAlias = tuple[Annotated[str, Ref("audience")], ...]

METHODS: tuple[Method, ...] = get_args(Method)
ONE_CARD_METHODS: frozenset[Method] = frozenset({"one_card", "three_card"})
DICE: frozenset[Method] = frozenset({"one_dice", "three_dice"})
THREE_METHODS: frozenset[Method] = frozenset({"three_dice", "three_card"})
SEVERITY: tuple[Condition, ...] = get_args(Condition)
#: Other words that the document uses for a condition.
OTHER_WORDS: dict[str, Condition] = {"incapacitated": "immobilized", "death": "dead"}

#: How flukes are named in sentences.
FLUKE_WORDS: dict[FlukeKind, str] = {
    "automatic_success": "an Automatic Success",
    "automatic_failure": "an Automatic Failure",
    "spectacular_success": "a Spectacular Success",
    "spectacular_failure": "a Spectacular Failure",
}

FINE = 6
INACTIVE = 0
#: The words counted from one to six. The last word counted gives the Status.
MNEMONIC: tuple[str, ...] = ("Foxes", "Run", "Between", "Huge", "Smoking", "Fires")
STATUS_NAMES: tuple[str, ...] = ("Fading", "Reeling", "Battered", "Hurt", "Scratched", "Fine")
#: Words as they are sent. The rules check them.
MethodWord: TypeAlias = Annotated[str, OneOf(METHODS), Says("How to roll")]
NeedsBody: TypeAlias = Annotated[
    bool,
    Says(
        "Physical action",
        "An immobilized character can attempt only actions that are not physical.",
    ),
]
LifeOrDeath: TypeAlias = Annotated[
    bool, Says("Life or death", "If true, life is at stake in this check, and a Spectacular Failure can kill.")
]
TraitKindWord: TypeAlias = Annotated[str, OneOf(get_args(TraitKind))]
#: The parts of an Aptitude, including script immunity.
PartKind: TypeAlias = Annotated[str, OneOf((*get_args(TraitKind), "importance"))]
MnemonicWord: TypeAlias = Annotated[str, OneOf(MNEMONIC)]
RateableWord: TypeAlias = Annotated[str, OneOf(get_args(RateableKind)), Says("Talent or Life Role")]
CauseWord: TypeAlias = Annotated[str, OneOf(get_args(Cause))]
ConditionWord: TypeAlias = Annotated[str, OneOf((*SEVERITY, *OTHER_WORDS))]
#: The ranks of a card, including the King, which is drawn again.
RANK_WORDS: tuple[str, ...] = ("A", *map(str, range(2, 11)), "J", "Q", "K", "Ace", "Jack", "Queen", "King")
Rank: TypeAlias = Annotated[object, Between(2, 10)] | Annotated[object, OneOf(RANK_WORDS)]

LUCKY = "Lucky"

# --- printed tables ---------------------------------------------------------------------------------------------------

#: The name of a rating or a level of Chances, and its number.
Row: TypeAlias = tuple[str, int]
Ladder: TypeAlias = tuple[Row, ...]
#: A ladder as it was sent, not yet checked.
Rows: TypeAlias = tuple[tuple[Annotated[object, Prose(200)], Annotated[object, Between()]], ...]

#: `seven`: The source prints Moderately as 3 and Fairly as 4. The other rows continue these numbers, from 0 up to 6.
SEVEN: Ladder = (
    ("Not at All", 0),
    ("Not Very", 1),
    ("Somewhat", 2),
    ("Moderately", 3),
    ("Fairly", 4),
    ("Very", 5),
    ("Extremely", 6),
)

#: `tied`: Very counts the same as Fairly, so that both Aptitudes printed in the examples are right.
TIED: Ladder = tuple((name, 4) if name == "Very" else (name, number) for name, number in SEVEN)

#: The source names only Bad, Poor and Fair. The other rows fill the gaps.
CHANCES: Ladder = (
    ("Terrible", -6),
    ("Bad", -4),
    ("Poor", -2),
    ("Even", 0),
    ("Fair", 3),
    ("Good", 5),
    ("Excellent", 7),
)

#: The ratings of script immunity suggested for each part in the story.
PRESETS: dict[Preset, tuple[str, ...]] = {
    "player_character": ("Very", "Extremely"),
    "major_villain": ("Very", "Extremely"),
    "henchman": ("Moderately",),
    "friend_or_family": ("Moderately",),
    "extra": ("Not at All", "Not Very", "Somewhat"),
}

#: If a ladder has no "Moderate" of its own, the word means Moderately.
MODERATE, MODERATELY = "moderate", "moderately"

#: Dice, cards and voices give numbers from 1 to 12.
HIGHEST = 12
RANKS: dict[str, int] = {
    "a": 1,
    "ace": 1,
    **{str(number): number for number in range(2, 11)},
    "j": 11,
    "jack": 11,
    "q": 12,
    "queen": 12,
}
KINGS = frozenset({"k", "king"})
SUITS: tuple[str, ...] = ("clubs", "diamonds", "hearts", "spades")
#: The pack from which the ledger draws. It has no kings, because a king would be drawn again.
PACK: tuple[str, ...] = tuple(
    f"{rank} of {suit}" for suit in SUITS for rank in ("A", *map(str, range(2, 11)), "J", "Q")
)

# --- how words are compared -------------------------------------------------------------------------------------------


def collapse_spaces(name: str) -> str:
    """Return the name as it is stored, without needless spaces."""
    return " ".join(name.split())


def normalize_name(name: str) -> str:
    """Return the form in which names are compared: case and runs of spaces do not matter."""
    return collapse_spaces(name).casefold()


def is_method(word: object) -> TypeGuard[Method]:
    return word in METHODS


def is_trait_kind(word: object) -> TypeGuard[TraitKind]:
    return word in get_args(TraitKind)


def is_rateable(word: object) -> TypeGuard[RateableKind]:
    return word in get_args(RateableKind)


def is_cause(word: object) -> TypeGuard[Cause]:
    return word in get_args(Cause)


def is_condition(word: object) -> TypeGuard[Condition]:
    return word in SEVERITY


def is_whole(number: object) -> TypeGuard[int]:
    """Return whether this is an integer and not a bool."""
    return type(number) is int


# --- words that sentences share ---------------------------------------------------------------------------------------


def quote(text: str) -> str:
    """Return people's own words in quotation marks, or "(no description)." if there are none."""
    return f"“{text.strip()}”" if text.strip() else "(no description)."


def format_reason(reason: str) -> str:
    """Return a reason in brackets, to follow a sentence, or "" if there is none."""
    return f" (“{reason.strip()}”)" if reason.strip() else ""


def format_unit(count: int, unit: str, units: str) -> str:
    return f"{count} {unit if count == 1 else units}"


def name_subject(names: Names) -> str:
    """Return the name of the character that a fact is about."""
    return names.name(names.subject) if isinstance(names, About) else "somebody"


def name_level(level: int, condition: str | None = None) -> str:
    """Return a level by its word of the mnemonic, or an inactive one by its condition. A table may rename its levels,
    but not these words.
    """
    if condition or level == FINE:
        return condition or "Fine"
    return f"level {level} ({MNEMONIC[level - 1]})" if 1 <= level < FINE else f"level {level}"
