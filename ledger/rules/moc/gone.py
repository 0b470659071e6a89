"""Who is gone: the dead, the sacrificed, the retired neither act nor play. What fell to them before counts.

Headings "Fate", "Chips".
"""

from __future__ import annotations

from collections.abc import Mapping

from ledger.rules.kernel.subjects import character
from ledger.rules.moc import guards
from ledger.rules.moc.acting import Doer, doer_of
from ledger.rules.moc.draft import Draft
from ledger.rules.moc.inputs import INPUTS
from ledger.rules.moc.terms import GONE

#: Who acts, by input. Every input says so itself.
DOERS: Mapping[type, Doer | None] = {kind: doer_of(kind) for kind in INPUTS}


def check(draft: Draft, do: object) -> None:
    """Refuses `character-gone`: what was thrown before counts, and nothing more is done, answered or scored."""
    doer = DOERS.get(type(do))
    id = doer(draft.table, do) if doer is not None else None
    if id and draft.table.has(character(id)):
        guards.in_play(draft, id)


def heir_of(draft: Draft, id: str) -> str:
    """Who gets what falls to the character now: the next one of its player, once it is gone and there is one."""
    table = draft.table
    if draft.who(id).status not in GONE:
        return id
    roster = [one.id for one in table.subjects("character")]
    later = roster[roster.index(id) + 1 :]
    own = table.owner(character(id))
    return next((one for one in later if table.owner(character(one)) == own and draft.who(one).status not in GONE), id)


def fell_this_evening(draft: Draft, id: str) -> bool:
    """Still in play, or gone since the session began that is going on, or just over."""
    who = draft.who(id)
    return who.status not in GONE or who.fell == draft.evening()
