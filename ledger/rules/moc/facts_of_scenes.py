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
    """The characters in the scene were set."""

    cast: tuple[CharacterId, ...]


@fact("scene-over")
class SceneOver:
    pass


@fact("turn-ended")
class TurnEnded:
    """A turn ended."""

    turn: int


@fact("action-declared", version=2)
class ActionDeclared:
    """An action was declared. `action`: its id. `what`: everything that was declared."""

    action: ActionId
    what: Action


@fact("martial-art-named")
class MartialArtNamed:
    """The attacks of an action are made in this area of Martial Arts."""

    action: ActionId
    area: Annotated[str, Ref("martial-art")]


@fact("pool-split")
class PoolSplit:
    """A dice pool was split between several actions. `penalty`: how many dice that cost."""

    action: ActionId
    pool: int
    penalty: int
    parts: tuple[int, ...]


@fact("gm-dice-granted")
class GmDiceGranted:
    """The game master added dice to a pool, or took some away. `n`: how many; negative if taken away."""

    action: ActionId
    part: int
    n: int
    reason: Reason


@fact("characteristic-activated")
class CharacteristicActivated:
    """A token added a characteristic to a pool. `dice`: how many dice. `tired`: how much fatigue this caused."""

    action: ActionId
    characteristic: CharacteristicName
    primary: PrimaryName
    part: int
    dice: int
    tired: int = 0


@fact("own-dice-added")
class OwnDiceAdded:
    """Period dice, or the dice of a Bit, were added to an action."""

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
    """Beads were played on an action. `what`: the play."""

    action: ActionId
    play: PlayId
    what: Play


@fact("dice-rolled")
class DiceRolled:
    """Dice were rolled. Only the roller and game masters can see an opposed roll. `beads`: how many of the dice came
    from beads.
    """

    action: ActionId
    part: int
    faces: tuple[int, ...]
    bonus: tuple[int, ...]
    beads: int = 0


@fact("successes-declared")
class SuccessesDeclared:
    """The active character declared successes against a target."""

    action: ActionId
    part: int
    target: CharacterId
    number: int
    beads: int


@fact("successes-taken-off")
class SuccessesTakenOff:
    """Some of the declared successes were taken off. `net`: how many are left. `defence`: the resisting action; empty
    if nothing was rolled. `lowered`: how many of the successes taken off do not count because of a fumbled move.
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
    """Subject: the scene, the campaign (between scenes) or the character who heals. A play was trumped. `pile`,
    `action`: what it had been played on: an action, a hit, an initiative roll (this one or the next), a healing roll or
    the story.
    """

    action: PileId
    play: PlayId
    what: Play
    pile: Kind = "action"


@fact("play-trumped-by-fiat")
class PlayTrumpedByFiat:
    """The game master cancelled a play or a roll. `play`: the id of the play, or the name of the roll. For a roll,
    `what` is the record of the cancellation. `pile`, `action`: as in `play-trumped`.
    """

    action: PileId
    play: PlayOrRoll
    chip: AnyColour
    reason: Reason
    pile: Kind = "action"
    what: Play | None = None


@fact("effect-modifier-returned")
class EffectModifierReturned:
    """Subject: the owner. A card went back to the hand, or beads or chips went back to their accounts."""

    action: PileId
    play: PlayOrChip
    card: AnyCard = ""


@fact("effect-modifier-restored")
class EffectModifierRestored:
    """Subject: the owner of the beads. The trump that had returned the beads was itself trumped, so the beads are
    spent.
    """

    action: PileId
    play: PlayId


@fact("plays-returned")
class PlaysReturned:
    """Everything played on an action went back to the players who played it, because the action was not attempted."""

    action: PileId
    plays: tuple[PlayId, ...]
    returned: bool
    pile: Kind = "action"


@fact("action-determined")
class ActionDetermined:
    """A bead, card or chip decided the action instead of dice. `level`: its number. `text`: what the
    player describes.
    """

    action: ActionId
    play: PlayId
    what: Play
    level: int
    text: Story


@fact("failure-shifted")
class FailureShifted:
    """An opponent turned a Failure into a Spectacular Failure."""

    action: ActionId
    play: PlayId
    what: Play


@fact("automatic-success-claimed")
class AutomaticSuccessClaimed:
    """A player claimed a Success for a white chip."""

    action: ActionId
    part: int


@fact("automatic-success-approved")
class AutomaticSuccessApproved:
    """The game master let a white chip make the action a Success."""

    action: ActionId
    part: int
    character: CharacterId


@fact("automatic-success-returned")
class AutomaticSuccessReturned:
    """The white chip was returned, because the action was a Success without it. The player could not know this when
    claiming the chip.
    """

    action: ActionId
    part: int
    character: CharacterId


@fact("action-resolved")
class ActionResolved:
    """The result of an action. `level`: the name of its level. `net`: the number of successes, which can be above 4.
    `targets`: for an opposed action, the net successes against each target. `reserve`: how many successes were saved.
    `tn`: the target number. `faces`, `bonus`: the dice, now visible to everybody.
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
    """The remaining parts of a split action are never attempted. `returned`: the plays that went back to
    their players.
    """

    action: ActionId
    parts: tuple[int, ...]
    returned: tuple[PlayId, ...]


@fact("preemption-waived")
class PreemptionWaived:
    """The game master let the remaining parts of a split action go on."""

    action: ActionId
    part: int
    reason: Reason


@fact("consequence-told")
class ConsequenceTold:
    """The game master or the player said what the level of an action means."""

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
