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
    """The caller's Personae go first. `scope`: a squad of one is possible beside single persons, each in an order
    of its own. `melee`: physical fighting, hand weapons at most."""

    characters: tuple[CharacterId, ...]
    scope: Scope = "individual"
    melee: bool = True
    caller: SeatId | None = None


@declares("start-turn", ANYONE, records=("turn-started", "off-guard-set"))
class StartTurn:
    character: CharacterId


@declares("end-turn", ANYONE, records=("turn-ended",))
class EndTurn:
    """Actions left are lost."""

    character: CharacterId


@declares("end-round", ANYONE, records=("round-ended",))
class EndRound:
    """Back at the caller. `scope`: where there is Mechanical Play in more than one."""

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
    """A lull. `mode`: general or specific. `scope`: where there is Mechanical Play in more than one; others go on.

    By whoever called it, or by the Group: everybody else who is there is asked. `claimed`: a Gamemaster
    records that they agreed, with a `reason`.
    """

    mode: ModeAfterwards = "specific"
    scope: Scope | None = None
    claimed: bool = False
    reason: Reason = ""


@declares("join-mechanical-play", ANYONE, records=("mechanical-play-joined", "off-guard-set"))
class JoinMechanicalPlay:
    """While it is under way: its Player's place in the order is what it would have been at the beginning."""

    character: CharacterId
    scope: Scope | None = None


_LEFT = (
    "mechanical-play-left", "flurry-ended", "off-guard-set", "penalty-took-effect", "mechanical-play-ended",
    "play-mode-shifted",
)  # fmt: skip


@declares("leave-mechanical-play", ANYONE, records=_LEFT)
class LeaveMechanicalPlay:
    """With its Actions and every Advantage it holds or suffers. For who leaves it is a lull; the last one
    ends it."""

    character: CharacterId


@declares("expend-action", ANYONE, records=("action-expended",))
class ExpendAction:
    """An Action without a roll: a running move, an instalment of something Involved (1 or 2)."""

    character: CharacterId
    what: Reason = "move"
    cost: Cost = 1


@declares("take-free-action", ANYONE, records=("free-action-taken",))
class TakeFreeAction:
    """`action`: look-around, drop-item, fall-down, move-a-yard, soliloquy, change-ability, last-ditch-dodge, or
    another the Group accepted (`accept-free-action`)."""

    character: CharacterId
    action: FreeAction


@declares("accept-free-action", ANYONE, records=("free-action-accepted", "free-action-declined"))
class AcceptFreeAction:
    """An act more that is Free from now on, to anybody: the Group accepts it, so everybody else who is there is asked.
    `claimed`: a Gamemaster records that they did, with a `reason`."""

    action: Title
    claimed: bool = False
    reason: Reason = ""


@declares("restore-free-actions", ANYONE, records=("free-capacity-restored", "action-expended"))
class RestoreFreeActions:
    """1 Action of one's Turn for a second cycle of Free Actions."""

    character: CharacterId


@declares("forfeit-action", ANYONE, records=("action-forfeited",))
class ForfeitAction:
    """One Action of the next Turn for a Reactive Action, while Engaged on another's Turn."""

    character: CharacterId
    resolution: ResolutionId


@declares(
    "go-all-out",
    ANYONE,
    records=("all-out-declared", "off-guard-set", "foe-changed", "advantage-erased", "act-declined"),
)
class GoAllOut:
    """All-Out Attack, All-Out Defense, or Focusing on a foe; until one's next Turn. `act`: the open resolution in which
    it attacks, defends itself or moves, or acts against the foe. Without it the Gamemaster is asked."""

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
    """By an ability with a script: the one on the sheet, or the one given. On another's Turn it opens with a Reactive
    Action, forfeited. One that goes on in that Scope is interrupted by it."""

    character: CharacterId
    foe: CharacterId
    ability: Rating
    script: tuple[Step, ...] = ()


@declares("step-flurry", ANYONE, records=("flurry-stepped", "flurry-ended"))
class StepFlurry:
    """A step of the script: a move, or an attack or a defense that is then played out. One that is declared, or
    answered with, and paid by the Flurry is a step without it. The last one the limit allows
    must be played out."""

    step: Step
    scope: Scope | None = None


@declares("interrupt-flurry", ANYONE, records=("flurry-ended", "action-expended", "action-forfeited"))
class InterruptFlurry:
    """An Action the script does not cover, successful: a `resolution` of somebody in the fight that succeeded and is no
    step of the Flurry; or an Action that `character` pays for, on its own Turn or with one of the next."""

    what: Reason
    scope: Scope | None = None
    character: CharacterId | None = None
    resolution: ResolutionId | None = None


@declares("seize-advantage", ANYONE, records=("advantage-seized", "act-declined"))
class SeizeAdvantage:
    """From none to 1. By the holder's Player; or by the foe's, who Yields it. `act`: the open resolution of an Action
    between the two that gives it. Without it the Gamemaster is asked; Yielding needs none."""

    holder: CharacterId
    foe: CharacterId
    cause: Reason
    act: ResolutionId | None = None


@declares("hold-advantage", ANYONE, records=("advantage-held", "act-declined"))
class HoldAdvantage:
    """1 more. By the holder's Player. `act`: as in seizing it."""

    holder: CharacterId
    foe: CharacterId
    cause: Reason
    act: ResolutionId | None = None


@declares("check-advantage", ANYONE, records=("advantage-checked", "act-declined"))
class CheckAdvantage:
    """1 less. By the foe's Player, whose Persona suffers it. `act`: as in seizing it."""

    holder: CharacterId
    foe: CharacterId
    cause: Reason
    act: ResolutionId | None = None


@declares("erase-advantage", ANYONE, records=("advantage-erased", "act-declined"))
class EraseAdvantage:
    """All of it: an Upset, or a Trick. By the foe's Player. `act`: as in seizing it."""

    holder: CharacterId
    foe: CharacterId
    cause: Reason
    act: ResolutionId | None = None


@declares("change-foe", ANYONE, records=("foe-changed", "advantage-erased"))
class ChangeFoe:
    """Engaging another by choice, without an act that says so: an attack, a Flurry and Focusing do."""

    character: CharacterId
    foe: CharacterId


Input: TypeAlias = (
    CallMechanicalPlay | StartTurn | EndTurn | EndRound | EndMechanicalPlay | JoinMechanicalPlay |
    LeaveMechanicalPlay | ExpendAction | TakeFreeAction | AcceptFreeAction | RestoreFreeActions | ForfeitAction |
    GoAllOut | StartFlurry | StepFlurry | InterruptFlurry | SeizeAdvantage | HoldAdvantage | CheckAdvantage |
    EraseAdvantage | ChangeFoe
)  # fmt: skip
