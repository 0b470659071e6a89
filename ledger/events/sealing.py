"""What of a campaign is sealed, and the bytes that are hashed of it.

Sealed is every event of the campaign in stored order (save by save, within a save as saved, the journal's entry last),
but receipts, which are what the service answered, and access, which is who holds which token. What a seat mixes into
the dice, what was committed to, and the open seeds once they are revealed are events; a secret seed never is.
"""

from __future__ import annotations

from struct import Struct

SIZE = Struct(">q").pack
UNSEALED = frozenset({"receipt", "access"})  # kinds of streams that are nobody's history


def sealed(originator_id: str) -> bool:
    """Return whether the events of the stream `<campaign>/<kind>/<id>` are part of the campaign's own record."""
    return originator_id.split("/", 2)[1] not in UNSEALED


def leaf_bytes(originator_id: str, originator_version: int, topic: str, state: bytes) -> bytes:
    """Stream, version in decimal, topic and state, each after its length in bytes as eight big-endian bytes.

    The stream as it was called where the event was written: what a fork took over hashes as it does in its origin.
    """
    stream, version, name = originator_id.encode(), b"%d" % originator_version, topic.encode()
    return b"".join(
        (SIZE(len(stream)), stream, SIZE(len(version)), version, SIZE(len(name)), name, SIZE(len(state)), state)
    )
