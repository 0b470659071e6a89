"""Inheritance, villains, and characters who are gone, with the rulebook's answer in the last column."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.commands import Enrol, Retire
from ledger.rules.kernel.subjects import character
from ledger.rules.moc.beads import AllocateBeads
from ledger.rules.moc.buying import Buy
from ledger.rules.moc.characters import InheritChips, Sacrifice, SetStatus, Sheet
from ledger.rules.moc.chips import ChipToPoint, Penalise
from ledger.rules.moc.fate import AwardChip, CloseArc, Nominate, OpenArc
from ledger.rules.moc.hands import DrawHand
from ledger.rules.moc.trading import TradeCards
from tests.rules.moc.book import answers, cites, refusing_rule
from tests.rules.moc.game import Game, buys, kinds_of
from tests.rules.moc.test_fate import named

# --- moc.fate.inherit ---


@pytest.mark.parametrize(
    ("how", "bonus", "outcome"),
    [
        ("sacrificed", {}, {"white": 1, "blue": 2}),
        ("sacrificed", {"red": 2}, {"white": 1, "red": 2, "blue": 2}),
        ("sacrificed", {"white": -1}, "negative-chips"),
        ("sacrificed", {"gold": 1}, "unknown-chip"),
        ("dead", {}, {"white": 1, "blue": 2}),
        ("dead", {"white": 1}, "bonus-needs-sacrifice"),
        ("dead", {"white": 0}, {"white": 1, "blue": 2}),
        ("retired", {"white": 1}, "bonus-needs-sacrifice"),
        ("retired", {}, {"white": 1, "blue": 2}),
        ("active", {}, "still-in-play"),
        ("active", {"white": 1}, "bonus-needs-sacrifice"),
        ("down", {}, "still-in-play"),
    ],
)
def test_all_its_chips_go_to_the_players_next_character(how: str, bonus: dict[str, int], outcome: Any) -> None:
    game = Game()
    game.gives(game.hero, "chip:white", 1)
    game.gives(game.hero, "chip:blue", 2)
    goes = {"sacrificed": Sacrifice(game.hero, "for them"), "retired": Retire(game.hero, "tired")}
    game.does(goes.get(how, SetStatus(game.hero, how)))
    assert game.chips(game.hero) == ({} if how in ("dead", "retired") else {"white": 1, "blue": 2})
    anna = game.enrol("Anna", Sheet("hero"), "ann")
    do = InheritChips(anna, game.hero, bonus)
    code = answers(game, do)
    assert (code or game.chips(anna)) == outcome
    if not code:
        assert game.chips(game.hero) == {} and answers(game, InheritChips(anna, game.hero)) == "chips-not-held"
    elif code in ("bonus-needs-sacrifice", "still-in-play"):
        assert refusing_rule(game, do) == "moc.fate.inherit"


@pytest.mark.parametrize(
    ("heir", "source", "code"),
    [
        ("enigma", "hero", "not-the-heir"),
        ("villain", "hero", "not-the-heir"),
        ("hero", "hero", "not-the-heir"),
        ("anna", "hero", ""),
        ("anna", "enigma", "not-the-heir"),
        ("99", "hero", "unknown-character"),
    ],
)
def test_whose_heir(heir: str, source: str, code: str) -> None:
    game = Game()
    game.gives(game.hero, "chip:red", 1)
    game.does(Sacrifice(game.hero, "for them"))
    anna = game.enrol("Anna", Sheet("hero"), "ann")
    id = anna if heir == "anna" else named(game, heir)
    assert answers(game, InheritChips(id, named(game, source))) == code


# --- villains ---


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ("an award", "not-a-players-character"),
        ("a hand", "villains-share-cards"),
        ("a purchase", ""),
        ("a nomination", "not-a-players-character"),
        ("beads", ""),
        ("a penalty", "chips-not-held"),
        ("a card trade", "advantage-needed"),
    ],
)
def test_villains_are_the_game_masters(what: str, code: str) -> None:
    """They are like other characters, except that players hold chips and villains share cards."""
    game = Game()
    game.does(OpenArc("an arc", 9))
    game.session_begins()
    does = {
        "an award": AwardChip(game.villain, {"white": 1}),
        "a hand": DrawHand(game.villain, ("8C", "9C"), ("8C", "9C")),
        "a purchase": Buy(game.villain, buys("skill", "Dodge", 2)),
        "a nomination": Nominate("ann", game.villain),
        "beads": AllocateBeads(game.villain, {"storytelling": 1}),
        "a penalty": Penalise(game.villain, "selfish"),
        "a card trade": TradeCards(game.villain, game.hero),
    }
    assert answers(game, does[what]) == code


def test_a_villain_has_beads_tokens_and_a_body_of_its_own() -> None:
    game = Game()
    grun = game.enrol("Grun", Sheet("wildcard", {"body": 3, "T": 2, "L": 2}, villain=True), "gm")
    game.scene_begins(game.hero, grun)
    assert game.beads(grun) == {"action": 2, "storytelling": 1, "plot": 1, "drama": 1} and game.tokens(grun) == (
        3,
        1,
        1,
    )
    assert game.view(character(grun), "gm")["villain"] is True
    assert "VillainsDrew" not in [kind for verdict in game.verdicts for kind in kinds_of(verdict)]


# --- N15: who is gone ---


@pytest.mark.parametrize(
    ("status", "code"),
    [
        ("active", ""),
        ("down", ""),
        ("dead", ""),
        ("retired", "unknown-status"),
        ("sacrificed", "unknown-status"),
        ("bored", "unknown-status"),
    ],
)
def test_which_states_a_game_master_sets(status: str, code: str) -> None:
    game = Game()
    done = answers(game, SetStatus(game.hero, status))
    assert done == code
    assert game.character(game.hero).status == ("active" if code else status)
    acts = answers(game, AllocateBeads(game.hero))
    assert acts == ("character-gone" if status == "dead" else ""), "who is down is still in play"


def test_a_budget_of_points_is_not_given_to_who_is_gone() -> None:
    game = Game()
    game.gives(game.hero, "chip:blue", 1)
    game.does(OpenArc("an arc", 0))
    game.does(CloseArc())
    game.does(Sacrifice(game.hero, "for them"))
    do = ChipToPoint(game.hero)
    assert answers(game, do) == "character-gone" and refusing_rule(game, do) == "moc.fate.inherit"
    done = game.does(Enrol("Anna", "ann", Sheet("hero")))
    anna = str(game.number - 1)
    game.does(InheritChips(anna, game.hero))
    assert answers(game, ChipToPoint(anna)) == "" and cites(done, "moc.char.budget") != []
    assert game.points(anna) == 101 * 120
