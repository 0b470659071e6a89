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
    OtherRoll,
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
    """Play beads on an action. `use`: add_successes, reduce_difficulty, add_dice, free_marginal, storytelling,
    archetype, other, superhuman, martial_arts. `successes`: what a Storytelling bead does to somebody else's action: 1
    adds a success, -1 removes one. `characteristic`: the Superhuman characteristic or the area of Martial Arts that the
    beads use. `effect`: what the beads do, in words. `approved`: whether the game master agrees, if the use needs
    approval.
    """

    action: ActionId
    character: CharacterId
    use: BeadUse
    number: Annotated[HowMany, Says("Beads", "How many beads are played.")] = 1
    element: AnyElement = ""
    part: PartNumber = 0
    successes: Annotated[
        Number,
        Between(-1, 1),
        Says("Successes", "On somebody else's action: 1 if a Storytelling bead adds a success, -1 if it removes one."),
    ] = 1
    characteristic: BeadTalent = ""
    effect: Story = ""
    approved: Approval = None


@acts("character")
@declares("play-beads-on-dice", either("character"), records=("beads-played-on-dice", *TOLD_ANEW))
class PlayBeadsOnDice:
    """Add successes to a completed roll other than an action's: one for each bead.

    `roll`: damage, resisting, initiative or healing. `hit`: for damage and resisting. `whose`: for initiative and
    healing, the character who rolled; leave it out for your own. `element`: leave it out to use the Element of the
    roll, which is that of the attack, or else Action. You can also play one Storytelling bead on somebody else's roll.
    `fewer`: whether the Storytelling bead removes a success instead.
    """

    character: CharacterId
    roll: OtherRoll
    hit: HitId = ""
    whose: Annotated[CharacterId, Says("Whose dice", "Who rolled. Leave it out for your own dice.")] = ""
    number: Annotated[HowMany, Says("Beads", "How many beads are played.")] = 1
    element: AnyElement = ""
    fewer: Annotated[bool, Says("One success fewer", "A Storytelling bead removes a success instead.")] = False


@acts("character")
@declares(
    "play-card",
    owner("character"),
    records=("card-played-on-dice", "card-discarded", "villain-card-used", "card-shown"),
)
class PlayCard:
    """Add a card's points to the dice of an action. `suit`: the Element that a Wildcard names for the card.

    `other`: what the card does instead of adding points. This needs approval. `card_class`: the class you expect:
    suited, related or off. The card is refused if its class is different.
    """

    action: ActionId
    character: CharacterId
    card: CardName
    points: tuple[CardPoints, ...] = ()
    suit: CardSuit | None = None
    part: PartNumber = 0
    other: Annotated[
        Story,
        Says("Another use", "What the card does instead of adding points. This needs the game master's approval."),
    ] = ""
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

    `on`: the id of the play. For dice, it is `roll` (of the `action`), `damage` or `resisting` (of the `hit`), or
    `initiative` or `healing` (of the character in `whose`). `change`: the id of a change of the story that was made
    with beads or a card. Its play has the same id. A trumped resisting or healing roll is worked out again, unless
    something else has happened to the character since. `action` may be empty. `allowed`: whether the game master lets
    the card or chip cancel a roll. `card_class`: the class you expect, as when you play a card on dice.
    """

    action: ActionId
    character: CharacterId
    on: Annotated[PlayOrRoll, Says("What is trumped")]
    card: CardName | None = None
    chip: ColourName | None = None
    suit: CardSuit | None = None
    part: PartNumber = 0
    allowed: Annotated[bool | None, Says("Allowed", "The game master lets the card or chip cancel a roll.")] = None
    card_class: CardClass | None = None
    hit: HitId = ""
    change: ChangeId = ""
    whose: Annotated[CharacterId, Says("Whose", "The character whose initiative or healing is trumped.")] = ""


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
    """Cancel a play, an action or a roll simply by deciding to, without a trump. `chip`: the chip that you give the
    player for it, if any.

    `play`: the id of the play. For dice, use the same words as for a trump; `roll` cancels the action, whether or not
    it was rolled. The other fields are the same as for a trump.
    """

    action: ActionId
    play: Annotated[PlayOrRoll, Says("What is trumped")]
    chip: ColourName | None = None
    reason: Reason = ""
    part: PartNumber = 0
    hit: HitId = ""
    change: ChangeId = ""
    whose: Annotated[CharacterId, Says("Whose", "The character whose initiative or healing is trumped.")] = ""


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
    """Decide an action with an Effect Modifier (EM) instead of dice, with the game master's approval. The EM is a
    `card`, a `chip`, or a `number` of beads of an `element`.

    `text`: what happens. `consequence`: what goes wrong. `level`: the level of success that results; leave it out for
    the level required.
    """

    action: ActionId
    character: CharacterId
    text: Story
    element: ElementName | None = None
    number: Annotated[HowMany, Says("Beads", "How many beads of the Element decide the action.")] = 1
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
    """Make an action a Success with a white chip. `approved`: whether the game master agrees.

    If the roll is hidden from you, the chip is taken, no matter what was rolled. If it turns out that the roll did not
    need the chip, the chip comes back.
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
    """Change the story with Storytelling beads. The number of beads decides how far the change can reach.

    `scope`: how far the change reaches: turn, scene, session or world. Leave it out to reach as far as the beads allow.
    """

    character: CharacterId
    beads: Annotated[HowMany, Says("Beads", "How many beads change the story.")]
    text: Story
    scope: ScopeName | None = None


PlayInput: TypeAlias = (
    DeclareAction | GrantDice | SpendToken | UsePeriodDice | UseBit | PlayBeads | RollDice | PlayCard
    | DeclareSuccesses | TakeOffSuccesses | Trump | TrumpByFiat | ShiftFailure | DetermineAction | ClaimSuccess
    | Resolve | TellConsequence | ChangeStory | PlayBeadsOnDice
)  # fmt: skip
