"""The ledger's errors.

    LedgerError
    ├── Denied          no token, or one that is not valid here (401)
    ├── NotFound        it does not exist, or is hidden from this seat (404)
    ├── NotYours        the seat lacks the right (403)
    ├── WrongStatus     the status of the ruling, question or finding does not allow this (409)
    ├── Stale           another save came first three times, or the given version is outdated (409, 412)
    ├── KeyReused       the idempotency key was already used for a different request (422)
    ├── Malformed       the request is incomplete or not valid (422)
    ├── Unavailable     the database does not answer; try again soon (503)
    └── Fault           the record or its database is damaged: nothing is served from it (500)
        ├── GameAtFault a game's code failed; nothing was saved (500)
        └── Unsound     a campaign does not match its journal; only that campaign is unavailable
            └── Newer   a later version stored something in it

The rules of a game raise `ledger.rules.kernel.contract.Refused` (422) for a declaration or answer that they do not
allow.
"""

from __future__ import annotations

from typing import Any


class LedgerError(Exception):
    """An error with a stable `code`, a `detail` sentence for players, and a `context` with the names and numbers
    involved.
    """

    code = "error"

    def __init__(self, detail: str, /, code: str | None = None, **context: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.code = code or type(self).code
        self.context = context


class Denied(LedgerError):
    code = "token-required"


class NotFound(LedgerError):
    code = "not-found"


class NotYours(LedgerError):
    code = "not-yours"


class WrongStatus(LedgerError):
    code = "wrong-status"


class Stale(LedgerError):
    code = "stale"


class KeyReused(LedgerError):
    code = "idempotency-key-reused"


class Malformed(LedgerError):
    code = "malformed"


class Unavailable(LedgerError):
    code = "database-away"


class Fault(LedgerError):
    code = "fault"


class Unsound(Fault):
    """The record is damaged. `detail` names the stream and version for the operator, but not the stored contents."""

    code = "record-unsound"


class Newer(Unsound):
    """A newer version is needed. `detail` is a sentence for everybody: what was found, and what to install."""

    code = "newer-records"


class GameAtFault(Fault):
    """The game's code failed. `detail` names the game, and the ruling if one is recorded. `place`: the error and its
    place in the code, for the log.
    """

    code = "game-at-fault"

    def __init__(self, detail: str, /, place: str, **context: Any) -> None:
        super().__init__(detail, **context)
        self.place = place
