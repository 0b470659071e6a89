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
    """Roll dice for a task. A participant of a conflict rolls on their turn. In a conflict, the side depends on
    whether the target defends, and is `own` if there is no target.

    `side`: `own` (a die succeeds at the attribute or under) or `target` (at the attribute or over).
    `purpose`: what the task is for. Usually given.
    `target`: the character whose attribute counts, if `side` is `target`. `thing`: an object instead, with its `score`.
    A player who does not know the score leaves it out, and a game master is asked.
    `power`: the Power options that fit. With a Power as `expertise`, these options are rolled by themselves.
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
    """Let a character take a hit that comes from no declared attack: from a recorded task, or by ruling with a reason.

    `ruling`: the task that hits. Its Effect hits its target, once. For another Effect or target, give a reason.
    `hit_kind`: `physical` or `spiritual`. Leave it out to follow the task: Chill is spiritual, all else physical.
    `shunt`: how many points of damage go to Beauty. Leave it out to ask the character's seat.
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
    """Decide whether a character who took terminal damage stays alive.

    `spend`: spend a point of Infernal Resolve to stay alive. Otherwise the character dies. `recover`: if they stay
    alive, they also recover all Action Points.
    """

    character: CharacterId
    spend: bool
    recover: bool = False


@declares("heal", GM, records=("wounds-healed",))
class Heal:
    """Heal a character by ruling, up to what they lost.

    `damage`, `physique`, `beauty`: how many points of each come back. `end_terminal`: the terminal stage ends.
    """

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
    """Turn points of Infernal Resolve into the same number of Action Points. This takes no turn."""

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
    """Restore all Infernal Resolve of a character by quiet time outside a conflict.

    `activity`: what the character does: `meditating`, `simple-tasks` or `calm-company`. `minutes`: at least 60.
    `since`: the minute of the clock at which the quiet time began. Leave it out if the quiet time begins now.
    """

    character: CharacterId
    activity: Activity
    minutes: Natural
    since: Since | None = None


@declares("refresh-resolve-by-vow", GM, records=("infernal-resolve-refreshed", "action-point-maximum-lifted"))
class RefreshResolveByVow:
    """Restore all Infernal Resolve of a character because events directly oppose one of their Vows.

    `circumstances`: these events. `vow`: the object of the Vow, if the character has several.
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
    """Use Occult instead of another Expertise, for points of Infernal Resolve and an hour for each die. Otherwise this
    is like `roll-task`.

    `points`: of Infernal Resolve, at least 1. Each further point adds 1 to the Effect. `imitates`: the other Expertise.
    `hit_kind`: `spiritual` for an attack, else `none`. `physical` is possible only at tables where Occult hits what the
    imitated Expertise would. If you leave it out, this is an attack when the imitated Expertise is an attack.
    `weapon_used`, `armour_worn`: possessions of the actor and the target, instead of the numbers.
    `others`: more targets, at long range or over a large area. Each may resist, and the Effect hits each. `armour` and
    `armour_worn` count only for `target`.
    `since`: the minute of the clock at which the ritual began. Leave it out if the ritual begins now.
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
    """Recover Action Points. In a conflict this takes the character's turn.

    `minute`: the present minute of the campaign's fictional clock, or a later one, which moves the clock forward.
    """

    character: CharacterId
    minute: Natural


@declares("rest", GM, records=("rested", "fatigue-cleared", *outcomes.TIME))
class Rest:
    """Let a character rest, outside a conflict.

    `required`: how many hours end the exhaustion, from 1 to 6. `hours`: how many hours the character rests.
    `since`: the minute of the clock at which the rest began. Leave it out if the rest begins now.
    """

    character: CharacterId
    hours: Natural
    required: Annotated[Number, Between(1, 6)]
    since: Since | None = None


@declares("set-clock", GM, records=outcomes.TIME)
class SetClock:
    """Set the campaign's fictional clock to a later or an earlier minute. Rituals, rest and quiet hours move it forward
    by themselves.
    """

    minute: Natural
    reason: Reason


Input: TypeAlias = (
    RollTask | TakeHit | AnswerTerminal | Heal | SpendResolve | RefreshResolve | RefreshResolveByVow | Occult
    | OpenConflict | JoinConflict | LeaveConflict | CloseConflict | TakeFront | Attack | DeclareAttack | CarryOut | Act
    | Pass | Recover | Rest | SetClock | Dealing
)  # fmt: skip
INPUTS: tuple[type[Input], ...] = get_args(Input)
