"""What people at the table do. Ids are those of characters, attacks and held fatals; the round is always the open one.

Dice come in two ways. Faces given with an input are taken; where they are left out, the ruling asks for them.
Faces are typed `Any`, so that a face that is no integer is refused by the rule and not by the wire.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from ledger.rules.intensity.state import Scene
from ledger.rules.intensity.terms import UNTOUCHED
from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.declarations import ANYONE, GM, declares, either
from ledger.rules.kernel.subjects import Subject


@dataclass(frozen=True, slots=True)
class TraitLine:
    """A line of a character sheet: the trait and its die."""

    name: str
    base: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """`kind`: `main` (D10, D8, D8) or `minor` (D6, D6)."""

    kind: str
    traits: tuple[TraitLine, ...]


@dataclass(frozen=True, slots=True)
class Faces:
    """The faces of one participant's dice. `trait` is left out by who rolls the intensity die alone."""

    char: str
    intensity: Any = None
    trait: Any = None


@dataclass(frozen=True, slots=True)
class DefenceDie:
    """A die to defend with: `intensity` or `trait`, and the face it showed (left out: the ruling asks for it)."""

    die: str
    face: Any = None


@dataclass(frozen=True, slots=True)
class Mutilation:
    """A trait that is never again what it was, and its new die: 10, 8, 6, 4, or 0 for none."""

    trait: str
    base: Any


@dataclass(frozen=True, slots=True)
class Fate:
    """What a fatal does. `use_as`: `fate`, which needs words, or a lower impact: `tax`, `advantage`, `damage`, `wound`.

    `out`: `scene` or `permanent`, when it takes the subject out of play. `trait`: for a tax, or a damage.
    `mutilation`: what it does to a trait for good.
    """

    text: str = ""
    use_as: str = "fate"
    trait: str | None = None
    out: str | None = None
    mutilation: Mutilation | None = None


@dataclass(frozen=True, slots=True)
class FatalUse:
    """One held fatal used, as in `Fate`. `by`: who uses it (left out: who holds it when this is declared)."""

    fatal: str
    text: str = ""
    use_as: str = "fate"
    trait: str | None = None
    out: str | None = None
    by: str | None = None
    mutilation: Mutilation | None = None


@dataclass(frozen=True, slots=True)
class HealingChoice:
    """What one character heals: `damage` (with its trait), `wound`, or `none`."""

    char: str
    heal: str
    trait: str | None = None


# --- who declares what follows from the table ---------------------------------------------------------------------


def _scene_of(table: Table[Any]) -> Scene | None:
    here: Subject | None = table.scene
    return table.get(here, Scene) if here is not None else None


def _attacker(table: Table[Any], do: object) -> str | None:
    here = _scene_of(table)
    return here.round.attack.attacker if here and here.round and here.round.attack else None


def _defender(table: Table[Any], do: object) -> str | None:
    here = _scene_of(table)
    return here.round.attack.defender if here and here.round and here.round.attack else None


def _party(table: Table[Any], do: Negotiate) -> str | None:
    """A party the declaring seat plays; else the first."""
    return next((id for id in do.parties if id in table.by.characters), do.parties[0] if do.parties else None)


def _first_user(table: Table[Any], do: UseFatal) -> str | None:
    """Who uses the first fatal of the bundle."""
    here = _scene_of(table)
    if not do.uses or do.uses[0].by is not None:
        return do.uses[0].by if do.uses else None
    held = here.fatals.get(do.uses[0].fatal) if here else None
    return held.holder if held else None


# --- the round ----------------------------------------------------------------------------------------------------


@declares("open-round", ANYONE, records=("round-opened",))
class OpenRound:
    """A round begins for these characters; nobody else rolls or can be attacked in it."""

    participants: tuple[str, ...]


@declares("declare", either("char"), records=("action-declared",))
class Declare:
    """Whom a participant acts against (nobody: only defends), how intensely, with which trait. `text`: the intent."""

    char: str
    level: str
    target: str | None = None
    trait: str | None = None
    text: str = ""


