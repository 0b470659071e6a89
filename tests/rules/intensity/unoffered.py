"""What can be accepted in this game and is no move: by kind, which ones, and why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from ledger.rules.intensity.attacks import ChooseImpact
from ledger.rules.intensity.fatals import UseFatal
from ledger.rules.intensity.healing import HealingMoment
from ledger.rules.intensity.negotiation import Negotiate
from ledger.rules.intensity.out_of_play import FatalUse, Fate
from ledger.rules.intensity.state import Scene
from ledger.rules.intensity.turns import SettleTie
from ledger.rules.kernel.world import Past
from tests.rules.moves import Unoffered

U = TypeVar("U", FatalUse, Fate)
UNOFFERED: Unoffered = {
    HealingMoment: (
        lambda do: any(own.heal == "none" for own in do.choices),
        "Who is not hurt need not say that nothing heals.",
    ),
    SettleTie: (lambda do: bool(do.faces), "Whether throws typed in are enough depends on what they show."),
}


def plainly(past: Past, do: Any) -> Any:
    """What a fatal does to traits is offered as a list, of one or of several; its use, by who holds it."""
    match do:
        case UseFatal() | Negotiate():
            return replace(do, uses=tuple(_by_holder(past, _as_list(use)) for use in do.uses))
        case ChooseImpact() if do.at_once is not None:
            return replace(do, at_once=_as_list(do.at_once))
    return do


def _as_list(use: U) -> U:
    mutilations = (*((use.mutilation,) if use.mutilation is not None else ()), *use.mutilations)
    return replace(use, mutilation=None, mutilations=mutilations)


def _by_holder(past: Past, use: FatalUse) -> FatalUse:
    scenes = (folded.state for folded in past.folded.values() if isinstance(folded.state, Scene))
    held = (scene.fatals[use.fatal].holder for scene in scenes if use.fatal in scene.fatals)
    return replace(use, by=next(held, None)) if use.by is None else use
