"""Shelves: a ledger's campaigns are spread over several schemas, each with events, an append function and views.

Their number is fixed when the database is created. A campaign's id determines its shelf. Ids from before shelves
existed belong to the first shelf, whose schema is the ledger's own.
"""

from __future__ import annotations

import re
from threading import Lock

import psycopg
from eventsourcing.persistence import ProgrammingError
from eventsourcing.postgres import PostgresDatastore
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from ledger.errors import Fault, Unavailable

USUAL, MOST = 16, 256
LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
#: The lengths of the two parts of an id: the random part, and the shelf.
LENGTH, PLACE = 13, 2
#: A campaign's id, in the current form or the form from before shelves existed.
ID = re.compile(f"[a-z2-7]{{{LENGTH}}}(?:[a-z2-7]{{{PLACE}}})?")


def find_shelf_number(campaign: str, shelf_count: int) -> int:
    """Return the number of the campaign's shelf, from 0. Text that is not a campaign id belongs to the first shelf."""
    digits = [LETTERS.find(letter) for letter in campaign[LENGTH:]]
    if len(digits) != PLACE or min(digits) < 0:
        return 0
    return (len(LETTERS) * digits[0] + digits[1]) % shelf_count


def name_schema(base_schema: str, shelf_number: int) -> str:
    """Return a shelf's schema. `base_schema`: the ledger's schema, which is the first shelf's."""
    return f"{base_schema}_{shelf_number}" if shelf_number else base_schema


def name_schemas(base_schema: str, shelf_count: int) -> list[str]:
    """Return the schemas of all shelves, in their order."""
    return [name_schema(base_schema, shelf_number) for shelf_number in range(shelf_count)]


def name_common_schema(base_schema: str) -> str:
    """Return the schema of the tables outside the shelves, which hold the number of shelves and the permits."""
    return f"{base_schema}_common"


def read_shelf_count(connection: psycopg.Connection[object], base_schema: str) -> int | None:
    """Return the number of shelves in the database, or None if it has none or we may not read their number."""
    table = f'"{name_common_schema(base_schema)}".shelves'
    with connection.cursor(row_factory=tuple_row) as cursor:
        query = "SELECT coalesce(has_table_privilege(to_regclass(%s), 'SELECT'), false)"
        (is_readable,) = cursor.execute(query, (table,)).fetchone() or (False,)
        if not is_readable:
            return None
        row = cursor.execute(
            SQL("SELECT number FROM {}").format(Identifier(name_common_schema(base_schema), "shelves"))
        ).fetchone()
        return int(row[0]) if row is not None else None


def check_shelf_count(existing_count: int, wanted_count: int | None) -> None:
    """Raise Fault if the database has a different number of shelves than `wanted_count`. None allows any number."""
    if wanted_count not in (None, existing_count):
        problem = f"The database has {existing_count} shelves, not {wanted_count}: the number is fixed"
        raise Fault(
            f"{problem} when the database is created (leave LEDGER_SHELVES out, or set it to {existing_count}).",
            code="other-shelves",
            shelves=existing_count,
        )


class OnSchema(PostgresDatastore):
    """A schema that uses the connections of another. `datastore`: the owner of the connections, which closes them."""

    def __init__(self, datastore: PostgresDatastore, schema: str) -> None:
        self.__dict__.update(datastore.__dict__)
        self.datastore = datastore
        self.schema = schema

    def close(self) -> None:
        """Do nothing: `datastore` closes the connections."""


class Shelf(OnSchema):
    """One of a ledger's shelves."""

    def __init__(self, datastore: PostgresDatastore, number: int) -> None:
        super().__init__(datastore, name_schema(datastore.schema, number))
        self.number = number


class Shelves:
    """The shelves of one ledger. `datastore`: its connections, and the schema of the first shelf."""

    def __init__(self, datastore: PostgresDatastore) -> None:
        self.datastore = datastore
        self._shelf_count: int | None = None
        self._shelves: dict[int, Shelf] = {}
        self._lock = Lock()

    @property
    def shelf_count(self) -> int:
        """Return the number of shelves. Raise Unavailable if the database has no shelves yet, and the library's errors
        if it does not answer.
        """
        if self._shelf_count is None:
            try:
                with self.datastore.get_connection() as connection:
                    self._shelf_count = read_shelf_count(connection, self.datastore.schema)
            except ProgrammingError as problem:
                raise Unavailable("The database is not migrated (campaign-ledger migrate).") from problem
        if self._shelf_count is None:
            raise Unavailable("The database is not migrated (campaign-ledger migrate).")
        return self._shelf_count

    def get_shelf(self, number: int) -> Shelf:
        shelf = self._shelves.get(number)
        if shelf is None:
            with self._lock:
                shelf = self._shelves.setdefault(number, Shelf(self.datastore, number))
        return shelf

    def get_shelf_of(self, campaign: str) -> Shelf:
        """Return the shelf that the campaign is on, or would be on."""
        return self.get_shelf(find_shelf_number(campaign, self.shelf_count) if len(campaign) > LENGTH else 0)

    def list_shelves(self) -> list[Shelf]:
        return [self.get_shelf(number) for number in range(self.shelf_count)]
