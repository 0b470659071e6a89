"""The words of the game, and the types of the fields in declarations.

The types state the values that a field can have, for people, forms and parsers. A number that was sent can still be
anything until a rule has checked it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, TypeGuard, get_args

from ledger.rules.kernel.kit import (
    Between,
    CharacterId,
    Cites,
    Fell,
    Names,
    OneOf,
    Reason,
    Ref,
    Says,
    Speech,
    Title,
    character,
    listed,
)
from ledger.rules.mongrel.tables import EXPERTISE, OPTIONS, QUIET

Identity: TypeAlias = Literal["man", "beast", "demon"]
Attribute: TypeAlias = Literal["size", "spirit", "physique", "beauty", "speed", "social"]
Sex: TypeAlias = Literal["male", "female"]
Age: TypeAlias = Literal["young", "adult", "old"]
House: TypeAlias = Literal["aggak-ko", "mekag", "druinar", "esseth", "sfere", "repta", "nuin"]
VowKind: TypeAlias = Literal["person", "house", "goal"]
VowEnd: TypeAlias = Literal["fulfilled", "ended"]
#: Whose attribute gives the target number: the actor's own (roll at or below it) or the target's (roll at or above it).
Side: TypeAlias = Literal["own", "target"]
#: The special case that decided a roll instead of the plain count.
Special: TypeAlias = Literal["ones-fail", "sixes-fail", "sevens-succeed", "low-longshot", "zero-expertise"]
Grade: TypeAlias = Literal["none", "minimal", "solid", "notable"]
#: The effect of a hit on its target: damage, loss of Infernal Resolve, or only an effect in the story.
HitKind: TypeAlias = Literal["physical", "spiritual", "none"]
Zone: TypeAlias = Literal["none", "shunted", "row", "clear", "gray", "terminal"]
TerminalCause: TypeAlias = Literal["collapsed", "stage", "column"]
CollapseCause: TypeAlias = Literal["damage", "terminal", "resolve"]
DeathCause: TypeAlias = Literal["terminal damage", "resolve"]
#: The purposes for which Action Points are spent.
Payment: TypeAlias = Literal["defend", "forced", "missed", "front"]
ApLoss: TypeAlias = Literal["size reached", "collapse", "death"]
ResolveUse: TypeAlias = Literal["avoid death", "occult", "action points"]
ApSource: TypeAlias = Literal["recover", "avoid death"]
DiceSource: TypeAlias = Literal["typed", "asked"]
PurchaseOutcome: TypeAlias = Literal["acquired", "sacrifice-offered", "refused-by-seller"]
AwardReason: TypeAlias = Literal["session", "vow"]
SocialCause: TypeAlias = Literal["ruling", "improvement"]
#: The sorcery that Resist counters.
Resisted: TypeAlias = Literal["occult", "chill"]
#: The question to a game master about the numbers that a player proposes, and the name of each number in it.
NUMBERS = "numbers"
NUMBER_WORDS: Mapping[str, str] = {
    "weapon": "weapon bonus",
    "armour": "armour",
    "difficulty": "difficulty",
    "taken_off": "Effect reduction",
    "score": "score",
    "social": "Social",
    "minutes": "minutes",
    "minute": "minute of the clock",
    "since": "begun at minute",
}
#: A number as it was sent. It can be anything until a rule has checked it.
Number: TypeAlias = object
#: Why a character cannot defend, by the code of the refusal.
NO_DEFENCE_WORDS: Mapping[str, str] = {
    "dead": "dead",
    "decision-pending": "terminal damage comes first",
    "collapsed": "collapsed",
    "no-ap": "no Action Points are left",
    "recovering": "recovering until the next turn",
}
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
    """Return whether this is an integer, and not a bool, text or fraction."""
    return type(number) is int


def is_natural(number: object) -> TypeGuard[int]:
    return type(number) is int and number >= 0


def read_naturals(sent_numbers: Mapping[str, Number], names: Collection[str]) -> dict[str, int] | None:
    """Return the numbers with these names, or None if one is missing or not a natural number."""
    numbers = {name: number for name in names if is_natural(number := sent_numbers.get(name))}
    return numbers if len(numbers) == len(names) else None


def write_word(word: str) -> str:
    """Return a word of the game as people write it: `aggak-ko` as Aggak-Ko, `borg_power` as Borg Power."""
    return word.replace("_", " ").title()


def word_number(name: str, number: object) -> str:
    """Return the number with its name: `difficulty 2`, `60 minutes`."""
    return f"{number} minutes" if name == "minutes" else f"{NUMBER_WORDS[name]} {number}"


def drop_repeats(*kinds: type[object]) -> tuple[type[object], ...]:
    """Return each class once, in this order."""
    return tuple(dict.fromkeys(kinds))


# --- words -----------------------------------------------------------------------------------------------------------

IdentityName: TypeAlias = Annotated[str, OneOf(IDENTITIES)]
AttributeName: TypeAlias = Annotated[str, OneOf(ATTRIBUTES)]
ExpertiseName: TypeAlias = Annotated[str, OneOf(EXPERTISE)]
#: An Identity, attribute or Expertise: a feature that can be used, and raised with character points.
FeatureName: TypeAlias = Annotated[str, OneOf((*IDENTITIES, *ATTRIBUTES, *EXPERTISE))]
#: An option of one of the three Powers.
OptionName: TypeAlias = Annotated[
    str, OneOf(tuple(dict.fromkeys(option for options in OPTIONS.values() for option in options)))
]
PowerOptions: TypeAlias = Annotated[
    tuple[OptionName, ...], Says("Power options", "The Power options that fit the task.")
]
HouseName: TypeAlias = Annotated[str, OneOf(HOUSES)]
SexName: TypeAlias = Annotated[str, OneOf(get_args(Sex))]
AgeName: TypeAlias = Annotated[str, OneOf(get_args(Age))]
#: Any form is accepted, because an imported sheet may have a body of its own.
BodyForm: TypeAlias = Annotated[str, Ref("body-form")]
SideName: TypeAlias = Annotated[
    str,
    OneOf(get_args(Side)),
    Says(
        "Side",
        "Whose attribute the roll is against: the character's own (a die succeeds at or below it) or a target's (at or"
        " above it).",
    ),
]
HitName: TypeAlias = Annotated[
    str,
    OneOf(get_args(HitKind)),
    Says("Kind of hit", "Physical damage, a spiritual loss of Infernal Resolve, or neither."),
]
#: The kind of a hit that comes from a task or a decision. It is never `none`.
WoundName: TypeAlias = Annotated[
    str,
    OneOf(("physical", "spiritual")),
    Says("Kind of hit", "Physical damage, or a spiritual loss of Infernal Resolve."),
]
VowAbout: TypeAlias = Annotated[str, OneOf(get_args(VowKind)), Says("Kind of object")]
VowOutcome: TypeAlias = Annotated[str, OneOf(get_args(VowEnd))]
Activity: TypeAlias = Annotated[str, OneOf(QUIET)]
VowObject: TypeAlias = Annotated[Title, Says("Object of the Vow", "A person, a House (such as `nuin`) or a goal.")]

# --- references ------------------------------------------------------------------------------------------------------

#: A task that was rolled outside a conflict.
TaskNumber: TypeAlias = Annotated[str, Cites(facts=("task-declared", "task-resolved"))]
#: The task whose Effect hits its target. A task can hit each character only once.
HittingTask: TypeAlias = Annotated[
    str,
    Cites(
        facts=("task-declared", "task-resolved"),
        says=(("effect", "effect"), ("character", "target")),
        once_for="character",
        rule="mongrel.damage.hit",
    ),
]
SessionId: TypeAlias = Annotated[str, Ref("session")]
PossessionId: TypeAlias = Annotated[str, Ref("possession")]

REFERENCES: Mapping[str, str] = {
    "body-form": (
        "The form of the body, which depends on the primary Identity: human, quadruped, biped-primate or biped-bird. "
        "An imported sheet may have another form."
    ),
    "possession": "The id of a possession. Its owner's state lists it under `possessions`.",
    "vow": "The object of one of the character's current Vows. The character's state lists them under `vows`.",
    "ruling": "The number of the ruling in which the task was rolled.",
}

# --- numbers ---------------------------------------------------------------------------------------------------------

Natural: TypeAlias = Annotated[Number, Between(0)]
#: A number of at least 1.
Amount: TypeAlias = Annotated[Number, Between(1)]
Face: TypeAlias = Annotated[Number, Between(1, 6), Fell()]
#: All dice of one roll.
Faces: TypeAlias = tuple[Face, ...]
Difficulty: TypeAlias = Annotated[
    Number, Between(0, 4), Says("Difficulty", "How much harder the task is than usual, from 0 to 4.")
]
DifficultyReason: TypeAlias = Annotated[Reason, Says("Reason for the difficulty")]
TakenOff: TypeAlias = Annotated[
    Number,
    Between(0),
    Says("Effect reduction", "How much features of the target lower the Effect of a success."),
]
TakenOffReason: TypeAlias = Annotated[Reason, Says("Reason for the reduction")]
#: The score of an object that is acted on.
ThingScore: TypeAlias = Annotated[
    Number,
    Between(0),
    Says("Score of the object rolled against", "If you do not know the score, leave it out: a game master is asked."),
]
WeaponBonus: TypeAlias = Annotated[Number, Between(0), Says("Weapon", "How much the weapon adds to the Effect.")]
ArmourValue: TypeAlias = Annotated[Number, Between(0), Says("Armour", "How much the armour lowers the Effect.")]
#: The values of an item that is bought or found.
WorthAsWeapon: TypeAlias = Annotated[Number, Between(0), Says("Value as a weapon")]
WorthAsArmour: TypeAlias = Annotated[Number, Between(0), Says("Value as armour")]
ResolvePoints: TypeAlias = Annotated[Number, Between(1), Says("Points of Infernal Resolve")]
Defends: TypeAlias = Annotated[bool, Says("The target defends", "Leave it out to ask the target's player.")]
Shunted: TypeAlias = Annotated[
    Number,
    Between(0),
    Says(
        "Shunted to Beauty",
        "How many points of damage lower Beauty instead of counting as damage. The first point lowers it"
        " permanently, the others temporarily.",
    ),
]
#: A minute on the campaign's clock. Hours that several characters spend at the same time count once.
Since: TypeAlias = Annotated[
    Number,
    Between(0),
    Says(
        "Starting minute",
        "When the activity began, as a minute of the campaign's fictional clock. Leave this out if the activity"
        " begins now.",
    ),
]
#: A change up or down, without a limit.
Change: TypeAlias = Annotated[Number, Between()]


# --- parts of several declarations -----------------------------------------------------------------------------------

# A declaration that combines these classes names them in the opposite order of its fields: the fields of `class
# Act(Rolled, Hindered, OnNobody, Doing)` begin with the actor. The declaration has slots; these classes have none.


@dataclass(frozen=True)
class Doing:
    """The character who acts, and the Expertise."""

    __slots__ = ()
    actor: CharacterId
    expertise: ExpertiseName


@dataclass(frozen=True)
class Aimed:
    """The score that a roll is against."""

    __slots__ = ()
    side: SideName
    attribute: AttributeName
    power: PowerOptions = ()
    target: CharacterId | None = None
    thing: Title = ""
    score: ThingScore | None = None


@dataclass(frozen=True)
class Hindered:
    """The numbers that make a roll harder or lower its Effect, with their reasons."""

    __slots__ = ()
    difficulty: Difficulty = 0
    reason: DifficultyReason = ""
    taken_off: TakenOff = 0
    taken_off_reason: TakenOffReason = ""


@dataclass(frozen=True)
class Rolled:
    """The purpose of the roll, and its dice if they were rolled at the table."""

    __slots__ = ()
    purpose: Reason = ""
    faces: Faces | None = None


# --- in sentences ----------------------------------------------------------------------------------------------------


def say_called(value: str | Iterable[str], names: Names) -> str:
    """Return a word of the game, or several, as people write them."""
    return write_word(value) if isinstance(value, str) else listed(map(write_word, value))


#: The fields that contain words of the game, which people write with a capital letter.
SPEECH = Speech(
    dict.fromkeys(
        (
            "against",
            "attribute",
            "expertise",
            "feature",
            "features",
            "house",
            "identity",
            "imitates",
            "primary",
            "reduce",
            "target_attribute",
        ),
        say_called,
    )
)
say, by_value, whether = SPEECH.say, SPEECH.by_value, SPEECH.whether


def word_order(queue: Iterable[str], names: Names) -> str:
    return ", then ".join(names.name(character(character_id)) for character_id in queue)


def add_difficulty(do_or_fact: Any) -> str:
    """Return the words to add to a sentence if there is a difficulty."""
    return " at difficulty {difficulty}" if do_or_fact.difficulty else ""
