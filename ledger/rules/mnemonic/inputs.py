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
    """`primary_role`: the shortest description of the character. `resist_talent`: the Talent that resists the
    character's injuries. `rate_importance`: the referee is asked immediately for the character's rating of script
    immunity, and can choose one that is suggested for a part in the story.
    """

    kind: CharacterKind = "player_character"
    primary_role: Story = ""
    resist_talent: Annotated[
        Title | None, Says("Talent that resists injuries", "Leave it out to use the option `resist.talent`.")
    ] = None
    rate_importance: bool = False


@dataclass(frozen=True, slots=True)
class TraitName:
    """A trait of a character: a Talent (`talent`) or a Life Role (`life`) by its name, or the Primary Role (`primary`)
    without a name.
    """

    kind: TraitKindWord
    name: TraitTitle = ""


@dataclass(frozen=True, slots=True)
class TraitRating:
    """A Talent or Life Role by its name, and its rating. `trait_kind`: `talent` or `life`."""

    trait: Title
    trait_kind: RateableWord
    rating: RatingName


@dataclass(frozen=True, slots=True)
class Card:
    """`rank`: A, 2 to 10, J or Q. Draw again for a King. `suit` is optional."""

    rank: Rank
    suit: Title | None = None


def _roller(table: Table[object], do: EnterRoll) -> str | None:
    found = find_check(table, do.check)
    return found[1].ruled.character if found is not None else None


# --- the table ----------------------------------------------------------------------------------------------------


@declares("seat-referee", GM, records=("referee-seated",))
class SeatReferee:
    """Make a seat the referee until the session ends. The seat may be a game master's or a player's. Only the referee
    makes rulings, and can see hidden ratings. While there is no referee, every game master makes rulings, or
    nobody if the option `dramatic.seen_by_gm` is off.
    """

    seat: SeatId


@declares("take-part", REFEREE, records=("took-part",))
class TakePart:
    """Add characters to the open session, at its start or later. `session`: the open one, which you can leave out."""

    characters: tuple[CharacterId, ...]
    session: SessionId | None = None


# --- characters ---------------------------------------------------------------------------------------------------


@declares("rate-trait", REFEREE, records=("trait-rated",))
class RateTrait:
    """Rate one of a character's Talents or Life Roles. The rating counts in later checks.

    `trait`: the name of the Talent or Life Role. `trait_kind`: `talent` or `life`.
    """

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
    """Rate the character's script immunity: how likely the story is to spare the character. The rating counts until you
    give another one.

    `preset`: the character's part in the story, for which ratings are suggested. `rating` is then one of these; leave
    it out for the first.
    """

    character: CharacterId
    rating: RatingName = ""
    reason: Reason = ""
    preset: Preset | None = None


@declares("rule-immunity", REFEREE, records=("immunity-ruled", "shown-as"))
class RuleImmunity:
    """Set for one character what the options set for the table: which rating is the character's script immunity
    (`source`), and who may know this rating and its effects (`known_to`). Leave a field out to follow the options.
    """

    character: CharacterId
    source: Immunity | None = None
    known_to: KnownTo | None = None
    reason: Reason = ""


@declares("describe-abilities", referee_or_player("character"), records=("abilities-described", "abilities-objected"))
class DescribeAbilities:
    """Describe what the character can do, instead of a sheet or in addition to one. If the player writes the
    description, the referee must agree. If the referee writes it, the player must agree.
    """

    character: CharacterId
    text: Story


@declares("assign-aptitude", REFEREE, records=("took-part", "aptitude-assigned", "assignment-noted"))
class AssignAptitude:
    """Assign an Aptitude for one precise task. In a character's first sessions, or with `ask`, the player is asked to
    judge the Aptitude, too.

    `ref`: the referee's number; leave it out to repeat the previous one. `agreed`: the number that the referee and the
    player have agreed on, which the player must confirm. `traits`: two traits; their sum is recorded for comparison.
    `session`: the id of the open session, which you can leave out. `reason`: needed if the number differs too much from
    the previous one.
    """

    character: CharacterId
    task: Title
    ref: Annotated[AptitudeNumber | None, Says("Referee's number", "Leave it out to repeat the previous one.")] = None
    ask: Annotated[bool, Says("Ask the player", "The player judges the Aptitude, too.")] = False
    agreed: Annotated[AptitudeNumber | None, Says("Number agreed on", "The player must confirm this number.")] = None
    reason: Reason = ""
    session: SessionId | None = None
    traits: tuple[TraitName, ...] = ()


# --- actions and checks -------------------------------------------------------------------------------------------


@declares("declare-action", referee_or_player("character"), records=("action-declared",))
class DeclareAction:
    """Declare what a character attempts. `physical`: whether the action needs the body. An immobilized character can
    attempt only actions that do not.
    """

    character: CharacterId
    text: Story
    physical: bool = True


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
    """Rule a Success Check for an action: two `traits` or an `assigned` Aptitude, and the Chances by name.

    `method`: how to roll; leave it out for the usual way. `life_or_death`: life is at stake, so a Spectacular Failure
    can kill. `action`: the declared action; if there is none, `physical` says whether the attempt needs the body.
    `reason`: why. Usually given.
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
    """Roll a check that the referee has ruled on. If you enter the roll, give every number, in order.

    `numbers`: what the dice or cards showed, or the number that the players agreed on. `cards`: the cards drawn.
    `voices`: the numbers that the players said, in each round. Leave out all three to be asked for dice or cards.
    `resolve`: work out the result immediately.
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
    """Rule whether the fluke's success or failure was reasonably possible for the character who rolled. If
    it was not, give a reason.
    """

    check: CheckId
    possible: bool
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
    """Describe the consequence of a Spectacular Success or Failure. `death`: the character who dies of a Spectacular
    Failure, if anybody does.
    """

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
