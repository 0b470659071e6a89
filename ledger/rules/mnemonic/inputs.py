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
from ledger.rules.mnemonic.inputs_of_injuries import (
    DeclareRecovery,
    NameRecovery,
    RuleInjury,
    RuleRecoveryCheck,
    RuleRecoveryRate,
)
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
    """`primary_role`: the shortest description of the character. `resist_talent`: a Talent that resists injuries
    instead of the usual one. `rate_importance`: the referee is asked immediately how important the character is to the
    story, with presets to choose from.
    """

    kind: CharacterKind = "player_character"
    primary_role: Story = ""
    resist_talent: Annotated[Title | None, Says("Talent that resists injuries", "Leave it out for the usual one.")] = (
        None
    )
    rate_importance: bool = False


@dataclass(frozen=True, slots=True)
class TraitName:
    """A trait of a character: `talent` or `life` with its name, or `primary`, which has no name."""

    kind: TraitKindWord
    name: TraitTitle = ""


@dataclass(frozen=True, slots=True)
class TraitRating:
    """A Talent or Life Role and its rating. `trait_kind`: `talent` or `life`."""

    trait: Title
    trait_kind: RateableWord
    rating: RatingName


@dataclass(frozen=True, slots=True)
class Card:
    """`rank`: A, 2 to 10, J, Q (draw again for a King). `suit` is optional."""

    rank: Rank
    suit: Title | None = None


def _roller(table: Table[object], do: EnterRoll) -> str | None:
    found = find_check(table, do.check)
    return found[1].ruled.character if found is not None else None


# --- the table ----------------------------------------------------------------------------------------------------


@declares("seat-referee", GM, records=("referee-seated",))
class SeatReferee:
    """Make this seat the referee until the session ends. The seat may be a game master's or a player's. Only the
    referee rules, and sees what a referee must see. While there is no referee, every game master rules, or nobody if
    the option `dramatic.seen_by_gm` is off.
    """

    seat: SeatId


@declares("take-part", REFEREE, records=("took-part",))
class TakePart:
    """Add these characters to the open session, at its start or later. `session` is optional."""

    characters: tuple[CharacterId, ...]
    session: SessionId | None = None


# --- characters ---------------------------------------------------------------------------------------------------


@declares("rate-trait", REFEREE, records=("trait-rated",))
class RateTrait:
    """Rate a Talent or Life Role, for later checks. `trait_kind`: `talent` or `life`."""

    character: CharacterId
    trait: Title
    trait_kind: RateableWord
    rating: RatingName
    reason: Reason = ""


@declares("rate-traits", REFEREE, records=("trait-rated",))
class RateTraits:
    """Rate several Talents and Life Roles of a character together, as for a new sheet."""

    character: CharacterId
    ratings: tuple[TraitRating, ...]
    reason: Reason = ""


@declares("rate-importance", REFEREE, records=("importance-rated",))
class RateImportance:
    """Rate the character's script immunity. The rating stays until the next one.

    `preset`: the character's part in the story, with suggested ratings. `rating` chooses one of them.
    """

    character: CharacterId
    rating: RatingName = ""
    reason: Reason = ""
    preset: Preset | None = None


@declares("rule-immunity", REFEREE, records=("immunity-ruled", "shown-as"))
class RuleImmunity:
    """Set for one character what the options set for the table: which rating gives script immunity (`source`), and who
    may know it and its results (`known_to`). Leave a field out to follow the table.
    """

    character: CharacterId
    source: Immunity | None = None
    known_to: KnownTo | None = None
    reason: Reason = ""


@declares("describe-abilities", referee_or_player("character"), records=("abilities-described", "abilities-objected"))
class DescribeAbilities:
    """Describe what the character can do, instead of a sheet or beside it. The player or the referee, whoever did not
    write it, must agree.
    """

    character: CharacterId
    text: Story


