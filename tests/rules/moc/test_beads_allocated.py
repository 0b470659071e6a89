"""A scene's beads, their number and allocation, with the rulebook's answer in the last column."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.commands import Enrol, SetDial
from ledger.rules.moc.beads import AllocateBeads, UseSessionBead
from ledger.rules.moc.characters import Sheet
from ledger.rules.moc.chips import ExchangeChip
from tests.rules.moc.book import answers, cites, refusing_rule
from tests.rules.moc.game import Game, buys, the

ELEMENTS = ("action", "storytelling", "plot", "drama")


def one(archetype: str, ratings: tuple[int, int, int] = (3, 3, 3), *bought: Any, **dials: Any) -> Game:
    game = Game(begin=False, **dials)
    body, mind, spirit = ratings
    sheet = Sheet(archetype, {"body": body, "mind": mind, "spirit": spirit}, purchases=tuple(bought))
    game.landon = game.enrol("Somebody", sheet, "ann")
    return game


def pools(game: Game) -> tuple[int, ...]:
    held = game.beads(game.landon)
    return tuple(held.get(element, 0) for element in ELEMENTS)


# --- moc.bead.allowance ---


@pytest.mark.parametrize(
    ("dials", "ratings", "allowance"),
    [
        ({}, (1, 1, 1), 3),
        ({}, (3, 1, 3), 7),
        ({}, (5, 1, 1), 7),
        ({"power_level": "heroic"}, (1, 1, 1), 5),
        ({"power_level": "heroic"}, (2, 1, 1), 6),
        ({"power_level": "heroic"}, (3, 1, 3), 11),
        ({"power_level": "superheroic"}, (3, 1, 3), 14),
        ({"power_level": "superheroic"}, (1, 1, 1), 6),
        ({"power_level": "superheroic", "superheroic_bead_rate": "9/4"}, (1, 1, 1), 7),
        ({"power_level": "superheroic", "superheroic_bead_rate": "7/3"}, (1, 1, 1), 7),
        ({"power_level": "superheroic", "superheroic_bead_rate": "7/3"}, (2, 1, 1), 10),
        ({"power_level": "superheroic", "superheroic_bead_rate": 3}, (3, 1, 3), 21),
        ({"power_level": "heroic", "superheroic_bead_rate": 3}, (3, 1, 3), 11),
    ],
)
def test_rate_times_the_ratings_rounded_up(
    dials: dict[str, Any], ratings: tuple[int, int, int], allowance: int
) -> None:
    """Ratings count, not active values: wounded and tired characters get no fewer beads."""
    game = one("enigma", ratings, **dials)
    game.sets(game.landon, "damage", 5)
    game.sets(game.landon, "fatigue", 3)
    done = game.does(AllocateBeads(game.landon))
    assert the(done, "BeadsAllocated").allowance == allowance
    assert cites(done, "moc.bead.allowance") == [allowance]
    assert pools(game) == (0, allowance + 3, 0, 0), "and the archetype's three"


@pytest.mark.parametrize(
    ("rate", "code"),
    [
        (2, ""),
        ("2", ""),
        ("5/2", ""),
        ("2.5", ""),
        (1, "rate-below-two"),
        ("199/100", "rate-below-two"),
        ("many", "unknown-dial-value"),
        ("1/0", "unknown-dial-value"),
    ],
)
def test_a_rate_of_two_at_least(rate: Any, code: str) -> None:
    game = one("hero", power_level="superheroic")
    if rate == 2:
        game.set_dial("superheroic_bead_rate", 3)
    assert answers(game, SetDial("superheroic_bead_rate", rate, "ours")) == code


# --- moc.bead.allocate: nine beads, a third is three ---

HERO, ENIGMA = "hero", "enigma"


@pytest.mark.parametrize(
    ("archetype", "wanted", "outcome"),
    [
        (HERO, {}, (12, 0, 0, 0)),
        (HERO, {"plot": 1}, (11, 0, 1, 0)),
        (HERO, {"plot": 3}, (9, 0, 3, 0)),
        (HERO, {"plot": 4}, (7, 0, 4, 0)),
        (HERO, {"plot": 5}, (5, 0, 5, 0)),
        (HERO, {"plot": 6}, (3, 0, 6, 0)),
        (HERO, {"plot": 7}, "not-enough-beads"),
        (HERO, {"drama": 1}, (9, 0, 0, 1)),
        (HERO, {"drama": 3}, (3, 0, 0, 3)),
        (HERO, {"drama": 4}, "not-enough-beads"),
        (HERO, {"drama": 1, "storytelling": 2}, (3, 2, 0, 1)),
        (HERO, {"plot": 3, "drama": 2}, (3, 0, 3, 2)),
        (HERO, {"plot": 4, "drama": 1}, (4, 0, 4, 1)),
        (HERO, {"plot": 4, "drama": 2}, "not-enough-beads"),
        (HERO, {"plot": 0}, (12, 0, 0, 0)),
        (HERO, {"action": 1}, "primary-takes-the-rest"),
        (HERO, {"clubs": 1}, "primary-takes-the-rest"),
        (HERO, {"spades": 3}, (9, 0, 3, 0)),
        (HERO, {"plot": -1}, "negative-beads"),
        (HERO, {"plot": 1.5}, "negative-beads"),
        (HERO, {"background": 1}, "unknown-element"),
        (ENIGMA, {"drama": 3}, (0, 9, 0, 3)),
        (ENIGMA, {"drama": 4}, (0, 7, 0, 4)),
        (ENIGMA, {"plot": 1}, (0, 9, 1, 0)),
        ("protagonist", {"action": 4}, (4, 0, 7, 0)),
        ("protagonist", {"storytelling": 1}, (0, 1, 9, 0)),
        ("architect", {"storytelling": 4}, (0, 4, 0, 7)),
        ("architect", {"action": 1}, (1, 0, 0, 9)),
        ("wildcard", {"action": 9}, (9, 0, 0, 0)),
        ("wildcard", {"action": 2, "drama": 3}, (2, 0, 0, 3)),
        ("wildcard", dict.fromkeys(ELEMENTS, 2), (2, 2, 2, 2)),
        ("wildcard", {}, (0, 0, 0, 0)),
        ("wildcard", {"action": 5, "drama": 5}, "not-enough-beads"),
        ("wildcard", {"earth": 1}, "unknown-element"),
    ],
)
def test_a_third_for_nothing_then_two_for_one_and_three_for_others(
    archetype: str, wanted: dict[str, Any], outcome: Any
) -> None:
    game = one(archetype)
    do = AllocateBeads(game.landon, wanted)
    code = answers(game, do)
    assert (code or pools(game)) == outcome
    if not code:
        assert answers(game, do) == "already-allocated"
    assert refusing_rule(game, do) == "moc.bead.allocate"


@pytest.mark.parametrize(
    ("ratings", "wanted", "outcome"),
    [
        ((1, 1, 1), {"plot": 1}, (5, 0, 1, 0)),
        ((1, 1, 1), {"plot": 2}, (3, 0, 2, 0)),
        ((1, 1, 1), {"plot": 3}, "not-enough-beads"),
        ((1, 1, 1), {"drama": 1}, (3, 0, 0, 1)),
        ((2, 1, 1), {"plot": 2}, (4, 0, 2, 0)),
        ((2, 2, 1), {"plot": 1}, (7, 0, 1, 0)),
        ((2, 2, 1), {"plot": 2}, (5, 0, 2, 0)),
        ((2, 2, 2), {"plot": 2}, (7, 0, 2, 0)),
        ((2, 2, 2), {"plot": 3}, (5, 0, 3, 0)),
        ((5, 2, 1), {"plot": 2}, (9, 0, 2, 0)),
        ((5, 2, 1), {"plot": 3}, (7, 0, 3, 0)),
    ],
)
def test_a_third_rounds_down(ratings: tuple[int, int, int], wanted: dict[str, int], outcome: Any) -> None:
    """A third of the allowance, without the archetype's three beads."""
    game = one(HERO, ratings)
    code = answers(game, AllocateBeads(game.landon, wanted))
    assert (code or pools(game)) == outcome


