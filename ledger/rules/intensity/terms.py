"""The game's words as types: levels, turns, dice, impacts, effects."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, TypeGuard, get_args

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
Out: TypeAlias = Literal["scene", "permanent"]
Effect: TypeAlias = Literal["reroll", "maximum", "defence4", "attack4"]
TieManner: TypeAlias = Literal["table_choice", "roll_off"]
#: A trait's own die; 4 and 0 (none) only by mutilation, or as the table sets it.
TraitSize: TypeAlias = Literal[10, 8, 6, 4, 0]
#: As it was typed: what is no whole number is refused by the rule and not by the wire.
Typed: TypeAlias = Any

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
