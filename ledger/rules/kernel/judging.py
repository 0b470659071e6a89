"""How the rulings that stand come out today, on what stands before each of them. Pure.

A ruling is correct where today's rules say of it what it recorded. Judged again are only the rulings that a decision
may have changed: they read what the rulings decided about tell of. All of them are judged in one pass.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ledger.rules.kernel.adjudication import Outcome
from ledger.rules.kernel.chronicle import Chronicle, Shared, of
from ledger.rules.kernel.citations import cited
from ledger.rules.kernel.fold import KERNEL_FACTS
from ledger.rules.kernel.frozen import quick
from ledger.rules.kernel.known_comparison import OF_THE_CARD
from ledger.rules.kernel.standing import Standing
from ledger.rules.kernel.subjects import CAMPAIGN


@quick
@dataclass(frozen=True, slots=True)
class Judged:
    """How a ruling comes out, whether it recorded that, and what it looked at."""

    outcome: Outcome
    as_recorded: bool
    reads: frozenset[str]


def judge(chronicle: Chronicle, revisions: Standing, decided: Collection[int]) -> Mapping[int, Judged]:
    """The standing rulings that come out otherwise, or may, since these were decided about; those themselves, too.

    `revisions`: what stands now. Of the chronicle's rulings, `reads` must say what each read before the decisions.
    """
    past = Shared(chronicle, revisions, 0)
    judged: dict[int, Judged] = {}
    for number in sorted(_concerned(chronicle, decided)):
        ruling = chronicle.ruling(number)
        if ruling is not None and past.stands(number):
            past.place = of(number)
            replayed, table = past.replayed(ruling)
            as_recorded = past.as_recorded(ruling, replayed.outcome)
            judged[number] = Judged(replayed.outcome, as_recorded, frozenset(table.reads))
    return judged


def _concerned(chronicle: Chronicle, decided: Collection[int]) -> set[int]:
    """Those decided about, and the later ones that read what any of them ever told of."""
    first = min(decided, default=0)
    names = {cited(number) for number in decided}
    for ruling in filter(None, map(chronicle.ruling, decided)):
        for subject, done in ruling.facts:
            names.add(str(subject))
            if subject == CAMPAIGN and type(done.fact) in KERNEL_FACTS:
                names.update(OF_THE_CARD)
    rows = (chronicle.readers[name] for name in names if name in chronicle.readers)
    return {*decided, *(number for row in rows for number in row if number > first)}
