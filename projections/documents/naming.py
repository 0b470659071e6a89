"""What people and scenes are called now, for the sentences that views keep with these names left open."""

from __future__ import annotations

from collections.abc import Iterable

from projections.documents.filling import NAMED
from projections.redaction import ViewLens
from projections.views.pages import Reader


def names_in(reader: Reader, campaign: str, documents: Iterable[str]) -> dict[str, str]:
    """The names of the characters and scenes that stand in documents: `character:12` -> name."""
    wanted = {subject for document in documents for subject in NAMED.findall(document)}
    wanted = {subject for subject in wanted if not subject.startswith("seat:")}
    if not wanted:
        return {}
    rows = reader.ask(
        "SELECT subject, called FROM {views}.sheets WHERE campaign = %(campaign)s AND subject = ANY(%(wanted)s)",
        {"campaign": campaign, "wanted": sorted(wanted)},
    )
    return dict(rows)


def look_up(lens: ViewLens, reader: Reader, campaign: str, documents: Iterable[str]) -> None:
    """Learn these names."""
    lens.subjects.update(names_in(reader, campaign, documents))
