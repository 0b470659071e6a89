"""Credit: buying with both tests, sacrifice, transfer, adjustment, and how it follows Social."""

from __future__ import annotations

import pytest

from ledger.rules.kernel.questions import Ask
from ledger.rules.mongrel.bargains import PurchaseRolled, Sacrifice, count_bargain
from ledger.rules.mongrel.credit import Accept, AdjustCredit, Barter, ChangeSocial, NoDeal, TransferCredit
from ledger.rules.mongrel.dials import Dials
from ledger.rules.mongrel.purchases import Purchase
from ledger.rules.mongrel.sessions import FeaturesUsed
from ledger.rules.mongrel.tasks import Pool
from tests.rules.mongrel.game import GIAZZA, Game, but, kinds_of, of_kind, the

LOOSE = Dials(purchase_same_die=False)
LOW = Dials(purchase_same_die=False, low_longshot=True)
ALWAYS = Dials(special_cases_scope="always")
A, S, R = "acquired", "sacrifice-offered", "refused-by-seller"

BARGAINS = [
    # dials, value, faces, Social, Credit -> outcome, good, flat
    (Dials(), 2, (3, 6), 3, 4, A, 1, False),
    (Dials(), 2, (1, 6), 3, 4, S, 0, False),
    (Dials(), 2, (5, 6), 3, 4, R, 0, False),
    (Dials(), 2, (3, 4), 3, 4, A, 2, False),
    (Dials(), 2, (1, 6), 3, 2, S, 0, False),
    (LOOSE, 2, (1, 6), 3, 2, A, 1, False),
    (LOOSE, 3, (1, 5, 6), 3, 2, A, 2, False),
    (LOOSE, 2, (5, 6), 3, 4, R, 2, False),
    (LOOSE, 2, (1, 2), 3, 4, S, 0, False),
    (Dials(), 2, (1, 3), 1, 4, S, 2, False),
    (Dials(), 3, (1, 3, 3), 1, 4, A, 3, False),
    (Dials(), 2, (6, 3), 3, 6, R, 2, False),
    (Dials(), 2, (6, 3), 7, 6, R, 0, True),
    (Dials(), 3, (6, 6, 3), 7, 3, S, 0, True),
    (LOOSE, 2, (6, 3), 7, 3, A, 0, True),
    (LOW, 2, (6, 1), 3, 0, A, 1, True),
    (Dials(low_longshot=True), 2, (6, 1), 3, 0, S, 0, True),
    (ALWAYS, 2, (3, 6), 3, 4, R, 1, False),
    (Dials(), 0, (3, 4), 3, 4, A, 2, True),
    (Dials(), 0, (3, 2), 3, 4, S, 1, True),
    (Dials(), 0, (3, 5), 3, 4, R, 1, True),
]


@pytest.mark.parametrize(("dials", "value", "faces", "social", "credit", "outcome", "good", "flat"), BARGAINS)
def test_bargains(dials, value, faces, social, credit, outcome, good, flat):
    found = count_bargain(faces, Pool("1", "negotiate", "man", value, None), social, credit, dials)
    assert (found.outcome, found.good, found.is_flat) == (outcome, good, flat)


def shop(**dials):
    """A buyer with Negotiate 3, Man 5, Credit 4 with the Nuin; Giazza sells, Social 4."""
    game = Game(session=True, **dials)
    return game, game.enrol(
        "Buyer",
        but(GIAZZA, plus_two=("negotiate", "sense"), plus_one=("lie", "melee"), plus_three=("rend", "bureaucrat")),
        "p",
    )


@pytest.mark.parametrize(
    ("dials", "more", "faces", "outcome", "tn", "effect"),
    [
        ({}, {}, (4, 4, 1), A, 4, 2 + 5),
        ({"effect_adds_tn": True}, {}, (4, 4, 1), A, 4, 2 + 5 + 4),
        ({"purchase_social_strict": True}, {}, (4, 4, 1), S, 5, 0),
        ({}, {"difficulty": 1}, (4, 4, 1), S, 5, 0),
        ({"modifier_direction": "literal"}, {"difficulty": 2}, (2, 4, 1), A, 2, 2 + 5),
        ({}, {"seller": None, "social": 2}, (2, 3, 4), A, 2, 3 + 5),
    ],
)
def test_buying(dials, more, faces, outcome, tn, effect):
    game, buyer = shop(**dials)
    do = Purchase(buyer, "a lamp", "nuin", **{"seller": game.giazza, **more})
    verdict = game.does(do, faces, *((NoDeal(),) if outcome == S else ()))
    done = the(verdict, PurchaseRolled)
    assert (done.outcome, done.tn, done.effect, done.credit) == (outcome, tn, effect, 4)
    assert kinds_of(verdict)[:3] == ["TaskDeclared", "DiceRolled", "PurchaseRolled"]
    assert ("ItemAcquired" in kinds_of(verdict)) == (outcome == A)
    sold_by = [("social",)] if more.get("seller", 1) else []
    assert [one.features for one in of_kind(verdict, FeaturesUsed)] == [("negotiate", "man"), *sold_by]
    assert game.credit(buyer, "nuin") == 4


