"""The game's words: as types, as printed numbers, as sentences call things, and to refuse."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Annotated, Any, Literal, TypeAlias, TypeGuard, get_args

from ledger.rules.kernel.chapters import SharedRefusal
from ledger.rules.kernel.domains import Between, Cites, Fell, OneOf, Prose, Ref, Says
from ledger.rules.kernel.phrases import About, Names, Phrase, Saying, list_fields, listed, sentence, words
from ledger.rules.kernel.subjects import character, seat

STATISTICS = ("strength", "agility", "hit-points", "reaction", "observation", "power")
#: Statistics that the UE Chart is read by.
MAGNITUDES = ("strength", "observation", "power")
STATISTIC_BASE, STATISTIC_START = 8, 10
#: What six Statistics at 10 have in them, and nobody pays for.
IMPLIED_POINTS = 12
BASES: Mapping[str, int] = {
    "easy": 11,
    "intermediate": 10,
    "difficult": 9,
    "exceptional": 8,
    "renowned": 7,
    "incredible": 6,
    "nigh-impossible": 5,
    "legendary": 4,
}
SCOPES: Mapping[str, int] = {"individual": 0, "squad": 1, "mob": 2, "higher": 3}
WEAPONS: Mapping[str, int] = {"fists": 0, "dagger": 1, "short-sword": 2, "long-sword": 3}
BY_FIVES = 5
ACTIONS_A_TURN, MOST_FORFEITS, LAST_DITCH_PENALTY, OFF_GUARD_PENALTY = 2, 2, -2, -2
LAST_DITCH_DODGE = "last-ditch-dodge"
#: What costs nothing, without anybody's word; none of it is an attack.
FREE_ACTIONS = (
    "look-around",
    "drop-item",
    "fall-down",
    "move-a-yard",
    "soliloquy",
    "change-ability",
    LAST_DITCH_DODGE,
)
#: Ends that come before the Session's.
TOO_SOON = ("action", "turn", "round", "lull", "scene")


def in_fives(count: int) -> int:
    """ceil(count / 5)."""
    return -(-count // BY_FIVES)


def difficulty_base(name: object) -> int | None:
    return BASES.get(str(name).strip().lower().replace(" ", "-").replace("_", "-"))


def statistic_name(name: str) -> str:
    """`Hit Points`, `hit_points` and `hit-points` are the same Statistic; any other name stays as it is."""
    plain = name.strip().lower().replace(" ", "-").replace("_", "-")
    return plain if plain in STATISTICS else name


def development(total: int) -> int:
    """Development Points for a total of Experience Dice."""
    return max(0, (total - 2) // 4)


def gimme_dice(value: int, grade: str) -> int | None:
    """Dice for a disadvantage of this value; None where there is no Gimme for the grade."""
    match grade:
        case "solid":
            return value
        case "minor":
            return 1 if value >= 2 else None
        case "mediocre":
            return (1 + value + 1) // 2 if value >= 3 else None
        case _:
            return None


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
#: What an Action is about.
Affected: TypeAlias = Annotated[str, Ref("affected")]
Barred: TypeAlias = Annotated[Rating, Says("Barred Default", "The ability for which this trait rules out Defaults.")]
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
}
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


# --- what sentences call things ---------------------------------------------------------------------------------------

#: What the ledger calls things it numbers, and seats: where a field can hold a name instead.
AN_ID = re.compile(r"\d+(-\d+)?")
A_SEAT = re.compile(r"s\d+")
#: Fields with names of Ratings, of which Statistics are written with capitals.
RATINGS = ("ability", "characteristic", "magnitude", "rating", "resource")
#: Fields with a side of a resolution.
SIDES = ("roll", "side", "target")
#: Fields with a Character's id or a thing's name.
THINGS = ("element", "subject")
OWN = (*RATINGS, *SIDES, *THINGS)
#: On both sides of a field whose value is put in at the end.
PLACE = "\x02"
FREE_ACTS: Mapping[str, str] = {
    "look-around": "looks around",
    "drop-item": "drops something",
    "fall-down": "drops to the ground",
    "move-a-yard": "moves a yard",
    "soliloquy": "gives a soliloquy",
    "change-ability": "changes the ability in use",
    "last-ditch-dodge": "tries a Last-Ditch Dodge",
}


def called(name: str) -> str:
    """A Rating by name: `hit-points` is Hit Points."""
    return words(name).title() if name in STATISTICS else name.strip()


def name_side(name: str, names: Names) -> str:
    """Return the Actor, a Resistor by name, or the Character that makes a Reaction roll."""
    if name.startswith(REACTION):
        return f"{names.name(character(name.removeprefix(REACTION)))} (Off-Guard)"
    return "the Actor" if name == ACTOR else names.name(character(name))


def name_roll(name: str, names: Names) -> str:
    """Return the MIB of the Action or of a Resistor, or a Reaction roll."""
    if name == ACTOR:
        return "the MIB"
    if name.startswith(REACTION):
        return f"{names.name(character(name.removeprefix(REACTION)))}'s Reaction roll"
    return f"{name_side(name, names)}'s MIB"


def name_thing(name: str, names: Names) -> str:
    """Return a Character or an element of the campaign by name."""
    return names.name(character(name)) if AN_ID.fullmatch(name) else name.strip()


def name_anybody(name: str, names: Names) -> str:
    """Return what a vote is for: a seat, a Character, or words."""
    return names.name(seat(name)) if A_SEAT.fullmatch(name) else name_thing(name, names)


def quoted(text: str) -> str:
    """Return a Player's own words to end a sentence with, or a full stop."""
    return f": “{text.strip()}”" if text.strip() else "."


