"""An overturn may leave an account below zero. What raises it is accepted then; only what lowers it is refused."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.contract import Posting
from ledger.rules.kernel.purses import check_spends
from ledger.rules.kernel.refusals import Refused
from ledger.rules.kernel.subjects import CAMPAIGN, character, seat
from ledger.rules.moc import holdings
from ledger.rules.moc.fate import AwardChip, OpenArc
from ledger.rules.moc.negotiating import ApproveTrait, ProposeTrait
from ledger.rules.mongrel import accounts as houses
from ledger.rules.mongrel.credit import AdjustCredit, ChangeSocial
from ledger.rules.scattershot import accounts as dice
from ledger.rules.scattershot.cashing_in import Develop
from ledger.rules.scattershot.power import RestoreResource, SpendPower
from tests.rules.moc.game import Game as Moc
from tests.rules.mongrel.game import Game as Mongrel
from tests.rules.scattershot.game import Game as Scattershot
from tests.rules.world import World

MINE, BANK = "character:1/coin", "bank/coin"


@pytest.mark.parametrize(
    ("held", "moves", "fits"),
    [
        (-5, (3,), True),
        (-5, (5,), True),
        (-5, (9,), True),
        (-5, (-1,), False),
        (-5, (3, -1), True),
        (-5, (3, -3), True),
        (-5, (3, -4), False),
        (-5, (-1, 3), False),
        (-5, (9, -4), True),
        (-5, (9, -9), True),
        (0, (-1,), False),
        (0, (1, -1), True),
        (2, (-2,), True),
        (2, (-3,), False),
        (2, (1, -3), True),
    ],
)
def test_spends(held: int, moves: tuple[int, ...], fits: bool) -> None:
    postings = [Posting(BANK, MINE, "coin", n) if n > 0 else Posting(MINE, BANK, "coin", -n) for n in moves]
    if fits:
        check_spends(postings, lambda account: held)
    else:
        with pytest.raises(Refused):
            check_spends(postings, lambda account: held)


def owes(game: World, id: str, account: str, balance: int) -> None:
    """As an overturn leaves it."""
    found = game.past.find(character(id))
    assert found is not None
    found.purse[account] = balance


@pytest.mark.parametrize(("change", "after"), [(3, -4), (7, 0), (20, 13), (-1, None)])
def test_credit(change: int, after: int | None) -> None:
    game: Any = Mongrel()
    owes(game, game.giazza, houses.name_credit(game.giazza, "nuin"), -7)
    do = AdjustCredit(game.giazza, "nuin", change, "it comes back")
    if after is None:
        assert game.refuses(do) == "credit-short"
    else:
        game.does(do)
        assert game.credit(game.giazza, "nuin") == after


def test_credit_that_follows_social() -> None:
    game: Any = Mongrel()
    owes(game, game.giazza, houses.name_credit(game.giazza, "nuin"), -7)
    game.does(ChangeSocial(game.giazza, 6))
    assert game.credit(game.giazza, "nuin") == -5


@pytest.mark.parametrize(("cost", "code"), [(-2, None), ("-1/2", None), (0, None), (1, "over-budget")])
def test_character_points(cost: object, code: str | None) -> None:
    game: Any = Moc()
    trait = game.new(ProposeTrait(game.hero, "blind", "", cost, "disadvantage"))
    owes(game, game.hero, holdings.name_point_account(game.hero), -1000)
    before = game.points(game.hero)
    do = ApproveTrait(game.hero, trait)
    if code:
        assert game.refuses(do) == code
    else:
        game.does(do)
        assert game.points(game.hero) >= before


def test_a_purse_that_owes_is_not_filled_by_awards() -> None:
    game: Any = Moc(arc_purse_enforced=False)
    game.does(OpenArc("an arc", 50))
    (account,) = [name for name in game.balances() if name.startswith("campaign/xp:")]
    game.past.find(CAMPAIGN).purse[account] = -3
    game.does(AwardChip(game.hero, {"white": 1}, "well done"))
    assert (game.balance(account), game.chips(game.hero)["white"]) == (-3, 1)


def test_dice_not_put_in_are_not_asked_for() -> None:
    game: Any = Scattershot()
    game.past.find(seat("ann")).purse[dice.name_purse("ann")] = -2
    assert game.refuses(Develop(game.ann, 1, 1, (1, 2))) == "not-enough-dice"
    game.does(Develop(game.ann, 0, 2, (5, 6)))
    assert game.balance(dice.name_unspent(game.ann)) > 0
    assert game.balance(dice.name_purse("ann")) == -2


def test_power_that_is_owed() -> None:
    game: Any = Scattershot(spell_failure_drain=True)
    owes(game, game.cid, dice.name_resource(game.cid, "power"), -4)
    assert game.refuses(SpendPower(game.cid, 1)) == "not-enough-power"
    game.does(SpendPower(game.cid, missed_by=3))
    game.does(SpendPower(game.cid, 0, "a word"))
    assert game.balance(dice.name_resource(game.cid, "power")) == -4
    game.does(RestoreResource(game.cid, "power", 3))
    assert game.balance(dice.name_resource(game.cid, "power")) == -1
