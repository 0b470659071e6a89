"""Snapshots: a campaign as a process knew it, kept outside the record, so that a new process reads only newer events.

They only save time. A snapshot is ignored unless it was made with the server's key, by the same source code, from the
same journal. An audit compares it with the campaign rebuilt from its events.
"""

from __future__ import annotations

import hashlib
import io
import logging
import pickle
import sys
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

from ledger.aggregates.campaign import Campaign
from ledger.aggregates.randomness import Randomness
from ledger.aggregates.subject_stream import SubjectStream
from ledger.application.keys import Keys
from ledger.application.sources import hash_all_sources
from ledger.events.away import describe_trouble
from ledger.events.recorder import Row
from ledger.events.snapshots import SnapshotStore, Stored
from ledger.rules import systems
from ledger.rules.kernel.contract import Ruleset
from ledger.rules.kernel.subjects import Subject

#: A snapshot is made after `EVERY` saves, or after 1/`OF_ITS_LENGTH` of all saves if that is more.
EVERY, OF_ITS_LENGTH = 256, 256
SHORT = 64  # a subject with so few events is read as fast as its snapshot
MAC = 32  # bytes
log = logging.getLogger("ledger.snapshots")


class Frozen(NamedTuple):
    """A subject's stream as bytes, read up to this version."""

    version: int
    state: bytes


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot. `entry`: the digest of the journal entry at its position. `digests_behind`: the digests of frozen
    subjects with unread events.
    """

    campaign: Campaign
    entry: bytes
    subjects: Mapping[Subject, Frozen]
    digests_behind: Mapping[Subject, int]
    randomness: Randomness | None
    randomness_digest_behind: int | None


class Snapshots:
    """The stored snapshots, made and opened with the server's key."""

    def __init__(self, store: SnapshotStore, keys: Keys) -> None:
        self.store, self.keys = store, keys
        hash_sources()  # computed now, so that nobody waits for it later
        self._writer: ThreadPoolExecutor | None = None
        self._write_in_progress: Future[None] | None = None
        self._lock = Lock()

    def load_snapshot(self, campaign: str) -> Snapshot | None:
        """Return the campaign's snapshot, or None if there is no trusted one."""
        stored_snapshot = self.store.load(campaign)
        if stored_snapshot is None:
            return None
        try:
            return self.open_snapshot(campaign, stored_snapshot)
        except Untrusted as problem:
            log.error("The snapshot of campaign %s is ignored: %s.", campaign, problem)
            return None

    def open_snapshot(self, campaign: str, stored_snapshot: Stored) -> Snapshot | None:
        """Return the snapshot, or None if other versions of the source code made it. Raise Untrusted if it was not made
        with the server's key, or cannot be read.
        """
        mac, snapshot_bytes = stored_snapshot.state[:MAC], stored_snapshot.state[MAC:]
        if not self.keys.has_signed_snapshot(campaign, snapshot_bytes, mac):
            raise Untrusted("it was not made with this server's key")
        if snapshot_bytes[: len(hash_sources())] != hash_sources():
            return None
        try:
            snapshot: Snapshot = thaw_value(snapshot_bytes[len(hash_sources()) :])
        except Exception as problem:
            raise Untrusted("it can't be read") from problem
        if snapshot.campaign.id != campaign or snapshot.campaign.position != stored_snapshot.position:
            raise Untrusted("it belongs to another campaign or save")
        return snapshot

    def keep_snapshot(self, snapshot: Snapshot) -> None:
        """Write a snapshot in the background, unless an earlier one is still being written."""
        with self._lock:
            if self._write_in_progress is not None and not self._write_in_progress.done():
                return
            self._writer = self._writer or ThreadPoolExecutor(1, "snapshots")
            snapshot_bytes = hash_sources() + freeze_value(snapshot)
            self._write_in_progress = self._writer.submit(
                self._store_snapshot, snapshot.campaign.id, snapshot.campaign.position, snapshot_bytes
            )

    def _store_snapshot(self, campaign: str, position: int, snapshot_bytes: bytes) -> None:
        try:
            self.store.keep(
                campaign, Stored(position, self.keys.sign_snapshot(campaign, snapshot_bytes) + snapshot_bytes)
            )
        except Exception as problem:  # noqa: BLE001  (the record has all of it)
            log.warning("The snapshot of campaign %s was not kept: %s", campaign, describe_trouble(problem))

    def close(self) -> None:
        """Close after the current snapshot is written."""
        if self._writer is not None:
            self._writer.shutdown()


class Untrusted(Exception):
    """A stored snapshot that cannot be trusted, with the reason."""


def find_next_snapshot_position(position: int) -> int:
    """Return the position of the next snapshot after one at this position."""
    return position + max(EVERY, position // OF_ITS_LENGTH)


def hash_entry(entry: Row) -> bytes:
    """Return the digest of a journal entry, as stored."""
    _, version, topic, state = entry
    return hashlib.sha256(b"\n".join((str(version).encode(), topic.encode(), state))).digest()


@cache
def hash_sources() -> bytes:
    """Return a digest of everything that turns events into states: the source code of the ledger and the games, and the
    interpreter.
    """
    return hashlib.sha256(sys.version.encode() + hash_all_sources()).digest()


class _Pickler(pickle.Pickler):
    def persistent_id(self, obj: object) -> str | None:
        return obj.name if isinstance(obj, Ruleset) else None


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, pid: Any) -> object:
        return systems()[pid]


def freeze_value(value: object) -> bytes:
    buffer = io.BytesIO()
    _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    return buffer.getvalue()


def thaw_value(state: bytes) -> Any:
    """Return the value in these bytes. Use this only for bytes signed with the server's key, because unpickling can run
    any code.
    """
    return _Unpickler(io.BytesIO(state)).load()


def is_worth_keeping(stream: SubjectStream) -> bool:
    """Return whether the stream can be continued and is too long to be read again quickly."""
    return stream.version > SHORT and not stream.is_outdated


def freeze_stream(stream: SubjectStream) -> Frozen:
    return Frozen(stream.version, freeze_value(stream))
