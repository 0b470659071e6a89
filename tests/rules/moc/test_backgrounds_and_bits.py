"""Backgrounds, Bits, Putting It All Together: contacts by their worth, three Bits a point, negotiated traits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from ledger.rules.kernel.subjects import scene
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.negotiating import ApproveTrait, CounterTrait, LoseBackground, ProposeTrait
from ledger.rules.moc.own_dice import UseBit
from ledger.rules.moc.state import Action, find_action
from tests.rules.moc.buyers import POINT, RAISE, dice, playing, price, rich
from tests.rules.moc.cited import FINE, refusal
from tests.rules.moc.game import Game, buys, the

CONTACTS, NEGOTIATE = "moc.adv.contacts", "moc.adv.negotiate"


# --- moc.adv.bits ---


@pytest.mark.parametrize(("bits", "cost"), [(1, 1), (2, 1), (3, 1), (4, 2), (6, 2), (7, 3), (9, 3), (10, 4)])
def test_three_bits_a_point_and_a_begun_one_is_paid_whole(bits: int, cost: int) -> None:
    """It makes no difference whether they are bought together or in turn."""
    assert price(*rich(), buys("bits", level=bits)) == cost
    game, id = rich()
    assert sum(price(game, id, buys("bits", level=n)) for n in range(1, bits + 1)) == cost
    assert refusal(game, Buy(id, buys("bits", level=-1))) == "moc.char.cost negative-bits"


@pytest.mark.parametrize(("bits", "outcome"), [(0, "moc.adv.bits unknown-purchase"), (1, FINE)])
def test_a_bit_acts_as_three_dots(bits: int, outcome: str) -> None:
    game, id = playing(*(buys("bits", level=n) for n in range(1, bits + 1)))
    action = game.acts(id)
    assert refusal(game, UseBit(action)) == outcome
    if not outcome:
        game.does(UseBit(action))
        assert dice(game, action) == 6
        assert refusal(game, UseBit(action)) == "moc.adv.bits bits-used", "once on a roll"


@pytest.mark.parametrize(
    ("names", "costs"),
    [
        (("", "locks", "heraldry"), (1, 0, 0)),
        (("a", "b", "c", "d"), (1, 0, 0, 1)),
        (("a", "a", "b", "b"), (1, 0, 0, 1)),
    ],
)
def test_bits_of_all_names_are_counted_together(names: tuple[str, ...], costs: tuple[int, ...]) -> None:
    game, id = rich()
    levels = [names[: place + 1].count(name) for place, name in enumerate(names)]
    said = [price(game, id, buys("bits", name, level)) for name, level in zip(names, levels, strict=True)]
    assert tuple(said) == costs


def test_nobody_with_a_bit_is_untrained_in_its_skill() -> None:
    """Cryptography has difficulty 2: without training, the number is two higher and the pool two dice smaller."""
    game, id = playing(buys("bits", "Cryptography"), buys("bits", "Computers"))
    other = game.acts(id, skill="Pilot")
    assert refusal(game, UseBit(other)) == "moc.adv.bits no-bit-for-skill"
    action = game.acts(id, skill="Cryptography")
    (part,) = action_of(game, action).parts
    assert part.roll.trained and part.roll.tn == 7
    before = dice(game, action)
    game.does(UseBit(action))
    assert dice(game, action) == before + 3
    assert refusal(game, UseBit(action)) == "moc.adv.bits bits-used"


def test_a_bit_of_a_narrow_skill_serves_the_wider_one_and_trains_in_it() -> None:
    game, id = playing(buys("bits", "old ciphers"))
    action = game.acts(id, skill="Cryptography")
    (untrained,) = action_of(game, action).parts
    assert not untrained.roll.trained and untrained.roll.tn == 9
    before = dice(game, action)
    game.does(UseBit(action))
    (part,) = action_of(game, action).parts
    assert part.roll.trained and part.roll.tn == 7
    assert dice(game, action) >= before + 3


def action_of(game: Game, id: str) -> Action:
    found = find_action(game.state(scene(game.place)), id)
    assert found is not None
    return found


# --- moc.adv.contacts ---


@pytest.mark.parametrize(
    ("geometry", "worth", "loyalty", "cost"),
    [
        ("cumulative", 1, 0, 1),
        ("cumulative", 100, 0, 1),
        ("cumulative", 101, 0, 2),
        ("cumulative", 300, 0, 2),
        ("cumulative", 301, 0, 3),
        ("cumulative", 700, 0, 3),
        ("cumulative", 701, 0, 4),
        ("cumulative", 1000, 0, 4),
        ("cumulative", 1500, 3, 7),
        ("cumulative", 1501, 3, 8),
        ("doubling", 100, 0, 1),
        ("doubling", 101, 0, 2),
        ("doubling", 200, 0, 2),
        ("doubling", 201, 0, 3),
        ("doubling", 400, 1, 4),
        ("doubling", 1000, 0, 5),
    ],
)
def test_contacts_of_a_character_worth_a_hundred(geometry: str, worth: int, loyalty: int, cost: int) -> None:
    """x is 100: cumulative 100, 300, 700, 1500; doubling 100, 200, 400, 800. Each level of loyalty costs one more."""
    game, id = rich(contacts_geometry=geometry)
    assert price(game, id, buys("contacts", "guards", worth=worth, loyalty=loyalty)) == cost


@pytest.mark.parametrize(
    ("worth", "loyalty", "outcome"),
    [
        (0, 0, f"{CONTACTS} value-not-positive"),
        (-5, 0, f"{CONTACTS} value-not-positive"),
        (1, 0, FINE),
        ("1/2", 0, f"{CONTACTS} value-not-positive"),
        (1, -1, f"{CONTACTS} negative-level"),
        (1, 0.5, f"{CONTACTS} negative-level"),
        ("much", 0, f"{CONTACTS} value-not-positive"),
    ],
)
def test_contacts_are_worth_something(worth: Any, loyalty: Any, outcome: str) -> None:
    game, id = rich()
    assert refusal(game, Buy(id, buys("contacts", "guards", worth=worth, loyalty=loyalty))) == outcome


def test_points_earned_count_for_contacts() -> None:
    """x is the budget plus points earned: with 43 of them, a worth of 1000 costs three levels, plus loyalty."""
    for earned, cost in ((0, 4), (42, 4), (43, 3)):
        game, id = rich()
        game.sets(id, "earned", earned * POINT)
        assert price(game, id, buys("contacts", "guards", worth=1000)) == cost


@pytest.mark.parametrize(
    ("had", "wanted", "cost"),
    [
        ((100, 0), (300, 0), 1),
        ((100, 0), (1000, 0), 3),
        ((1000, 0), (1000, 2), 2),
        ((100, 2), (700, 0), FINE),
        ((1000, 0), (1000, 0), FINE),
        ((1000, 0), (1, 0), FINE),
        ((1000, 3), (1500, 4), 1),
    ],
)
def test_contacts_that_are_had_cost_the_difference(had: Any, wanted: Any, cost: Any) -> None:
    """`moc.char.raise`, and `not-a-raise`. Contacts under another name have their own price."""
    game, id = rich()
    before = price(game, id, buys("contacts", "guards", worth=had[0], loyalty=had[1]))
    more = buys("contacts", "guards", worth=wanted[0], loyalty=wanted[1])
    if cost == FINE:
        assert refusal(game, Buy(id, more)) == f"{RAISE} not-a-raise"
    else:
        assert price(game, id, more) == cost
    assert price(game, id, buys("contacts", "thieves", worth=had[0], loyalty=had[1])) == before


# --- moc.adv.negotiate ---


@pytest.mark.parametrize(
    ("stages", "outcome"),
    [
        ((), FINE),
        (("counter",), FINE),
        (("counter", "counter"), FINE),
        (("approve",), f"{NEGOTIATE} already-settled"),
        (("counter", "approve"), f"{NEGOTIATE} already-settled"),
    ],
)
def test_it_exists_once_approved_at_the_cost_last_offered(stages: tuple[str, ...], outcome: str) -> None:
    game, id = rich()
    trait = game.new(ProposeTrait(id, "wings", "12", 10), by="ann")
    before, cost = game.points(id), Fraction(10)
    for place, stage in enumerate(stages, 1):
        if stage == "counter":
            cost = Fraction(10 + place, 3)
            game.does(CounterTrait(id, trait, "9", str(cost)))
        else:
            game.does(ApproveTrait(id, trait))
        assert (game.points(id) == before) is (stage == "counter")
    for do in (ApproveTrait(id, trait), CounterTrait(id, trait, "9", 1)):
        assert refusal(game, do) == outcome
    if not outcome:
        game.does(ApproveTrait(id, trait))
    assert game.points(id) == before - cost * POINT
    assert game.character(id).traits[trait].stage == "approved"


@pytest.mark.parametrize("what", ["wings", "", "Swiftness", "movements"])
def test_what_nobody_approved_is_not_sold(what: str) -> None:
    game, id = rich()
    assert refusal(game, Buy(id, buys(what))) == f"{NEGOTIATE} unknown-purchase"


@pytest.mark.parametrize(
    ("kind", "cost", "lost"),
    [
        ("background", 3, FINE),
        ("advantage", 3, f"{NEGOTIATE} unknown-purchase"),
        ("disadvantage", -3, f"{NEGOTIATE} unknown-purchase"),
    ],
)
def test_backgrounds_are_lost_and_nothing_else_is(kind: str, cost: int, lost: str) -> None:
    game, id = rich()
    trait = game.new(ProposeTrait(id, "a house", "", cost, kind))
    assert refusal(game, LoseBackground(id, trait)) == f"{NEGOTIATE} unknown-purchase"
    assert the(game.does(ApproveTrait(id, trait)), "TraitApproved").cost == str(cost)
    assert refusal(game, LoseBackground(id, trait)) == lost
