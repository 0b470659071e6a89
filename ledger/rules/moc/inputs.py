"""What people at the table do. Ids are those of characters, actions (and plays on them), hits, traits and changes.

Dice and cards may be typed in with the input; left out, the ruling asks for them. A `Number` may be
anything: what is no whole number is refused by the rule, not by the wire.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TypeAlias, get_args

from ledger.rules.kernel.declarations import ANYONE, GM, declares, either, owner
from ledger.rules.moc.inputs_of_combat import FightInput
from ledger.rules.moc.inputs_of_modifiers import ModifierInput
from ledger.rules.moc.inputs_of_play import PlayInput
from ledger.rules.moc.sheet import LaidCard, Purchase
from ledger.rules.moc.terms import Number

# --- the table ---


@declares("set-table-row", GM, records=("table-row-set",))
class SetTableRow:
    """A row of the campaign's own data. `table`: skills, weapons, locations, healing, ag or uses.

    `values`: of skills element, primary, others, difficulty; of weapons lethal, damage, lethality, adds; of locations
    low, high, severity; of healing days; of ag tn; of uses text.
    """

    table: str
    row: str
    values: Mapping[str, Number]


@declares("open-arc", GM, records=("arc-opened",))
class OpenArc:
    """An arc begins. `xp`: the value of chips that may be awarded in it."""

    name: str
    xp: Number


@declares("close-arc", GM, records=("arc-ended", "period-dice-returned"))
class CloseArc:
    pass


@declares("enlarge-purse", GM, records=("purse-enlarged",))
class EnlargePurse:
    xp: Number
    reason: str = ""


@declares("end-turn", GM, records=("turn-ended", "turn-passed"))
class EndTurn:
    pass


# --- characters ---


@declares("buy", either("character"), records=("level-bought", "period-dice-given", "tokens-filled"))
class Buy:
    """A character is raised, or something new is bought. `approved`: by the game master, who else is asked."""

    character: str
    purchase: Purchase
    approved: bool | None = None


@declares("propose-trait", either("character"), records=("trait-proposed",))
class ProposeTrait:
    """`cost`: a fraction (`3/2`); negative for a disadvantage. `what`: advantage, disadvantage or background.

    `allows`: `card-trade`, of an Advantage by which cards may be traded.
    """

    character: str
    name: str
    effect: str
    cost: Number
    what: str = "advantage"
    allows: str = ""


@declares("counter-trait", GM, records=("trait-countered",))
class CounterTrait:
    character: str
    trait: str
    effect: str
    cost: Number


@declares("approve-trait", GM, records=("trait-approved",))
class ApproveTrait:
    """It exists from now on, at the cost last offered."""

    character: str
    trait: str


@declares("lose-background", GM, records=("background-lost",))
class LoseBackground:
    """`background`: money, contacts (with their name: `contacts:guards`), or the id of a background approved."""

    character: str
    background: str
    reason: str = ""


@declares("sacrifice", either("character"), records=("character-sacrificed",))
class Sacrifice:
    """The player gives the character up for the story: its chips wait for the next one."""

    character: str
    reason: str


@declares("inherit-chips", GM, records=("chips-inherited", "chips-passed-on"))
class InheritChips:
    """The next character of a player gets the chips of one that died, retired or was given up.

    `bonus`: more of them, once, where it was sacrificed for the story.
    """

    character: str
    source: str
    bonus: Mapping[str, Number] = field(default_factory=dict)


@declares("set-status", GM, records=("status-set", "chips-returned"))
class SetStatus:
    """`status`: active, down or dead."""

    character: str
    status: str
    reason: str = ""


# --- story ---


@declares("narrate", ANYONE, records=("narrated",))
class Narrate:
    """Anybody describes what is, or happens, without beads and without numbers. `character`: one's own, if of one."""

    text: str
    character: str = ""


@declares(
    "use-card",
    owner("character"),
    records=("card-discarded", "villain-card-used", "story-changed", "proposal-vetoed"),
)
class UseCard:
    """A card used creatively, outside an action, with approval. `text`: what it does; `scope`: how far it reaches.

    `element`: against which it can be trumped, and which a Wildcard names; left out, the card's own.
    """

    character: str
    card: str
    text: str
    scope: str = "scene"
    element: str | None = None
    approved: bool | None = None


@declares("veto-story", GM, records=("story-vetoed", "effect-modifier-returned", "villains-drew"))
class VetoStory:
    """It did not happen: the beads or the card that changed it come back."""

    change: str
    reason: str


@declares("amend-story", GM, records=("story-amended",))
class AmendStory:
    change: str
    text: str


# --- recovery and movement ---


@declares("recover-scene", either("character"), records=("scene-recovery-taken",))
class RecoverScene:
    """A step of the recovery at a scene's end. `primary`: whose token comes back, where there is no fatigue."""

    character: str
    primary: str | None = None


@declares("grant-recovery", GM, records=("scene-recovery-due",))
class GrantRecovery:
    """In a long scene, a step of recovery a day."""

    character: str
    reason: str = ""


@declares("declare-recovery", either("character"), records=("recovery-declared",))
class DeclareRecovery:
    """A full action of rest. `split`: it may not be part of a split pool."""

    character: str
    split: bool = False


@declares(
    "complete-recovery",
    either("character"),
    records=("recovery-completed", "scene-recovery-due", "scene-recovery-taken"),
)
class CompleteRecovery:
    """Nothing broke it off. `primary`: as at a scene's end, where a dial gives that too."""

    character: str
    primary: str | None = None


@declares("lose-action", either("character"), records=("daze-ended",))
class LoseAction:
    """A dazed character's next action, which is lost; then it is dazed no more."""

    character: str


@declares(
    "heal",
    either("character"),
    records=(
        "period-dice-used", "token-spent", "fatigue-gained", "card-discarded", "villain-card-used",
        "card-played-on-healing", "damage-healed", "healing-failed",
    ),
)  # fmt: skip
class Heal:
    """`days` since the damage, or the last try. `token`: from which Primary's pool, to add L.

    `cards`, `ask_cards`, `floating`: as when resisting.
    """

    character: str
    days: Number
    token: str | None = None
    faces: tuple[Number, ...] | None = None
    bonus: tuple[Number, ...] = ()
    cards: tuple[LaidCard, ...] = ()
    ask_cards: bool = False
    floating: Mapping[str, Number] = field(default_factory=dict)


@declares("move", either("character"), records=("movement-made", "recovery-pre-empted"))
class Move:
    """A move and nothing else, without a roll. `mode`: primary, secondary, or one bought."""

    character: str
    mode: str = "primary"


#: All of them, in the order in which they are told to the public.
Input: TypeAlias = (
    SetTableRow | OpenArc | CloseArc | EnlargePurse | EndTurn | Buy | ProposeTrait | CounterTrait | ApproveTrait
    | LoseBackground | Sacrifice | InheritChips | SetStatus | ModifierInput | Narrate | UseCard | VetoStory
    | AmendStory | RecoverScene
    | GrantRecovery | DeclareRecovery | CompleteRecovery | LoseAction | Heal | Move | PlayInput | FightInput
)  # fmt: skip
INPUTS: tuple[type[Input], ...] = get_args(Input)
