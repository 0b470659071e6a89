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
    """Call for Mechanical Play. The caller's Personae go first.

    `scope`: fights at different Scopes each have an order of their own. `melee`: physical fighting with hand weapons at
    most.
    """

    characters: tuple[CharacterId, ...]
    scope: Scope = "individual"
    melee: bool = True
    caller: SeatId | None = None


@declares("shift-scope", ANYONE, records=("scope-shifted",))
class ShiftScope:
    """Shift Mechanical Play to another Scope without ending it, for example because there are too many Characters. Its
    caller or a Gamemaster can do this. The Round, the Turns and all Combat Advantage stay as they are.

    `to`: the new Scope. `scope`: the present one, if Mechanical Play is under way at several Scopes.
    """

    to: Scope
    scope: Scope | None = None


@declares("start-turn", ANYONE, records=("turn-started", "off-guard-set"))
class StartTurn:
    """Start a Character's Turn."""

    character: CharacterId


@declares("end-turn", ANYONE, records=("turn-ended",))
class EndTurn:
    """End a Character's Turn. Unused Actions are lost."""

    character: CharacterId


@declares("end-round", ANYONE, records=("round-ended",))
class EndRound:
    """End the Round, when everybody has had a Turn.

    `scope`: which, if Mechanical Play is under way at several Scopes.
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
    """End Mechanical Play, which is a lull. Its caller can end it. If anybody else does, the other Players present are
    asked.

    `mode`: the mode of Play that follows. `scope`: which, if Mechanical Play is under way at several Scopes. `claimed`:
    a Gamemaster records that they agreed, with a `reason`.
    """

    mode: ModeAfterwards = "specific"
    scope: Scope | None = None
    claimed: bool = False
    reason: Reason = ""


@declares("join-mechanical-play", ANYONE, records=("mechanical-play-joined", "off-guard-set"))
class JoinMechanicalPlay:
    """Join Mechanical Play while it is under way. The Player's place in the order is what it would have been at the
    beginning.
    """

    character: CharacterId
    scope: Scope | None = None


_LEFT = (
    "mechanical-play-left", "flurry-ended", "off-guard-set", "penalty-took-effect", "mechanical-play-ended",
    "play-mode-shifted",
)  # fmt: skip


@declares("leave-mechanical-play", ANYONE, records=_LEFT)
class LeaveMechanicalPlay:
    """Leave Mechanical Play. The Character's Actions and all Combat Advantage it holds or suffers end, and for this
    Character it is a lull. The last one to leave ends Mechanical Play.
    """

    character: CharacterId


@declares("expend-action", ANYONE, records=("action-expended",))
class ExpendAction:
    """Spend an Action without a roll, such as a running move or part of something Involved.

    `cost`: 1 or 2 Actions.
    """

    character: CharacterId
    what: Reason = "move"
    cost: Cost = 1


@declares("take-free-action", ANYONE, records=("free-action-taken",))
class TakeFreeAction:
    """Take a Free Action: one of the listed kinds, or one that the Group has accepted."""

    character: CharacterId
    action: FreeAction


@declares("accept-free-action", ANYONE, records=("free-action-accepted", "free-action-declined"))
class AcceptFreeAction:
    """Make something a Free Action for everybody from now on. All other Players present are asked.

    `claimed`: a Gamemaster records that they agreed, with a `reason`.
    """

    action: Title
    claimed: bool = False
    reason: Reason = ""


@declares("restore-free-actions", ANYONE, records=("free-capacity-restored", "action-expended"))
class RestoreFreeActions:
    """Spend an Action of your own Turn to restore all Free Actions."""

    character: CharacterId


@declares("forfeit-action", ANYONE, records=("action-forfeited",))
class ForfeitAction:
    """Give up an Action of the next Turn for a Reactive Action, while Engaged on another Character's Turn."""

    character: CharacterId
    resolution: ResolutionId


