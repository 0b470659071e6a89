"""The game's vocabulary: types, the numbers printed in the source, names in sentences, and shared refusals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, TypeAlias, TypeGuard, get_args

from ledger.rules.kernel.kit import (
    Between,
    Cites,
    Fell,
    Names,
    OneOf,
    Prose,
    Ref,
    Says,
    SharedRefusal,
    Speech,
    character,
    listed,
    seat,
    words,
)

STATISTICS = ("strength", "agility", "hit-points", "reaction", "observation", "power")
#: Statistics for which the UE Chart is read.
MAGNITUDES = ("strength", "observation", "power")
STATISTIC_BASE, STATISTIC_START = 8, 10
#: The points of six Statistics at 10, which are free.
IMPLIED_POINTS = 12
BASES_BY_DIFFICULTY: Mapping[str, int] = {
    "easy": 11,
    "intermediate": 10,
    "difficult": 9,
    "exceptional": 8,
    "renowned": 7,
    "incredible": 6,
    "nigh-impossible": 5,
    "legendary": 4,
}
LEVELS_BY_SCOPE: Mapping[str, int] = {"individual": 0, "squad": 1, "mob": 2, "higher": 3}
NUMBERS_BY_WEAPON: Mapping[str, int] = {"fists": 0, "dagger": 1, "short-sword": 2, "long-sword": 3}
BY_FIVES = 5
ACTIONS_A_TURN, MOST_FORFEITS, LAST_DITCH_PENALTY, OFF_GUARD_PENALTY = 2, 2, -2, -2
LAST_DITCH_DODGE = "last-ditch-dodge"
#: Free Actions that need no consent. None of them is an attack.
FREE_ACTIONS = (
    "look-around",
    "drop-item",
    "fall-down",
    "move-a-yard",
    "soliloquy",
    "change-ability",
    LAST_DITCH_DODGE,
)
#: The ends of a consequence that come before the end of the Session.
EARLY_ENDS = ("action", "turn", "round", "lull", "scene")


def price_in_fives(count: int) -> int:
    """Return the price of items that cost 1 point for each five, or part of five: ceil(count / 5)."""
    return -(-count // BY_FIVES)


def find_base(difficulty: object) -> int | None:
    return BASES_BY_DIFFICULTY.get(str(difficulty).strip().lower().replace(" ", "-").replace("_", "-"))


def read_statistic(name: str) -> str:
    """Return the Statistic's name for `Hit Points`, `hit_points` or `hit-points`. Other names are
    returned as they are.
    """
    normal_name = name.strip().lower().replace(" ", "-").replace("_", "-")
    return normal_name if normal_name in STATISTICS else name


def count_development_points(total: int) -> int:
    return max(0, (total - 2) // 4)


def count_gimme_dice(value: int, grade: str) -> int | None:
    """Return the number of dice for a Disadvantage of this value, or None if the grade gives no Gimme."""
    match grade:
        case "solid":
            return value
        case "minor":
            return 1 if value >= 2 else None
        case "mediocre":
            return (1 + value + 1) // 2 if value >= 3 else None
        case _:
            return None


#: A value as it was sent, which should be a number. The rules refuse anything else.
Unchecked: TypeAlias = Any
Mode: TypeAlias = Literal["solo", "general", "specific", "mechanical"]
CharacterKind: TypeAlias = Literal["persona", "regular"]
RatingKind: TypeAlias = Literal["statistic", "skill", "special-ability", "free-skill"]
#: Traits that can be bought, besides Ratings.
Trait: TypeAlias = Literal["advantage", "free-skill", "element", "protection"]
#: Parts of a Persona Sheet from which Play can strike an entry.
SheetPart: TypeAlias = Literal["advantage", "disadvantage", "element", "protection", "wound"]
ExpectationKind: TypeAlias = Literal["gimme", "freebie", "payback"]
#: The Phases of a resolution, in order. The Application Phase has three parts: Challenges, Benefits and results.
Phase: TypeAlias = Literal["opportunity", "decision", "challenges", "benefits", "results", "closed"]
DieKind: TypeAlias = Literal["own", "freebie", "loaner", "saved"]
Outcome: TypeAlias = Literal["success", "minimal-success", "failure", "telling-blow", "catastrophic-failure"]
JunctureKind: TypeAlias = Literal["telling-blow", "catastrophic-failure"]
Nature: TypeAlias = Literal["attack", "defense", "movement", "other"]
AllOutMode: TypeAlias = Literal["attack", "defense", "focusing"]
Payment: TypeAlias = Literal["action", "forfeit", "free", "flurry", "none"]
#: The number that Challenges and Benefits change in a contest: each side's own MIB, or the RMIB.
Adjusting: TypeAlias = Literal["each-raw", "rmib"]
#: Reasons to claim dice.
Claim: TypeAlias = Literal["coup", "payback", "cash-in", "award"]
FlurryEnd: TypeAlias = Literal["hit", "interruption", "limit"]
#: How a Persona is Engaged: asked to respond, Off-Guard, obliged by a Reaction roll, opposing, passive.
Stance: TypeAlias = Literal["asked", "off-guard", "obliged", "opposing", "passive"]
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
#: The cost of an act in Actions of a Turn.
Cost: TypeAlias = Annotated[Unchecked, Between(1, 2)]
#: A weapon, by its name or by the number that it adds.
Weapon: TypeAlias = Annotated[str, Ref("weapon")] | Natural
#: A row of a campaign's own UE Chart.
ChartRow: TypeAlias = Mapping[Annotated[str, OneOf(("from", "to", "facets"))], Annotated[Unchecked, Ref("chart-value")]]
PenaltyStep: TypeAlias = Mapping[Annotated[str, OneOf(("at", "penalty"))], Whole]
Statistic: TypeAlias = Annotated[str, OneOf(STATISTICS)]
Difficulty: TypeAlias = Annotated[str, OneOf(tuple(BASES_BY_DIFFICULTY))]
Scope: TypeAlias = Annotated[str, OneOf(tuple(LEVELS_BY_SCOPE))]
AbilityType: TypeAlias = Annotated[str, OneOf(("invoked", "magnitude", "resource"))]
Use: TypeAlias = Annotated[str, OneOf(("", "instantaneous", "reactive", "residual"))]
Consent: TypeAlias = Annotated[str, OneOf(("explicit", "tacit", "refused"))]
Grade: TypeAlias = Annotated[str, OneOf(("solid", "minor", "mediocre"))]
DieWord: TypeAlias = Annotated[str, OneOf(get_args(DieKind))]
ResultWord: TypeAlias = Annotated[str, OneOf(("damage", "factor", "residual", "scalar"))]
PaymentWord: TypeAlias = Annotated[str, OneOf(get_args(Payment))]
ModeWithoutTurns: TypeAlias = Annotated[str, OneOf(("solo", "general", "specific"))]
ModeAfterwards: TypeAlias = Annotated[str, OneOf(("general", "specific"))]
#: Texts in the table's own words: durations, ends, situations, and the steps of a Flurry.
Duration: TypeAlias = Annotated[str, Prose(200)]
Ending: TypeAlias = Annotated[str, Prose(200)]
Situation: TypeAlias = Annotated[str, Prose()]
FlurryStep: TypeAlias = Annotated[str, Prose(200)]
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
ElementName: TypeAlias = Annotated[str, Ref("element")]
#: The subject of an Action.
Affected: TypeAlias = Annotated[str, Ref("affected")]
Barred: TypeAlias = Annotated[Rating, Says("Default ruled out", "The ability for which this trait rules out Defaults.")]
ResolutionId: TypeAlias = Annotated[str, Ref("resolution")]
SideName: TypeAlias = Annotated[str, Ref("side", of="resolution")]
RollTarget: TypeAlias = Annotated[str, Ref("roll-target", of="resolution")]
DieId: TypeAlias = Annotated[str, Ref("die", of="resolution")]
FreeAction: TypeAlias = Annotated[str, Ref("free-action")]
ExpectationName: TypeAlias = Annotated[str, Ref("expectation")]
ExpectationScope: TypeAlias = Annotated[str, Ref("expectation-scope")]
Gift: TypeAlias = Annotated[str, Ref("gift")]
Vote: TypeAlias = Annotated[str, Cites(to="vote", facts=("vote-cast",))]
Occasion: TypeAlias = Annotated[str, Ref("occasion")]
SessionId: TypeAlias = Annotated[str, Ref("session")]
#: The kinds of references in this game, each with the place where its values are listed.
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
}
WITHOUT_TURNS: tuple[Mode, ...] = ("solo", "general", "specific")
DIE_KINDS: tuple[DieKind, ...] = get_args(DieKind)
#: The name of the Actor's side of a resolution. The name of every other side is the id of a Resistor.
ACTOR = "actor"
#: The beginning of a die's target that is a Reaction roll. The Character's id follows.
REACTION_PREFIX = "reaction:"


def is_whole(entry: object) -> TypeGuard[int]:
    """Return whether this is an integer and not, for example, a bool."""
    return type(entry) is int


def is_natural(entry: object) -> TypeGuard[int]:
    return type(entry) is int and entry >= 0


def is_positive(entry: object) -> TypeGuard[int]:
    return type(entry) is int and entry >= 1


def is_without_turns(mode: object) -> TypeGuard[Mode]:
    """Return whether this is a mode of Play other than Mechanical."""
    return mode in WITHOUT_TURNS


def is_die_kind(kind: object) -> TypeGuard[DieKind]:
    return kind in DIE_KINDS


# --- names in sentences -----------------------------------------------------------------------------------------------

#: Patterns of the ledger's ids, to distinguish ids from names in fields that can contain either.
ID_PATTERN = re.compile(r"\d+(-\d+)?")
SEAT_PATTERN = re.compile(r"s\d+")
PHRASES_BY_FREE_ACTION: Mapping[str, str] = {
    "look-around": "looks around",
    "drop-item": "drops something",
    "fall-down": "drops to the ground",
    "move-a-yard": "moves a yard",
    "soliloquy": "gives a soliloquy",
    "change-ability": "changes the ability in use",
    "last-ditch-dodge": "tries a Last-Ditch Dodge",
}


def name_rating(name: str) -> str:
    """Return the name of a Rating in sentences: `hit-points` is Hit Points."""
    return words(name).title() if name in STATISTICS else name.strip()


def name_side(side: str, names: Names, actor_id: str | None = None) -> str:
    """Return the name of a side: the Actor's (if the record has it), a Resistor's, or that of the Character that makes
    a Reaction roll.
    """
    if side.startswith(REACTION_PREFIX):
        return f"{names.name(character(side.removeprefix(REACTION_PREFIX)))} (Off-Guard)"
    if side == ACTOR:
        return names.name(character(actor_id)) if actor_id is not None else "the Actor"
    return names.name(character(side))


def name_roll(side: str, names: Names) -> str:
    """Return the name of a roll: the MIB of the Action or of a Resistor, or a Reaction roll."""
    if side == ACTOR:
        return "the MIB"
    if side.startswith(REACTION_PREFIX):
        return f"{names.name(character(side.removeprefix(REACTION_PREFIX)))}'s Reaction roll"
    return f"{name_side(side, names)}'s MIB"


def name_thing(id_or_name: str, names: Names) -> str:
    """Return the name of a Character or of an element of the campaign."""
    return names.name(character(id_or_name)) if ID_PATTERN.fullmatch(id_or_name) else id_or_name.strip()


def name_anybody(id_or_words: str, names: Names) -> str:
    """Return the name of a vote's object: a seat, a Character, or a description in words."""
    return names.name(seat(id_or_words)) if SEAT_PATTERN.fullmatch(id_or_words) else name_thing(id_or_words, names)


