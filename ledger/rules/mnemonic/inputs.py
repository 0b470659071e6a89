"""What people at the table do. Ids are those of characters, actions, checks and assignments.

The referee's inputs carry the ruling and its reason. A roll may be typed in (numbers, cards or voices); where it is
left out, the ruling asks for it. What is sent as a number and is none is refused by the rule, not by the wire.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias, get_args

from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.declarations import ANYONE, GM, declares
from ledger.rules.kernel.domains import CharacterId, Fell, Reason, Says, SeatId, Story, Title
from ledger.rules.mnemonic.authority import REFEREE, referee_or, referee_or_player
from ledger.rules.mnemonic.boards import find_check
from ledger.rules.mnemonic.inputs_of_injuries import DeclareRecovery, NameRecovery, RuleInjury, RuleRecoveryCheck
from ledger.rules.mnemonic.terms import (
    ActionId,
    AptitudeNumber,
    AssignmentOfCharacter,
    ChancesName,
    CharacterKind,
    CheckId,
    Face,
    Immunity,
    KnownTo,
    MethodWord,
    Preset,
    Rank,
    RateableWord,
    RatingName,
    SessionId,
    Spoken,
    TraitKindWord,
    TraitTitle,
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """`primary_role`: the most basic description. `resist_talent`: what resists injuries in place of the usual one.

    `rate_importance`: the referee is asked at once how important to the story it is, and offered presets by name.
    """

    kind: CharacterKind = "player_character"
    primary_role: Story = ""
    resist_talent: Annotated[Title | None, Says("Talent that resists injuries", "Left out: the table's usual one.")] = (
        None
    )
    rate_importance: bool = False


@dataclass(frozen=True, slots=True)
class TraitName:
    """A trait of a character: `talent` or `life` with its name, or `primary`, which needs none."""

    kind: TraitKindWord
    name: TraitTitle = ""


@dataclass(frozen=True, slots=True)
class Card:
    """`rank`: A, 2 to 10, J, Q (a King is drawn again). `suit`: may be left out."""

    rank: Rank
    suit: Title | None = None


def _roller(table: Table[object], do: EnterRoll) -> str | None:
    found = find_check(table, do.check)
    return found[1].ruled.character if found is not None else None


# --- the table ----------------------------------------------------------------------------------------------------


@declares("seat-referee", GM, records=("referee-seated",))
class SeatReferee:
    """This seat, a game master's or a player's, is the referee until the session is over: only it rules, and it sees
    what a referee must see. While nobody is seated, every game master rules.
    """

    seat: SeatId


@declares("take-part", REFEREE, records=("took-part",))
class TakePart:
    """These characters are in the open session, from its opening or brought in later. `session`: may be left out."""

    characters: tuple[CharacterId, ...]
    session: SessionId | None = None


# --- characters ---------------------------------------------------------------------------------------------------


@declares("rate-trait", REFEREE, records=("trait-rated",))
class RateTrait:
    """A Talent or Life Role gets a rating, for later checks. `trait_kind`: `talent` or `life`."""

    character: CharacterId
    trait: Title
    trait_kind: RateableWord
    rating: RatingName
    reason: Reason = ""


@declares("rate-importance", REFEREE, records=("importance-rated",))
class RateImportance:
    """How likely the story is to spare the character: fixed until rated anew.

    `preset`: its part in the story, for which ratings are suggested; `rating` then says which, or is left out.
    """

    character: CharacterId
    rating: RatingName = ""
    reason: Reason = ""
    preset: Preset | None = None


@declares("rule-immunity", REFEREE, records=("immunity-ruled", "shown-as"))
class RuleImmunity:
    """For this character what the dials say for the table: which rating spares it (`source`), and who may know that one
    and what it goes into (`known_to`). Left out: as the table has it.
    """

    character: CharacterId
    source: Immunity | None = None
    known_to: KnownTo | None = None
    reason: Reason = ""


@declares("describe-abilities", referee_or_player("character"), records=("abilities-described", "abilities-objected"))
class DescribeAbilities:
    """What the character can do, instead of a sheet or beside it. The other side, player or referee, must assent."""

    character: CharacterId
    text: Story


@declares("assign-aptitude", REFEREE, records=("took-part", "aptitude-assigned", "assignment-noted"))
class AssignAptitude:
    """The Aptitude for one precise task. In the first sessions, or with `ask`, the player is asked to judge, too.

    `ref`: left out, the last number for the task is repeated. `agreed`: what they talked over, for the player to assent
    to. `traits`: two whose sum is kept beside it for comparison. `session`: the open one, if there is one.
    """

    character: CharacterId
    task: Title
    ref: Annotated[AptitudeNumber | None, Says("Referee's number", "Left out: as it was the last time.")] = None
    ask: Annotated[bool, Says("Ask the player", "Whether the player judges it, too.")] = False
    agreed: Annotated[AptitudeNumber | None, Says("Number agreed on", "The player is asked to assent to it.")] = None
    reason: Reason = ""
    session: SessionId | None = None
    traits: tuple[TraitName, ...] = ()


# --- actions and checks -------------------------------------------------------------------------------------------


@declares("declare-action", referee_or_player("character"), records=("action-declared",))
class DeclareAction:
    """What a character attempts."""

    character: CharacterId
    text: Story
    physical: bool = True


@declares("rule-order", REFEREE, records=("action-order-ruled",))
class RuleOrder:
    """Who acts before whom, the first one first. Takes the place of an earlier order."""

    order: tuple[CharacterId, ...]
    reason: Reason = ""


@declares("rule-impossible", REFEREE, records=("action-ruled-impossible",))
class RuleImpossible:
    """A declared action fails without a roll."""

    action: ActionId
    reason: Reason = ""


@declares("rule-check", REFEREE, records=("check-ruled", "aptitude-used", "begun-late"))
class RuleCheck:
    """A Success Check of an action: two `traits`, or an Aptitude `assigned` for it; Chances by name.

    `action`: the declared one; without it, `physical` says what kind of attempt this is. `reason`: often said.
    """

    character: CharacterId
    chances: ChancesName
    traits: tuple[TraitName, ...] = ()
    assigned: Annotated[AssignmentOfCharacter | None, Says("Assigned Aptitude", "In place of traits.")] = None
    method: MethodWord | None = None
    life_or_death: bool = False
    reason: Reason = ""
    action: ActionId | None = None
    physical: bool = True


@declares(
    "enter-roll",
    referee_or(_roller, "who plays the character that rolls"),
    records=(
        "check-rolled",
        "check-resolved",
        "injury-resolved",
        "recovery-checked",
        "recovery-awaited",
        "resistance-rolled",
        "status-changed",
    ),
    outlives_scene=True,
)
class EnterRoll:
    """The roll of a ruled check: every number, in order.

    `numbers`: dice, cards or the number the voices arrived at; `cards`: by rank; `voices`: each round's spoken numbers.
    All left out: the ruling asks for dice or cards. `resolve`: whether the result is worked out at once.
    """

    check: CheckId
    numbers: tuple[Face, ...] | None = None
    cards: tuple[Annotated[Card, Fell(die=False)], ...] | None = None
    voices: tuple[tuple[Spoken, ...], ...] | None = None
    note: Story = ""
    resolve: bool = True


@declares(
    "rule-fluke",
    REFEREE,
    records=(
        "fluke-ruled",
        "check-resolved",
        "injury-resolved",
        "recovery-checked",
        "recovery-awaited",
        "status-changed",
    ),
)
class RuleFluke:
    """Whether what the fluke would bring was reasonably possible for this character; if not, why not."""

    check: CheckId
    possible: bool
    reason: Reason = ""


@declares(
    "resolve",
    ANYONE,
    records=("check-resolved", "injury-resolved", "recovery-checked", "recovery-awaited", "status-changed"),
)
class Resolve:
    """The result of a roll that was only entered is worked out."""

    check: CheckId


@declares("narrate-consequence", REFEREE, records=("consequence-narrated", "injury-resolved", "status-changed"))
class NarrateConsequence:
    """What a spectacular result brings besides. `death`: the character who dies of it, if anybody does."""

    check: CheckId
    text: Story
    death: Annotated[CharacterId | None, Says("Who dies of it")] = None


Input: TypeAlias = (
    SeatReferee
    | TakePart
    | RateTrait
    | RateImportance
    | RuleImmunity
    | DescribeAbilities
    | AssignAptitude
    | DeclareAction
    | RuleOrder
    | RuleImpossible
    | RuleCheck
    | EnterRoll
    | RuleFluke
    | Resolve
    | NarrateConsequence
    | RuleInjury
    | DeclareRecovery
    | RuleRecoveryCheck
    | NameRecovery
)
INPUTS: tuple[type[Input], ...] = get_args(Input)
