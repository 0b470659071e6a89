"""What people at the table do. Ids are those of characters, actions (and plays on them), hits, traits and changes.

Dice and cards may be typed in with the input; left out, the ruling asks for them. A `Number` may be
anything: what is no whole number is refused by the rule, not by the wire.
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

Offer: TypeAlias = Annotated[Fraction, Says("Cost", "In points, or a fraction such as `3/2`; less than 0 gives back.")]

# --- the table ---


@nobody_acts
@declares("set-table-row", GM, records=("table-row-set",))
class SetTableRow:
    """A row of the campaign's own data. `table`: skills, weapons, locations, healing, ag or uses.

    `values`: of skills element, primary, others, difficulty; of weapons lethal, damage, lethality, adds; of locations
    low, high, severity; of healing days; of ag tn; of uses text.
    """

    table: TableName
    row: RowName
    values: Mapping[RowField, RowValue]


@nobody_acts
@declares("open-arc", GM, records=("arc-opened",))
class OpenArc:
    """An arc begins. `xp`: the value of chips that may be awarded in it."""

    name: Title
    xp: ChipValue


@nobody_acts
@declares("close-arc", GM, records=("arc-ended", "period-dice-returned"))
class CloseArc:
    pass


@nobody_acts
@declares("enlarge-purse", GM, records=("purse-enlarged",))
class EnlargePurse:
    xp: ChipValue
    reason: Reason = ""


@nobody_acts
@declares("end-turn", GM, records=("turn-ended", "turn-passed", "beads-replenished"))
class EndTurn:
    pass


# --- characters ---


@nobody_acts
@declares("buy", either("character"), records=("level-bought", "period-dice-given", "tokens-filled"))
class Buy:
    """A character is raised, or something new is bought. `approved`: by the game master, who else is asked."""

    character: CharacterId
    purchase: Annotated[Purchase, Says("What is bought")]
    approved: Approval = None


@nobody_acts
@declares("propose-trait", either("character"), records=("trait-proposed",))
class ProposeTrait:
    """`cost`: a fraction (`3/2`); negative for a disadvantage. `what`: advantage, disadvantage or background.

    `allows`: `card-trade`, of an Advantage by which cards may be traded.
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
    character: CharacterId
    trait: OwnTrait
    effect: Story
    cost: Offer


@nobody_acts
@declares("approve-trait", GM, records=("trait-approved",))
class ApproveTrait:
    """It exists from now on, at the cost last offered."""

    character: CharacterId
    trait: OwnTrait


@nobody_acts
@declares("set-trait-effect", GM, records=("trait-effect-set",))
class SetTraitEffect:
    """What a proposed trait does by numbers, from when it is approved.

    `does`: `dice` makes the pool `of` larger or smaller by `number`; `bead-price` makes each bead of the Element `of`
    cost `number` of the allowance; `card-worth` makes the owner's cards of the Element `of` count `number` more;
    `bead-return` brings up to `number` used beads of the Element `of` back at each turn's end; `forced-discard` lets
    its owner, once a session, make `of` (`one` or `all`) throw `number` cards away.
    """

    character: CharacterId
    trait: OwnTrait
    does: EffectName
    number: Annotated[Number, Between(-100, 100), Says("Number", "By how much, or how many.")] = 1
    of: EffectOf = ""


@nobody_acts
@declares("lose-background", GM, records=("background-lost",))
class LoseBackground:
    """`background`: money, contacts (with their name: `contacts:guards`), or the id of a background approved."""

    character: CharacterId
    background: OwnBackground
    reason: Reason = ""


@nobody_acts
@declares("sacrifice", either("character"), records=("character-sacrificed",))
class Sacrifice:
    """The player gives the character up for the story: its chips wait for the next one."""

    character: CharacterId
    reason: Reason


@nobody_acts
@declares("inherit-chips", GM, records=("chips-inherited", "chips-passed-on"))
class InheritChips:
    """The next character of a player gets the chips of one that died, retired or was given up.

    `bonus`: more of them, once, where it was sacrificed for the story.
    """

    character: CharacterId
    source: Annotated[CharacterId, Says("From", "Who died, retired or was given up.")]
    bonus: ChipCounts = field(default_factory=dict)


