"""Arithmetic of the rules, table by table."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.rules.kernel.refusals import Refused
from ledger.rules.moc.beads import count_allowance, price_beads
from ledger.rules.moc.cards import count_card_beads, count_card_points
from ledger.rules.moc.dice import (
    check_bonus,
    check_faces,
    choose_method,
    compute_effect_number,
    count_successes,
    find_level,
)
from ledger.rules.moc.holdings import price_contacts, price_steps
from ledger.rules.moc.piles import read_dice
from ledger.rules.moc.pools import count_extended_dice
from ledger.rules.moc.state import compute_active_value, find_daze_limit, find_pain_capacity
from ledger.rules.moc.words import (
    DECK,
    NEGATIVE_BEADS,
    find_card_class,
    read_card_value,
    read_characteristic,
    read_chip_colour,
    read_element,
    read_fraction,
    read_level,
    read_points,
    read_primary,
    read_whole,
)


def refused(call, *args):
    with pytest.raises(Refused) as caught:
        call(*args)
    return caught.value.code


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((6, 6, 6, 4, 3, 2), 8),
        ((8, 8, 7, 7, 4, 2), 9),
        ((10,), 10),
        ((1, 1, 1, 1), 4),
        ((9, 8, 8, 8), 10),
        ((9, 8, 8), 9),
    ],
)
def test_an_effect_number(values, expected):
    assert compute_effect_number(values, [False] * len(values)) == expected


def test_a_changed_die_counts_but_is_no_duplicate():
    """Harry's throw: 8 strictly, 10 when unnatural duplicates count."""
    values, changed = (7, 8, 7, 7, 7, 3, 2), (False, False, True, True, True, False, False)
    assert compute_effect_number(values, changed) == 8
    assert compute_effect_number(values, changed, only_natural_duplicates=False) == 10
    assert count_successes(values, changed, 7, "count") == 5
    assert refused(compute_effect_number, (), ()) == "empty-pool"
    assert count_successes((), (), 7, "en") == 0


@pytest.mark.parametrize(
    ("base", "bonus", "code"),
    [
        ((10,), (3,), None),
        ((10,), (10, 4), None),
        ((10, 10), (10, 4, 5), None),
        ((9,), (3,), "unearned-bonus-die"),
        ((10,), (3, 4), "unearned-bonus-die"),
        ((10,), (), "bonus-die-missing"),
        ((10,), (10,), "bonus-die-missing"),
        ((), (), None),
    ],
)
def test_bonus_dice_are_owed(base, bonus, code):
    if code is None:
        check_bonus(base, bonus)
    else:
        assert refused(check_bonus, base, bonus) == code


def test_a_one_on_a_bonus_die_reads_two():
    assert read_dice((10, 1), (1, 5)) == (10, 1, 2, 5)


@pytest.mark.parametrize(
    ("faces", "sides", "code"),
    [
        ((0,), 10, "face-out-of-range"),
        ((11,), 10, "face-out-of-range"),
        ((7,), 6, "face-out-of-range"),
        ((True,), 10, "face-out-of-range"),
        (("3",), 10, "face-out-of-range"),
        ((3,), 8, "unknown-die"),
    ],
)
def test_faces(faces, sides, code):
    assert refused(check_faces, faces, sides) == code


@pytest.mark.parametrize(
    ("kind", "mixed", "en", "count"),
    [
        ("skill", "en", "en", "count"),
        ("extended", "en", "en", "count"),
        ("movement", "en", "en", "count"),
        ("opposed", "count", "en", "count"),
        ("dodge", "count", "en", "count"),
        ("to_hit", "count", "en", "count"),
        ("initiative", "count", "count", "count"),
        ("damage", "count", "count", "count"),
        ("resisting", "count", "count", "count"),
        ("healing", "count", "count", "count"),
    ],
)
def test_which_method(kind, mixed, en, count):
    for resolution, expected in (("mixed", mixed), ("en", en), ("count", count)):
        assert choose_method(kind, resolution, False, "own_kind") == expected
        assert choose_method(kind, resolution, True, "own_kind") == expected
    assert choose_method(kind, "mixed", True, "count") == "count"