def because(text: str) -> str:
    said = text.strip().removesuffix(".")
    return f" ({said})" if said else ""


def count_dice(n: object, one: str, many: str) -> str:
    """Return a number and its noun, or nothing for 0."""
    return f"{n} {one if n == 1 else many}" if n else ""


def signed(amount: object) -> str:
    return f"+{amount}" if isinstance(amount, int) and amount > 0 else str(amount)


def lasting(until: str) -> str:
    """Return how long something lasts, to follow a comma."""
    said = until.strip().rstrip(".")
    if said in ("session", "scene", "campaign"):
        return f"until the end of the {'Session' if said == 'session' else said}"
    return said if said.startswith(("until", "till", "for", "as long")) else f"until this happens: {said}"


def say(phrase: str, done: object, names: Names) -> str:
    """The sentence, with sides, things and Ratings by what people call them.

    These are put in at the end: what is in somebody's own words is no template, whatever brackets it has.
    """
    own = {}
    for field in list_fields(phrase):
        value = getattr(done, field, None)
        if isinstance(value, str) and value and field in OWN:
            place = f"{PLACE}{field}{PLACE}"
            own[place] = _own(field, value, names)
            phrase = phrase.replace(f"{{{field}}}", place)
    made = sentence(phrase, done, names, names.subject if isinstance(names, About) else None)
    for place, value in own.items():
        made = made.replace(place, value)
    return made


def _own(field: str, value: str, names: Names) -> str:
    if field in RATINGS:
        return called(value)
    return name_side(value, names) if field in SIDES else name_thing(value, names)


def spoken(phrases: Mapping[type[object], Phrase]) -> Mapping[type[object], Phrase]:
    """The phrases, each with what people call things."""
    return {
        cls: partial(say, one) if isinstance(one, str) and set(OWN) & set(list_fields(one)) else one
        for cls, one in phrases.items()
    }


def by_value(field: str, phrases: Mapping[object, str]) -> Saying:
    """The phrase for what the field says."""
    return lambda done, names: say(phrases[getattr(done, field)], done, names)


def whether(field: str, holds: str, otherwise: str) -> Saying:
    """The one where the field says something, else the other."""
    return lambda done, names: say(holds if getattr(done, field) else otherwise, done, names)


def name_people(ids: Iterable[str], names: Names) -> str:
    return listed(names.name(character(id)) for id in ids)


def name_seats(ids: Iterable[str], names: Names) -> str:
    return listed(names.name(seat(id)) for id in ids)


# --- reasons to refuse that several chapters share --------------------------------------------------------------------

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
    "[{player} is not a Player at the table][Name only Players, each of them once. You named {clockwise}].",
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
    "[{statistic}: ][{skill}: ][{name}: ][{advantage}: ]that is too low. It needs at least 1 Development"
    " Point, unless an option allows less.",
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
