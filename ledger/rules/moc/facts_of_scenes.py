"""Facts of scenes: turns, actions and the plays on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, OneOf, Reason, Ref, Story
from ledger.rules.moc.domains import (
    ActionId,
    AnyCard,
    AnyColour,
    CharacteristicName,
    LevelName,
    PileId,
    PlayId,
    PlayOrChip,
    PlayOrRoll,
    PrimaryName,
)
from ledger.rules.moc.piles import Kind
from ledger.rules.moc.state_of_actions import Action, Play


@fact("cast-set")
class CastSet:
    cast: tuple[CharacterId, ...]


@fact("scene-over")
class SceneOver:
    pass


@fact("turn-ended")
class TurnEnded:
    turn: int


@fact("action-declared", version=2)
class ActionDeclared:
    """`action`: its id. `what`: the whole action."""

    action: ActionId
    what: Action


@fact("martial-art-named")
class MartialArtNamed:
    """The attacks of an action are made in this area of Martial Arts."""

    action: ActionId
    area: Annotated[str, Ref("martial-art")]


@fact("pool-split")
class PoolSplit:
    action: ActionId
    pool: int
    penalty: int
    parts: tuple[int, ...]


@fact("gm-dice-granted")
class GmDiceGranted:
    action: ActionId
    part: int
    n: int
    reason: Reason


@fact("characteristic-activated")
class CharacteristicActivated:
    action: ActionId
    characteristic: CharacteristicName
    primary: PrimaryName
    part: int
    dice: int
    tired: int = 0


@fact("own-dice-added")
class OwnDiceAdded:
    """Period dice or the dice of a Bit, added to an action."""

    action: ActionId
    part: int
    number: int


@fact("bit-used")
class BitUsed:
    """A Bit counts as the skill of a roll, so the character is not untrained."""

    action: ActionId
    part: int


@fact("beads-played")
class BeadsPlayed:
    action: ActionId
    play: PlayId
    what: Play


@fact("dice-rolled")
class DiceRolled:
    """Only the roller and game masters can see an opposed roll. `beads`: how many of the dice came from beads."""

    action: ActionId
    part: int
    faces: tuple[int, ...]
    bonus: tuple[int, ...]
    beads: int = 0


@fact("successes-declared")
class SuccessesDeclared:
    action: ActionId
    part: int
    target: CharacterId
    number: int
    beads: int


@fact("successes-taken-off")
class SuccessesTakenOff:
    """`net`: the declared successes that are left. `defence`: the resisting action; empty if nothing was rolled.

    `lowered`: how many of the successes taken off do not count, after a fumbled move.
    """

    action: ActionId
    part: int
    target: CharacterId
    number: int
    beads: int
    net: int
    defence: ActionId
    defence_part: int
    lowered: int = 0


@fact("play-trumped")
class PlayTrumped:
    """About the scene, the campaign (between scenes) or the character who heals.

    `pile`, `action`: what the trumped play was made on: an action, a hit, an initiative (or the next one), a healing,
    the story.
    """

    action: PileId
    play: PlayId
    what: Play
    pile: Kind = "action"


@fact("play-trumped-by-fiat")
class PlayTrumpedByFiat:
    """`play`: what is cancelled; for a roll its name, with the trump in `what`. `pile`, `action`: as for a trump."""

    action: PileId
    play: PlayOrRoll
    chip: AnyColour
    reason: Reason
    pile: Kind = "action"
    what: Play | None = None


@fact("effect-modifier-returned")
class EffectModifierReturned:
    """About the owner: a card goes back to the hand, or postings return beads or chips."""

    action: PileId
    play: PlayOrChip
    card: AnyCard = ""


@fact("effect-modifier-restored")
class EffectModifierRestored:
    """About the owner of beads: the trump that returned them was itself trumped."""

    action: PileId
    play: PlayId


@fact("plays-returned")
class PlaysReturned:
    action: PileId
    plays: tuple[PlayId, ...]
    returned: bool
    pile: Kind = "action"


@fact("action-determined")
class ActionDetermined:
    """An EM decides the action instead of dice. `level`: its number. `text`: what the player describes."""

    action: ActionId
    play: PlayId
    what: Play
    level: int
    text: Story


@fact("failure-shifted")
class FailureShifted:
    action: ActionId
    play: PlayId
    what: Play


@fact("automatic-success-claimed")
class AutomaticSuccessClaimed:
    action: ActionId
    part: int


@fact("automatic-success-approved")
class AutomaticSuccessApproved:
    action: ActionId
    part: int
    character: CharacterId


@fact("automatic-success-returned")
class AutomaticSuccessReturned:
    """The white chip was not needed: the roll, hidden when it was claimed, was a Success anyway."""

    action: ActionId
    part: int
    character: CharacterId


@fact("action-resolved")
class ActionResolved:
    """`level`: its name. `net`: the number of successes (5 stays 5). `targets`: for an opposed action, target -> net.

    `reserve`: successes saved. `tn`: the target number. `faces`, `bonus`: the dice, now visible to everybody.
    """

    action: ActionId
    part: int
    rolled: int
    added: int
    subtracted: int
    net: int
    level: LevelName
    number: int
    required: int
    passes: bool
    reserve: int
    tn: int
    faces: tuple[int, ...]
    bonus: tuple[int, ...]
    targets: Mapping[CharacterId, int]


@fact("actions-preempted")
class ActionsPreempted:
    action: ActionId
    parts: tuple[int, ...]
    returned: tuple[PlayId, ...]


@fact("preemption-waived")
class PreemptionWaived:
    action: ActionId
    part: int
    reason: Reason


@fact("consequence-told")
class ConsequenceTold:
    action: ActionId
    author: Annotated[str, OneOf(("gm", "player"))]
    text: Story
    approved: bool


SceneFact: TypeAlias = (
    CastSet | SceneOver | TurnEnded | ActionDeclared | PoolSplit | GmDiceGranted | CharacteristicActivated
    | OwnDiceAdded | BitUsed | BeadsPlayed | DiceRolled | SuccessesDeclared | SuccessesTakenOff | PlayTrumped
    | PlayTrumpedByFiat | EffectModifierReturned | EffectModifierRestored | PlaysReturned | FailureShifted
    | AutomaticSuccessClaimed | AutomaticSuccessApproved | AutomaticSuccessReturned | ActionDetermined | ActionResolved
    | ActionsPreempted | PreemptionWaived | ConsequenceTold | MartialArtNamed
)  # fmt: skip
