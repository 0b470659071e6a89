"""What beads do to an action and to the story, with the rulebook's answer in the last column."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.rules.moc.beads_used import PlayBeads
from ledger.rules.moc.resolving import Resolve
from ledger.rules.moc.rolling import RollDice
from ledger.rules.moc.story import ChangeStory, VetoStory
from tests.rules.moc.book import answers, cites, refusing_rule
from tests.rules.moc.game import the
from tests.rules.moc.test_beads_allocated import ELEMENTS, one

HERO = "hero"


# --- moc.bead.use ---

#: Archetype -> the bead that adds two dice, by Element of the action.
TWO_DICE = {
    "hero": {"action": "action plot", "plot": "plot action"},
    "enigma": {"storytelling": "storytelling drama", "drama": "drama storytelling"},
    "protagonist": {"plot": "plot action", "action": "action plot"},
    "architect": {"drama": "drama storytelling", "storytelling": "storytelling drama"},
    "wildcard": {
        "action": "action plot",
        "plot": "plot action",
        "storytelling": "storytelling drama",
        "drama": "drama storytelling",
    },
}


@pytest.mark.parametrize("archetype", list(TWO_DICE))
def test_two_dice_a_bead_in_ones_own_elements_by_related_beads_else_one(archetype: str) -> None:
    game = one(archetype)
    game.scene_begins(game.landon)
    for element in ELEMENTS:
        game.gives(game.landon, f"bead:{element}", 20)
    for element in ELEMENTS:
        for bead in ELEMENTS:
            action = game.acts(game.landon, element=element)
            do = PlayBeads(action, game.landon, "add_dice", 2, bead)
            dice = 4 if bead in TWO_DICE[archetype].get(element, "").split() else 2
            assert cites(game.does(do), "moc.bead.use") == [dice], (element, bead)
            faces = (3,) * (3 + dice)
            assert answers(game, RollDice(action, 0, faces[1:])) == "wrong-dice-count"
            assert answers(game, RollDice(action, 0, faces)) == ""


@pytest.mark.parametrize("archetype", ["hero", "enigma", "protagonist", "architect", "wildcard"])
def test_one_bead_eases_a_target_number_and_more_in_the_primary_element_alone(archetype: str) -> None:
    game = one(archetype)
    game.scene_begins(game.landon)
    for element in ELEMENTS:
        game.gives(game.landon, f"bead:{element}", 20)
    own = {"hero": "action", "enigma": "storytelling", "protagonist": "plot", "architect": "drama"}.get(archetype)
    for element in ELEMENTS:
        for number in (1, 2, 5, 9):
            action = game.acts(game.landon, element=element, tn=7)
            do = PlayBeads(action, game.landon, "reduce_difficulty", number, element)
            code = "" if number == 1 or element == own else "one-bead-unless-primary"
            assert answers(game, do) == code, (element, number)
            game.rolls(action, 1, 1, 2)
            found = the(game.does(Resolve(action)), "ActionResolved").tn
            assert found == (7 if code else max(2, 7 - number)), "never below the floor"


@pytest.mark.parametrize(
    ("use", "rolled", "number", "element", "code"),
    [
        ("add_successes", True, 1, "action", ""),
        ("add_successes", False, 1, "action", "roll-not-completed"),
        ("add_successes", True, 1, "plot", "wrong-element"),
        ("add_successes", True, 0, "action", "no-beads-played"),
        ("add_successes", True, -1, "action", "negative-beads"),
        ("add_successes", True, 99, "action", "not-enough-beads"),
        ("reduce_difficulty", True, 1, "action", "already-rolled"),
        ("reduce_difficulty", False, 1, "plot", "wrong-element"),
        ("reduce_difficulty", False, 1, "action", ""),
        ("add_dice", True, 1, "action", "already-rolled"),
        ("add_dice", False, 1, "plot", ""),
        ("free_marginal", False, 1, "action", ""),
        ("free_marginal", False, 2, "action", "one-bead-only"),
        ("free_marginal", False, 1, "plot", "wrong-element"),
        ("free_marginal", True, 1, "action", "already-rolled"),
        ("fly", False, 1, "action", "unknown-bead-use"),
        ("add_dice", False, 1, "earth", "unknown-element"),
        ("other", False, 1, "drama", ""),
        ("other", True, 1, "drama", ""),
    ],
)
def test_when_and_of_which_element(use: str, rolled: bool, number: int, element: str, code: str) -> None:
    game = one(HERO)
    game.scene_begins(game.landon)
    for each in ELEMENTS:
        game.gives(game.landon, f"bead:{each}", 3)
    action = game.acts(game.landon)
    if rolled:
        game.rolls(action, 2, 3, 4)
    assert answers(game, PlayBeads(action, game.landon, use, number, element)) == code


@pytest.mark.parametrize(
    ("faces", "beads", "level"),
    [
        ((1, 2, 3), 1, "near"),
        ((1, 2, 3), 2, "marginal"),
        ((2, 3, 4), 4, "outstanding"),
        ((7, 2, 3), 1, "marginal"),
        ((8, 2, 3), 1, "success"),
        ((9, 9, 3), 3, "outstanding"),
    ],
)
def test_one_bead_after_the_roll_lifts_any_failure_to_near(faces: tuple[int, ...], beads: int, level: str) -> None:
    game = one(HERO)
    game.scene_begins(game.landon)
    action = game.acts(game.landon)
    game.rolls(action, *faces)
    game.does(PlayBeads(action, game.landon, "add_successes", beads))
    assert game.level(action) == level


# --- moc.story.tiers ---


@pytest.mark.parametrize(
    ("held", "beads", "scope", "outcome"),
    [
        (3, 1, None, "turn"),
        (3, 2, None, "scene"),
        (3, 3, None, "session"),
        (4, 4, None, "world"),
        (9, 9, None, "world"),
        (9, 4, None, "must-spend-all"),
        (9, 8, None, "must-spend-all"),
        (5, 4, None, "must-spend-all"),
        (3, 4, None, "not-enough-beads"),
        (0, 1, None, "not-enough-beads"),
        (3, 0, None, "no-such-tier"),
        (3, -1, None, "negative-beads"),
        (3, 1.5, None, "negative-beads"),
        (3, 3, "turn", "turn"),
        (3, 3, "scene", "scene"),
        (4, 4, "session", "session"),
        (4, 3, None, "session"),
    ],
)
def test_how_far_storytelling_beads_reach(held: int, beads: Any, scope: str | None, outcome: str) -> None:
    game = one(HERO)
    game.scene_begins(game.landon)
    if held:
        game.gives(game.landon, "bead:storytelling", held)
    do = ChangeStory(game.landon, beads, "The guards argue.", scope)
    code = answers(game, do)
    assert (code or the(game.verdicts[-1], "StoryChanged").scope) == outcome
    if code:
        assert refusing_rule(game, do) == "moc.story.tiers"
        return
    assert game.beads(game.landon).get("storytelling", 0) == held - beads
    change = the(game.verdicts[-1], "StoryChanged").change
    game.does(VetoStory(change, "They do not."))
    assert game.beads(game.landon).get("storytelling", 0) == held, "vetoed, the beads return"
