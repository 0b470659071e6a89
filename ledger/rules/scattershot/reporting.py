"""What a roll amounts to, in the ruling in which it is rolled. 3.5."""

from __future__ import annotations

from ledger.rules.scattershot.application import judged_as
from ledger.rules.scattershot.draft import Draft
from ledger.rules.scattershot.facts_of_deeds import RollReported
from ledger.rules.scattershot.reckoning import basic, final, opposers, resultant
from ledger.rules.scattershot.state import Resolution
from ledger.rules.scattershot.terms import ACTOR, Outcome


def report_roll(draft: Draft, id: str, roll: str) -> None:
    """`mib.report`: made or missed by how much, and what it means once everybody has rolled."""
    resolution = draft.resolution(id)
    mib, resistors = basic(resolution, roll), opposers(resolution)
    complete = all(is_rolled(resolution, name) for name in resolution.sides)
    rmib, outcomes = {}, {}
    if complete:
        rmib = {name: resultant(basic(resolution, ACTOR), basic(resolution, name)) for name in resistors}
        outcomes = {name or ACTOR: _outcome(draft, resolution, name) for name in resistors or (None,)}
    draft.here(RollReported(id, roll, mib, rmib, outcomes))
    draft.by("mib.report", mib, roll=roll)


def is_rolled(resolution: Resolution, name: str) -> bool:
    """Whether this side has a MIB. A plot device is Experience Dice alone."""
    side = resolution.sides[name]
    return resolution.actor is None or bool(side.dice) or side.replaced


def _outcome(draft: Draft, resolution: Resolution, resistor: str | None) -> Outcome:
    """Return what the number means as it stands."""
    number = final(resolution, resistor, draft.dials.contested_adjust)
    juncture = judged_as(draft, number)
    if resistor is not None:
        match draft.dials.contested_juncture:
            case "each-initial":
                juncture = None
            case "rmib-and-initial":
                initial = (basic(resolution, ACTOR), basic(resolution, resistor))
                juncture = juncture if any(judged_as(draft, mib) for mib in initial) else None
    if juncture is not None:
        return juncture
    return "success" if number > 0 else "minimal-success" if number == 0 else "failure"
