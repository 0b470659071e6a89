"""Facts of Mechanical Play: Turns, Actions, Flurries, Combat Advantage. About the scene; but what the Group
accepts as Free Actions is the campaign's."""

from __future__ import annotations

from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.kernel.domains import CharacterId, Reason, SeatId, Title
from ledger.rules.scattershot.terms import AllOutMode, FlurryEnd, FreeAction, Occasion, Rating, Scope, Step


@fact("mechanical-play-called")
class MechanicalPlayCalled:
    """Mechanical Play began. `order`: the seats, starting with the caller, each to the right of the previous one.
    `too_small`: whether the Scope is too small for the number of Characters.
    """

    caller: SeatId
    characters: tuple[CharacterId, ...]
    order: tuple[SeatId, ...]
    scope: Scope
    melee: bool
    too_small: bool


@fact("scope-shifted")
class ScopeShifted:
    """Mechanical Play shifted to another Scope. `too_small`: whether that Scope is too small for the number of
    Characters.
    """

    from_: Scope
    to: Scope
    too_small: bool


@fact("turn-started")
class TurnStarted:
    """A Persona's Turn began. `actions`: how many Actions it has."""

    persona: CharacterId
    player: SeatId
    actions: int


@fact("turn-ended")
class TurnEnded:
    """A Persona's Turn ended."""

    persona: CharacterId


@fact("round-ended")
class RoundEnded:
    """A Round ended. `n`: its number."""

    n: int
    scope: Scope


@fact("mechanical-play-ended")
class MechanicalPlayEnded:
    """Mechanical Play ended at this Scope. It may continue at another."""

    rounds: int
    scope: Scope


@fact("mechanical-play-goes-on")
class MechanicalPlayGoesOn:
    """Mechanical Play continues. `by`: the seat that wanted to end it. `against`: the seat that declined."""

    scope: Scope
    by: SeatId
    against: SeatId


@fact("mechanical-play-joined")
class MechanicalPlayJoined:
    """A Character joined Mechanical Play. `order`: the order of the seats from now on. `waits`: whether the Character
    must wait for the next Round, because its place in this one has passed.
    """

    character: CharacterId
    scope: Scope
    order: tuple[SeatId, ...]
    waits: bool


@fact("mechanical-play-left")
class MechanicalPlayLeft:
    """A Character left Mechanical Play."""

    character: CharacterId
    scope: Scope


@fact("action-expended")
class ActionExpended:
    """A Persona used Actions of its Turn. `cost`: how many."""

    persona: CharacterId
    cost: int
    what: Reason


@fact("action-forfeited")
class ActionForfeited:
    """A Persona gave up an Action of its next Turn. `for`: the resolution in which it reacts."""

    persona: CharacterId
    for_: Occasion


@fact("free-action-taken")
class FreeActionTaken:
    """A Persona took a Free Action. `kind`: which one."""

    persona: CharacterId
    kind: FreeAction


@fact("free-action-accepted")
class FreeActionAccepted:
    """The Group accepted a new Free Action. `reason`: if a Gamemaster recorded the agreement for the others, why."""

    action: Title
    reason: Reason


@fact("free-action-declined")
class FreeActionDeclined:
    """The Group did not accept a new Free Action. `against`: the seat that said no."""

    action: Title
    against: SeatId


@fact("free-capacity-restored")
class FreeCapacityRestored:
    """A Persona can take all its Free Actions again in this Round."""

    persona: CharacterId


@fact("all-out-declared")
class AllOutDeclared:
    """A Persona went into an All-Out Attack or an All-Out Defense, or is Focusing on a foe."""

    persona: CharacterId
    mode: AllOutMode
    foe: CharacterId | None


@fact("flurry-started")
class FlurryStarted:
    """A Persona began a Flurry. `limit`: how many steps it can have."""

    persona: CharacterId
    foe: CharacterId
    ability: Rating
    script: tuple[Step, ...]
    limit: int


@fact("flurry-stepped")
class FlurryStepped:
    """The next step of a Flurry. `n`: its number."""

    n: int
    step: Step
    scope: Scope


@fact("flurry-ended")
class FlurryEnded:
    """A Flurry ended. `by`: what ended it."""

    by: FlurryEnd
    scope: Scope


@fact("advantage-seized")
class AdvantageSeized:
    """The `holder` got its first point of Combat Advantage over the `foe`."""

    holder: CharacterId
    foe: CharacterId
    cause: Reason


@fact("advantage-held")
class AdvantageHeld:
    """The `holder` got 1 more point of Combat Advantage over the `foe`."""

    holder: CharacterId
    foe: CharacterId
    cause: Reason


@fact("advantage-checked")
class AdvantageChecked:
    """The `holder` lost 1 point of Combat Advantage over the `foe`."""

    holder: CharacterId
    foe: CharacterId
    cause: Reason


@fact("advantage-erased")
class AdvantageErased:
    """The `holder` lost all Combat Advantage over the `foe`. `n`: how many points."""

    holder: CharacterId
    foe: CharacterId
    n: int
    cause: Reason


@fact("foe-changed")
class FoeChanged:
    """A Persona turned to another foe."""

    persona: CharacterId
    from_: CharacterId | None
    to: CharacterId


@fact("act-declined")
class ActDeclined:
    """A Character needed a ruling, because no declared Action was named. `what`: what the Gamemaster did not allow."""

    character: CharacterId
    what: Reason


Fact: TypeAlias = (
    ActDeclined | MechanicalPlayCalled | ScopeShifted | TurnStarted | TurnEnded | RoundEnded |
    MechanicalPlayEnded | MechanicalPlayGoesOn | MechanicalPlayJoined | MechanicalPlayLeft | ActionExpended |
    ActionForfeited | FreeActionTaken | FreeActionAccepted | FreeActionDeclined | FreeCapacityRestored |
    AllOutDeclared | FlurryStarted | FlurryStepped | FlurryEnded | AdvantageSeized | AdvantageHeld |
    AdvantageChecked | AdvantageErased | FoeChanged
)  # fmt: skip
