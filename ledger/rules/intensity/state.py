"""The game's words as types, the tables of the source, and the current state of each subject.

The history of a campaign is its record; a scene stores only the current round. Facts without anything to change are
stored in `adrift`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Annotated, Any, Literal, Protocol, TypeAlias, TypeGuard, TypeVar, get_args

from ledger.rules.kernel.kit import (
    ENDS,
    Between,
    CharacterId,
    Fell,
    Names,
    OneOf,
    Prose,
    Ref,
    Says,
    SceneId,
    Story,
    Table,
    changed,
    changing,
    character,
    listed,
    quick,
)

Level: TypeAlias = Literal["calm", "invested", "passionate", "fanatical"]
Kind: TypeAlias = Literal["main", "minor"]
#: The dice of one participant in a round: the intensity die and the trait die.
DieName: TypeAlias = Literal["intensity", "trait"]
#: `none`: the participant has no target. Any other value is the state of the participant's only action.
Turn: TypeAlias = Literal["pending", "acted", "passed", "forfeited", "lapsed", "none"]
#: The impacts that last until they are healed or ended by rest.
Hurt: TypeAlias = Literal["tax", "damage", "wound"]
Impact: TypeAlias = Literal["tax", "advantage", "damage", "wound", "fatal"]
#: The ways to use a held fatal impact: as a fate in the holder's own words, or as any lower impact.
Use: TypeAlias = Literal["fate", "tax", "advantage", "damage", "wound"]
#: How long a character is out of play, the shortest first. `time` is stated in words, and ends when a game master
#: decides.
Out: TypeAlias = Literal["scene", "time", "permanent"]
Effect: TypeAlias = Literal["reroll", "maximum", "defence4", "attack4"]
TieManner: TypeAlias = Literal["table_choice", "roll_off"]
#: A trait's own die. Only a mutilation or an amendment by the table makes it 4 or 0 (no die).
TraitSize: TypeAlias = Literal[10, 8, 6, 4, 0]
#: The kinds of impact that a character can heal in a healing moment.
Healing: TypeAlias = Literal["none", "damage", "wound"]

# --- tables ---

#: The size of the intensity die for each level, from low to high. The same number is used as the level's maximum in
#: ratings.
INTENSITY: Mapping[Level, int] = {"calm": 6, "invested": 8, "passionate": 10, "fanatical": 12}

#: Base sizes of a character's traits, largest first.
TRAITS: Mapping[Kind, tuple[int, ...]] = {"main": (10, 8, 8), "minor": (6, 6)}

#: The sizes of trait dice. A step down moves one place to the right, and a die at 0 stays there.
STEPS: tuple[int, ...] = (10, 8, 6, 4, 0)

#: The lowest rating that allows each impact, in the order of the source.
RATINGS: Mapping[Impact, int] = {"tax": 0, "advantage": 12, "damage": 14, "wound": 16, "fatal": 20}

#: The price of each effect in advantage points.
PRICES: Mapping[Effect, int] = {"reroll": 1, "maximum": 2, "defence4": 3, "attack4": 4}

#: The bonus that one purchase of `defence4` or `attack4` adds.
BONUS = 4


def word_price(effect: Effect) -> str:
    return f"{PRICES[effect]} advantage {'point' if PRICES[effect] == 1 else 'points'}"


# --- types of values as they are sent, which the rules check ------------------------------------------------------

SaidLevel: TypeAlias = Annotated[str, OneOf(get_args(Level))]
SaidKind: TypeAlias = Annotated[str, OneOf(get_args(Kind))]
SaidDie: TypeAlias = Annotated[str, OneOf(get_args(DieName))]
SaidImpact: TypeAlias = Annotated[str, OneOf(get_args(Impact))]
SaidUse: TypeAlias = Annotated[str, OneOf(get_args(Use))]
SaidOut: TypeAlias = Annotated[str, OneOf(("none", *get_args(Out)))]
SaidEffect: TypeAlias = Annotated[str, OneOf(get_args(Effect))]
SaidHealing: TypeAlias = Annotated[str, OneOf(get_args(Healing))]
#: The face of a die. A rule checks whether the die has that many sides.
Face: TypeAlias = Annotated[object, Between(1, 12), Fell()]
#: A trait's own die after a mutilation.
Base: TypeAlias = Annotated[
    object, Between(0, 10), Says("New die", "The number of sides: 10, 8, 6 or 4. 0 means no die.")
]
#: A day of the story, by its number.
Day: TypeAlias = Annotated[object, Between(), Says("Day of the story", "A whole number.")]
#: Free text that people add to a declaration.
InWords: TypeAlias = Annotated[Story, Says("In your own words")]

# --- references ---------------------------------------------------------------------------------------------------

Char: TypeAlias = Annotated[str, Ref("character"), Says("Character")]
TraitName: TypeAlias = Annotated[str, Ref("trait"), Prose()]
#: A trait of the character in the field `char`.
OwnTrait: TypeAlias = Annotated[str, Ref("trait", of="char"), Prose()]
RoundId: TypeAlias = Annotated[str, Ref("round")]
AttackId: TypeAlias = Annotated[str, Ref("attack")]
FatalId: TypeAlias = Annotated[str, Ref("fatal"), Says("Fatal impact")]
ImpactId: TypeAlias = Annotated[str, Ref("impact")]
Cause: TypeAlias = Annotated[str, Ref("cause")]
Asker: TypeAlias = Annotated[str, Ref("asker")]

#: The kinds of references in this game, each with the place where its values are listed.
REFERENCES: Mapping[str, str] = {
    "trait": "The name of a trait, from `traits` in the character's state.",
    "round": "The id of a round. The open round is `round/round` in the scene's state.",
    "attack": "The id of an attack. The open attack is `round/attack/attack` in the scene's state.",
    "fatal": "The id of a held fatal impact, from `fatals` in the scene's state.",
    "impact": "The id of a tax, damage or wound, from `impacts` in the character's state.",
    "cause": "The cause: `attack:<id>`, `fatal:<id>` or `healing:<ruling>`.",
    "asker": "The id of a seat or of a character. Default: your own seat.",
}

#: What values in a view or a derivation refer to, if their types do not state it.
REFERS: Mapping[str, str] = {
    **dict.fromkeys(("in_conflict", "order", "ties_settled", "against"), "character"),
    **dict.fromkeys(("impact", "fatal", "round"), "id"),
}
NAMED: Mapping[str, str] = {
    **dict.fromkeys(("participants", "parties"), "character"),
    **dict.fromkeys(("attack", "fatal", "answers"), "id"),
}
#: Names of the fields, in refusals and derivations, that contain character ids: first single ids, then lists.
CHARACTERS_IN = (
    "char",
    "character",
    "who",
    "by",
    "target",
    "holder",
    "against",
    "defender",
    "subject",
    "next",
    "tied",
    "pending",
    "undeclared",
    "named",
    "to_roll",
    "equal",
    "needed",
    "hurt",
    "unharmed",
    "healing",
)

#: In an amended declaration, marks a part that does not change. Ids and trait names are never blank, so the mark is
#: unambiguous.
UNTOUCHED = ""


def is_level(word: object) -> TypeGuard[Level]:
    return word in get_args(Level)


def is_kind(word: object) -> TypeGuard[Kind]:
    return word in get_args(Kind)


def is_die(word: object) -> TypeGuard[DieName]:
    return word in get_args(DieName)


def is_impact(word: object) -> TypeGuard[Impact]:
    return word in get_args(Impact)


def is_use(word: object) -> TypeGuard[Use]:
    return word in get_args(Use)


def is_out(word: object) -> TypeGuard[Out]:
    return word in get_args(Out)


def is_base(number: object) -> TypeGuard[TraitSize]:
    return type(number) is int and number in get_args(TraitSize)


def is_effect(word: object) -> TypeGuard[Effect]:
    return word in get_args(Effect)


# --- words that sentences share -----------------------------------------------------------------------------------

IMPACTS: Mapping[str, str] = {
    "tax": "a tax",
    "advantage": "an advantage point",
    "damage": "damage",
    "wound": "a wound",
    "fatal": "a fatal impact",
    "fate": "a fate",
}


def quote(sentence: str, text: str) -> str:
    """Return the sentence followed by the words that a person wrote."""
    return f"{sentence}: “{text.strip()}”" if text.strip() else f"{sentence}."


def join_sentences(sentences: Iterable[str]) -> str:
    """Return the sentences in one line. Words that a person wrote get a full stop if another sentence follows."""
    *earlier_sentences, last_sentence = [*sentences] or [""]
    ended_sentences = (
        f"{part}." if part.endswith("”") and part[-2:-1] not in ENDS else part for part in earlier_sentences
    )
    return " ".join([*ended_sentences, last_sentence])


def word_name(names: Names, char: str) -> str:
    return names.name(character(char))


def word_people(names: Names, chars: Iterable[str]) -> str:
    return listed(word_name(names, char) for char in chars)


def word_dice(words: Iterable[str]) -> str:
    return listed(f"the {word} die" for word in words)


# --- states --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trait:
    """A trait of a character with its own die, before any impact (0 means no die)."""

    name: TraitName
    base: Annotated[TraitSize, Says("Die")]


@dataclass(frozen=True, slots=True)
class ActiveImpact:
    """An active impact. `trait`: None for a wound, which lowers all traits."""

    kind: Hurt
    trait: str | None
    by: Annotated[str, Says("By")]
    cause: Cause


@dataclass(frozen=True, slots=True)
class Character:
    """A character. `impacts`: the active impacts by id, oldest first. `healed_on`: the day of the story on which it
    last healed.

    `out_for`: how long it is out of play, in words, if `out` is `time`.
    """

    out: Annotated[Out | None, Says("Out of play")] = None
    traits: Annotated[tuple[Trait, ...], Says("Traits")] = ()
    impacts: Annotated[Mapping[str, ActiveImpact], Says("Impacts")] = field(default_factory=dict)
    kind: Annotated[Kind | None, Says("Kind")] = None
    healed_on: int | None = None
    out_for: Annotated[str, Says("Out for")] = ""
    adrift: tuple[Any, ...] = ()

    @property
    def is_created(self) -> bool:
        return self.kind is not None


@quick
@dataclass(frozen=True, slots=True)
class Die:
    """A die of the round. `size`, `face`: the size and the number of the first roll, which never change.

    `picked_up`: whether it can only be used in defence. `defence`: the last face it showed in defence, against the
    attack `against`.
    """

    size: int
    face: int
    picked_up: bool = False
    defence: int | None = None
    against: str | None = None


@dataclass(frozen=True, slots=True)
class Participant:
    """A participant in a round. `level`: None until declared. `dice`: empty until rolled; without `trait` if only the
    intensity die is rolled.
    """

    level: Level | None = None
    target: CharacterId | None = None
    trait: str | None = None
    text: str = ""
    dice: Mapping[DieName, Die] = field(default_factory=dict)
    turn: Turn = "none"


def list_standing_dice(participant: Participant) -> list[Die]:
    """Return the dice on the table that were not picked up."""
    return [die for die in participant.dice.values() if not die.picked_up]


@dataclass(frozen=True, slots=True)
class Restated:
    """The changed parts of a declaration. A blank part did not change; None removes the target or the trait."""

    target: CharacterId | None
    trait: TraitName | None
    text: Story = ""


@dataclass(frozen=True, slots=True)
class OpenAttack:
    """An attack that is not closed. `let_stand`: whether the defender chose to roll nothing. `bought`: the effects
    bought, in order.

    `success`: None until the attack is resolved, then True (a failed attack is not kept).
    """

    id: str
    attacker: CharacterId
    defender: CharacterId
    answered: bool = False
    success: bool | None = None
    bought: Annotated[tuple[str, ...], Says("Bought effects")] = ()
    let_stand: bool = False


@dataclass(frozen=True, slots=True)
class Round:
    """A round. `groups`: None until everybody has rolled. `rankings`: the settled ties, in order. `begun`: whether a
    face was recorded.
    """

    id: str
    participants: Mapping[str, Participant]
    groups: tuple[tuple[str, ...], ...] | None = None
    rankings: tuple[tuple[str, ...], ...] = ()
    attack: OpenAttack | None = None
    begun: bool = False


@dataclass(frozen=True, slots=True)
class Fatal:
    """A fatal impact that was achieved and not yet used. `trait_used`: the trait that the subject used in the round in
    which it was achieved.
    """

    holder: Annotated[CharacterId, Says("Held by")]
    subject: Annotated[CharacterId, Says("Subject")]
    trait_used: Annotated[str | None, Says("Trait used")]
    attack: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene. `fatals`: the held fatal impacts by id. `levels`: the last level each character
    declared in this scene.
    """

    round: Round | None = None
    fatals: Annotated[Mapping[str, Fatal], Says("Held fatal impacts")] = field(default_factory=dict)
    levels: Annotated[Mapping[CharacterId, Level], Says("Levels of Intensity")] = field(default_factory=dict)
    adrift: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Campaign:
    """The campaign. `healed_on`: the day of the last healing moment. `last_scene`: the last scene that closed.

    `links`: pairs in conflict since the last healing moment, each with the lesser id first.
    """

    healed_on: int | None = None
    last_scene: SceneId | None = None
    links: tuple[tuple[str, str], ...] = ()
    adrift: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat. The game stores nothing about seats."""

    adrift: tuple[Any, ...] = ()


State: TypeAlias = Character | Scene | Campaign | Seat


def sort_pair(a: str, b: str) -> tuple[str, str]:
    """Return two characters as a pair, in the order that `links` uses."""
    return (a, b) if a <= b else (b, a)


def find_scene(table: Table[object]) -> Scene | None:
    """Return the scene in which a declaration is made, or None."""
    scene_subject = table.scene
    return table.get(scene_subject, Scene) if scene_subject is not None else None


# --- how facts change the open round -------------------------------------------------------------------------------


class OfARound(Protocol):
    """A fact that names its round."""

    @property
    def round(self) -> str: ...


class OfAnAttack(Protocol):
    """A fact that names its attack."""

    @property
    def attack(self) -> str | None: ...


R = TypeVar("R", bound=OfARound)
A = TypeVar("A", bound=OfAnAttack)
V = TypeVar("V")
with_round = changing(Scene, "round")
_with_participants = changing(Round, "participants")


def in_its_round(change: Callable[[Round, R], Round | None]) -> Callable[[Scene, R], Scene | None]:
    """Return a function that applies `change` to the scene's open round, if it is still the round
    that the fact names.
    """

    @wraps(change)
    def change_scene(state: Scene, fact: R) -> Scene | None:
        round = state.round
        if round is None or round.id != fact.round:
            return None
        round_after = change(round, fact)
        return with_round(state, round_after) if round_after is not None else None

    change_scene.__annotations__ = {"state": Scene, "fact": change.__annotations__["fact"], "return": Scene | None}
    return change_scene


def for_open_attack(change: Callable[[Round, OpenAttack, A], Round | None]) -> Callable[[Scene, A], Scene | None]:
    """Return a function that applies `change` to the scene's open round, if the fact's attack is still open."""

    @wraps(change)
    def change_scene(state: Scene, fact: A) -> Scene | None:
        round = state.round
        if round is None or round.attack is None or round.attack.id != fact.attack:
            return None
        round_after = change(round, round.attack, fact)
        return with_round(state, round_after) if round_after is not None else None

    change_scene.__annotations__ = {"state": Scene, "fact": change.__annotations__["fact"], "return": Scene | None}
    return change_scene


def with_participant(round: Round, char: str, participant: Participant) -> Round:
    return _with_participants(round, {**round.participants, char: participant})


def with_turn(round: Round, char: str, turn: Turn) -> Round | None:
    participant = round.participants.get(char)
    return with_participant(round, char, changed(participant, turn=turn)) if participant is not None else None


def drop_key(mapping: Mapping[str, V], dropped_key: str) -> dict[str, V]:
    return {key: value for key, value in mapping.items() if key != dropped_key}
