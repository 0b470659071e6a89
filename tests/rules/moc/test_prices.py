"""The price that a purchase names is the price it has."""

from __future__ import annotations

from random import Random

import pytest

from ledger.rules.kernel.moves import Among, Either, Move, Shape
from ledger.rules.kernel.offers import list_offers_to_all
from ledger.rules.kernel.seen import Seen
from ledger.rules.kernel.subjects import seat
from ledger.rules.kernel.table import find_viewer
from ledger.rules.moc.buying import Buy, LevelBought
from ledger.rules.moc.holdings import Purchase, say_points
from tests.rules.moc.buyers import POINT
from tests.rules.moc.game import Game
from tests.rules.moves import Filling


def ways(game: Game, id: str) -> list[Shape]:
    past = game.past
    viewer = find_viewer(past, seat("gm"))
    assert viewer is not None
    offers = list_offers_to_all(past.ruleset, Seen(past.ruleset, past, viewer))
    move = next(one.move for one in offers if one.move.do is Buy and id in one.move.fields["character"].values)  # type: ignore[union-attr]
    bought = move.fields["purchase"]
    assert isinstance(bought, Either)
    return [one for one in bought.parts if isinstance(one, Shape)]


def cost_of(game: Game, do: Buy) -> str:
    conversation, _ = game.begin(do)
    assert conversation.verdict is not None
    done = [one.fact for one in conversation.verdict.facts if isinstance(one.fact, LevelBought)]
    return str(done[0].cost)


def priced(way: Shape) -> bool:
    return isinstance(way.fields.get("level"), Among) and bool(way.fields["level"].titles)  # type: ignore[union-attr]


@pytest.mark.parametrize("had", ["nothing", "something"])
def test_every_level_that_is_offered_costs_what_its_title_says(had: str) -> None:
    game = Game()
    game.gives(game.hero, "point", 60 * POINT)
    if had == "something":
        for one in (
            Purchase("bits", level=2),
            Purchase("skill", "Dodge", 2),
            Purchase("floating-dice", level=1, period="arc"),
            Purchase("action-hero", level=1, period="scene"),
            Purchase("dice", "Dodge", 1, multiplier="3/2"),
        ):
            game.does(Buy(game.hero, one))
    count = 0
    for way in filter(priced, ways(game, game.hero)):
        level = way.fields["level"]
        assert isinstance(level, Among)
        for number, title in list(zip(level.values, level.titles, strict=True))[:: max(1, len(level.values) - 1)]:
            do = Filling(game.ruleset, game.past, Random(0)).of(
                Move(
                    Buy,
                    {
                        "character": Among((game.hero,)),
                        "approved": Among((True,)),
                        "purchase": Shape(way.do, {**way.fields, "level": Among((number,))}),
                    },
                )
            )
            assert title == f"{number}, for {say_points(cost_of(game, do))}", do
            count += 1
        assert way.title
    assert count > 30


def test_a_superhuman_characteristic_is_raised_of_the_element_chosen_at_first() -> None:
    game = Game()
    game.gives(game.hero, "point", 60 * POINT)
    game.does(Buy(game.hero, Purchase("superhuman", "S", 1, element="plot")))
    found = [one for one in ways(game, game.hero) if one.fields["what"] == Among(("superhuman",))]
    elements = {one.fields["name"].values: one.fields["element"] for one in found}  # type: ignore[union-attr]
    assert elements[("S",)] == Among(("", "plot"))
