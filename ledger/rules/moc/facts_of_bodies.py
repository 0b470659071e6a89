"""Facts of bodies: tokens, harm, daze, fatigue, recovery, movement. All are about a character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import Reason, SceneId
from ledger.rules.moc.domains import AnyPrimary, CharacteristicName, HitId, MovementMode, PrimaryName


@fact("tokens-filled")
class TokensFilled:
    """The rating of a Primary grew, and its pool of tokens grew with it."""

    primary: PrimaryName
    number: int


@fact("token-spent")
class TokenSpent:
    """A token was spent to add a characteristic."""

    characteristic: CharacteristicName
    primary: PrimaryName


@fact("tokens-lost")
class TokensLost:
    """Tokens were lost. `lost`: how many of each Primary."""

    lost: Mapping[PrimaryName, int]


@fact("fatigue-gained")
class FatigueGained:
    """A character gained levels of fatigue."""

    number: int
    reason: Reason


@fact("harm-applied")
class HarmApplied:
    """What one hit did. `damage`, `pain`: how much the character took. `removed`: how many points were removed. `hit`:
    empty if a game master decided the harm.
    """

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
    """A character is no longer dazed."""

    reason: Reason


@fact("turn-passed")
class TurnPassed:
    """Pain from the previous turn no longer reduces the character's dice."""

    turn: int


@fact("scene-recovery-due")
class SceneRecoveryDue:
    """A character can take steps of recovery. `steps`: how many."""

    steps: int


@fact("scene-recovery-taken")
class SceneRecoveryTaken:
    """A character recovered after a scene. `primary`: the pool that got a token back; empty if a level of fatigue was
    removed instead.
    """

    fatigue: int
    primary: AnyPrimary = ""


@fact("recovery-declared")
class RecoveryDeclared:
    pass


@fact("recovery-pre-empted")
class RecoveryPreEmpted:
    """Something interrupted a character's rest."""

    reason: Reason


@fact("recovery-completed")
class RecoveryCompleted:
    """A character rested. `pain`: how much pain that removed."""

    pain: int


@fact("defence-halved")
class DefenceHalved:
    """Until the turn ends, the character defends with half the dice, rounded down."""


@fact("action-taken")
class ActionTaken:
    """A character used part of the turn's action. `halves`: how many of its two halves have been used so far."""

    scene: SceneId
    turn: int
    halves: int


@fact("movement-made")
class MovementMade:
    """A character moved. `penalty`: what happens because of a fumbled move. `dodge`: how many of the successes taken
    off each attack do not count until the turn ends.
    """

    mode: MovementMode
    metres: int
    penalty: Reason = ""
    dodge: int = 0


BodyFact: TypeAlias = (
    TokensFilled | TokenSpent | TokensLost | FatigueGained | HarmApplied | CharacterDazed | DazeEnded
    | TurnPassed | SceneRecoveryDue | SceneRecoveryTaken | RecoveryDeclared | RecoveryPreEmpted
    | RecoveryCompleted | ActionTaken | DefenceHalved | MovementMade
)  # fmt: skip
