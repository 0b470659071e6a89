"""Inputs of Mechanical Play: Turns, Actions, Flurries, Combat Advantage."""

from __future__ import annotations

from typing import TypeAlias

from ledger.rules.kernel.declarations import ANYONE, declares
from ledger.rules.kernel.domains import CharacterId, Reason, SeatId, Title
from ledger.rules.scattershot.declarers import BY_ITS_CALLER
from ledger.rules.scattershot.terms import (
    AllOutMode,
    Cost,
    FreeAction,
    ModeAfterwards,
    Rating,
    ResolutionId,
    Scope,
    Step,
)


@declares("call-mechanical-play", BY_ITS_CALLER, records=("mechanical-play-called",))
class CallMechanicalPlay:
    """Call for Mechanical Play, for example because a fight cannot be avoided. The caller's Personae go first.

    `characters`: who takes part. `scope`: the Scope; Mechanical Play at each Scope has its own order of Turns. `melee`:
    whether it is a Melee, which is a physical fight with hand weapons or bare hands. `caller`: who calls; leave it out
    for yourself.
    """

    characters: tuple[CharacterId, ...]
    scope: Scope = "individual"
    melee: bool = True
    caller: SeatId | None = None


@declares("shift-scope", ANYONE, records=("scope-shifted",))
class ShiftScope:
    """Shift Mechanical Play to another Scope without ending it, for example because there are too many Characters. The
    Player who called for it, or a Gamemaster, can do this. The Round, the Turns and all Combat Advantage stay as they
    are.

    `to`: the new Scope. `scope`: the current Scope, needed only if Mechanical Play is under way at several Scopes.
    """

    to: Scope
    scope: Scope | None = None


@declares("start-turn", ANYONE, records=("turn-started", "off-guard-set"))
class StartTurn:
    """Start a Character's Turn, which has 2 Actions minus those forfeited."""

    character: CharacterId


@declares("end-turn", ANYONE, records=("turn-ended",))
class EndTurn:
    """End a Character's Turn. Unused Actions are lost."""

    character: CharacterId


@declares("end-round", ANYONE, records=("round-ended",))
class EndRound:
    """End the Round when every Character has had a Turn.

    `scope`: the Scope of the Round, needed only if Mechanical Play is under way at several Scopes.
    """

    scope: Scope | None = None


@declares(
    "end-mechanical-play",
    ANYONE,
    records=(
        "mechanical-play-ended",
        "off-guard-set",
        "play-mode-shifted",
        "penalty-took-effect",
        "mechanical-play-goes-on",
    ),
)
class EndMechanicalPlay:
    """End Mechanical Play. This is a lull, so penalties that were waiting for one take effect. If anybody but the
    Player who called for Mechanical Play declares this, the other Players present are asked.

    `mode`: the mode of Play that follows. `scope`: the Scope that ends, needed only if Mechanical Play is under way at
    several Scopes. `claimed`: whether a Gamemaster records that the other Players agreed. This needs a `reason`.
    """

    mode: ModeAfterwards = "specific"
    scope: Scope | None = None
    claimed: bool = False
    reason: Reason = ""


@declares("join-mechanical-play", ANYONE, records=("mechanical-play-joined", "off-guard-set"))
class JoinMechanicalPlay:
    """Let a Character join Mechanical Play while it is under way. The Character's Player gets the place in the order
    that they would have had from the beginning.

    `scope`: the Scope to join, needed only if Mechanical Play is under way at several Scopes.
    """

    character: CharacterId
    scope: Scope | None = None


_LEFT = (
    "mechanical-play-left", "flurry-ended", "off-guard-set", "penalty-took-effect", "mechanical-play-ended",
    "play-mode-shifted",
)  # fmt: skip


@declares("leave-mechanical-play", ANYONE, records=_LEFT)
class LeaveMechanicalPlay:
    """Let a Character leave Mechanical Play. It loses its remaining Actions, and all Combat Advantage that it holds or
    suffers ends. For this Character, that is a lull. When the last Character leaves, Mechanical Play ends.
    """

    character: CharacterId


@declares("expend-action", ANYONE, records=("action-expended",))
class ExpendAction:
    """Spend an Action without a roll, for example on a running move or on part of an Action that takes several Turns.

    `what`: what the Character does; `move` is a running move. `cost`: how many Actions it costs.
    """

    character: CharacterId
    what: Reason = "move"
    cost: Cost = 1


@declares("take-free-action", ANYONE, records=("free-action-taken",))
class TakeFreeAction:
    """Take a Free Action, which costs nothing.

    `action`: one of the kinds that the game names, or one that the Group has accepted.
    """

    character: CharacterId
    action: FreeAction


@declares("accept-free-action", ANYONE, records=("free-action-accepted", "free-action-declined"))
class AcceptFreeAction:
    """Ask the Group to accept something as a Free Action for every Character from now on. All other Players present are
    asked.

    `action`: the new Free Action. `claimed`: whether a Gamemaster records that the other Players agreed. This needs a
    `reason`.
    """

    action: Title
    claimed: bool = False
    reason: Reason = ""


@declares("restore-free-actions", ANYONE, records=("free-capacity-restored", "action-expended"))
class RestoreFreeActions:
    """Spend an Action of the Character's Turn so that it can take all its Free Actions again in this Round."""

    character: CharacterId


@declares("forfeit-action", ANYONE, records=("action-forfeited",))
class ForfeitAction:
    """Give up an Action of a Character's next Turn to react once more, while the Character is Engaged on somebody
    else's Turn. To oppose with a forfeited Action, use `answer-engagement` instead.

    `resolution`: the resolution in which the Character is Engaged.
    """

    character: CharacterId
    resolution: ResolutionId


