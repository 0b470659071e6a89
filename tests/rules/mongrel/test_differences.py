"""What an independent reference of the rules, played against these, found to differ."""

from __future__ import annotations

from ledger.rules.mongrel.choices import Resist
from ledger.rules.mongrel.inputs import AnswerTerminal, Occult, Purchase
from tests.rules.mongrel.game import Game, kinds_of


def test_a_cancelled_occult_attack_fails_and_its_weapon_with_it():
    g = Game(resist_method="cancel", occult_attack_hits="mimicked")
    burn = Occult(g.ahvia, 1, "burn", "own", "spirit", target=g.vooruk, weapon=3)
    verdict = g.does(burn, (1,), Resist("spirit"), (1,))
    assert "OccultResisted" in kinds_of(verdict)
    assert "DamageRolled" not in kinds_of(verdict)
    assert g.character(g.vooruk).damage == 0


def test_nothing_is_bought_from_who_is_dying_or_dead():
    g = Game()
    lamp = Purchase(g.vooruk, "a lamp", "mekag", "melee", seller=g.ahvia)
    g.hit(g.ahvia, 9)
    assert g.refuses(lamp) == "decision-pending"
    g.does(AnswerTerminal(g.ahvia, spend=False))
    assert g.refuses(lamp) == "dead"
