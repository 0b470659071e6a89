"""The game's words as types: traits, methods, conditions, flukes, and how names are compared."""

from __future__ import annotations

from typing import Literal, TypeAlias, TypeGuard, get_args

#: A number as it was sent: anything, until a rule has found it to be one.
Number: TypeAlias = object
#: What an Aptitude may be made of. The Primary Role is never rated by itself.
TraitKind: TypeAlias = Literal["talent", "life", "primary"]
RateableKind: TypeAlias = Literal["talent", "life"]
CharacterKind: TypeAlias = Literal["player_character", "non_player_character"]
Purpose: TypeAlias = Literal["action", "resist", "recovery"]
Method: TypeAlias = Literal["one_dice", "one_card", "verbal", "three_dice", "three_card"]
#: Why somebody is out of action, from the mildest to the most severe.
Condition: TypeAlias = Literal["immobilized", "unconscious", "dead"]
Cause: TypeAlias = Literal["attack", "avoidance", "spectacular", "referee"]
Combine: TypeAlias = Literal["worst", "replace"]
CheckReading: TypeAlias = Literal["mnemonic", "step", "referee"]
FlukeKind: TypeAlias = Literal["automatic_success", "automatic_failure", "spectacular_success", "spectacular_failure"]
AptitudeSource: TypeAlias = Literal["traits", "dramatic", "assigned"]
RecoveryWay: TypeAlias = Literal["declared", "check"]
#: Parts in a story for which ratings of script immunity are suggested.
Preset: TypeAlias = Literal["player_character", "major_villain", "henchman", "friend_or_family", "extra"]
#: Which rating says how much of it a character has, and who may know that.
Immunity: TypeAlias = Literal["important", "lucky"]
KnownTo: TypeAlias = Literal["everybody", "player", "referee"]
#: What became of a declared action.
ActionStage: TypeAlias = Literal["declared", "ruled", "impossible"]

METHODS: tuple[Method, ...] = get_args(Method)
ONE_CARD_METHODS: frozenset[Method] = frozenset({"one_card", "three_card"})
THREE_METHODS: frozenset[Method] = frozenset({"three_dice", "three_card"})
SEVERITY: tuple[Condition, ...] = get_args(Condition)
#: The document's other words for a condition.
OTHER_WORDS: dict[str, Condition] = {"incapacitated": "immobilized", "death": "dead"}

FINE = 6
INACTIVE = 0
#: Counted from one to six; the word reached names the Status.
MNEMONIC: tuple[str, ...] = ("Foxes", "Run", "Between", "Huge", "Smoking", "Fires")
STATUS_NAMES: tuple[str, ...] = ("Fading", "Reeling", "Battered", "Hurt", "Scratched", "Fine")

LUCKY = "Lucky"


def collapsed(name: str) -> str:
    """The name as it is kept: without needless spaces."""
    return " ".join(name.split())


def same_name(name: str) -> str:
    """The name as it is compared: case and runs of spaces do not matter."""
    return collapsed(name).casefold()


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
    """An integer, and neither true nor false."""
    return type(number) is int
