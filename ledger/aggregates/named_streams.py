"""The streams that the journal names, with digests. They are stored compactly, because every ruling has a stream."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from ledger.events.journal_check import NOTHING

#: The prefixes of streams that are numbered from one.
NUMBERED = ("ruling/", "waiting/w")


class NamedStreams:
    """For each stream, the digest of the versions that the journal names, or `NOTHING` (`ledger.events.journal_check`).

    Pickling packs the digests of numbered streams into arrays, by number.
    """

    __slots__ = ("_recent", "_rows")

    def __init__(self, campaign: str) -> None:
        self._recent: dict[str, int] = {}
        self._rows = {f"{campaign}/{kind}": array("q") for kind in NUMBERED}

    def __getitem__(self, stream: str) -> int:
        digest = self._recent.get(stream)
        return digest if digest is not None else self._find_digest_in_rows(stream)

    def __setitem__(self, stream: str, digest: int) -> None:
        self._recent[stream] = digest

    def __iter__(self) -> Iterator[str]:
        yield from self._recent
        for prefix, digests in self._rows.items():
            numbered_streams = (f"{prefix}{number}" for number, digest in enumerate(digests) if digest != NOTHING)
            yield from (stream for stream in numbered_streams if stream not in self._recent)

    def _find_digest_in_rows(self, stream: str) -> int:
        for prefix, digests in self._rows.items():
            if digests and stream.startswith(prefix) and stream[len(prefix) :].isdecimal():
                number = int(stream[len(prefix) :])
                return digests[number] if number < len(digests) else NOTHING
        return NOTHING

    def __getstate__(self) -> tuple[object, ...]:
        for prefix, digests in self._rows.items():
            streams_by_number = {
                int(stream[len(prefix) :]): stream for stream in self._recent if stream.startswith(prefix)
            }
            digests.extend([NOTHING] * (max(streams_by_number, default=0) + 1 - len(digests)))
            for number, stream in streams_by_number.items():
                digests[number] = self._recent.pop(stream)
        return self._recent, self._rows

    def __setstate__(self, state: tuple[dict[str, int], dict[str, array[int]]]) -> None:
        self._recent, self._rows = state
