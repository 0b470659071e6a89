"""Every standing ruling is correct, or a finding says that it is not."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.application import Ledger
from ledger.rules.moc.inputs_of_combat import ApplyHarm
from ledger.rules.scattershot.inputs_of_characters import RestoreResource, SpendPower
from tests.desk import present
from tests.kernel.correctness import Correctness
from tests.rules.moc.game import Game as Moc
from tests.rules.mongrel.game import Game as Mongrel
from tests.rules.scattershot.game import Game as Scattershot
from tests.rules.world import World
from tests.views.test_every_game import Retold


class Told(Retold):
    """A game told to a ledger, and decided about."""

    def __init__(self, ledger: Ledger, game: World) -> None:
        super().__init__(ledger, game)
        self.tell()
        self.law = Correctness(self.desk)
        self.holds()

    def overturn(self, number: int, settle: Any = "flag") -> None:
        self.ledger.overturn(self.desk.call(), number, "so", present, settle=settle)
        self.holds()

    def reinstate(self, number: int, settle: Any = "flag") -> None:
        self.ledger.reinstate(self.desk.call(), number, "so", present, settle=settle)
        self.holds()

    def holds(self) -> None:
        assert self.law.look() == []

    def findings(self) -> list[tuple[str, int | None]]:
        return [(one.kind, one.ruling) for one in self.desk.findings()]


def test_power_restored_to_who_had_spent_none_is_found(ledger: Ledger) -> None:
    game = Scattershot()
    game.declare(SpendPower(game.cid, 4))
    game.declare(RestoreResource(game.cid, "power", 4))
    spent, restored = len(game.history) - 1, len(game.history)
    told = Told(ledger, game)
    told.overturn(restored)
    told.overturn(spent)
    told.reinstate(restored)
    assert len(told.findings()) == 1
    told.reinstate(spent)
    assert told.findings() == []


def test_a_hit_put_back_without_the_one_before_it_is_found(ledger: Ledger) -> None:
    game = Mongrel()
    for _ in range(2):
        game.hit(game.ahvia, 3, reason="it hurts")
    first, second = len(game.history) - 1, len(game.history)
    told = Told(ledger, game)
    told.overturn(second)
    told.overturn(first)
    told.reinstate(second)
    assert ("changes", second) in told.findings()


@pytest.mark.parametrize("settle", ["flag", "rerule"])
def test_harm_put_back_in_another_order_is_found_or_ruled_again(ledger: Ledger, settle: str) -> None:
    game = Moc()
    for pain in (5, 30):
        game.does(ApplyHarm(game.hero, pain=pain, reason="it hurts"))
    first, second = len(game.history) - 1, len(game.history)
    told = Told(ledger, game)
    told.overturn(first, "rerule")
    told.overturn(second)
    told.reinstate(first, settle)
    told.reinstate(second, settle)
    assert bool(told.findings()) == (settle == "flag")
