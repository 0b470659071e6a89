"""The game's words as types: numbers, words and references."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias, TypeGuard, get_args

from ledger.rules.kernel.domains import Between, Cites, Fell, OneOf, Prose, Ref, Says
from ledger.rules.scattershot.tables import BASES, SCOPES, STATISTICS

#: A number as it was sent, or whatever stands in its place: a rule refuses what is none, whoever drives it.
Unchecked: TypeAlias = Any
Mode: TypeAlias = Literal["solo", "general", "specific", "mechanical"]
CharacterKind: TypeAlias = Literal["persona", "regular"]
RatingKind: TypeAlias = Literal["statistic", "skill", "special-ability", "free-skill"]
#: What can be bought beside Ratings.
Trait: TypeAlias = Literal["advantage", "free-skill", "element", "protection"]
#: What Play can strike from a Persona Sheet.
SheetPart: TypeAlias = Literal["advantage", "disadvantage", "element", "protection", "wound"]
ExpectationKind: TypeAlias = Literal["gimme", "freebie", "payback"]
#: `opportunity`, `decision`; then the Application Phase: Challenges, Benefits, results; then `closed`.
Phase: TypeAlias = Literal["opportunity", "decision", "challenges", "benefits", "results", "closed"]
DieKind: TypeAlias = Literal["own", "freebie", "loaner", "saved"]
Outcome: TypeAlias = Literal["success", "minimal-success", "failure", "telling-blow", "catastrophic-failure"]
JunctureKind: TypeAlias = Literal["telling-blow", "catastrophic-failure"]
Nature: TypeAlias = Literal["attack", "defense", "movement", "other"]
AllOutMode: TypeAlias = Literal["attack", "defense", "focusing"]
Payment: TypeAlias = Literal["action", "forfeit", "free", "flurry", "none"]
#: What the sides of a contest alter: each its own MIB, or both the RMIB.
Adjusting: TypeAlias = Literal["each-raw", "rmib"]
#: What dice were claimed for.
Claim: TypeAlias = Literal["coup", "payback", "cash-in", "award"]
FlurryEnd: TypeAlias = Literal["hit", "interruption", "limit"]
#: The Engagement of a Persona: asked for an answer, Off-Guard, obliged by a Reaction roll, opposing, passive.
Stance: TypeAlias = Literal["asked", "off-guard", "obliged", "opposing", "passive"]

# --- numbers as they are sent ----------------------------------------------------------------------------------------

Whole: TypeAlias = Annotated[Unchecked, Between()]
Natural: TypeAlias = Annotated[Unchecked, Between(0)]
Positive: TypeAlias = Annotated[Unchecked, Between(1)]
HowMany: TypeAlias = Annotated[Positive, Says("How many")]
Sign: TypeAlias = Annotated[Unchecked, Between(-1, 1), Says("Add or subtract", "1 adds the die, -1 subtracts it.")]
HelpsOrHinders: TypeAlias = Annotated[
    Unchecked, Between(-1, 1), Says("Helps or hinders", "1 if the modifier helps, -1 if it hinders.")
]
Face: TypeAlias = Annotated[Unchecked, Between(1, 6), Fell()]
D6Faces: TypeAlias = tuple[Face, ...]
D10Faces: TypeAlias = tuple[Annotated[Unchecked, Between(1, 10), Fell()], ...]
#: Actions of a Turn.
Cost: TypeAlias = Annotated[Unchecked, Between(1, 2)]
#: By name, or by what it adds.
Weapon: TypeAlias = Annotated[str, Ref("weapon")] | Natural
#: A row of a campaign's own UE Chart.
ChartRow: TypeAlias = Mapping[Annotated[str, OneOf(("from", "to", "facets"))], Annotated[Unchecked, Ref("chart-value")]]
PenaltyStep: TypeAlias = Mapping[Annotated[str, OneOf(("at", "penalty"))], Whole]

# --- words -----------------------------------------------------------------------------------------------------------

Statistic: TypeAlias = Annotated[str, OneOf(STATISTICS)]
Difficulty: TypeAlias = Annotated[str, OneOf(tuple(BASES))]
Scope: TypeAlias = Annotated[str, OneOf(tuple(SCOPES))]
AbilityType: TypeAlias = Annotated[str, OneOf(("invoked", "magnitude", "resource"))]
Use: TypeAlias = Annotated[str, OneOf(("", "instantaneous", "reactive", "residual"))]
Consent: TypeAlias = Annotated[str, OneOf(("explicit", "tacit", "refused"))]
Grade: TypeAlias = Annotated[str, OneOf(("solid", "minor", "mediocre"))]
DieWord: TypeAlias = Annotated[str, OneOf(get_args(DieKind))]
ResultWord: TypeAlias = Annotated[str, OneOf(("damage", "factor", "residual", "scalar"))]
PaymentWord: TypeAlias = Annotated[str, OneOf(get_args(Payment))]
ModeWithoutTurns: TypeAlias = Annotated[str, OneOf(("solo", "general", "specific"))]
ModeAfterwards: TypeAlias = Annotated[str, OneOf(("general", "specific"))]
#: In the table's own words: for how long, until when, in which situations something counts; a step of a Flurry.
Duration: TypeAlias = Annotated[str, Prose(200)]
Ending: TypeAlias = Annotated[str, Prose(200)]
Situation: TypeAlias = Annotated[str, Prose()]
Step: TypeAlias = Annotated[str, Prose(200)]

# --- what is listed in a state ---------------------------------------------------------------------------------------

Rating: TypeAlias = Annotated[str, Ref("rating")]
OwnRating: TypeAlias = Annotated[str, Ref("rating", of="character")]
OwnCharacteristic: TypeAlias = Annotated[str, Ref("characteristic", of="character")]
Resource: TypeAlias = Annotated[str, Ref("resource")]
OwnResource: TypeAlias = Annotated[str, Ref("resource", of="character")]
TraitName: TypeAlias = Annotated[str, Ref("trait")]
OwnTrait: TypeAlias = Annotated[str, Ref("trait", of="character")]
OwnDisadvantage: TypeAlias = Annotated[str, Ref("disadvantage", of="character")]
ResidualId: TypeAlias = Annotated[str, Ref("residual")]
OwnResidual: TypeAlias = Annotated[str, Ref("residual", of="character")]
Piece: TypeAlias = Annotated[str, Ref("protection")]
Facet: TypeAlias = Annotated[str, Ref("facet")]
Element: TypeAlias = Annotated[str, Ref("element")]
#: What an Action is about.
Affected: TypeAlias = Annotated[str, Ref("affected")]
Barred: TypeAlias = Annotated[Rating, Says("Barred Default", "The ability for which this rules out Defaults.")]
ResolutionId: TypeAlias = Annotated[str, Ref("resolution")]
Side: TypeAlias = Annotated[str, Ref("side", of="resolution")]
RollTarget: TypeAlias = Annotated[str, Ref("roll-target", of="resolution")]
Die: TypeAlias = Annotated[str, Ref("die", of="resolution")]
FreeAction: TypeAlias = Annotated[str, Ref("free-action")]
ExpectationName: TypeAlias = Annotated[str, Ref("expectation")]
ExpectationScope: TypeAlias = Annotated[str, Ref("expectation-scope")]
Gift: TypeAlias = Annotated[str, Ref("gift")]
Vote: TypeAlias = Annotated[str, Cites(to="vote", facts=("vote-cast",))]
Occasion: TypeAlias = Annotated[str, Ref("occasion")]
SessionId: TypeAlias = Annotated[str, Ref("session")]

#: Each of these, and where it is listed.
REFERENCES: Mapping[str, str] = {
    "rating": "The name of a Statistic, Skill, Special Ability or Free Skill from the `ratings` of the Character.",
    "characteristic": "The name of a Rating, Advantage or Disadvantage of the Character.",
    "resource": "The name of a Resource from the `resources` of the Character.",
    "trait": "The name of an Advantage or Disadvantage of the Character.",
    "disadvantage": "The name of a Disadvantage from the `disadvantages` of the Character.",
    "residual": "The id of a Residual modifier from the `residuals` of the Character, or the situations in which the "
                "modifier counts.",
    "protection": "The name of a piece of protection from the `protection` of its wearer.",
    "weapon": "`fists`, `dagger`, `short-sword`, `long-sword`, or a name from the `weapons` of the campaign.",
    "facet": "A column of the UE Chart: `multiplier`, `bonus`, `points`, a quantity, or a column of the campaign's"
             " own chart.",
    "chart-value": "`from`, `to`: the Ratings of the row; `facets`: a number for each column, or text such as `27/8`.",
    "element": "The name of an element from the `elements` of the campaign.",
    "affected": "The id of a Character, or the name of an element of the campaign.",
    "resolution": "The id of a resolution from the `resolutions` of the scene.",
    "side": "`actor`, or the id of a Resistor from the `sides` of the resolution.",
    "roll-target": "`actor`, the id of a Resistor, or `reaction:` and the id of a Character who is Off-Guard.",
    "die": "An Experience Die on the table, from the `dice` of the resolution.",
    "free-action": "A Free Action: `look-around`, `drop-item`, `fall-down`, `move-a-yard`, `soliloquy`, "
    "`change-ability`, `last-ditch-dodge`, or one that the Group accepted, from the `free_actions` of the campaign.",
    "expectation": "The name of a Genre Expectation from the `expectations` of the campaign.",
    "expectation-scope": "`global` for everybody, or the id of the seat or Character that it is for.",
    "gift": "The id of a gift of Experience Dice, from the ruling that recorded it.",
    "vote": "The number of the ruling that recorded a vote.",
    "occasion": "The id of a resolution, or what happened, in words.",
}  # fmt: skip

WITHOUT_TURNS: tuple[Mode, ...] = ("solo", "general", "specific")
DIE_KINDS: tuple[DieKind, ...] = get_args(DieKind)
#: The Actor's side of a resolution; every other side is the id of a Resistor.
ACTOR = "actor"
#: A Reaction roll as the target of a die: `reaction:` and the Character.
REACTION = "reaction:"


def is_whole(number: object) -> TypeGuard[int]:
    """An integer: no bool, no text, no fraction."""
    return type(number) is int


def is_natural(number: object) -> TypeGuard[int]:
    return type(number) is int and number >= 0


def is_positive(number: object) -> TypeGuard[int]:
    return type(number) is int and number >= 1


def is_without_turns(word: object) -> TypeGuard[Mode]:
    """A mode of Play that is not Mechanical."""
    return word in WITHOUT_TURNS


def is_die_kind(word: object) -> TypeGuard[DieKind]:
    return word in DIE_KINDS