@declares(
    "go-all-out",
    ANYONE,
    records=("all-out-declared", "off-guard-set", "foe-changed", "advantage-erased", "act-declined"),
)
class GoAllOut:
    """Go for All-Out Attack, All-Out Defense or Focusing on a foe, until the Character's next Turn.

    `act`: the open resolution in which it attacks, defends itself, moves or acts against the foe. Leave it out to ask
    the Gamemaster.
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
    """Start a Flurry with an ability that has a script. On another Character's Turn, it opens with a Reactive Action
    and forfeits an Action. A Flurry that is under way at that Scope is interrupted.

    `script`: its steps; leave it out to use the one on the sheet.
    """

    character: CharacterId
    foe: CharacterId
    ability: Rating
    script: tuple[Step, ...] = ()


@declares("step-flurry", ANYONE, records=("flurry-stepped", "flurry-ended"))
class StepFlurry:
    """Take a step of the Flurry: a move, or an attack or defense that is then carried out. An Action that is paid for
    by the Flurry is already a step. The last step allowed by the limit must be carried out.
    """

    step: Step
    scope: Scope | None = None


@declares("interrupt-flurry", ANYONE, records=("flurry-ended", "action-expended", "action-forfeited"))
class InterruptFlurry:
    """Interrupt a Flurry with an Action that its script does not cover.

    `resolution`: a successful resolution of somebody in the fight that is not a step of the Flurry. `character`: who
    pays an Action instead, in its own Turn or from its next one.
    """

    what: Reason
    scope: Scope | None = None
    character: CharacterId | None = None
    resolution: ResolutionId | None = None


@declares("seize-advantage", ANYONE, records=("advantage-seized", "act-declined"))
class SeizeAdvantage:
    """Seize the first Combat Advantage over a foe. The holder's Player can do this, or the foe's Player by Yielding.

    `act`: the open resolution between the two that allows it. Leave it out to ask the Gamemaster; Yielding needs none.
    """

    holder: CharacterId
    foe: CharacterId
    cause: Reason
    act: ResolutionId | None = None


@declares("hold-advantage", ANYONE, records=("advantage-held", "act-declined"))
class HoldAdvantage:
    """Hold Combat Advantage over a foe, which adds 1. The holder's Player can do this.

    `act`: the open resolution between the two that allows it. Leave it out to ask the Gamemaster.
    """

    holder: CharacterId
    foe: CharacterId
    cause: Reason
    act: ResolutionId | None = None


@declares("check-advantage", ANYONE, records=("advantage-checked", "act-declined"))
class CheckAdvantage:
    """Check the Combat Advantage of a foe, which removes 1. The Player of the Persona that suffers from it can do this.

    `act`: the open resolution between the two that allows it. Leave it out to ask the Gamemaster.
    """

    holder: CharacterId
    foe: CharacterId
    cause: Reason
    act: ResolutionId | None = None


@declares("erase-advantage", ANYONE, records=("advantage-erased", "act-declined"))
class EraseAdvantage:
    """Erase all Combat Advantage of a foe, by an Upset or a Trick. The Player of the Persona that suffers from it can
    do this.

    `act`: the open resolution between the two that allows it. Leave it out to ask the Gamemaster.
    """

    holder: CharacterId
    foe: CharacterId
    cause: Reason
    act: ResolutionId | None = None


@declares("change-foe", ANYONE, records=("foe-changed", "advantage-erased"))
class ChangeFoe:
    """Turn to another foe without an act. An attack, a Flurry and Focusing already do this."""

    character: CharacterId
    foe: CharacterId


Input: TypeAlias = (
    CallMechanicalPlay | ShiftScope | StartTurn | EndTurn | EndRound | EndMechanicalPlay | JoinMechanicalPlay |
    LeaveMechanicalPlay | ExpendAction | TakeFreeAction | AcceptFreeAction | RestoreFreeActions | ForfeitAction |
    GoAllOut | StartFlurry | StepFlurry | InterruptFlurry | SeizeAdvantage | HoldAdvantage | CheckAdvantage |
    EraseAdvantage | ChangeFoe
)  # fmt: skip
