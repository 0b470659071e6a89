"""What can become true of a body: tokens, harm, daze, fatigue, recovery, movement. All of it is about a character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import Reason, SceneId
from ledger.rules.moc.domains import AnyPrimary, CharacteristicName, HitId, MovementMode, PrimaryName


@fact("tokens-filled")
class TokensFilled:
    """A Primary's rating grew: so did its pool."""

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
    """What one hit did: `damage` and `pain` marked, `removed` points. `hit`: empty for a ruling of a game master."""

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
    """Pain of the turn that is over no longer counts with damage."""

    turn: int


@fact("scene-recovery-due")
class SceneRecoveryDue:
    steps: int


@fact("scene-recovery-taken")
class SceneRecoveryTaken:
    """`primary`: whose token came back; empty: a level of fatigue went."""

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
    """Until the turn is over the character defends with half the dice, rounded down."""


@fact("action-taken")
class ActionTaken:
    """`halves`: how much of the turn's action is spent by now, of two halves."""

    scene: SceneId
    turn: int
    halves: int


@fact("movement-made")
class MovementMade:
    """`penalty`: of a fumbled one. `dodge`: by how much it lowers what is taken off, until the turn is over."""

    mode: MovementMode
    metres: int
    penalty: Reason = ""
    dodge: int = 0


BodyFact: TypeAlias = (
    TokensFilled | TokenSpent | TokensLost | FatigueGained | HarmApplied | CharacterDazed | DazeEnded
    | TurnPassed | SceneRecoveryDue | SceneRecoveryTaken | RecoveryDeclared | RecoveryPreEmpted
    | RecoveryCompleted | ActionTaken | DefenceHalved | MovementMade
)  # fmt: skip
