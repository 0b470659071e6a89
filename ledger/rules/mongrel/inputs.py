"""What people at the table do. Characters are named by id.

A `Number` may be anything, so that one that is no number is refused by the rule and not by the wire. Dice that were
typed in with an input are taken; where they are left out, the ruling asks for them. Values a rule leaves to judgement
(difficulty, Effect taken off, weapon, armour ...) are fields, with their reason.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias, get_args

from ledger.rules.kernel.declarations import GM, declares, either
from ledger.rules.kernel.domains import Between, CharacterId, Reason, Ref, Title
from ledger.rules.mongrel import outcomes
from ledger.rules.mongrel.domains import (
    Activity,
    Amount,
    AttributeName,
    Difficulty,
    ExpertiseName,
    Faces,
    HitName,
    HittingTask,
    Natural,
    OptionName,
    Shunted,
    SideName,
    TakenOff,
    WoundName,
)
from ledger.rules.mongrel.inputs_of_dealings import Dealing
from ledger.rules.mongrel.inputs_of_strife import (
    Act,
    Attack,
    CarryOut,
    CloseConflict,
    DeclareAttack,
    JoinConflict,
    LeaveConflict,
    OpenConflict,
    Pass,
    TakeFront,
)
from ledger.rules.mongrel.terms import Number

# --- tasks and hits --------------------------------------------------------------------------------------------------


@declares(
    "roll-task",
    either("actor"),
    records=(
        *outcomes.PROPOSED, "task-declared", "action-declared", *outcomes.DEFENCE, *outcomes.TASK, "turn-ended",
    ),
)  # fmt: skip
class RollTask:
    """A task. `side`: `own` (equal or under) or `target` (equal or over). `purpose`: what it is for, often said.

    Who takes part in a conflict acts in its order with it, and there `side` is settled by defence.

    On the target's side the attribute is that of the character `target`, or of `thing` with its `score`. `power`: the
    options that fit; with a Power as `expertise`, the options rolled by themselves.
    """

    actor: CharacterId
    expertise: ExpertiseName
    side: SideName
    attribute: AttributeName
    power: tuple[OptionName, ...] = ()
    target: CharacterId | None = None
    thing: Title = ""
    score: Natural | None = None
    difficulty: Difficulty = 0
    reason: Reason = ""
    taken_off: TakenOff = 0
    taken_off_reason: Reason = ""
    purpose: Reason = ""
    faces: Faces | None = None


@declares("take-hit", GM, records=("task-hit", *outcomes.HIT, "features-used"))
class TakeHit:
    """A hit outside a conflict: the Effect of a recorded task (`ruling`), or ruled with its reason. The task's Effect
    hits its target once; a game master who says otherwise gives a reason.

    `hit_kind`: `physical` or `spiritual`. `shunt`: points that go to Beauty; left out, the character's seat is asked.
    `armour_worn`: a possession, in place of `armour`. `weapon_used`: one of the character `wielder`, in place of
    `weapon`.
    """

    character: CharacterId
    effect: Natural
    hit_kind: WoundName = "physical"
    weapon: Natural = 0
    armour: Natural = 0
    shunt: Shunted | None = None
    reason: Reason = ""
    ruling: HittingTask | None = None
    armour_worn: Annotated[str, Ref("possession", of="character")] | None = None
    wielder: CharacterId | None = None
    weapon_used: Annotated[str, Ref("possession", of="wielder")] | None = None


@declares(
    "answer-terminal",
    either("character"),
    records=(
        "infernal-resolve-spent", "action-point-maximum-imposed", "action-points-recovered", "character-stood-up",
        "session-played", *outcomes.DEATH,
    ),
)  # fmt: skip
class AnswerTerminal:
    """Terminal damage is answered: `spend` a point of Infernal Resolve, and then perhaps `recover`; or die."""

    character: CharacterId
    spend: bool
    recover: bool = False


@declares("heal", GM, records=("wounds-healed",))
class Heal:
    """What heals, by ruling."""

    character: CharacterId
    damage: Natural = 0
    physique: Natural = 0
    beauty: Natural = 0
    end_terminal: bool = False
    reason: Reason = ""


# --- Infernal Resolve and sorcery ------------------------------------------------------------------------------------


@declares(
    "spend-resolve",
    either("character"),
    records=(*outcomes.SPENT, "action-points-gained", "character-stood-up", "session-played"),
)
class SpendResolve:
    """Infernal Resolve becomes as many Action Points, at any moment."""

    character: CharacterId
    amount: Amount


@declares(
    "refresh-resolve",
    either("character"),
    records=(
        *outcomes.PROPOSED,
        "infernal-resolve-refreshed",
        "action-point-maximum-lifted",
        "clock-moved",
        "session-played",
    ),
)
class RefreshResolve:
    """Quiet time, outside a conflict. `activity`: `meditating`, `simple-tasks` or `calm-company`."""

    character: CharacterId
    activity: Activity
    minutes: Natural


@declares("refresh-resolve-by-vow", GM, records=("infernal-resolve-refreshed", "action-point-maximum-lifted"))
class RefreshResolveByVow:
    """Events oppose a Vow of the character. `vow`: its object, where there are several."""

    character: CharacterId
    circumstances: Reason
    vow: Annotated[str, Ref("vow", of="character")] | None = None


@declares(
    "occult",
    either("actor"),
    records=outcomes.once(
        *outcomes.PROPOSED, *outcomes.SPENT, "ritual-timed", *outcomes.RESIST, *outcomes.TASK, *outcomes.HIT
    ),
)
class Occult:
    """Occult in place of the Expertise it `imitates`, for `points` of Infernal Resolve; the rest as in a task.

    `hit_kind`: `none`, or for an attack `physical` or `spiritual` (left out: an attack when the imitated Expertise is
    one and there is a target). `weapon_used`, `armour_worn`: as in `attack`.
    """

    actor: CharacterId
    points: Amount
    imitates: ExpertiseName
    side: SideName
    attribute: AttributeName
    power: tuple[OptionName, ...] = ()
    target: CharacterId | None = None
    thing: Title = ""
    score: Natural | None = None
    difficulty: Difficulty = 0
    reason: Reason = ""
    taken_off: TakenOff = 0
    taken_off_reason: Reason = ""
    hit_kind: HitName | None = None
    weapon: Natural = 0
    armour: Natural = 0
    purpose: Reason = ""
    faces: Faces | None = None
    weapon_used: Annotated[str, Ref("possession", of="actor")] | None = None
    armour_worn: Annotated[str, Ref("possession", of="target")] | None = None


# --- recovery --------------------------------------------------------------------------------------------------------


@declares(
    "recover",
    either("character"),
    records=(
        *outcomes.PROPOSED,
        "action-points-recovered",
        "clock-moved",
        "character-stood-up",
        "character-exhausted",
        "session-played",
        "turn-ended",
    ),
)
class Recover:
    """Action Points are recovered. `minute`: of the campaign's fictional clock, one for all scenes; a later one moves
    it on.
    """

    character: CharacterId
    minute: Natural


@declares("rest", GM, records=("rested", "fatigue-cleared", "clock-moved"))
class Rest:
    """Outside a conflict. `required`: 1 to 6 hours, as the GM judges. `hours`: as long as it was."""

    character: CharacterId
    hours: Natural
    required: Annotated[Number, Between(1, 6)]


@declares("set-clock", GM, records=("clock-moved",))
class SetClock:
    """The campaign's fictional clock is set, on or back. (Rituals, rest and quiet hours move it on by themselves.)"""

    minute: Natural
    reason: Reason


Input: TypeAlias = (
    RollTask | TakeHit | AnswerTerminal | Heal | SpendResolve | RefreshResolve | RefreshResolveByVow | Occult
    | OpenConflict | JoinConflict | LeaveConflict | CloseConflict | TakeFront | Attack | DeclareAttack | CarryOut | Act
    | Pass | Recover | Rest | SetClock | Dealing
)  # fmt: skip
INPUTS: tuple[type[Input], ...] = get_args(Input)