def quote(text: str) -> str:
    """Return a Player's own words as the end of a sentence, or only a full stop."""
    return f": “{text.strip()}”" if text.strip() else "."


def say_reason(text: str) -> str:
    reason = text.strip().removesuffix(".")
    return f" ({reason})" if reason else ""


def say_count(count: object, singular: str, plural: str) -> str:
    """Return a number and its noun, or nothing for 0."""
    return f"{count} {singular if count == 1 else plural}" if count else ""


def show_sign(amount: object) -> str:
    return f"+{amount}" if isinstance(amount, int) and amount > 0 else str(amount)


def say_how_long(ending: str) -> str:
    """Put into words how long an effect lasts, as a phrase to follow a comma."""
    plain_ending = ending.strip().rstrip(".")
    if plain_ending in ("session", "scene", "campaign"):
        return f"until the end of the {'Session' if plain_ending == 'session' else plain_ending}"
    return (
        plain_ending
        if plain_ending.startswith(("until", "till", "for", "as long"))
        else f"until this happens: {plain_ending}"
    )


def say_rating_name(rating: object, names: Names) -> str:
    """Return a Rating by name, or nothing for a number."""
    return name_rating(rating) if isinstance(rating, str) else ""


SPEECH = Speech(
    {
        **dict.fromkeys(("ability", "characteristic", "magnitude", "rating", "resource"), say_rating_name),
        **dict.fromkeys(("roll", "side", "target"), name_side),
        **dict.fromkeys(("element", "subject"), name_thing),
    }
)
say, by_value, whether = SPEECH.say, SPEECH.by_value, SPEECH.whether


