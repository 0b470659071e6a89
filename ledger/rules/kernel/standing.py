"""Which facts stand: a strike, a restoring and a revision are one thing.

Which facts of a ruling count is a map `ruling -> revision` (None: struck; missing: 0, as first ruled).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any, TypeAlias

Standing: TypeAlias = Mapping[int, int | None]


def standing(facts: Iterable[Any], revisions: Standing) -> list[Any]:
    """Return the facts that stand, in the order in which they fold."""
    revision = revisions.get
    kept = [record for record in facts if revision(record.ruling, 0) == record.revision]
    kept.sort(key=attrgetter("ruling", "step"))
    return kept
