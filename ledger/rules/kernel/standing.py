"""Find the facts that stand.

A map from ruling to revision says which facts count: those of this revision of the ruling, or none if it is None,
because the ruling is overturned. A ruling that is not in the map has revision 0, the first. So overturning, reinstating
and revising are the same operation: a change in this map.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from ledger.rules.kernel.places import AFTER, RULING_AND_STEP, get_fold_key

Standing: TypeAlias = Mapping[int, int | None]


def list_standing_facts(facts: Iterable[Any], revisions: Standing) -> list[Any]:
    """Return the facts that stand, in the order in which they are folded."""
    find_revision = revisions.get
    standing_facts = [record for record in facts if find_revision(record.ruling, 0) == record.revision]
    standing_facts.sort(key=get_fold_key if any(map(AFTER, standing_facts)) else RULING_AND_STEP)
    return standing_facts
