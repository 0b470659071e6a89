"""Facts of Mechanical Play: Turns, Actions, Flurries, Combat Advantage. About the scene; but what the Group
accepts as Free Actions is the campaign's."""

from __future__ import annotations

from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, Reason, SeatId, Title
from ledger.rules.scattershot.terms import AllOutMode, FlurryEnd, FreeAction, Occasion, Rating, Scope, Step


@fact("mechanical-play-called")
class MechanicalPlayCalled:
    """`order`: seats, the caller first, each to the right of the previous one. `too_small`: the Scope is too small for
    that many Characters.
    """

    caller: SeatId
    characters: tuple[CharacterId, ...]
    order: tuple[SeatId, ...]
    scope: Scope
    melee: bool
    too_small: bool


@fact("scope-shifted")
class ScopeShifted:
    """Mechanical Play goes on at another Scope. `too_small`: it is too small for that many Characters."""

    from_: Scope
    to: Scope
    too_small: bool


@fact("turn-started")
class TurnStarted:
    persona: CharacterId
    player: SeatId
    actions: int


@fact("turn-ended")
class TurnEnded:
    persona: CharacterId


@fact("round-ended")
class RoundEnded:
    n: int
    scope: Scope


@fact("mechanical-play-ended")
class MechanicalPlayEnded:
    """Mechanical Play ended at this Scope. It may continue at another."""

    rounds: int
    scope: Scope


@fact("mechanical-play-goes-on")
class MechanicalPlayGoesOn:
    """`by`: who wanted to end it; `against`: who declined."""

    scope: Scope
    by: SeatId
    against: SeatId


@fact("mechanical-play-joined")
class MechanicalPlayJoined:
    """`order`: of the seats, from now on. `waits`: until the next Round, because its place in this one has passed."""

    character: CharacterId
    scope: Scope
    order: tuple[SeatId, ...]
    waits: bool


@fact("mechanical-play-left")
class MechanicalPlayLeft:
    character: CharacterId
    scope: Scope


@fact("action-expended")
class ActionExpended:
    persona: CharacterId
    cost: int
    what: Reason


@fact("action-forfeited")
class ActionForfeited:
    """An Action of the Persona's next Turn was given up. `for`: the resolution it answers."""

    persona: CharacterId
    for_: Occasion


@fact("free-action-taken")
class FreeActionTaken:
    persona: CharacterId
    kind: FreeAction


@fact("free-action-accepted")
class FreeActionAccepted:
    """The Group accepted a new Free Action. `reason`: why a Gamemaster recorded that they agreed, if one did."""

    action: Title
    reason: Reason


@fact("free-action-declined")
class FreeActionDeclined:
    """`against`: the seat that declined."""

    action: Title
    against: SeatId


@fact("free-capacity-restored")
class FreeCapacityRestored:
    persona: CharacterId


@fact("all-out-declared")
class AllOutDeclared:
    persona: CharacterId
    mode: AllOutMode
    foe: CharacterId | None


@fact("flurry-started")
class FlurryStarted:
    persona: CharacterId
    foe: CharacterId
    ability: Rating
    script: tuple[Step, ...]
    limit: int


@fact("flurry-stepped")
class FlurryStepped:
    n: int
    step: Step
    scope: Scope


@fact("flurry-ended")
class FlurryEnded:
    by: FlurryEnd
    scope: Scope


@fact("advantage-seized")
class AdvantageSeized:
    holder: CharacterId
    foe: CharacterId
    cause: Reason


@fact("advantage-held")
class AdvantageHeld:
    holder: CharacterId
    foe: CharacterId
    cause: Reason


@fact("advantage-checked")
class AdvantageChecked:
    holder: CharacterId
    foe: CharacterId
    cause: Reason


@fact("advantage-erased")
class AdvantageErased:
    holder: CharacterId
    foe: CharacterId
    n: int
    cause: Reason


@fact("foe-changed")
class FoeChanged:
    persona: CharacterId
    from_: CharacterId | None
    to: CharacterId


@fact("act-declined")
class ActDeclined:
    """`what`: what the Gamemaster did not allow without a declared Action."""

    character: CharacterId
    what: Reason


Fact: TypeAlias = (
    ActDeclined | MechanicalPlayCalled | ScopeShifted | TurnStarted | TurnEnded | RoundEnded |
    MechanicalPlayEnded | MechanicalPlayGoesOn | MechanicalPlayJoined | MechanicalPlayLeft | ActionExpended |
    ActionForfeited | FreeActionTaken | FreeActionAccepted | FreeActionDeclined | FreeCapacityRestored |
    AllOutDeclared | FlurryStarted | FlurryStepped | FlurryEnded | AdvantageSeized | AdvantageHeld |
    AdvantageChecked | AdvantageErased | FoeChanged
)  # fmt: skip
