"""What can be accepted in this game and is not offered: by kind, which declarations, and why."""

from __future__ import annotations

from ledger.rules.scattershot.cashing_in import Develop
from ledger.rules.scattershot.consequences import Consequences, NameConsequences
from ledger.rules.scattershot.plot_devices import PlotDevice
from tests.rules.moves import Unoffered


def _mixed(do: PlotDevice) -> bool:
    return len(do.dice) > 2 and len({(one.die, one.borrower) for one in do.dice}) > 1


def _divided(said: Consequences | None) -> bool:
    """Return whether more than three points are in parts that are not all alike."""
    if said is None:
        return False
    values = [one.value for one in said.disadvantages]
    uses = [*(one.amount for one in said.residuals), *filter(None, (said.advantages, said.benefits, said.other))]
    numbers = [[n for n in those if type(n) is int] for those in (values, uses)]  # a mutant may say anything
    return any(sum(those) > 3 and len(those) > 1 for those in numbers)


UNOFFERED: Unoffered = {
    Develop: (
        lambda do: do.faces is not None,
        "Faces that were typed in are one for each die, and how many these are stands in two other fields.",
    ),
    PlotDevice: (_mixed, "Of each kind of dice there are so many; in a list of several kinds each is counted apart."),
    NameConsequences: (
        lambda do: _divided(do.consequences),
        "The parts have a sum that is not to be passed: of more than three points not every division is listed.",
    ),
}
