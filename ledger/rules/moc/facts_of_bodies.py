"""Facts of bodies: tokens, harm, daze, fatigue, recovery, movement. All are about a character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import Reason, SceneId
from ledger.rules.moc.domains import AnyPrimary, CharacteristicName, HitId, MovementMode, PrimaryName


@fact("tokens-filled")
class TokensFilled:
    """A Primary's rating and its pool grew."""

    primary: PrimaryName
    number: int


@fact("token-spent")
class TokenSpent:
    characteristic: CharacteristicName
    primary: PrimaryName


@fact("tokens-lost")
class TokensLost:
    lost: Mapping[PrimaryName, int]


@fact("fatigue-gained")
class FatigueGained:
    number: int
    reason: Reason


@fact("harm-applied")
class HarmApplied:
    """What one hit did: `damage` and `pain` taken, points `removed`. `hit`: empty if a game master decided it."""

    hit: HitId
    damage: int
    pain: int
    removed: int
    reason: Reason = ""


@fact("character-dazed")
class CharacterDazed:
    pass


@fact("daze-ended")
class DazeEnded:
    reason: Reason


@fact("turn-passed")
class TurnPassed:
    """Pain from the previous turn no longer counts with damage."""

    turn: int


@fact("scene-recovery-due")
class SceneRecoveryDue:
    steps: int


@fact("scene-recovery-taken")
class SceneRecoveryTaken:
    """`primary`: the pool that got a token back; empty if a level of fatigue was lost."""

    fatigue: int
    primary: AnyPrimary = ""


@fact("recovery-declared")
class RecoveryDeclared:
    pass


@fact("recovery-pre-empted")
class RecoveryPreEmpted:
    reason: Reason


@fact("recovery-completed")
class RecoveryCompleted:
    pain: int


@fact("defence-halved")
class DefenceHalved:
    """Until the turn ends, the character defends with half the dice, rounded down."""


@fact("action-taken")
class ActionTaken:
    """`halves`: how much of the turn's action is used so far, of two halves."""

    scene: SceneId
    turn: int
    halves: int


@fact("movement-made")
class MovementMade:
    """`penalty`: for a fumbled move. `dodge`: how many fewer successes the character takes off until the turn ends."""

    mode: MovementMode
    metres: int
    penalty: Reason = ""
    dodge: int = 0


BodyFact: TypeAlias = (
    TokensFilled | TokenSpent | TokensLost | FatigueGained | HarmApplied | CharacterDazed | DazeEnded
    | TurnPassed | SceneRecoveryDue | SceneRecoveryTaken | RecoveryDeclared | RecoveryPreEmpted
    | RecoveryCompleted | ActionTaken | DefenceHalved | MovementMade
)  # fmt: skip
