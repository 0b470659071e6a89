"""What is played on actions: beads, cards, trumps, chips; what decides in place of dice, and what changes the story."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from ledger.rules.kernel.declarations import GM, declares, either, owner
from ledger.rules.kernel.domains import Between, CharacterId, Reason, Says, Story
from ledger.rules.moc.acting import acts, nobody_acts
from ledger.rules.moc.domains import (
    ActionId,
    AnyElement,
    Approval,
    BeadTalent,
    BeadUse,
    CardClass,
    CardName,
    CardSuit,
    ChangeId,
    ColourName,
    ElementName,
    HitId,
    HowMany,
    Level,
    PartNumber,
    PlayOrRoll,
    ScopeName,
)
from ledger.rules.moc.inputs_of_actions import (
    DeclareAction,
    DeclareSuccesses,
    GrantDice,
    Resolve,
    RollDice,
    SpendToken,
    TakeOffSuccesses,
    TellConsequence,
    UseBit,
    UsePeriodDice,
)
from ledger.rules.moc.sheet import CardPoints
from ledger.rules.moc.terms import Number

#: What a trump of what resisted, or of what healed, can lead to.
TOLD_ANEW = (
    "harm-undone", "damage-resisted", "harm-applied", "tokens-lost", "character-downed", "character-dazed",
    "recovery-pre-empted", "damage-healed", "healing-failed",
)  # fmt: skip


@acts("character")
@declares("play-beads", either("character"), records=("beads-played", "own-dice-added"))
class PlayBeads:
    """`use`: add_successes, reduce_difficulty, add_dice, free_marginal, storytelling, archetype, other, superhuman,
    martial_arts. `successes`: 1 or -1, what a Storytelling bead does to another's action. `characteristic`: of the
    superhuman one. `approved`: by the game master, where that is needed.
    """

    action: ActionId
    character: CharacterId
    use: BeadUse
    number: HowMany = 1
    element: AnyElement = ""
    part: PartNumber = 0
    successes: Annotated[
        Number, Between(-1, 1), Says("Successes", "What a Storytelling bead does to another's action: 1 or -1.")
    ] = 1
    characteristic: BeadTalent = ""
    effect: Story = ""
    approved: Approval = None


@acts("character")
@declares(
    "play-card",
    owner("character"),
    records=("card-played-on-dice", "card-discarded", "villain-card-used", "card-shown"),
)
class PlayCard:
    """A card's points on dice. `suit`: the Element a Wildcard names. `other`: another use, with approval.

    `card_class`: suited, related or off, for who wants to be sure of it: refused where it is another.
    """

    action: ActionId
    character: CharacterId
    card: CardName
    points: tuple[CardPoints, ...] = ()
    suit: CardSuit | None = None
    part: PartNumber = 0
    other: Annotated[Story, Says("Another use", "What it does, where it adds no points; with approval.")] = ""
    approved: Approval = None
    card_class: CardClass | None = None


@acts("character")
@declares(
    "trump",
    either("character"),
    records=(
        "play-trumped", "card-discarded", "villain-card-used", "card-shown", "effect-modifier-returned",
        "effect-modifier-restored", "plays-returned", *TOLD_ANEW,
    ),
)  # fmt: skip
class Trump:
    """A play, or a roll, is cancelled by a card or a chip.

    `on`: the play's id, wherever it lies; or the dice themselves: `roll` of the `action`, `damage` or `resisting` of
    the `hit`, `initiative` or `healing` of `whose`. `change`: told by beads or by a card; its id is that of its play.
    What resisted is told anew until something else befalls who was hit; so is healing. `action` may be empty.
    `allowed`: the game master lets a card cancel the roll. `card_class`: as of a card on dice.
    """

    action: ActionId
    character: CharacterId
    on: Annotated[PlayOrRoll, Says("What is trumped")]
    card: CardName | None = None
    chip: ColourName | None = None
    suit: CardSuit | None = None
    part: PartNumber = 0
    allowed: Annotated[bool | None, Says("Allowed", "Whether the game master lets it cancel a roll.")] = None
    card_class: CardClass | None = None
    hit: HitId = ""
    change: ChangeId = ""
    whose: Annotated[CharacterId, Says("Whose", "Whose initiative or healing it lies on.")] = ""


@nobody_acts
@declares(
    "trump-by-fiat",
    GM,
    records=(
        "play-trumped-by-fiat", "effect-modifier-returned", "effect-modifier-restored", "plays-returned",
        "villains-drew", "chip-awarded", *TOLD_ANEW,
    ),
)  # fmt: skip
class TrumpByFiat:
    """The game master cancels a play, an action or a roll without a card. `chip`: given for it; left out, none.

    `play`: its id, or the dice as of a trump (`roll`: the action, rolled or not); so the other fields.
    """

    action: ActionId
    play: Annotated[PlayOrRoll, Says("What is trumped")]
    chip: ColourName | None = None
    reason: Reason = ""
    part: PartNumber = 0
    hit: HitId = ""
    change: ChangeId = ""
    whose: Annotated[CharacterId, Says("Whose", "Whose initiative or healing it lies on.")] = ""


@acts("character")
@declares(
    "shift-failure",
    either("character"),
    records=("failure-shifted", "card-discarded", "villain-card-used", "card-shown"),
)
class ShiftFailure:
    """An opponent spends one bead (`element`), a `card` or a `chip` to make a Failure spectacular."""

    action: ActionId
    character: CharacterId
    element: ElementName | None = None
    card: CardName | None = None
    chip: ColourName | None = None
    part: PartNumber = 0


@acts("character")
@declares(
    "determine-action",
    either("character"),
    records=(
        "action-determined",
        "consequence-told",
        "card-discarded",
        "villain-card-used",
        "card-shown",
        "proposal-vetoed",
    ),
)
class DetermineAction:
    """An EM decides the action in place of dice, approved: a `card`, a `chip`, or a `number` of beads of an `element`.

    `text`: what its player tells of it; `consequence`: what is bad about it. `level`: what it comes to; left out, the
    level it needs.
    """

    action: ActionId
    character: CharacterId
    text: Story
    element: ElementName | None = None
    number: HowMany = 1
    card: CardName | None = None
    chip: ColourName | None = None
    level: Level | None = None
    consequence: Story = ""
    part: PartNumber = 0
    approved: Approval = None


@acts("character")
@declares(
    "claim-success",
    either("character"),
    records=("automatic-success-claimed", "automatic-success-approved"),
)
class ClaimSuccess:
    """A white chip makes it a Success. `approved`: by the game master.

    On a roll that is hidden from who claims it is taken whatever was rolled; where it was not needed it comes back when
    the roll is told.
    """

    action: ActionId
    character: CharacterId
    part: PartNumber = 0
    chip: ColourName = "white"
    approved: Approval = None


# --- story ---


@acts("character")
@declares("change-story", either("character"), records=("story-changed",))
class ChangeStory:
    """Storytelling beads change what is told; their number is the tier.

    `scope`: turn, scene, session or world, no further than the tier reaches; left out, as far as it may reach.
    """

    character: CharacterId
    beads: HowMany
    text: Story
    scope: ScopeName | None = None


PlayInput: TypeAlias = (
    DeclareAction | GrantDice | SpendToken | UsePeriodDice | UseBit | PlayBeads | RollDice | PlayCard
    | DeclareSuccesses | TakeOffSuccesses | Trump | TrumpByFiat | ShiftFailure | DetermineAction | ClaimSuccess
    | Resolve | TellConsequence | ChangeStory
)  # fmt: skip
