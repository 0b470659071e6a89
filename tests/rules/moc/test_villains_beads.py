"""A villain's cards become beads."""

from __future__ import annotations

import pytest

from ledger.rules.kernel.moves import allows
from ledger.rules.moc.cards import ExchangeCard
from ledger.rules.moc.hands import DrawVillains
from tests.rules.moc.cited import refusal
from tests.rules.moc.game import Game, kinds_of, the
from tests.rules.moc.test_moves import moves


def villains() -> Game:
    game = Game()
    game.session_begins()
    game.place = game.scene_begins(game.hero, game.villain)
    game.does(DrawVillains(2, ("KC", "2D")))
    return game


@pytest.mark.parametrize(("card", "element", "beads"), [("KC", "action", 4), ("2D", "storytelling", 1)])
def test_a_card_of_the_villains_becomes_beads(card: str, element: str, beads: int) -> None:
    game = villains()
    before = game.beads(game.villain).get(element, 0)
    done = game.does(ExchangeCard(game.villain, card))
    assert kinds_of(done) == ["VillainCardUsed", "CardShown", "VillainCardExchanged"]
    assert the(done, "VillainCardExchanged").beads == beads
    assert game.beads(game.villain)[element] == before + beads
    assert game.character(game.villain).gained == {element: beads}
    assert game.scene(game.place).pool == tuple(one for one in ("KC", "2D") if one != card)
    assert refusal(game, ExchangeCard(game.villain, card)) == "moc.card.to-beads card-not-in-hand"


def test_only_villains_use_the_villains_cards() -> None:
    game = villains()
    assert refusal(game, ExchangeCard(game.hero, "KC")) == "moc.card.to-beads card-not-in-hand"
    for card in ("KC", "AS"):
        assert game.refuses(ExchangeCard(game.villain, card), by="ann") == "not-own-card"


def test_the_villains_cards_are_offered_to_who_sees_them() -> None:
    game = villains()
    offered = moves(game, "gm", ExchangeCard)
    for card, there in (("KC", True), ("2D", True), ("AS", False)):
        assert any(allows(move, ExchangeCard(game.villain, card)) for move in offered) == there
    assert not moves(game, "ann", ExchangeCard)
