"""What a negotiated trait does takes effect as it was agreed."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.moves import allows
from ledger.rules.moc import inputs
from ledger.rules.moc.inputs_of_actions import RollDice
from ledger.rules.moc.inputs_of_combat import RollInitiative
from ledger.rules.moc.inputs_of_modifiers import AllocateBeads
from ledger.rules.moc.inputs_of_play import PlayCard, Trump
from ledger.rules.moc.sheet import CardPoints
from tests.rules.moc.buyers import dice, playing, rich
from tests.rules.moc.cited import refusal
from tests.rules.moc.game import Game, the
from tests.rules.moc.test_amendments import table
from tests.rules.moc.test_moves import moves

EFFECT = "moc.adv.effect"


def agreed(game: Game, id: str, does: str, number: int, of: str = "", what: str = "advantage") -> str:
    trait = game.new(inputs.ProposeTrait(id, "a gift", "as agreed", -1 if what == "disadvantage" else 1, what))
    game.does(inputs.SetTraitEffect(id, trait, does, number, of))
    game.does(inputs.ApproveTrait(id, trait))
    return trait


# --- pools up and down ---


@pytest.mark.parametrize(("number", "count"), [(2, 5), (-1, 2), (-9, 0)])
def test_a_pool_is_larger_or_smaller_by_what_was_agreed(number: int, count: int) -> None:
    game, id = playing()
    agreed(game, id, "dice", number, "to_hit", "disadvantage" if number < 0 else "advantage")
    action = game.acts(id, element="action", roll_kind="to_hit")
    assert dice(game, action) == count
    assert dice(game, game.acts(id, element="action")) == 3, "no other pool"


@pytest.mark.parametrize(("number", "count"), [(1, 5), (-2, 2), (-9, 0)])
def test_initiative_can_be_agreed_on(number: int, count: int) -> None:
    game, id = playing()
    agreed(game, id, "dice", number, "initiative")
    assert refusal(game, RollInitiative({id: (3,) * count})) == ""


def test_it_takes_effect_once_it_is_approved() -> None:
    game, id = playing()
    trait = game.new(inputs.ProposeTrait(id, "a gift", "as agreed", 1))
    game.does(inputs.SetTraitEffect(id, trait, "dice", 2, "to_hit"))
    assert dice(game, game.acts(id, element="action", roll_kind="to_hit")) == 3
    game.does(inputs.ApproveTrait(id, trait))
    assert dice(game, game.acts(id, element="action", roll_kind="to_hit")) == 5
    assert refusal(game, inputs.SetTraitEffect(id, trait, "dice", 9, "to_hit")) == "moc.adv.negotiate already-settled"


@pytest.mark.parametrize(
    ("does", "number", "of", "outcome"),
    [
        ("wings", 1, "", f"{EFFECT} unknown-effect"),
        ("dice", 0, "to_hit", f"{EFFECT} effect-number"),
        ("bead-price", 0, "drama", f"{EFFECT} effect-number"),
        ("card-worth", -1, "drama", f"{EFFECT} effect-number"),
        ("card-worth", "2", "drama", f"{EFFECT} effect-number"),
        ("dice", 1, "drama", f"{EFFECT} unknown-pool"),
        ("bead-price", 1, "", f"{EFFECT} unknown-element"),
        ("card-worth", 1, "to_hit", f"{EFFECT} unknown-element"),
    ],
)
def test_what_cannot_be_agreed(does: str, number: Any, of: str, outcome: str) -> None:
    game, id = playing()
    trait = game.new(inputs.ProposeTrait(id, "a gift", "as agreed", 1))
    do = inputs.SetTraitEffect(id, trait, does, number, of)
    assert refusal(game, do) == outcome
    assert not any(allows(move, do) for move in moves(game, "gm", inputs.SetTraitEffect))


# --- beads ---


@pytest.mark.parametrize(
    ("of", "price", "wanted", "cost"),
    [
        ("drama", 3, {"drama": 1}, 3),
        ("drama", 1, {"drama": 4}, 4),
        ("drama", 2, {"drama": 2}, 4),
        ("plot", 1, {"plot": 5}, 5),
        ("plot", 1, {"plot": 2, "drama": 1}, 5),
        ("plot", 4, {"plot": 1}, 4),
    ],
)
def test_beads_are_allocated_at_the_price_agreed(of: str, price: int, wanted: dict[str, int], cost: int) -> None:
    """A Hero of Body 3: five beads. Plot is secondary: one of five goes there for one, the others for two."""
    game, id = rich()
    agreed(game, id, "bead-price", price, of)
    do = AllocateBeads(id, wanted)
    assert any(allows(move, do) for move in moves(game, "gm", AllocateBeads))
    assert the(game.does(do), "BeadsAllocated").cost == cost
    assert game.beads(id) == {"action": 5 - cost + 3, **wanted}


def test_more_than_the_price_allows_is_refused() -> None:
    game, id = rich()
    agreed(game, id, "bead-price", 2, "drama")
    do = AllocateBeads(id, {"drama": 3})
    assert refusal(game, do) == "moc.bead.allocate not-enough-beads"
    assert not any(allows(move, do) for move in moves(game, "gm", AllocateBeads))


# --- cards ---


@pytest.mark.parametrize(("of", "most"), [("", 10), ("action", 10), ("drama", 8)])
def test_a_card_is_played_at_more_than_its_worth(of: str, most: int) -> None:
    game = table(("8C", "2D"))
    agreed(game, game.hero, "card-worth", 2, of)
    action = game.acts(game.hero, element="action")
    for points, outcome in ((most + 1, "moc.card.dice card-overspent"), (most, "")):
        do = PlayCard(action, game.hero, "8C", (CardPoints(0, points),))
        assert any(allows(move, do) for move in moves(game, "ann", PlayCard)) == (not outcome)
        assert refusal(game, do) == outcome


def test_it_cancels_a_card_as_what_it_counts() -> None:
    for more in (0, 2):
        game = table(("KC", "2D"))
        if more:
            agreed(game, game.enigma, "card-worth", more, "action")
        action = game.acts(game.hero, element="action")
        game.does(RollDice(action, 0, (3,) * 5))
        play = game.new(PlayCard(action, game.hero, "KC", (CardPoints(0, 1),)))
        do = Trump(action, game.enigma, play, "QC")
        assert any(allows(move, do) for move in moves(game, "bob", Trump)) == bool(more)
        assert refusal(game, do) == ("" if more else "moc.trump.order cannot-trump")