def name_people(ids: Iterable[str], names: Names) -> str:
    return listed(names.name(character(char_id)) for char_id in ids)


def name_seats(ids: Iterable[str], names: Names) -> str:
    return listed(names.name(seat(seat_id)) for seat_id in ids)


# --- shared refusals --------------------------------------------------------------------------------------------------

BAD_D6 = SharedRefusal("bad-d6", "[An Experience Die cannot show {face}. ]Enter a number from 1 to 6.")
BAD_NUMBER = SharedRefusal(
    "bad-number",
    "[{dial}: ][{statistic}: ][{skill}: ][{name}: ][{free_skill}: ][{advantage}: ][{piece}: ][{pieces}:"
    " ][{result}: ][{residual}: ][{rating}: ][{scope}: ][{pays}: ][{weapon}: ][{faces}: ][{signs}:"
    " ][{sign}: ][{value}: ][{n}: ][{amount}: ][A cost of {cost}: ][A cost of {power_cost} Power: ]this"
    " value is not allowed here[ ({problem})].",
)
NO_REASON = SharedRefusal("no-reason", "Give a reason[ for what happens to {character}].")
NOT_AT_THE_TABLE = SharedRefusal(
    "not-at-the-table",
    "[{player} is not a Player at the table][Name only Players, each of them once. You named {clockwise}][There is"
    " no {role} at the table].",
)
NOT_IN_SOLO_PLAY = SharedRefusal(
    "not-in-solo-play", "That is not possible in Solo Play. Shift to another mode of Play first."
)
NOT_PROPRIETOR = SharedRefusal(
    "not-proprietor",
    "[{character} is not your Character: ][{characters} are not your Characters: ][You are not the"
    " Proprietor of {element}: ][That is up to {author}: ][That is up to {player}: ][That is up to"
    " {closes}: ]you cannot decide this.",
)
BEYOND_THE_LISTING = SharedRefusal(
    "beyond-the-listing",
    "[{advantages}: ][{abilities}: ][A weapon that adds {weapon}: ]this goes beyond the listing. Only"
    " the Gamemaster can allow it.",
)
RATING_BELOW_MINIMUM = SharedRefusal(
    "rating-below-minimum",
    "[{statistic} cannot be lower than {least}][{skill} needs at least 1 point of Training or Talent][The Value"
    " of {name} must be at least 1][The Value of {advantage} must be at least 1].",
)
UNKNOWN_DIFFICULTY = SharedRefusal(
    "unknown-difficulty", "[{difficulty} is not a difficulty. ]Choose a difficulty from Easy to Legendary."
)
UNKNOWN_STATISTIC = SharedRefusal(
    "unknown-statistic",
    "This Character has no such Rating or Resource[: {statistic}][: {rating}][: {resource}][: {magnitude}].",
)
NO_SUCH_ROLL = SharedRefusal("no-such-roll", "Nobody makes that roll in this resolution[. Name one of {resistors}].")
NOT_IN_THIS_SCENE = SharedRefusal(
    "not-in-this-scene",
    "[{character} is not in this scene. ]Name Characters who are in an open scene[, each of them once."
    " You named {characters}].",
)
RESISTOR_HAS_NOT_ANSWERED = SharedRefusal(
    "resistor-has-not-answered",
    "[{character} must respond first][Not every Engaged Character has responded yet. These are Engaged: {engaged}].",
)
WRONG_PHASE = SharedRefusal(
    "wrong-phase",
    "[{character} cannot do that now. ][{dice:Experience Die is|Experience Dice are} still on the table. ][There"
    " is no open resolution {resolution} here. ]This is not the right Phase for that[. Current Phase: {phase}].",
)
FREEBIE_OWN_ACTION_ONLY = SharedRefusal(
    "freebie-own-action-only", "A Freebie can only be rolled for an Action of your own Persona."
)
GM_HOLDS_NO_DICE = SharedRefusal(
    "gm-holds-no-dice", "The Gamemaster does not keep Experience Dice. They come from and go to the common stock."
)
LOANER_AGAINST_NOBODY = SharedRefusal(
    "loaner-against-nobody",
    "A Loaner must be used against another Player, who then saves it. Here it would be used against nobody.",
)
NO_SUCH_EXPECTATION = SharedRefusal(
    "no-such-expectation",
    "[{expectation} is not a listed Genre Expectation that applies here][This Character has no trait"
    " called {advantage} that counts here].",
)
NOT_ENOUGH_DICE = SharedRefusal(
    "not-enough-dice", "That takes more Experience Dice than the Player has. The purse holds {has}."
)
UNKNOWN_DIE_KIND = SharedRefusal(
    "unknown-die-kind", "{die} is not a kind of Experience Die. Choose `own`, `freebie`, `loaner` or `saved`."
)
NOT_IN_MECHANICAL_PLAY = SharedRefusal(
    "not-in-mechanical-play", "[At {scope} Scope, ][For {mode} Play, ]this is only possible outside Mechanical Play."
)
NOT_IN_MELEE = SharedRefusal("not-in-melee", "That is only possible in a Melee, which is one kind of Mechanical Play.")
NOT_YOUR_TURN = SharedRefusal(
    "not-your-turn",
    "[{character}: ][{player}: ]this is only possible in Mechanical Play, on your own Turn[. {whose} is next].",
)
WHICH_SCOPE = SharedRefusal("which-scope", "Mechanical Play is under way at more than one Scope. Choose one: {scopes}.")
BAD_D10 = SharedRefusal(
    "bad-d10", "[A ten-sided die cannot show {face}. ]Enter two numbers from 1 to 10[, not {faces}]."
)
STOCK_EMPTY = SharedRefusal("stock-empty", "This takes {wanted:die|dice} from the common stock, which has fewer.")