DRAMA_TOO, PLOT_TOO = buys("extra-primary", element="drama"), buys("extra-primary", element="plot")
STORY_TOO, SCENE_BEADS = buys("extra-secondary", element="storytelling"), buys("extra-bead-scene", level=2)


@pytest.mark.parametrize(
    ("archetype", "bought", "wanted", "outcome"),
    [
        (HERO, (DRAMA_TOO,), {"drama": 9}, (3, 0, 0, 9)),
        (HERO, (DRAMA_TOO,), {"drama": 10}, "not-enough-beads"),
        (HERO, (DRAMA_TOO,), {"drama": 4, "plot": 3}, (5, 0, 3, 4)),
        (HERO, (PLOT_TOO,), {"plot": 7}, (5, 0, 7, 0)),
        (HERO, (STORY_TOO,), {"storytelling": 3}, (9, 3, 0, 0)),
        (HERO, (STORY_TOO,), {"storytelling": 2, "plot": 2}, (7, 2, 2, 0)),
        (HERO, (buys("change-secondary", element="drama"),), {"drama": 3}, (9, 0, 0, 3)),
        (HERO, (buys("change-secondary", element="drama"),), {"plot": 1}, (9, 0, 1, 0)),
        (HERO, (SCENE_BEADS,), {}, (14, 0, 0, 0)),
        (HERO, (SCENE_BEADS,), {"plot": 6}, (5, 0, 6, 0)),
        (HERO, (SCENE_BEADS,), {"plot": 7}, "not-enough-beads"),
        ("wildcard", (SCENE_BEADS,), {"plot": 1}, "no-primary-element"),
        ("wildcard", (PLOT_TOO, SCENE_BEADS), {}, (0, 0, 11, 0)),
        ("wildcard", (PLOT_TOO,), {"drama": 3}, (0, 0, 6, 3)),
        ("wildcard", (PLOT_TOO,), {"drama": 4}, (0, 0, 4, 4)),
    ],
)
def test_what_is_bought_changes_the_prices(
    archetype: str, bought: tuple[Any, ...], wanted: dict[str, int], outcome: Any
) -> None:
    """Beads move for free between primary Elements. Bought beads cannot pay for moves."""
    game = one(archetype, (3, 3, 3), *bought)
    code = answers(game, AllocateBeads(game.landon, wanted))
    assert (code or pools(game)) == outcome


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"plot": 3}, ""),
        ({"plot": 6}, ""),
        ({"plot": 7}, "not-enough-beads"),
        (dict.fromkeys(ELEMENTS, 1), ""),
        ({"plot": 4, "drama": 2}, ""),
        ({"plot": 4, "drama": 3}, "not-enough-beads"),
    ],
)
def test_a_wildcard_by_the_dial_a_third_free_and_the_rest_two_for_one(wanted: dict[str, int], code: str) -> None:
    game = one("wildcard", wildcard_allocation="third_then_two")
    assert answers(game, AllocateBeads(game.landon, wanted)) == code


