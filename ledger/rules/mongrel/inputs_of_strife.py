"""What is declared in a conflict, and an attack outside of one."""

from __future__ import annotations

from typing import Annotated

from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.declarations import GM, declares, either
from ledger.rules.kernel.domains import CharacterId, Fell, Reason, Ref, SceneId, Story, Title
from ledger.rules.mongrel import outcomes
from ledger.rules.mongrel.domains import (
    AttributeName,
    Difficulty,
    ExpertiseName,
    Faces,
    HitName,
    Natural,
    OptionName,
    Shunted,
    TakenOff,
)
from ledger.rules.mongrel.sheet import Coin
from ledger.rules.mongrel.state import Scene


def _actor(table: Table[object], do: object) -> str | None:
    """Whose action is open in the scene."""
    here = table.scene
    found = table.get(here, Scene).conflict if here is not None and table.has(here) else None
    return found.action.actor if found is not None and found.action is not None else None


@declares("open-conflict", GM, records=("conflict-opened", "coin-flipped", "recovery-ended"))
class OpenConflict:
    """Open a conflict and set the order of actions.

    `coins`: how the coin fell between participants who are completely tied. Leave them out to be asked for them.
    """

    participants: tuple[CharacterId, ...]
    coins: tuple[Annotated[Coin, Fell(die=False)], ...] | None = None


@declares("join-conflict", GM, records=("participant-joined",))
class JoinConflict:
    """Let a character join the conflict late, at the end of the order."""

    character: CharacterId


@declares("leave-conflict", GM, records=("declaration-lapsed", "participant-left"))
class LeaveConflict:
    """Take a character out of a conflict that continues."""

    character: CharacterId
    reason: Reason = ""


@declares("close-conflict", GM, records=("conflict-closed", "declaration-lapsed", "recovery-ended"))
class CloseConflict:
    """Close a conflict. Its order of actions no longer counts. `scene`: leave it out for the present scene."""

    scene: SceneId | None = None


@declares("take-front", either("character"), records=outcomes.FRONT)
class TakeFront:
    """Move a character to the front of the order, for 1 Action Point."""

    character: CharacterId


@declares(
    "attack",
    either("actor"),
    records=(*outcomes.PROPOSED, "action-declared", "target-attribute-named", *outcomes.ATTACK),
)
class Attack:
    """Attack another character, or act on them without hurting them, in a conflict or outside. This declares the
    action and carries it out.

    `attribute`: what the roll is against: the actor's own attribute, or the target's if the target defends.
    `target_attribute`: the attribute that the target defends with, if it is a different one.

    `hit_kind`: what the Effect does: `physical`, `spiritual` or `none`. Leave it out to follow the Expertise: Burn,
    Melee, Missile and Rend wound, Chill lowers Infernal Resolve, and all others do `none`.
    `defend`, `shunt`: whether the target defends, and how much damage goes to Beauty, if you decide for the target.
    Leave them out to ask the target's seat.
    `weapon_used`, `armour_worn`: possessions of the actor and the target, instead of the numbers.
    `command`: what a Chill commands.
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
    target_attribute: AttributeName | None = None


@declares(
    "declare-attack",
    either("actor"),
    records=(*outcomes.PROPOSED, "action-declared", "target-attribute-named", "session-played"),
)
class DeclareAttack:
    """Declare an action on another character, so that others can still move to the front of the order first. Carry it
    out with `carry-out`.

    `hit_kind`, `target_attribute`: as in `attack`.
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
    purpose: Reason = ""
    weapon_used: Annotated[str, Ref("possession", of="actor")] | None = None
    armour_worn: Annotated[str, Ref("possession", of="target")] | None = None
    target_attribute: AttributeName | None = None


@declares("carry-out", either(_actor, "the player of the character whose action is open"), records=outcomes.ATTACK)
class CarryOut:
    """Carry out the action that was declared. `defend`, `shunt`: as in `attack`."""

    defend: bool | None = None
    faces: Faces | None = None
    shunt: Shunted | None = None


@declares(
    "act",
    either("actor"),
    records=(
        *outcomes.PROPOSED,
        "task-declared",
        *outcomes.TASK,
        "action-points-spent",
        "recovery-ended",
        "turn-ended",
    ),
)
class Act:
    """Act in a conflict on nobody, or on a thing."""

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
    """Pass the turn. A declared action that is not carried out is cancelled.

    `text`: what the character does without dice. For this they must have an Action Point left, which they keep.
    """

    character: CharacterId
    text: Story = ""
