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
    """The order of actions is set. `coins`: for complete ties; left out, the ruling asks for coins."""

    participants: tuple[CharacterId, ...]
    coins: tuple[Annotated[Coin, Fell(die=False)], ...] | None = None


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


@declares("attack", either("actor"), records=(*outcomes.PROPOSED, "action-declared", *outcomes.ATTACK))
class Attack:
    """An action on somebody, declared and carried out, in a conflict or outside.

    `attribute`: what it is rolled against, on either side.

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


@declares("declare-attack", either("actor"), records=(*outcomes.PROPOSED, "action-declared", "session-played"))
class DeclareAttack:
    """An action on somebody, only declared: others may take the front. `carry-out` follows."""

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
    """The turn goes by; an action declared and not carried out lapses.

    `text`: what is done, where it needs no dice; without an Action Point nothing is.
    """

    character: CharacterId
    text: Story = ""
