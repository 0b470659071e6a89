"""What people at the table do. Ids are those of characters, actions (and plays on them), hits, traits and changes.

Dice and cards may be typed in with the input; left out, the ruling asks for them. Numbers are typed `Any`: what is no
whole number is refused by the rule, not by the wire.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, TypeAlias

from ledger.rules.contract import GM, declares, either, named_seat, owner
from ledger.rules.moc.inputs_of_combat import *  # noqa: F403
from ledger.rules.moc.inputs_of_combat import FOUGHT, FightInput
from ledger.rules.moc.inputs_of_play import *  # noqa: F403
from ledger.rules.moc.inputs_of_play import PLAYED, PlayInput
from ledger.rules.moc.sheet import LaidCard, Purchase

# --- the table ---


@declares("set-table-row", GM, records=("table-row-set",))
class SetTableRow:
    """A row of the campaign's own data. `table`: skills, weapons, locations, healing, ag or uses.

    `values`: of skills element, primary, others, difficulty; of weapons lethal, damage, lethality, adds; of locations
    low, high, severity; of healing days; of ag tn; of uses text.
    """

    table: str
    row: str
    values: Mapping[str, Any]


@declares("open-arc", GM, records=("arc-opened",))
class OpenArc:
    """An arc begins. `xp`: the value of chips that may be awarded in it."""

    name: str
    xp: Any


@declares("close-arc", GM, records=("arc-ended", "period-dice-returned"))
class CloseArc:
    pass


@declares("enlarge-purse", GM, records=("purse-enlarged",))
class EnlargePurse:
    xp: Any
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
    """`cost`: a fraction (`3/2`); negative for a disadvantage. `what`: advantage, disadvantage or background."""

    character: str
    name: str
    effect: str
    cost: Any
    what: str = "advantage"


@declares("counter-trait", GM, records=("trait-countered",))
class CounterTrait:
    character: str
    trait: str
    effect: str
    cost: Any


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


@declares("inherit-chips", GM, records=("chips-inherited", "chips-returned"))
class InheritChips:
    """The next character of a player gets what a sacrificed one had, and perhaps more."""

    character: str
    source: str
    bonus: Mapping[str, Any] = field(default_factory=dict)


@declares("set-status", GM, records=("status-set", "chips-returned"))
class SetStatus:
    """`status`: active, down or dead."""

    character: str
    status: str
    reason: str = ""


# --- cards ---


@declares("draw-hand", owner("character"), records=("cards-drawn", "deck-cut", "cards-kept"))
class DrawHand:
    """A session's hand. `drawn` and `kept`: both left out, the ruling draws and asks."""

    character: str
    drawn: tuple[str, ...] | None = None
    kept: tuple[str, ...] | None = None


@declares("draw-villains", GM, records=("villains-drew", "deck-cut"))
class DrawVillains:
    """Cards the most powerful villains of the scene share."""

    size: Any
    drawn: tuple[str, ...] | None = None


@declares("exchange-card", owner("character"), records=("card-exchanged-for-beads",))
class ExchangeCard:
    """A card becomes beads of its Element. `element`: named by a Wildcard."""

    character: str
    card: str
    element: str | None = None


@declares("shift-beads", owner("character"), records=("card-shifted-beads",))
class ShiftBeads:
    """In the interval, a card moves beads from one Element to another."""

    character: str
    card: str
    source: str
    target: str
    count: Any


@declares("force-vortex", either("character"), records=("vortex-forced", "card-discarded"))
class ForceVortex:
    """Once a session an opponent who holds cards throws one of its choice away."""

    character: str
    target: str


# --- chips ---


@declares("trade-up", either("character"), records=("chips-traded-up",))
class TradeUp:
    """`given`: colour -> number; `taken`: the colour of the one chip."""

    character: str
    given: Mapping[str, Any]
    taken: str


@declares("trade-down", either("character"), records=("chips-traded-down",))
class TradeDown:
    character: str
    given: str
    taken: Mapping[str, Any]


@declares("give-back", either("character"), records=("chips-given-back",))
class GiveBack:
    """Chips go back to the bank for nothing."""

    character: str
    given: Mapping[str, Any]