def test_sacrificing_credit():
    game, buyer = shop(player_numbers="trusted")
    do = Purchase(buyer, "a lamp", "nuin", seller=game.vooruk)
    question = game.asks(do, (1, 1, 1), by="p")
    assert isinstance(question, Ask) and question.seat == "p"
    for amount, code in ((0, "bad-amount"), ("1", "bad-amount"), (5, "credit-short")):
        assert game.refuses(do, (1, 1, 1), Sacrifice(amount)) == code
        assert game.refuses(Purchase(buyer, "a lamp", "nuin", seller=game.vooruk, sacrifice=amount)) == code
    verdict = game.does(do, (1, 1, 1), Sacrifice(3), Accept())
    assert kinds_of(verdict)[3:5] == ["CreditSacrificed", "ItemAcquired"]
    assert (game.credit(buyer, "nuin"), game.credit(game.vooruk, "nuin")) == (1, 4)
    game.does(Purchase(buyer, "a lamp", "nuin", social=6, faces=(1, 1, 1), sacrifice=1))
    assert game.credit(buyer, "nuin") == 0


@pytest.mark.parametrize(
    ("new", "code"),
    [
        ({"available": False, "house": "oz"}, "not-available"),
        ({"house": "oz"}, "house-unknown"),
        ({"expertise": "zap"}, "expertise-unknown"),
        ({"social": None}, "bad-score"),
        ({"social": -1}, "bad-score"),
        ({"difficulty": 5}, "modifier-range"),
        ({"faces": (1,)}, "dice-count"),
        ({"faces": (1, 1, 9)}, "dice-face"),
        ({"seller": "6"}, "bad-target"),
        ({"seller": "77"}, "unknown-character"),
    ],
)
def test_buying_refused(new, code):
    game, buyer = shop()
    assert game.refuses(Purchase(**{"buyer": buyer, "item": "x", "house": "nuin", "social": 3, **new})) == code


@pytest.mark.parametrize(
    ("source", "target", "credited", "code"),
    [
        ("nuin", "nuin", 0, "same-account"),
        ("nuin", "mekag", 3, "credit-short"),
        ("nuin", "oz", 3, "credit-short"),
        ("nuin", "oz", 0, "bad-amount"),
        ("nuin", "mekag", -1, "bad-amount"),
        ("nuin", "mekag", "1", "bad-amount"),
        ("nuin", "oz", 1, "house-unknown"),
        ("oz", "nuin", 1, "house-unknown"),
        ("mekag", "nuin", 1, "credit-short"),
        ("nuin", "mekag", 1, None),
        ("nuin", "mekag", 2, None),
    ],
)
def test_transfers(source, target, credited, code):
    game = Game()
    do = TransferCredit(game.giazza, source, target, credited)
    if code:
        assert game.refuses(do) == code
    else:
        game.does(do)
        assert (game.credit(game.giazza, "nuin"), game.credit(game.giazza, "mekag")) == (4 - 2 * credited, 1 + credited)


@pytest.mark.parametrize(
    ("house", "change", "code"),
    [
        ("oz", 0, "house-unknown"),
        ("nuin", 0, "bad-amount"),
        ("nuin", "1", "bad-amount"),
        ("nuin", -5, "credit-short"),
        ("nuin", -4, None),
        ("nuin", 3, None),
    ],
)
def test_adjusting(house, change, code):
    game = Game()
    do = AdjustCredit(game.giazza, house, change, "a deal")
    if code:
        assert game.refuses(do) == code
    else:
        game.does(do)
        assert game.credit(game.giazza, "nuin") == 4 + change


@pytest.mark.parametrize(("held", "social", "left"), [(4, 5, 5), (2, 5, 3), (4, 1, 1), (2, 1, 0), (0, 1, 0), (4, 4, 4)])
def test_credit_follows_social(held, social, left):
    game = Game()
    if held != 4:
        game.does(AdjustCredit(game.giazza, "nuin", held - 4))
    verdict = game.does(ChangeSocial(game.giazza, social))
    assert (game.credit(game.giazza, "nuin"), game.credit(game.giazza, "mekag")) == (left, 1)
    assert ("CreditFollowedSocial" in kinds_of(verdict)) == (left != held)
    assert game.character(game.giazza).attributes["social"] == social
    assert game.refuses(ChangeSocial(game.giazza, -1)) == "bad-score"


def test_barter_is_words():
    game = Game()
    assert kinds_of(game.does(Barter(game.ahvia, "two chickens"))) == ["Bartered"]
