"""Everybody who may see a ruling reads what came of it, not only the person who declared it."""

from __future__ import annotations

import pytest

from tests.api.page.blows import attacks, card, hit, plain
from tests.api.page.sitting import at_the_page
from tests.api.table import Json, Service, Table


@pytest.fixture
def attacked(service: Service) -> Table:
    return attacks(service)


def test_a_fatal_impact_used_at_once_is_not_held_any_longer(attacked: Table) -> None:
    hit(attacked)
    fate = {"text": "He is thrown out of the inn.", "use_as": "fate", "out": "scene"}
    attacked.ben.declare("choose-impact", impact="fatal", at_once=fate)
    for player in (attacked.ben, attacked.cleo, attacked.gm):
        read = card(at_the_page(player))
        assert "Steve is out of play until the scene ends" in read
        assert "He is thrown out of the inn." in read
        assert "holds a fatal impact" not in read


def test_everybody_reads_what_a_healing_moment_led_to(attacked: Table) -> None:
    hit(attacked)
    trait = attacked.gm.look("/characters/2")["state"]["traits"][0]["name"]
    attacked.gm.declare("choose-impact", impact="damage", trait=trait)
    attacked.gm.declare("close-round")
    attacked.gm.declare("close-scene", scene=attacked.gm.look("/state")["scenes"][0]["id"])
    declared: Json = {"kind": "healing-moment", "day": 1, "fiction": "A quiet night."}
    waiting = attacked.ben.does("/rulings", {"declare": declared, "answers": []}, 202)["id"]
    answer = {"choice": {"kind": "heal", "heal": "damage", "trait": trait}}
    attacked.cleo.does(f"/waiting/{waiting}/answers", {"answer": answer}, 201)
    for player in (attacked.ben, attacked.cleo, attacked.gm):
        read = card(at_the_page(player))
        assert f"Damage to {trait} heals." in read
        assert "Sarah gains 1 advantage point against Steve" in read


def test_the_log_keeps_what_came_of_a_ruling(attacked: Table) -> None:
    hit(attacked)
    trait = attacked.gm.look("/characters/2")["state"]["traits"][0]["name"]
    attacked.gm.declare("choose-impact", impact="tax", trait=trait)
    attacked.gm.declare("close-round")
    attacked.gm.declare("close-scene", scene=attacked.gm.look("/state")["scenes"][0]["id"])
    attacked.gm.declare("rest")
    page = at_the_page(attacked.cleo).page("/")
    log = plain(page[page.index('<section id="latest"') :].partition("</section>")[0])
    assert "A tax on Steve ends." in log
