"""What is declared in a conflict, and an attack outside of one."""

from __future__ import annotations

from typing import Annotated

from ledger.rules.kernel.contract import Table
from ledger.rules.kernel.declarations import GM, declares, either
from ledger.rules.kernel.domains import CharacterId, Fell, Reason, Ref, Says, SceneId, Story, Title
from ledger.rules.mongrel import outcomes
from ledger.rules.mongrel.domains import (
    ArmourValue,
    AttributeName,
    Defends,
    Difficulty,
    DifficultyReason,
    ExpertiseName,
    Faces,
    HitName,
    PowerOptions,
    Shunted,
    TakenOff,
    TakenOffReason,
    WeaponBonus,
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

    `coins`: the coin flips between participants who are completely tied. Leave them out to be asked for them.
    """

    participants: tuple[CharacterId, ...]
    coins: tuple[Annotated[Coin, Fell(die=False)], ...] | None = None


@declares("join-conflict", GM, records=("participant-joined",))
class JoinConflict:
    """Add a character to the conflict, at the end of the order."""

    character: CharacterId


@declares("leave-conflict", GM, records=("declaration-lapsed", "participant-left"))
class LeaveConflict:
    """Take a character out of the conflict, which then goes on without them."""

    character: CharacterId
    reason: Reason = ""


@declares("close-conflict", GM, records=("conflict-closed", "declaration-lapsed", "recovery-ended"))
class CloseConflict:
    """End a conflict and its order of actions. `scene`: where the conflict is. Leave it out for the present scene."""

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
    """Attack another character, or do something to them that is not an attack, inside or outside a conflict. The action
    is declared and carried out in one step.

    `attribute`: what the roll is against: the actor's own attribute, or the target's if the target defends.
    `target_attribute`: the attribute that the target defends with. Leave it out if it is the same.
    `hit_kind`: leave it out to follow the Expertise: Burn, Melee, Missile and Rend are `physical`, Chill is
    `spiritual`, and all others are `none`.
    `shunt`: leave it out to ask the target's player.
    `weapon_used`: a possession of the actor, instead of a number for the weapon. `armour_worn`: a possession of the
    target, instead of a number for the armour.
    `command`: what a Chill commands the target to do.
    """

    actor: CharacterId
    target: CharacterId
    expertise: ExpertiseName
    attribute: AttributeName
    power: PowerOptions = ()
    difficulty: Difficulty = 0
    reason: DifficultyReason = ""
    taken_off: TakenOff = 0
    taken_off_reason: TakenOffReason = ""
    hit_kind: HitName | None = None
    weapon: WeaponBonus = 0
    armour: ArmourValue = 0
    command: Reason = ""
    defend: Defends | None = None
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
    """Declare an action against another character, but do not carry it out yet. Others can then move to the front of
    the order first. Carry the action out with `carry-out`.

    `attribute`: what the roll is against: the actor's own attribute, or the target's if the target defends.
    `target_attribute`: the attribute that the target defends with. Leave it out if it is the same.
    `hit_kind`: leave it out to follow the Expertise, as in `attack`. `command`: what a Chill commands the target to do.
    `weapon_used`: a possession of the actor, instead of a number for the weapon. `armour_worn`: a possession of the
    target, instead of a number for the armour.
    """

    actor: CharacterId
    target: CharacterId
    expertise: ExpertiseName
    attribute: AttributeName
    power: PowerOptions = ()
    difficulty: Difficulty = 0
    reason: DifficultyReason = ""
    taken_off: TakenOff = 0
    taken_off_reason: TakenOffReason = ""
    hit_kind: HitName | None = None
    weapon: WeaponBonus = 0
    armour: ArmourValue = 0
    command: Reason = ""
    purpose: Reason = ""
    weapon_used: Annotated[str, Ref("possession", of="actor")] | None = None
    armour_worn: Annotated[str, Ref("possession", of="target")] | None = None
    target_attribute: AttributeName | None = None


@declares("carry-out", either(_actor, "the player of the character whose action is open"), records=outcomes.ATTACK)
class CarryOut:
    """Carry out the action that was declared. `shunt`: leave it out to ask the target's player."""

    defend: Defends | None = None
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
    """In a conflict, take an action that has no target, or whose target is a thing."""

    actor: CharacterId
    expertise: ExpertiseName
    attribute: AttributeName
    power: PowerOptions = ()
    thing: Title = ""
    difficulty: Difficulty = 0
    reason: DifficultyReason = ""
    taken_off: TakenOff = 0
    taken_off_reason: TakenOffReason = ""
    purpose: Reason = ""
    faces: Faces | None = None


@declares("pass", either("character"), records=outcomes.PASSED)
class Pass:
    """Pass the turn. A declared action that was not carried out is cancelled.

    `text`: what the character does, if anything. They need at least 1 Action Point for this, but do not spend it.
    """

    character: CharacterId
    text: Annotated[Story, Says("Action without dice")] = ""
