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
    """Subject: the campaign. The seat is the referee from now on."""

    seat: SeatId


@fact("referee-rose")
class RefereeRose:
    """Subject: the campaign. The session is over, and nobody is the referee."""


@fact("scene-left")
class SceneLeft:
    """Subject: the campaign. This ruling closed the scene. Anything begun in the scene can still be finished."""

    scene: SceneId
    ruling: int


@fact("begun-late")
class BegunLate:
    """Subject: the campaign. This ruling began something in a closed scene, and belongs to that scene."""

    scene: SceneId
    ruling: int


@fact("ladder-set")
class LadderSet:
    """Subject: the campaign. Its ladder of ratings (`traits`) or of Chances (`chances`) was set. `rows`: each row's
    name and number, from low to high.
    """

    which: Literal["traits", "chances"]
    rows: tuple[tuple[Title, int], ...]


@fact("character-created")
class CharacterCreated:
    """Subject: the character. It joined the campaign, and its Status is Fine."""

    kind: CharacterKind
    player: SeatId
    primary_role: Story
    resist_talent: TraitTitle | None


@fact("shown-as")
class ShownAs:
    """Subject: the character. `status_names`: what its levels of Status are called. `importance_seen_by`: who may
    currently see its ratings of script immunity.
    """

    status_names: tuple[Title, ...]
    importance_seen_by: Readers | None


@fact("took-part")
class TookPart:
    """Subject: the character. It is taking part in the open session."""

    session: SessionId


@fact("trait-rated")
class TraitRated:
    """Subject: the character. A Talent or Life Role was rated. `number`: the number of the rating on the ladder of that
    time. `replaces`: the previous rating.
    """

    trait: TraitTitle
    kind: Literal["talent", "life"]
    rating: RatingName
    number: int
    replaces: RatingName | None
    reason: Reason


@fact("importance-rated")
class ImportanceRated:
    """Subject: the character. Its script immunity was rated. The rating counts until the next one."""

    label: Title
    rating: RatingName
    number: int
    replaces: RatingName | None
    reason: Reason
    seen_by: Readers | None = None


@fact("importance-ruled")
class ImportanceRuled:
    """Subject: the character. Its script immunity was rated for this one check to resist."""

    check: CheckId
    label: Title
    rating: RatingName
    number: int
    seen_by: Readers | None = None


@fact("immunity-ruled")
class ImmunityRuled:
    """Subject: the character. The referee ruled which rating is its script immunity, and who may know it. If a field is
    empty, the options decide.
    """

    source: Immunity | None
    known_to: KnownTo | None
    reason: Reason


@fact("resistance-called")
class ResistanceCalled:
    """The character must make a check to resist this `injury`, or to recover."""

    check: CheckId
    injury: InjuryId | None


@fact("resistance-rolled", 2)
class ResistanceRolled:
    """Subject: the character. Its check to resist or recover was rolled. The result is worked out later."""

    check: CheckId
    rolled: Rolled


@fact("recovery-awaited", 2)
class RecoveryAwaited:
    """Subject: the character. Its recovery check has this `result`. The referee decides whether it helps, and how much.
    `at_once`: whether the result was worked out in the ruling that entered the roll.
    """

    check: CheckId
    result: CameOut
    at_once: bool = False


@fact("abilities-described")
class AbilitiesDescribed:
    """Subject: the character. The player and the referee agreed on what it can do. `by`: the seat that wrote the
    description. `assented`: the seat that agreed; empty if nobody else had to. `reported`: why a game master answered
    for that seat.
    """

    version: int
    text: Story
    by: SeatId
    assented: SeatId | None
    reported: Reason


@fact("abilities-objected")
class AbilitiesObjected:
    """Subject: the character. This description was proposed, and the seat `objected` did not agree."""

    text: Story
    by: SeatId
    objected: SeatId
    reported: Reason


# --- actions ------------------------------------------------------------------------------------------------------


@fact("action-declared")
class ActionDeclared:
    """A character attempts something. `physical`: whether the action needs the body."""

    action: ActionId
    character: CharacterId
    text: Story
    physical: bool


@fact("action-order-ruled")
class ActionOrderRuled:
    """The order in which characters act."""

    order: tuple[CharacterId, ...]
    reason: Reason


@fact("action-ruled-impossible")
class ActionRuledImpossible:
    """The declared action fails without a roll."""

    action: ActionId
    reason: Reason


@fact("action-ruled-certain")
class ActionRuledCertain:
    """The declared action succeeds without a roll."""

    action: ActionId
    reason: Reason


# --- checks -------------------------------------------------------------------------------------------------------


@fact("check-ruled")
class CheckRuled:
    """Everything that was decided about a check before its roll. `assigned`: the assigned Aptitude that it uses."""

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
    """The roll of a check. `entered`: what was entered or rolled. `faces`: the numbers, in order. `run`: how many times
    the number of the fluke was rolled. `ruling`: the number of this ruling, by which later decisions refer to the roll.
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
    """The referee ruled whether a fluke counts. `rolled`: the roll that was a fluke."""

    check: CheckId
    kind: FlukeKind
    run: int
    possible: bool
    reason: Reason
    rolled: Rolled | None = None


@fact("check-resolved", 2)
class CheckResolved:
    """The result of a check. `fluke`: the fluke that counts. `fluke_rolled`: the fluke that was rolled, whether it
    counts or not. `rolled`: the roll that has this result.
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
    """The consequence of a Spectacular result. `death`: the character who dies of it. `marked`: true if life was not at
    stake when the referee ruled on the check. `rolled`: the roll with the Spectacular result.
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
