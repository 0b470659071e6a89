"""The campaigns that wrote a campaign's saves. A fork has the saves of its origin byte for byte.

Such a save names streams as they were called in the origin. It is sealed under those names, and its dice are recomputed
under them, so that every proof about the origin also holds for the fork.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping


def name_stream_here(campaign: str, stream: str) -> str:
    """Return a stream's name in this campaign."""
    return f"{campaign}/{stream.partition('/')[2]}"


def name_streams_here(campaign: str, streams: Mapping[str, int]) -> Mapping[str, int]:
    """Return the streams that a journal entry names, with their names in this campaign."""
    home = find_home(streams)
    if home in (None, campaign):
        return streams
    prefix = f"{home}/"
    return {
        name_stream_here(campaign, stream) if stream.startswith(prefix) else stream: latest
        for stream, latest in streams.items()
    }


def find_home(streams: Iterable[str]) -> str | None:
    """Return the campaign that wrote an entry, according to the names of its streams. Return None for an entry without
    streams: the campaign of the previous entry wrote it.
    """
    stream = next(iter(streams), None)
    return stream.partition("/")[0] if stream is not None else None


class Lineage:
    """The campaigns that wrote a campaign's saves: its ancestors, the oldest first, and then the campaign itself."""

    __slots__ = ("_campaigns", "_first_positions", "id")

    def __init__(self, id: str, ancestors: Iterable[tuple[str, int]] = ()) -> None:
        """Set the lineage. `ancestors`: earlier campaigns, each with the position of the last save that it wrote."""
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
        """Return the campaign that wrote the save at the position."""
        place = bisect_right(self._first_positions, position)
        return self._campaigns[place - 1] if place else self.id

    @property
    def ancestors(self) -> list[tuple[str, int]]:
        """Return the ancestors, each with the position of the last save that it wrote. Only a fork has ancestors."""
        last_positions = [first - 1 for first in self._first_positions[1:]]
        return list(zip(self._campaigns, last_positions, strict=False))
