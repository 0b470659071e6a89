"""What people at the table do. Ids are those of characters, actions (and plays on them), hits, traits and changes.

You can enter dice and cards with the input. If you leave them out, the ruling asks for them. A `Number` may be
anything: the rule, not the wire format, refuses a value that is not a whole number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, TypeAlias, get_args

from ledger.rules.kernel.declarations import ANYONE, GM, declares, either, owner
from ledger.rules.kernel.domains import Between, CharacterId, Reason, Says, Story, Title
from ledger.rules.moc.acting import acts, nobody_acts
from ledger.rules.moc.domains import (
    Allowance,
    AnyElement,
    Approval,
    BonusFaces,
    CardName,
    ChangeId,
    ChipCounts,
    ChipValue,
    Days,
    EffectName,
    EffectOf,
    Faces,
    FloatingCounts,
    Fraction,
    HowMany,
    MovementMode,
    OwnBackground,
    OwnTrait,
    PrimaryName,
    RowField,
    RowName,
    RowValue,
    ScopeName,
    StatusName,
    SuitName,
    TableName,
    TraitKind,
)
from ledger.rules.moc.inputs_of_combat import FightInput
from ledger.rules.moc.inputs_of_modifiers import ModifierInput
from ledger.rules.moc.inputs_of_play import PlayInput
from ledger.rules.moc.sheet import LaidCard, Purchase
from ledger.rules.moc.terms import Number

Offer: TypeAlias = Annotated[
    Fraction,
    Says(
        "Cost", "The price in points: a whole number, or a fraction such as `3/2`. A negative cost gives points back."
    ),
]

# --- the table ---


@nobody_acts
@declares("set-table-row", GM, records=("table-row-set",))
class SetTableRow:
    """Add or change a row in one of the campaign's tables. `table`: skills, weapons, locations, healing, ag or uses.

    `values`: what the row says, by column. Skills: element, primary, others, difficulty. Weapons: lethal, damage,
    lethality, adds. Hit locations: low, high, severity. Healing: days. AG: tn. Uses: text.
    """

    table: TableName
    row: RowName
    values: Mapping[RowField, RowValue]


@nobody_acts
@declares("open-arc", GM, records=("arc-opened",))
class OpenArc:
    """Open an arc. `xp`: the total value of the chips that can be awarded in it."""

    name: Title
    xp: ChipValue


@nobody_acts
@declares("close-arc", GM, records=("arc-ended", "period-dice-returned"))
class CloseArc:
    """Close the arc."""


@nobody_acts
@declares("enlarge-purse", GM, records=("purse-enlarged",))
class EnlargePurse:
    """Enlarge the arc's purse. `xp`: by how much the total value of the chips that can be awarded grows."""

    xp: ChipValue
    reason: Reason = ""


@nobody_acts
@declares("end-turn", GM, records=("turn-ended", "turn-passed", "beads-replenished"))
class EndTurn:
    """End the turn."""


# --- characters ---


@nobody_acts
@declares("buy", either("character"), records=("level-bought", "period-dice-given", "tokens-filled"))
class Buy:
    """Raise one of a character's levels, or buy something new for the character.

    `approved`: whether the game master agrees. Leave it out to ask a game master.
    """

    character: CharacterId
    purchase: Annotated[Purchase, Says("What is bought")]
    approved: Approval = None


@nobody_acts
@declares("propose-trait", either("character"), records=("trait-proposed",))
class ProposeTrait:
    """Propose an Advantage, Disadvantage or Background for a character. `what`: advantage, disadvantage or background.

    `cost`: the price in points, a whole number or a fraction (`3/2`). It is negative for a Disadvantage. `allows`:
    `card-trade` for an Advantage that allows trading cards.
    """

    character: CharacterId
    name: Title
    effect: Story
    cost: Offer
    what: TraitKind = "advantage"
    allows: Allowance = ""


@nobody_acts
@declares("counter-trait", GM, records=("trait-countered",))
class CounterTrait:
    """Answer a proposal with a different effect or cost."""

    character: CharacterId
    trait: OwnTrait
    effect: Story
    cost: Offer


