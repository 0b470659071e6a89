"""Martial Arts add their level once a roll, and only in their area."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.hits import ScoreHit
from ledger.rules.moc.trumps import TrumpByFiat
from tests.rules.moc.buyers import dice, playing
from tests.rules.moc.cited import refusal
from tests.rules.moc.game import Game, buys, the

ART = "moc.adv.martial-arts"


def boxing(**said: Any) -> tuple[Game, str, str]:
    game, id = playing(buys("martial-arts", "boxing", 2), buys("martial-arts", "Firearms", 3))
    return game, id, game.acts(id, **{"roll_kind": "to_hit", "martial_arts": "boxing", **said})


def bead(action: str, id: str, area: str = "boxing", number: int = 1) -> PlayBeads:
    return PlayBeads(action, id, "martial_arts", number, characteristic=area)


def test_a_bead_adds_the_level_once_a_roll() -> None:
    game, id, attack = boxing()
    assert refusal(game, bead(attack, id, number=2)) == "moc.bead.use one-bead-only"
    game.does(bead(attack, id))
    assert refusal(game, bead(attack, id)) == f"{ART} already-activated"
    game.rolls(attack, 8, 8, 1, 1, 1)
    assert the(game.does(ScoreHit(id, id, "Club", action=attack)), "HitScored").what.dice == 2 + 1 + 2


def test_a_bead_that_was_cancelled_can_be_played_again() -> None:
    game, id, attack = boxing()
    play = game.new(bead(attack, id))
    game.does(TrumpByFiat(attack, play))
    assert refusal(game, bead(attack, id)) == ""


@pytest.mark.parametrize(
    ("said", "area", "outcome"),
    [
        ({}, "boxing", ""),
        ({"skill": "Brawling"}, "boxing", ""),
        ({}, "Firearms", f"{ART} wrong-skill"),
        ({"martial_arts": None}, "boxing", f"{ART} wrong-skill"),
        ({"roll_kind": "skill"}, "boxing", f"{ART} not-an-attack"),
        ({"roll_kind": "dodge"}, "boxing", f"{ART} not-an-attack"),
        ({"martial_arts": "Firearms", "skill": "Firearms"}, "Firearms", ""),
        ({"martial_arts": "Firearms", "skill": "Brawling"}, "Firearms", f"{ART} wrong-skill"),
    ],
)
def test_a_bead_is_for_an_attack_in_its_area(said: dict[str, Any], area: str, outcome: str) -> None:
    game, id, action = boxing(**said)
    assert refusal(game, bead(action, id, area)) == outcome


@pytest.mark.parametrize(("skill", "count"), [("Firearms", 3 + 3), ("Brawling", 3)])
def test_an_area_with_the_name_of_a_skill_is_for_attacks_with_that_skill(skill: str, count: int) -> None:
    game, _, action = boxing(martial_arts="Firearms", skill=skill)
    assert dice(game, action) == count
