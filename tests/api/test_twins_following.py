"""The law of twins for a step that waits: whether it followed from a ruling that is hidden, and overturned, tells
nothing.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

import pytest

from ledger.application.book import Book
from ledger.rules.kernel import adjudication
from ledger.rules.kernel.contract import Verdict
from tests.api.table import Json, Player, Service, Table
from tests.api.test_following import ACT
from tests.api.twins.games import Secret, overturned

pytestmark = pytest.mark.slow
XD: Json = {"source": "bank/xd", "target": "character:1/xd", "unit": "xd", "amount": 1}


def hide_rulings(patch: pytest.MonkeyPatch) -> None:
    """Hide from the players what the game does not hide, and let steps follow from it all the same."""
    adjudicate, load_ruling = adjudication.adjudicate, Book.load_ruling

    def adjudicate_hidden(ruleset: Any, table: Any, do: Any) -> Generator[Any, Any, Any]:
        verdict = yield from adjudicate(ruleset, table, do)
        is_hidden = type(do).__name__ in ("Adjust", "CloseOpportunity")
        return replace(verdict, audience=("gm",)) if is_hidden and isinstance(verdict, Verdict) else verdict

    patch.setattr(adjudication, "adjudicate", adjudicate_hidden)
    patch.setattr(Book, "load_ruling", lambda book, number: replace(load_ruling(book, number), audience=None))


def leap(table: Table, other: bool) -> None:
    """4: a hidden die; 5: Ben acts, and 6 follows, which is hidden, too, and 7; then a step waits for answers.

    The game master overturns 4, or 6.
    """
    for player, name in ((table.ben, "Bruno"), (table.cleo, "Celia")):
        player.does("/characters", {"name": name, "seat": player.id, "sheet": {"statistics": {"agility": 14}}})
    table.gm.does("/scenes", {"title": "A bridge", "cast": ["1", "2"]})
    with pytest.MonkeyPatch.context() as patch:
        hide_rulings(patch)
        table.gm.declare("adjust", **XD, reason="a gift")
        acted = table.ben.does("/rulings", {"declare": ACT})
    assert (acted["number"], [step["ruling"] for step in acted["followed"]]) == (5, [6, 7, None])
    for number in (4, 6):
        assert table.gm.get(f"/rulings/{number}").status_code == 200
        assert table.cleo.get(f"/rulings/{number}").status_code == 404
    path, body = overturned(6 if other else 4)
    table.gm.does(path, body, 200)


SECRET = Secret("scattershot", "a ruling that a step followed from", leap, {"forced_steps": "by_ledger"}, owner="gm")


def tell_waiting(player: Player) -> Any:
    """Return what says whether the step waits. The game shows what it thinks is open, so the rest may differ here."""
    (step,) = player.look("/waiting")["waiting"]
    told = player.look(f"/waiting/{step['id']}")
    return [told[name] for name in ("id", "status", "version", "reason", "awaited")], player.look("")["position"]


def test_a_waiting_step_does_not_tell_that_a_hidden_ruling_was_overturned(service: Service) -> None:
    tables = [SECRET.table(service, other) for other in (False, True)]
    for name in ("ben", "cleo", "dora"):
        one, other = (tell_waiting(getattr(table, name)) for table in tables)
        assert one == other
    for table in tables:
        (step,) = table.cleo.look("/waiting")["waiting"]
        path, body = overturned(7)
        table.gm.does(path, body, 200)
        assert table.cleo.look("/waiting")["waiting"] == [], "everybody sees that ruling"
        assert table.cleo.look(f"/waiting/{step['id']}")["status"] == "withdrawn"
