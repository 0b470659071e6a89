"""The game's words as types: levels, turns, dice, impacts, effects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias, TypeGuard, get_args

from ledger.rules.kernel.domains import Between, Fell, OneOf, Prose, Ref, Says

Level: TypeAlias = Literal["calm", "invested", "passionate", "fanatical"]
Kind: TypeAlias = Literal["main", "minor"]
#: A round's dice of one participant: the intensity die and the trait die.
DieName: TypeAlias = Literal["intensity", "trait"]
#: `none`: a participant without a target. The others are what became of the participant's one action.
Turn: TypeAlias = Literal["pending", "acted", "passed", "forfeited", "lapsed", "none"]
#: What weighs on a character until it ends.
Hurt: TypeAlias = Literal["tax", "damage", "wound"]
Impact: TypeAlias = Literal["tax", "advantage", "damage", "wound", "fatal"]
#: What a held fatal is used as: a free fate, or any lower impact.
Use: TypeAlias = Literal["fate", "tax", "advantage", "damage", "wound"]
#: How long somebody is out of play, the shortest first: `time` is in words, and ends when a game master says so.
Out: TypeAlias = Literal["scene", "time", "permanent"]
Effect: TypeAlias = Literal["reroll", "maximum", "defence4", "attack4"]
TieManner: TypeAlias = Literal["table_choice", "roll_off"]
#: A trait's own die; 4 and 0 (none) only by mutilation, or as the table sets it.
TraitSize: TypeAlias = Literal[10, 8, 6, 4, 0]
#: What a character heals in a healing moment.
Healing: TypeAlias = Literal["none", "damage", "wound"]

# --- as people send it: the rules look for themselves -------------------------------------------------------------

SaidLevel: TypeAlias = Annotated[str, OneOf(get_args(Level))]
SaidKind: TypeAlias = Annotated[str, OneOf(get_args(Kind))]
SaidDie: TypeAlias = Annotated[str, OneOf(get_args(DieName))]
SaidImpact: TypeAlias = Annotated[str, OneOf(get_args(Impact))]
SaidUse: TypeAlias = Annotated[str, OneOf(get_args(Use))]
SaidOut: TypeAlias = Annotated[str, OneOf(("none", *get_args(Out)))]
SaidEffect: TypeAlias = Annotated[str, OneOf(get_args(Effect))]
SaidHealing: TypeAlias = Annotated[str, OneOf(get_args(Healing))]
#: The face of a die; whether the die has so many sides is the rule's to say.
Face: TypeAlias = Annotated[object, Between(1, 12), Fell()]
#: A trait's own die for good.
Base: TypeAlias = Annotated[object, Between(0, 10), Says("New die", "10, 8, 6 or 4 sides, or 0 for no die at all.")]
#: A day of the story, by its number.
Day: TypeAlias = Annotated[object, Between()]

# --- what is referred to ------------------------------------------------------------------------------------------

Char: TypeAlias = Annotated[str, Ref("character"), Says("Character")]
TraitName: TypeAlias = Annotated[str, Ref("trait"), Prose()]
#: A trait of the `char` beside it.
OwnTrait: TypeAlias = Annotated[str, Ref("trait", of="char"), Prose()]
RoundId: TypeAlias = Annotated[str, Ref("round")]
AttackId: TypeAlias = Annotated[str, Ref("attack")]
FatalId: TypeAlias = Annotated[str, Ref("fatal")]
ImpactId: TypeAlias = Annotated[str, Ref("impact")]
Cause: TypeAlias = Annotated[str, Ref("cause")]
Asker: TypeAlias = Annotated[str, Ref("asker")]

#: What of this game can be referred to, and where it is listed.
REFERENCES: Mapping[str, str] = {
    "trait": "A trait by its name, as `traits` of the character's state has it.",
    "round": "A round: `round/round` in the scene's state.",
    "attack": "An attack: the open one is `round/attack/attack` in the scene's state.",
    "fatal": "A held fatal: one of `fatals` in the scene's state.",
    "impact": "A tax, damage or wound: one of `impacts` in the character's state.",
    "cause": "What it came from: `attack:<id>`, `fatal:<id>` or `healing:<ruling>`.",
    "asker": "The id of a seat or of a character; left out, the seat that declares it.",
}

#: In an amended declaration: this part is not touched. No id and no trait name is blank, so it stands for nothing else.
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
