"""What people at the table do. Characters are named by id.

A `Number` may be anything, so that one that is no number is refused by the rule and not by the wire. Dice that were
typed in with an input are taken; where they are left out, the ruling asks for them. Values a rule leaves to judgement
(difficulty, Effect taken off, weapon, armour ...) are fields, with their reason.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias, get_args

from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.declarations import GM, declares, either
from ledger.rules.kernel.domains import Between, CharacterId, Reason, Ref, SceneId, Story, Title
from ledger.rules.mongrel import outcomes
from ledger.rules.mongrel.domains import (
    Activity,
    Amount,
    AttributeName,
    Difficulty,
    ExpertiseName,
    Faces,
    HitName,
    Natural,
    OptionName,
    RulingNumber,
    Shunted,
    SideName,
    TakenOff,
    WoundName,
)
from ledger.rules.mongrel.inputs_of_dealings import Dealing
from ledger.rules.mongrel.sheet import Coin
from ledger.rules.mongrel.state import Scene
from ledger.rules.mongrel.terms import Number


def _actor(table: Table[object], do: object) -> str | None:
    """Whose action is open in the scene."""
    here = table.scene
    found = table.get(here, Scene).conflict if here is not None and table.has(here) else None
    return found.action.actor if found is not None and found.action is not None else None


# --- tasks and hits --------------------------------------------------------------------------------------------------


@declares(
    "roll-task",
    either("actor"),
    records=("task-declared", "action-declared", *outcomes.DEFENCE, *outcomes.TASK, "turn-ended"),
)
class RollTask:
    """A task. `side`: `own` (equal or under) or `target` (equal or over). `purpose`: what it is for.

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


@declares("take-hit", GM, records=(*outcomes.HIT, "features-used"))
class TakeHit:
    """A hit outside a conflict: the Effect of a recorded task (`ruling`), or ruled with its reason.

    `hit_kind`: `physical` or `spiritual`. `shunt`: points that go to Beauty; left out, the character's seat is asked.
    `armour_worn`: a possession, in place of `armour`.
    """

    character: CharacterId
    effect: Natural
    hit_kind: WoundName = "physical"
    weapon: Natural = 0
    armour: Natural = 0
    shunt: Shunted | None = None
    reason: Reason = ""
    ruling: RulingNumber | None = None
    armour_worn: Annotated[str, Ref("possession", of="character")] | None = None


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
    records=("infernal-resolve-refreshed", "action-point-maximum-lifted", "session-played"),
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
    records=outcomes.once(*outcomes.SPENT, "ritual-timed", *outcomes.RESIST, *outcomes.TASK, *outcomes.HIT),
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


# --- conflicts -------------------------------------------------------------------------------------------------------


@declares("open-conflict", GM, records=("conflict-opened", "coin-flipped", "recovery-ended"))
class OpenConflict:
    """The order of actions is set. `coins`: for complete ties; left out, the ruling asks for coins."""

    participants: tuple[CharacterId, ...]
    coins: tuple[Coin, ...] | None = None


@declares("join-conflict", GM, records=("participant-joined",))
class JoinConflict:
    """A latecomer."""

    character: CharacterId


@declares("leave-conflict", GM, records=("declaration-lapsed", "participant-left"))
class LeaveConflict:
    """A game master takes somebody out of a conflict that goes on."""

    character: CharacterId
    reason: Reason = ""


@declares("close-conflict", GM, records=("conflict-closed", "declaration-lapsed"))
class CloseConflict:
    """Order no longer matters."""

    scene: SceneId | None = None


@declares("take-front", either("character"), records=outcomes.FRONT)
class TakeFront:
    """To the front of the order, for an Action Point."""

    character: CharacterId


