"""Lines to the database: which of them a pool keeps, and how soon a dead one is noticed."""

from __future__ import annotations

import pytest
from eventsourcing.persistence import InternalError, ProgrammingError
from eventsourcing.utils import Environment

from ledger.application import environment
from ledger.events.lines import LINE, alone, factory_of
from tests.kernel.conftest import SCHEMA, service_url


@pytest.mark.parametrize(
    ("statement", "raises", "kept"),
    [
        ("SELECT * FROM nothing", ProgrammingError, True),
        ("SET TRANSACTION READ ONLY; CREATE TABLE mine (id int)", InternalError, False),
    ],
)
def test_a_line_on_which_nothing_can_be_written_is_not_given_to_the_next(
    database: str, statement: str, raises: type[Exception], kept: bool
) -> None:
    given = Environment("Ledger", environment(service_url(database), schema=SCHEMA, pool_size=1))
    with factory_of(given).datastore as datastore:
        with pytest.raises(raises), datastore.transaction() as cursor:
            line = cursor.connection
            cursor.execute(statement.encode())
        assert line.closed != kept


def test_a_dead_line_is_noticed_by_who_listens(database: str) -> None:
    with alone(service_url(database)) as connection:
        said = connection.info.get_parameters()
        assert connection.autocommit
    assert {name: said[name] for name in LINE} == {name: str(value) for name, value in LINE.items()}
