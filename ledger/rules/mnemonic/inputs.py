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
    LifeOrDeath,
    MethodWord,
    NeedsBody,
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
    """A new character. `primary_role`: who the character is, in a few words."""

    kind: CharacterKind = "player_character"
    primary_role: Story = ""
    resist_talent: Annotated[
        Title | None, Says("Talent that resists injuries", "Leave it out to use the option `resist.talent`.")
    ] = None
    rate_importance: Annotated[
        bool, Says("Rate script immunity", "If true, the referee is asked for the rating when the character joins.")
    ] = False


@dataclass(frozen=True, slots=True)
class TraitName:
    """A trait of a character: a Talent (`talent`) or a Life Role (`life`) by its name, or the Primary Role (`primary`)
    without a name.
    """

    kind: TraitKindWord
    name: TraitTitle = ""


@dataclass(frozen=True, slots=True)
class TraitRating:
    """A Talent or Life Role and its rating. `trait`: the name of the Talent or Life Role."""

    trait: Title
    trait_kind: RateableWord
    rating: RatingName


@dataclass(frozen=True, slots=True)
class Card:
    """`rank`: A, 2 to 10, J or Q. If you draw a King, draw again. `suit`: you can leave it out."""

    rank: Rank
    suit: Title | None = None


def _roller(table: Table[object], do: EnterRoll) -> str | None:
    found = find_check(table, do.check)
    return found[1].ruled.character if found is not None else None


# --- the table ----------------------------------------------------------------------------------------------------


@declares("seat-referee", GM, records=("referee-seated",))
class SeatReferee:
    """Make a game master or a player the referee until the session ends. Only the referee makes rulings. The referee
    can also see hidden ratings. While there is no referee, every game master can make rulings, unless the option
    `dramatic.seen_by_gm` is off: then nobody can.
    """

    seat: SeatId


@declares("take-part", REFEREE, records=("took-part",))
class TakePart:
    """Add characters to the open session, at its start or later. `session`: the open session. You can leave it out."""

    characters: tuple[CharacterId, ...]
    session: SessionId | None = None


# --- characters ---------------------------------------------------------------------------------------------------


@declares("rate-trait", REFEREE, records=("trait-rated",))
class RateTrait:
    """Rate one of a character's Talents or Life Roles. The rating counts in later checks.

    `trait`: the name of the Talent or Life Role.
    """

    character: CharacterId
    trait: Title
    trait_kind: RateableWord
    rating: RatingName
    reason: Reason = ""


@declares("rate-traits", REFEREE, records=("trait-rated",))
class RateTraits:
    """Rate several of a character's Talents and Life Roles at once, for example for a new sheet."""

    character: CharacterId
    ratings: tuple[TraitRating, ...]
    reason: Reason = ""


@declares("rate-importance", REFEREE, records=("importance-rated",))
class RateImportance:
    """Rate a character's script immunity: how likely the story is to spare the character. The rating counts until you
    give another one.

    `preset`: some ratings are suggested for each part. If you choose a part, the rating must be one of them.
    """

    character: CharacterId
    rating: Annotated[RatingName, Says("Rating", "Leave it out to use the first one suggested for the part.")] = ""
    reason: Reason = ""
    preset: Annotated[Preset | None, Says("Part in the story")] = None


@declares("rule-immunity", REFEREE, records=("immunity-ruled", "shown-as"))
class RuleImmunity:
    """Decide for one character what the options decide for the whole table: which rating is the character's script
    immunity, and who may know that rating and its effects. Leave a field out to follow the options.
    """

    character: CharacterId
    source: Annotated[Immunity | None, Says("Rating used")] = None
    known_to: Annotated[KnownTo | None, Says("Who may know it")] = None
    reason: Reason = ""


@declares("describe-abilities", referee_or_player("character"), records=("abilities-described", "abilities-objected"))
class DescribeAbilities:
    """Describe what a character can do, instead of a sheet or in addition to one. If the player writes the description,
    the referee must agree. If the referee writes it, the player must agree.
    """

    character: CharacterId
    text: Annotated[Story, Says("Description", "What the character can do.")]