@declares("attack", either("actor"), records=("action-declared", *outcomes.ATTACK))
class Attack:
    """An action on somebody, declared and carried out. `attribute`: what it is rolled against, on either side.

    `hit_kind`: what the Effect does, `physical`, `spiritual` or `none` (left out: as the Expertise has it). `defend`,
    `shunt`: the target's choices, where its seat declares or a game master does; left out, they are asked.
    `weapon_used`, `armour_worn`: possessions of the actor and the target, in place of the numbers.
    """

    actor: CharacterId
    target: CharacterId
    expertise: ExpertiseName
    attribute: AttributeName
    power: tuple[OptionName, ...] = ()
    difficulty: Difficulty = 0
    reason: Reason = ""
    taken_off: TakenOff = 0
    taken_off_reason: Reason = ""
    hit_kind: HitName | None = None
    weapon: Natural = 0
    armour: Natural = 0
    command: Reason = ""
    defend: bool | None = None
    faces: Faces | None = None
    shunt: Shunted | None = None
    purpose: Reason = ""
    weapon_used: Annotated[str, Ref("possession", of="actor")] | None = None
    armour_worn: Annotated[str, Ref("possession", of="target")] | None = None


@declares("declare-attack", either("actor"), records=("action-declared", "session-played"))
class DeclareAttack:
    """An action on somebody, only declared: others may take the front. `carry-out` follows. Fields: `attack`."""

    actor: CharacterId
    target: CharacterId
    expertise: ExpertiseName
    attribute: AttributeName
    power: tuple[OptionName, ...] = ()
    difficulty: Difficulty = 0
    reason: Reason = ""
    taken_off: TakenOff = 0
    taken_off_reason: Reason = ""
    hit_kind: HitName | None = None
    weapon: Natural = 0
    armour: Natural = 0
    command: Reason = ""
    purpose: Reason = ""
    weapon_used: Annotated[str, Ref("possession", of="actor")] | None = None
    armour_worn: Annotated[str, Ref("possession", of="target")] | None = None


@declares("carry-out", either(_actor, "who plays whose action is open"), records=outcomes.ATTACK)
class CarryOut:
    """The declared action is carried out."""

    defend: bool | None = None
    faces: Faces | None = None
    shunt: Shunted | None = None


@declares(
    "act",
    either("actor"),
    records=("task-declared", *outcomes.TASK, "action-points-spent", "recovery-ended", "turn-ended"),
)
class Act:
    """An action on nobody, or on a thing."""

    actor: CharacterId
    expertise: ExpertiseName
    attribute: AttributeName
    power: tuple[OptionName, ...] = ()
    thing: Title = ""
    difficulty: Difficulty = 0
    reason: Reason = ""
    taken_off: TakenOff = 0
    taken_off_reason: Reason = ""
    purpose: Reason = ""
    faces: Faces | None = None


@declares("pass", either("character"), records=outcomes.PASSED)
class Pass:
    """The turn goes by; an action declared and not carried out lapses. `text`: what is done, where it needs no dice."""

    character: CharacterId
    text: Story = ""


# --- recovery --------------------------------------------------------------------------------------------------------


@declares(
    "recover",
    either("character"),
    records=("action-points-recovered", "character-stood-up", "character-exhausted", "session-played", "turn-ended"),
)
class Recover:
    """Action Points are recovered. `minute`: of the campaign's fictional clock."""

    character: CharacterId
    minute: Natural


@declares("rest", GM, records=("rested", "fatigue-cleared"))
class Rest:
    """Outside a conflict. `required`: 1 to 6 hours, as the GM judges. `hours`: as long as it was."""

    character: CharacterId
    hours: Natural
    required: Annotated[Number, Between(1, 6)]


Input: TypeAlias = (
    RollTask | TakeHit | AnswerTerminal | Heal | SpendResolve | RefreshResolve | RefreshResolveByVow | Occult
    | OpenConflict | JoinConflict | LeaveConflict | CloseConflict | TakeFront | Attack | DeclareAttack | CarryOut | Act
    | Pass | Recover | Rest | Dealing
)  # fmt: skip
INPUTS: tuple[type[Input], ...] = get_args(Input)