@pytest.mark.parametrize(
    ("total", "rolled", "one", "shifted", "level"),
    [
        (0, 0, False, False, 0),
        (0, 0, True, False, -1),
        (0, 0, False, True, -1),
        (0, 2, True, True, 0),
        (1, 0, True, True, 1),
        (2, 2, False, False, 2),
        (3, 3, True, False, 3),
        (4, 4, False, False, 4),
        (9, 9, False, False, 4),
    ],
)
def test_levels(total, rolled, one, shifted, level):
    assert find_level(total, rolled, one, shifted) == level


@pytest.mark.parametrize(
    ("base", "spent", "dice"),
    [(30, 30, 0), (30, 89, 0), (30, 90, 1), (30, 209, 1), (30, 210, 2), (5, 35, 2), (1, 15, 3), (1, 1000, 8)],
)
def test_time(base, spent, dice):
    assert count_extended_dice(base, spent) == dice
    assert refused(count_extended_dice, base, base - 1) == "time-too-short"


@pytest.mark.parametrize(
    ("card", "value", "beads", "before"),
    [
        ("2C", 2, 1, 3),
        ("9D", 9, 1, 3),
        ("10H", 10, 2, 4),
        ("JS", 11, 2, 4),
        ("QC", 12, 3, 5),
        ("KD", 13, 4, 6),
        ("AS", 14, 5, 7),
    ],
)
def test_cards(card, value, beads, before):
    assert read_card_value(card) == value
    assert count_card_beads(card, False, False) == beads
    assert count_card_beads(card, True, False) == before
    assert count_card_beads(card, True, True) == 2


@pytest.mark.parametrize(
    ("suit", "element", "rank"),
    [
        ("action", "action", "suited"),
        ("action", "plot", "related"),
        ("plot", "action", "related"),
        ("drama", "storytelling", "related"),
        ("storytelling", "drama", "related"),
        ("action", "drama", "off"),
        ("plot", "storytelling", "off"),
        ("drama", "action", "off"),
    ],
)
def test_classes(suit, element, rank):
    assert find_card_class(suit, element) == rank


def test_points_of_a_card():
    assert [count_card_points(7, rank, False) for rank in ("suited", "related", "off")] == [7, 4, 4]
    assert [count_card_points(7, rank, True) for rank in ("suited", "related", "off")] == [7, 7, 4]


def test_a_deck():
    assert len(DECK) == len(set(DECK)) == 52


def test_a_number_without_end_is_no_fraction():
    """`1e999999999` would be written out digit by digit, and the service would stop answering."""
    for endless in ("1e999999999", "1E-999999999", "1e٩٩٩٩٩٩٩٩٩", "1e9_9_9_9_9_9_9", "9" * 50):
        assert refused(read_fraction, endless, "r") == "cost-not-exact"
    for said, meant in (
        ("-3/2", Fraction(-3, 2)),
        ("0.5", Fraction(1, 2)),
        (" .5 ", Fraction(1, 2)),
        ("1e1", Fraction(10)),
    ):
        assert read_fraction(said, "r") == meant
    assert refused(read_points, Fraction(2**53), "r") == "cost-not-exact"


