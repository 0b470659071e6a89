"""What can be answered to what is asked, as things stand; and what a conflict refuses before anything is asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ledger.rules.kernel.moves import Among, Between, Domain, Shape
from ledger.rules.kernel.questions import Ask
from ledger.rules.mongrel.aims import Defend, Stand
from ledger.rules.mongrel.attacks import Attack, DeclareAttack
from ledger.rules.mongrel.bargains import Sacrifice, offering
from ledger.rules.mongrel.damage import Shunt
from ledger.rules.mongrel.hits import TakeHit
from ledger.rules.mongrel.possessions import GainItem
from ledger.rules.mongrel.prices import SpeakFor
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
)  # fmt: skip
def test_who_may_defend_and_in_what(
    before: Callable[[Game], None], armour: int, stands: tuple[str | None, ...], defends: tuple[str | None, ...]
) -> None:
    said, _ = asked(before, armour)
    assert said[Stand].fields["armour_worn"] == Among(stands)
    assert said[Defend].fields["armour_worn"] == Among(defends)


@pytest.mark.parametrize(("who", "effect", "most"), [("ahvia", 9, 5), ("vooruk", 9, 1), ("giazza", 1, 1)])
def test_no_more_is_shunted_than_there_is(who: str, effect: int, most: int) -> None:
    """mongrel.damage.shunt: neither than Beauty nor than damage."""
    game = Game()
    question = game.asks(TakeHit(getattr(game, who), effect))
    assert list(question.within) == [Shape(Shunt, {"points": Between(0, most)})]


@pytest.mark.parametrize(("held", "amount"), [(0, NOBODY), (1, Between(1, 1)), (4, Between(1, 4))])
def test_no_more_credit_is_given_up_than_is_held(held: int, amount: Domain) -> None:
    """mongrel.credit.sacrifice"""
    offered, agreed, declined = offering(held)
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
