"""What can become true of a scene: turns, actions and what is played on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.moc.piles import Kind
from ledger.rules.moc.state import Action, Play


@fact("cast-set")
class CastSet:
    cast: tuple[str, ...]


@fact("scene-over")
class SceneOver:
    pass


@fact("turn-ended")
class TurnEnded:
    turn: int


@fact("action-declared")
class ActionDeclared:
    """`action`: its id. `what`: all of it."""

    action: str
    what: Action


@fact("pool-split")
class PoolSplit:
    action: str
    pool: int
    penalty: int
    parts: tuple[int, ...]


@fact("gm-dice-granted")
class GmDiceGranted:
    action: str
    part: int
    n: int
    reason: str


@fact("characteristic-activated")
class CharacteristicActivated:
    action: str
    characteristic: str
    primary: str
    part: int
    dice: int
    tired: int = 0


@fact("own-dice-added")
class OwnDiceAdded:
    """Period dice or a Bit's, put on an action."""

    action: str
    part: int
    number: int


@fact("beads-played")
class BeadsPlayed:
    action: str
    play: str
    what: Play


@fact("dice-rolled")
class DiceRolled:
    """Secret to roller and game master while opposed. `beads`: how many of the dice came from beads."""

    action: str
    part: int
    faces: tuple[int, ...]
    bonus: tuple[int, ...]
    beads: int = 0


@fact("successes-declared")
class SuccessesDeclared:
    action: str
    part: int
    target: str
    number: int
    beads: int


@fact("successes-taken-off")
class SuccessesTakenOff:
    """`net`: what is left of what was declared. `defence`: the resister's action; empty: none was rolled.

    `lowered`: how many of them count for nothing, after a fumbled move.
    """

    action: str
    part: int
    target: str
    number: int
    beads: int
    net: int
    defence: str
    defence_part: int
    lowered: int = 0


@fact("play-trumped")
class PlayTrumped:
    """About the scene, the campaign (told between scenes) or who heals.

    `pile`, `action`: on what it lies: an action, a hit, somebody's initiative (or the coming one), a healing, a story.
    """

    action: str
    play: str
    what: Play
    pile: Kind = "action"


@fact("play-trumped-by-fiat")
class PlayTrumpedByFiat:
    """`play`: what is cancelled; of a roll its name, and then `what` lies on it. `pile`, `action`: as of a trump."""

    action: str
    play: str
    chip: str
    reason: str
    pile: Kind = "action"
    what: Play | None = None


@fact("effect-modifier-returned")
class EffectModifierReturned:
    """About the owner: a card to its hand, or beads and chips, by postings."""

    action: str
    play: str
    card: str = ""


@fact("effect-modifier-restored")
class EffectModifierRestored:
    """About the owner of beads: the trump that gave them back was trumped itself."""

    action: str
    play: str


@fact("plays-returned")
class PlaysReturned:
    action: str
    plays: tuple[str, ...]
    returned: bool
    pile: Kind = "action"


@fact("action-determined")
class ActionDetermined:
    """An EM decides the action in place of dice. `level`: its number; `text`: what the player tells."""

    action: str
    play: str
    what: Play
    level: int
    text: str


@fact("failure-shifted")
class FailureShifted:
    action: str
    play: str
    what: Play


@fact("automatic-success-claimed")
class AutomaticSuccessClaimed:
    action: str
    part: int


@fact("automatic-success-approved")
class AutomaticSuccessApproved:
    action: str
    part: int
    character: str


@fact("automatic-success-returned")
class AutomaticSuccessReturned:
    """The white chip was not needed: the roll, hidden when it was claimed, was a Success anyway."""

    action: str
    part: int
    character: str


@fact("action-resolved")
class ActionResolved:
    """`level`: its name. `net`: the number kept (5 stays 5). `targets`: of an opposed action, target -> net.

    `reserve`: successes saved. `used`: the target number. `faces` and `bonus`: what came up, for all to see.
    """

    action: str
    part: int
    rolled: int
    added: int
    subtracted: int
    net: int
    level: str
    number: int
    required: int
    passes: bool
    reserve: int
    tn: int
    faces: tuple[int, ...]
    bonus: tuple[int, ...]
    targets: Mapping[str, int]


@fact("actions-preempted")
class ActionsPreempted:
    action: str
    parts: tuple[int, ...]
    returned: tuple[str, ...]


@fact("preemption-waived")
class PreemptionWaived:
    action: str
    part: int
    reason: str


@fact("consequence-told")
class ConsequenceTold:
    action: str
    author: str
    text: str
    approved: bool


SceneFact: TypeAlias = (
    CastSet | SceneOver | TurnEnded | ActionDeclared | PoolSplit | GmDiceGranted | CharacteristicActivated
    | OwnDiceAdded | BeadsPlayed | DiceRolled | SuccessesDeclared | SuccessesTakenOff | PlayTrumped
    | PlayTrumpedByFiat | EffectModifierReturned | EffectModifierRestored | PlaysReturned | FailureShifted
    | AutomaticSuccessClaimed | AutomaticSuccessApproved | AutomaticSuccessReturned | ActionDetermined | ActionResolved
    | ActionsPreempted | PreemptionWaived | ConsequenceTold
)  # fmt: skip
