"""The rolls of a ruling, to be shown as dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledger.rules.kernel.rolls import Die, Roll, plural
from ledger.rules.mnemonic.facts import CheckResolved, CheckRolled
from ledger.rules.mnemonic.tables import HIGHEST
from ledger.rules.mnemonic.terms import FLUKE_WORDS
from ledger.rules.mnemonic.thrown import DICE


def rolls(facts: Sequence[object]) -> Iterator[Roll]:
    """A check's roll, with its result if the ruling has it. What voices arrive at and cards are numbers, not dice."""
    rolled: CheckRolled | None = None
    for fact in facts:
        if isinstance(fact, CheckRolled):
            rolled = fact
        elif isinstance(fact, CheckResolved):
            word = "Success" if fact.success else "Failure"
            yield Roll(
                name="Check",
                dice=_dice(rolled),
                total=fact.total,
                success=fact.success,
                word=f"{word}: {FLUKE_WORDS[fact.fluke]}" if fact.fluke is not None else word,
                effect=plural(fact.successes, "Success", "Successes")
                if fact.success
                else plural(fact.failures, "Failure"),
            )
            rolled = None
    if rolled is not None:
        yield Roll(name="Check", dice=_dice(rolled), total=rolled.roll)


def _dice(rolled: CheckRolled | None) -> tuple[Die, ...]:
    if rolled is None or rolled.method not in DICE:
        return ()
    return tuple(Die(HIGHEST, face) for face in rolled.faces)