@nobody_acts
@declares("set-status", GM, records=("status-set", "chips-returned"))
class SetStatus:
    """`status`: active, down or dead."""

    character: CharacterId
    status: StatusName
    reason: Reason = ""


# --- story ---


@nobody_acts
@declares("narrate", ANYONE, records=("narrated",))
class Narrate:
    """Anybody describes what is, or happens, without beads and without numbers. `character`: one's own, if of one."""

    text: Story
    character: CharacterId = ""


@acts("character")
@declares(
    "use-card",
    owner("character"),
    records=("card-discarded", "villain-card-used", "card-shown", "story-changed", "proposal-vetoed"),
)
class UseCard:
    """A card used creatively, outside an action, with approval. `text`: what it does; `scope`: how far it reaches.

    `element`: against which it can be trumped, and which a Wildcard names; left out, the card's own.
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
    """Beads used outside an action, once a game master agrees.

    `text`: what they do; `scope`: how far it reaches. `element`: left out, the character's primary Element.
    """

    character: CharacterId
    text: Story
    element: AnyElement = ""
    number: HowMany = 1
    scope: ScopeName = "scene"
    approved: Approval = None


@nobody_acts
@declares("veto-story", GM, records=("story-vetoed", "effect-modifier-returned", "villains-drew"))
class VetoStory:
    """It did not happen: the beads or the card that changed it come back."""

    change: ChangeId
    reason: Reason


@nobody_acts
@declares("amend-story", GM, records=("story-amended",))
class AmendStory:
    change: ChangeId
    text: Story


# --- recovery and movement ---


@acts("character")
@declares("recover-scene", either("character"), records=("scene-recovery-taken",))
class RecoverScene:
    """A step of the recovery at a scene's end. `primary`: whose token comes back, where there is no fatigue."""

    character: CharacterId
    primary: Annotated[PrimaryName | None, Says("Token", "Whose token comes back, where there is no fatigue.")] = None


@nobody_acts
@declares("grant-recovery", GM, records=("scene-recovery-due",))
class GrantRecovery:
    """In a long scene, a step of recovery a day."""

    character: CharacterId
    reason: Reason = ""


@acts("character")
@declares("declare-recovery", either("character"), records=("recovery-declared", "action-taken"))
class DeclareRecovery:
    """A full action of rest, until the character's next action. `split`: it may not be part of a split pool."""

    character: CharacterId
    split: bool = False


@acts("character")
@declares(
    "complete-recovery",
    either("character"),
    records=("recovery-completed", "scene-recovery-due", "scene-recovery-taken"),
)
class CompleteRecovery:
    """Nothing broke it off before the character's next action, in a later turn.

    `primary`: as at a scene's end, where a dial gives that too.
    """

    character: CharacterId
    primary: Annotated[PrimaryName | None, Says("Token", "Whose token comes back, where there is no fatigue.")] = None


@acts("character")
@declares("lose-action", either("character"), records=("daze-ended", "action-taken"))
class LoseAction:
    """A dazed character's next action, which is lost; then it is dazed no more."""

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
    """`days` since the last damage, with those that earlier tries used up: the same days heal once.

    `token`: from which Primary's pool, to add L. `cards`, `ask_cards`, `floating`: as when resisting.
    """

    character: CharacterId
    days: Days
    token: Annotated[PrimaryName | None, Says("Token", "The pool whose token adds L.")] = None
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
    """A move and nothing else, without a roll. `mode`: primary, secondary, or one bought."""

    character: CharacterId
    mode: MovementMode = "primary"


#: All of them, in the order in which they are told to the public.
Input: TypeAlias = (
    SetTableRow | OpenArc | CloseArc | EnlargePurse | EndTurn | Buy | ProposeTrait | CounterTrait | ApproveTrait
    | LoseBackground | Sacrifice | InheritChips | SetStatus | ModifierInput | Narrate | UseCard | VetoStory
    | AmendStory | RecoverScene
    | GrantRecovery | DeclareRecovery | CompleteRecovery | LoseAction | Heal | Move | PlayInput | FightInput
    | UseBeads | SetTraitEffect
)  # fmt: skip
INPUTS: tuple[type[Input], ...] = get_args(Input)
