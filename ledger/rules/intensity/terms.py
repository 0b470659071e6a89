"""Types for the words of the game: levels, turns, dice, impacts, effects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias, TypeGuard, get_args

from ledger.rules.kernel.domains import Between, Fell, OneOf, Prose, Ref, Says

Level: TypeAlias = Literal["calm", "invested", "passionate", "fanatical"]
Kind: TypeAlias = Literal["main", "minor"]
#: A round's dice of one participant: the intensity die and the trait die.
DieName: TypeAlias = Literal["intensity", "trait"]
#: `none`: a participant without a target. The others say what happened to the participant's one action.
Turn: TypeAlias = Literal["pending", "acted", "passed", "forfeited", "lapsed", "none"]
#: An impact that stays with a character until it ends.
Hurt: TypeAlias = Literal["tax", "damage", "wound"]
Impact: TypeAlias = Literal["tax", "advantage", "damage", "wound", "fatal"]
#: What a held fatal impact is used as: a fate in words, or any lower impact.
Use: TypeAlias = Literal["fate", "tax", "advantage", "damage", "wound"]
#: How long a character is out of play, the shortest first: `time` is in words, and ends when a game master says so.
Out: TypeAlias = Literal["scene", "time", "permanent"]
Effect: TypeAlias = Literal["reroll", "maximum", "defence4", "attack4"]
TieManner: TypeAlias = Literal["table_choice", "roll_off"]
#: A trait's own die. 4 and 0 (none) only by mutilation, or if the table sets it.
TraitSize: TypeAlias = Literal[10, 8, 6, 4, 0]
#: What a character heals in a healing moment.
Healing: TypeAlias = Literal["none", "damage", "wound"]

# --- as requests contain it: the rules check the values -----------------------------------------------------------

SaidLevel: TypeAlias = Annotated[str, OneOf(get_args(Level))]
SaidKind: TypeAlias = Annotated[str, OneOf(get_args(Kind))]
SaidDie: TypeAlias = Annotated[str, OneOf(get_args(DieName))]
SaidImpact: TypeAlias = Annotated[str, OneOf(get_args(Impact))]
SaidUse: TypeAlias = Annotated[str, OneOf(get_args(Use))]
SaidOut: TypeAlias = Annotated[str, OneOf(("none", *get_args(Out)))]
SaidEffect: TypeAlias = Annotated[str, OneOf(get_args(Effect))]
SaidHealing: TypeAlias = Annotated[str, OneOf(get_args(Healing))]
#: The face of a die. The rule checks it against the number of sides.
Face: TypeAlias = Annotated[object, Between(1, 12), Fell()]
#: A trait's new die, for good.
Base: TypeAlias = Annotated[object, Between(0, 10), Says("New die", "10, 8, 6 or 4 sides, or 0 for no die.")]
#: The number of a day of the story.
Day: TypeAlias = Annotated[object, Between()]

# --- references ---------------------------------------------------------------------------------------------------

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

#: The kinds of things a field can refer to, and where they are listed.
REFERENCES: Mapping[str, str] = {
    "trait": "The name of a trait: one of `traits` in the character's state.",
    "round": "A round: `round/round` in the scene's state.",
    "attack": "An attack: the open one is `round/attack/attack` in the scene's state.",
    "fatal": "A held fatal impact: one of `fatals` in the scene's state.",
    "impact": "A tax, damage or wound: one of `impacts` in the character's state.",
    "cause": "The cause: `attack:<id>`, `fatal:<id>` or `healing:<ruling>`.",
    "asker": "The id of a seat or of a character. If you leave it out, your own seat.",
}

#: In an amended declaration: this part does not change. No id or trait name is blank, so there is no confusion.
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
