"""A name changes neither the effect of a purchase nor whether it can be bought again."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from ledger.rules.kernel.commands import CloseSession
from ledger.rules.moc import RULESET
from ledger.rules.moc.beads import UseSessionBead
from ledger.rules.moc.buying import Buy, LevelBought
from ledger.rules.moc.hands import DrawHand
from ledger.rules.moc.negotiating import BackgroundLost
from ledger.rules.moc.own_dice import UsePeriodDice
from ledger.rules.moc.state import Character
from tests.rules.moc.buyers import dice, playing, price, rich
from tests.rules.moc.game import buys

NAMED = ("swiftness", "extra-bead-scene", "extra-bead-session", "hand-of-fate", "fortune", "vortex", "money")


@pytest.mark.parametrize("what", NAMED)
def test_a_name_does_not_let_an_advantage_be_bought_again(what: str) -> None:
    game, id = rich(card_advantages_repeatable=True)
    game.does(Buy(id, buys(what, "mine", 1)))
    for name in ("", "mine", "another"):
        assert game.refuses(Buy(id, buys(what, name, 1))) == "not-a-raise"
    game.does(Buy(id, buys(what, "another", 2)))
    assert game.character(id).counts == {what: 2}


@pytest.mark.parametrize("what", ["hand-of-fate", "fortune", "vortex"])
def test_a_name_does_not_make_a_card_advantage_repeatable(what: str) -> None:
    game, id = rich()
    game.does(Buy(id, buys(what, "mine", 1)))
    assert game.refuses(Buy(id, buys(what, "another", 2))) == "advantage-not-repeatable"


def test_swiftness_by_any_name_gives_running_dice() -> None:
    game, id = playing(buys("swiftness", "the wind's own"))
    assert dice(game, game.acts(id, skill="Running", roll_kind="movement")) == 3 + 2


def test_extra_beads_by_any_name_are_awarded() -> None:
    game, id = playing(buys("extra-bead-scene", "grit", 2), buys("extra-bead-session", "luck"))
    assert game.beads(id) == {"action": 5 + 3 + 2}
    game.does(UseSessionBead(id, "plot"))
    assert game.beads(id)["plot"] == 1


def test_cards_are_drawn_by_a_hand_of_fate_of_any_name() -> None:
    game, id = playing(buys("hand-of-fate", "the marked deck"), buys("fortune", "a good nose"))
    game.does(DrawHand(id, ("2C", "3C", "4C", "5C"), ("2C", "3C", "4C")))
    assert game.character(id).hand == ("2C", "3C", "4C")


def test_martial_arts_without_an_area_are_rolled() -> None:
    game, id = playing(buys("martial-arts", "", 2))
    attack = game.acts(id, skill="Melee Weapons", roll_kind="to_hit", martial_arts="")
    assert dice(game, attack) == 3 + 2


def test_records_of_named_purchases_count_for_what_they_are() -> None:
    """Purchases that an earlier edition recorded under any name have their effect now."""
    bought = RULESET.apply(Character(), LevelBought("money", "the farm", 0, 2, "4"))
    assert bought.counts == {"money": 2}
    assert RULESET.apply(bought, BackgroundLost("money:the farm", "")).counts == {}


# --- different purchases ---


def test_weapons_masters_of_different_skills_are_different_purchases() -> None:
    guns, fists = ("Firearms", "Thrown Weapons"), ("Brawling",)
    game, id = rich()
    master: Any = {"level": 2, "period": "scene"}
    assert price(game, id, buys("weapons-master", skills=guns, **master)) == 2
    assert price(game, id, buys("weapons-master", skills=fists, **master)) == 2
    assert price(game, id, buys("weapons-master", skills=fists, level=3, period="scene")) == Fraction(1)
    assert game.character(id).related == {"weapons-master:scene": guns, "weapons-master:scene:2": fists}
    assert game.refuses(Buy(id, buys("weapons-master", skills=("Firearms", "Climbing"), **master))) == ("skills-named")


@pytest.mark.parametrize("period", ["scene", "session"])
def test_dice_of_a_second_group_come_back_with_their_period(period: str) -> None:
    guns = buys("weapons-master", level=1, period=period, skills=("Firearms",))
    fists = buys("weapons-master", level=2, period=period, skills=("Brawling",))
    game, id = playing(guns, fists)
    attack = game.acts(id, skill="Brawling", roll_kind="to_hit")
    assert game.refuses(UsePeriodDice(attack, f"weapons-master:{period}", 1)) == "wrong-skill"
    second = f"weapons-master:{period}:2"
    game.does(UsePeriodDice(attack, second, 2))
    assert game.balance(f"character:{id}/die:{second}") == 0
    game.scene_ends(game.place)
    if period == "session":
        assert game.balance(f"character:{id}/die:{second}") == 0
        game.does(CloseSession(str(game.table().session)))
    assert game.balance(f"character:{id}/die:{second}") == 2
    assert game.balance(f"character:{id}/die:weapons-master:{period}") == 1


def test_a_fourth_group_is_raised_and_a_fifth_refused() -> None:
    game, id = rich()
    for skill in ("Firearms", "Brawling", "Climbing", "Driving"):
        game.does(Buy(id, buys("weapons-master", level=1, period="arc", skills=(skill,))))
    game.does(Buy(id, buys("weapons-master", level=2, period="arc", skills=("Driving",))))
    assert game.character(id).counts["weapons-master:arc:4"] == 2
    fifth = buys("weapons-master", level=1, period="arc", skills=("Pilot",))
    assert game.refuses(Buy(id, fifth)) == "skills-named"
