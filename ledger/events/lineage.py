"""The campaigns in which a campaign's saves were written. A fork has its origin's saves byte for byte, under its own
id.

Such a save names streams (in its journal entry, in the list of a ruling's facts) as they were called in the campaign
where it was written. The save is sealed under those names, and its dice are recomputed under them, so that every proof
about the origin also holds for the fork.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping


def name_stream_here(campaign: str, stream: str) -> str:
    """Return a stream's name in this campaign."""
    return f"{campaign}/{stream.partition('/')[2]}"


def name_streams_here(campaign: str, streams: Mapping[str, int]) -> Mapping[str, int]:
    """Return the streams that a journal entry names, with their names in this campaign. An entry names streams of one
    campaign only.
    """
    home = find_home(streams)
    if home in (None, campaign):
        return streams
    prefix = f"{home}/"
    return {
        name_stream_here(campaign, stream) if stream.startswith(prefix) else stream: latest
        for stream, latest in streams.items()
    }


def find_home(streams: Iterable[str]) -> str | None:
    """Return the campaign in which an entry was written, according to the streams that it names. Return None if it
    names no stream. Such an entry was written in the same campaign as the entry before it.
    """
    stream = next(iter(streams), None)
    return stream.partition("/")[0] if stream is not None else None


class Lineage:
    """The campaigns in which a campaign's saves were written: its ancestors, the oldest first, and then the campaign
    itself.
    """

    __slots__ = ("_campaigns", "_first_positions", "id")

    def __init__(self, id: str, ancestors: Iterable[tuple[str, int]] = ()) -> None:
        """Set the lineage. `ancestors`: earlier campaigns, each with the position of the last save written in it."""
        self.id = id
        self._first_positions: list[int] = []
        self._campaigns: list[str] = []
        first_position = 1
        for campaign, last_position in ancestors:
            self._add_campaign(first_position, campaign)
            first_position = last_position + 1
        if self._first_positions:
            self._add_campaign(first_position, id)

    def _add_campaign(self, first_position: int, campaign: str) -> None:
        self._first_positions.append(first_position)
        self._campaigns.append(campaign)

    def note_entry(self, position: int, streams: Iterable[str]) -> None:
        """Note the next journal entry with the streams that it names."""
        home = find_home(streams)
        if home is not None and home != (self._campaigns[-1] if self._campaigns else self.id):
            self._add_campaign(position, home)

    def find_home(self, position: int) -> str:
        """Return the campaign in which the save at the position was written."""
        place = bisect_right(self._first_positions, position)
        return self._campaigns[place - 1] if place else self.id

    @property
    def ancestors(self) -> list[tuple[str, int]]:
        """Return the ancestors, each with the position of the last save written in it. A campaign that is not a fork
        has no ancestors.
        """
        last_positions = [first - 1 for first in self._first_positions[1:]]
        return list(zip(self._campaigns, last_positions, strict=False))
