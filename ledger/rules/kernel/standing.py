"""Which facts stand. Overturning, reinstating and revising are one operation.

Which facts of a ruling count is a map from ruling to revision (None: overturned; missing: 0, the first).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any, TypeAlias

Standing: TypeAlias = Mapping[int, int | None]


def list_standing(facts: Iterable[Any], revisions: Standing) -> list[Any]:
    """Return the facts that stand, in the order in which they fold."""
    revision = revisions.get
    kept = [record for record in facts if revision(record.ruling, 0) == record.revision]
    kept.sort(key=attrgetter("ruling", "step"))
    return kept