@pytest.mark.parametrize(
    ("archetype", "ratings", "dials", "outcome"),
    [
        (HERO, (3, 3, 3), {}, (12, 0, 0, 0)),
        (ENIGMA, (3, 3, 3), {}, (0, 12, 0, 0)),
        ("protagonist", (1, 1, 1), {}, (0, 0, 6, 0)),
        ("architect", (1, 1, 1), {}, (0, 0, 0, 6)),
        ("wildcard", (2, 1, 1), {}, (1, 1, 1, 1)),
        ("wildcard", (3, 3, 3), {}, (3, 2, 2, 2)),
        ("wildcard", (3, 3, 2), {}, (2, 2, 2, 2)),
    ],
)
def test_who_says_nothing_is_never_left_without(
    archetype: str, ratings: tuple[int, int, int], dials: dict[str, Any], outcome: tuple[int, ...]
) -> None:
    game = one(archetype, ratings, **dials)
    game.scene_begins(game.landon)
    assert pools(game) == outcome


# --- moc.bead.regenerate ---


def test_a_scenes_beads_end_with_it_and_those_of_an_interval_belong_to_the_next() -> None:
    game = one(HERO)
    game.gives(game.landon, "chip:white", 3)
    exchange = ExchangeChip(game.landon, "white", {"drama": 2})
    game.does(exchange)
    place = game.scene_begins(game.landon)
    assert pools(game) == (12, 0, 0, 2), "got in the interval"
    game.does(exchange)
    assert pools(game) == (12, 0, 0, 4), "got in the scene"
    game.scene_ends(place)
    assert pools(game) == (0, 0, 0, 0)
    game.does(exchange)
    game.does(AllocateBeads(game.landon, {"plot": 3}))
    game.scene_begins(game.landon)
    assert pools(game) == (9, 0, 3, 2), "a whole new set"


@pytest.mark.parametrize(("bought", "codes"), [(1, ["", "not-enough-beads"]), (2, ["", "", "not-enough-beads"])])
def test_extra_beads_of_any_element_each_once_a_session(bought: int, codes: list[str]) -> None:
    game = one(HERO, (3, 3, 3), buys("extra-bead-session", level=bought))
    session = game.session_begins()
    place = game.scene_begins(game.landon)
    use = UseSessionBead(game.landon, "drama")
    assert answers(game, UseSessionBead(game.landon, "earth")) == "unknown-element"
    assert [answers(game, use) for _ in codes] == codes
    game.scene_ends(place)
    place = game.scene_begins(game.landon)
    assert answers(game, use) == "not-enough-beads", "a new scene is no new session"
    game.scene_ends(place)
    game.session_ends(session)
    game.session_begins()
    assert [answers(game, use) for _ in codes] == codes


@pytest.mark.parametrize("archetype", ["jester", "", "Hero"])
def test_there_are_five_archetypes(archetype: str) -> None:
    game = Game(begin=False)
    do = Enrol("Somebody", "ann", Sheet(archetype))
    assert answers(game, do) == "unknown-archetype"