def test_a_level_nobody_can_pay_is_counted_at_once():
    assert price_steps(3, 2**53, free_levels=1) == 3 * (2**53 * (2**53 + 1) // 2 - 1)


@pytest.mark.parametrize(
    ("each", "free", "totals"),
    [
        (5, 1, [0, 10, 25, 45, 70]),
        (3, 1, [0, 6, 15, 27, 42]),
        (1, 0, [1, 3, 6, 10, 15]),
        (2, 0, [2, 6, 12, 20, 30]),
        (5, 0, [5, 15, 30, 50, 75]),
    ],
)
def test_prices(each, free, totals):
    assert [price_steps(each, level, free_levels=free) for level in range(1, 6)] == totals


@pytest.mark.parametrize(
    ("x", "worth", "loyalty", "cumulative", "doubling"),
    [
        (100, 1000, 0, 4, 5),
        (125, 1000, 0, 4, 4),
        (67, 1000, 0, 4, 5),
        (142, 1000, 0, 4, 4),
        (66, 1000, 0, 5, 5),
        (143, 1000, 0, 3, 4),
        (100, 100, 0, 1, 1),
        (100, 1, 2, 3, 3),
        (100, 101, 0, 2, 2),
    ],
)
def test_contacts(x, worth, loyalty, cumulative, doubling):
    assert price_contacts(Fraction(x), Fraction(worth), loyalty, False) == cumulative
    assert price_contacts(Fraction(x), Fraction(worth), loyalty, True) == doubling


@pytest.mark.parametrize(
    ("allowed", "secondary", "other", "cost"),
    [
        (11, 0, 0, 0),
        (11, 3, 0, 3),
        (11, 4, 0, 5),
        (11, 0, 1, 3),
        (11, 5, 1, 10),
        (3, 1, 0, 1),
        (3, 2, 0, 3),
        (2, 1, 0, 2),
    ],
)
def test_the_price_of_shifts(allowed, secondary, other, cost):
    assert price_beads(allowed, secondary, other) == cost


@pytest.mark.parametrize(
    ("rate", "ratings", "beads"),
    [
        (Fraction(1), (3, 1, 3), 7),
        (Fraction(3, 2), (3, 1, 3), 11),
        (Fraction(2), (3, 1, 3), 14),
        (Fraction(5, 2), (1, 1, 1), 8),
    ],
)
def test_allowances(rate, ratings, beads):
    assert count_allowance(rate, *ratings) == beads


@pytest.mark.parametrize(
    ("rating", "damage", "pain", "fatigue", "value"),
    [
        (5, 0, 0, 0, 5),
        (5, 2, 0, 0, 4),
        (5, 2, 3, 0, 1),
        (5, 6, 0, 0, 0),
        (5, 0, 0, 2, 3),
        (2, 3, 0, 1, 1),
        (3, 5, 4, 0, 0),
        (1, 0, 0, 4, 0),
    ],
)
def test_active_values(rating, damage, pain, fatigue, value):
    assert compute_active_value(rating, damage, pain, fatigue) == value


def test_what_body_carries():
    ratings = {"body": 3, "T": 2, "L": 2}
    assert (find_pain_capacity(ratings), find_daze_limit(ratings)) == (10, 5)


@settings(max_examples=200)
@given(st.lists(st.integers(1, 10), min_size=1, max_size=12), st.integers(2, 12))
def test_counting_never_finds_more_than_there_are(faces, tn):
    unchanged = [False] * len(faces)
    assert 0 <= count_successes(faces, unchanged, tn, "count") <= len(faces)
    best = compute_effect_number(faces, unchanged)
    assert max(faces) <= best <= max(faces) + len(faces) - 1
    assert count_successes(faces, unchanged, tn, "en") == max(0, best - tn + 1)


@settings(max_examples=100)
@given(st.integers(1, 100), st.integers(0, 10_000))
def test_time_buys_the_most_that_fits(base, more):
    spent = base + more
    n = count_extended_dice(base, spent)
    assert base * (2 ** (n + 1) - 1) <= spent < base * (2 ** (n + 2) - 1)


@pytest.mark.parametrize(
    ("call", "args", "code"),
    [
        (read_element, ("earth", "r"), "unknown-element"),
        (read_characteristic, ("Zz", "r"), "unknown-characteristic"),
        (read_primary, ("soul", "r"), "unknown-characteristic"),
        (read_chip_colour, ("green", "r"), "unknown-chip"),
        (read_level, ("great", "r"), "unknown-level"),
        (read_fraction, ("x", "r"), "cost-not-exact"),
        (read_points, (Fraction(1, 7), "r"), "cost-not-exact"),
        (read_whole, (-1, NEGATIVE_BEADS, "r"), "negative-beads"),
        (read_whole, (1.5, NEGATIVE_BEADS, "r"), "negative-beads"),
    ],
)
def test_malformed(call, args, code):
    assert refused(call, *args) == code


def test_names():
    assert read_element("Clubs", "r") == "action" and read_element("hearts", "r") == "drama"
    assert read_level("Marginal", "r") == read_level(2, "r") == 2
    assert read_fraction("3/2", "r") == Fraction(3, 2)
