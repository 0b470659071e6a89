"""What people at the table do. Characters are named by id.

Numbers are typed `Any`, so that one that is no number is refused by the rule and not by the wire. Dice that were typed
in with an input are taken; where they are left out, the ruling asks for them. Values a rule leaves to judgement
(difficulty, Effect taken off, weapon, armour ...) are fields, with their reason.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from ledger.rules.contract import GM, Table, declares, either
from ledger.rules.mongrel.sheet import Coin
from ledger.rules.mongrel.state import Scene

# --- what inputs can lead to -----------------------------------------------------------------------------------------

_TASK = ("dice-rolled", "task-resolved", "effect-adjusted", "features-used")
_COLLAPSE = ("action-points-lost", "character-collapsed")
_DEATH = ("character-died", "participant-left", "declaration-lapsed")
_HIT = (
    "damage-rolled", "damage-shunted", "damage-counted", "physique-reduced", "terminal-damage-taken", *_COLLAPSE,
    "resolve-damaged", "action-point-maximum-imposed", *_DEATH,
)  # fmt: skip
_RESIST = ("task-declared", "occult-resisted", "ritual-timed")
_ATTACK = ("defence-chosen", "recovery-ended", "action-points-spent", *_TASK, *_RESIST, *_HIT, "turn-ended")


def _actor(table: Table[Any], do: object) -> str | None:
    """Whose action is open in the scene."""
    here = table.scene
    found = table.get(here, Scene).conflict if here is not None and table.has(here) else None
    return found.action.actor if found is not None and found.action is not None else None


# --- characters ------------------------------------------------------------------------------------------------------


@declares("make-vow", either("character"), records=("vow-made",))
class MakeVow:
    """A Vow to a `person`, a `house` or a `goal` (`about`)."""

    character: str
    object: str
    about: str = "goal"


@declares("mark-features", GM, records=("features-used",))
class MarkFeatures:
    """Features count as used in the session, though no roll said so."""

    character: str
    features: tuple[str, ...]
    reason: str = ""


@declares("allocate-power", either("character"), records=("power-allocated",))
class AllocatePower:
    """Points of the Power not yet allocated go to one of its options."""

    character: str
    option: str
    points: Any = 1


@declares("set-status", GM, records=("status-set",))
class SetStatus:
    """Where a table keeps status within a House: it changes by ruling only."""

    character: str
    status: Any
    reason: str = ""


# --- tasks and hits --------------------------------------------------------------------------------------------------


@declares("roll-task", either("actor"), records=("task-declared", *_TASK))
class RollTask:
    """A task outside the order of a conflict. `side`: `own` (equal or under) or `target` (equal or over).

    On the target's side the attribute is that of the character `target`, or of `thing` with its `score`. `power`: the
    options that fit; with a Power as `expertise`, the options rolled by themselves.
    """

    actor: str
    expertise: str
    side: str
    attribute: str
    power: tuple[str, ...] = ()
    target: str | None = None
    thing: str = ""
    score: Any = None
    difficulty: Any = 0
    reason: str = ""
    taken_off: Any = 0
    taken_off_reason: str = ""
    faces: tuple[Any, ...] | None = None


@declares("take-hit", GM, records=(*_HIT, "features-used"))
class TakeHit:
    """A hit outside a conflict: the Effect of a recorded task (`ruling`), or ruled with its reason.

    `hit_kind`: `physical` or `spiritual`. `shunt`: points that go to Beauty; left out, the character's seat is asked.
    """

    character: str
    effect: Any
    hit_kind: str = "physical"
    weapon: Any = 0
    armour: Any = 0
    shunt: Any = None
    reason: str = ""
    ruling: str | None = None


@declares(
    "answer-terminal",
    either("character"),
    records=(
        "infernal-resolve-spent", "action-point-maximum-imposed", "action-points-recovered", "character-stood-up",
        *_DEATH,
    ),
)  # fmt: skip
class AnswerTerminal:
    """Terminal damage is answered: `spend` a point of Infernal Resolve, and then perhaps `recover`; or die."""

    character: str
    spend: bool
    recover: bool = False


@declares("heal", GM, records=("wounds-healed",))
class Heal:
    """What heals, by ruling."""

    character: str
    damage: Any = 0
    physique: Any = 0
    beauty: Any = 0
    end_terminal: bool = False
    reason: str = ""


# --- Infernal Resolve and sorcery ------------------------------------------------------------------------------------


@declares(
    "spend-resolve",
    either("character"),
    records=(
        "infernal-resolve-spent", "action-points-gained", "character-stood-up", *_COLLAPSE,
        "action-point-maximum-imposed", *_DEATH,
    ),
)  # fmt: skip
class SpendResolve:
    """Infernal Resolve becomes as many Action Points, at any moment."""

    character: str
    amount: Any


@declares("refresh-resolve", either("character"), records=("infernal-resolve-refreshed", "action-point-maximum-lifted"))
class RefreshResolve:
    """Quiet time. `activity`: `meditating`, `simple-tasks` or `calm-company`."""

    character: str
    activity: str
    minutes: Any


@declares("refresh-resolve-by-vow", GM, records=("infernal-resolve-refreshed", "action-point-maximum-lifted"))
class RefreshResolveByVow:
    """Events oppose a Vow of the character. `vow`: its object, where there are several."""

    character: str
    circumstances: str
    vow: str | None = None


@declares(
    "occult",
    either("actor"),
    records=("infernal-resolve-spent", "ritual-timed", "task-declared", *_TASK, *_RESIST, *_HIT),
)
class Occult:
    """Occult in place of the Expertise it `imitates`, for `points` of Infernal Resolve; the rest as in a task.

    `hit_kind`: `none`, or for an attack `physical` or `spiritual` (left out: an attack when the imitated Expertise is
    one and there is a target).
    """

    actor: str
    points: Any
    imitates: str
    side: str
    attribute: str
    power: tuple[str, ...] = ()
    target: str | None = None
    thing: str = ""
    score: Any = None
    difficulty: Any = 0
    reason: str = ""
    taken_off: Any = 0
    taken_off_reason: str = ""
    hit_kind: str | None = None
    weapon: Any = 0
    armour: Any = 0
    faces: tuple[Any, ...] | None = None


# --- conflicts -------------------------------------------------------------------------------------------------------


@declares("open-conflict", GM, records=("conflict-opened", "coin-flipped", "recovery-ended"))
class OpenConflict:
    """The order of actions is set. `coins`: for complete ties; left out, the ruling asks for coins."""

    participants: tuple[str, ...]
    coins: tuple[Coin, ...] | None = None


@declares("join-conflict", GM, records=("participant-joined",))
class JoinConflict:
    """A latecomer."""

    character: str


@declares("close-conflict", GM, records=("conflict-closed", "declaration-lapsed"))
class CloseConflict:
    """Order no longer matters."""

    scene: str | None = None


@declares("take-front", either("character"), records=("front-taken", "action-points-spent", "declaration-lapsed"))
class TakeFront:
    """To the front of the order, for an Action Point."""

    character: str


@declares("attack", either("actor"), records=("action-declared", *_ATTACK))
class Attack:
    """An action on somebody, declared and carried out. `attribute`: what it is rolled against, on either side.

    `hit_kind`: what the Effect does, `physical`, `spiritual` or `none` (left out: as the Expertise has it). `defend`,
    `shunt`: the target's choices, where its seat declares or a game master does; left out, they are asked.
    """

    actor: str
    target: str
    expertise: str
    attribute: str
    power: tuple[str, ...] = ()
    difficulty: Any = 0
    reason: str = ""
    taken_off: Any = 0
    taken_off_reason: str = ""
    hit_kind: str | None = None
    weapon: Any = 0
    armour: Any = 0
    command: str = ""
    defend: bool | None = None
    faces: tuple[Any, ...] | None = None
    shunt: Any = None


@declares("declare-attack", either("actor"), records=("action-declared",))
class DeclareAttack:
    """An action on somebody, only declared: others may take the front. `carry-out` follows. Fields: `attack`."""

    actor: str
    target: str
    expertise: str
    attribute: str
    power: tuple[str, ...] = ()
    difficulty: Any = 0
    reason: str = ""
    taken_off: Any = 0
    taken_off_reason: str = ""
    hit_kind: str | None = None
    weapon: Any = 0
    armour: Any = 0
    command: str = ""


@declares("carry-out", either(_actor, "who plays whose action is open"), records=_ATTACK)
class CarryOut:
    """The declared action is carried out."""

    defend: bool | None = None
    faces: tuple[Any, ...] | None = None
    shunt: Any = None


@declares(
    "act",
    either("actor"),
    records=("task-declared", *_TASK, "action-points-spent", "recovery-ended", "turn-ended"),
)
class Act:
    """An action on nobody, or on a thing."""

    actor: str
    expertise: str
    attribute: str
    power: tuple[str, ...] = ()
    thing: str = ""
    difficulty: Any = 0
    reason: str = ""
    taken_off: Any = 0
    taken_off_reason: str = ""
    faces: tuple[Any, ...] | None = None


@declares("pass", either("character"), records=("turn-passed", "turn-ended", "recovery-ended", "declaration-lapsed"))
class Pass:
    """The turn goes by; an action declared and not carried out lapses."""

    character: str


# --- recovery --------------------------------------------------------------------------------------------------------


@declares(
    "recover",
    either("character"),
    records=("action-points-recovered", "character-stood-up", "character-exhausted", "turn-ended"),
)
class Recover:
    """Action Points are recovered. `minute`: of the campaign's fictional clock."""

    character: str
    minute: Any


