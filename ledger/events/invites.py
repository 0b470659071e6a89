"""The table of invites, outside the record: the seat that each invite gives access to, and whether it was used.

The table is in no journal, seal or export. It holds no links or codes, only their hashes (`Keys.hash_invite_text`). The
service signs each row with its key, so that a row written by anybody else gives no access.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias

import psycopg
from eventsourcing.postgres import PostgresDatastore
from psycopg.rows import TupleRow, tuple_row
from psycopg.sql import SQL, Identifier

from ledger.rules.kernel.subjects import Role

Status: TypeAlias = Literal["open", "used", "withdrawn"]
MOST = 50  # the most open invites of a campaign
REMEMBERED = 200  # closed invites that are kept for a campaign, so that a repeated request does not make them again


@dataclass(frozen=True, slots=True)
class Invite:
    """A row of the table.

    - made_by: a seat, or empty for the operator.
    - own: if the invite is for another device of an existing seat, that seat.
    - generation: the generation of the token of `own`, or of `made_by` without `own`. The invite is valid only as long
      as this token. For the operator, it is 0.
    - role, name, characters: those of the new seat.
    - answered: the document that was returned when the invite was made, without the link and the code.
    - used_key: the hash of the key of the request that used the invite.
    - seat, seat_generation: the seat that the invite gave access to, and the generation of that seat's token.
    - signature: signs `signed_part`.
    """

    id: str
    campaign: str
    made_by: str
    generation: int
    made_at: datetime
    own: str | None
    role: Role
    name: str
    characters: tuple[str, ...]
    good_until: datetime
    code_until: datetime | None
    secret_hash: str
    code_hash: str | None
    request: str
    answered: str
    status: Status = "open"
    used_at: datetime | None = None
    used_key: str | None = None
    seat: str | None = None
    seat_generation: int | None = None
    signature: str | None = None

    @property
    def signed_part(self) -> list[object]:
        """Return the signed part of the row: every field except the status and the signature."""
        values = [getattr(self, name) for name in COLUMNS if name not in ("status", "signature")]
        return [value.astimezone(UTC) if isinstance(value, datetime) else value for value in values]

    @property
    def is_consistent(self) -> bool:
        """Return whether a used invite has all data about its use, or an unused invite has none."""
        use_values = (self.used_at, self.used_key, self.seat, self.seat_generation)
        return all(value is not None for value in use_values) if self.status == "used" else set(use_values) == {None}


@dataclass(frozen=True, slots=True)
class Use:
    """The use of an invite: its time, the hash of the request's key, the seat, and the generation of the seat's token.

    `signature`: the signature of the used invite.
    """

    invite: str
    at: datetime
    key: str
    seat: str
    generation: int
    signature: str


class NotOpen(Exception):
    """The invite was used or withdrawn in the meantime."""


COLUMNS = [field.name for field in fields(Invite)]


class InviteStore:
    """The invites of one schema. Raises the library's errors if the database does not answer."""

    def __init__(self, datastore: PostgresDatastore) -> None:
        self._datastore = datastore
        self._names = {
            "invites": Identifier(datastore.schema, "invites"),
            "columns": SQL(", ").join(map(Identifier, COLUMNS)),
        }
        self._lock_prefix = f"{datastore.schema} invites "

    @contextmanager
    def _open_cursor(self) -> Iterator[psycopg.Cursor[TupleRow]]:
        """Yield a cursor. Each statement is its own transaction, except in `add`."""
        with self._datastore.get_connection() as connection, connection.cursor(row_factory=tuple_row) as cursor:
            yield cursor

    def _run_query(self, cursor: psycopg.Cursor[TupleRow], query: str, values: Mapping[str, object]) -> list[Invite]:
        cursor.execute(SQL(query).format(**self._names), values)
        return [_make_invite(row) for row in cursor.fetchall()] if cursor.description is not None else []

    def _select_invites(self, query: str, **values: object) -> list[Invite]:
        with self._open_cursor() as cursor:
            return self._run_query(cursor, query, values)

    # --- reading ---

    def find(self, secret_hash: str, code_hash: str) -> Invite | None:
        """Return the invite whose link or code has this hash, whatever its status."""
        query = "SELECT {columns} FROM {invites} WHERE secret_hash = %(secret)s OR code_hash = %(code)s"
        return next(iter(self._select_invites(query, secret=secret_hash, code=code_hash)), None)

    def get(self, id: str) -> Invite | None:
        return next(iter(self._select_invites("SELECT {columns} FROM {invites} WHERE id = %(id)s", id=id)), None)

    def list_for_campaign(self, campaign: str) -> list[Invite]:
        """Return a campaign's invites, the oldest first."""
        query = "SELECT {columns} FROM {invites} WHERE campaign = %(campaign)s ORDER BY made_at, id"
        return self._select_invites(query, campaign=campaign)

    def list_all(self) -> list[Invite]:
        return self._select_invites("SELECT {columns} FROM {invites} ORDER BY campaign, made_at, id")

    # --- writing ---

    def add(self, invite: Invite, sign: Callable[[Invite], str]) -> Invite | None:
        """Add the invite and return it. If its id is already stored, return the stored invite. Return None if the
        campaign has too many open invites.

        An invite for another device of a seat replaces the seat's previous invite. If the code is already taken, the
        new invite gets no code.
        """
        with self._open_cursor() as cursor, cursor.connection.transaction():
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", (self._lock_prefix + invite.campaign,))
            existing_invites = self._run_query(
                cursor, "SELECT {columns} FROM {invites} WHERE id = %(id)s", {"id": invite.id}
            )
            if existing_invites:
                return existing_invites[0]
            if invite.own is not None:
                self._run_query(cursor, REPLACE, {"campaign": invite.campaign, "own": invite.own})
            elif len(self._run_query(cursor, OPEN, {"campaign": invite.campaign, "now": invite.made_at})) >= MOST:
                return None
            self._run_query(cursor, FORGET, {"campaign": invite.campaign, "now": invite.made_at, "kept": REMEMBERED})
            code_query = "SELECT {columns} FROM {invites} WHERE code_hash = %(code)s"
            if self._run_query(cursor, code_query, {"code": invite.code_hash}):
                invite = replace(invite, code_hash=None, code_until=None)
            invite = replace(invite, signature=sign(invite))
            values = {name: getattr(invite, name) for name in COLUMNS} | {"characters": list(invite.characters)}
            placeholders = ", ".join(f"%({name})s" for name in COLUMNS)
            self._run_query(cursor, f"INSERT INTO {{invites}} ({', '.join(COLUMNS)}) VALUES ({placeholders})", values)
            return invite

    def withdraw(self, id: str) -> Invite | None:
        """Withdraw an invite and return it. Return None if it is not open."""
        query = "UPDATE {invites} SET status = 'withdrawn' WHERE id = %(id)s AND status = 'open' RETURNING {columns}"
        return next(iter(self._select_invites(query, id=id)), None)

    def use(self, use: Use) -> bool:
        """Use an invite outside a save. Return False if it is not open. In a save, `LedgerRecorder.append` stores the
        use.
        """
        return bool(self._select_invites(USE, **asdict(use)))


USE = """UPDATE {invites}
    SET status = 'used', used_at = %(at)s, used_key = %(key)s, seat = %(seat)s, seat_generation = %(generation)s,
        signature = %(signature)s
    WHERE id = %(invite)s AND status = 'open' RETURNING {columns}"""
OPEN = """SELECT {columns} FROM {invites}
    WHERE campaign = %(campaign)s AND status = 'open' AND own IS NULL AND good_until > %(now)s"""
REPLACE = """UPDATE {invites} SET status = 'withdrawn'
    WHERE campaign = %(campaign)s AND own = %(own)s AND status = 'open'"""
FORGET = """DELETE FROM {invites} WHERE campaign = %(campaign)s AND (status <> 'open' OR good_until <= %(now)s)
    AND id NOT IN (SELECT id FROM {invites} WHERE campaign = %(campaign)s
                   AND (status <> 'open' OR good_until <= %(now)s) ORDER BY made_at DESC LIMIT %(kept)s)"""


def _make_invite(row: tuple[Any, ...]) -> Invite:
    invite = Invite(*row)
    return replace(invite, characters=tuple(invite.characters))