@declares(
    "exchange-chip",
    either("character"),
    records=("chip-spent-on-cards", "deck-cut", "chip-exchanged-for-cards", "chip-exchanged-for-beads"),
)
class ExchangeChip:
    """A chip becomes twice its value in `beads` (Element -> number); left out, as many cards as its value."""

    character: str
    chip: str
    beads: Mapping[str, Any] | None = None


@declares("chip-to-point", either("character"), records=("chip-became-point",))
class ChipToPoint:
    """At an arc's end, a blue chip becomes a character point."""

    character: str
    chip: str = "blue"


@declares("award-chip", GM, records=("chip-awarded", "purse-enlarged"))
class AwardChip:
    """`enlarge`: the arc's purse is made larger where it does not suffice."""

    character: str
    chips: Mapping[str, Any]
    reason: str = ""
    enlarge: bool = False


@declares("penalise", GM, records=("chips-penalised",))
class Penalise:
    """`chips`: left out, one white."""

    character: str
    reason: str
    chips: Mapping[str, Any] | None = None


@declares("nominate", named_seat("seat"), records=("nomination-made",))
class Nominate:
    """Secret: the player of this seat names another player's character for an experience chip."""

    seat: str
    nominee: str


@declares("tally-nominations", GM, records=("nominations-tallied", "chip-awarded", "purse-enlarged"))
class TallyNominations:
    """`chip`: the colour each winner gets, if not the usual one."""

    chip: str | None = None
    enlarge: bool = False


# --- beads ---


@declares("allocate-beads", either("character"), records=("beads-allocated",))
class AllocateBeads:
    """In the interval. `beads`: number by Element, without the primary one, which gets the rest."""

    character: str
    beads: Mapping[str, Any] = field(default_factory=dict)


@declares("use-session-bead", either("character"), records=("session-bead-used",))
class UseSessionBead:
    """A bought extra bead of any Element, once a session."""

    character: str
    element: str


# --- story ---


@declares("veto-story", GM, records=("story-vetoed",))
class VetoStory:
    """The change did not happen: its beads come back."""

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
        "token-spent", "fatigue-gained", "card-discarded", "villain-card-used", "card-played-on-healing",
        "damage-healed", "healing-failed",
    ),
)  # fmt: skip
class Heal:
    """`days` since the damage, or the last try. `token`: from which Primary's pool, to add L.

    `cards`, `ask_cards`: as when resisting.
    """

    character: str
    days: Any
    token: str | None = None
    faces: tuple[Any, ...] | None = None
    bonus: tuple[Any, ...] = ()
    cards: tuple[LaidCard, ...] = ()
    ask_cards: bool = False


@declares("move", either("character"), records=("movement-made", "recovery-pre-empted"))
class Move:
    """A move and nothing else, without a roll. `mode`: primary, secondary, or one bought."""

    character: str
    mode: str = "primary"


INPUTS: tuple[type[Any], ...] = (
    SetTableRow, OpenArc, CloseArc, EnlargePurse, EndTurn, Buy, ProposeTrait, CounterTrait, ApproveTrait,
    LoseBackground, Sacrifice, InheritChips, SetStatus, DrawHand, DrawVillains, ExchangeCard, ShiftBeads, ForceVortex,
    TradeUp, TradeDown, GiveBack, ExchangeChip, ChipToPoint, AwardChip, Penalise, Nominate, TallyNominations,
    AllocateBeads, UseSessionBead, VetoStory, AmendStory, RecoverScene, GrantRecovery, DeclareRecovery,
    CompleteRecovery, LoseAction, Heal, Move, *PLAYED, *FOUGHT,
)  # fmt: skip
Input: TypeAlias = (
    SetTableRow | OpenArc | CloseArc | EnlargePurse | EndTurn | Buy | ProposeTrait | CounterTrait | ApproveTrait
    | LoseBackground | Sacrifice | InheritChips | SetStatus | DrawHand | DrawVillains | ExchangeCard | ShiftBeads
    | ForceVortex | TradeUp | TradeDown | GiveBack | ExchangeChip | ChipToPoint | AwardChip | Penalise | Nominate
    | TallyNominations | AllocateBeads | UseSessionBead | VetoStory | AmendStory | RecoverScene | GrantRecovery
    | DeclareRecovery | CompleteRecovery | LoseAction | Heal | Move | PlayInput | FightInput
)  # fmt: skip
