"""Facts of Mechanical Play: Turns, Actions, Flurries, Combat Advantage. About the scene; but what the Group
accepts as Free Actions is the campaign's."""

from __future__ import annotations

from typing import TypeAlias

from ledger.rules.kernel.declarations import fact
from ledger.rules.scattershot.terms import AllOutMode, FlurryEnd


@fact("mechanical-play-called")
class MechanicalPlayCalled:
    """`order`: seats, the caller first, each to the right of the one before. `too_small`: the Scope, for so many."""

    caller: str
    characters: tuple[str, ...]
    order: tuple[str, ...]
    scope: str
    melee: bool
    too_small: bool


@fact("turn-started")
class TurnStarted:
    persona: str
    player: str
    actions: int


@fact("turn-ended")
class TurnEnded:
    persona: str


@fact("round-ended")
class RoundEnded:
    n: int
    scope: str


@fact("mechanical-play-ended")
class MechanicalPlayEnded:
    """For this Scope: another may go on beside it."""

    rounds: int
    scope: str


@fact("mechanical-play-goes-on")
class MechanicalPlayGoesOn:
    """`by`: who would have ended it; `against`: who declined."""

    scope: str
    by: str
    against: str


@fact("mechanical-play-joined")
class MechanicalPlayJoined:
    """`order`: of the seats, from now on. `waits`: for the next Round, as its place in this one has passed."""

    character: str
    scope: str
    order: tuple[str, ...]
    waits: bool


@fact("mechanical-play-left")
class MechanicalPlayLeft:
    character: str
    scope: str


@fact("action-expended")
class ActionExpended:
    persona: str
    cost: int
    what: str


@fact("action-forfeited")
class ActionForfeited:
    """An Action of one's next Turn. `for`: the resolution it answers."""

    persona: str
    for_: str


@fact("free-action-taken")
class FreeActionTaken:
    persona: str
    kind: str


@fact("free-action-accepted")
class FreeActionAccepted:
    """By the Group: it is Free from now on. `reason`: of a Gamemaster who records what they said."""

    action: str
    reason: str


@fact("free-action-declined")
class FreeActionDeclined:
    """`against`: who declined."""

    action: str
    against: str


@fact("free-capacity-restored")
class FreeCapacityRestored:
    persona: str


@fact("all-out-declared")
class AllOutDeclared:
    persona: str
    mode: AllOutMode
    foe: str | None


@fact("flurry-started")
class FlurryStarted:
    persona: str
    foe: str
    ability: str
    script: tuple[str, ...]
    limit: int


@fact("flurry-stepped")
class FlurryStepped:
    n: int
    step: str
    scope: str


@fact("flurry-ended")
class FlurryEnded:
    by: FlurryEnd
    scope: str


@fact("advantage-seized")
class AdvantageSeized:
    holder: str
    foe: str
    cause: str


@fact("advantage-held")
class AdvantageHeld:
    holder: str
    foe: str
    cause: str


@fact("advantage-checked")
class AdvantageChecked:
    holder: str
    foe: str
    cause: str


@fact("advantage-erased")
class AdvantageErased:
    holder: str
    foe: str
    n: int
    cause: str


@fact("foe-changed")
class FoeChanged:
    persona: str
    from_: str | None
    to: str


Fact: TypeAlias = (
    MechanicalPlayCalled | TurnStarted | TurnEnded | RoundEnded | MechanicalPlayEnded | MechanicalPlayGoesOn |
    MechanicalPlayJoined | MechanicalPlayLeft | ActionExpended | ActionForfeited | FreeActionTaken |
    FreeActionAccepted | FreeActionDeclined | FreeCapacityRestored | AllOutDeclared | FlurryStarted | FlurryStepped |
    FlurryEnded | AdvantageSeized | AdvantageHeld | AdvantageChecked | AdvantageErased | FoeChanged
)  # fmt: skip
