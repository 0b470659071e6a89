"""What people at the table declare. Characters are named by id.

A `Number` may be anything, so that one that is no number is refused by the rule and not by the wire. Dice that were
typed in with an input are taken; where they are left out, the ruling asks for them. Values a rule leaves to judgement
(difficulty, Effect taken off, weapon, armour ...) are fields, with their reason.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias, get_args

from ledger.rules.kernel.declarations import GM, declares, either
from ledger.rules.kernel.domains import Between, CharacterId, Reason, Ref, Says, Title
from ledger.rules.mongrel import outcomes
from ledger.rules.mongrel.domains import (
    Activity,
    ArmourValue,
    AttributeName,
    Difficulty,
    DifficultyReason,
    ExpertiseName,
    Faces,
    HitName,
    HittingTask,
    Natural,
    PowerOptions,
    ResolvePoints,
    Shunted,
    SideName,
    Since,
    TakenOff,
    TakenOffReason,
    ThingScore,
    WeaponBonus,
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
    """Roll dice for a task. In a conflict, characters do this on their turn. The side then depends on whether the
    target defends, and is `own` if there is no target.

    `target`: the character whose attribute the roll is against, if the side is `target`. `thing`: what the roll is
    against, if that is not a character.
    `power`: the Power options that fit. If the Expertise is a Power, these options are rolled by themselves.
    `purpose`: what the task is for. A purpose is usually given.
    """

    actor: CharacterId
    expertise: ExpertiseName
    side: SideName
    attribute: AttributeName
    power: PowerOptions = ()
    target: CharacterId | None = None
    thing: Title = ""
    score: ThingScore | None = None
    difficulty: Difficulty = 0
    reason: DifficultyReason = ""
    taken_off: TakenOff = 0
    taken_off_reason: TakenOffReason = ""
    purpose: Reason = ""
    faces: Faces | None = None


@declares("take-hit", GM, records=("task-hit", *outcomes.HIT, "features-used"))
class TakeHit:
    """Record a hit on a character that does not come from a declared attack, but from a recorded task or from a game
    master's decision.

    `ruling`: the task that causes the hit. It can hit each character only once. Give a reason if the Effect or the
    target is not that of the task.
    `effect`: the Effect of the hit, before weapon and armour.
    `hit_kind`: leave it out to follow the task: Chill is spiritual, everything else is physical.
    `shunt`: leave it out to ask the character's player.
    `armour_worn`: a possession of the character, instead of a number for the armour. `wielder`: who uses the weapon, if
    it is a possession. `weapon_used`: a possession of the wielder, instead of a number for the weapon.
    """

    character: CharacterId
    effect: Natural
    hit_kind: WoundName | None = None
    weapon: WeaponBonus = 0
    armour: ArmourValue = 0
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
    """Decide whether a character who took terminal damage stays alive."""

    character: CharacterId
    spend: Annotated[bool, Says("Spend Infernal Resolve", "Spend a point to stay alive. Otherwise the character dies.")]
    recover: Annotated[
        bool, Says("Recover Action Points", "If the character stays alive, they also recover all Action Points.")
    ] = False


@declares("heal", GM, records=("wounds-healed",))
class Heal:
    """Heal a character, by at most as much as they lost."""

    character: CharacterId
    damage: Annotated[Natural, Says("Damage healed")] = 0
    physique: Annotated[Natural, Says("Physique regained")] = 0
    beauty: Annotated[Natural, Says("Beauty regained")] = 0
    end_terminal: Annotated[bool, Says("End the terminal stage")] = False
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
    amount: ResolvePoints


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
    """Restore all of a character's Infernal Resolve after a quiet time outside a conflict.

    `activity`: what the character does. `minutes`: how long the quiet time lasts, at least 60.
    """

    character: CharacterId
    activity: Activity
    minutes: Natural
    since: Since | None = None


@declares("refresh-resolve-by-vow", GM, records=("infernal-resolve-refreshed", "action-point-maximum-lifted"))
class RefreshResolveByVow:
    """Restore all of a character's Infernal Resolve because events directly oppose one of their Vows.

    `circumstances`: which events oppose the Vow. `vow`: leave it out if the character has only one Vow.
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
    """Use Occult to imitate another Expertise. This costs points of Infernal Resolve and an hour for each die. All
    other fields are as in `roll-task`.

    `points`: at least 1. Each point after the first adds 1 to the Effect. `imitates`: the Expertise that Occult stands
    in for.
    `hit_kind`: `spiritual` for an attack, otherwise `none`. `physical` is possible only at tables where an Occult
    attack hits whatever the imitated Expertise would hit. If you leave it out, this is an attack if the imitated
    Expertise is one.
    `weapon_used`: a possession of the character, instead of a number for the weapon. `armour_worn`: a possession of the
    target, instead of a number for the armour.
    `others`: further targets, for example in a large area. Each of them may resist, and the same Effect hits each of
    them. Armour counts only for the first target.
    """

    actor: CharacterId
    points: ResolvePoints
    imitates: Annotated[ExpertiseName, Says("Expertise imitated")]
    side: SideName
    attribute: AttributeName
    power: PowerOptions = ()
    target: CharacterId | None = None
    thing: Title = ""
    score: ThingScore | None = None
    difficulty: Difficulty = 0
    reason: DifficultyReason = ""
    taken_off: TakenOff = 0
    taken_off_reason: TakenOffReason = ""
    hit_kind: HitName | None = None
    weapon: WeaponBonus = 0
    armour: ArmourValue = 0
    purpose: Reason = ""
    faces: Faces | None = None
    weapon_used: Annotated[str, Ref("possession", of="actor")] | None = None
    armour_worn: Annotated[str, Ref("possession", of="target")] | None = None
    others: Annotated[tuple[CharacterId, ...], Says("Further targets")] = ()
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
    """Recover Action Points. In a conflict, this takes the character's turn.

    `minute`: the present minute of the campaign's fictional clock. A later minute moves the clock forward.
    """

    character: CharacterId
    minute: Natural


@declares("rest", GM, records=("rested", "fatigue-cleared", *outcomes.TIME))
class Rest:
    """Record that a character rests, outside a conflict."""

    character: CharacterId
    hours: Annotated[Natural, Says("Hours of rest")]
    required: Annotated[Number, Between(1, 6), Says("Hours needed", "How many hours of rest end the exhaustion.")]
    since: Since | None = None


@declares("set-clock", GM, records=outcomes.TIME)
class SetClock:
    """Set the campaign's fictional clock to a later or an earlier minute. Rituals, rest and quiet hours move it forward
    automatically.
    """

    minute: Natural
    reason: Reason


Input: TypeAlias = (
    RollTask | TakeHit | AnswerTerminal | Heal | SpendResolve | RefreshResolve | RefreshResolveByVow | Occult
    | OpenConflict | JoinConflict | LeaveConflict | CloseConflict | TakeFront | Attack | DeclareAttack | CarryOut | Act
    | Pass | Recover | Rest | SetClock | Dealing
)  # fmt: skip
INPUTS: tuple[type[Input], ...] = get_args(Input)
