"""What can be answered to what is asked, as things stand; and what a conflict refuses before anything is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ledger.rules.kernel.moves import Among, Between, Domain, Shape
from ledger.rules.kernel.questions import Ask
from ledger.rules.mongrel.attacks import Attack, DeclareAttack
from ledger.rules.mongrel.bargains import Sacrifice, list_offer_shapes
from ledger.rules.mongrel.credit import SpeakFor
from ledger.rules.mongrel.damage import Shunt
from ledger.rules.mongrel.hits import Defend, Stand, TakeHit
from ledger.rules.mongrel.possessions import GainItem
from tests.rules.mongrel.game import Game

NOBODY = Among(())


def nothing(game: Game) -> None:
    pass


def spent(game: Game) -> None:
    game.gives(game.giazza, "ap", -4)


def armoured(game: Game) -> None:
    game.does(GainItem(game.giazza, "a shield", armour=2))
    game.does(GainItem(game.giazza, "a blade", weapon=2))


def asked(before: Callable[[Game], None], armour: int = 0) -> tuple[dict[type[object], Shape], Game]:
    """What Giazza can say, whom Vooruk attacks, by class."""
    game = Game()
    before(game)
    game.conflict()
    question = game.asks(Attack(game.vooruk, game.giazza, "rend", "physique", armour=armour))
    assert isinstance(question, Ask) and question.slot == "defend"
    return {shape.do: shape for shape in question.within}, game


@pytest.mark.parametrize(
    ("before", "armour", "stands", "defends"),
    [
        (nothing, 0, (None,), (None,)),
        (spent, 0, (None,), ()),  # mongrel.conflict.attack: a defence costs an Action Point
        (armoured, 0, (None, "5"), (None, "5")),  # mongrel.item.use: armour that one has; a blade is none
        (armoured, 1, (None,), (None,)),  # what was declared counts
    ],
)
def test_who_may_defend_and_in_what(
    before: Callable[[Game], None], armour: int, stands: tuple[str | None, ...], defends: tuple[str | None, ...]
) -> None:
    said, _ = asked(before, armour)
    assert said[Stand].fields["armour_worn"] == Among(stands)
    assert said[Defend].fields["armour_worn"] == Among(defends)


def test_armour_said_to_be_worn_counts_even_if_it_is_worth_nothing() -> None:
    """mongrel.item.use"""
    game = Game()
    armoured(game)
    rags = str(game.number)
    game.does(GainItem(game.giazza, "rags", armour=0))
    game.conflict()
    question = game.asks(Attack(game.vooruk, game.giazza, "rend", "physique", armour_worn=rags))
    assert isinstance(question, Ask)
    assert {shape.do: shape.fields["armour_worn"] for shape in question.within} == {
        Stand: Among((None,)),
        Defend: Among((None,)),
    }


def attack(game: Game, **more: Any) -> Attack:
    """By Vooruk on Giazza, with dice that fell before."""
    return Attack(game.vooruk, game.giazza, "rend", **{"attribute": "physique", "faces": (1, 1, 1, 1), **more})


@pytest.mark.parametrize(
    ("more", "stands", "defends"),
    [
        ({"shunt": 1, "faces": (6, 6, 6, 6)}, (), (None, "5")),  # they fail against Vooruk's 7, and meet Giazza's 6
        ({"shunt": 1}, (None, "5"), ()),
        ({"shunt": 2, "taken_off": 6}, (None,), ()),  # the shield leaves nothing of 2 points
        ({"shunt": 0, "faces": (6, 6, 6, 6)}, (None, "5"), (None, "5")),
        ({"faces": (6, 6, 6, 6)}, (None, "5"), (None, "5")),
    ],
)
def test_dice_that_fell_leave_only_answers_that_what_was_shunted_allows(
    more: dict[str, Any], stands: tuple[str | None, ...], defends: tuple[str | None, ...]
) -> None:
    """mongrel.damage.shunt: who declares has said how much goes to Beauty, so the answer must leave that much."""
    game = Game(dice_before_defence=True)
    armoured(game)
    do = attack(game, **more)
    said = {shape.do: shape for shape in game.asks(do).within}
    assert said[Stand].fields["armour_worn"] == Among(stands)
    assert said[Defend].fields["armour_worn"] == Among(defends)
    for kind, possible in ((Stand, stands), (Defend, defends)):
        for worn in (None, "5"):
            if worn in possible:
                game.asks(do, kind(worn))
            else:
                assert game.refuses(do, kind(worn)) in ("nothing-to-shunt", "shunt-too-large")


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"shunt": 1, "attribute": "spirit", "difficulty": 1, "faces": (3, 3, 4, 4)}, "nothing-to-shunt"),
        ({"shunt": 3}, "shunt-too-large"),  # of Giazza's Beauty 2
    ],
)
def test_nobody_is_asked_to_defend_where_no_answer_is_possible(more: dict[str, Any], code: str) -> None:
    game = Game(dice_before_defence=True)
    assert game.refuses(attack(game, **more)) == code


@pytest.mark.parametrize(("who", "effect", "most"), [("ahvia", 9, 5), ("vooruk", 9, 1), ("giazza", 1, 1)])
def test_no_more_is_shunted_than_there_is(who: str, effect: int, most: int) -> None:
    """mongrel.damage.shunt: neither than Beauty nor than damage."""
    game = Game()
    question = game.asks(TakeHit(getattr(game, who), effect))
    assert list(question.within) == [Shape(Shunt, {"points": Between(0, most)})]


@pytest.mark.parametrize(("held", "amount"), [(0, NOBODY), (1, Between(1, 1)), (4, Between(1, 4))])
def test_no_more_credit_is_given_up_than_is_held(held: int, amount: Domain) -> None:
    """mongrel.credit.sacrifice"""
    offered, agreed, declined = list_offer_shapes(held)
    assert offered == Shape(Sacrifice, {"amount": amount})
    assert agreed == Shape(SpeakFor, {"agreed": Among((True,)), "amount": amount})
    assert declined == Shape(SpeakFor, {"agreed": Among((False,))})


@pytest.mark.parametrize("declares", [Attack, DeclareAttack])
@pytest.mark.parametrize(("weapon", "armour", "code"), [(3, 0, "weapon-cap"), (2, 0, None), (0, 9, None)])
def test_a_weapon_beyond_the_tables_cap_is_refused_when_it_is_declared(
    declares: type[Attack | DeclareAttack], weapon: int, armour: int, code: str | None
) -> None:
    """mongrel.damage.net: before anybody is asked, or anything falls."""
    game = Game(weapon_bonus_cap=2)
    game.conflict()
    do = declares(game.vooruk, game.giazza, "rend", "physique", weapon=weapon, armour=armour)
    if code is not None:
        assert game.refuses(do) == code
    else:
        assert game.outcome(do) is None