@declares("raise", either("char"), records=("intensity-raised",))
class Raise:
    """A declared level goes up, as a reaction to others."""

    char: str
    level: str
    text: str = ""


@declares("amend-declaration", either("char"), records=("declaration-amended",))
class AmendDeclaration:
    """Target, trait and intent (`text`) restated before the roll. What is left out stays, null takes target or trait
    away. Levels only rise.
    """

    char: str
    target: str | None = UNTOUCHED
    trait: str | None = UNTOUCHED
    level: str | None = UNTOUCHED
    text: str = UNTOUCHED


@declares("abandon-round", GM, records=("round-abandoned",))
class AbandonRound:
    """A round whose roll is not complete is dropped."""


@declares(
    "roll",
    ANYONE,
    records=(
        "dice-rolled",
        "order-established",
        "conflict-linked",
    ),
)
class RollDice:
    """The participants roll. `faces`: typed in, for all who roll now.

    `participants`: who rolls now (left out: those with faces; without any, all who have not rolled).
    """

    faces: tuple[Faces, ...] = ()
    participants: tuple[str, ...] = ()


@declares("settle-tie", GM, records=("tie-settled",))
class SettleTie:
    """The order of those tied at the front: a `ranking`, or the roll-off's throws in order (left out: asked for)."""

    ranking: tuple[str, ...] = ()
    faces: tuple[tuple[Faces, ...], ...] = ()


@declares("pass", either("char"), records=("action-passed",))
class Pass:
    """The own turn is given up."""

    char: str
    text: str = ""


@declares("close-round", GM, records=("round-closed",))
class CloseRound:
    """A round in which nobody is left to act ends."""


# --- the attack ---------------------------------------------------------------------------------------------------


@declares(
    "attack",
    either("char"),
    records=(
        "conflict-linked",
        "attack-opened",
    ),
)
class Attack:
    """The own action. `target`: only when the declared one is out and the table lets such actions turn elsewhere."""

    char: str
    target: str | None = None
    text: str = ""


@declares(
    "defend",
    either(_defender, "who plays the defender"),
    records=(
        "action-forfeited",
        "defence-chosen",
        "defence-rolled",
    ),
)
class Defend:
    """The dice the defender rolls against the open attack; none lets the dice stand."""

    dice: tuple[DefenceDie, ...] = ()
    text: str = ""


@declares(
    "spend-advantage",
    either("holder"),
    records=(
        "advantage-spent",
        "defence-die-rerolled",
    ),
)
class SpendAdvantage:
    """An effect bought in the open attack: `reroll`, `maximum`, `defence4`, `attack4`. `die`, `face`: for a reroll."""

    holder: str
    effect: str
    die: str | None = None
    face: Any = None


@declares("resolve", either(_attacker, "who plays the attacker"), records=("attack-resolved",))
class Resolve:
    """Nobody wants to spend more: attack against defence. `text`: how it comes out, also when it fails."""

    text: str = ""


@declares(
    "choose-impact",
    either(_attacker, "who plays the attacker"),
    records=(
        "action-lapsed",
        "impact-chosen",
        "trait-mutilated",
        "trait-taxed",
        "trait-damaged",
        "character-wounded",
        "advantage-gained",
        "fatal-held",
        "fatal-used",
        "fatal-lapsed",
        "character-taken-out",
    ),
)
class ChooseImpact:
    """The attacker's choice after a success. `trait`: for a tax; for a damage optional. `at_once`: a fatal used now."""

    impact: str
    trait: str | None = None
    text: str = ""
    at_once: Fate | None = None


@declares("waive", either(_attacker, "who plays the attacker"), records=("impact-waived",))
class Waive:
    """The attacker forgoes any impact."""

    text: str = ""


# --- bargains and fatals ------------------------------------------------------------------------------------------


