"""The form of every stored event: a body around one fact or record."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from ledger.rules.kernel.contract import Posting
from ledger.rules.kernel.subjects import Audience

F = TypeVar("F")
#: A JSON object as it is stored.
Json: TypeAlias = dict[str, Any]
#: A function that turns a stored record into the form of the next version.
Upcast: TypeAlias = Callable[[Json], Json]


class Body(
    msgspec.Struct,
    Generic[F],
    frozen=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    kw_only=True,
    gc=False,
):
    """The state of one event. In psql: `convert_from(state, 'utf8')::jsonb`. Defaults are left out.

    - position: the journal entry of its save.
    - by: the seat that recorded it ("" for the operator).
    - at: UTC, RFC 3339.
    - salt: 144 random bits, so that the hash of a withheld entry cannot be guessed.
    - ruling, step: its place in the fold (0, 0: outside any ruling).
    - revision: the revision of that ruling (0: the first).
    - after: if its ruling was entered late, the ruling after which it was entered; else 0.
    - session: the session that was open when the event was recorded. For a late entry, the session at its place in
      play.
    - rolls: in a journal entry, how often the ledger had rolled for the campaign by the end of its save.
    """

    position: int
    by: str
    at: str
    salt: str
    ruling: int = 0
    step: int = 0
    revision: int = 0
    after: int = 0
    session: str = ""
    audience: Audience = None
    postings: tuple[Posting, ...] = ()
    rolls: int = 0
    fact: F


class Event(msgspec.Struct, frozen=True, gc=False):
    """A body with its place: the stream, and the version in that stream (from 1). The library calls this a domain
    event.
    """

    originator_id: str
    originator_version: int
    body: Body[Any]


def format_time(at: datetime) -> str:
    """Return a time in its stored form: UTC, RFC 3339. Texts in this form sort by time."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