@nobody_acts
@declares("approve-trait", GM, records=("trait-approved",))
class ApproveTrait:
    """Approve a proposal at the last cost that was offered."""

    character: CharacterId
    trait: OwnTrait


@nobody_acts
@declares("set-trait-effect", GM, records=("trait-effect-set",))
class SetTraitEffect:
    """Set what a proposed trait does in numbers. It takes effect when the trait is approved.

    `does`: `dice` adds `number` dice to the pool `of`; `difficulty` adds `number` to the target number of `of`, or of
    every roll if `of` is empty; `scene-beads` gives `number` beads of the Element `of` at the start of each scene. For
    these three, a negative number takes dice, difficulty or beads away. `bead-price` makes each bead of the Element
    `of` cost `number` beads of the allowance; `card-worth` makes the owner's cards of the Element `of` count `number`
    more; `bead-return` brings back up to `number` used beads of the Element `of` at the end of each turn;
    `forced-discard` lets the owner, once a session, make `of` (`one` or `all`) discard `number` cards.
    """

    character: CharacterId
    trait: OwnTrait
    does: EffectName
    number: Annotated[
        Number, Between(-100, 100), Says("Number", "How many dice, beads or cards, or by how much a number changes.")
    ] = 1
    of: EffectOf = ""


@nobody_acts
@declares("lose-background", GM, records=("background-lost",))
class LoseBackground:
    """Record that a character loses a Background.

    `background`: money, contacts (with their name: `contacts:guards`), or the id of an approved Background.
    """

    character: CharacterId
    background: OwnBackground
    reason: Reason = ""


@nobody_acts
@declares("sacrifice", either("character"), records=("character-sacrificed",))
class Sacrifice:
    """Sacrifice a character for the story. The character's chips wait for the player's next character."""

    character: CharacterId
    reason: Reason


@nobody_acts
@declares("inherit-chips", GM, records=("chips-inherited", "chips-passed-on"))
class InheritChips:
    """Give a player's next character the chips of a character who died, retired or was sacrificed.

    `bonus`: extra chips, given once, if the previous character was sacrificed for the story.
    """

    character: CharacterId
    source: Annotated[CharacterId, Says("From", "The character who died, retired or was sacrificed.")]
    bonus: ChipCounts = field(default_factory=dict)


@nobody_acts
@declares("set-status", GM, records=("status-set", "chips-returned"))
class SetStatus:
    """Set a character's status. `status`: active, down or dead."""

    character: CharacterId
    status: StatusName
    reason: Reason = ""


# --- story ---


@nobody_acts
@declares("narrate", ANYONE, records=("narrated",))
class Narrate:
    """Describe part of the story, without beads or numbers. `character`: your character, if the text is about them."""

    text: Story
    character: CharacterId = ""


@acts("character")
@declares(
    "use-card",
    owner("character"),
    records=("card-discarded", "villain-card-used", "card-shown", "story-changed", "proposal-vetoed"),
)
class UseCard:
    """Use a card creatively outside an action, with approval.

    `text`: what the card does. `scope`: how far the effect reaches. `element`: the Element that a Wildcard names for
    the card, which matters if the card is trumped. Leave it out for any other character.
    """

    character: CharacterId
    card: CardName
    text: Story
    scope: ScopeName = "scene"
    element: SuitName | None = None
    approved: Approval = None


@acts("character")
@declares("use-beads", either("character"), records=("story-changed", "proposal-vetoed"))
class UseBeads:
    """Use beads outside an action, with approval.

    `text`: what the beads do. `scope`: how far the effect reaches. `element`: leave it out for the character's primary
    Element.
    """

    character: CharacterId
    text: Story
    element: AnyElement = ""
    number: Annotated[HowMany, Says("Beads", "How many beads are used.")] = 1
    scope: ScopeName = "scene"
    approved: Approval = None


@nobody_acts
@declares("veto-story", GM, records=("story-vetoed", "effect-modifier-returned", "villains-drew"))
class VetoStory:
    """Veto part of the story: it did not happen. The beads or the card that changed it go back to their player."""

    change: ChangeId
    reason: Reason


