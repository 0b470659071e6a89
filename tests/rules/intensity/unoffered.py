"""What can be accepted in this game and is no move: by kind, which ones, and why."""

from __future__ import annotations

from ledger.rules.intensity.inputs_of_rounds import SettleTie
from tests.rules.moves import Unoffered

UNOFFERED: Unoffered = {
    SettleTie: (lambda do: bool(do.faces), "Whether throws typed in are enough depends on what they show."),
}
