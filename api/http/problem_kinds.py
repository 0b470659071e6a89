"""Every kind of problem with its status, type and title, and the kind for each error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ledger.errors import (
    Denied,
    Fault,
    GameAtFault,
    KeyReused,
    LedgerError,
    Malformed,
    Newer,
    NotFound,
    NotYours,
    Stale,
    Unavailable,
    WrongStatus,
)

RETRY_AFTER = "5"  # seconds


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem. `name`: the end of its type's URI."""

    status: int
    name: str
    title: str
    headers: Mapping[str, str] = field(default_factory=dict)


DENIED = Kind(401, "denied", "A token is needed", {"WWW-Authenticate": "Bearer"})
NOT_YOURS = Kind(403, "not-yours", "Your seat may not do this")
NOT_FOUND = Kind(404, "not-found", "Not found")
NO_METHOD = Kind(405, "method-not-allowed", "Method not allowed")
NOT_ACCEPTABLE = Kind(406, "not-acceptable", "Format not available")
WRONG_STATUS = Kind(409, "wrong-status", "Not possible in its current status")
STALE = Kind(409, "stale", "Somebody else changed this first")
CHANGED = Kind(412, "precondition-failed", "The version has changed")
TOO_LARGE = Kind(413, "too-large", "Too large")
NOT_JSON = Kind(415, "unsupported-media-type", "The body must be JSON")
MALFORMED = Kind(422, "malformed", "Invalid request")
KEY_REUSED = Kind(422, "idempotency-key-reused", "Idempotency key already used")
REFUSED = Kind(422, "refused", "The rules do not allow it")
TOO_MANY = Kind(429, "too-many-requests", "Too many requests", {"Retry-After": RETRY_AFTER})
FAULT = Kind(500, "fault", "Internal error")
GAME_AT_FAULT = Kind(500, "game-at-fault", "Error in the game's rules")
UNAVAILABLE = Kind(503, "unavailable", "The database is not responding", {"Retry-After": RETRY_AFTER})
VIEWS_BEHIND = Kind(503, "views-behind", "The views are catching up", {"Retry-After": RETRY_AFTER})
NEWER = Kind(503, "newer-records", "A newer version is needed", {"Retry-After": RETRY_AFTER})

KINDS = (
    DENIED,
    NOT_YOURS,
    NOT_FOUND,
    NO_METHOD,
    NOT_ACCEPTABLE,
    WRONG_STATUS,
    STALE,
    CHANGED,
    TOO_LARGE,
    NOT_JSON,
    MALFORMED,
    KEY_REUSED,
    REFUSED,
    TOO_MANY,
    FAULT,
    GAME_AT_FAULT,
    UNAVAILABLE,
    VIEWS_BEHIND,
    NEWER,
)

OF_ERRORS: dict[type[LedgerError], Kind] = {
    Denied: DENIED,
    NotFound: NOT_FOUND,
    NotYours: NOT_YOURS,
    WrongStatus: WRONG_STATUS,
    Stale: STALE,
    KeyReused: KEY_REUSED,
    Malformed: MALFORMED,
    Unavailable: UNAVAILABLE,
    Newer: NEWER,
    GameAtFault: GAME_AT_FAULT,
    Fault: FAULT,
}