@nobody_acts
@declares("amend-story", GM, records=("story-amended",))
class AmendStory:
    """Change how part of the story happened."""

    change: ChangeId
    text: Story


# --- recovery and movement ---


@acts("character")
@declares("recover-scene", either("character"), records=("scene-recovery-taken",))
class RecoverScene:
    """Take one step of recovery at the end of a scene.

    `primary`: the Primary whose token comes back, if the character has no fatigue.
    """

    character: CharacterId
    primary: Annotated[
        PrimaryName | None, Says("Token", "The Primary whose token comes back, if there is no fatigue.")
    ] = None


@nobody_acts
@declares("grant-recovery", GM, records=("scene-recovery-due",))
class GrantRecovery:
    """Let a character take one step of recovery during a long scene, once for each day that passes in the story."""

    character: CharacterId
    reason: Reason = ""


@acts("character")
@declares("declare-recovery", either("character"), records=("recovery-declared", "action-taken"))
class DeclareRecovery:
    """Rest for a full action, until the character's next action.

    `split`: leave it out. Rest cannot be part of a split pool.
    """

    character: CharacterId
    split: bool = False


@acts("character")
@declares(
    "complete-recovery",
    either("character"),
    records=("recovery-completed", "scene-recovery-due", "scene-recovery-taken"),
)
class CompleteRecovery:
    """Complete a recovery that nothing interrupted. This is the character's next action, in a later turn.

    `primary`: the Primary whose token comes back, if an option of the campaign also gives a step of recovery here.
    """

    character: CharacterId
    primary: Annotated[
        PrimaryName | None, Says("Token", "The Primary whose token comes back, if there is no fatigue.")
    ] = None


@acts("character")
@declares("lose-action", either("character"), records=("daze-ended", "action-taken"))
class LoseAction:
    """Record that a dazed character loses an action. Then the daze ends."""

    character: CharacterId


@acts("character")
@declares(
    "heal",
    either("character"),
    records=(
        "period-dice-used", "token-spent", "fatigue-gained", "card-discarded", "villain-card-used", "card-shown",
        "card-played-on-healing", "damage-healed", "healing-failed",
    ),
)  # fmt: skip
class Heal:
    """Roll to heal a point of damage.

    `days`: how many days have passed since the character last took damage. Days that an earlier roll used do not count
    again. `token`: the Primary whose token adds Luck. `cards`, `ask_cards`, `floating`: as for resisting damage.
    """

    character: CharacterId
    days: Days
    token: Annotated[PrimaryName | None, Says("Token", "The Primary whose token is spent to add Luck.")] = None
    faces: Faces | None = None
    bonus: BonusFaces = ()
    cards: tuple[LaidCard, ...] = ()
    ask_cards: bool = False
    floating: FloatingCounts = field(default_factory=dict)


@acts("character")
@declares(
    "move",
    either("character"),
    records=(
        "movement-made", "action-taken", "recovery-pre-empted", "recovery-completed", "scene-recovery-due",
        "scene-recovery-taken",
    ),
)  # fmt: skip
class Move:
    """Move without a roll, and do nothing else. `mode`: the way of moving: primary, secondary, or the name of one that
    the character bought.
    """

    character: CharacterId
    mode: MovementMode = "primary"


#: All of them, in the order in which they are published.
Input: TypeAlias = (
    SetTableRow | OpenArc | CloseArc | EnlargePurse | EndTurn | Buy | ProposeTrait | CounterTrait | ApproveTrait
    | LoseBackground | Sacrifice | InheritChips | SetStatus | ModifierInput | Narrate | UseCard | VetoStory
    | AmendStory | RecoverScene
    | GrantRecovery | DeclareRecovery | CompleteRecovery | LoseAction | Heal | Move | PlayInput | FightInput
    | UseBeads | SetTraitEffect
)  # fmt: skip
INPUTS: tuple[type[Input], ...] = get_args(Input)
