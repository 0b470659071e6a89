"""Find the facts that stand.

`Standing` maps each ruling to the revision that stands, or to None if the ruling is overturned. A ruling that is not in
the map has revision 0. So overturning, reinstating and revising are all changes of this map.
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
