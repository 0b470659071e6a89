"""Beads used outside actions, with the game master's approval."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.kernel.moves import allows
from ledger.rules.kernel.subjects import CAMPAIGN
from ledger.rules.moc.draft import Approve, Veto
from ledger.rules.moc.story import UseBeads, VetoStory
from ledger.rules.moc.trumps import Trump
from tests.rules.moc.cited import refusal
from tests.rules.moc.game import kinds_of, the
from tests.rules.moc.test_amendments import table
from tests.rules.moc.test_moves import moves

USE = "moc.bead.use"


def test_beads_are_used_once_the_game_master_agrees() -> None:
    game = table()
    before = game.beads(game.hero)["action"]
    do = UseBeads(game.hero, "The wall is old.", "action", 2, "turn")
    assert kinds_of(game.does(do, Veto(), by="ann")) == ["ProposalVetoed"]
    assert game.beads(game.hero)["action"] == before, "not agreed to, they are not spent"
    done = the(game.does(do, Approve(), by="ann"), "StoryChanged")
    assert (done.beads, done.tier, done.what.element, done.scope) == (2, 0, "action", "turn")
    assert game.beads(game.hero)["action"] == before - 2
    assert game.scene(game.place).story[done.change].text == "The wall is old."


def test_they_can_be_cancelled_as_any_other_and_come_back_where_vetoed() -> None:
    game = table(("8C", "KS"))
    before = game.beads(game.hero)["action"]
    change = game.new(UseBeads(game.hero, "The wall is old.", approved=True))
    game.does(Trump("", game.enigma, change, "9C"))
    assert game.beads(game.hero)["action"] == before, "of the primary Element they go back"
    later = game.new(UseBeads(game.hero, "The wall is new.", approved=True))
    game.does(VetoStory(later, "no"))
    assert game.beads(game.hero)["action"] == before
    game.gives(game.hero, "bead:drama", 3)
    third = game.new(UseBeads(game.hero, "A tear.", "drama", 3, approved=True))
    game.does(VetoStory(third, "no"))
    assert game.beads(game.hero)["drama"] == 3


def test_beads_of_the_coming_scene_are_used_between_scenes() -> None:
    game = table()
    game.scene_ends(game.place)
    game.gives(game.hero, "bead:plot", 1)
    change = game.new(UseBeads(game.hero, "A letter comes.", "plot", approved=True))
    assert game.state(CAMPAIGN).story[change].text == "A letter comes."


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ({"number": 0}, f"{USE} no-beads-played"),
        ({"number": -1}, f"{USE} negative-beads"),
        ({"number": 99}, f"{USE} not-enough-beads"),
        ({"element": "earth"}, f"{USE} unknown-element"),
        ({"scope": "year"}, "moc.story.tiers no-such-tier"),
        ({"text": " "}, f"{USE} nothing-declared"),
        ({"approved": False}, f"{USE} gm-approval-needed"),
    ],
)
def test_what_is_not_done_with_them(said: dict[str, Any], outcome: str) -> None:
    game = table()
    assert refusal(game, UseBeads(game.hero, **{"text": "So.", "approved": True, **said})) == outcome


def test_they_are_offered_as_far_as_there_are_any() -> None:
    game = table()
    held = game.beads(game.hero)["action"]
    offered = moves(game, "ann", UseBeads)
    for number, there in ((1, True), (held, True), (held + 1, False), (0, False)):
        do = UseBeads(game.hero, "So.", "action", number)
        assert any(allows(move, do) for move in offered) == there
    assert not any(allows(move, UseBeads(game.hero, "So.", "drama", 1)) for move in offered)