@declares("rest", GM, records=("rested", "fatigue-cleared"))
class Rest:
    """`required`: 1 to 6 hours, as the GM judges. `hours`: as long as it was."""

    character: str
    hours: Any
    required: Any


# --- Credit ----------------------------------------------------------------------------------------------------------


@declares(
    "purchase",
    either("buyer"),
    records=(
        "task-declared", "dice-rolled", "purchase-rolled", "credit-sacrificed", "item-acquired", "features-used"
    ),
)  # fmt: skip
class Purchase:
    """Something is bought with Credit of one House. `seller`: a character; or nobody, with their `social` score.

    `sacrifice`: the Credit given up if that is offered; left out, the buyer's seat is asked then.
    """

    buyer: str
    item: str
    house: str
    expertise: str = "negotiate"
    power: tuple[str, ...] = ()
    seller: str | None = None
    social: Any = None
    difficulty: Any = 0
    reason: str = ""
    available: bool = True
    faces: tuple[Any, ...] | None = None
    sacrifice: Any = None


@declares("transfer-credit", either("character"), records=("credit-transferred",))
class TransferCredit:
    """Between one's own accounts with two Houses: twice what is `credited` leaves the other."""

    character: str
    source: str
    target: str
    credited: Any


@declares("adjust-credit", GM, records=("credit-adjusted",))
class AdjustCredit:
    """Credit changes by ruling: `change` up or down."""

    character: str
    house: str
    change: Any
    reason: str = ""