@declares(
    "negotiate",
    either(_party, "who plays a party"),
    records=(
        "outcome-negotiated",
        "bargain-declined",
        "trait-mutilated",
        "fatal-used",
        "fatal-released",
        "fatal-lapsed",
        "action-passed",
        "action-lapsed",
        "attack-lapsed",
        "round-left",
        "order-established",
        "conflict-linked",
        "trait-taxed",
        "trait-damaged",
        "character-wounded",
        "character-taken-out",
        "advantage-gained",
    ),
)
class Negotiate:
    """What the parties agree on: each party's player is asked, but for who declares it; one who declines ends it.

    `attack`: the successful attack whose impact it replaces. `uses`, `releases`: held fatals used or given up as part
    of it; `passes`: characters that give up a pending action. `reason`: a game master's, for saying that all agree
    without asking.
    """

    parties: tuple[str, ...]
    text: str
    attack: str | None = None
    uses: tuple[FatalUse, ...] = ()
    releases: tuple[str, ...] = ()
    passes: tuple[str, ...] = ()
    reason: str = ""


@declares(
    "use-fatal",
    either(_first_user, "who plays the holder"),
    records=(
        "round-left",
        "order-established",
        "conflict-linked",
        "action-lapsed",
        "attack-lapsed",
        "trait-taxed",
        "trait-damaged",
        "character-wounded",
        "advantage-gained",
        "fatal-used",
        "fatal-withheld",
        "fatal-lapsed",
        "trait-mutilated",
        "character-taken-out",
    ),
)
class UseFatal:
    """Held fatals used in one instant: the first use, and those that answer it.

    The player of each holder is asked, but for who declares it; a use that is declined does not happen. `reason`: a
    game master's, for saying it for the holders without asking.
    """

    uses: tuple[FatalUse, ...]
    reason: str = ""


@declares("release-fatal", either("by"), records=("fatal-released",))
class ReleaseFatal:
    """A held fatal is given up."""

    fatal: str
    by: str
    text: str = ""


# --- rest and healing ---------------------------------------------------------------------------------------------


@declares(
    "rest",
    ANYONE,
    records=(
        "rest-taken",
        "tax-ended",
    ),
)
class Rest:
    """Five minutes of rest after a scene. `characters`: who rests (left out: all not permanently out)."""

    characters: tuple[str, ...] = ()


@declares("note-conflict", GM, records=("conflict-noted",))
class NoteConflict:
    """The table rules that two characters were in conflict."""

    a: str
    b: str
    reason: str


@declares(
    "healing-moment",
    ANYONE,
    records=(
        "advantage-gained",
        "tax-ended",
        "healing-moment-held",
        "healing-moment-closed",
        "impact-healed",
        "healing-declined",
        "conflict-links-cleared",
    ),
)
class HealingMoment:
    """One event of care for the whole campaign, on an in-fiction day: all characters get to heal one impact.

    `choices`: of one's own characters (a game master: of anybody's). For every other that could heal its player is
    asked, or a game master where no player sits. `requested_by`: a seat or a character (left out: the declaring seat).
    `fiction`: what makes it possible.
    """

    day: Any
    fiction: str
    choices: tuple[HealingChoice, ...] = ()
    requested_by: str = ""


Input: TypeAlias = (
    OpenRound
    | Declare
    | Raise
    | AmendDeclaration
    | AbandonRound
    | RollDice
    | SettleTie
    | Pass
    | CloseRound
    | Attack
    | Defend
    | SpendAdvantage
    | Resolve
    | ChooseImpact
    | Waive
    | Negotiate
    | UseFatal
    | ReleaseFatal
    | Rest
    | NoteConflict
    | HealingMoment
)
INPUTS: tuple[type[Input], ...] = (
    OpenRound, Declare, Raise, AmendDeclaration, AbandonRound, RollDice, SettleTie, Pass, CloseRound, Attack, Defend,
    SpendAdvantage, Resolve, ChooseImpact, Waive, Negotiate, UseFatal, ReleaseFatal, Rest, NoteConflict, HealingMoment,
)  # fmt: skip