@declares("assign-aptitude", REFEREE, records=("took-part", "aptitude-assigned", "assignment-noted"))
class AssignAptitude:
    """Assign an Aptitude for one precise task. In the first sessions, or with `ask`, the player is asked to judge, too.

    `ref`: the referee's number; leave it out to repeat the previous one. `agreed`: the number they talked over, which
    the player must confirm. `traits`: two traits whose sum is recorded for comparison. `session`: the open session.
    """

    character: CharacterId
    task: Title
    ref: Annotated[AptitudeNumber | None, Says("Referee's number", "Leave it out to repeat the previous one.")] = None
    ask: Annotated[bool, Says("Ask the player", "The player judges it, too.")] = False
    agreed: Annotated[AptitudeNumber | None, Says("Number agreed on", "The player must confirm it.")] = None
    reason: Reason = ""
    session: SessionId | None = None
    traits: tuple[TraitName, ...] = ()


# --- actions and checks -------------------------------------------------------------------------------------------


@declares("declare-action", referee_or_player("character"), records=("action-declared",))
class DeclareAction:
    """Declare what a character attempts."""

    character: CharacterId
    text: Story
    physical: bool = True


@declares("rule-order", REFEREE, records=("action-order-ruled",))
class RuleOrder:
    """Set the order in which characters act. It replaces an earlier order."""

    order: tuple[CharacterId, ...]
    reason: Reason = ""


@declares("rule-impossible", REFEREE, records=("action-ruled-impossible",))
class RuleImpossible:
    """Rule that a declared action is impossible: it fails without a roll."""

    action: ActionId
    reason: Reason = ""


@declares("rule-certain", REFEREE, records=("action-ruled-certain",))
class RuleCertain:
    """Rule that a declared action needs no roll: it succeeds."""

    action: ActionId
    reason: Reason = ""


@declares("rule-check", REFEREE, records=("check-ruled", "aptitude-used", "begun-late"))
class RuleCheck:
    """Rule a Success Check for an action: two `traits` or an `assigned` Aptitude, and the Chances by name.

    `action`: the declared action; without one, `physical` says what kind of attempt this is.
    `reason`: why. Often said.
    """

    character: CharacterId
    chances: ChancesName
    traits: tuple[TraitName, ...] = ()
    assigned: Annotated[AssignmentOfCharacter | None, Says("Assigned Aptitude", "Instead of traits.")] = None
    method: MethodWord | None = None
    life_or_death: bool = False
    reason: Reason = ""
    action: ActionId | None = None
    physical: bool = True


@declares(
    "enter-roll",
    referee_or(_roller, "the player of the character that rolls"),
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
    """Roll a check that was ruled. If you type the roll in, give every number, in order.

    `numbers`: dice, cards, or the number agreed on by voice. `cards`: by rank. `voices`: the numbers spoken in each
    round. Leave all of them out to be asked for dice or cards. `resolve`: show the result immediately.
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
    """Rule whether the fluke was reasonably possible for this character, and if not, why not."""

    check: CheckId
    possible: bool
    reason: Reason = ""


@declares(
    "resolve",
    ANYONE,
    records=("check-resolved", "injury-resolved", "recovery-checked", "recovery-awaited", "status-changed"),
)
class Resolve:
    """Resolve a roll that was entered without a result."""

    check: CheckId


@declares("narrate-consequence", REFEREE, records=("consequence-narrated", "injury-resolved", "status-changed"))
class NarrateConsequence:
    """Describe the consequence of a Spectacular result. `death`: the character who dies, if anybody does."""

    check: CheckId
    text: Story
    death: Annotated[CharacterId | None, Says("Who dies")] = None


Input: TypeAlias = (
    SeatReferee
    | TakePart
    | RateTrait
    | RateTraits
    | RateImportance
    | RuleImmunity
    | DescribeAbilities
    | AssignAptitude
    | DeclareAction
    | RuleOrder
    | RuleImpossible
    | RuleCertain
    | RuleCheck
    | EnterRoll
    | RuleFluke
    | Resolve
    | NarrateConsequence
    | RuleInjury
    | RuleRecoveryRate
    | DeclareRecovery
    | RuleRecoveryCheck
    | NameRecovery
)
INPUTS: tuple[type[Input], ...] = get_args(Input)
