"""Chips: their value, trading, exchanging, the limit, the automatic success, the point at an arc's end."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from ledger.rules.kernel.commands import OpenScene
from ledger.rules.moc.characters import Sheet
from ledger.rules.moc.chips import ChipToPoint, ExchangeChip, GiveBack, Penalise, TradeDown, TradeUp
from ledger.rules.moc.deciding import ClaimSuccess
from ledger.rules.moc.fate import AwardChip, CloseArc, OpenArc
from ledger.rules.moc.hands import DrawHand
from ledger.rules.moc.resolving import Resolve
from ledger.rules.moc.trumps import Trump
from tests.rules.moc.book import answers, cites, refusing_rule
from tests.rules.moc.game import Game, the


def rich(white: int = 9, red: int = 5, blue: int = 3, scenes: int = 1, **dials: Any) -> Game:
    """Give Harry chips, in the interval after this many scenes."""
    game = Game(**dials)
    for _ in range(scenes):
        game.scene_ends(game.scene_begins())
    for colour, n in (("white", white), ("red", red), ("blue", blue)):
        if n:
            game.gives(game.hero, f"chip:{colour}", n)
    return game


def purse(white: int, red: int, blue: int) -> dict[str, int]:
    return {colour: n for colour, n in (("white", white), ("red", red), ("blue", blue)) if n}


# --- moc.chip.value, moc.chip.trade-up ---

#: The ways to pay for a red and for a blue chip: white chips, red chips.
FOR_A_RED, FOR_A_BLUE = {(4, 0)}, {(6, 0), (3, 1), (0, 2)}


@pytest.mark.parametrize(("taken", "good"), [("red", FOR_A_RED), ("blue", FOR_A_BLUE), ("white", set())])
def test_chips_worth_one_more_than_the_chip_wanted(taken: str, good: set[tuple[int, int]]) -> None:
    game = rich()
    for white, red in product(range(8), range(4)):
        do = TradeUp(game.hero, {"white": white, "red": red}, taken)
        lower = {"white": False, "red": not red, "blue": True}[taken] and white + red > 0
        code = "" if (white, red) in good else "wrong-trade-value" if lower else "not-a-trade-up"
        assert answers(game, do) == code, (white, red)
        if not code:
            gained = (9 - white, 5 - red + (taken == "red"), 3 + (taken == "blue"))
            assert game.chips(game.hero) == purse(*gained)
            assert cites(game.verdicts[-1], "moc.chip.trade-up") == [taken]
            game = rich()
        else:
            assert refusing_rule(game, do) == "moc.chip.trade-up"


@pytest.mark.parametrize(
    ("given", "taken", "code"),
    [
        ({"white": 4}, "red", ""),
        ({"white": 4, "blue": 0}, "red", ""),
        ({"blue": 1}, "blue", "not-a-trade-up"),
        ({"red": 1, "white": 1}, "red", "not-a-trade-up"),
        ({"white": 4}, "gold", "unknown-chip"),
        ({"gold": 4}, "red", "unknown-chip"),
        ({"white": -4}, "red", "negative-chips"),
        ({"white": 4.0}, "red", "negative-chips"),
        ({"red": 2}, "blue", "chips-not-held"),
        ({"red": 1, "white": 3}, "blue", ""),
        ({"white": 6}, "blue", "chips-not-held"),
    ],
)
def test_what_is_given_must_be_held(given: dict[str, Any], taken: str, code: str) -> None:
    game = rich(5, 1, 0)
    assert answers(game, TradeUp(game.hero, given, taken)) == code


# --- moc.chip.trade-down ---


@pytest.mark.parametrize(("given", "good"), [("red", {(3, 0)}), ("blue", {(5, 0), (2, 1)}), ("white", set())])
def test_one_chip_into_lower_ones_of_exactly_its_value(given: str, good: set[tuple[int, int]]) -> None:
    game = rich()
    for white, red in product(range(7), range(3)):
        do = TradeDown(game.hero, given, {"white": white, "red": red})
        lower = {"white": False, "red": not red, "blue": True}[given] and white + red > 0
        code = "" if (white, red) in good else "wrong-trade-value" if lower else "not-a-trade-down"
        assert answers(game, do) == code, (white, red)
        if not code:
            assert game.chips(game.hero) == purse(9 + white, 5 + red - (given == "red"), 3 - (given == "blue"))
            game = rich()
        else:
            assert refusing_rule(game, do) == "moc.chip.trade-down"


@pytest.mark.parametrize(
    ("scenes", "running", "code"),
    [(0, False, "only-at-scene-end"), (1, False, ""), (1, True, "only-at-scene-end"), (2, False, "")],
)
def test_trades_are_made_at_the_end_of_a_scene_only(scenes: int, running: bool, code: str) -> None:
    game = rich(4, 0, 0, scenes)
    if running:
        game.scene_begins(game.hero)
        game.gives(game.hero, "chip:red", 1)
    up = TradeUp(game.hero, {"white": 4}, "red")
    down = TradeDown(game.hero, "red", {"white": 3})
    assert (answers(game, up), answers(game, down)) == (code, code)


def test_there_and_back_costs_a_white_chip() -> None:
    game = rich(4, 0, 0)
    game.does(TradeUp(game.hero, {"white": 4}, "red"))
    game.does(TradeDown(game.hero, "red", {"white": 3}))
    assert game.chips(game.hero) == {"white": 3}


# --- moc.chip.limit ---


@pytest.mark.parametrize(
    ("hero", "other", "code"),
    [
        ((4, 0, 0), (0, 0, 0), ""),
        ((5, 0, 0), (0, 0, 0), "too-many-chips"),
        ((0, 0, 4), (0, 0, 0), ""),
        ((0, 0, 5), (0, 0, 0), "too-many-chips"),
        ((2, 1, 1), (0, 0, 0), ""),
        ((2, 2, 1), (0, 0, 0), "too-many-chips"),
        ((2, 0, 0), (2, 0, 0), ""),
        ((3, 0, 0), (0, 2, 0), "too-many-chips"),
        ((0, 0, 0), (5, 0, 0), "too-many-chips"),
    ],
)
def test_four_pieces_whatever_their_value_over_all_characters(
    hero: tuple[int, int, int], other: tuple[int, int, int], code: str
) -> None:
    game = rich(*hero)
    anna = game.enrol("Anna", Sheet("hero"), "ann")
    for colour, n in purse(*other).items():
        game.gives(anna, f"chip:{colour}", n)
    assert answers(game, OpenScene("A hangar", ())) == code


@pytest.mark.parametrize(
    ("do", "begins"),
    [
        (TradeUp("{id}", {"white": 4}, "red"), True),
        (ExchangeChip("{id}", "white", {"plot": 2}), True),
        (GiveBack("{id}", {"white": 1}), True),
        (Penalise("{id}", "selfish"), True),
        (TradeDown("{id}", "red", {"white": 3}), False),
    ],
)
def test_what_is_too_much_is_traded_exchanged_or_given_back(do: Any, begins: bool) -> None:
    """Four white chips and a red one are five pieces."""
    game = rich(4, 1, 0)
    assert answers(game, OpenScene("A hangar", ())) == "too-many-chips"
    fields = {name: getattr(do, name) for name in do.__dataclass_fields__}
    game.does(type(do)(**{**fields, "character": game.hero}))
    assert (answers(game, OpenScene("A hangar", ())) == "") is begins


def test_between_beginnings_there_is_no_limit() -> None:
    game = rich(4, 0, 0)
    game.does(OpenArc("an arc", 99))
    place = game.scene_begins(game.hero)
    assert answers(game, AwardChip(game.hero, {"white": 5, "blue": 5})) == ""
    assert sum(game.chips(game.hero).values()) == 14
    game.scene_ends(place)
    assert answers(game, OpenScene("Another", ())) == "too-many-chips"


# --- moc.chip.exchange ---


@pytest.mark.parametrize(
    ("chip", "beads", "code"),
    [
        ("white", {"plot": 2}, ""),
        ("white", {"plot": 1, "drama": 1}, ""),
        ("white", {"plot": 1}, "wrong-trade-value"),
        ("white", {"plot": 3}, "wrong-trade-value"),
        ("white", {}, "wrong-trade-value"),
        ("red", {"action": 6}, ""),
        ("red", {"action": 5}, "wrong-trade-value"),
        ("red", {"action": 7}, "wrong-trade-value"),
        ("blue", {"action": 3, "storytelling": 3, "plot": 2, "drama": 2}, ""),
        ("blue", {"action": 10}, ""),
        ("blue", {"action": 9}, "wrong-trade-value"),
        ("blue", {"action": 11}, "wrong-trade-value"),
        ("gold", {"action": 2}, "unknown-chip"),
        ("white", {"earth": 2}, "unknown-element"),
        ("white", {"plot": 3, "drama": -1}, "negative-beads"),
    ],
)
def test_twice_its_value_in_beads_of_elements_named(chip: str, beads: dict[str, int], code: str) -> None:
    for running in (False, True):
        game = rich(1, 1, 1)
        if running:
            game.scene_begins(game.hero)
        before = game.beads(game.hero)
        assert answers(game, ExchangeChip(game.hero, chip, beads)) == code
        after = {} if code else {one: n for one, n in beads.items() if n}
        assert {one: n - before.get(one, 0) for one, n in game.beads(game.hero).items() if n > before.get(one, 0)} == (
            after
        )


@pytest.mark.parametrize(("chip", "cards"), [("white", ("2C",)), ("red", ("2C", "3C", "4C")), ("blue", "23456")])
def test_as_many_cards_as_its_value(chip: str, cards: Any) -> None:
    """Everybody sees that the chip was spent; only the owner sees the cards."""
    drawn = tuple(f"{one}C" for one in cards) if isinstance(cards, str) else cards
    game = rich(1, 1, 1, hands_seen_by_gm=False)
    assert answers(game, ExchangeChip(game.hero, chip)) == "deck-empty", "no session yet"
    game.session_begins()
    done = game.does(ExchangeChip(game.hero, chip), drawn, by="ann")
    assert game.character(game.hero).hand == drawn and game.balance("campaign/card:deck") == 52 - len(drawn)
    told = {type(one.fact).__name__: one.audience for one in done.facts}
    own = (f"character:{game.hero}",)
    assert told == {"ChipSpentOnCards": None, "DeckCut": (), "ChipExchangedForCards": own}
    assert cites(done, "moc.chip.exchange") == [len(drawn)]


# --- moc.chip.automatic-success ---


@pytest.mark.parametrize(
    ("faces", "before", "claimed"),
    [
        ((1, 2, 3, 4, 5), "spectacular_failure", "success"),
        ((2, 3, 4, 5, 6), "failure", "success"),
        ((7, 2, 3, 4, 5), "near", "success"),
        ((8, 2, 3, 4, 5), "marginal", "success"),
        ((9, 2, 3, 4, 5), "success", "already-success"),
        ((9, 9, 3, 4, 5), "outstanding", "already-success"),
    ],
)
def test_a_white_chip_makes_a_success_of_whatever_is_less(faces: tuple[int, ...], before: str, claimed: str) -> None:
    game = rich(1, 1, 1)
    game.scene_begins(game.hero)
    plain, action = game.acts(game.hero), game.acts(game.hero)
    game.rolls(plain, *faces)
    assert game.level(plain) == before
    game.rolls(action, *faces)
    code = answers(game, ClaimSuccess(action, game.hero))
    assert (code or game.level(action)) == claimed
    assert game.chips(game.hero).get("white", 0) == (1 if code else 0)


@pytest.mark.parametrize(
    ("chip", "approved", "by", "code"),
    [
        ("white", None, "gm", ""),
        ("white", True, "gm", ""),
        ("white", False, "gm", "gm-approval-needed"),
        ("red", None, "gm", "chips-not-held"),
        ("blue", None, "gm", "chips-not-held"),
        ("gold", None, "gm", "unknown-chip"),
        ("white", False, "ann", "gm-approval-needed"),
    ],
)
def test_no_other_colour_and_only_with_approval(chip: str, approved: bool | None, by: str, code: str) -> None:
    game = rich(1, 1, 1)
    game.scene_begins(game.hero)
    action = game.acts(game.hero)
    game.rolls(action, 2, 3, 4, 5, 6)
    do = ClaimSuccess(action, game.hero, chip=chip, approved=approved)
    assert answers(game, do, by=by) == code
    if code in ("chips-not-held", "gm-approval-needed"):
        assert refusing_rule(game, do, by=by) == "moc.chip.automatic-success"


def test_it_serves_after_all_trumps() -> None:
    game = rich(1, 0, 0, hands_seen_by_gm=True)
    game.session_begins()
    game.does(DrawHand(game.enigma, ("7C", "10C"), ("7C", "10C")))
    game.scene_begins(game.hero, game.enigma)
    action = game.acts(game.hero)
    game.rolls(action, 9, 9, 9, 9, 9)
    game.does(Trump(action, game.enigma, "roll", "7C", allowed=True))
    assert answers(game, ClaimSuccess(action, game.hero)) == ""
    done = the(game.does(Resolve(action)), "ActionResolved")
    assert (done.level, done.net) == ("success", 3)


# --- moc.chip.character-point ---


@pytest.mark.parametrize(
    ("when", "chip", "held", "code"),
    [
        ("before", "blue", (0, 0, 1), "only-at-arc-end"),
        ("during", "blue", (0, 0, 1), "only-at-arc-end"),
        ("after", "blue", (0, 0, 1), ""),
        ("next", "blue", (0, 0, 1), "only-at-arc-end"),
        ("after", "white", (5, 0, 0), "chips-not-held"),
        ("after", "red", (0, 5, 0), "chips-not-held"),
        ("after", "blue", (5, 5, 0), "chips-not-held"),
        ("after", "gold", (0, 0, 1), "unknown-chip"),
    ],
)
def test_one_blue_chip_one_point_at_an_arcs_end(when: str, chip: str, held: tuple[int, int, int], code: str) -> None:
    game = rich(*held)
    if when != "before":
        game.does(OpenArc("I", 0))
    if when in ("after", "next"):
        game.does(CloseArc())
    if when == "next":
        game.does(OpenArc("II", 0))
    points, do = game.points(game.hero), ChipToPoint(game.hero, chip)
    assert answers(game, do) == code
    assert game.points(game.hero) == points + (0 if code else 120)
    if code not in ("", "unknown-chip"):
        assert refusing_rule(game, do) == "moc.chip.character-point"


# --- advanced_chips, beads_only ---


@pytest.mark.parametrize("dials", [{"advanced_chips": "off"}, {"beads_only": "on"}])
def test_no_chips_where_the_table_plays_without(dials: dict[str, Any]) -> None:
    game = rich(9, 9, 9, **dials) if "advanced_chips" in dials else rich(0, 0, 0, **dials)
    id = game.hero
    plays = [
        TradeUp(id, {"white": 4}, "red"),
        TradeDown(id, "red", {"white": 3}),
        ExchangeChip(id, "white", {"plot": 2}),
        ExchangeChip(id, "white"),
        ChipToPoint(id),
        AwardChip(id, {"white": 1}),
        Penalise(id, "selfish"),
    ]
    assert {answers(game, do) for do in plays} == {"no-chips-in-play"}
