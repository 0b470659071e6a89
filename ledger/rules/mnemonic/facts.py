"""What can become true. Facts about a scene (or the campaign, for what is outside any scene), unless said otherwise.

`seen_by` says who may read what a hidden resisting check used (None: everybody); views leave it out for all others.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, Reason, SceneId, SeatId, Story, Title
from ledger.rules.mnemonic.facts_of_aptitudes import AptitudeAssigned, AptitudeUsed, AssignmentNoted
from ledger.rules.mnemonic.facts_of_injuries import (
    InjuryResolved,
    InjuryRuled,
    RecoveryChecked,
    RecoveryDeclared,
    RecoveryNamed,
    RecoveryRateRuled,
    RecoveryRuled,
    StatusChanged,
)
from ledger.rules.mnemonic.parts import CameOut, RatedTrait, Readings, Rolled
from ledger.rules.mnemonic.terms import (
    ActionId,
    AptitudeSource,
    AssignmentId,
    ChancesName,
    CharacterKind,
    CheckId,
    FlukeKind,
    Immunity,
    InjuryId,
    KnownTo,
    Method,
    Purpose,
    RatingName,
    Readers,
    RulingNumber,
    SessionId,
    TraitTitle,
)

# --- the campaign and its characters ------------------------------------------------------------------------------


@fact("referee-seated")
class RefereeSeated:
    """About the campaign: this seat rules from now on."""

    seat: SeatId


@fact("referee-rose")
class RefereeRose:
    """About the campaign: the session is over, and nobody sits in the referee's chair."""


@fact("scene-left")
class SceneLeft:
    """About the campaign: the scene was closed by this ruling; what was begun in it can still be finished."""

    scene: SceneId
    ruling: int


@fact("begun-late")
class BegunLate:
    """About the campaign: this ruling began something in a scene that was closed, and its board has it."""

    scene: SceneId
    ruling: int


@fact("ladder-set")
class LadderSet:
    """About the campaign. `which`: `traits` or `chances`; `rows`: (name, number) from low to high."""

    which: Literal["traits", "chances"]
    rows: tuple[tuple[Title, int], ...]


@fact("character-created")
class CharacterCreated:
    """About the character, whose Status is Fine."""

    kind: CharacterKind
    player: SeatId
    primary_role: Story
    resist_talent: TraitTitle | None


@fact("shown-as")
class ShownAs:
    """About the character: what its levels are called, and who may read its ratings of script immunity so far."""

    status_names: tuple[Title, ...]
    importance_seen_by: Readers | None


@fact("took-part")
class TookPart:
    """About the character: it is in the open session."""

    session: SessionId


@fact("trait-rated")
class TraitRated:
    """About the character. `number`: on the ladder of that day. `replaces`: the rating it had before."""

    trait: TraitTitle
    kind: Literal["talent", "life"]
    rating: RatingName
    number: int
    replaces: RatingName | None
    reason: Reason


@fact("importance-rated")
class ImportanceRated:
    """About the character: its script immunity, fixed until rated anew."""

    label: Title
    rating: RatingName
    number: int
    replaces: RatingName | None
    reason: Reason
    seen_by: Readers | None = None


@fact("importance-ruled")
class ImportanceRuled:
    """About the character: its script immunity in this one resisting check."""

    check: CheckId
    label: Title
    rating: RatingName
    number: int
    seen_by: Readers | None = None


@fact("immunity-ruled")
class ImmunityRuled:
    """About the character: which rating its script immunity is, and who may know it; None: as the dials say."""

    source: Immunity | None
    known_to: KnownTo | None
    reason: Reason


@fact("resistance-called")
class ResistanceCalled:
    """About the character: a resisting check of it was ruled; for this injury, or to recover."""

    check: CheckId
    injury: InjuryId | None


@fact("resistance-rolled", 2)
class ResistanceRolled:
    """About the character: its resisting check was rolled, and what comes of it is decided later."""

    check: CheckId
    rolled: Rolled


@fact("recovery-awaited", 2)
class RecoveryAwaited:
    """About the character: a recovery check came out like this; whether and how far that helps the referee says.

    `at_once`: in the ruling that entered the roll.
    """

    check: CheckId
    result: CameOut
    at_once: bool = False


