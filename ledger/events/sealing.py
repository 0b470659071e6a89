"""The sealed part of a campaign, and the bytes that are hashed.

All events of the campaign are sealed in stored order, save by save. In each save, the journal entry comes last.
Receipts (the service's answers) and access (who holds which token) are not sealed. Sealed events include the seats'
contributions to the dice, the commitments to seeds, and the open seeds of past epochs. No event contains a seed that is
still secret.
"""

from __future__ import annotations

from struct import Struct

SIZE = Struct(">q").pack
UNSEALED = frozenset({"receipt", "access"})  # kinds of streams that are not part of the record


def is_sealed_stream(originator_id: str) -> bool:
    """Return whether the events of the stream `<campaign>/<kind>/<id>` are part of the campaign's record."""
    return originator_id.split("/", 2)[1] not in UNSEALED


def encode_leaf(originator_id: str, originator_version: int, topic: str, state: bytes) -> bytes:
    """Return the stream, the version in decimal, the topic and the state. Each is preceded by its length in bytes, as
    eight big-endian bytes.

    The stream has its original name, so that an event has the same hash in a fork and in its origin.
    """
    stream_bytes, version_bytes, topic_bytes = originator_id.encode(), b"%d" % originator_version, topic.encode()
    return b"".join(
        (
            SIZE(len(stream_bytes)),
            stream_bytes,
            SIZE(len(version_bytes)),
            version_bytes,
            SIZE(len(topic_bytes)),
            topic_bytes,
            SIZE(len(state)),
            state,
        )
    )
