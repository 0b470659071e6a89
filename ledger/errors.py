"""The ledger's errors.

    LedgerError
    ├── Denied          no token, or one that opens nothing here (401)
    ├── NotFound        there is no such thing, as far as this seat may know (404)
    ├── NotYours        the seat lacks the right (403)
    ├── WrongStatus     the ruling, question or finding is not in a state for this (409)
    ├── Stale           another save came first three times, or the version named is not the latest (409, 412)
    ├── KeyReused       the same idempotency key with another request (422)
    ├── Malformed       the request does not say what it must (422)
    ├── Unavailable     the database is away; try again shortly (503)
    └── Fault           the record or its database is not as it must be: nothing is served on it (500, not for an input)
        ├── GameAtFault a game's code broke, on what would be saved or on what is: nothing is saved (500)
        └── Unsound     what is stored of one campaign is not what its journal names: that campaign waits, no other
            └── Newer   a later version stored something of it: it waits for that version

`ledger.rules.kernel.contract.Refused` (422) is the rules' own: a bad request under the rules of the game.
"""

from __future__ import annotations

from typing import Any


class LedgerError(Exception):
    """An error with a stable `code`, a `detail` sentence that players understand, and a `context` with the names and
    numbers involved.
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
