"""The current names of characters and scenes, for sentences that views keep with names left open."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from weakref import WeakKeyDictionary

from ledger.events.shelves import Shelf
from projections.documents.filling import find_subjects_in_sentences
from projections.redaction import ViewLens
from projections.views.pages import Reader

MOST_CAMPAIGNS = 1000  # the most campaigns whose names are kept


class _NameCache:
    """The names read so far from one shelf, by campaign. A new naming in a campaign clears its names."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._campaigns: OrderedDict[str, tuple[int, dict[str, str]]] = OrderedDict()

    def get_names(self, campaign: str, naming_position: int) -> dict[str, str]:
        with self._lock:
            cache_entry = self._campaigns.get(campaign)
            if cache_entry is None or cache_entry[0] != naming_position:
                cache_entry = self._campaigns[campaign] = (naming_position, {})
            self._campaigns.move_to_end(campaign)
            if len(self._campaigns) > MOST_CAMPAIGNS:
                self._campaigns.popitem(last=False)
            return cache_entry[1]


KEPT: WeakKeyDictionary[Shelf, _NameCache] = WeakKeyDictionary()


def find_names_in(reader: Reader, documents: Iterable[bytes]) -> dict[str, str]:
    """Return the names of the characters and scenes in documents: `character:12` -> name."""
    return find_names(reader, find_subjects_in_sentences(documents))


def find_names(reader: Reader, subjects: Iterable[str]) -> dict[str, str]:
    """Return the names of these subjects, except seats."""
    wanted_subjects = {subject for subject in subjects if not subject.startswith("seat:")}
    names = KEPT.setdefault(reader.transaction.shelf, _NameCache()).get_names(
        reader.campaign, reader.place.naming_position
    )
    if missing_subjects := wanted_subjects - names.keys():
        rows = reader.ask(
            "SELECT subject, called FROM {views}.sheets WHERE campaign = %(campaign)s AND subject = ANY(%(missing)s)",
            {"missing": sorted(missing_subjects)},
        )
        names.update(dict.fromkeys(missing_subjects, ""))
        names.update(rows)
    return {subject: names[subject] for subject in wanted_subjects}


def learn_names(lens: ViewLens, reader: Reader, documents: Iterable[bytes]) -> None:
    """Load the names in these documents into the lens."""
    lens.subject_names.update(find_names_in(reader, documents))
