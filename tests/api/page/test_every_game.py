"""What every game shows at the page: how things stand, each move's form, the timeline and every ruling."""

from __future__ import annotations

import pytest

from api.run import demo
from tests.api.page.sitting import Sitter, at_the_page
from tests.api.table import Player, Service, Table


@pytest.fixture(scope="module")
def seats(service: Service) -> dict[str, list[Player]]:
    """Of each game's demonstration, all who sit there."""
    found = {}
    for one in demo.load(str(service.client.base_url), service.operator_token):
        table = object.__new__(Table)
        table.service, table.id = service, one.campaign
        players = [Player(table, f"s{number}", token) for number, token in enumerate(one.tokens.values(), 1)]
        found[players[0].look("")["system"]] = players
    return found


def test_every_seat_sees_how_things_stand_and_the_form_of_every_move(seats: dict[str, list[Player]]) -> None:
    assert len(seats) == 5
    for system, players in seats.items():
        forms = 0
        for player in players:
            sitter = at_the_page(player)
            state = player.look("/state")
            page = sitter.page("/")
            assert all(one["name"] in page for one in state["characters"] if not one["retired"]), system
            offered = sitter.moves()
            assert len(offered) == len(player.look("/moves")["moves"]), system
            for move in offered:
                _form_opens(sitter, move)
            forms += len(offered)
        assert forms > 5, system


def _form_opens(sitter: Sitter, move: str) -> None:
    answer = sitter.get(move)
    assert answer.status_code == 200, (move, answer.text)
    form = sitter.form(move, move.partition("?")[0])
    assert {"token", "key", "schema"} <= form.fields.keys()
