"""What was rolled since something began, the last first: in order of play, also with rulings entered late."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from ledger.application import Ledger
from ledger.application.commands.revising import Correction
from ledger.rules.intensity.draft import list_recorded_since
from projections.views.dice import Recorded
from projections.views.projector import Projector
from projections.views.view import ViewTransaction
from tests.desk import Desk, present
from tests.kernel.test_entering_late import enter
from tests.views.conftest import SCHEMA, ViewDatabase


@pytest.fixture
def desk(ledger: Ledger) -> Desk:
    """3: coins, of which some are given: 4, 5, 6; late 7 and 8 after 4, and 9 after 3."""
    desk = Desk(ledger)
    ann, ben = desk.enrol("Ann"), desk.enrol("Ben")
    desk("mint", to=ann, coins=90)
    for coins in (4, 5, 6):
        desk("give", char=ann, to=ben, coins=coins)
    for after, coins in ((4, 7), (7, 8), (3, 9)):
        enter(desk, after, "give", char=ann, to=ben, coins=coins)
    correction = Correction("so", "entry", desk.input("give", char=ann, to=ben, coins=16))
    desk.ledger.revise(desk.call(), 6, correction, present)
    return desk


SINCE: tuple[tuple[int, str, list[int]], ...] = (
    (6, "4", [5, 8, 7, 4]),  # ruled again when the others had been entered
    (6, "8-2", [5, 8]),
    (6, "9", [5, 8, 7, 4, 9]),
    (5, "4", [4]),  # not ruled again since
    (8, "4", [7, 4]),
    (8, "7", [7]),
    (9, "3", [90]),
    (9, "4", []),
    (6, "nothing", []),
)


def test_it_is_in_order_of_play(desk: Desk, projector: Projector, database: ViewDatabase) -> None:
    projector.catch_up()
    with desk.ledger.open_for_seat(desk.call()) as (book, _), psycopg.connect(database.owner_url) as connection:
        connection.execute(f"SET search_path TO {SCHEMA}_views".encode())
        transaction = ViewTransaction(connection.cursor(), book.recorder, book.codec)
        for number, since, coins in SINCE:
            (ruling,) = transaction.load_rulings(desk.campaign, [number], book.campaign.position)
            facts: list[Any] = [*list_recorded_since(Recorded(transaction, desk.campaign, ruling), since)]
            assert [fact.coins for fact in facts] == coins, (number, since)