@fact("abilities-described")
class AbilitiesDescribed:
    """About the character: what player and referee agree it can do. `by`: the seat that wrote it down.

    `assented`: the seat of the other side, None where there is none. `reported`: why a game master said it for it.
    """

    version: int
    text: Story
    by: SeatId
    assented: SeatId | None
    reported: Reason


@fact("abilities-objected")
class AbilitiesObjected:
    """About the character: this was put to the other side, which does not see it so."""

    text: Story
    by: SeatId
    objected: SeatId
    reported: Reason


# --- actions ------------------------------------------------------------------------------------------------------


@fact("action-declared")
class ActionDeclared:
    action: ActionId
    character: CharacterId
    text: Story
    physical: bool


@fact("action-order-ruled")
class ActionOrderRuled:
    order: tuple[CharacterId, ...]
    reason: Reason


@fact("action-ruled-impossible")
class ActionRuledImpossible:
    action: ActionId
    reason: Reason


@fact("action-ruled-certain")
class ActionRuledCertain:
    action: ActionId
    reason: Reason


# --- checks -------------------------------------------------------------------------------------------------------


@fact("check-ruled")
class CheckRuled:
    """All that was decided before the roll, in resolved numbers. `assigned`: the assignment its Aptitude comes from."""

    check: CheckId
    purpose: Purpose
    character: CharacterId
    traits: tuple[RatedTrait, ...]
    aptitude: int
    aptitude_source: AptitudeSource
    assigned: AssignmentId | None
    chances: ChancesName
    chances_number: int
    method: Method
    life_or_death: bool
    readings: Readings
    reason: Reason
    action: ActionId | None = None
    injury: InjuryId | None = None
    seen_by: Readers | None = None


@fact("check-rolled", 2)
class CheckRolled:
    """`entered`: as it was said at the table; `faces`: the numbers in order. `run`: how often the same fluke number.

    `ruling`: its own number, by which everything decided about the roll names it.
    """

    check: CheckId
    method: Method
    entered: tuple[Title, ...]
    faces: tuple[int, ...]
    entered_by: SeatId
    roll: int
    fluke: FlukeKind | None
    run: int
    note: Story = ""
    ruling: RulingNumber = ""


@fact("fluke-ruled", 2)
class FlukeRuled:
    """`rolled`: the roll it is about."""

    check: CheckId
    kind: FlukeKind
    run: int
    possible: bool
    reason: Reason
    rolled: Rolled | None = None


@fact("check-resolved", 2)
class CheckResolved:
    """`fluke`: the one that took effect; `fluke_rolled`: the one that was rolled, void or not.

    `rolled`: the roll it is the result of.
    """

    check: CheckId
    roll: int
    total: int
    success: bool
    successes: int
    failures: int
    fluke: FlukeKind | None
    fluke_rolled: FlukeKind | None
    rolled: Rolled | None = None


@fact("consequence-narrated", 2)
class ConsequenceNarrated:
    """`death`: the character who dies of it. `marked`: the death was not at stake when the check was ruled.

    `rolled`: the roll with the spectacular result.
    """

    check: CheckId
    text: Story
    death: CharacterId | None
    marked: bool
    rolled: Rolled | None = None


Fact: TypeAlias = (
    RefereeSeated | RefereeRose | SceneLeft | BegunLate | LadderSet | CharacterCreated | ShownAs | TookPart | TraitRated
    | ImportanceRated | ImportanceRuled | ImmunityRuled | ResistanceCalled | ResistanceRolled | RecoveryAwaited
    | RecoveryRuled | AbilitiesDescribed | AbilitiesObjected | ActionDeclared | ActionOrderRuled
    | ActionRuledImpossible | ActionRuledCertain | CheckRuled | CheckRolled | FlukeRuled | CheckResolved
    | ConsequenceNarrated | InjuryRuled | InjuryResolved | RecoveryRateRuled | RecoveryDeclared | RecoveryChecked
    | RecoveryNamed | StatusChanged | AptitudeAssigned | AssignmentNoted | AptitudeUsed
)  # fmt: skip
FACTS: tuple[type[Fact], ...] = get_args(Fact)