@declares("change-social", GM, records=("social-changed", "credit-followed-social"))
class ChangeSocial:
    """The lasting Social score becomes `social`, by ruling."""

    character: str
    social: Any
    reason: str = ""


@declares("barter", either("character"), records=("bartered",))
class Barter:
    """Cash or goods change hands, in words."""

    character: str
    text: str


# --- character points ------------------------------------------------------------------------------------------------


@declares("award-session", GM, records=("character-points-awarded",))
class AwardSession:
    """1 or 2 points to everyone who played the session (left out: the open one, else the last)."""

    characters: tuple[str, ...]
    points: Any
    session: str | None = None
    reason: str = ""


@declares("award-vow", GM, records=("character-points-awarded",))
class AwardVow:
    """A point for a risk taken. `conforming`: to the standards of the Vow, or only about it."""

    character: str
    conforming: bool = True
    session: str | None = None
    reason: str = ""


@declares(
    "raise-feature",
    either("character"),
    records=(
        "character-points-spent", "expertise-raised", "identity-raised", "identity-reduced", "attribute-raised",
        "power-allocated", "social-changed", "credit-followed-social",
    ),
)  # fmt: skip
class RaiseFeature:
    """One feature one level up. `reduce`: the Identity that falls instead. `option`: where a Power's new point goes."""

    character: str
    feature: str
    reduce: str | None = None
    option: str | None = None


Input: TypeAlias = (
    MakeVow | MarkFeatures | AllocatePower | SetStatus | RollTask | TakeHit | AnswerTerminal | Heal | SpendResolve
    | RefreshResolve | RefreshResolveByVow | Occult | OpenConflict | JoinConflict | CloseConflict | TakeFront | Attack
    | DeclareAttack | CarryOut | Act | Pass | Recover | Rest | Purchase | TransferCredit | AdjustCredit | ChangeSocial
    | Barter | AwardSession | AwardVow | RaiseFeature
)  # fmt: skip
INPUTS: tuple[type[Input], ...] = (
    MakeVow, MarkFeatures, AllocatePower, SetStatus, RollTask, TakeHit, AnswerTerminal, Heal, SpendResolve,
    RefreshResolve, RefreshResolveByVow, Occult, OpenConflict, JoinConflict, CloseConflict, TakeFront, Attack,
    DeclareAttack, CarryOut, Act, Pass, Recover, Rest, Purchase, TransferCredit, AdjustCredit, ChangeSocial,
    Barter, AwardSession, AwardVow, RaiseFeature,
)  # fmt: skip