@declares(
    "go-all-out",
    ANYONE,
    records=("all-out-declared", "off-guard-set", "foe-changed", "advantage-erased", "act-declined"),
)
class GoAllOut:
    """Choose All-Out Attack, All-Out Defense or Focusing for a Character. This lasts until its next Turn.

    `mode`: `attack` allows no defense; `defense` allows only defense and movement; `focusing` makes the Character
    Off-Guard to everybody but the foe. `foe`: the foe, needed for Focusing. `act`: the open resolution in which the
    Character attacks, defends itself, moves or acts against the foe. Leave it out to ask the Gamemaster.
    """

    character: CharacterId
    mode: AllOutMode
    foe: CharacterId | None = None
    act: ResolutionId | None = None


@declares(
    "start-flurry",
    ANYONE,
    records=(
        "flurry-started",
        "flurry-ended",
        "action-expended",
        "action-forfeited",
        "foe-changed",
        "advantage-erased",
    ),
)
class StartFlurry:
    """Start a Flurry: a series of attacks, defenses and moves that costs only one Action. On another Character's Turn
    it begins as a reaction and costs an Action of the next Turn. Any other Flurry under way at that Scope is
    interrupted.

    `ability`: the ability whose script is followed. `script`: the possible steps; leave it out to use the script on the
    Persona Sheet.
    """

    character: CharacterId
    foe: CharacterId
    ability: Rating
    script: tuple[Step, ...] = ()


@declares("step-flurry", ANYONE, records=("flurry-stepped", "flurry-ended"))
class StepFlurry:
    """Announce the next step of a Flurry: a move, or an attack or defense that you then declare. You need not announce
    an Action that the Flurry pays for. Once the last step that the limit allows is announced, it must be carried out.

    `step`: a step of the script. `scope`: the Scope of the Flurry, needed only if Mechanical Play is under way at
    several Scopes.
    """

    step: Step
    scope: Scope | None = None


@declares("interrupt-flurry", ANYONE, records=("flurry-ended", "action-expended", "action-forfeited"))
class InterruptFlurry:
    """Interrupt a Flurry with an Action that its script does not cover. Give either `resolution` or `character`.

    `what`: what interrupts the Flurry. `resolution`: a successful Action, by somebody in the fight, that is not a step
    of the Flurry. `character`: who spends an Action of this Turn or the next one on the interruption. `scope`: the
    Scope, needed only if Mechanical Play is under way at several Scopes.
    """

    what: Reason
    scope: Scope | None = None
    character: CharacterId | None = None
    resolution: ResolutionId | None = None


@declares("seize-advantage", ANYONE, records=("advantage-seized", "act-declined"))
class SeizeAdvantage:
    """Seize 1 point of Combat Advantage over a foe. The holder's Player can do this. If the foe's Player does it, this
    is called Yielding.

    `holder`: who gets the Combat Advantage. `foe`: who suffers from that Combat Advantage. `cause`: the reason, such as
    Reach or a good hit. `act`: the open resolution between these two Characters that allows this. Leave it out to ask
    the Gamemaster; Yielding needs none.
    """

    holder: CharacterId
    foe: CharacterId
    cause: Reason
    act: ResolutionId | None = None


@declares("hold-advantage", ANYONE, records=("advantage-held", "act-declined"))
class HoldAdvantage:
    """Hold Combat Advantage over a foe, which adds 1 point to it. The holder's Player can do this.

    `holder`: who has the Combat Advantage. `foe`: who suffers from that Combat Advantage. `cause`: the reason, such as
    Cornering or the High Ground. `act`: the open resolution between these two Characters that allows this. Leave it out
    to ask the Gamemaster.
    """

    holder: CharacterId
    foe: CharacterId
    cause: Reason
    act: ResolutionId | None = None


@declares("check-advantage", ANYONE, records=("advantage-checked", "act-declined"))
class CheckAdvantage:
    """Check a foe's Combat Advantage, which removes 1 point of it. The Player of the Character that suffers from it can
    do this.

    `holder`: who has the Combat Advantage. `foe`: who suffers from that Combat Advantage and Checks it. `cause`: the
    reason, such as Backing Off. `act`: the open resolution between these two Characters that allows this. Leave it out
    to ask the Gamemaster.
    """

    holder: CharacterId
    foe: CharacterId
    cause: Reason
    act: ResolutionId | None = None


@declares("erase-advantage", ANYONE, records=("advantage-erased", "act-declined"))
class EraseAdvantage:
    """Erase all Combat Advantage that a Character has over a foe, because of an Upset or a Trick. The foe's Player can
    do this.

    `holder`: who loses the Combat Advantage. `foe`: who suffers from that Combat Advantage. `cause`: the reason, such
    as an Upset. `act`: the open resolution between these two Characters that allows this. Leave it out to ask the
    Gamemaster.
    """

    holder: CharacterId
    foe: CharacterId
    cause: Reason
    act: ResolutionId | None = None


@declares("change-foe", ANYONE, records=("foe-changed", "advantage-erased"))
class ChangeFoe:
    """Turn a Character to another foe without attacking. The Character loses all Combat Advantage over others. An
    attack, a Flurry and Focusing turn a Character to another foe, too, so this is not needed with them.
    """

    character: CharacterId
    foe: CharacterId


Input: TypeAlias = (
    CallMechanicalPlay | ShiftScope | StartTurn | EndTurn | EndRound | EndMechanicalPlay | JoinMechanicalPlay |
    LeaveMechanicalPlay | ExpendAction | TakeFreeAction | AcceptFreeAction | RestoreFreeActions | ForfeitAction |
    GoAllOut | StartFlurry | StepFlurry | InterruptFlurry | SeizeAdvantage | HoldAdvantage | CheckAdvantage |
    EraseAdvantage | ChangeFoe
)  # fmt: skip