@declares("assign-aptitude", REFEREE, records=("took-part", "aptitude-assigned", "assignment-noted"))
class AssignAptitude:
    """Assign an Aptitude for one precise task. In a character's first sessions, the player is asked to judge the
    Aptitude, too.

    `task`: the precise task, in words. `traits`: the two traits that fit the task. Their sum is recorded for
    comparison. `session`: the open session. You can leave it out. `reason`: needed if the number differs too much from
    the previous one.
    """

    character: CharacterId
    task: Title
    ref: Annotated[AptitudeNumber | None, Says("Referee's number", "Leave it out to repeat the previous number.")] = (
        None
    )
    ask: Annotated[bool, Says("Ask the player", "The player must judge the Aptitude in later sessions, too.")] = False
    agreed: Annotated[
        AptitudeNumber | None,
        Says("Number agreed on", "The number that you and the player agreed on. The player must confirm it."),
    ] = None
    reason: Reason = ""
    session: SessionId | None = None
    traits: tuple[TraitName, ...] = ()


# --- actions and checks -------------------------------------------------------------------------------------------


@declares("declare-action", referee_or_player("character"), records=("action-declared",))
class DeclareAction:
    """Declare what a character attempts."""

    character: CharacterId
    text: Annotated[Story, Says("Action", "What the character attempts.")]
    physical: NeedsBody = True


@declares("rule-order", REFEREE, records=("action-order-ruled",))
class RuleOrder:
    """Set the order in which characters act. The new order replaces an earlier one."""

    order: tuple[CharacterId, ...]
    reason: Reason = ""


@declares("rule-impossible", REFEREE, records=("action-ruled-impossible",))
class RuleImpossible:
    """Rule that a declared action is impossible: it fails without a roll."""

    action: ActionId
    reason: Reason = ""


@declares("rule-certain", REFEREE, records=("action-ruled-certain",))
class RuleCertain:
    """Rule that a declared action is certain: it succeeds without a roll."""

    action: ActionId
    reason: Reason = ""


@declares("rule-check", REFEREE, records=("check-ruled", "aptitude-used", "begun-late"))
class RuleCheck:
    """Rule on a Success Check for an action: choose two traits or an assigned Aptitude, and the Chances.

    `method`: leave it out for the usual way to roll. `action`: the declared action. If there is none, say whether the
    attempt needs the body.
    `reason`: why you rule this. A reason is usually given.
    """

    character: CharacterId
    chances: ChancesName
    traits: tuple[TraitName, ...] = ()
    assigned: Annotated[AssignmentOfCharacter | None, Says("Assigned Aptitude", "Used instead of traits.")] = None
    method: MethodWord | None = None
    life_or_death: LifeOrDeath = False
    reason: Reason = ""
    action: ActionId | None = None
    physical: NeedsBody = True


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
    """Roll a check that the referee has ruled on. If you enter the roll yourself, enter every number, in order.

    `numbers`: what the dice or cards showed, or the number that the players agreed on. `cards`: the cards drawn.
    `voices`: the numbers that the players said, in each round. Leave out numbers, cards and spoken numbers to be asked
    for dice or cards.
    """

    check: CheckId
    numbers: tuple[Face, ...] | None = None
    cards: tuple[Annotated[Card, Fell(die=False)], ...] | None = None
    voices: Annotated[tuple[tuple[Spoken, ...], ...] | None, Says("Spoken numbers")] = None
    note: Story = ""
    resolve: Annotated[bool, Says("Work out the result immediately")] = True


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
    """Rule whether a fluke counts: whether its success or failure was reasonably possible for the character who rolled.
    If it was not, give a reason.
    """

    check: CheckId
    possible: Annotated[bool, Says("Reasonably possible")]
    reason: Reason = ""


@declares(
    "resolve",
    ANYONE,
    records=("check-resolved", "injury-resolved", "recovery-checked", "recovery-awaited", "status-changed"),
)
class Resolve:
    """Work out the result of a roll that was entered without one."""

    check: CheckId


@declares("narrate-consequence", REFEREE, records=("consequence-narrated", "injury-resolved", "status-changed"))
class NarrateConsequence:
    """Describe the consequence of a Spectacular Success or Failure.

    `death`: the character who dies of a Spectacular Failure, if anybody does.
    """

    check: CheckId
    text: Annotated[Story, Says("Consequence")]
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
