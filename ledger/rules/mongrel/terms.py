"""The game's words as types: Identities, attributes, Expertise, Houses, sides, zones."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal, TypeAlias, TypeGuard, get_args

Identity: TypeAlias = Literal["man", "beast", "demon"]
Attribute: TypeAlias = Literal["size", "spirit", "physique", "beauty", "speed", "social"]
Sex: TypeAlias = Literal["male", "female"]
Age: TypeAlias = Literal["young", "adult", "old"]
House: TypeAlias = Literal["aggak-ko", "mekag", "druinar", "esseth", "sfere", "repta", "nuin"]
VowKind: TypeAlias = Literal["person", "house", "goal"]
VowEnd: TypeAlias = Literal["fulfilled", "ended"]
#: Whose attribute is the target number: one's own (roll equal or under), or a target's (roll equal or over).
Side: TypeAlias = Literal["own", "target"]
#: What decided a roll in place of the plain count.
Special: TypeAlias = Literal["ones-fail", "sixes-fail", "sevens-succeed", "low-longshot", "zero-expertise"]
Grade: TypeAlias = Literal["none", "minimal", "solid", "notable"]
#: What an Effect does to its target: damage, loss of Infernal Resolve, or what the story says.
HitKind: TypeAlias = Literal["physical", "spiritual", "none"]
Zone: TypeAlias = Literal["none", "shunted", "row", "clear", "gray", "terminal"]
TerminalCause: TypeAlias = Literal["collapsed", "stage", "column"]
CollapseCause: TypeAlias = Literal["damage", "terminal", "resolve"]
DeathCause: TypeAlias = Literal["terminal damage", "resolve"]
#: What Action Points were spent on.
Payment: TypeAlias = Literal["defend", "forced", "missed", "front"]
ApLoss: TypeAlias = Literal["size reached", "collapse", "death"]
ResolveUse: TypeAlias = Literal["avoid death", "occult", "action points"]
ApSource: TypeAlias = Literal["recover", "avoid death"]
DiceSource: TypeAlias = Literal["typed", "asked"]
PurchaseOutcome: TypeAlias = Literal["acquired", "sacrifice-offered", "refused-by-seller"]
AwardReason: TypeAlias = Literal["session", "vow"]
SocialCause: TypeAlias = Literal["ruling", "improvement"]
#: What Resist is rolled against.
Resisted: TypeAlias = Literal["occult", "chill"]
#: The question to a game master about the numbers that a player proposes, and what each of them is called in it.
NUMBERS = "numbers"
NUMBER_WORDS: Mapping[str, str] = {
    "weapon": "weapon bonus", "armour": "armour", "difficulty": "difficulty", "taken_off": "Effect taken off",
    "score": "score", "social": "Social", "minutes": "minutes", "minute": "minute of the clock",
    "since": "begun at minute",
}  # fmt: skip
#: A number as it was sent: anything, until a rule has found it to be one.
Number: TypeAlias = object

IDENTITIES: tuple[Identity, ...] = get_args(Identity)
ATTRIBUTES: tuple[Attribute, ...] = get_args(Attribute)
HOUSES: tuple[House, ...] = get_args(House)


def is_identity(word: object) -> TypeGuard[Identity]:
    return word in IDENTITIES


def is_attribute(word: object) -> TypeGuard[Attribute]:
    return word in ATTRIBUTES


def is_house(word: object) -> TypeGuard[House]:
    return word in HOUSES


def is_sex(word: object) -> TypeGuard[Sex]:
    return word in get_args(Sex)


def is_age(word: object) -> TypeGuard[Age]:
    return word in get_args(Age)


def is_side(word: object) -> TypeGuard[Side]:
    return word in get_args(Side)


def is_hit_kind(word: object) -> TypeGuard[HitKind]:
    return word in get_args(HitKind)


def is_vow_kind(word: object) -> TypeGuard[VowKind]:
    return word in get_args(VowKind)


def is_vow_end(word: object) -> TypeGuard[VowEnd]:
    return word in get_args(VowEnd)


def is_whole(number: object) -> TypeGuard[int]:
    """An integer: no bool, no text, no fraction."""
    return type(number) is int


def is_natural(number: object) -> TypeGuard[int]:
    return type(number) is int and number >= 0


def naturals(sent: Mapping[str, Number], names: Collection[str]) -> dict[str, int] | None:
    """The numbers of these names; None where one is missing, or no natural number."""
    found = {name: number for name in names if is_natural(number := sent.get(name))}
    return found if len(found) == len(names) else None


def called(word: str) -> str:
    """`aggak-ko` is Aggak-Ko, `borg_power` Borg Power."""
    return word.replace("_", " ").title()


def numbered(name: str, number: object) -> str:
    """The number with what it is called: `difficulty 2`, `60 minutes`."""
    return f"{number} minutes" if name == "minutes" else f"{NUMBER_WORDS[name]} {number}"
