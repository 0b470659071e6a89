"""What people play on actions: beads, cards, trumps, chips; what decides instead of dice; what changes the story."""

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

#: What a trump of a resisting or healing roll can lead to.
TOLD_ANEW = (
    "harm-undone", "damage-resisted", "harm-applied", "tokens-lost", "character-downed", "character-dazed",
    "recovery-pre-empted", "damage-healed", "healing-failed",
)  # fmt: skip


@acts("character")
@declares("play-beads", either("character"), records=("beads-played", "own-dice-added"))
class PlayBeads:
    """Play beads. `use`: add_successes, reduce_difficulty, add_dice, free_marginal, storytelling, archetype, other,
    superhuman, martial_arts. `successes`: 1 or -1, what a Storytelling bead does to another's action. `characteristic`:
    the Superhuman characteristic or the area of Martial Arts. `approved`: by the game master, if that is needed.
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
    """Add a card's points to dice. `suit`: the Element that a Wildcard names. `other`: another use, with approval.

    `card_class`: suited, related or off, if you want to be sure: the card is refused if its class is different.
    """

    action: ActionId
    character: CharacterId
    card: CardName
    points: tuple[CardPoints, ...] = ()
    suit: CardSuit | None = None
    part: PartNumber = 0
    other: Annotated[Story, Says("Another use", "What it does instead of adding points, with approval.")] = ""
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
    """Cancel a play or a roll with a card or a chip.

    `on`: the id of the play; or the dice themselves: `roll` of the `action`, `damage` or `resisting` of the `hit`,
    `initiative` or `healing` of `whose`. `change`: a story change by beads or a card, with the same id as its play.
    A trumped resisting or healing roll is worked out again, unless something else has happened to the character since.
    `action` may be empty. `allowed`: the game master lets a card cancel the roll. `card_class`: as for a card on dice.
    """

    action: ActionId
    character: CharacterId
    on: Annotated[PlayOrRoll, Says("What is trumped")]
    card: CardName | None = None
    chip: ColourName | None = None
    suit: CardSuit | None = None
    part: PartNumber = 0
    allowed: Annotated[bool | None, Says("Allowed", "The game master lets it cancel a roll.")] = None
    card_class: CardClass | None = None
    hit: HitId = ""
    change: ChangeId = ""
    whose: Annotated[CharacterId, Says("Whose", "Whose initiative or healing it is about.")] = ""


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
    """Cancel a play, an action or a roll without a card. `chip`: given for it; leave it out for none.

    `play`: its id, or the dice as for a trump (`roll`: the action, rolled or not). The other fields are as for a trump.
    """

    action: ActionId
    play: Annotated[PlayOrRoll, Says("What is trumped")]
    chip: ColourName | None = None
    reason: Reason = ""
    part: PartNumber = 0
    hit: HitId = ""
    change: ChangeId = ""
    whose: Annotated[CharacterId, Says("Whose", "Whose initiative or healing it is about.")] = ""


@acts("character")
@declares(
    "shift-failure",
    either("character"),
    records=("failure-shifted", "card-discarded", "villain-card-used", "card-shown"),
)
class ShiftFailure:
    """Spend a bead (`element`), a `card` or a `chip` to turn an opponent's Failure into a Spectacular Failure."""

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
    """Decide the action with an EM instead of dice, with approval: a `card`, a `chip`, or a `number` of beads of an
    `element`.

    `text`: what happens. `consequence`: what goes wrong. `level`: the result; leave it out for the level required.
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
    """Make an action a Success with a white chip. `approved`: by the game master.

    If the roll is hidden from you, the chip is taken whatever was rolled. If the roll turns out not to need it, the
    chip goes back.
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
    """Change the story with Storytelling beads. Their number is the tier.

    `scope`: turn, scene, session or world, no further than the tier reaches. Leave it out for as far as possible.
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
