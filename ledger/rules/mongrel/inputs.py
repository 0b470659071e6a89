"""What people at the table declare. Characters are named by id.

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
    Since,
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
    """Roll a task. In a conflict, participants act in order, and the side depends on whether the target defends.
    Without a target it is `own` there.

    `side`: `own` (equal or under) or `target` (equal or over). `purpose`: what it is for. Often said.
    `target`: the character whose attribute counts, if `side` is `target`. `thing`: an object instead, with its `score`.
    A player who does not know the score leaves it out, and a game master is asked.
    `power`: the options that fit. With a Power as `expertise`, these options are rolled by themselves.
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
    """Let a character take a hit outside a conflict: from a recorded task, or by ruling with a reason.

    `ruling`: the task. Its Effect hits its target, once. For another Effect or target, give a reason.
    `hit_kind`: `physical` or `spiritual`. Leave it out to follow the task: Chill is spiritual, all else physical.
    `shunt`: points that go to Beauty. Leave it out to ask the character's seat.
    `armour_worn`: a possession, instead of `armour`. `weapon_used`: a possession of `wielder`, instead of `weapon`.
    """

    character: CharacterId
    effect: Natural
    hit_kind: WoundName | None = None
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
    """Answer terminal damage: live or die.

    `spend`: spend a point of Infernal Resolve to stay alive. `recover`: then recover all Action Points, too.
    """

    character: CharacterId
    spend: bool
    recover: bool = False


@declares("heal", GM, records=("wounds-healed",))
class Heal:
    """Heal a character by ruling. `end_terminal`: the terminal stage ends."""

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
    """Turn Infernal Resolve into as many Action Points, at any moment."""

    character: CharacterId
    amount: Amount


@declares(
    "refresh-resolve",
    either("character"),
    records=(
        *outcomes.PROPOSED,
        "infernal-resolve-refreshed",
        "action-point-maximum-lifted",
        *outcomes.TIME,
        "session-played",
    ),
)
class RefreshResolve:
    """Refresh Infernal Resolve in quiet time outside a conflict.

    `activity`: `meditating`, `simple-tasks` or `calm-company`. `minutes`: at least 60.
    `since`: the minute of the clock at which it began. Leave it out if it begins now.
    """

    character: CharacterId
    activity: Activity
    minutes: Natural
    since: Since | None = None


@declares("refresh-resolve-by-vow", GM, records=("infernal-resolve-refreshed", "action-point-maximum-lifted"))
class RefreshResolveByVow:
    """Refresh Infernal Resolve because events oppose a Vow of the character.

    `vow`: its object, if there are several Vows.
    """

    character: CharacterId
    circumstances: Reason
    vow: Annotated[str, Ref("vow", of="character")] | None = None


@declares(
    "occult",
    either("actor"),
    records=outcomes.once(
        *outcomes.PROPOSED,
        *outcomes.SPENT,
        "ritual-timed",
        "targets-added",
        *outcomes.RESIST,
        *outcomes.TASK,
        *outcomes.HIT,
    ),
)
class Occult:
    """Use Occult instead of another Expertise, for Infernal Resolve. Otherwise this is like `roll-task`.

    `points`: of Infernal Resolve, at least 1. `imitates`: the other Expertise. `hit_kind`: `spiritual` for an
    attack, else `none`. `physical` only at tables where Occult hits what the imitated Expertise would. Leave it out to
    attack if the imitated Expertise would.
    `weapon_used`, `armour_worn`: possessions of the actor and the target, instead of the numbers.
    `others`: more targets, at long range or over a large area. Each may resist, and the Effect hits
    each. The armour is only that of `target`.
    `since`: the minute of the clock at which it began. Leave it out if it begins now.
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
    others: tuple[CharacterId, ...] = ()
    since: Since | None = None


# --- recovery --------------------------------------------------------------------------------------------------------


@declares(
    "recover",
    either("character"),
    records=(
        *outcomes.PROPOSED,
        "action-points-recovered",
        *outcomes.TIME,
        "character-stood-up",
        "character-exhausted",
        "session-played",
        "turn-ended",
    ),
)
class Recover:
    """Recover Action Points. `minute`: on the campaign's fictional clock. A later minute moves the clock forward."""

    character: CharacterId
    minute: Natural


@declares("rest", GM, records=("rested", "fatigue-cleared", *outcomes.TIME))
class Rest:
    """Let a character rest, outside a conflict.

    `required`: the hours needed to end exhaustion, 1 to 6. `hours`: how long the rest was.
    `since`: the minute of the clock at which it began. Leave it out if it begins now.
    """

    character: CharacterId
    hours: Natural
    required: Annotated[Number, Between(1, 6)]
    since: Since | None = None


@declares("set-clock", GM, records=outcomes.TIME)
class SetClock:
    """Set the campaign's fictional clock, forward or back. Rituals, rest and quiet hours move it forward anyway."""

    minute: Natural
    reason: Reason


Input: TypeAlias = (
    RollTask | TakeHit | AnswerTerminal | Heal | SpendResolve | RefreshResolve | RefreshResolveByVow | Occult
    | OpenConflict | JoinConflict | LeaveConflict | CloseConflict | TakeFront | Attack | DeclareAttack | CarryOut | Act
    | Pass | Recover | Rest | SetClock | Dealing
)  # fmt: skip
INPUTS: tuple[type[Input], ...] = get_args(Input)
