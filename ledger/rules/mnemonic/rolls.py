"""What a decision names of the check it is about: the roll, and the result."""

from __future__ import annotations

from ledger.rules.mnemonic.facts import CheckResolved, CheckRolled
from ledger.rules.mnemonic.parts import CameOut, Rolled


def the_roll(rolled: CheckRolled) -> Rolled:
    """Return the roll as decisions name it."""
    return Rolled(rolled.roll, rolled.fluke, rolled.run, rolled.ruling, rolled.entered)


def came_out(done: CheckResolved) -> CameOut:
    """Return the result as decisions name it: a recovery is named for this result and no other."""
    return CameOut(done.roll, done.fluke, done.successes, done.rolled)
